//! Opens written reports in headless Chromium and says what is wrong with them.
//!
//! A report is fine if every expected picture is there and has a size, nothing but the file
//! itself is loaded, nothing is logged as a warning or an error, nothing has to be scrolled
//! sideways, no text overlaps or sticks out of a picture, all text has enough contrast, and the
//! page is light or dark as the reader wishes; at the width of a telephone, a tablet and a
//! large screen.

mod chromium;
mod picture;

use chromium::{Chromium, Outcome};
use serde_json::{Value, json};
use std::path::Path;

const LOOK: &str = include_str!("look.js");
const WIDTHS: [usize; 5] = [360, 390, 768, 1400, 1600];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// What is wrong with a report, each as a sentence; empty if nothing is. `expected` holds the
/// names of pictures that must be there, such as `features` or `test-roc`. Pictures of the whole
/// page are written into the folder, if one is given.
///
/// # Errors
/// If Chromium cannot be started or does not answer.
pub fn problems(
    file: &Path,
    expected: &[&str],
    pictures: Option<&Path>,
) -> Result<Vec<String>, String> {
    let cannot = |error| format!("cannot open {}: {error}", file.display());
    let file = file.canonicalize().map_err(cannot)?;
    let mut chromium = Chromium::start()?;
    let mut found = Vec::new();
    for width in WIDTHS {
        for scheme in SCHEMES {
            let view = View { address: address(&file), width, scheme };
            let seen = view.open(&mut chromium, expected, pictures)?;
            let places = seen.into_iter().map(|what| format!("{width} pixels, {scheme}: {what}"));
            found.extend(places);
        }
    }
    Ok(found)
}

struct View {
    address: String,
    width: usize,
    scheme: &'static str,
}

impl View {
    fn open(
        &self,
        chromium: &mut Chromium,
        expected: &[&str],
        pictures: Option<&Path>,
    ) -> Outcome<Vec<String>> {
        chromium.events.clear();
        let target = chromium.call("", "Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = chromium.call("", "Target.attachToTarget", attach)?;
        let session = attached["sessionId"].as_str().ok_or("no session")?.to_owned();
        for part in ["Network", "Log", "Runtime", "Page"] {
            chromium.call(&session, &format!("{part}.enable"), Value::Null)?;
        }
        let size = json!({ "width": self.width, "height": 900, "deviceScaleFactor": 1,
            "mobile": false });
        chromium.call(&session, "Emulation.setDeviceMetricsOverride", size)?;
        let scheme = json!({ "features": [
            { "name": "prefers-color-scheme", "value": self.scheme } ] });
        chromium.call(&session, "Emulation.setEmulatedMedia", scheme)?;
        let opened = chromium.call(&session, "Page.navigate", json!({ "url": self.address }))?;
        if let Some(error) = opened.get("errorText") {
            return Err(format!("{} cannot be opened: {error}", self.address));
        }
        chromium.wait_for(&session, "Page.loadEventFired")?;

        let look = json!({ "expression": format!("({LOOK})({})", json!(expected)),
            "returnByValue": true });
        let seen = chromium.call(&session, "Runtime.evaluate", look)?;
        if let Some(thrown) = seen.get("exceptionDetails") {
            return Err(format!("looking at the page failed: {thrown}"));
        }
        let seen = &seen["result"]["value"];
        let mut problems: Vec<String> =
            seen["problems"].as_array().into_iter().flatten().map(text).collect();
        let brightness = seen["brightness"].as_f64().unwrap_or(f64::NAN);
        if (brightness > 0.4) != (self.scheme == "light") {
            problems.push(format!("the background does not follow the theme ({brightness:.2})"));
        }
        if let Some(folder) = pictures {
            let height = seen["height"].as_f64().unwrap_or(900.0);
            let name = Path::new(&self.address).file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{name}-{}-{}.png", self.width, self.scheme);
            picture::write(chromium, &session, (self.width, height), &folder.join(name))?;
        }
        chromium.call("", "Target.closeTarget", json!({ "targetId": target["targetId"] }))?;
        let events = chromium.events.iter().filter(|event| event["sessionId"] == *session);
        problems.extend(events.filter_map(|event| complaint(event, &self.address)));
        Ok(problems)
    }
}

/// What an event of the page has against it, if anything.
fn complaint(event: &Value, address: &str) -> Option<String> {
    let details = &event["params"];
    match event["method"].as_str()? {
        "Network.requestWillBeSent" => {
            let url = text(&details["request"]["url"]);
            (url != address && !url.starts_with("data:")).then(|| format!("it loads {url}"))
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
        assert_eq!(complaint(&request("file:///a"), "file:///a"), None);
        assert_eq!(complaint(&request("data:,"), "file:///a"), None);
        assert!(complaint(&request("https://example.org/a"), "file:///a").is_some());
        let log = |level: &str| {
            event("Log.entryAdded", json!({ "entry": { "level": level, "text": "x" } }))
        };
        assert!(complaint(&log("warning"), "").is_some());
        assert_eq!(complaint(&log("info"), ""), None);
    }
}
