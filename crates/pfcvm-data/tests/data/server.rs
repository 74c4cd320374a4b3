//! A server on this machine that does what a test tells it to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    /// The first byte wanted, where a range was asked for.
    pub from: Option<usize>,
}

pub struct Server {
    /// `http://127.0.0.1:PORT`
    pub address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers every request by a function, which is told how many requests went before.
    pub fn start(answer: impl Fn(usize, &Request, Answer) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || {
                    let Some(request) = read_request(&stream) else { return };
                    let count = {
                        let mut log = log.lock().unwrap();
                        log.push(request.clone());
                        log.len() - 1
                    };
                    answer(count, &request, Answer { stream });
                });
            }
        });
        Server { address, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The first bytes asked for, request by request.
    pub fn ranges(&self) -> Vec<Option<usize>> {
        self.requests().iter().map(|request| request.from).collect()
    }
}

fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines();
    let path = lines.next()?.ok()?.split(' ').nth(1)?.to_string();
    let mut from = None;
    for line in lines {
        let line = line.ok()?.to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            from = range.strip_suffix('-')?.parse().ok();
        }
    }
    Some(Request { path, from })
}

/// What is sent back. Clients often go away in the middle, so failures to write do not matter.
pub struct Answer {
    stream: TcpStream,
}

impl Answer {
    pub fn head(&mut self, status: &str, headers: &[(&str, String)]) {
        let mut text = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let _ = self.stream.write_all(format!("{text}\r\n").as_bytes());
    }

    /// False once nobody listens any more.
    pub fn bytes(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// As a good server does, ranges included.
    pub fn serve(self, request: &Request, content: &[u8]) {
        self.serve_until(request, content, content.len());
    }

    /// As a good server does, but the connection ends before the byte `end`.
    pub fn serve_until(mut self, request: &Request, content: &[u8], end: usize) -> Self {
        let from = request.from.unwrap_or(0);
        if from >= content.len() {
            self.head("416 Range Not Satisfiable", &[("Content-Length", "0".into())]);
            return self;
        }
        let length = ("Content-Length", (content.len() - from).to_string());
        if request.from.is_some() {
            let range = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
            self.head("206 Partial Content", &[length, ("Content-Range", range)]);
        } else {
            self.head("200 OK", &[length]);
        }
        self.bytes(&content[from..end.max(from)]);
        self
    }

    /// Says nothing more until the client goes away.
    pub fn hang(mut self) {
        let _ = self.stream.read(&mut [0]);
    }
}
