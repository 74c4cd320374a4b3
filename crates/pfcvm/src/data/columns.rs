//! What the columns of a table are, and which of them make up one feature.

use crate::error::Error;
use crate::matrix::Matrix;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the numbers in a column are to be read. NaN is a gap in either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// As numbers.
    Number,
    /// As places of words in a list of so many: 0, 1, 2 … Their order says nothing.
    Words {
        /// How many there are.
        levels: usize,
    },
}

/// The columns of a table: their kinds, and the features they belong to. A feature is one column
/// unless several are [grouped](Columns::grouped) to share one weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    inputs: usize,
    /// Nothing for a table of numbers, each column a feature.
    described: Option<Arc<Described>>,
}

#[derive(Debug, PartialEq)]
struct Described {
    kinds: Vec<Kind>,
    /// The feature of each column.
    feature_of: Vec<usize>,
    /// The columns of each feature.
    members: Vec<Vec<usize>>,
}

impl Columns {
    /// So many columns of numbers, each a feature.
    pub fn numbers(inputs: usize) -> Self {
        Self { inputs, described: None }
    }

    /// Columns of these kinds, each a feature.
    pub fn new(kinds: Vec<Kind>) -> Self {
        let inputs = kinds.len();
        if kinds.iter().all(|kind| *kind == Kind::Number) {
            return Self::numbers(inputs);
        }
        let (feature_of, members) = ((0..inputs).collect(), (0..inputs).map(|j| vec![j]).collect());
        Self { inputs, described: Some(Arc::new(Described { kinds, feature_of, members })) }
    }

    /// The same columns with those of one number as one feature. Features are numbered from 0 in the
    /// order of their first columns.
    pub fn grouped(self, feature_of: &[usize]) -> Result<Self, Error> {
        if feature_of.len() != self.inputs {
            let (what, found) = ("features of columns", feature_of.len());
            return Err(Error::Length { what, found, expected: self.inputs });
        }
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (column, &feature) in feature_of.iter().enumerate() {
            match feature.cmp(&members.len()) {
                std::cmp::Ordering::Less => members[feature].push(column),
                std::cmp::Ordering::Equal => members.push(vec![column]),
                std::cmp::Ordering::Greater => {
                    let (name, value) = ("feature of a column", feature.to_string());
                    let allowed = "numbered from 0 in the order of the features' first columns";
                    return Err(Error::Setting { name, value, allowed });
                }
            }
        }
        if members.len() == self.inputs {
            return Ok(self);
        }
        let (kinds, feature_of) = (self.kinds(), feature_of.to_vec());
        let described = Described { kinds, feature_of, members };
        Ok(Self { described: Some(Arc::new(described)), ..self })
    }

    /// How many columns there are.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many features there are.
    pub fn features(&self) -> usize {
        self.described.as_ref().map_or(self.inputs, |described| described.members.len())
    }

    /// Whether all columns are numbers and each is a feature.
    pub fn is_plain(&self) -> bool {
        self.described.is_none()
    }

    /// How one column is read.
    pub fn kind(&self, column: usize) -> Kind {
        self.described.as_ref().map_or(Kind::Number, |described| described.kinds[column])
    }

    /// How every column is read.
    pub fn kinds(&self) -> Vec<Kind> {
        (0..self.inputs).map(|column| self.kind(column)).collect()
    }

    /// The feature that a column belongs to.
    pub fn feature_of(&self, column: usize) -> usize {
        self.described.as_ref().map_or(column, |described| described.feature_of[column])
    }

    /// The columns of a feature, ascending.
    pub fn columns_of(&self, feature: usize) -> Vec<usize> {
        match &self.described {
            Some(described) => described.members[feature].clone(),
            None => vec![feature],
        }
    }

    /// The given features, ascending, alone, and which columns these are.
    pub(crate) fn select(&self, features: &[usize]) -> (Self, Vec<usize>) {
        let Some(described) = &self.described else {
            return (Self::numbers(features.len()), features.to_vec());
        };
        let mut columns: Vec<usize> =
            features.iter().flat_map(|&feature| self.columns_of(feature)).collect();
        columns.sort_unstable();
        let of = |column: &usize| features.partition_point(|f| *f < described.feature_of[*column]);
        let feature_of: Vec<usize> = columns.iter().map(of).collect();
        let alone = Self::new(columns.iter().map(|&column| described.kinds[column]).collect());
        // The order of first columns is that of the features, here as there.
        (alone.clone().grouped(&feature_of).unwrap_or(alone), columns)
    }

    /// Refuses data with another number of columns, or with a code that is no word's.
    pub(crate) fn check(&self, x: &Matrix) -> Result<(), Error> {
        if x.cols() != self.inputs {
            let (what, found) = ("columns", x.cols());
            return Err(Error::Length { what, found, expected: self.inputs });
        }
        for (col, kind) in self.kinds().into_iter().enumerate() {
            let Kind::Words { levels } = kind else { continue };
            let known =
                |v: &f64| v.is_nan() || (v.fract() == 0.0 && (0.0..levels as f64).contains(v));
            if let Some(row) = x.column(col).iter().position(|v| !known(v)) {
                let value = x.get(row, col);
                return Err(Error::UnknownLevel { row, col, value, levels });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_one_number_are_one_feature() {
        let columns = Columns::numbers(5).grouped(&[0, 1, 0, 2, 1]).unwrap();
        assert_eq!((columns.inputs(), columns.features(), columns.is_plain()), (5, 3, false));
        assert_eq!(columns.columns_of(0), [0, 2]);
        assert_eq!(columns.columns_of(1), [1, 4]);
        assert_eq!(columns.feature_of(3), 2);
        assert!(Columns::numbers(3).grouped(&[0, 1, 2]).unwrap().is_plain());
        for wrong in [&[1, 0][..], &[0, 2], &[0]] {
            assert!(Columns::numbers(2).grouped(wrong).is_err());
        }
    }

    #[test]
    fn some_features_alone_keep_kinds_and_groups() {
        let kinds = vec![Kind::Number, Kind::Words { levels: 3 }, Kind::Number, Kind::Number];
        let columns = Columns::new(kinds).grouped(&[0, 1, 0, 2]).unwrap();
        let (some, at) = columns.select(&[0, 1]);
        assert_eq!((at, some.features()), (vec![0, 1, 2], 2));
        assert_eq!((some.columns_of(0), some.kind(1)), (vec![0, 2], Kind::Words { levels: 3 }));
        assert!(columns.select(&[2]).0.is_plain());
    }

    #[test]
    fn codes_of_no_word_are_refused() {
        let columns = Columns::new(vec![Kind::Number, Kind::Words { levels: 2 }]);
        let with = |code: f64| Matrix::from_rows(&[vec![0.5, 1.0], vec![7.0, code]]);
        assert!(columns.check(&with(0.0)).is_ok() && columns.check(&with(f64::NAN)).is_ok());
        for wrong in [2.0, -1.0, 0.5] {
            let error = columns.check(&with(wrong)).unwrap_err();
            assert!(matches!(error, Error::UnknownLevel { row: 1, col: 1, levels: 2, .. }));
        }
    }
}
