//! Splits that a file gives, for figures that can be compared split by split with those of other
//! programs.
//!
//! The file is a JSON object. `splits` is a list of objects, each with the rows that `train` and
//! those that `test`; rows count from 0 over all rows of the data file. `labels` may name the
//! classes that are meant, the negative one first. Whatever else is there (a name, the protocol in
//! words, a seed) is for people.

use crate::Error;
use pfcvm_eval::Split;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a file of splits holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenSplits {
    file: PathBuf,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Content {
    labels: Option<Vec<Label>>,
    splits: Vec<Rows>,
}

/// A label as JSON has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Label {
    Number(i64),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Rows {
    train: Vec<usize>,
    test: Vec<usize>,
}

impl GivenSplits {
    /// Reads a file of splits.
    ///
    /// # Errors
    /// If it cannot be read, is no such file, or a split has nothing to train on or to test.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let text = std::fs::read(file).map_err(|error| Error::GivenSplits {
            file: file.into(),
            reason: format!("{error}; name a file"),
        })?;
        Self::parse(&text, file)
    }

    /// Reads the text of a file of splits.
    pub(crate) fn parse(text: &[u8], file: &Path) -> Result<Self, Error> {
        let wrong = |reason: String| Error::GivenSplits { file: file.into(), reason };
        let content: Content = serde_json::from_slice(text).map_err(|error| {
            wrong(format!("this is no file of splits ({error}); see docs/program.md for its form"))
        })?;
        if content.splits.is_empty() {
            return Err(wrong("there are no splits in it".into()));
        }
        let empty = |rows: &Rows| rows.train.is_empty() || rows.test.is_empty();
        if let Some(at) = content.splits.iter().position(empty) {
            let number = at + 1;
            return Err(wrong(format!("split {number} has nothing to train on, or to test")));
        }
        Ok(Self { file: file.into(), content })
    }

    /// The negative and the positive class, where the file names two.
    pub fn classes(&self) -> Option<(String, String)> {
        let text = |label: &Label| match label {
            Label::Number(number) => number.to_string(),
            Label::Text(text) => text.clone(),
        };
        match self.content.labels.as_deref() {
            Some([negative, positive]) => Some((text(negative), text(positive))),
            _ => None,
        }
    }

    /// The splits of data that hold nothing but some rows of the file, given ascending.
    ///
    /// # Errors
    /// If a split names a row that is not among them.
    pub fn among(&self, rows: &[usize]) -> Result<Vec<Split>, Error> {
        let places = |numbers: &[usize]| -> Result<Vec<usize>, Error> {
            let place = |row: &usize| {
                rows.binary_search(row).map_err(|_| Error::GivenSplits {
                    file: self.file.clone(),
                    reason: format!(
                        "row {row} (from 0) is not among the rows that are used; check that the \
                         splits belong to these data and classes"
                    ),
                })
            };
            numbers.iter().map(place).collect()
        };
        let split =
            |split: &Rows| Ok(Split { train: places(&split.train)?, test: places(&split.test)? });
        self.content.splits.iter().map(split).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GivenSplits, Error> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("given.json");
        std::fs::write(&file, text).unwrap();
        GivenSplits::read(&file)
    }

    #[test]
    fn rows_are_found_among_those_that_are_used() {
        let text = r#"{"name": "by hand", "labels": [0, "b"], "splits":
                       [{"train": [4, 2], "test": [7]}, {"train": [2], "test": [4]}]}"#;
        let given = read(text).unwrap();
        assert_eq!(given.classes(), Some(("0".into(), "b".into())));
        let splits = given.among(&[2, 4, 7]).unwrap();
        assert_eq!(splits[0], Split { train: vec![1, 0], test: vec![2] });
        assert_eq!(splits[1], Split { train: vec![0], test: vec![1] });
        let error = given.among(&[2, 4]).unwrap_err().to_string();
        assert!(error.contains("row 7 (from 0) is not among the rows"), "{error}");
    }

    #[test]
    fn what_is_no_file_of_splits_is_told() {
        for (text, reason) in [
            ("{}", "no file of splits"),
            ("[1, 2]", "no file of splits"),
            (r#"{"splits": []}"#, "no splits"),
            (r#"{"splits": [{"train": [1], "test": []}]}"#, "split 1 has nothing"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("given.json") && error.contains(reason), "{error}");
        }
        assert!(GivenSplits::read(Path::new("nowhere.json")).is_err());
    }
}
