//! What everything the panel fits has in common: the prior, one projected Newton step, and the rule
//! for a precision that all weights share.

use crate::Matrix;
use crate::linalg::{self, Work};
use crate::posterior::{Laplace, Likelihood, Precision, Prior};
use crate::settings::Truncation;

/// Precision of the bias: fixed, wide.
const BIAS_PRECISION: f64 = 0.01;
/// Halvings of a step before it is given up.
const HALVINGS: usize = 20;
/// A step may lose this much of the objective to rounding.
const ROUNDING: f64 = 1e-12;

/// Gaussian weights with mean 0: the first `free` of any sign, the others not negative.
pub(super) fn prior(precisions: &[f64], free: usize) -> Prior<'_> {
    Prior { precisions, means: &[], truncation: Truncation::Exact, first: free }
}

/// The precisions of the bias and of `n` weights that share theirs.
pub(super) fn precisions(shared: f64, n: usize) -> Vec<f64> {
    let mut all = vec![shared; n + 1];
    all[0] = BIAS_PRECISION;
    all
}

/// MacKay's rule for a precision that all weights but the bias share: a = Σγ / Σu².
pub(super) fn shared_precision(u: &[f64], shared: f64, posterior: &Laplace) -> f64 {
    let inside = (1..u.len()).filter(|&i| posterior.interior[i]);
    let determined: f64 = inside.map(|i| 1.0 - shared * posterior.variances[i]).sum();
    let squares: f64 = u[1..].iter().map(|u| u * u).sum();
    (determined.max(1e-3) / squares.max(1e-12)).clamp(1e-8, 1e12)
}

/// [1, J]: a column of ones, for the bias, in front.
pub(super) fn with_bias(columns: &Matrix) -> Matrix {
    Matrix::from_fn(columns.rows(), 1, |_, _| 1.0).append_columns(columns)
}

/// What a step maximises: Q(u) = ℓ(offset + J u) + log p(u).
pub(super) struct Objective<'a> {
    /// J.
    pub columns: &'a Matrix,
    pub offset: f64,
    pub likelihood: &'a Likelihood,
    pub prior: Prior<'a>,
}

impl Objective<'_> {
    /// offset + J u.
    pub fn decision(&self, u: &[f64], work: &Work) -> Vec<f64> {
        let mut f = linalg::times_vector(self.columns, u, work);
        f.iter_mut().for_each(|f| *f += self.offset);
        f
    }

    fn value(&self, u: &[f64], f: &[f64]) -> f64 {
        self.likelihood.log(f) + self.prior.log(u)
    }

    /// Moves u along H⁻¹ g over the coordinates that may move, H = JᵀCJ + A, halving the step
    /// until Q does not fall. True when Q has settled. Nothing when the algebra broke down.
    pub fn step(&self, u: &mut Vec<f64>, work: &mut Work) -> Option<bool> {
        let f = self.decision(u, work);
        let residual = self.likelihood.residual(&f);
        let mut gradient = linalg::transpose_times_vector(self.columns, &residual, work);
        for (i, g) in gradient.iter_mut().enumerate() {
            *g -= self.prior.precisions[i] * u[i];
        }
        let held = |i: usize| i >= self.prior.first && u[i] <= 0.0 && gradient[i] <= 0.0;
        let free: Vec<usize> = (0..u.len()).filter(|&i| !held(i)).collect();
        let diagonal = free.iter().map(|&i| self.prior.precisions[i]).collect();
        let c = self.likelihood.curvature(&f);
        let precision = Precision::new(self.columns, &c, &free, diagonal, work)?;
        let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
        let direction = precision.solve(&g, work);
        if !direction.iter().all(|d| d.is_finite()) {
            return None;
        }
        let start = self.value(u, &f);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let moved = self.moved(u, &free, &direction, length);
            let value = self.value(&moved, &self.decision(&moved, work));
            if value >= start - ROUNDING {
                *u = moved;
                return Some((value - start).abs() < 1e-6 * start.abs());
            }
            length /= 2.0;
        }
        Some(true)
    }

    fn moved(&self, u: &[f64], free: &[usize], direction: &[f64], length: f64) -> Vec<f64> {
        let mut moved = u.to_vec();
        for (&i, d) in free.iter().zip(direction) {
            moved[i] += length * d;
            if i >= self.prior.first {
                moved[i] = moved[i].max(0.0);
            }
        }
        moved
    }
}
