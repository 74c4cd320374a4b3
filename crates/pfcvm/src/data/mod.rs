//! Samples with their classes, checked once, and the scaler that is fitted on them.

mod candidates;
mod canonical;
mod columns;
mod scaler;

pub use canonical::CanonicalRows;
pub use columns::{Columns, Kind};
pub use scaler::{LARGEST_SCALED, Scaler, Source, moments};

use crate::algebra::log_odds;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::settings::ClassWeights;

/// Samples with two classes and a weight each, checked once: every value is finite or a gap (NaN),
/// every length agrees.
#[derive(Clone, Debug)]
pub struct Dataset {
    x: Matrix,
    columns: Columns,
    positive: Vec<bool>,
    weights: Vec<f64>,
}

impl Dataset {
    /// Checks and takes over the samples `x` (one row each) and their classes.
    pub fn new(x: Matrix, positive: Vec<bool>) -> Result<Self, Error> {
        if x.rows() == 0 || x.cols() == 0 {
            return Err(Error::Empty { rows: x.rows(), cols: x.cols() });
        }
        if positive.len() != x.rows() {
            return Err(Error::Length {
                what: "labels",
                found: positive.len(),
                expected: x.rows(),
            });
        }
        check_finite(&x)?;
        let (columns, weights) = (Columns::numbers(x.cols()), vec![1.0; x.rows()]);
        Ok(Self { x, columns, positive, weights })
    }

    /// Says what the columns are, where they are not all numbers and features of their own.
    pub fn with_columns(mut self, columns: Columns) -> Result<Self, Error> {
        columns.check(&self.x)?;
        self.columns = columns;
        Ok(self)
    }

    /// Gives every sample a weight in the likelihood: 2 counts like two copies, 0 leaves it out.
    pub fn with_sample_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        if weights.len() != self.x.rows() {
            return Err(Error::Length {
                what: "sample weights",
                found: weights.len(),
                expected: self.x.rows(),
            });
        }
        if let Some(bad) = weights.iter().find(|w| !(**w >= 0.0 && w.is_finite())) {
            return Err(Error::Setting {
                name: "sample weight",
                value: bad.to_string(),
                allowed: "finite and not negative",
            });
        }
        self.weights = weights;
        Ok(self)
    }

    /// The samples, one row each.
    pub fn x(&self) -> &Matrix {
        &self.x
    }

    /// What the columns are.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Whether each sample belongs to the positive class.
    pub fn positive(&self) -> &[bool] {
        &self.positive
    }

    /// The likelihood weight of each sample.
    pub fn sample_weights(&self) -> &[f64] {
        &self.weights
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.x.rows()
    }

    /// Whether there is no sample (never true for a checked data set).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The given rows as a data set of their own.
    pub fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        if rows.is_empty() {
            return Err(Error::Empty { rows: 0, cols: self.x.cols() });
        }
        Ok(self.weighted(rows, rows.iter().map(|&i| self.weights[i]).collect()))
    }

    /// The given features, ascending, as a data set of their own, and which columns these are.
    pub fn select_features(&self, features: &[usize]) -> (Self, Vec<usize>) {
        let (columns, selected) = self.columns.select(features);
        let x = self.x.select_columns(&selected);
        let (positive, weights) = (self.positive.clone(), self.weights.clone());
        (Self { x, columns, positive, weights }, selected)
    }

    /// The given rows with other weights, all above 0.
    pub(crate) fn weighted(&self, rows: &[usize], weights: Vec<f64>) -> Self {
        let positive = rows.iter().map(|&i| self.positive[i]).collect();
        Self { x: self.x.select_rows(rows), columns: self.columns.clone(), positive, weights }
    }

    /// What the samples of the negative and of the positive class are multiplied by.
    pub fn class_factors(&self, weights: ClassWeights) -> (f64, f64) {
        match weights {
            ClassWeights::Equal => (1.0, 1.0),
            ClassWeights::Balanced => {
                let (negative, positive) = (self.total_weight(false), self.total_weight(true));
                let all = positive + negative;
                (all / (2.0 * negative), all / (2.0 * positive))
            }
            ClassWeights::Given { negative, positive } => (negative, positive),
        }
    }

    /// The factors of the classes as numbers, so that they are the same for some of the samples.
    pub(crate) fn fixed_factors(&self, weights: ClassWeights) -> ClassWeights {
        match weights {
            ClassWeights::Balanced => {
                let (negative, positive) = self.class_factors(weights);
                ClassWeights::Given { negative, positive }
            }
            other => other,
        }
    }

    /// The same samples with every weight multiplied by the factor of its class: what a method
    /// without class weights of its own is given.
    pub fn with_class_weights(mut self, weights: ClassWeights) -> Self {
        let (negative, positive) = self.class_factors(weights);
        for (weight, class) in self.weights.iter_mut().zip(&self.positive) {
            *weight *= if *class { positive } else { negative };
        }
        self
    }

    /// Log odds of the positive class where nothing else is known.
    pub(crate) fn log_odds_of_shares(&self, weights: ClassWeights) -> f64 {
        let (negative, positive) = self.class_factors(weights);
        let (negative, positive) =
            (negative * self.total_weight(false), positive * self.total_weight(true));
        log_odds(positive / (negative + positive))
    }

    fn total_weight(&self, class: bool) -> f64 {
        let in_class = self.positive.iter().zip(&self.weights);
        in_class.filter(|(p, _)| **p == class).map(|(_, w)| w).sum()
    }

    /// Refuses data with fewer than `needed` samples in a class. Rows of weight 0 do not count; one
    /// row of weight 2 counts like two rows.
    pub fn check_classes(&self, needed: usize) -> Result<(), Error> {
        let count = |class| {
            let in_class = self.positive.iter().zip(&self.weights);
            let rows = in_class.filter(|(p, w)| **p == class && **w > 0.0).count();
            rows.max(self.total_weight(class) as usize)
        };
        let (positive, negative) = (count(true), count(false));
        if positive < needed || negative < needed {
            return Err(Error::TooFewInClass { positive, negative, needed });
        }
        Ok(())
    }
}

/// Refuses a value that is neither a finite number nor a gap, with its place.
pub(crate) fn check_finite(x: &Matrix) -> Result<(), Error> {
    (0..x.cols()).try_for_each(|col| check_column(x, col))
}

fn check_column(x: &Matrix, col: usize) -> Result<(), Error> {
    let column = x.column(col);
    match column.iter().position(|v| v.is_infinite()) {
        Some(row) => Err(Error::NotFinite { row, col, value: column[row] }),
        None => Ok(()),
    }
}
