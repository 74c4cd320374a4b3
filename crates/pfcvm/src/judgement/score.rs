//! What a feature is worth on rows that did not train it, and whether that can be chance.
//!
//! Each row was held out once. Of the machine that did not see it there is f with the feature and
//! f₀ without it, settled again. If the feature says nothing, f − f₀ has nothing to do with what
//! f₀ leaves unexplained:
//!
//! z = Σ hᵢ rᵢ / √(Σ ρᵢ² p₀(1−p₀) hᵢ²), rᵢ = ρᵢ (tᵢ − p₀ᵢ),
//!
//! with p₀ the most likely straight line in f₀ for the log odds, and h what is left of f − f₀ after
//! the part that 1 and f₀ explain (weighted by ρ p₀(1−p₀)). The direction was learned from other
//! rows, so z is about standard normal where the feature says nothing; where a fold's machine does not keep the
//! feature, its rows add nothing to either sum.

use super::calibration::straight_line;

/// What held-out rows say of one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Score {
    /// The test.
    pub z: f64,
    /// Rise of the mean −log p without the feature.
    pub importance: f64,
    /// Its standard error.
    pub error: f64,
}

/// Of decision values with and without a feature; `losses` is −log p of each row with all features.
pub(crate) fn score(
    with: &[f64],
    without: &[f64],
    losses: &[f64],
    positive: &[bool],
    weights: &[f64],
) -> Score {
    let p = straight_line(without, positive, weights);
    let curve: Vec<f64> =
        p.iter().zip(weights).map(|(p, w)| w * (p * (1.0 - p)).max(1e-12)).collect();
    let gain: Vec<f64> = with.iter().zip(without).map(|(with, without)| with - without).collect();
    let left = residual(&gain, without, &curve);
    let (mut sum, mut variance) = (0.0, 0.0);
    for i in 0..left.len() {
        sum += left[i] * weights[i] * (f64::from(positive[i]) - p[i]);
        variance += weights[i] * curve[i] * left[i] * left[i];
    }
    let z = if variance > 0.0 { sum / variance.sqrt() } else { 0.0 };
    let loss = |i: usize| -(if positive[i] { p[i] } else { 1.0 - p[i] }).max(1e-300).ln();
    let rises: Vec<f64> = (0..p.len()).map(|i| loss(i) - losses[i]).collect();
    let total: f64 = weights.iter().sum();
    let importance = rises.iter().zip(weights).map(|(r, w)| r * w).sum::<f64>() / total;
    let square =
        rises.iter().zip(weights).map(|(r, w)| w * w * (r - importance).powi(2)).sum::<f64>();
    Score { z: if z.is_finite() { z } else { 0.0 }, importance, error: square.sqrt() / total }
}

/// What 1 and x leave of y, under weights.
fn residual(y: &[f64], x: &[f64], weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mean = |v: &[f64]| v.iter().zip(weights).map(|(v, w)| v * w).sum::<f64>() / total;
    let (my, mx) = (mean(y), mean(x));
    let xx: f64 = x.iter().zip(weights).map(|(x, w)| w * (x - mx).powi(2)).sum();
    let xy: f64 = (0..x.len()).map(|i| weights[i] * (x[i] - mx) * (y[i] - my)).sum();
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    (0..y.len()).map(|i| y[i] - my - slope * (x[i] - mx)).collect()
}
