//! Texts of the data in CSV, which a spreadsheet may take for formulas.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// How such texts are written.
#[derive(Debug, Default)]
pub struct Cells {
    /// With an apostrophe in front, so that a spreadsheet shows them and nothing else.
    safe: bool,
    met: AtomicBool,
}

impl Cells {
    /// `safe` puts an apostrophe in front.
    pub fn new(safe: bool) -> Self {
        Self { safe, met: AtomicBool::new(false) }
    }

    /// A text as it is written; quoting is left to the writer.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !is_formula(text) {
            return text.into();
        }
        self.met.store(true, Ordering::Relaxed);
        if self.safe { format!("'{text}").into() } else { text.into() }
    }

    /// What to say where there were such texts and nothing was done about them.
    pub fn told(&self) -> Option<&'static str> {
        (self.met.load(Ordering::Relaxed) && !self.safe).then_some(
            "some texts of the data begin as formulas do (=, +, -, @) and are written as they are; \
             --safe-csv puts an apostrophe in front of them",
        )
    }
}

/// Whether a spreadsheet would compute it: numbers with a sign are only numbers.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_told_from_numbers() {
        let safe = Cells::new(true);
        for text in ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1"] {
            assert_eq!(safe.text(text), format!("'{text}"));
            assert_eq!(Cells::new(false).text(text), text);
        }
        for text in ["-1", "+1", "-1.5e3", "a=b", "", "'=1"] {
            assert_eq!(safe.text(text), text);
        }
    }
}
