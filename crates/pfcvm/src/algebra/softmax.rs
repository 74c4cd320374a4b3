//! One row of probabilities from decision values that are not certain.

use std::f64::consts::PI;

/// The factor of variances of machines that share a row of probabilities: π/8 for the logistic function
/// and a Gaussian, and of that a tenth (see [`moderated_softmax`]).
pub const SHARED_VARIANCE: f64 = PI / 80.0;

/// Probabilities of classes whose decision values fₖ have variances vₖ: the logistic function of the
/// difference of two, averaged over both, is close to σ((fₖ − fⱼ)/√(1 + π s(vₖ+vⱼ)/8)), and
///
/// pₖ ∝ 1 / Σⱼ exp(−(fₖ − fⱼ) / √(1 + π s(vₖ+vⱼ)/8)),
///
/// which is exp fₖ / Σ exp fⱼ where nothing is uncertain. The variances are those of each machine with
/// the others held fast, and hold directions in which all decision values move together, which say
/// nothing of the classes; a share s = 1/10 of them is what suits rows that did not train
/// (`docs/research.md`).
pub fn moderated_softmax(f: &[f64], v: &[f64]) -> Vec<f64> {
    let of = |k: usize| -> f64 {
        let odds = |j: usize| {
            let spread = (1.0 + SHARED_VARIANCE * (v[k] + v[j])).sqrt();
            if j == k { 1.0 } else { ((f[j] - f[k]) / spread).exp() }
        };
        1.0 / (0..f.len()).map(odds).sum::<f64>()
    };
    // The class with the largest decision value is never 0: the sum is none either.
    let p: Vec<f64> = (0..f.len()).map(of).collect();
    let sum: f64 = p.iter().sum();
    p.into_iter().map(|p| p / sum).collect()
}

/// The class that is said: the one with the largest probability; of equals the last, as a decision of 0 is
/// positive with two classes.
pub fn last_largest(values: &[f64]) -> usize {
    let mut best = 0;
    for (at, value) in values.iter().enumerate() {
        if *value >= values[best] {
            best = at;
        }
    }
    best
}

/// exp fₖ / Σ exp fⱼ, machine after machine: a list over the rows for each.
pub(crate) fn softmax_columns(f: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut p = f.to_vec();
    for i in 0..f[0].len() {
        let largest = f.iter().map(|f| f[i]).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = f.iter().map(|f| (f[i] - largest).exp()).sum();
        p.iter_mut().for_each(|p| p[i] = (p[i] - largest).exp() / sum);
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_variances_it_is_the_softmax() {
        let p = moderated_softmax(&[1.0, -0.5, 700.0, 699.0], &[0.0; 4]);
        let e = (-1.0f64).exp();
        assert!((p[2] - 1.0 / (1.0 + e)).abs() < 1e-15 && (p[3] - e / (1.0 + e)).abs() < 1e-15);
        assert!(p[0] < 1e-300 && p.iter().sum::<f64>() == 1.0);
    }

    #[test]
    fn variances_make_it_less_sure_and_shifts_do_not_matter() {
        let sure = moderated_softmax(&[2.0, 0.0, -1.0], &[0.0; 3]);
        let unsure = moderated_softmax(&[2.0, 0.0, -1.0], &[50.0; 3]);
        assert!(unsure[0] < sure[0] && unsure[0] > unsure[1] && unsure[1] > unsure[2]);
        let shifted = moderated_softmax(&[12.0, 10.0, 9.0], &[50.0; 3]);
        assert!(unsure.iter().zip(shifted).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}
