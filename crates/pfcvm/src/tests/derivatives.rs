//! D and the gradients in w and θ against central differences, and a proof that the comparison
//! would see an error of 1 %.

use super::common::distance;
use super::point::{KERNELS, Point, TRUNCATIONS};
use crate::algebra::{self, Work};
use crate::basis::Done;
use crate::settings::Truncation;

/// (f(u + h) − f(u − h)) / 2h: error of order h² from the curve and 1e-16 / h from rounding.
const H: f64 = 3e-6;
const TOLERANCE: f64 = 1e-8;

/// Each entry of `f` differentiated by each coordinate of `u`, coordinate after coordinate.
fn differences(u: &[f64], mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut at = |k: usize, step: f64| {
        let mut moved = u.to_vec();
        moved[k] += step;
        f(&moved)
    };
    let slope = |(plus, minus): (f64, f64)| (plus - minus) / (2.0 * H);
    (0..u.len())
        .flat_map(|k| at(k, H).into_iter().zip(at(k, -H)).map(slope).collect::<Vec<_>>())
        .collect()
}

/// Passes what agrees, fails what is 1 % off in any one entry that matters.
fn check(what: &str, analytic: &[f64], numeric: &[f64]) {
    let error = distance(analytic, numeric);
    assert!(error < TOLERANCE, "{what}: {error:e}");
    let largest = numeric.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    for i in (0..analytic.len()).filter(|&i| analytic[i].abs() > 1e-2 * largest.max(1.0)) {
        let mut wrong = analytic.to_vec();
        wrong[i] *= 1.01;
        let error = distance(&wrong, numeric);
        assert!(error > 100.0 * TOLERANCE, "{what}: 1 % off in entry {i} passes with {error:e}");
    }
}

fn points() -> impl Iterator<Item = Point> {
    KERNELS
        .into_iter()
        .enumerate()
        .map(|(seed, kernel)| Point::random(kernel, seed as u64, 15, 4, 6))
}

#[test]
fn slopes_of_the_decision_values() {
    for mut point in points() {
        // A sample of weight 0 is left out on the way.
        point.w[2] = 0.0;
        let mut work = Work::new(false);
        let basis = point.basis(&mut work);
        let analytic = basis.derivative(&point.w, &mut work);
        let numeric = differences(&point.theta, |theta| {
            let mut work = Work::new(false);
            let at = basis.with_theta(theta, &mut Done::default(), &mut work);
            basis.decision_at(&at, &point.w, &mut work)
        });
        check(&format!("{:?}", point.kernel), analytic.as_slice(), &numeric);
    }
}

/// Absent features: at weight 0, with the kernel values of the kept ones.
#[test]
fn slopes_of_absent_features() {
    for mut point in points() {
        point.theta[1] = 0.0;
        point.theta[3] = 0.0;
        let mut work = Work::new(false);
        let full = point.basis(&mut work);
        let numeric = differences(&point.theta, |theta| {
            let mut work = Work::new(false);
            let at = full.with_theta(theta, &mut Done::default(), &mut work);
            full.decision_at(&at, &point.w, &mut work)
        });
        let mut kept = point.basis(&mut work);
        let done = (&mut Done::default(), &mut Done::default());
        kept.keep_features(&[0, 2], &[point.theta[0], point.theta[2]], done, &mut work);
        let absent = point.x.select_columns(&[1, 3]);
        let analytic = kept.derivative_of(&absent.into(), &point.samples, &point.w, &mut work);
        let n = point.x.rows();
        let expected = [&numeric[n..2 * n], &numeric[3 * n..]].concat();
        check(&format!("{:?}", point.kernel), analytic.as_slice(), &expected);
    }
}

fn push(truncation: Truncation, u: &[f64], precisions: &[f64], first: usize) -> Vec<f64> {
    let bounded = |i: usize| if i < first { 0.0 } else { truncation.gradient(u[i]) };
    (0..u.len()).map(|i| bounded(i) - precisions[i] * u[i]).collect()
}

fn sum(a: Vec<f64>, b: Vec<f64>) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[test]
fn gradient_in_w() {
    for point in points() {
        for truncation in TRUNCATIONS {
            let mut work = Work::new(false);
            let (basis, likelihood) = (point.basis(&mut work), point.likelihood());
            let prior = point.sample_prior(truncation);
            let r = likelihood.residual(&basis.decision(&point.w, &mut work));
            let analytic = sum(
                basis.transpose_times(&r, &mut work),
                push(truncation, &point.w, &point.alpha, 1),
            );
            let numeric = differences(&point.w, |w| {
                let f = basis.decision(w, &mut Work::new(false));
                vec![likelihood.log(&f) + prior.log(w)]
            });
            check(&format!("{:?} {truncation:?}", point.kernel), &analytic, &numeric);
        }
    }
}

#[test]
fn gradient_in_theta() {
    for point in points() {
        for truncation in TRUNCATIONS {
            let mut work = Work::new(false);
            let (basis, likelihood) = (point.basis(&mut work), point.likelihood());
            let prior = point.feature_prior(truncation);
            let r = likelihood.residual(&basis.decision(&point.w, &mut work));
            let slopes = basis.derivative(&point.w, &mut work);
            let analytic = sum(
                algebra::transpose_times_vector(&slopes, &r, &work),
                push(truncation, &point.theta, &point.beta, 0),
            );
            let numeric = differences(&point.theta, |theta| {
                let mut work = Work::new(false);
                let at = basis.with_theta(theta, &mut Done::default(), &mut work);
                let f = basis.decision_at(&at, &point.w, &mut work);
                vec![likelihood.log(&f) + prior.log(theta)]
            });
            check(&format!("{:?} {truncation:?}", point.kernel), &analytic, &numeric);
        }
    }
}

/// The derivative of the gradient of the prior and the likelihood is their curvature.
#[test]
fn curvatures() {
    for u in [-0.7, -0.01, 0.0, 0.3, 2.0] {
        for truncation in TRUNCATIONS {
            let slope = differences(&[u], |u| vec![truncation.log(u[0])]);
            let bend = differences(&[u], |u| vec![-truncation.gradient(u[0])]);
            assert!((slope[0] - truncation.gradient(u)).abs() < TOLERANCE);
            assert!((bend[0] - truncation.curvature(u)).abs() < TOLERANCE);
        }
        let point = Point::random(KERNELS[0], 9, 4, 1, 1);
        let likelihood = point.likelihood();
        let numeric = differences(&[u], |u| likelihood.residual(&[u[0]; 4]));
        let analytic: Vec<f64> = likelihood.curvature(&[u; 4]).iter().map(|c| -c).collect();
        check("curvature", &analytic, &numeric);
    }
}
