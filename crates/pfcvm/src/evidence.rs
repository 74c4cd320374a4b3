//! New precisions from the evidence (`eq:hyperup`, `eq:hyperup1`).

use crate::posterior::Laplace;
use crate::settings::{Hyperprior, PrecisionRule};

/// Precisions stay in this range, whatever the data.
const SAMPLE_CEILING: f64 = 1e12;
const FEATURE_RANGE: (f64, f64) = (1e-8, 1e14);

/// How one family of precisions is updated.
#[derive(Clone, Copy)]
pub(crate) struct Update {
    pub rule: PrecisionRule,
    pub hyperprior: Hyperprior,
    /// Exponent of the step in the logarithm.
    pub damping: f64,
}

impl Update {
    /// The new value of one precision `a` whose weight has mode `u` and variance `v`.
    fn one(&self, a: f64, u: f64, v: f64) -> f64 {
        let Hyperprior { c, d } = self.hyperprior;
        let proposal = match self.rule {
            PrecisionRule::MacKay => (determined(a, v) + 2.0 * c) / (u * u + 2.0 * d).max(1e-300),
            PrecisionRule::Em => (1.0 + 2.0 * c) / (u * u + v + 2.0 * d).max(1e-300),
            PrecisionRule::Shared | PrecisionRule::Fixed => a,
        };
        a.powf(1.0 - self.damping) * proposal.min(1e280).powf(self.damping)
    }
}

/// γ = 1 − a Σ: how far the data determine a weight, between 0 (not at all) and 1.
pub(crate) fn determined(precision: f64, variance: f64) -> f64 {
    (1.0 - precision * variance).max(1e-12)
}

/// New feature precisions β; `directions` says in how many noise can raise each weight.
pub(crate) fn update_features(
    beta: &mut [f64],
    theta: &[f64],
    posterior: &Laplace,
    update: &Update,
    directions: impl Fn(usize) -> usize,
) {
    if update.rule == PrecisionRule::Shared {
        let shared = shared(beta, 0, theta, posterior, 1e-300);
        beta.fill(shared);
    } else {
        for k in (0..beta.len()).filter(|&k| posterior.interior[k]) {
            let hyperprior = update.hyperprior.in_directions(directions(k));
            let update = Update { hyperprior, ..*update };
            beta[k] = update.one(beta[k], theta[k], posterior.variances[k]);
        }
    }
    for b in beta {
        *b = b.clamp(FEATURE_RANGE.0, FEATURE_RANGE.1);
    }
}

/// New sample precisions α, never below `floor`. The bias keeps its own.
pub(crate) fn update_samples(
    alpha: &mut [f64],
    w: &[f64],
    posterior: &Laplace,
    update: &Update,
    floor: f64,
) {
    if update.rule == PrecisionRule::Shared {
        let shared = shared(alpha, 1, w, posterior, 1e-12);
        alpha[1..].fill(shared);
    } else {
        for j in (1..alpha.len()).filter(|&j| posterior.interior[j]) {
            alpha[j] = update.one(alpha[j], w[j], posterior.variances[j]);
        }
    }
    for a in &mut alpha[1..] {
        *a = a.clamp(floor, SAMPLE_CEILING);
    }
}

/// One precision for all from `first` on: Σγ / Σu² over the interior, Σu² at least `least`.
pub(crate) fn shared(a: &[f64], first: usize, u: &[f64], posterior: &Laplace, least: f64) -> f64 {
    let (mut gamma, mut squares) = (0.0, 0.0);
    for j in (first..a.len()).filter(|&j| posterior.interior[j]) {
        gamma += 1.0 - a[j] * posterior.variances[j];
        squares += u[j] * u[j];
    }
    gamma.max(1e-3) / f64::max(squares, least)
}
