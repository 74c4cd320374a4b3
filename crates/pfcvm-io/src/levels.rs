//! The words of a column, and finding them again.

use crate::field::number;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// More levels than this are too many to be told apart: the rest are one.
pub const MOST_LEVELS: usize = 1000;

/// The different words of a column, in order. The place of a word is its code.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Levels {
    #[serde(rename = "levels")]
    names: Vec<String>,
    /// Whether there is one more, for all other words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    other: bool,
}

impl Levels {
    /// Of words with the number of rows of each: the most frequent ones, in the order of numbers if
    /// all are, else of the alphabet. Nothing depends on the order in which they come.
    pub fn of(mut counted: Vec<(String, usize)>) -> Self {
        let other = counted.len() > MOST_LEVELS;
        if other {
            counted.sort_unstable_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
            counted.truncate(MOST_LEVELS - 1);
        }
        let mut names: Vec<String> = counted.into_iter().map(|(name, _)| name).collect();
        let numbers: Option<Vec<f64>> = names.iter().map(|name| number(name.as_bytes())).collect();
        match numbers {
            None => names.sort_unstable(),
            Some(numbers) => {
                let mut both: Vec<(f64, String)> = numbers.into_iter().zip(names).collect();
                both.sort_unstable_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| x.cmp(y)));
                names = both.into_iter().map(|(_, name)| name).collect();
            }
        }
        Self { names, other }
    }

    /// The words, each at the place of its code.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether all other words are one more level, the last.
    pub fn has_other(&self) -> bool {
        self.other
    }

    /// How many codes there are.
    pub fn count(&self) -> usize {
        self.names.len() + usize::from(self.other)
    }

    /// Takes in the words of others that are not known yet, behind those that are, as long as there are not
    /// too many; how many there were. Where all other words are one level, they are of that.
    pub fn take_in(&mut self, others: &Levels) -> usize {
        let lookup = self.lookup();
        let new = others.names.iter().filter(|name| lookup.code(name.as_bytes()).is_none());
        let room = if self.other { 0 } else { MOST_LEVELS - self.names.len().min(MOST_LEVELS) };
        let new: Vec<String> = new.take(room).cloned().collect();
        let count = new.len();
        self.names.extend(new);
        count
    }

    /// For finding words.
    pub(crate) fn lookup(&self) -> Lookup {
        let mut lookup = Lookup {
            words: HashMap::with_capacity(self.names.len()),
            numbers: HashMap::new(),
            other: self.other.then_some(self.names.len() as f64),
        };
        for (code, name) in self.names.iter().enumerate() {
            lookup.words.insert(name.as_bytes().into(), code as f64);
            if let Some(number) = number(name.as_bytes()) {
                lookup.numbers.entry(bits(number)).or_insert(code as f64);
            }
        }
        lookup
    }
}

fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits() // adding 0 turns -0 into 0
}

/// Finds the code of a word.
pub(crate) struct Lookup {
    words: HashMap<Box<[u8]>, f64>,
    /// `1`, `1.0` and `+1` are the same level where no word is spelt so.
    numbers: HashMap<u64, f64>,
    other: Option<f64>,
}

impl Lookup {
    /// The code of a word that is known.
    pub(crate) fn code(&self, field: &[u8]) -> Option<f64> {
        if let Some(code) = self.words.get(field) {
            return Some(*code);
        }
        if self.numbers.is_empty() {
            return None;
        }
        self.numbers.get(&bits(number(field)?)).copied()
    }

    /// The code of all others, where there is one.
    pub(crate) fn other(&self) -> Option<f64> {
        self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(words: &[&str]) -> Levels {
        Levels::of(words.iter().map(|word| (word.to_string(), 1)).collect())
    }

    #[test]
    fn levels_are_in_order_and_found_again() {
        assert_eq!(levels(&["10", "9", "1.5"]).names(), ["1.5", "9", "10"]);
        let mixed = levels(&["b", "10", "9"]);
        assert_eq!((mixed.names(), mixed.count()), (&["10", "9", "b"].map(String::from)[..], 3));
        let lookup = mixed.lookup();
        let code = |text: &str| lookup.code(text.as_bytes());
        assert_eq!(
            (code("b"), code("9"), code("9.0"), code("B")),
            (Some(2.0), Some(1.0), Some(1.0), None)
        );
        assert_eq!(lookup.other(), None);
    }

    #[test]
    fn the_rarest_of_too_many_are_one_level() {
        let words = |count: usize| -> Vec<(String, usize)> {
            (0..count).map(|at| (format!("w{at:05}"), 1 + usize::from(at % 2 == 1))).collect()
        };
        assert!(!Levels::of(words(MOST_LEVELS)).has_other());
        let many = Levels::of(words(1500));
        assert_eq!((many.count(), many.names().len()), (MOST_LEVELS, MOST_LEVELS - 1));
        // All 750 that come twice, and the first of the others.
        assert_eq!(many.names()[..3], ["w00000", "w00001", "w00002"].map(String::from));
        assert_eq!(many.lookup().code(b"w01499"), Some((MOST_LEVELS - 2) as f64));
        assert_eq!(many.lookup().other(), Some((MOST_LEVELS - 1) as f64));
        let mut turned = words(1500);
        turned.reverse();
        assert_eq!(Levels::of(turned), many);
    }
}
