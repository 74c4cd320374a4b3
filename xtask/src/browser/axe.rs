//! axe-core, the usual judge of accessibility, where npm can get it.

use super::chromium::{Chromium, Outcome};
use crate::step::scratch;
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

static SOURCE: OnceLock<Option<String>> = OnceLock::new();

/// The script, fetched once; without npm or its registry nothing, which is said.
fn source() -> Option<&'static str> {
    let source = SOURCE.get_or_init(|| {
        let folder = scratch("axe").ok()?;
        let file = folder.join("node_modules/axe-core/axe.min.js");
        if !file.is_file() {
            let mut npm = Command::new("npm");
            npm.args(["install", "--no-save", "--no-audit", "--no-fund", "axe-core@4"]);
            npm.current_dir(&folder)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let _ = npm.status();
        }
        let source = std::fs::read_to_string(&file).ok();
        if source.is_none() {
            println!(
                "axe-core cannot be had from npm: accessibility is checked by our own rules only"
            );
        }
        source
    });
    source.as_deref()
}

/// Whether pages can be judged.
pub fn is_there() -> bool {
    source().is_some()
}

/// What it has against the page of a session, one sentence for each rule.
pub fn violations(chromium: &mut Chromium, session: &str) -> Outcome<Vec<String>> {
    let Some(source) = source() else { return Ok(Vec::new()) };
    let loaded = evaluate(chromium, session, "typeof axe")?;
    if loaded != "object" {
        evaluate(chromium, session, source)?;
    }
    // Frames are pages of their own.
    let run = "axe.run(document, { iframes: false, resultTypes: ['violations'] }).then((found) => \
               found.violations.map((rule) => `axe: ${rule.id}: ${rule.help} (${rule.nodes.length} times, as \
               ${rule.nodes[0].html.slice(0, 120)})`))";
    let found = evaluate(chromium, session, run)?;
    let sentences = found.as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(sentences.map(String::from).collect())
}

/// The value of an expression within a page.
pub fn evaluate(chromium: &mut Chromium, session: &str, expression: &str) -> Outcome {
    let wish = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
    let mut answer = chromium.call(session, "Runtime.evaluate", wish)?;
    match answer.get("exceptionDetails") {
        Some(thrown) => Err(format!("a script within the page failed: {thrown}")),
        None => Ok(answer["result"]["value"].take()),
    }
}
