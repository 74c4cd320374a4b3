//! Words on their way into a column of numbers.
//!
//! Whether a column holds numbers or words is known at its end. Until then a word is a NaN that
//! carries the word's place in a dictionary; a gap is the usual NaN. So columns of numbers cost
//! nothing more, and one reading is enough.

use std::collections::HashMap;

/// The upper half of a NaN that carries a word; the usual NaN has another.
const WORD: u64 = 0x7ffc_5000;

/// The cell of a word.
pub(crate) fn word(code: u32) -> f64 {
    f64::from_bits(WORD << 32 | u64::from(code))
}

/// The word that a cell carries.
#[inline]
pub(crate) fn as_word(cell: f64) -> Option<u32> {
    let bits = cell.to_bits();
    (bits >> 32 == WORD).then_some(bits as u32)
}

/// More different words than this are not kept, where nobody asked for them: such a column holds
/// texts, not levels.
pub(crate) const MOST_WORDS: usize = 100_000;

/// The words of one column, each with a code.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    codes: HashMap<Box<str>, u32>,
    /// Whether there were more than may be kept; later ones have the code 0.
    pub(crate) overfull: bool,
}

impl Dictionary {
    /// The code of a word, a new one if it is new.
    pub(crate) fn code(&mut self, word: &str) -> u32 {
        if let Some(&code) = self.codes.get(word) {
            return code;
        }
        let code = self.codes.len() as u32;
        self.codes.insert(word.into(), code);
        code
    }

    /// Takes over the words of the next piece of the column, and gives their cells their new codes.
    pub(crate) fn take_over(&mut self, other: Dictionary, most: usize, cells: &mut [f64]) {
        let mut place = vec![0; other.codes.len()];
        for (word, old) in other.codes {
            place[old as usize] = match self.codes.get(&word) {
                Some(&code) => code,
                None if self.codes.len() >= most => {
                    self.overfull = true;
                    0
                }
                None => {
                    let code = self.codes.len() as u32;
                    self.codes.insert(word, code);
                    code
                }
            };
        }
        for cell in cells {
            if let Some(code) = as_word(*cell) {
                *cell = word(place[code as usize]);
            }
        }
    }

    /// The words, each at the place of its code.
    pub(crate) fn into_words(self) -> Vec<Box<str>> {
        let mut words: Vec<(Box<str>, u32)> = self.codes.into_iter().collect();
        words.sort_unstable_by_key(|(_, code)| *code);
        words.into_iter().map(|(word, _)| word).collect()
    }
}

/// The dictionaries of all columns; most columns have none.
#[derive(Debug, Default)]
pub(crate) struct Dictionaries(Vec<(usize, Dictionary)>);

impl Dictionaries {
    /// That of a column, made if it is not there.
    pub(crate) fn of(&mut self, column: usize) -> &mut Dictionary {
        let at = match self.0.binary_search_by_key(&column, |(column, _)| *column) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (column, Dictionary::default()));
                at
            }
        };
        &mut self.0[at].1
    }

    /// Takes that of a column out, an empty one where there is none.
    pub(crate) fn take(&mut self, column: usize) -> Dictionary {
        match self.0.binary_search_by_key(&column, |(column, _)| *column) {
            Ok(at) => std::mem::take(&mut self.0[at].1),
            Err(_) => Dictionary::default(),
        }
    }

    /// All there are, with their columns.
    pub(crate) fn into_each(self) -> impl Iterator<Item = (usize, Dictionary)> {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_carry_words_and_nothing_else_does() {
        for code in [0, 1, 77, u32::MAX] {
            assert!(word(code).is_nan());
            assert_eq!(as_word(word(code)), Some(code));
        }
        for cell in [f64::NAN, -f64::NAN, 0.0, -1.5, f64::INFINITY, f64::MAX] {
            assert_eq!(as_word(cell), None);
        }
    }

    #[test]
    fn pieces_share_one_dictionary() {
        let piece = |words: &[&str]| {
            let mut dictionary = Dictionary::default();
            let cells: Vec<f64> = words.iter().map(|text| word(dictionary.code(text))).collect();
            (dictionary, cells)
        };
        let mut whole = Dictionary::default();
        let mut all = Vec::new();
        for words in [["b", "a", "b"], ["c", "b", "a"]] {
            let (dictionary, mut cells) = piece(&words);
            cells.push(0.5);
            whole.take_over(dictionary, MOST_WORDS, &mut cells);
            all.extend(cells.into_iter().filter_map(as_word));
        }
        let words = whole.into_words();
        let read: Vec<&str> = all.iter().map(|code| &*words[*code as usize]).collect();
        assert_eq!(read, ["b", "a", "b", "c", "b", "a"]);
    }
}
