//! Ctrl-C and other requests to end: at once, and without traces.

use crate::failure::{Failure, Outcome};
use crate::output::note;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether what is finished so far is kept.
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// From now on the same command goes on where this one is interrupted.
pub fn goes_on() {
    GOES_ON.store(true, Ordering::Relaxed);
}

/// What else is to be done then.
static AT_END: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// From now on an interrupt does this first. The first one to ask is heard.
pub fn at_end(tidy: impl Fn() + Send + Sync + 'static) {
    let _ = AT_END.set(Box::new(tidy));
}

/// What shells report of a program that Ctrl-C ended.
pub const INTERRUPTED: i32 = 130;

/// From now on an interrupt removes what is unfinished and ends the program.
pub fn watch() -> Outcome {
    let end = || {
        if let Some(tidy) = AT_END.get() {
            tidy();
        }
        pfcvm_io::discard_unfinished();
        note(""); // the progress line is still there
        note(match GOES_ON.load(Ordering::Relaxed) {
            true => "interrupted; the same command goes on from here",
            false => "interrupted",
        });
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end)
        .map_err(|error| Failure::Internal(format!("interrupts cannot be watched ({error})")))?;
    too_large_files_are_errors();
    Ok(())
}

/// A file beyond the limit of the system is an error of the one who writes it, like a full disk; the
/// signal that comes with it would end the program half-way.
#[cfg(unix)]
fn too_large_files_are_errors() {
    use std::sync::Arc;
    // That it came is of no interest. Where it cannot be caught, all is as it would be without.
    let came = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, came);
}

#[cfg(not(unix))]
fn too_large_files_are_errors() {}
