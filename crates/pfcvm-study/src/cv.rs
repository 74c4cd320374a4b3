//! Protocols by name.

use crate::{Error, GivenSplits};
use pfcvm_eval::{Split, bootstrap, hold_out, leave_group_out, leave_one_out, stratified_folds};
use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

/// Most splits that a text may ask for.
const MOST_SPLITS: usize = 1_000_000;
/// Most numbers of rows in all splits together: they are held at once, in 4 GB.
const MOST_NUMBERS: usize = 500_000_000;

/// How rows are divided into training and test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cv {
    /// Every row is tested once, by a model of all others.
    LeaveOneOut,
    /// Stratified folds, drawn anew for each repeat.
    Folds {
        /// Number of folds.
        folds: usize,
        /// Number of draws.
        repeats: usize,
    },
    /// The same number of rows of each class train, all others test.
    HoldOut {
        /// Rows of each class to train.
        per_class: usize,
        /// Number of draws.
        repeats: usize,
    },
    /// As many rows as there are train, drawn with repetition; those not drawn test.
    Bootstrap {
        /// Number of draws.
        repeats: usize,
    },
    /// Each group of rows is tested once, by a model of all other groups.
    Groups {
        /// The column that names the group.
        column: String,
    },
    /// Splits that a file gives.
    Given {
        /// The file; [`GivenSplits`](crate::GivenSplits) reads it.
        file: PathBuf,
    },
}

impl Cv {
    /// The splits. `groups` has a name for every row and is for [`Cv::Groups`] only; those of
    /// [`Cv::Given`] are in its file.
    pub fn splits<L: Ord>(
        &self,
        labels: &[L],
        groups: Option<&[String]>,
        seed: u64,
    ) -> Result<Vec<Split>, Error> {
        let (splits, rows) = (self.count(labels.len()), labels.len());
        if splits.saturating_mul(rows) > MOST_NUMBERS {
            return Err(Error::TooMany { protocol: self.to_string(), splits, rows });
        }
        let splits = match self {
            Cv::LeaveOneOut => leave_one_out(labels),
            Cv::Folds { folds, repeats } => stratified_folds(labels, *folds, *repeats, seed),
            Cv::HoldOut { per_class, repeats } => hold_out(labels, *per_class, *repeats, seed),
            Cv::Bootstrap { repeats } => bootstrap(labels, *repeats, seed),
            Cv::Groups { .. } => {
                let groups =
                    groups.ok_or_else(|| Error::NoGroups { protocol: self.to_string() })?;
                leave_group_out(labels, groups)
            }
            Cv::Given { file } => {
                let rows = Vec::from_iter(0..labels.len());
                return GivenSplits::read(file)?.among(&rows);
            }
        };
        let named = |group: usize, groups: &[String]| numbered_groups(groups).1[group].clone();
        splits.map_err(|source| match (source, groups) {
            (pfcvm_eval::Error::OneClassLeft { group }, Some(groups)) => {
                Error::OneClassLeft { group: named(group, groups) }
            }
            (pfcvm_eval::Error::ClassGone { group }, Some(groups)) => {
                Error::ClassGone { group: named(group, groups) }
            }
            (source, _) => Error::Splits { protocol: self.to_string(), source },
        })
    }
}

impl Cv {
    /// How many splits there will be of so many rows, where that is known beforehand.
    fn count(&self, rows: usize) -> usize {
        match self {
            Cv::LeaveOneOut => rows,
            Cv::Folds { folds, repeats } => folds.saturating_mul(*repeats),
            Cv::HoldOut { repeats, .. } | Cv::Bootstrap { repeats } => *repeats,
            Cv::Groups { .. } | Cv::Given { .. } => 0,
        }
    }
}

/// The group of every row as a number, in the order of their names, and these names.
pub fn numbered_groups(of_rows: &[String]) -> (Vec<usize>, Vec<&String>) {
    let mut names: Vec<&String> = of_rows.iter().collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &String| names.partition_point(|before| *before < name);
    (of_rows.iter().map(number).collect(), names)
}

