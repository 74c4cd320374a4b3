//! What strangers and careless clients try, over plain connections.

use crate::{App, Limits, Options};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

struct Place {
    app: App,
    parent: TempDir,
    port: u16,
    secret: String,
}

/// What came back.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Place {
    fn new(limits: Limits) -> Self {
        let parent = tempfile::tempdir().unwrap();
        let app = App::start(Options {
            // Nothing here needs a program; steps fail at once.
            program: parent.path().join("none"),
            port: 0,
            parent: parent.path().into(),
            version: "test".into(),
            formats: "CSV".into(),
            limits,
        });
        let app = app.unwrap();
        let address = app.address();
        let mut parts = address.trim_start_matches("http://127.0.0.1:").split('/');
        let port = parts.next().unwrap().parse().unwrap();
        let secret = parts.next().unwrap().to_owned();
        Self { app, parent, port, secret }
    }

    fn usual() -> Self {
        Self::new(Limits::default())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are; nothing came back if the connection was simply closed.
    fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // The server may have said no before all is sent.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        answer(stream)
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn get(&self, path: &str) -> Answer {
        let head = format!("GET /{}/{path} HTTP/1.1\r\n{}\r\n", self.secret, self.host());
        self.raw(head.as_bytes()).unwrap()
    }

    fn post_head(&self, path: &str, length: u64) -> String {
        let (host, port, secret) = (self.host(), self.port, &self.secret);
        let origin = format!("Origin: http://127.0.0.1:{port}\r\n");
        format!("POST /{secret}/{path} HTTP/1.1\r\n{host}{origin}Content-Length: {length}\r\n\r\n")
    }

    fn post(&self, path: &str, body: &str) -> Answer {
        self.raw((self.post_head(path, body.len() as u64) + body).as_bytes()).unwrap()
    }

    fn state(&self) -> Value {
        serde_json::from_str(&self.get("state").body).unwrap()
    }

    /// Folders of tables and results.
    fn parts(&self) -> usize {
        let is_part = |entry: &std::fs::DirEntry| entry.path().is_dir();
        std::fs::read_dir(self.app.folder()).unwrap().flatten().filter(is_part).count()
    }
}

