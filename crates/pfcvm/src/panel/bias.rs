//! The bias in front of weights that share a precision.

use crate::Matrix;
use crate::evidence;
use crate::posterior::{BIAS_PRECISION, Laplace};

/// Range of a shared precision.
const RANGE: (f64, f64) = (1e-8, 1e12);

/// The precisions of the bias and of `n` weights that share theirs.
pub(super) fn precisions(shared: f64, n: usize) -> Vec<f64> {
    let mut all = vec![shared; n + 1];
    all[0] = BIAS_PRECISION;
    all
}

/// The precision that all weights but the bias share, by MacKay's rule.
pub(super) fn shared_precision(u: &[f64], shared: f64, posterior: &Laplace) -> f64 {
    let all = precisions(shared, u.len() - 1);
    evidence::shared(&all, 1, u, posterior, 1e-12).clamp(RANGE.0, RANGE.1)
}

/// [1, J]: a column of ones, for the bias, in front.
pub(super) fn with_bias(columns: &Matrix) -> Matrix {
    Matrix::from_fn(columns.rows(), 1, |_, _| 1.0).append_columns(columns)
}
