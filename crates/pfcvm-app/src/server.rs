//! Connections, and what lives as long as the server does.

use crate::desk::Desk;
use crate::folder::Folder;
use crate::guard::secret;
use crate::request::Request;
use crate::response::Response;
use crate::{guard, routes, runner};
use std::collections::HashSet;
use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a server needs to know.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program `pfcvm`, which does the work.
    pub program: PathBuf,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Where the private folder is made.
    pub parent: PathBuf,
    /// Name and version, for the page.
    pub version: String,
    /// What files may be, in words.
    pub formats: String,
    /// What is allowed.
    pub limits: Limits,
}

/// What is allowed. The default is generous for one user and tight for anybody else.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of one table.
    pub table_bytes: u64,
    /// Bytes of all tables and new rows together.
    pub all_bytes: u64,
    /// Tables on the desk.
    pub tables: usize,
    /// Results on the desk.
    pub results: usize,
    /// Steps of one result: comparisons and predictions come on top of the first ones.
    pub steps: usize,
    /// Connections at a time.
    pub connections: usize,
    /// Bytes of the head of a request.
    pub head_bytes: usize,
    /// Time for the head of a request.
    pub head_time: Duration,
    /// Bytes of a question.
    pub text_bytes: u64,
    /// Time without a byte, for uploads and downloads.
    pub stall: Duration,
    /// Bytes per second that an upload must reach on the whole.
    pub least_rate: u64,
    /// How long the server outlives its last page, which may be on its way back.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            table_bytes: 4 << 30,
            all_bytes: 16 << 30,
            tables: 100,
            results: 100,
            steps: 50,
            connections: 64,
            head_bytes: 16 << 10,
            head_time: Duration::from_secs(5),
            text_bytes: 1 << 20,
            stall: Duration::from_secs(20),
            least_rate: 64 << 10,
            grace: Duration::from_secs(20),
        }
    }
}

/// A running server. It goes on until [`App::end`], or until all its pages are closed.
pub struct App {
    inner: Arc<Inner>,
}

/// What all threads share.
pub(crate) struct Inner {
    pub(crate) options: Options,
    pub(crate) port: u16,
    secret: String,
    /// Opens the page once: the address that a browser is started with is seen by all users of a machine.
    ticket: Mutex<Option<String>>,
    folder: Folder,
    desk: Mutex<Desk>,
    changed: Condvar,
    pages: Mutex<Pages>,
    /// Bytes of uploads, those on their way included.
    pub(crate) uploaded: AtomicU64,
    connections: AtomicUsize,
    ended: AtomicBool,
}

/// Open pages, by numbers of their own.
#[derive(Default)]
struct Pages {
    open: HashSet<String>,
    /// Since when there are none, after there were some.
    none_since: Option<Instant>,
}

impl App {
    /// Begins to listen.
    ///
    /// # Errors
    /// If the port is taken, or the private folder cannot be made.
    pub fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let port = listener.local_addr()?.port();
        let folder = Folder::make(&options.parent, &secret()?)?;
        let inner = Arc::new(Inner {
            options,
            port,
            secret: secret()?,
            ticket: Mutex::new(Some(secret()?)),
            folder,
            desk: Mutex::default(),
            changed: Condvar::new(),
            pages: Mutex::default(),
            uploaded: AtomicU64::new(0),
            connections: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        for short in [true, false] {
            let inner = inner.clone();
            std::thread::Builder::new().spawn(move || runner::work(&inner, short))?;
        }
        let shared = inner.clone();
        std::thread::Builder::new().spawn(move || listen(&listener, &shared))?;
        Ok(Self { inner })
    }

    /// The address of the page, with the secret.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.inner.port, self.inner.secret)
    }

    /// An address that leads to the page once.
    pub fn address_for_once(&self) -> String {
        let ticket = locked(&self.inner.ticket).clone().unwrap_or_default();
        format!("http://127.0.0.1:{}/open/{ticket}", self.inner.port)
    }

    /// The private folder.
    pub fn folder(&self) -> &Path {
        self.inner.folder.path()
    }

