//! What the logistic likelihood says of every row, vectorised as in `exp`.
//!
//! With e = exp(−|z|) the logistic function is 1/(1+e) or e/(1+e), and its logarithm −log(1+e) − max(−z, 0).

use super::exp::exp_branch_free;
use super::vectorised::vectorised;
use std::f64::consts::{FRAC_PI_8, LN_2, SQRT_2};

/// Smallest curvature σ(1−σ), so that certain samples do not make C singular.
const LEAST_CURVATURE: f64 = 1e-10;
/// √2 − 1: beyond it log(1+e) is log 2 + log((1+e)/2).
const NEAR: f64 = SQRT_2 - 1.0;

/// log(1+e) for 0 ≤ e ≤ 1, without branches: 2 artanh s by its series, with s = e/(2+e), or of (1+e)/2 in
/// place of 1+e, so that s² < 0.03.
#[inline(always)]
fn log_one_plus(e: f64) -> f64 {
    let near = e < NEAR;
    let (above, below) = if near { (e, 2.0 + e) } else { (e - 1.0, 3.0 + e) };
    let s = above / below;
    let square = s * s;
    let mut sum = 2.0 / 23.0;
    for odd in [21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = square.mul_add(sum, 2.0 / odd);
    }
    s.mul_add(sum, if near { 0.0 } else { LN_2 })
}

/// log σ(z).
#[inline(always)]
fn log_of(z: f64) -> f64 {
    -(log_one_plus(exp_branch_free(-z.abs())) + if z < 0.0 { -z } else { 0.0 })
}

vectorised! {
    fn logs(out: &'a mut [f64], f: &'a [f64], signs: &'a [f64], weights: &'a [f64]) {
        for (((out, f), sign), weight) in out.iter_mut().zip(f).zip(signs).zip(weights) {
            *out = weight * log_of(sign * f);
        }
    }
}

/// ρ log σ(y f) of every row.
pub(crate) fn log_likelihoods(f: &[f64], signs: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; f.len()];
    logs(&mut out, f, signs, weights);
    out
}

vectorised! {
    fn slopes(out: &'a mut [f64], f: &'a [f64], signs: &'a [f64], weights: &'a [f64]) {
        for (((out, f), sign), weight) in out.iter_mut().zip(f).zip(signs).zip(weights) {
            let z = -sign * f;
            let e = exp_branch_free(-z.abs());
            *out = weight * sign * ((if z >= 0.0 { 1.0 } else { e }) / (1.0 + e));
        }
    }
}

/// ρ (t − σ(f)) = ρ y σ(−y f) of every row.
pub(crate) fn residuals(f: &[f64], signs: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; f.len()];
    slopes(&mut out, f, signs, weights);
    out
}

vectorised! {
    fn bends(out: &'a mut [f64], f: &'a [f64], weights: &'a [f64]) {
        for ((out, f), weight) in out.iter_mut().zip(f).zip(weights) {
            let e = exp_branch_free(-f.abs());
            let bend = e / ((1.0 + e) * (1.0 + e));
            *out = weight * if bend < LEAST_CURVATURE { LEAST_CURVATURE } else { bend };
        }
    }
}

/// ρ σ(f) (1 − σ(f)) of every row, kept away from 0.
pub(crate) fn curvatures(f: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; f.len()];
    bends(&mut out, f, weights);
    out
}

vectorised! {
    fn logs_of_moderated(out: &'a mut [f64], f: &'a [f64], variance: &'a [f64], signs: &'a [f64]) {
        for (((out, f), v), sign) in out.iter_mut().zip(f).zip(variance).zip(signs) {
            *out = log_of(sign * f / (1.0 + FRAC_PI_8 * v).sqrt());
        }
    }
}

/// log σ(y f / √(1 + πv/8)) of every row: the logarithm of what [`super::moderated_all`] says of its class.
pub(crate) fn moderated_logs(f: &[f64], variance: &[f64], signs: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; f.len()];
    logs_of_moderated(&mut out, f, variance, signs);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{log_sigmoid, sigmoid};

    #[test]
    fn agree_with_the_functions_of_one_number() {
        let f: Vec<f64> = (-70_000..70_000).map(|k| f64::from(k) * 0.01).collect();
        let signs: Vec<f64> = (0..f.len()).map(|k| if k % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let weights: Vec<f64> = (0..f.len()).map(|k| 0.5 + (k % 7) as f64).collect();
        let found = [
            log_likelihoods(&f, &signs, &weights),
            residuals(&f, &signs, &weights),
            curvatures(&f, &weights),
        ];
        for k in 0..f.len() {
            let (f, y, rho) = (f[k], signs[k], weights[k]);
            let expected = [
                rho * log_sigmoid(y * f),
                rho * y * sigmoid(-y * f),
                rho * (sigmoid(f) * sigmoid(-f)).max(LEAST_CURVATURE),
            ];
            for (found, expected) in found.iter().zip(expected) {
                let found = found[k];
                assert!(
                    (found - expected).abs() <= 2e-15 * expected.abs(),
                    "{f} {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let f = [f64::NAN, f64::INFINITY, -f64::INFINITY];
        let [log, residual] = [log_likelihoods, residuals].map(|of| of(&f, &[1.0; 3], &[1.0; 3]));
        let curvature = curvatures(&f, &[1.0; 3]);
        assert!(log[0].is_nan() && log[1] == 0.0 && log[2] == f64::NEG_INFINITY, "{log:?}");
        assert!(residual[0].is_nan() && residual[1] == 0.0 && residual[2] == 1.0, "{residual:?}");
        assert!(curvature[1..] == [LEAST_CURVATURE; 2], "{curvature:?}");
    }
}
