//! A picture of a page or of a part of it, for the eye.

use super::chromium::{Chromium, Outcome};
use super::view;
use serde_json::{Value, json};
use std::path::Path;

/// Chromium gives up on pictures much higher than this.
const HIGHEST: f64 = 12_000.0;

/// Pixels around a part of a page.
const MARGIN: usize = 12;

/// Writes the open page of a session as a PNG file.
pub fn write(
    chromium: &mut Chromium,
    session: &str,
    (width, height): (usize, f64),
    file: &Path,
) -> Outcome<()> {
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": height.min(HIGHEST), "scale": 1 });
    clipped(chromium, session, clip, file)
}

/// Writes a part of a file, light, as it is at a width: what a selector such as `#features` finds, or so
/// many pixels of its top.
pub fn part(
    chromium: &mut Chromium,
    page: &Path,
    (width, part): (usize, &str),
    file: &Path,
) -> Outcome<()> {
    let (_, session, _) = view::open(chromium, page)?;
    view::seen(chromium, &session, (width, "light"), &[])?;
    let clip = match part.parse::<usize>() {
        Ok(height) => json!({ "x": 0, "y": 0, "width": width, "height": height, "scale": 1 }),
        Err(_) => {
            let place = format!(
                "(({{x, y, width, height}}) => ({{x: x - {MARGIN}, y: y + scrollY - {MARGIN}, \
                 width: width + 2 * {MARGIN}, height: height + 2 * {MARGIN}, scale: 1}}))\
                 (document.querySelector({}).getBoundingClientRect())",
                json!(part)
            );
            let ask = json!({ "expression": place, "returnByValue": true });
            let mut found = chromium.call(&session, "Runtime.evaluate", ask)?;
            found["result"]["value"].take()
        }
    };
    if clip.is_null() {
        return Err(format!("{}: {part} is not there", page.display()));
    }
    clipped(chromium, &session, clip, file)
}

fn clipped(chromium: &mut Chromium, session: &str, clip: Value, file: &Path) -> Outcome<()> {
    let wish = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
    let shot = chromium.call(session, "Page.captureScreenshot", wish)?;
    let bytes = decoded(shot["data"].as_str().unwrap_or_default());
    std::fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Bytes from base64; what is not part of its alphabet ends them.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(u32::from(c - b'A')),
        b'a'..=b'z' => Some(u32::from(c - b'a') + 26),
        b'0'..=b'9' => Some(u32::from(c - b'0') + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u32> = text.bytes().map_while(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let whole = (0..4).fold(0, |sum, at| (sum << 6) | group.get(at).copied().unwrap_or(0));
        bytes.extend_from_slice(&whole.to_be_bytes()[1..group.len()]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_by_hand() {
        assert_eq!(decoded("cGZjdm0="), b"pfcvm");
        assert_eq!(decoded("/+8A"), [0xff, 0xef, 0x00]);
        assert_eq!(decoded(""), b"");
    }
}
