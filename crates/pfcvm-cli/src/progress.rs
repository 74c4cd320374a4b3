//! Bars on a terminal; in a pipe nothing, or lines for a program that asks for them.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::io::{self, Write};
use std::sync::Mutex;
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

/// Whether progress is told in lines (`PFCVM_PROGRESS=lines`), to a program that shows it.
fn in_lines() -> bool {
    std::env::var_os("PFCVM_PROGRESS").is_some_and(|how| how == "lines")
}

/// What would be drawn, as lines `progress: …` on standard error.
#[derive(Debug, Default)]
struct Lines(Mutex<String>);

impl TermLike for Lines {
    fn width(&self) -> u16 {
        200
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let text = text.trim();
        let Ok(mut last) = self.0.lock() else { return Ok(()) };
        if text.is_empty() || *last == text {
            return Ok(());
        }
        text.clone_into(&mut last);
        let line = format!("progress: {}\n", pfcvm_io::predictions::harmless(text));
        if io::stderr().write_all(line.as_bytes()).is_err() {
            // Who asked for lines and no longer reads them has ended: nobody waits for the result.
            pfcvm_io::discard_unfinished();
            std::process::exit(crate::interrupt::INTERRUPTED);
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let mut template = template;
    let plain = template.replace("{bar:30.cyan/dim} ", "").replace("{spinner} ", "");
    if in_lines() {
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::<Lines>::default(), 5));
        template = plain.as_str();
    }
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar, // the templates above are sound; a plain bar is no disaster
    }
}
