//! Weighted means and covariances.

use crate::linalg::product_tn;
use pfcvm::Matrix;

/// The least ridge, in parts of the mean variance: without it a covariance may have no factor.
const LEAST_RIDGE: f64 = 1e-12;

/// Mean and covariance of some samples.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    /// The sum of their weights.
    pub weight: f64,
    pub mean: Vec<f64>,
    pub covariance: Matrix,
}

impl Moments {
    /// Of the rows given, with `ridge` added to each variance.
    pub fn new(x: &Matrix, weights: &[f64], rows: &[usize], ridge: f64) -> Self {
        let weight: f64 = rows.iter().map(|&row| weights[row]).sum();
        let share = Vec::from_iter(rows.iter().map(|&row| weights[row] / weight));
        let mut part = x.select_rows(rows);
        let mut mean = Vec::with_capacity(x.cols());
        for j in 0..x.cols() {
            let column = part.column_mut(j);
            let centre = column.iter().zip(&share).map(|(value, share)| value * share).sum::<f64>();
            let pairs = column.iter_mut().zip(&share);
            pairs.for_each(|(value, share)| *value = (*value - centre) * share.sqrt());
            mean.push(centre);
        }
        let mut covariance = product_tn(&part, &part);
        (0..x.cols()).for_each(|j| covariance.set(j, j, covariance.get(j, j) + ridge));
        Self { weight, mean, covariance }
    }
}

/// A ridge in the units of the coordinates: parts of their mean variance.
pub(super) fn ridge_of(x: &Matrix, weights: &[f64], parts: f64) -> f64 {
    let every = Vec::from_iter(0..x.rows());
    let all = Moments::new(x, weights, &every, 0.0);
    let trace: f64 = (0..x.cols()).map(|j| all.covariance.get(j, j)).sum();
    parts.max(LEAST_RIDGE) * trace / x.cols() as f64
}

/// aᵀb.
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
