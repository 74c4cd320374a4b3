//! Gaussians truncated to u ≥ 0: how far one is from another (`sec:KLD`).

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// Where s + N(s)/Φ(s), the difference of two numbers of size s, leaves too few digits.
const FAR: f64 = -50.0;

/// KL(q‖p) of a Gaussian with the given mean and precision to one with mean 0 and another
/// precision, both truncated to u ≥ 0.
///
/// With s = mean·√precision, ρ = prior/precision, λ = N(s)/Φ(s) and d = s² + sλ it is
///
/// ½ [ρ − 1 − ln ρ + (1 + ρ) d] − ln erfcx(−s/√2) for s < 0,
///
/// ½ [ρ − 1 − ln ρ + ρ d + sλ] − ln erfc(−s/√2) for s ≥ 0,
///
/// which is the paper's formula (with ln q − ln p for its ratio of logarithms, and erfc of
/// −θ√(β/2) for its −θβ/2) put so that nothing large cancels.
pub fn truncated_divergence(mean: f64, precision: f64, prior: f64) -> f64 {
    let (s, rho) = (mean * precision.sqrt(), prior / precision);
    let x = -s * FRAC_1_SQRT_2;
    let common = 0.5 * (rho - 1.0 - rho.ln());
    if s < 0.0 {
        let scaled = pxfm::f_erfcx(x);
        let hazard = FRAC_2_SQRT_PI * FRAC_1_SQRT_2 / scaled;
        let r = 1.0 / (s * s);
        let d = match s < FAR {
            true => -1.0 + r * (2.0 - r * (10.0 - 74.0 * r)),
            false => s * (s + hazard),
        };
        common + 0.5 * (1.0 + rho) * d - scaled.ln()
    } else {
        let sides = pxfm::f_erfc(x);
        let pull = s * FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * (-x * x).exp() / sides;
        common + 0.5 * (rho * (s * s + pull) + pull) - sides.ln()
    }
}

/// The precision of a truncated Gaussian with the given mean that is nearest to a prior: the
/// paper's proposal of where β should start. Golden section on log β; where the mean is 0 it is the
/// prior's.
pub fn least_divergence(mean: f64, prior: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let at = |log: f64| truncated_divergence(mean, log.exp(), prior);
    // Far from 0 the best precision is near the prior's, or what the mean itself suggests.
    let around = [prior.ln(), -2.0 * mean.abs().max(1e-150).ln()];
    let mut low = around[0].min(around[1]) - 3.0;
    let mut high = around[0].max(around[1]) + 3.0;
    // The curve may have two dips: the best of a fine row of points, then the bracket around it.
    let step = (high - low) / 200.0;
    let best = (0..=200)
        .map(|k| low + step * f64::from(k))
        .min_by(|a, b| at(*a).total_cmp(&at(*b)))
        .unwrap_or(low);
    (low, high) = (best - step, best + step);
    while high - low > 1e-9 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if at(left) < at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (0.5 * (low + high)).exp()
}
