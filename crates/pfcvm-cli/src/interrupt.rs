//! Ctrl-C and other requests to end: at once, and without traces.

use crate::failure::{Failure, Outcome};
use crate::output::note;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether what is finished so far is kept.
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// From now on the same command goes on where this one is interrupted.
pub fn goes_on() {
    GOES_ON.store(true, Ordering::Relaxed);
}

/// What shells report of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// From now on an interrupt removes what is unfinished and ends the program.
pub fn watch() -> Outcome {
    let end = || {
        pfcvm_io::discard_unfinished();
        note(""); // the progress line is still there
        note(match GOES_ON.load(Ordering::Relaxed) {
            true => "interrupted; the same command goes on from here",
            false => "interrupted",
        });
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end)
        .map_err(|error| Failure::Internal(format!("interrupts cannot be watched ({error})")))
}
