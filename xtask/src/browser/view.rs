//! What is wrong with one page, seen at several widths.

use super::chromium::{Chromium, Outcome};
use super::{axe, picture};
use serde_json::{Value, json};
use std::path::Path;

const LOOK: &str = include_str!("look.js");
const WIDTHS: [usize; 5] = [360, 390, 768, 1400, 1600];
/// What a reader may wish.
pub const SCHEMES: [&str; 2] = ["light", "dark"];

/// What is wrong with a file, as pairs of a view and a sentence. `pictures` is how the names of
/// pictures of the whole page begin, if they are wanted.
pub fn look(
    chromium: &mut Chromium,
    file: &Path,
    expected: &[String],
    schemes: &[&str],
    pictures: Option<&Path>,
) -> Outcome<Vec<(String, String)>> {
    let (target, session, address) = open(chromium, file)?;
    let mut found = Vec::new();
    for width in WIDTHS {
        for scheme in schemes {
            let place = format!("{width} pixels, {scheme}");
            let seen = seen(chromium, &session, (width, scheme), expected)?;
            let sentences = seen["problems"].as_array().into_iter().flatten().map(text);
            found.extend(sentences.map(|what| (place.clone(), what)));
            // Where colours are looked at, the rest is too; what it says hardly hangs on the width.
            if schemes.len() > 1 && [390, 1400].contains(&width) {
                let judged = axe::violations(chromium, &session)?;
                found.extend(judged.into_iter().map(|what| (place.clone(), what)));
            }
            let brightness = seen["brightness"].as_f64().unwrap_or(f64::NAN);
            if (brightness > 0.4) != (*scheme == "light") {
                let what = format!("the background does not follow the theme ({brightness:.2})");
                found.push((place, what));
            }
            if let Some(start) = pictures {
                let height = seen["height"].as_f64().unwrap_or(900.0);
                let file = format!("{}-{width}-{scheme}.png", start.display());
                picture::write(chromium, &session, (width, height), Path::new(&file))?;
            }
        }
    }
    chromium.call("", "Target.closeTarget", json!({ "targetId": target }))?;
    let events = chromium.events.iter().filter(|event| event["sessionId"] == *session);
    let complaints = events.filter_map(|event| complaint(event, |url| url == address));
    found.extend(complaints.map(|what| ("any view".into(), what)));
    Ok(found)
}

/// Opens a file; returns its target, session and address.
pub fn open(chromium: &mut Chromium, file: &Path) -> Outcome<(Value, String, String)> {
    let address = address(file);
    chromium.events.clear();
    let mut target = chromium.call("", "Target.createTarget", json!({ "url": "about:blank" }))?;
    let attach = json!({ "targetId": target["targetId"], "flatten": true });
    let attached = chromium.call("", "Target.attachToTarget", attach)?;
    let session = attached["sessionId"].as_str().ok_or("no session")?.to_owned();
    for part in ["Network", "Log", "Runtime", "Page"] {
        chromium.call(&session, &format!("{part}.enable"), Value::Null)?;
    }
    let opened = chromium.call(&session, "Page.navigate", json!({ "url": address }))?;
    if let Some(error) = opened.get("errorText") {
        return Err(format!("{address} cannot be opened: {error}"));
    }
    chromium.wait_for(&session, "Page.loadEventFired")?;
    Ok((target["targetId"].take(), session, address))
}

/// What the script that looks at the page says about one view of it.
pub fn seen(
    chromium: &mut Chromium,
    session: &str,
    (width, scheme): (usize, &str),
    expected: &[String],
) -> Outcome {
    let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    chromium.call(session, "Emulation.setDeviceMetricsOverride", size)?;
    let wish = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    chromium.call(session, "Emulation.setEmulatedMedia", wish)?;
    let arguments = format!("{}, {width}, {}", json!(expected), json!(scheme));
    let look = json!({ "expression": format!("({LOOK})({arguments})"), "returnByValue": true,
        "awaitPromise": true });
    let mut seen = chromium.call(session, "Runtime.evaluate", look)?;
    match seen.get("exceptionDetails") {
        Some(thrown) => Err(format!("looking at the page failed: {thrown}")),
        None => Ok(seen["result"]["value"].take()),
    }
}

/// What an event of the page has against it, if anything, where some addresses are its own.
pub fn complaint(event: &Value, is_own: impl Fn(&str) -> bool) -> Option<String> {
    let details = &event["params"];
    match event["method"].as_str()? {
        "Network.requestWillBeSent" => {
            let url = text(&details["request"]["url"]);
            (!is_own(&url) && !url.starts_with("data:")).then(|| format!("it loads {url}"))
        }
        "Log.entryAdded" => {
            let entry = &details["entry"];
            let bad = entry["level"] == "error" || entry["level"] == "warning";
            bad.then(|| format!("it logs {}", entry["text"]))
        }
        "Runtime.consoleAPICalled" => {
            let kind = text(&details["type"]);
            let bad = ["error", "warning", "assert"].contains(&kind.as_str());
            bad.then(|| format!("it logs {}", details["args"]))
        }
        "Runtime.exceptionThrown" => {
            Some(format!("a script fails: {}", details["exceptionDetails"]["text"]))
        }
        _ => None,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The address of a local file, with everything but plain characters encoded.
fn address(file: &Path) -> String {
    let path = file.to_string_lossy();
    let mut address = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_encoded() {
        assert_eq!(address(Path::new("/a b/ü#.html")), "file:///a%20b/%C3%BC%23.html");
    }

    #[test]
    fn other_files_and_warnings_are_problems() {
        let event = |method: &str, params: Value| json!({ "method": method, "params": params });
        let request =
            |url: &str| event("Network.requestWillBeSent", json!({ "request": { "url": url } }));
        let is_own = |url: &str| url == "file:///a";
        assert_eq!(complaint(&request("file:///a"), is_own), None);
        assert_eq!(complaint(&request("data:,"), is_own), None);
        assert!(complaint(&request("https://example.org/a"), is_own).is_some());
        let log = |level: &str| {
            event("Log.entryAdded", json!({ "entry": { "level": level, "text": "x" } }))
        };
        assert!(complaint(&log("warning"), is_own).is_some());
        assert_eq!(complaint(&log("info"), is_own), None);
    }
}
