//! The Laplace evidence against numerical integration, where that is possible: one or two weights.
//!
//! For one weight the error is known: log Z − log Z_Laplace ≈ L⁗v²/8 + 5L‴²v³/24, where L is the
//! log posterior and v its variance at the mode. With many repetitions of each row (likelihood
//! weight n) v ~ 1/n, so the error falls as 1/n, and what this formula misses as 1/n².

use crate::Matrix;
use crate::algebra::{Work, sigmoid};
use crate::posterior::{Laplace, Likelihood, Prior};
use crate::settings::Truncation;

struct Case {
    j: Matrix,
    likelihood: Likelihood,
    precisions: Vec<f64>,
    /// The first weight that must not be negative.
    first: usize,
}

/// Rows that no weight separates, `n` times each.
fn case(rows: &[Vec<f64>], signs: &[f64], n: f64, precisions: &[f64], first: usize) -> Case {
    Case {
        j: Matrix::from_rows(rows),
        likelihood: Likelihood { signs: signs.to_vec(), weights: vec![n; signs.len()] },
        precisions: precisions.to_vec(),
        first,
    }
}

fn one(n: f64) -> Case {
    let rows = [vec![1.0], vec![0.8], vec![1.2], vec![0.5]];
    case(&rows, &[1.0, 1.0, 1.0, -1.0], n, &[0.7], 0)
}

fn two(n: f64) -> Case {
    let rows = [vec![1.0, 1.0], vec![1.0, 0.3], vec![1.0, 0.9], vec![1.0, -0.8], vec![1.0, 0.2]];
    case(&rows, &[1.0, 1.0, -1.0, -1.0, -1.0], n, &[0.5, 2.0], 1)
}

impl Case {
    fn f(&self, u: &[f64]) -> Vec<f64> {
        (0..self.j.rows()).map(|i| (0..u.len()).map(|k| self.j.get(i, k) * u[k]).sum()).collect()
    }

    fn prior(&self) -> Prior<'_> {
        let truncation = Truncation::Exact;
        Prior { precisions: &self.precisions, means: &[], truncation, first: self.first }
    }

    /// log p(t | u) p(u), with the Gaussian's constant; the factor 2 of each truncated prior is
    /// left out on both sides.
    fn log_joint(&self, u: &[f64]) -> f64 {
        let constant = |a: &f64| 0.5 * (a / std::f64::consts::TAU).ln();
        self.likelihood.log(&self.f(u))
            + self.prior().log(u)
            + self.precisions.iter().map(constant).sum::<f64>()
    }

    /// The mode, by Newton's method on J itself, and the variance of each weight there.
    fn mode(&self) -> (Vec<f64>, Vec<f64>) {
        let k = self.precisions.len();
        let mut u = vec![0.3; k];
        for _ in 0..50 {
            let (r, c) =
                (self.likelihood.residual(&self.f(&u)), self.likelihood.curvature(&self.f(&u)));
            let sum = |term: &dyn Fn(usize) -> f64| (0..self.j.rows()).map(term).sum::<f64>();
            let g: Vec<f64> = (0..k)
                .map(|a| sum(&|i| self.j.get(i, a) * r[i]) - self.precisions[a] * u[a])
                .collect();
            let h: Vec<Vec<f64>> = (0..k)
                .map(|a| {
                    let entry = |b: usize| {
                        let prior = if a == b { self.precisions[a] } else { 0.0 };
                        sum(&|i| self.j.get(i, a) * c[i] * self.j.get(i, b)) + prior
                    };
                    (0..k).map(entry).collect()
                })
                .collect();
            for (u, step) in u.iter_mut().zip(super::point::solve(&h, &g)) {
                *u += step;
            }
        }
        let laplace = self.laplace(&u);
        (u, laplace.variances)
    }

    fn laplace(&self, u: &[f64]) -> Laplace {
        let c = self.likelihood.curvature(&self.f(u));
        Laplace::at(&self.j, &c, u, &self.prior(), &mut Work::new(false)).unwrap()
    }

    fn laplace_evidence(&self, u: &[f64]) -> f64 {
        self.likelihood.log(&self.f(u)) + self.laplace(u).log_evidence
    }

    /// log ∫ p(t|u) p(u) du by the trapezoidal rule over ±12 deviations, cut at the bound: for
    /// smooth functions that vanish at both ends it converges faster than any power.
    fn quadrature(&self, u: &[f64], variances: &[f64]) -> f64 {
        let peak = self.log_joint(u);
        let steps = 400;
        let nodes = |k: usize| {
            let s = variances[k].sqrt();
            let low = if k < self.first { u[k] - 12.0 * s } else { (u[k] - 12.0 * s).max(0.0) };
            let h = (u[k] + 12.0 * s - low) / steps as f64;
            (0..=steps).map(move |i| {
                let weight = if i == 0 || i == steps { 0.5 * h } else { h };
                (low + i as f64 * h, weight)
            })
        };
        let mut sum = 0.0;
        for (a, weight) in nodes(0) {
            if u.len() == 1 {
                sum += weight * (self.log_joint(&[a]) - peak).exp();
                continue;
            }
            for (b, other) in nodes(1) {
                sum += weight * other * (self.log_joint(&[a, b]) - peak).exp();
            }
        }
        peak + sum.ln()
    }

    /// log Z − log Z_Laplace.
    fn error(&self) -> f64 {
        let (u, variances) = self.mode();
        for k in self.first..u.len() {
            assert!(u[k] > 6.0 * variances[k].sqrt(), "too near the bound: {u:?} {variances:?}");
        }
        self.quadrature(&u, &variances) - self.laplace_evidence(&u)
    }
}

