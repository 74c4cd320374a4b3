//! Class labels: any text, numbers compared as numbers.

use std::collections::HashMap;

/// The code of a row without a label.
pub(crate) const NO_LABEL: u32 = u32::MAX;

/// The labels of a block's rows, each text held once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    texts: Vec<String>,
    codes: Vec<u32>,
}

impl Labels {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are none, as when no labels were wanted.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The label of a row, as it was read; empty where it has none.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn get(&self, row: usize) -> &str {
        self.text(self.codes[row])
    }

    /// All labels, row after row; empty where a row has none.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.codes.iter().map(|&code| self.text(code))
    }

    /// The place of each row's class among some, numbers compared as numbers; nothing where it is none of them, or where the
    /// row has no label.
    pub fn among(&self, classes: &[String]) -> Vec<Option<usize>> {
        let place = |text: &String| classes.iter().position(|class| same_class(class, text));
        let places: Vec<Option<usize>> = self.texts.iter().map(place).collect();
        let of_row = |code: &u32| if *code == NO_LABEL { None } else { places[*code as usize] };
        self.codes.iter().map(of_row).collect()
    }

    fn text(&self, code: u32) -> &str {
        if code == NO_LABEL { "" } else { &self.texts[code as usize] }
    }

    /// Different texts, in the order in which they first occur.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// For every row the place of its text among [`Labels::texts`], or [`NO_LABEL`].
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The labels of some rows; texts that do not occur among them are left out.
    pub(crate) fn range(&self, start: usize, end: usize) -> Labels {
        let mut out = LabelBuilder::default();
        for row in start..end {
            match self.codes[row] {
                NO_LABEL => out.push_none(),
                _ => out.push(self.get(row)),
            }
        }
        out.finish()
    }
}

/// Collects labels. Neighbours are often equal, hence the shortcut.
#[derive(Default)]
pub(crate) struct LabelBuilder {
    labels: Labels,
    known: HashMap<String, u32>,
}

impl LabelBuilder {
    pub(crate) fn push(&mut self, text: &str) {
        let Labels { texts, codes } = &mut self.labels;
        let code = match codes.last() {
            Some(&last) if last != NO_LABEL && texts[last as usize] == text => last,
            _ => match self.known.get(text) {
                Some(&code) => code,
                None => {
                    let code = texts.len() as u32;
                    texts.push(text.into());
                    self.known.insert(text.into(), code);
                    code
                }
            },
        };
        codes.push(code);
    }

    /// A row without a label.
    pub(crate) fn push_none(&mut self) {
        self.labels.codes.push(NO_LABEL);
    }

    pub(crate) fn finish(self) -> Labels {
        self.labels
    }
}

/// What makes two labels the same class: the number, where the text is one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Number(u64),
    Text(String),
}

/// `1`, `1.0` and `+1` have the same key. Numbers so large that a float cannot tell neighbours
/// apart are texts: they may be identifiers.
pub(crate) fn key(text: &str) -> Key {
    const LARGEST: f64 = 9.0e15;
    match text.trim().parse::<f64>() {
        // Adding 0 turns -0 into 0.
        Ok(number) if number.abs() < LARGEST => Key::Number((number + 0.0).to_bits()),
        _ => Key::Text(text.trim().into()),
    }
}

/// Whether two labels name the same class: `1`, `1.0` and `+1` do.
pub fn same_class(a: &str, b: &str) -> bool {
    key(a) == key(b)
}

/// The classes met so far, in order of appearance, under the first spelling of each.
#[derive(Default)]
pub(crate) struct Classes {
    names: Vec<String>,
    keys: Vec<Key>,
    known: HashMap<Key, u32>,
    codes: Vec<u32>,
    /// Rows so far, with those that have no label.
    rows: usize,
    /// Those that have none.
    without: Vec<usize>,
}

impl Classes {
    /// Adds the rows of the next block; those without a label are none.
    pub(crate) fn extend(&mut self, labels: &Labels) {
        let codes: Vec<u32> = labels.texts().iter().map(|text| self.code(text)).collect();
        for &code in labels.codes() {
            match code {
                NO_LABEL => self.without.push(self.rows),
                code => self.codes.push(codes[code as usize]),
            }
            self.rows += 1;
        }
    }

    /// The rows that have a label, if there are others.
    pub(crate) fn labelled(&self) -> Option<Vec<usize>> {
        let mut without = self.without.iter().peekable();
        let labelled = |row: &usize| without.next_if(|none| *none == row).is_none();
        (!self.without.is_empty()).then(|| (0..self.rows).filter(labelled).collect())
    }

    fn code(&mut self, text: &str) -> u32 {
        let key = key(text);
        if let Some(&code) = self.known.get(&key) {
            return code;
        }
        let code = self.names.len() as u32;
        self.names.push(text.into());
        self.keys.push(key.clone());
        self.known.insert(key, code);
        code
    }

    /// Names in order (of numbers, if all are, else of the alphabet) and a code for every row.
    pub(crate) fn finish(self) -> (Vec<String>, Vec<u32>) {
        let Classes { mut names, keys, mut codes, .. } = self;
        let mut order: Vec<usize> = (0..names.len()).collect();
        let numbers: Option<Vec<f64>> = keys
            .iter()
            .map(|key| match key {
                Key::Number(bits) => Some(f64::from_bits(*bits)),
                Key::Text(_) => None,
            })
            .collect();
        match numbers {
            Some(numbers) => order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b])),
            None => order.sort_by(|&a, &b| names[a].cmp(&names[b])),
        }
        let mut place = vec![0; order.len()];
        for (at, &old) in order.iter().enumerate() {
            place[old] = at as u32;
        }
        for code in &mut codes {
            *code = place[*code as usize];
        }
        let sorted = order.iter().map(|&old| std::mem::take(&mut names[old])).collect();
        (sorted, codes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(texts: &[&str]) -> (Vec<String>, Vec<u32>) {
        let mut classes = Classes::default();
        for text in texts {
            let mut block = LabelBuilder::default();
            block.push(text);
            classes.extend(&block.finish());
        }
        classes.finish()
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_shown_as_first_read() {
        let (names, codes) = classes(&["10", "+1", "1.0", "-0", "9", "0"]);
        assert_eq!(names, ["-0", "+1", "9", "10"]);
        assert_eq!(codes, [3, 1, 1, 0, 2, 0]);
    }

    #[test]
    fn one_text_makes_the_order_alphabetical() {
        assert_eq!(classes(&["b", "10", "9", "a"]).0, ["10", "9", "a", "b"]);
    }

    #[test]
    fn long_identifiers_stay_apart() {
        let (names, _) = classes(&["9007199254740993", "9007199254740992", "inf", "Inf", "nan"]);
        assert_eq!(names.len(), 5);
    }
}
