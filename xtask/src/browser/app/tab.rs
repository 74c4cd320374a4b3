//! One tab of Chromium, with hands.

use super::PATIENCE;
use crate::browser::chromium::{Chromium, Outcome};
use crate::browser::{axe, picture, view};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// A telephone, a tablet, a large screen.
const WIDTHS: [usize; 3] = [360, 768, 1400];

/// An open page.
pub struct Tab<'a> {
    chromium: &'a mut Chromium,
    target: Value,
    session: String,
}

impl<'a> Tab<'a> {
    /// Opens an address.
    pub fn open(chromium: &'a mut Chromium, address: &str) -> Outcome<Self> {
        let target = chromium.call("", "Target.createTarget", json!({ "url": "about:blank" }))?;
        let target = target["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = chromium.call("", "Target.attachToTarget", attach)?;
        let session = attached["sessionId"].as_str().ok_or("no session")?.to_owned();
        for part in ["Network", "Log", "Runtime", "Page", "DOM"] {
            chromium.call(&session, &format!("{part}.enable"), Value::Null)?;
        }
        chromium.call(&session, "Page.navigate", json!({ "url": address }))?;
        chromium.wait_for(&session, "Page.loadEventFired")?;
        let mut tab = Self { chromium, target, session };
        tab.resize(1400)?;
        Ok(tab)
    }

    /// For another tab, while this one waits.
    pub fn chromium(&mut self) -> &mut Chromium {
        self.chromium
    }

    /// Brings the tab back to the front.
    pub fn again(self) -> Outcome<Self> {
        self.chromium.call("", "Target.activateTarget", json!({ "targetId": self.target }))?;
        Ok(self)
    }

    pub fn close(self) -> Outcome<()> {
        self.chromium.call("", "Target.closeTarget", json!({ "targetId": self.target })).map(|_| ())
    }

    pub fn evaluate(&mut self, expression: &str) -> Outcome {
        axe::evaluate(self.chromium, &self.session, expression)
    }

    /// Waits until something holds.
    pub fn until(&mut self, expression: &str) -> Outcome<()> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if self.evaluate(&format!("Boolean({expression})"))? == true {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let seen = self.evaluate("document.querySelector('main').innerText.slice(0, 600)")?;
        let frames = "JSON.stringify([...document.querySelectorAll('iframe')].map((one) => \
                      [one.src, one.style.height, one.contentDocument?.body?.innerText.slice(0, 200)]))";
        let frames = self.evaluate(frames)?;
        let also = self.complaints("http://127.0.0.1:").join("; ");
        Err(format!(
            "pfcvm app: it never holds that {expression}; the page says {seen} {frames} {also}"
        ))
    }

    pub fn click(&mut self, selector: &str) -> Outcome<()> {
        self.until(&format!("document.querySelector({})", json!(selector)))?;
        self.evaluate(&format!("document.querySelector({}).click()", json!(selector))).map(|_| ())
    }

    pub fn press(&mut self, key: &str) -> Outcome<()> {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key });
            self.chromium.call(&self.session, "Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// What a user does in the system's own window for files.
    pub fn choose(&mut self, selector: &str, file: &Path) -> Outcome<()> {
        self.until(&format!("document.querySelector({})", json!(selector)))?;
        let wish = json!({ "expression": format!("document.querySelector({})", json!(selector)) });
        let found = self.chromium.call(&self.session, "Runtime.evaluate", wish)?;
        let set = json!({ "files": [file], "objectId": found["result"]["objectId"] });
        self.chromium.call(&self.session, "DOM.setFileInputFiles", set).map(|_| ())
    }

    /// Drops a file on an element.
    pub fn drop(&mut self, selector: &str, file: &Path) -> Outcome<()> {
        self.until(&format!(
            "document.querySelector({})?.getBoundingClientRect().height > 0",
            json!(selector)
        ))?;
        let middle = format!(
            "(() => {{ const b = document.querySelector({}).getBoundingClientRect(); \
             return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        );
        let middle = self.evaluate(&middle)?;
        for kind in ["dragEnter", "dragOver", "drop"] {
            let data = json!({ "items": [], "files": [file], "dragOperationsMask": 1 });
            let event = json!({ "type": kind, "x": middle[0], "y": middle[1], "data": data });
            self.chromium.call(&self.session, "Input.dispatchDragEvent", event)?;
        }
        Ok(())
    }

    fn resize(&mut self, width: usize) -> Outcome<()> {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.chromium.call(&self.session, "Emulation.setDeviceMetricsOverride", size).map(|_| ())
    }

    /// What is wrong with the page as it is now, in three widths and both themes.
    pub fn look(&mut self, name: &str, pictures: Option<&Path>) -> Outcome<Vec<String>> {
        let mut found = Vec::new();
        for width in WIDTHS {
            for scheme in view::SCHEMES {
                let seen = view::seen(self.chromium, &self.session, (width, scheme), &[])?;
                let mut sentences: Vec<String> = seen["problems"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|what| what.as_str().map(String::from))
                    .collect();
                if width != 768 {
                    sentences.extend(axe::violations(self.chromium, &self.session)?);
                }
                found.extend(
                    sentences.into_iter().map(|what| format!("{what} ({width}, {scheme})")),
                );
                if let Some(folder) = pictures {
                    let file = folder.join(format!("{name}-{width}-{scheme}.png"));
                    let height = seen["height"].as_f64().unwrap_or(900.0);
                    picture::write(self.chromium, &self.session, (width, height), &file)?;
                }
            }
        }
        self.resize(1400)?;
        Ok(found)
    }

    /// What the tab has loaded from elsewhere, logged as an error, or failed at.
    pub fn complaints(&mut self, address: &str) -> Vec<String> {
        let origin = address.split('/').take(3).collect::<Vec<_>>().join("/");
        let own = |event: &&Value| event["sessionId"] == *self.session;
        let complaint = |event: &Value| view::complaint(event, |url| url.starts_with(&origin));
        self.chromium.events.iter().filter(own).filter_map(complaint).collect()
    }
}
