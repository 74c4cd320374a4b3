//! What some rows say, and how it adds up.

use crate::matrix::Matrix;
use serde::{Deserialize, Serialize};

/// The parts that some rows have in ℓ, its gradient and its curvature. Coordinates are the weights whose
/// products are all wanted (inner ones) and those of absent features, of which only what a score test needs is (outer).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// Rows that count.
    pub rows: u64,
    /// What they weigh.
    pub weight: f64,
    /// ℓ.
    pub log_likelihood: f64,
    /// Jᵀr, inner coordinates before outer ones.
    pub gradient: Vec<f64>,
    /// The lower triangle of JᵀCJ over the inner coordinates.
    pub gram: Matrix,
    /// JᵀCJ, inner coordinates by outer ones.
    pub cross: Matrix,
    /// The diagonal of JᵀCJ over the outer ones.
    pub squares: Vec<f64>,
}

impl Sums {
    /// Of no rows.
    pub fn none(inner: usize, outer: usize) -> Self {
        Self {
            rows: 0,
            weight: 0.0,
            log_likelihood: 0.0,
            gradient: vec![0.0; inner + outer],
            gram: Matrix::zeros(inner, inner),
            cross: Matrix::zeros(inner, outer),
            squares: vec![0.0; outer],
        }
    }

    /// Adds what other rows say at the same point. Nothing if they were asked about another one.
    #[must_use]
    pub fn add(&mut self, other: &Sums) -> bool {
        let shape = |sums: &Sums| (sums.gradient.len(), sums.gram.cols(), sums.cross.cols());
        if shape(self) != shape(other) {
            return false;
        }
        self.rows += other.rows;
        self.weight += other.weight;
        self.log_likelihood += other.log_likelihood;
        plus(&mut self.gradient, &other.gradient);
        plus(self.gram.as_mut_slice(), other.gram.as_slice());
        plus(self.cross.as_mut_slice(), other.cross.as_slice());
        plus(&mut self.squares, &other.squares);
        true
    }
}

/// Adds numbers to numbers, place by place.
pub(crate) fn plus(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