fn answer(mut stream: TcpStream) -> Option<Answer> {
    let mut bytes = Vec::new();
    // A connection that was reset has said what it had to say.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head: head.into(), body: body.into() })
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

#[test]
fn strangers_learn_nothing() {
    let place = Place::usual();
    let (host, port, secret) = (place.host(), place.port, place.secret.clone());
    assert_eq!(place.post("tables?name=a.csv", "x,y\n1,2\n").status, 200);
    let own = format!("Origin: http://127.0.0.1:{port}\r\n");
    let mut tried = Vec::new();
    // Without the secret, or with another.
    for path in [
        "",
        "state",
        "app.js",
        "open/",
        "open/0123",
        "index.html",
        "favicon.ico",
        "tables/1/columns",
    ] {
        tried.push(format!("GET /{path} HTTP/1.1\r\n{host}\r\n"));
        tried.push(format!("GET /{}/{path} HTTP/1.1\r\n{host}\r\n", "0".repeat(32)));
        tried.push(format!("GET /{}/{path} HTTP/1.1\r\n{host}\r\n", secret.to_uppercase() + "a"));
    }
    // Names that were pointed here.
    for name in
        ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "[::1]", "0.0.0.0", ""]
    {
        tried.push(format!("GET /{secret}/state HTTP/1.1\r\nHost: {name}\r\n\r\n"));
    }
    tried.push(format!("GET /{secret}/state HTTP/1.1\r\n\r\n"));
    tried.push(format!("GET /{secret}/state HTTP/1.1\r\n{host}Host: evil.example\r\n\r\n"));
    tried.push(format!("GET http://127.0.0.1:{port}/{secret}/state HTTP/1.1\r\n{host}\r\n"));
    // Pages of others.
    for origin in
        ["https://evil.example", "null", "http://localhost:1", "file://", "http://127.0.0.1"]
    {
        tried.push(format!("GET /{secret}/state HTTP/1.1\r\n{host}Origin: {origin}\r\n\r\n"));
        tried.push(format!("POST /{secret}/end HTTP/1.1\r\n{host}Origin: {origin}\r\n\r\n"));
        let length = "Content-Length: 8";
        tried.push(format!(
            "POST /{secret}/tables HTTP/1.1\r\n{host}Origin: {origin}\r\n{length}\r\n\r\nx,y\n1,2\n"
        ));
    }
    tried.push(format!("POST /{secret}/end HTTP/1.1\r\n{host}\r\n"));
    tried.push(format!("GET /{secret}/state HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n\r\n"));
    // Other ways to ask, and no way at all.
    for method in ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT"] {
        tried.push(format!("{method} /{secret}/state HTTP/1.1\r\n{host}{own}\r\n"));
    }
    tried.push(format!(
        "POST /{secret}/tables HTTP/1.1\r\n{host}{own}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ));
    tried.push(format!("GET /{secret}/state HTTP/1.1\r\n{host}X: {}\r\n\r\n", "a".repeat(100_000)));
    tried.push("\u{16}\u{3}\u{1}\u{2}\0\u{1}".into());
    let mut refused = 0;
    for text in &tried {
        if let Some(Answer { status, head, body }) = place.raw(text.as_bytes()) {
            let shown: String = text.chars().take(120).collect();
            assert!((400..600).contains(&status), "{status} for {shown}");
            assert!(body.is_empty() && !head.contains(&secret), "{shown}");
        }
        refused += 1;
    }
    assert_eq!(refused, tried.len());
    assert_eq!(place.parts(), 1, "only what we sent ourselves");
    assert_eq!(place.state()["tables"].as_array().unwrap().len(), 1);
}

#[test]
fn paths_lead_nowhere() {
    let place = Place::usual();
    assert_eq!(place.post("tables?name=..%2F..%2Fetc%2Fpasswd", "x,y\n1,2\n").status, 200);
    let asked = r#"{"table":1,"label":"y","test":false,"price":false}"#;
    assert_eq!(place.post("results", asked).status, 200);
    assert_eq!(place.state()["tables"][0]["name"], "passwd");
    let names = [
        "../lock",
        "..%2flock",
        "%2e%2e/lock",
        "..\\lock",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "passwd",
        "said-fit.json",
        "model.json",
        "report.html",
        ".",
        "..",
        "",
        "%00",
        "report.html%00.csv",
        "report.html/../../lock",
        "....//lock",
    ];
    for name in names {
        let answer = place.get(&format!("results/2/files/{name}"));
        assert_eq!(answer.status, 404, "{name}");
    }
    for path in [
        "tables/../lock",
        "tables/1/../../lock",
        "tables/1/passwd",
        "results/2",
        "results/-1/files/x",
        "results/99999999999999999999/files/report.html",
        "../state",
        "./state",
        "state/",
        "//state",
    ] {
        assert_eq!(place.get(path).status, 404, "{path}");
    }
    for body in ["", "{", "[]", r#"{"table":1}"#, r#"{"table":"1","label":"y","test":1,"price":0}"#]
    {
        assert_eq!(place.post("results", body).status, 400, "{body}");
    }
    for methods in [r#"["a"]"#, r#"["a","b c"]"#, r#"["a",""]"#, r#"["a","b,c"]"#] {
        let answer = place.post("results/2/compare", &format!(r#"{{"methods":{methods}}}"#));
        assert_eq!(answer.status, 400, "{methods}");
    }
}

#[test]
fn uploads_are_bounded_and_leave_nothing() {
    let stall = Duration::from_millis(150);
    let limits =
        Limits { table_bytes: 1000, all_bytes: 1500, tables: 2, stall, ..Limits::default() };
    let place = Place::new(limits);
    let send = |length: u64, sent: &str, closed: bool| {
        let mut stream = place.connect();
        stream.write_all((place.post_head("tables?name=t.csv", length) + sent).as_bytes()).unwrap();
        if closed {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        answer(stream).map(|answer| answer.status)
    };
    assert_eq!(send(1001, "", false), Some(413));
    assert_eq!(send(u64::MAX, "", false), Some(413));
    assert_eq!(send(0, "", false), Some(400));
    assert_eq!(send(500, "x,y\n", false), Some(408), "it stalls");
    assert_eq!(send(500, "x,y\n", true), Some(400), "it breaks off");
    assert_eq!(place.parts(), 0);
    let text = "x,y\n1,2\n".repeat(100);
    assert_eq!(send(800, &text, false), Some(200));
    assert_eq!(send(800, &text, false), Some(413), "there is room for one only");
    assert_eq!(send(80, &text, false), Some(200), "what was not announced is not looked at");
    assert_eq!(send(8, "x,y\n1,2\n", false), Some(409), "there are two tables already");
    assert_eq!(place.parts(), 2);
    assert_eq!(place.post("tables/999/remove", "").status, 404);
    let first = place.state()["tables"][0]["id"].clone();
    assert_eq!(place.post(&format!("tables/{first}/remove"), "").status, 200);
    assert_eq!(send(800, &text, false), Some(200), "room was given back");
    let mut stream = place.connect();
    stream.write_all(place.post_head("results", 1 << 40).as_bytes()).unwrap();
    assert_eq!(answer(stream).unwrap().status, 413);
}

#[test]
fn a_hundred_connections_pass_by() {
    let head_time = Duration::from_millis(200);
    let place = Place::new(Limits { connections: 8, head_time, ..Limits::default() });
    let mut idle: Vec<TcpStream> = (0..100).map(|_| place.connect()).collect();
    for (at, stream) in idle.iter_mut().enumerate() {
        // Some say half a word. Those that were closed at once may refuse it.
        let _ = stream.write_all(&b"GET / HTTP/1.1\r\nHo"[..at % 18]);
    }
    // Every one of them is closed by the server, with a bare refusal or without a word.
    for stream in idle {
        if let Some(refused) = answer(stream) {
            assert!(refused.status >= 400 && refused.body.is_empty());
        }
    }
    let text = format!("GET /{}/state HTTP/1.1\r\n{}\r\n", place.secret, place.host());
    let answered = (0..600).any(|_| {
        let found = place.raw(text.as_bytes()).is_some_and(|answer| answer.status == 200);
        if !found {
            std::thread::sleep(Duration::from_millis(50));
        }
        found
    });
    assert!(answered);
}

#[test]
fn names_stay_text() {
    let place = Place::usual();
    let name = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%0D%0ASet-Cookie:%20a=b.csv";
    assert_eq!(place.post(&format!("tables?name={name}"), "x,y\n1,2\n").status, 200);
    let state = place.get("state");
    assert!(!state.body.contains('<') && !state.head.contains("Set-Cookie"));
    let page = place.get("");
    assert!(
        page.head.contains("script-src 'self'") && page.head.contains("frame-ancestors 'none'")
    );
    assert!(
        page.head.contains("nosniff")
            && page.head.contains("no-store")
            && page.head.contains("no-referrer")
    );
    assert!(!page.body.contains(&place.secret));
    for foreign in ["http:", "https:", "//"] {
        let loads = |text: &str| {
            text.contains(&format!("src=\"{foreign}"))
                || text.contains(&format!("href=\"{foreign}"))
        };
        assert!(!loads(&page.body), "{foreign}");
    }
}

#[test]
fn a_ticket_opens_once() {
    let place = Place::usual();
    let path = place.app.address_for_once().split_once("/open/").unwrap().1.to_owned();
    let ask = |host: &str| {
        place.raw(format!("GET /open/{path} HTTP/1.1\r\n{host}\r\n").as_bytes()).unwrap()
    };
    assert_eq!(ask("Host: evil.example\r\n").status, 403);
    let first = ask(&place.host());
    assert!(first.status == 303 && first.head.contains(&format!("Location: /{}/", place.secret)));
    assert_eq!(ask(&place.host()).status, 403);
}

#[test]
fn the_last_page_takes_everything_along() {
    let place = Place::new(Limits { grace: Duration::ZERO, ..Limits::default() });
    assert_eq!(place.post("tables?name=a.csv", "x,y\n1,2\n").status, 200);
    assert_eq!(place.get("state?page=one").status, 200);
    assert_eq!(place.get("state?page=two").status, 200);
    assert_eq!(place.post("leave?page=one", "").status, 200);
    assert_eq!(place.get("state?page=two").status, 200, "the other is still there");
    assert_eq!(place.post("leave?page=two", "").status, 200);
    place.app.wait();
    assert!(is_empty(place.parent.path()));
}