impl FromStr for Cv {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Protocol { text: text.into() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let whole = |text: &str, least: usize| {
            text.parse()
                .ok()
                .filter(|number| (least..=MOST_SPLITS).contains(number))
                .ok_or_else(wrong)
        };
        let pair = |rest: &str, least: usize| match rest.split_once('x') {
            Some((count, repeats)) => Ok((whole(count, least)?, whole(repeats, 1)?)),
            None => Ok((whole(rest, least)?, 1)),
        };
        match (name, rest) {
            ("loo", None) => Ok(Cv::LeaveOneOut),
            ("kfold", Some(rest)) => {
                let (folds, repeats) = pair(rest, 2)?;
                let cv = Cv::Folds { folds, repeats };
                if cv.count(0) <= MOST_SPLITS { Ok(cv) } else { Err(wrong()) }
            }
            ("holdout", Some(rest)) => {
                pair(rest, 1).map(|(per_class, repeats)| Cv::HoldOut { per_class, repeats })
            }
            ("bootstrap", Some(rest)) => Ok(Cv::Bootstrap { repeats: whole(rest, 1)? }),
            ("groups", Some(column)) if !column.is_empty() => {
                Ok(Cv::Groups { column: column.into() })
            }
            ("splits", Some(file)) if !file.is_empty() => Ok(Cv::Given { file: file.into() }),
            _ => Err(wrong()),
        }
    }
}

impl Display for Cv {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Cv::LeaveOneOut => out.write_str("loo"),
            Cv::Folds { folds, repeats: 1 } => write!(out, "kfold:{folds}"),
            Cv::Folds { folds, repeats } => write!(out, "kfold:{folds}x{repeats}"),
            Cv::HoldOut { per_class, repeats: 1 } => write!(out, "holdout:{per_class}"),
            Cv::HoldOut { per_class, repeats } => write!(out, "holdout:{per_class}x{repeats}"),
            Cv::Bootstrap { repeats } => write!(out, "bootstrap:{repeats}"),
            Cv::Groups { column } => write!(out, "groups:{column}"),
            Cv::Given { file } => write!(out, "splits:{}", file.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        let texts = [
            "loo",
            "kfold:5",
            "kfold:10x3",
            "holdout:200x100",
            "bootstrap:9",
            "groups:a:b",
            "splits:a/b.json",
        ];
        for text in texts {
            assert_eq!(text.parse::<Cv>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "loo:1",
            "kfold",
            "kfold:1",
            "kfold:5x0",
            "holdout:x3",
            "groups:",
            "splits:",
            "kfold:-2",
            "kfold:3x1000000",
        ] {
            assert!(text.parse::<Cv>().is_err(), "{text}");
        }
    }

    /// Refused before they are drawn.
    #[test]
    fn splits_that_memory_cannot_hold_are_refused() {
        let labels: Vec<bool> = (0..100_000).map(|row| row % 2 == 0).collect();
        for cv in ["loo", "kfold:1000x1000", "bootstrap:1000000", "holdout:5x10000"] {
            let error = cv.parse::<Cv>().unwrap().splits(&labels, None, 1).unwrap_err().to_string();
            assert!(error.contains("more than can be held"), "{error}");
        }
        assert_eq!("kfold:3".parse::<Cv>().unwrap().splits(&labels, None, 1).unwrap().len(), 3);
    }

    #[test]
    fn a_class_too_small_and_a_group_too_large_are_named() {
        let positive = [true, true, false, false, false];
        let error = |cv: &str, groups: Option<&[String]>| {
            cv.parse::<Cv>().unwrap().splits(&positive, groups, 1).unwrap_err().to_string()
        };
        assert!(error("kfold:3", None).contains("a class has 2 rows and 3 are needed"));
        let groups: Vec<String> = ["u", "u", "v", "v", "v"].map(String::from).to_vec();
        assert!(error("groups:g", Some(&groups)).contains("without the group `u`"));
        assert!(error("groups:g", None).contains("needs a group"));
    }
}
