//! Modes and Laplace covariances of the sample weights w and the feature weights θ.
//!
//! Both halves of the model are the same problem: maximise
//! Q(u) = ℓ(f(u)) − ½ Σ aᵢuᵢ² + Σ log 1(uᵢ ≥ 0), with f linear (w) or linearised (θ), so that the
//! negative Hessian is H = JᵀCJ + diag(a) with J = Φ or J = D.
//!
//! - [`Likelihood`] and [`Prior`] are what a mode balances; [`Objective`] finds it, step by step or
//!   to the end.
//! - [`Precision`] is H, factored in the smaller of its two spaces, and [`Covariance`] its inverse.
//! - [`Laplace`] is the Gaussian around the mode, with its part of the evidence.

mod bounded;
mod classes;
mod lasting;
mod likelihood;
mod mode;
mod precision;
mod step;

pub(crate) use classes::Classes;
pub use classes::Observed;
pub(crate) use lasting::{Lasting, WithLasting};
pub use likelihood::{Likelihood, Prior};
pub use mode::{Mode, Objective, Step, decision};
pub use precision::{Columns, Covariance, Precision};
pub(crate) use step::{slopes, step_features, step_samples};

use crate::algebra::Work;

/// Precision of the bias: fixed, wide.
pub const BIAS_PRECISION: f64 = 0.01;

/// The Laplace approximation of one half of the model (`sec:PFCVM:lap`) and its part of the marginal
/// likelihood (`eq:marginal2` at the mode).
pub struct Laplace {
    /// Posterior variance of each coordinate, 0 for those at the bound.
    pub variances: Vec<f64>,
    /// Whether each coordinate is inside the constraint.
    pub interior: Vec<bool>,
    /// Its part of the log evidence: log p(u) + ½ log|A| − ½ log|H|.
    pub log_evidence: f64,
}

impl Laplace {
    /// At the mode u, with curvature `c` of the likelihood.
    pub fn at(
        columns: &impl Columns,
        c: &[f64],
        u: &[f64],
        prior: &Prior,
        work: &mut Work,
    ) -> Option<Self> {
        let free = prior.interior(u);
        let precision = Precision::new(columns, c, &free, prior.diagonal(u, &free), work)?;
        let mut variances = vec![0.0; u.len()];
        let mut interior = vec![false; u.len()];
        for (&i, v) in free.iter().zip(precision.covariance(work).variances()) {
            variances[i] = v;
            interior[i] = true;
        }
        let log_det_prior: f64 = free.iter().map(|&i| prior.precisions[i].ln()).sum();
        let log_evidence = prior.log(u) + 0.5 * (log_det_prior - precision.log_det());
        Some(Self { variances, interior, log_evidence })
    }
}

/// The covariance over the interior coordinates, for prediction.
pub fn covariance(
    columns: &impl Columns,
    c: &[f64],
    u: &[f64],
    prior: &Prior,
    work: &mut Work,
) -> Option<Covariance> {
    let free = prior.interior(u);
    let precision = Precision::new(columns, c, &free, prior.diagonal(u, &free), work)?;
    Some(precision.covariance(work))
}
