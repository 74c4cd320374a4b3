//! exp over whole slices, vectorised by the compiler for whatever the processor offers.
//!
//! For speed, and for bits that do not depend on the system's mathematical library.

use super::vectorised::vectorised;
use std::f64::consts::FRAC_PI_8;

/// Below this the result is taken as 0: e^-708 is the smallest normal number.
const SMALLEST: f64 = -708.0;
/// Adding and subtracting 1.5·2⁵² rounds to the nearest integer, and leaves it in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Arguments above this are not told apart (only a smoothed truncation, which lets weights become
/// negative, gets there).
const LARGEST: f64 = 700.0;

/// e^x for x ≤ 700, without branches.
///
/// x = n ln 2 + r with |r| ≤ ½ ln 2, e^r by its Taylor series up to r¹³ (relative error below
/// 1e-16), 2ⁿ by writing n into the exponent bits.
#[inline(always)]
pub(crate) fn exp_branch_free(x: f64) -> f64 {
    let clamped = x.clamp(SMALLEST, LARGEST);
    let shifted = clamped.mul_add(std::f64::consts::LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    let r = n.mul_add(-LN2_LOW, n.mul_add(-LN2_HIGH, clamped));
    const C: [f64; 12] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
    ];
    let mut p = C[0];
    for c in &C[1..] {
        p = p.mul_add(r, *c);
    }
    let e = (p * r).mul_add(r, r) + 1.0;
    let power = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    if x < SMALLEST { 0.0 } else { e * power }
}

vectorised! {
    fn moderate(out: &'a mut [f64], decision: &'a [f64], variance: &'a [f64]) {
        for ((p, f), v) in out.iter_mut().zip(decision).zip(variance) {
            let z = f / (1.0 + FRAC_PI_8 * v).sqrt();
            let e = exp_branch_free(-z.abs());
            *p = (if z >= 0.0 { 1.0 } else { e }) / (1.0 + e);
        }
    }
}

/// σ(f / √(1 + πv/8)) for each pair of a decision value and its variance: the logistic function
/// averaged over N(f, v).
pub fn moderated_all(decision: &[f64], variance: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; decision.len()];
    moderate(&mut out, decision, variance);
    out
}

vectorised! {
    /// Replaces each inner product gᵢ by exp(−(aᵢ + b − 2 gᵢ)).
    pub fn exp_of_distances(products: &'a mut [f64], a: &'a [f64], b: f64) {
        for (g, a) in products.iter_mut().zip(a) {
            *g = exp_branch_free(2.0 * *g - a - b);
        }
    }
}

vectorised! {
    /// Adds factor · exp(−rate (xᵢ − centre)²) to each sum.
    pub(crate) fn add_bells(sums: &'a mut [f64], x: &'a [f64], centre: f64, rate: f64, factor: f64) {
        for (sum, x) in sums.iter_mut().zip(x) {
            let apart = x - centre;
            *sum += factor * exp_branch_free(-rate * apart * apart);
        }
    }
}

vectorised! {
    /// Distances to some points, of which the least are kept.
    fn keep_nearest(
        nearest: &'a mut [f64],
        x: &'a [&'a [f64]],
        points: &'a [f64],
        weights: &'a [f64],
        differing: bool
    ) {
        let mut squared = vec![0.0; nearest.len()];
        for point in points.chunks_exact(x.len()) {
            squared.fill(0.0);
            for ((x, z), weight) in x.iter().zip(point).zip(weights) {
                for (sum, x) in squared.iter_mut().zip(*x) {
                    *sum += weight * (x - z) * (x - z);
                }
            }
            for (nearest, squared) in nearest.iter_mut().zip(&squared) {
                let passed_over = differing & (*squared == 0.0);
                *nearest = if (*squared < *nearest) & !passed_over { *squared } else { *nearest };
            }
        }
    }
}

/// The least Σₖ wₖ (xᵢₖ − zₖ)² over some points z, which are given one after the other, for each row of
/// some columns; points at distance 0 are passed over if `differing`. Infinite where no point is left.
pub(crate) fn nearest(
    x: &[&[f64]],
    points: &[f64],
    weights: &[f64],
    rows: usize,
    differing: bool,
) -> Vec<f64> {
    let mut nearest = vec![f64::INFINITY; rows];
    if !x.is_empty() {
        keep_nearest(&mut nearest, x, points, weights, differing);
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::sigmoid;

    #[test]
    fn agrees_with_the_standard_library() {
        for k in -20_000..200_000 {
            let x = -f64::from(k) * 0.004;
            let (ours, std) = (exp_branch_free(x), x.exp());
            let expected = if x < SMALLEST { 0.0 } else { std };
            assert!((ours - expected).abs() <= 4e-16 * expected, "{x}: {ours:e} {std:e}");
        }
        let decision = [-800.0, -30.0, -1e-3, 0.0, 2.0, 900.0];
        let variance = [0.0, 4.0, 0.5, 3.0, 1e9, 0.1];
        for ((p, f), v) in moderated_all(&decision, &variance).iter().zip(decision).zip(variance) {
            let expected = sigmoid(f / (1.0 + FRAC_PI_8 * v).sqrt());
            assert!((p - expected).abs() <= 4e-16 * expected, "{f}: {p:e} {expected:e}");
            assert_eq!(*p >= 0.5, f >= 0.0);
        }
        assert_eq!(exp_branch_free(0.0), 1.0);
        assert_eq!(exp_branch_free(f64::NEG_INFINITY), 0.0);
    }
}
