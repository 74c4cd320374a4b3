//! Answers, each with the headers that keep a browser strict.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;

/// What the page itself may do: load and ask what comes from here, and nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/// What a report may do: be looked at, within our page.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; \
     base-uri 'none'; frame-ancestors 'self'";

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Page,
    Script,
    Style,
    Json,
    Report,
    Text,
    Bytes,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Page | Kind::Report => "text/html; charset=utf-8",
            Kind::Script => "text/javascript; charset=utf-8",
            Kind::Style => "text/css; charset=utf-8",
            Kind::Json => "application/json",
            Kind::Text => "text/plain; charset=utf-8",
            Kind::Bytes => "application/octet-stream",
        }
    }
}

/// An answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Whether the server ends with it.
    pub(crate) last: bool,
    kind: Kind,
    body: Body,
    /// Further header lines.
    more: String,
}

enum Body {
    Bytes(Vec<u8>),
    /// So many bytes of a file.
    File(File, u64),
}

impl Response {
    /// Nothing but a status: strangers learn nothing.
    pub(crate) fn bare(status: u16) -> Self {
        Self {
            status,
            last: false,
            kind: Kind::Text,
            body: Body::Bytes(Vec::new()),
            more: String::new(),
        }
    }

    pub(crate) fn ok(kind: Kind, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, last: false, kind, body: Body::Bytes(body.into()), more: String::new() }
    }

    /// The same as the last answer there is.
    pub(crate) fn and_end(self) -> Self {
        Self { last: true, ..self }
    }

    /// A sentence for the user.
    pub(crate) fn sentence(status: u16, text: &str) -> Self {
        let body = serde_json::json!({ "error": text }).to_string();
        Self { status, ..Self::ok(Kind::Json, body) }
    }

    pub(crate) fn redirect(path: &str) -> Self {
        Self { more: format!("Location: {path}\r\n"), ..Self::bare(303) }
    }

    /// At most so many bytes of a file; under a name, if it is to be saved. The name consists of harmless
    /// characters.
    pub(crate) fn file(
        kind: Kind,
        file: File,
        most: u64,
        save_as: Option<&str>,
    ) -> io::Result<Self> {
        let length = file.metadata()?.len().min(most);
        let plain = |name: &str| -> String {
            name.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect()
        };
        let more = save_as.map_or_else(String::new, |name| {
            let (plain, exact) = (plain(name), encoded(name));
            format!("Content-Disposition: attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}\r\n")
        });
        Ok(Self { status: 200, last: false, kind, body: Body::File(file, length), more })
    }

    /// Writes it; the connection ends with it.
    pub(crate) fn write(self, stream: &mut TcpStream) -> io::Result<()> {
        let length = match &self.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::File(_, length) => *length,
        };
        let policy = if self.kind == Kind::Report { REPORT_POLICY } else { PAGE_POLICY };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {length}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nContent-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n{}\r\n",
            self.status,
            reason(self.status),
            self.kind.name(),
            self.more
        );
        stream.write_all(head.as_bytes())?;
        match self.body {
            Body::Bytes(bytes) => stream.write_all(&bytes)?,
            Body::File(file, length) => {
                io::copy(&mut file.take(length), stream)?;
            }
        }
        stream.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        507 => "Insufficient Storage",
        _ => "Error",
    }
}

/// Everything but plain characters encoded.
fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}
