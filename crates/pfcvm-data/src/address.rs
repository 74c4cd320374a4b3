//! Which addresses are asked for files.
//!
//! Checksums make any server good enough for the bytes, but plain http tells everybody on the way
//! what is fetched and lets them answer; it is used on the machine itself only.

use crate::Error;
use ureq::http::Uri;

/// The address, if it is one to fetch from.
pub(crate) fn checked(address: &str) -> Result<Uri, Error> {
    let bad = |problem| Error::BadAddress { address: address.into(), problem };
    let uri: Uri = address.parse().map_err(|_| bad("it is not an address"))?;
    match problem(&uri, true) {
        Some(problem) => Err(bad(problem)),
        None => Ok(uri),
    }
}

/// Where a redirect leads to, if we go there.
pub(crate) fn redirected(from: &Uri, location: &str) -> Result<Uri, Error> {
    let refused =
        |problem| Error::Redirect { from: from.to_string(), to: location.into(), problem };
    let place = location.split('#').next().unwrap_or_default();
    let uri: Uri = absolute(from, place).parse().map_err(|_| refused("it is not an address"))?;
    // A server elsewhere has no business with this machine's own servers.
    match problem(&uri, is_loopback(from)) {
        Some(problem) => Err(refused(problem)),
        None => Ok(uri),
    }
}

/// Whether the address is one of this machine.
pub(crate) fn is_loopback(uri: &Uri) -> bool {
    matches!(uri.host(), Some("127.0.0.1" | "localhost" | "[::1]"))
}

fn absolute(from: &Uri, place: &str) -> String {
    let scheme = from.scheme_str().unwrap_or_default();
    let authority = from.authority().map_or("", |authority| authority.as_str());
    if place.contains("://") {
        place.into()
    } else if place.starts_with("//") {
        format!("{scheme}:{place}")
    } else if place.starts_with('/') {
        format!("{scheme}://{authority}{place}")
    } else {
        let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{place}")
    }
}

fn problem(uri: &Uri, loopback_allowed: bool) -> Option<&'static str> {
    let loopback = is_loopback(uri);
    match (uri.scheme_str(), uri.host()) {
        _ if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) => {
            Some("names and passwords in addresses are not supported")
        }
        (Some("http" | "https"), Some(_)) if loopback && !loopback_allowed => {
            Some("it is an address of this machine")
        }
        (Some("https"), Some(host)) if !host.is_empty() => None,
        (Some("http"), Some(_)) if loopback => None,
        _ => Some("only https addresses are used"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_and_this_machine_are_asked_and_nobody_else() {
        for good in ["https://example.org/a", "http://127.0.0.1:8000", "http://localhost/x"] {
            assert!(checked(good).is_ok(), "{good}");
        }
        for bad in [
            "http://example.org/a",
            "ftp://example.org/a",
            "file:///etc/passwd",
            "example.org",
            "/a",
            "",
            "http://127.0.0.1@example.org/",
            "https://name:word@example.org/",
            "http://127.0.0.1.example.org/",
        ] {
            assert!(matches!(checked(bad), Err(Error::BadAddress { .. })), "{bad}");
        }
    }

    #[test]
    fn redirects_are_followed_to_https_only() {
        let from = checked("https://example.org/a/b?c").unwrap();
        let to = |place: &str| redirected(&from, place).map(|uri| uri.to_string());
        assert_eq!(to("https://other.org/x#part").unwrap(), "https://other.org/x");
        assert_eq!(to("//other.org/x").unwrap(), "https://other.org/x");
        assert_eq!(to("/x").unwrap(), "https://example.org/x");
        assert_eq!(to("x").unwrap(), "https://example.org/a/x");
        for bad in ["http://example.org/x", "http://127.0.0.1/x", "https://localhost/x"] {
            assert!(matches!(to(bad), Err(Error::Redirect { .. })), "{bad}");
        }
        let local = checked("http://127.0.0.1:8000/a").unwrap();
        assert!(redirected(&local, "http://localhost:9000/b").is_ok());
        assert!(redirected(&local, "http://example.org/b").is_err());
    }
}
