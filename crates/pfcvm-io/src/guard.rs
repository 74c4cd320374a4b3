//! A guard around decoders of others: a file that makes one of them panic is a damaged file.

use crate::Error;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoder that is known to panic on some damaged files, and says nothing of it but that the
/// file is damaged.
pub(crate) fn guarded<T>(
    what: &'static str,
    decode: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !GUARDED.get() {
                usual(panicked);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(before);
    let detail = "its parts do not fit together".into();
    outcome.unwrap_or(Err(Error::Damaged { what, detail }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_decoder_is_damage() {
        let nothing: Vec<u8> = Vec::new();
        let outcome = guarded("file", || Ok(nothing[nothing.len()]));
        assert_eq!(
            outcome.unwrap_err().to_string(),
            "the file is damaged (its parts do not fit together); copy or download the file again"
        );
        assert_eq!(guarded("file", || Ok(1)).unwrap(), 1);
        assert!(!GUARDED.get());
    }
}
