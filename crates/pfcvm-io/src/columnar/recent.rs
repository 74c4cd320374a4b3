//! What the words that came lately became: a column has few of them, and finding out what a word is
//! takes longer than to see that it is one of these.

/// A power of two.
const PLACES: usize = 1024;
/// Longer texts are not kept: they are hardly levels of a column.
const LONGEST: usize = 64;

/// Words with the cells that they became, each at the one place where it can be.
pub(super) struct Recent {
    places: Vec<Option<(String, f64)>>,
}

impl Recent {
    pub(super) fn new() -> Self {
        Self { places: vec![None; PLACES] }
    }

    /// The cell of a word, where it is kept.
    #[inline]
    pub(super) fn cell(&self, text: &str) -> Option<f64> {
        match &self.places[place(text.as_bytes())] {
            Some((known, cell)) if known == text => Some(*cell),
            _ => None,
        }
    }

    /// Keeps a word in place of the one that was there.
    pub(super) fn keep(&mut self, text: &str, cell: f64) {
        if text.len() > LONGEST {
            return;
        }
        match &mut self.places[place(text.as_bytes())] {
            Some((known, of_known)) => {
                known.clear();
                known.push_str(text);
                *of_known = cell;
            }
            empty => *empty = Some((text.to_string(), cell)),
        }
    }
}

/// Where a word can be, by its length, its beginning and its end.
#[inline]
fn place(text: &[u8]) -> usize {
    let wide = |bytes: Option<&[u8; 8]>| bytes.map(|bytes| u64::from_le_bytes(*bytes));
    let half = |bytes: Option<&[u8; 4]>| bytes.map(|bytes| u64::from(u32::from_le_bytes(*bytes)));
    let ends = wide(text.first_chunk()).zip(wide(text.last_chunk()));
    let ends = ends.or_else(|| half(text.first_chunk()).zip(half(text.last_chunk())));
    let (first, last) = ends.unwrap_or_else(|| {
        let byte = |at: usize| text.get(at).map_or(0, |byte| u64::from(*byte));
        (byte(0) | byte(1) << 8 | byte(2) << 16, 0)
    });
    const MIXER: u64 = 0x9e37_79b9_7f4a_7c15; // 2^64 over the golden ratio
    let mixed = (first ^ last.rotate_left(29)).wrapping_add(text.len() as u64);
    (mixed.wrapping_mul(MIXER) >> (u64::BITS - PLACES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_they_became_or_not_known() {
        let mut recent = Recent::new();
        // More words than places, of all lengths, so that many have to go.
        let word = |at: usize| format!("{at}{}", "abcdefghijklmnopq".get(..at % 17).unwrap());
        for at in 0..5 * PLACES {
            assert_eq!(recent.cell(&word(at)), None);
            recent.keep(&word(at), at as f64);
            assert_eq!(recent.cell(&word(at)), Some(at as f64));
        }
        let known = (0..5 * PLACES).filter(|at| match recent.cell(&word(*at)) {
            Some(cell) => cell == *at as f64 || panic!("{} became {cell}", word(*at)),
            None => false,
        });
        assert!(known.count() > PLACES / 2);
        recent.keep("", 7.0);
        assert_eq!((recent.cell(""), recent.cell("\0")), (Some(7.0), None));
        let long = "x".repeat(LONGEST + 1);
        recent.keep(&long, 1.0);
        assert_eq!(recent.cell(&long), None);
    }
}
