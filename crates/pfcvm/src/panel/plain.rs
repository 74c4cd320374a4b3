//! Two linear fits without selection, for features already chosen. They err in different ways, so
//! their mean is better than either: the equal machine leans on directions in which the data vary
//! most, the ridge does not.

use super::bias::{precisions, shared_precision, with_bias};
use super::member::{kernel, mean_square_sum, sample_columns};
use crate::Matrix;
use crate::algebra::{self, Work, moderated_all, sigmoid};
use crate::posterior::{Covariance, Laplace, Likelihood, Objective, Prior, covariance};
use serde::{Deserialize, Serialize};

/// Rounds of a precision and its weights.
const MAX_ROUNDS: usize = 100;
/// Newton steps per round.
const MAX_STEPS: usize = 10;
/// Settled when the log evidence moves by less than this, relatively.
const TOLERANCE: f64 = 1e-4;

/// f(x) = b + Σₖ vₖ xₖ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    pub bias: f64,
    pub weights: Vec<f64>,
}

impl Linear {
    pub fn decision(&self, x: &Matrix) -> Vec<f64> {
        let mut f = algebra::times_vector(x, &self.weights, &Work::default());
        f.iter_mut().for_each(|f| *f += self.bias);
        f
    }

    /// σ(f).
    pub fn probability(&self, x: &Matrix) -> Vec<f64> {
        self.decision(x).iter().map(|f| sigmoid(*f)).collect()
    }

    /// What is left when a fit broke down: the share of the classes.
    fn bias_only(likelihood: &Likelihood, features: usize) -> Self {
        let total = |sign: f64| -> f64 {
            let rows = likelihood.signs.iter().zip(&likelihood.weights);
            rows.filter(|(y, _)| **y == sign).map(|(_, w)| w).sum()
        };
        Self { bias: (total(1.0) / total(-1.0)).ln(), weights: vec![0.0; features] }
    }
}

/// One round after another: the mode of u under a precision that all weights share, then the
/// precision by MacKay's rule, until the log evidence settles. The first `free` weights may have
/// any sign. Gives u and the precision.
fn settle(
    columns: &Matrix,
    likelihood: &Likelihood,
    free: usize,
    start: f64,
    work: &mut Work,
) -> Option<(Vec<f64>, f64)> {
    let n = columns.cols() - 1;
    let (mut u, mut shared) = (vec![0.0; n + 1], start);
    let mut f = vec![0.0; columns.rows()];
    let mut previous: Option<f64> = None;
    for _ in 0..MAX_ROUNDS {
        let all = precisions(shared, n);
        let objective = Objective { likelihood, prior: Prior::new(&all, free) };
        for _ in 0..MAX_STEPS {
            if objective.linear_step(columns, 0.0, &mut u, &mut f, work)?.settled {
                break;
            }
        }
        let c = likelihood.curvature(&f);
        let posterior = Laplace::at(columns, &c, &u, &objective.prior, work)?;
        let evidence = likelihood.log(&f) + posterior.log_evidence;
        if previous.is_some_and(|p| (evidence - p).abs() < TOLERANCE * p.abs().max(1.0)) {
            break;
        }
        previous = Some(evidence);
        shared = shared_precision(&u, shared, &posterior);
    }
    Some((u, shared))
}

/// The machine with equal feature weights θ = 1/K: w ≥ 0 over all samples, vₖ = Σᵢ wᵢyᵢxᵢₖ / K.
pub(super) fn equal(x: &Matrix, likelihood: &Likelihood, work: &mut Work) -> Linear {
    let share = 1.0 / x.cols() as f64;
    let values = kernel(x, &vec![share; x.cols()], work);
    let phi = sample_columns(&values, &likelihood.signs);
    let Some((w, _)) = settle(&phi, likelihood, 1, mean_square_sum(&values), work) else {
        return Linear::bias_only(likelihood, x.cols());
    };
    let signed: Vec<f64> =
        w[1..].iter().zip(&likelihood.signs).map(|(w, y)| share * w * y).collect();
    Linear { bias: w[0], weights: algebra::transpose_times_vector(x, &signed, work) }
}

/// Gaussian weights v under one precision, with their covariance (bias first).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ridge {
    pub linear: Linear,
    pub covariance: Option<Covariance>,
}

impl Ridge {
    pub fn fit(x: &Matrix, likelihood: &Likelihood, work: &mut Work) -> Self {
        let k = x.cols();
        let columns = with_bias(x);
        let Some((u, shared)) = settle(&columns, likelihood, k + 1, k as f64, work) else {
            return Self { linear: Linear::bias_only(likelihood, k), covariance: None };
        };
        let linear = Linear { bias: u[0], weights: u[1..].to_vec() };
        let c = likelihood.curvature(&linear.decision(x));
        let all = precisions(shared, k);
        let covariance = covariance(&columns, &c, &u, &Prior::new(&all, k + 1), work);
        Self { linear, covariance }
    }

    /// The logistic function averaged over the posterior of f.
    pub fn probability(&self, x: &Matrix) -> Vec<f64> {
        let f = self.linear.decision(x);
        let Some(covariance) = &self.covariance else {
            return f.iter().map(|f| sigmoid(*f)).collect();
        };
        let variance = covariance.variance_along(&with_bias(x), &mut Work::default());
        moderated_all(&f, &variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Matrix, Likelihood) {
        let x = Matrix::from_fn(12, 3, |i, k| ((7 * i + 5 * k) as f64).sin());
        let signs = (0..12).map(|i| if x.get(i, 0) + 0.3 * x.get(i, 1) > 0.1 { 1.0 } else { -1.0 });
        let signs = signs.collect();
        (x, Likelihood { signs, weights: vec![1.0; 12] })
    }

    /// At the mode of the ridge, Xᵀ(t−σ) = λ v, so both point the same way.
    #[test]
    fn the_ridge_is_at_its_mode() {
        let (x, likelihood) = example();
        let mut work = Work::default();
        let ridge = Ridge::fit(&x, &likelihood, &mut work);
        let residual = likelihood.residual(&ridge.linear.decision(&x));
        let pull = algebra::transpose_times_vector(&x, &residual, &work);
        let ratio = pull[0] / ridge.linear.weights[0];
        assert!(ratio > 0.0);
        for (p, v) in pull.iter().zip(&ridge.linear.weights) {
            assert!((p - ratio * v).abs() < 1e-3 * (ratio * v).abs().max(1e-3), "{p} {v} {ratio}");
        }
    }

    #[test]
    fn both_fits_learn_and_uncertainty_draws_to_one_half() {
        let (x, likelihood) = example();
        let mut work = Work::default();
        let ridge = Ridge::fit(&x, &likelihood, &mut work);
        let equal = equal(&x, &likelihood, &mut work);
        let (mean, mode) = (ridge.probability(&x), ridge.linear.probability(&x));
        for (p, q) in mean.iter().zip(&mode) {
            assert!((p - 0.5).abs() <= (q - 0.5).abs() && (*p >= 0.5) == (*q >= 0.5));
        }
        assert!(likelihood.log(&equal.decision(&x)) > 12.0 * 0.5f64.ln());
        assert!(likelihood.log(&ridge.linear.decision(&x)) > 12.0 * 0.5f64.ln());
    }
}
