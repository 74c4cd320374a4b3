//! One file over HTTPS: resumed where it was cut, checked before it gets its name.

use crate::{DataFile, Error, Options, Progress, address, checksum, files};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use ureq::http::{Response, Uri, header};
use ureq::{Agent, Body, Proxy};

/// Requests for one file: redirects, and a second try where a server cannot resume.
const MAX_REQUESTS: usize = 8;

/// Downloads a file and says how many bytes came over the network.
pub(crate) fn download(
    address: &str,
    file: &DataFile,
    target: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<u64, Error> {
    let start = address::checked(address)?;
    files::make_folder_of(target)?;
    let path = files::part_of(target);
    let Some(part) = Part::open(path, target)? else {
        return Ok(0);
    };
    let mut download = Download { file, target, options, part, received: 0, progress };
    match download.run(start) {
        Ok(()) => Ok(download.received),
        Err(error) => {
            download.part.remove_if_empty();
            Err(error)
        }
    }
}

/// The bytes of a file that are there so far.
struct Part {
    path: PathBuf,
    file: File,
    have: u64,
}

impl Part {
    /// None if another process has finished the file in the meantime.
    fn open(path: PathBuf, target: &Path) -> Result<Option<Part>, Error> {
        files::forget_link(&path);
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let file = how.open(&path).map_err(|error| files::problem(&path, "written", error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Error::Busy { path }),
            // Some file systems have no locks; two downloads at once then end in a wrong checksum.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if target.exists() {
            let _ = fs::remove_file(&path);
            return Ok(None);
        }
        let have = file.metadata().map_err(|error| files::problem(&path, "read", error))?.len();
        Ok(Some(Part { path, file, have }))
    }

    fn clear(&mut self) -> Result<(), Error> {
        self.file.set_len(0).map_err(|error| files::problem(&self.path, "written", error))?;
        self.have = 0;
        Ok(())
    }

    /// Nothing can be done about a part that will not go: it is checked again the next time.
    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Nothing at all is of no use to a later attempt. The file knows best: a disk that is full
    /// may have taken some of the bytes it refused.
    fn remove_if_empty(&self) {
        if self.file.metadata().is_ok_and(|found| found.len() == 0) {
            self.remove();
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| files::problem(&self.path, "written", error))?;
        self.have += bytes.len() as u64;
        Ok(())
    }

    fn seek(&mut self, position: u64) -> Result<(), Error> {
        let sought = self.file.seek(SeekFrom::Start(position));
        sought.map(drop).map_err(|error| files::problem(&self.path, "read", error))
    }

    /// The checksum of what is on the disk.
    fn checksum(&mut self) -> Result<String, Error> {
        self.file.sync_all().map_err(|error| files::problem(&self.path, "written", error))?;
        self.seek(0)?;
        checksum::sha256(&self.file).map_err(|error| files::problem(&self.path, "read", error))
    }
}

struct Download<'a> {
    file: &'a DataFile,
    target: &'a Path,
    options: &'a Options,
    part: Part,
    received: u64,
    progress: &'a mut dyn FnMut(Progress),
}

