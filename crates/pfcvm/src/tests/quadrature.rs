//! The Laplace evidence against numerical integration, where that is possible: one to three weights.
//!
//! For one weight the error is known: log Z − log Z_Laplace ≈ L⁗v²/8 + 5L‴²v³/24, where L is the
//! log posterior and v its variance at the mode. With many repetitions of each row (likelihood
//! weight n) v ~ 1/n, so the error falls as 1/n, and what this formula misses as 1/n².
//!
//! Of several classes it is so for the weights of one, the others held fast, and for weights that all share.

use crate::Matrix;
use crate::algebra::{Work, sigmoid};
use crate::posterior::{Classes, Laplace, Likelihood, Observed, Prior};
use crate::settings::Truncation;

struct Case {
    /// How the decision values of each machine change with the weights.
    slopes: Vec<Matrix>,
    /// What they are at weights of 0, one machine after the other.
    start: Vec<f64>,
    likelihood: Classes,
    /// Whether the weights are those of the first machine alone, or all machines share them.
    alone: bool,
    precisions: Vec<f64>,
    /// The first weight that must not be negative.
    first: usize,
}

/// Rows that no weight separates, `n` times each.
fn case(rows: &[Vec<f64>], signs: &[f64], n: f64, precisions: &[f64], first: usize) -> Case {
    let likelihood = Likelihood { signs: signs.to_vec(), weights: vec![n; signs.len()] };
    Case {
        slopes: vec![Matrix::from_rows(rows)],
        start: vec![0.0; signs.len()],
        likelihood: likelihood.into(),
        alone: true,
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

/// The rows of `codes`, `n` times each, as all of three machines see them.
fn three_classes(codes: &[usize], n: f64) -> Classes {
    let signs = |k: usize| codes.iter().map(|c| if *c == k { 1.0 } else { -1.0 }).collect();
    let machine = |k: usize| Likelihood { signs: signs(k), weights: vec![n; codes.len()] };
    Classes { machines: (0..3).map(machine).collect() }
}

/// The first of three classes, in one weight or with its bias in two; the others are held fast.
fn first_of_three(n: f64, weights: usize) -> Case {
    let alone = if weights == 1 { one(n) } else { two(n) };
    let (codes, others) = match weights {
        1 => (vec![0, 0, 1, 2], vec![0.4, -0.3, 0.9, 0.1, -0.2, 0.5, 0.3, 1.1]),
        _ => (vec![0, 0, 1, 2, 1], vec![0.4, -0.3, 0.9, 0.1, 0.7, -0.2, 0.5, 0.3, 1.1, -0.6]),
    };
    let still = Matrix::zeros(codes.len(), weights);
    Case {
        slopes: vec![alone.slopes[0].clone(), still.clone(), still],
        start: [vec![0.0; codes.len()], others].concat(),
        likelihood: three_classes(&codes, n),
        ..alone
    }
}

/// Three weights that three classes share, as those of features in the linear kernel.
fn shared_by_three(n: f64) -> Case {
    let codes = [0, 0, 1, 1, 2, 2, 0, 1, 2];
    // Each weight speaks for its own class and against the next, but for the last three rows.
    let slope = |k: usize| {
        move |i: usize, m: usize| {
            let speaks = [1.0, -0.4, 0.1][(m + 3 - k) % 3];
            let right = (codes[i] + if i < 6 { 0 } else { 1 }) % 3 == m;
            speaks * (if right { 1.0 } else { 0.2 }) + 0.05 * i as f64
        }
    };
    Case {
        slopes: (0..3).map(|k| Matrix::from_fn(codes.len(), 3, slope(k))).collect(),
        start: vec![0.0; 3 * codes.len()],
        likelihood: three_classes(&codes, n),
        alone: false,
        precisions: vec![0.8, 1.5, 0.6],
        first: 0,
    }
}

impl Case {
    fn f(&self, u: &[f64]) -> Vec<f64> {
        let rows = |j: &Matrix| {
            let along = |i: usize| (0..u.len()).map(|k| j.get(i, k) * u[k]).sum::<f64>();
            Vec::from_iter((0..j.rows()).map(along))
        };
        let moved = self.slopes.iter().flat_map(rows);
        moved.zip(&self.start).map(|(f, start)| f + start).collect()
    }

    fn prior(&self) -> Prior<'_> {
        let truncation = Truncation::Exact;
        Prior { precisions: &self.precisions, means: &[], truncation, first: self.first }
    }

    /// J, the residual and C as a fit has them: those of one machine, or of all, centred.
    fn parts(&self, u: &[f64]) -> (Matrix, Vec<f64>, Vec<f64>) {
        let (f, all) = (self.f(u), &self.likelihood);
        let residual = all.residual(&f);
        if self.alone {
            let own = all.of(0, &residual).to_vec();
            return (self.slopes[0].clone(), own, all.curvature_of(0, &f));
        }
        (all.centred(self.slopes.clone(), &f, &Work::new(false)), residual, all.curvature(&f))
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
            let (j, r, c) = self.parts(&u);
            let sum = |term: &dyn Fn(usize) -> f64| (0..j.rows()).map(term).sum::<f64>();
            let g: Vec<f64> =
                (0..k).map(|a| sum(&|i| j.get(i, a) * r[i]) - self.precisions[a] * u[a]).collect();
            let h: Vec<Vec<f64>> = (0..k)
                .map(|a| {
                    let entry = |b: usize| {
                        let prior = if a == b { self.precisions[a] } else { 0.0 };
                        sum(&|i| j.get(i, a) * c[i] * j.get(i, b)) + prior
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
        let (j, _, c) = self.parts(u);
        Laplace::at(&j, &c, u, &self.prior(), &mut Work::new(false)).unwrap()
    }

    fn laplace_evidence(&self, u: &[f64]) -> f64 {
        self.likelihood.log(&self.f(u)) + self.laplace(u).log_evidence
    }

    /// log ∫ p(t|u) p(u) du by the trapezoidal rule over ±12 deviations, cut at the bound: for
    /// smooth functions that vanish at both ends it converges faster than any power.
    fn quadrature(&self, u: &[f64], variances: &[f64]) -> f64 {
        let peak = self.log_joint(u);
        peak + self.integral(u, variances, peak, &mut Vec::new()).ln()
    }

    /// Over the weights that follow those of `chosen`.
    fn integral(&self, u: &[f64], variances: &[f64], peak: f64, chosen: &mut Vec<f64>) -> f64 {
        let k = chosen.len();
        if k == u.len() {
            return (self.log_joint(chosen) - peak).exp();
        }
        // Steps of 0.6 deviations of a Gaussian have an error of exp(−2π²/0.6²).
        let steps = if u.len() < 3 { 400 } else { 40 };
        let s = variances[k].sqrt();
        let low = if k < self.first { u[k] - 12.0 * s } else { (u[k] - 12.0 * s).max(0.0) };
        let h = (u[k] + 12.0 * s - low) / steps as f64;
        let mut sum = 0.0;
        for i in 0..=steps {
            chosen.push(low + i as f64 * h);
            let weight = if i == 0 || i == steps { 0.5 * h } else { h };
            sum += weight * self.integral(u, variances, peak, chosen);
            chosen.pop();
        }
        sum
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
    let seen = case.likelihood.seen_by(0, &case.f(&u));
    for (i, f) in seen.iter().enumerate() {
        let (s, x) = (sigmoid(*f), case.slopes[0].get(i, 0));
        let n = case.likelihood.weights()[i];
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
        for case in [one(n), first_of_three(n, 1)] {
            let (error, expected) = (case.error(), expected_error(&case));
            assert!(expected.abs() > 1e-5, "a bound on nothing: {expected:e}");
            assert!(error.abs() < 1.0 / n, "n = {n}: {error:e}");
            // The next order.
            assert!((error - expected).abs() < 5.0 / (n * n), "n = {n}: {error:e} {expected:e}");
        }
    }
}

/// With four times the rows the error is a quarter: 4 and the next order.
#[track_caller]
fn falls_as_one_over_n(case: impl Fn(f64) -> Case) {
    let counts = [400.0, 1600.0, 6400.0];
    let errors = counts.map(|n| case(n).error());
    for (error, n) in errors.iter().zip(counts) {
        assert!(error.abs() < 0.5 / n, "{errors:?}");
        assert!(error.abs() > 0.05 / n, "nothing to compare: {errors:?}");
    }
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.2, "{errors:?}");
    }
}

#[test]
fn two_weights_have_an_error_that_falls_as_one_over_n() {
    falls_as_one_over_n(two);
}

#[test]
fn so_have_those_of_one_class_of_three() {
    falls_as_one_over_n(|n| first_of_three(n, 2));
}

#[test]
fn so_have_weights_that_three_classes_share() {
    falls_as_one_over_n(shared_by_three);
}

/// The comparison would notice a missing factor of √2 in one determinant.
#[test]
fn a_wrong_determinant_would_be_seen() {
    let case = one(1000.0);
    let wrong = case.error() - 0.5 * 2f64.ln();
    assert!((wrong - expected_error(&case)).abs() > 0.1);
}