/// What one weight's error should be: with s = σ(f), ℓ‴ = −s(1−s)(1−2s), ℓ⁗ = −s(1−s)(1−6s(1−s)).
fn expected_error(case: &Case) -> f64 {
    let (u, variances) = case.mode();
    let (mut third, mut fourth) = (0.0, 0.0);
    for (i, f) in case.f(&u).iter().enumerate() {
        let (s, x, n) = (sigmoid(*f), case.j.get(i, 0), case.likelihood.weights[i]);
        let c = s * (1.0 - s);
        third -= n * x.powi(3) * c * (1.0 - 2.0 * s);
        fourth -= n * x.powi(4) * c * (1.0 - 6.0 * c);
    }
    let v = variances[0];
    fourth * v * v / 8.0 + 5.0 * third * third * v.powi(3) / 24.0
}

#[test]
fn one_weight_has_the_error_that_theory_says() {
    for n in [50.0, 200.0, 1000.0] {
        let case = one(n);
        let (error, expected) = (case.error(), expected_error(&case));
        assert!(expected.abs() > 1e-5, "a bound on nothing: {expected:e}");
        assert!(error.abs() < 1.0 / n, "n = {n}: {error:e}");
        // The next order.
        assert!((error - expected).abs() < 5.0 / (n * n), "n = {n}: {error:e} {expected:e}");
    }
}

#[test]
fn two_weights_have_an_error_that_falls_as_one_over_n() {
    let counts = [400.0, 1600.0, 6400.0];
    let errors = counts.map(|n| two(n).error());
    for (error, n) in errors.iter().zip(counts) {
        assert!(error.abs() < 0.5 / n, "{errors:?}");
        assert!(error.abs() > 0.05 / n, "nothing to compare: {errors:?}");
    }
    // 4 and the next order: 3.85, 3.96.
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.2, "{errors:?}");
    }
}

/// The comparison would notice a missing factor of √2 in one determinant.
#[test]
fn a_wrong_determinant_would_be_seen() {
    let case = one(1000.0);
    let wrong = case.error() - 0.5 * 2f64.ln();
    assert!((wrong - expected_error(&case)).abs() > 0.1);
}
