//! Levels of texts that are in memory already, each once: what a program with tables of its own has.

use crate::field::{is_missing, number};
use crate::levels::Levels;
use std::collections::HashMap;

impl Levels {
    /// The levels of texts that stand in so many rows each, and the code of each text. It is as if they
    /// had been read from a file: blanks around them do not count, texts that stand for no value
    /// are gaps (NaN), and among words a number goes by its shortest form. Texts without rows
    /// have no level, and their code is a gap.
    pub fn of_texts(texts: &[String], rows: &[usize]) -> (Self, Vec<f64>) {
        let counted = texts.iter().zip(rows).filter(|(_, rows)| **rows > 0);
        let found: Vec<(&str, usize)> = counted
            .map(|(text, rows)| (trimmed(text), *rows))
            .filter(|(text, _)| !is_missing(text.as_bytes()))
            .collect();
        let all_numbers = found.iter().all(|(text, _)| number(text.as_bytes()).is_some());
        let named = |text: &str| match number(text.as_bytes()) {
            Some(value) if !all_numbers => (value + 0.0).to_string(),
            _ => text.to_string(),
        };
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (text, rows) in found {
            *counts.entry(named(text)).or_default() += rows;
        }
        let levels = Self::of(counts.into_iter().collect());
        let codes = levels.codes(texts).into_iter().map(|code| code.unwrap_or(f64::NAN)).collect();
        (levels, codes)
    }

    /// The code of each text; a gap is NaN, and nothing is a word that is not known.
    pub fn codes(&self, texts: &[String]) -> Vec<Option<f64>> {
        let lookup = self.lookup();
        let code = |text: &String| {
            let field = trimmed(text).as_bytes();
            let gap = || is_missing(field).then_some(f64::NAN);
            lookup.code(field).or_else(gap).or(lookup.other())
        };
        texts.iter().map(code).collect()
    }
}

/// Without the blanks that readers of files do not see.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn texts_in_memory_are_as_those_of_a_file() {
        let words = texts(&[" red", "blue", "NA", "red", "", "never", "1.0"]);
        let (levels, codes) = Levels::of_texts(&words, &[2, 1, 3, 1, 1, 0, 1]);
        assert_eq!(levels.names(), ["1", "blue", "red"]);
        let shown: Vec<String> = codes.iter().map(f64::to_string).collect();
        assert_eq!(shown, ["2", "1", "NaN", "2", "NaN", "NaN", "0"]);
        let new = levels.codes(&texts(&["blue ", "green", "?", "1"]));
        assert_eq!((new[0], new[1], new[3]), (Some(1.0), None, Some(0.0)));
        assert!(new[2].is_some_and(f64::is_nan));
    }

    #[test]
    fn numbers_alone_stay_as_they_are_written() {
        let (levels, codes) = Levels::of_texts(&texts(&["10", "9.0", "nan"]), &[1, 1, 1]);
        assert_eq!((levels.names(), &codes[..2]), (&texts(&["9.0", "10"])[..], &[1.0, 0.0][..]));
        assert_eq!(Levels::of_texts(&texts(&["?"]), &[4]).0.count(), 0);
    }
}
