//! Sparse Bayesian learning on any matrix of basis functions: the logistic likelihood, a Gaussian
//! prior with a precision of its own for every weight, precisions from Laplace's evidence
//!
//! log p(t | α) ≈ ℓ(Φw) − ½ wᵀAw + ½ log|A| − ½ log|ΦᵀCΦ + A| at the mode w.

mod batch;
mod fast;
mod mode;

pub(crate) use batch::reestimate;
pub(crate) use fast::{PATIENCE, Rules, Start, select, select_from};
pub(crate) use mode::Mode;

use pfcvm::posterior::Covariance;
use pfcvm::{Matrix, Termination};

/// What is left of a set of basis functions.
pub(crate) struct Selection {
    /// Kept columns, ascending.
    pub active: Vec<usize>,
    /// The mode over them.
    pub weights: Vec<f64>,
    /// The precisions.
    pub precisions: Vec<f64>,
    /// The posterior covariance.
    pub covariance: Covariance,
    /// Log evidence and number of kept columns after every iteration.
    pub trace: Vec<(f64, usize)>,
    pub termination: Termination,
}

/// Gives every column unit length, so that nothing depends on the scale of a basis function, and
/// returns the lengths (1 for a column of zeros).
pub(crate) fn normalise(columns: &mut Matrix) -> Vec<f64> {
    let unit = |column: &mut [f64]| {
        let largest = column.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let sum: f64 = column.iter().map(|v| (v / largest).powi(2)).sum();
        let length = largest * sum.sqrt();
        if !(length > 0.0 && length.is_finite()) {
            column.fill(0.0);
            return 1.0;
        }
        column.iter_mut().for_each(|v| *v /= length);
        length
    };
    (0..columns.cols()).map(|j| unit(columns.column_mut(j))).collect()
}