impl Download<'_> {
    fn run(&mut self, start: Uri) -> Result<(), Error> {
        if self.part.have > self.file.bytes {
            self.part.clear()?;
        }
        let mut resumed = self.part.have > 0;
        loop {
            if self.part.have < self.file.bytes {
                self.receive(start.clone())?;
            }
            let found = self.part.checksum()?;
            if found == self.file.sha256 {
                return files::finish(&self.part.path, self.target);
            }
            if resumed {
                // What was there before may have been of another file: once more, from nothing.
                resumed = false;
                self.part.clear()?;
                continue;
            }
            self.part.remove();
            let expected = self.file.sha256.into();
            return Err(Error::Checksum { address: start.to_string(), expected, found });
        }
    }

    /// Asks for what is missing, and reads it.
    fn receive(&mut self, start: Uri) -> Result<(), Error> {
        let mut uri = start;
        for _ in 0..MAX_REQUESTS {
            let response = self.request(&uri)?;
            let status = response.status().as_u16();
            let resuming = self.part.have > 0;
            match status {
                301 | 302 | 303 | 307 | 308 => {
                    uri = address::redirected(&uri, text(&response, header::LOCATION))?;
                }
                206 if resuming && self.continues(&response) => return self.read(&uri, response),
                // The server does not have the rest of what we have: another file, or none.
                206 | 416 if resuming => self.part.clear()?,
                200 => return self.read(&uri, response),
                _ => {
                    return Err(Error::Answer {
                        address: uri.to_string(),
                        status,
                        path: self.target.into(),
                        sha256: self.file.sha256.into(),
                    });
                }
            }
        }
        Err(self.unreachable(&uri, "it redirects again and again".into()))
    }

    fn request(&self, uri: &Uri) -> Result<Response<Body>, Error> {
        let limits = self.options;
        let proxy = if address::is_loopback(uri) { None } else { Proxy::try_from_env() };
        let proxied = proxy.as_ref().is_some_and(|proxy| !proxy.is_no_proxy(uri));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0) // looked at one by one
            .accept_encoding("identity") // the checksum is that of the file as it lies there
            .user_agent(concat!("pfcvm-data/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(limits.connect_timeout))
            .timeout_connect(Some(limits.connect_timeout))
            .timeout_per_read(Some(limits.stall_timeout))
            .timeout_per_write(Some(limits.stall_timeout))
            .proxy(proxy)
            .build();
        let mut request = Agent::from(config).get(uri);
        if self.part.have > 0 {
            request = request.header(header::RANGE, format!("bytes={}-", self.part.have));
        }
        request.call().map_err(|error| {
            let mut reason = match error {
                ureq::Error::Timeout(_) => "no answer in time".into(),
                ureq::Error::Io(error) => error.to_string(),
                other => other.to_string(),
            };
            if proxied {
                reason += ", through the proxy of the environment";
            }
            self.unreachable(uri, reason)
        })
    }

    fn unreachable(&self, uri: &Uri, reason: String) -> Error {
        let (path, sha256) = (self.target.into(), self.file.sha256.into());
        Error::Unreachable { address: uri.to_string(), reason, path, sha256 }
    }

    /// Whether a partial answer begins where our part ends.
    fn continues(&self, response: &Response<Body>) -> bool {
        let range = text(response, header::CONTENT_RANGE);
        let begin = range.strip_prefix("bytes ").and_then(|range| range.split('-').next());
        begin.and_then(|begin| begin.trim().parse().ok()) == Some(self.part.have)
    }

    fn read(&mut self, uri: &Uri, response: Response<Body>) -> Result<(), Error> {
        // A server that begins anew may do so: what we have is the start of the same file.
        let begin = if response.status() == 206 { self.part.have } else { 0 };
        let expected = self.file.bytes;
        let address = uri.to_string();
        // Whoever announces another length has another file; nothing was lost by asking.
        if let Some(length) = response.body().content_length()
            && begin.saturating_add(length) != expected
        {
            let found = format!("{} bytes", begin.saturating_add(length));
            return Err(Error::WrongSize { address, expected, found });
        }
        if begin == 0 && self.part.have > 0 {
            self.part.clear()?;
        }
        self.part.seek(begin)?;
        self.report();
        let mut body = response.into_body().into_reader();
        let mut piece = vec![0; 1 << 16];
        loop {
            let count = match body.read(&mut piece) {
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.interrupted(address, &ureq::Error::from(error))),
            };
            self.received += count as u64;
            if self.part.have + count as u64 > expected {
                self.part.remove();
                return Err(Error::WrongSize { address, expected, found: "more bytes".into() });
            }
            if count == 0 {
                break;
            }
            self.part.append(&piece[..count])?;
            self.report();
        }
        if self.part.have < expected {
            return Err(self.ended(address, "the connection ended".into()));
        }
        Ok(())
    }

    fn interrupted(&self, address: String, error: &ureq::Error) -> Error {
        let reason = match error {
            ureq::Error::Timeout(_) => "no more bytes came in time".into(),
            ureq::Error::Io(error) => format!("the connection was cut ({error})"),
            other => format!("the connection was cut ({other})"),
        };
        self.ended(address, reason)
    }

    fn ended(&self, address: String, reason: String) -> Error {
        let (have, total) = (self.part.have, self.file.bytes);
        Error::Interrupted { address, reason, have, total, part: self.part.path.clone() }
    }

    fn report(&mut self) {
        let Self { file, part, progress, .. } = self;
        progress(Progress { file: file.path, done: part.have, total: file.bytes });
    }
}

fn text(response: &Response<Body>, name: header::HeaderName) -> &str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
