//! Samples with their classes, checked once, and the scaler that is fitted on them.

mod bend;
mod candidates;
mod canonical;
mod columns;
mod scaler;

pub use bend::{Bend, SHORT_END};
pub(crate) use candidates::{ENOUGH, taken};
pub use canonical::CanonicalRows;
pub use columns::{Columns, Kind};
pub(crate) use scaler::moments_of;
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
    /// The class of each sample: 0 and 1, or more within the crate, for machines that learn together.
    class: Vec<usize>,
    /// How many classes there are.
    classes: usize,
    /// Whether the class is 1: what two classes are asked for.
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
        let class = positive.iter().map(|positive| usize::from(*positive)).collect();
        Ok(Self { x, columns, class, classes: 2, positive, weights })
    }

    /// The same samples in other classes, of any number.
    pub(crate) fn in_classes(mut self, class: Vec<usize>, classes: usize) -> Self {
        self.positive = class.iter().map(|class| *class == 1).collect();
        (self.class, self.classes) = (class, classes);
        self
    }

    /// The samples of one class against all others.
    pub(crate) fn one_against_rest(&self, class: usize) -> Self {
        let own = self.class.iter().map(|c| usize::from(*c == class)).collect();
        self.clone().in_classes(own, 2)
    }

    /// The class of each sample.
    pub(crate) fn class(&self) -> &[usize] {
        &self.class
    }

    /// How many classes there are.
    pub(crate) fn classes(&self) -> usize {
        self.classes
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
        let (class, positive) = (self.class.clone(), self.positive.clone());
        let (classes, weights) = (self.classes, self.weights.clone());
        (Self { x, columns, class, classes, positive, weights }, selected)
    }

    /// The given rows with other weights, all above 0.
    pub(crate) fn weighted(&self, rows: &[usize], weights: Vec<f64>) -> Self {
        let class = rows.iter().map(|&i| self.class[i]).collect();
        let positive = rows.iter().map(|&i| self.positive[i]).collect();
        let (x, columns) = (self.x.select_rows(rows), self.columns.clone());
        Self { x, columns, class, classes: self.classes, positive, weights }
    }

    /// What the samples of the negative and of the positive class are multiplied by.
    pub fn class_factors(&self, weights: ClassWeights) -> (f64, f64) {
        let factors = self.factors(weights);
        (factors[0], factors[1])
    }

    /// What the samples of each class are multiplied by.
    pub(crate) fn factors(&self, weights: ClassWeights) -> Vec<f64> {
        match weights {
            ClassWeights::Given { negative, positive } => vec![negative, positive],
            ClassWeights::Balanced => {
                let of: Vec<f64> = (0..self.classes).map(|k| self.total_weight(k)).collect();
                let all: f64 = of.iter().sum();
                of.iter().map(|of| all / (self.classes as f64 * of)).collect()
            }
            ClassWeights::Equal => vec![1.0; self.classes],
        }
    }

    /// The factors of two classes as numbers, so that they are the same for some of the samples.
    pub(crate) fn fixed_factors(&self, weights: ClassWeights) -> ClassWeights {
        match weights {
            ClassWeights::Balanced if self.classes == 2 => {
                let (negative, positive) = self.class_factors(weights);
                ClassWeights::Given { negative, positive }
            }
            other => other,
        }
    }

    /// Logarithms of the shares of the classes: what is said where nothing else is known.
    pub(crate) fn log_shares(&self, weights: ClassWeights) -> Vec<f64> {
        let factors = self.factors(weights);
        let of: Vec<f64> = (0..self.classes).map(|k| factors[k] * self.total_weight(k)).collect();
        let all: f64 = of.iter().sum();
        of.iter().map(|of| (of / all).ln()).collect()
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
            (negative * self.total_weight(0), positive * self.total_weight(1));
        log_odds(positive / (negative + positive))
    }

    fn total_weight(&self, class: usize) -> f64 {
        let in_class = self.class.iter().zip(&self.weights);
        in_class.filter(|(c, _)| **c == class).map(|(_, w)| w).sum()
    }

    /// Refuses data with fewer than `needed` samples in a class. Rows of weight 0 do not count; one
    /// row of weight 2 counts like two rows.
    pub fn check_classes(&self, needed: usize) -> Result<(), Error> {
        let count = |class| {
            let in_class = self.class.iter().zip(&self.weights);
            let rows = in_class.filter(|(c, w)| **c == class && **w > 0.0).count();
            rows.max(self.total_weight(class) as usize)
        };
        let (positive, negative) = (count(1), count(0));
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
    match x.cells(col).each().find(|(_, v)| v.is_infinite()) {
        Some((row, value)) => Err(Error::NotFinite { row, col, value }),
        None => Ok(()),
    }
}