    /// Waits until the user has closed all pages, or said that it is enough.
    pub fn wait(&self) {
        let mut desk = self.inner.desk();
        while !self.inner.has_ended() {
            let since = locked(&self.inner.pages).none_since;
            if since.is_some_and(|since| since.elapsed() > self.inner.options.limits.grace) {
                break;
            }
            let waited = self.inner.changed.wait_timeout(desk, Duration::from_millis(500));
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(desk);
        self.end();
    }

    /// Ends all jobs and removes all files. May be called from anywhere, more than once.
    pub fn end(&self) {
        self.inner.ended.store(true, Ordering::SeqCst);
        self.inner.desk().stop_all();
        self.inner.notify();
        self.inner.folder.remove();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.end();
        // The thread that listens is waiting for somebody.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.inner.port));
    }
}

impl Inner {
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        locked(&self.desk)
    }

    /// Waits until something has changed.
    pub(crate) fn wait<'a>(&self, desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
        self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn notify(&self) {
        self.changed.notify_all();
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// Says that it is enough; the answer to who said so is written.
    pub(crate) fn leave(&self) {
        self.ended.store(true, Ordering::SeqCst);
        self.notify();
    }

    pub(crate) fn program(&self) -> &Path {
        &self.options.program
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn part(&self, name: &str) -> io::Result<PathBuf> {
        self.folder.part(name)
    }

    /// Notes that a page is open, or no longer.
    pub(crate) fn page(&self, number: String, open: bool) {
        const MOST: usize = 100;
        let mut pages = locked(&self.pages);
        if open && number.len() < 64 && pages.open.len() < MOST {
            pages.open.insert(number);
            pages.none_since = None;
        } else if !open && pages.open.remove(&number) && pages.open.is_empty() {
            pages.none_since = Some(Instant::now());
        }
    }
}

/// What a thread that fell over left is as good as ever: every change is complete in itself.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(listener: &TcpListener, inner: &Arc<Inner>) {
    for stream in listener.incoming() {
        if inner.has_ended() {
            return;
        }
        let Ok(stream) = stream else {
            // Too many open files, say: it gets better when connections end.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let place = Seat(inner.clone());
        if inner.connections.fetch_add(1, Ordering::SeqCst) >= inner.options.limits.connections {
            continue; // closes it, and gives the place back
        }
        // Where no thread can be had, the connection closes.
        let _ = std::thread::Builder::new().spawn(move || {
            serve(stream, &place.0);
        });
    }
}

/// The place of one connection, given back in the end.
struct Seat(Arc<Inner>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve(mut stream: TcpStream, inner: &Arc<Inner>) {
    let limits = &inner.options.limits;
    if stream.set_write_timeout(Some(limits.stall)).is_err() || stream.set_nodelay(true).is_err() {
        return;
    }
    let response = match Request::read(&mut stream, limits) {
        Err(status) => Response::bare(status),
        Ok(mut request) => answer(&mut request, &mut stream, inner),
    };
    // Who does not want the answer does not get it.
    let (refused, last) = (response.status >= 400, response.last);
    if response.write(&mut stream).is_ok() && refused {
        farewell(&mut stream);
    }
    if last {
        inner.leave();
    }
}

fn answer(request: &mut Request, stream: &mut TcpStream, inner: &Arc<Inner>) -> Response {
    if let Some(given) = request.path.strip_prefix("/open/") {
        return opened(given, request, inner);
    }
    match guard::admitted(request, &inner.secret, inner.port) {
        Err(status) => Response::bare(status),
        // Parts of the page are found beside it.
        Ok("") if !request.path.ends_with('/') => Response::redirect(&format!("{}/", request.path)),
        Ok(path) => {
            let path = path.to_owned();
            routes::answer(&path, request, stream, inner)
        }
    }
}

/// Takes the ticket, and leads to the page.
fn opened(given: &str, request: &Request, inner: &Inner) -> Response {
    let own =
        request.header("host").is_ok_and(|host| host == Some(&format!("127.0.0.1:{}", inner.port)));
    let mut ticket = locked(&inner.ticket);
    match &*ticket {
        Some(ticket) if own && request.method == "GET" && guard::same(given, ticket) => {}
        _ => return Response::bare(403),
    }
    *ticket = None;
    Response::redirect(&format!("/{}/", inner.secret))
}

/// Reads a little of what was not wanted: closing at once would take the answer along.
fn farewell(stream: &mut TcpStream) {
    const MOST: u64 = 1 << 20;
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let _ = io::copy(&mut stream.take(MOST), &mut io::sink());
}
