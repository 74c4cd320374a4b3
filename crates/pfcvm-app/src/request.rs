//! Requests: a head of bounded size in bounded time, and a body that is read as it comes.

use crate::server::Limits;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Header lines of a browser are about twenty.
const MOST_HEADERS: usize = 64;

/// A request whose head has been read.
pub(crate) struct Request {
    pub(crate) method: String,
    /// What is asked for, beginning with `/`, without what follows a question mark.
    pub(crate) path: String,
    /// What follows it.
    pub(crate) query: String,
    headers: Vec<(String, String)>,
    /// Bytes of the body that came with the head.
    begun: Vec<u8>,
    /// Length of the body.
    pub(crate) length: u64,
}

/// Why a request is not answered, as a status code.
pub(crate) type Refusal = u16;

impl Request {
    /// Reads the head of a request.
    pub(crate) fn read(stream: &mut TcpStream, limits: &Limits) -> Result<Self, Refusal> {
        let deadline = Instant::now() + limits.head_time;
        let mut bytes = Vec::with_capacity(2048);
        loop {
            let mut piece = [0; 2048];
            let read = read_before(stream, &mut piece, deadline).map_err(|_| 408u16)?;
            if read == 0 {
                return Err(400);
            }
            bytes.extend_from_slice(&piece[..read]);
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(request);
            }
            if bytes.len() > limits.head_bytes {
                return Err(431);
            }
        }
    }

    /// A request from its first bytes, or nothing if the head is not complete.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let end = match head.parse(bytes) {
            Ok(httparse::Status::Complete(end)) => end,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(431),
            Err(_) => return Err(400),
        };
        let (Some(method), Some(target)) = (head.method, head.path) else { return Err(400) };
        if !target.starts_with('/') || head.version != Some(1) {
            return Err(400);
        }
        let text = |value: &[u8]| String::from_utf8(value.to_vec()).map_err(|_| 400u16);
        let named = |line: &httparse::Header| Ok((line.name.to_lowercase(), text(line.value)?));
        let headers = head.headers.iter().map(named).collect::<Result<Vec<_>, Refusal>>()?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            method: method.into(),
            path: path.into(),
            query: query.into(),
            headers,
            begun: bytes[end..].to_vec(),
            length: 0,
        };
        // Bodies of unknown length are nothing that our page sends.
        if request.header("transfer-encoding")?.is_some() {
            return Err(501);
        }
        if let Some(length) = request.header("content-length")? {
            let digits = length.bytes().all(|byte| byte.is_ascii_digit());
            request.length = length.parse().ok().filter(|_| digits).ok_or(400u16)?;
        }
        Ok(Some(request))
    }

    /// A header that may be given once.
    pub(crate) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let first = found.next().map(|(_, value)| value.trim());
        if found.next().is_some() { Err(400) } else { Ok(first) }
    }

    /// A value of the query, decoded.
    pub(crate) fn asked(&self, key: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(name, _)| *name == key).map(|(_, value)| decoded(value))
    }

    /// Reads a small body whole.
    pub(crate) fn text(
        &mut self,
        stream: &mut TcpStream,
        limits: &Limits,
    ) -> Result<String, Refusal> {
        if self.length > limits.text_bytes {
            return Err(413);
        }
        let mut bytes = Vec::new();
        self.copy(stream, &mut bytes, limits)?;
        String::from_utf8(bytes).map_err(|_| 400)
    }

    /// Copies the body as it comes. Who sends too slowly is given up.
    pub(crate) fn copy(
        &mut self,
        stream: &mut TcpStream,
        target: &mut dyn Write,
        limits: &Limits,
    ) -> Result<(), Refusal> {
        let slowest = self.length / limits.least_rate.max(1);
        let deadline = Instant::now() + limits.stall + Duration::from_secs(slowest);
        let disk = |_: io::Error| 507u16;
        let begun = std::mem::take(&mut self.begun);
        let known = begun.len().min(usize::try_from(self.length).unwrap_or(usize::MAX));
        target.write_all(&begun[..known]).map_err(disk)?;
        let mut left = self.length - known as u64;
        let mut piece = vec![0; 1 << 17];
        while left > 0 {
            let wanted = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let until = deadline.min(Instant::now() + limits.stall);
            let read = read_before(stream, &mut piece[..wanted], until).map_err(|_| 408u16)?;
            if read == 0 {
                return Err(400);
            }
            target.write_all(&piece[..read]).map_err(disk)?;
            left -= read as u64;
        }
        target.flush().map_err(disk)
    }
}

fn read_before(stream: &mut TcpStream, piece: &mut [u8], deadline: Instant) -> io::Result<usize> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    loop {
        match stream.read(piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A text with `%20` and the like taken back; what is no text is shown as such.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        rest = match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                &after[2..]
            }
            _ => {
                bytes.push(*first);
                after
            }
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Option<Request>, Refusal> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn heads_are_read() {
        let text =
            "POST /a/b?name=x%20%C3%BC&z=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
        let request = parsed(text).unwrap().unwrap();
        assert_eq!((&*request.method, &*request.path, request.length), ("POST", "/a/b", 3));
        assert_eq!(request.asked("name").as_deref(), Some("x ü"));
        assert_eq!(request.header("host"), Ok(Some("h")));
        assert!(parsed("GET / HTTP/1.1\r\nHost: h").unwrap().is_none());
    }

    #[test]
    fn odd_heads_are_refused() {
        let refused = |text: &str| parsed(text).err();
        assert_eq!(refused("GET http://a/ HTTP/1.1\r\n\r\n"), Some(400));
        assert_eq!(refused("GET / HTTP/1.0\r\n\r\n"), Some(400));
        assert_eq!(refused("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), Some(501));
        let twice = "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n";
        assert_eq!(refused(twice), Some(400));
        for length in ["-1", "+1", "1e3", "99999999999999999999999"] {
            let text = format!("GET / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n");
            assert_eq!(refused(&text), Some(400), "{length}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(65));
        assert_eq!(refused(&many), Some(431));
        assert_eq!(refused("\u{1}\u{2}\r\n\r\n"), Some(400));
    }

    #[test]
    fn damaged_escapes_are_texts() {
        assert_eq!(decoded("%"), "%");
        assert_eq!(decoded("%4"), "%4");
        assert_eq!(decoded("%zz%41"), "%zzA");
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
