//! Ctrl-C and other requests to end: at once, and without traces.

use crate::failure::{Failure, Outcome};
use crate::output::note;

/// What shells report of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// From now on an interrupt removes what is unfinished and ends the program.
pub fn watch() -> Outcome {
    let end = || {
        pfcvm_io::discard_unfinished();
        note(""); // the progress line is still there
        note("interrupted");
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(end)
        .map_err(|error| Failure::Internal(format!("interrupts cannot be watched ({error})")))
}
