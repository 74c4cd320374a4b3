//! Who may ask.

use crate::request::{Refusal, Request};
use std::io;

/// A secret of 128 bits in 32 digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub(crate) fn same(a: &str, b: &str) -> bool {
    let different = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && different == 0
}

/// What a request asks for beyond the secret, if it may ask at all.
///
/// `Host` must be this very server by its loopback name: a foreign name that was pointed at this machine
/// is not. What changes anything must name our own page as its origin, and no request may come from
/// another site, except for the opening of the page itself.
pub(crate) fn admitted<'a>(
    request: &'a Request,
    secret: &str,
    port: u16,
) -> Result<&'a str, Refusal> {
    let host = request.header("host")?.ok_or(400u16)?;
    if host != format!("127.0.0.1:{port}") && host != format!("localhost:{port}") {
        return Err(403);
    }
    let rest = request.path.strip_prefix('/').ok_or(400u16)?;
    let (given, rest) = rest.split_once('/').unwrap_or((rest, ""));
    if !same(given, secret) {
        return Err(403);
    }
    let own = format!("http://{host}");
    let opening = request.method == "GET" && rest.is_empty();
    match request.header("origin")? {
        Some(origin) if origin != own => return Err(403),
        None if request.method != "GET" => return Err(403),
        _ => {}
    }
    match request.header("sec-fetch-site")? {
        None | Some("same-origin" | "none") => {}
        Some(_) if opening && request.header("sec-fetch-mode")? == Some("navigate") => {}
        Some(_) => return Err(403),
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str, headers: &str) -> Result<String, Refusal> {
        let text = format!("{line} HTTP/1.1\r\n{headers}\r\n");
        let request = Request::parse(text.as_bytes()).unwrap().unwrap();
        admitted(&request, "secret", 80).map(String::from)
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let host = "Host: 127.0.0.1:80\r\n";
        assert_eq!(asked("GET /secret/state", host), Ok("state".into()));
        assert_eq!(asked("GET /secret", host), Ok("".into()));
        assert_eq!(asked("GET /secret/state", "Host: localhost:80\r\n"), Ok("state".into()));
        for wrong in [
            "GET /",
            "GET /state",
            "GET /secre/state",
            "GET /secret2/",
            "GET //secret/",
            "GET /../secret/",
        ] {
            assert_eq!(asked(wrong, host), Err(403), "{wrong}");
        }
        for wrong in [
            "evil.example:80",
            "127.0.0.1",
            "127.0.0.1:81",
            "127.0.0.1.evil.example:80",
            "LOCALHOST:80",
        ] {
            let host = format!("Host: {wrong}\r\n");
            assert_eq!(asked("GET /secret/", &host), Err(403), "{wrong}");
        }
        assert_eq!(asked("GET /secret/", ""), Err(400));
        let with = |more: &str| format!("{host}{more}\r\n");
        let own = with("Origin: http://127.0.0.1:80");
        assert_eq!(asked("POST /secret/tables", &own), Ok("tables".into()));
        assert_eq!(asked("POST /secret/tables", host), Err(403));
        for wrong in ["null", "http://evil.example", "https://127.0.0.1:80", "http://127.0.0.1:81"]
        {
            let headers = with(&format!("Origin: {wrong}"));
            assert_eq!(asked("POST /secret/tables", &headers), Err(403), "{wrong}");
            assert_eq!(asked("GET /secret/state", &headers), Err(403), "{wrong}");
        }
        let foreign = with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate");
        assert_eq!(asked("GET /secret/", &foreign), Ok("".into()));
        assert_eq!(asked("GET /secret/state", &foreign), Err(403));
        assert_eq!(asked("GET /secret/state", &with("Sec-Fetch-Site: same-site")), Err(403));
    }

    #[test]
    fn secrets_differ() {
        let (a, b) = (secret().unwrap(), secret().unwrap());
        assert!(
            a != b && a.len() == 32 && same(&a, &a.clone()) && !same(&a, &b) && !same(&a, &a[1..])
        );
    }
}
