//! Bars on a terminal; nothing in a pipe.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar over bytes read, or a counter where their number is not known.
pub fn reading(what: &str, bytes: Option<u64>) -> ProgressBar {
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{msg} {bar:30.cyan/dim} {percent}% of {total_bytes}, {bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {msg} {bytes}, {bytes_per_sec}"),
    };
    styled(bar, template).with_message(what.to_string())
}

/// A line that follows the iterations of a fit.
pub fn fitting() -> ProgressBar {
    let line = styled(ProgressBar::new_spinner(), "{spinner} {msg} ({elapsed})");
    ticking(line, 100)
}

/// A bar over the folds of a study, with the time left.
pub fn folds(what: &str) -> ProgressBar {
    let template =
        "{msg}{bar:30.cyan/dim} {pos} of {len} folds, {elapsed} so far, about {eta} left";
    let space = if what.is_empty() { "" } else { " " };
    let bar = styled(ProgressBar::new(0), template).with_message(format!("{what}{space}"));
    ticking(bar, 250)
}

/// Drawn anew all the time, by a thread of its own: where it is seen, and where there is one to be had.
fn ticking(bar: ProgressBar, milliseconds: u64) -> ProgressBar {
    if !bar.is_hidden() && std::thread::Builder::new().spawn(|| ()).is_ok() {
        bar.enable_steady_tick(Duration::from_millis(milliseconds));
    }
    bar
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar, // the templates above are sound; a plain bar is no disaster
    }
}
