//! A sample of weight 2 is two copies of it, where the basis is the same.

use super::common::assert_close;
use super::point::{KERNELS, Point, laplace};
use crate::Matrix;
use crate::algebra::Work;
use crate::posterior::Observed;
use crate::settings::{Hyperprior, PrecisionRule, Settings, Stage, Truncation};
use crate::state::{Leaning, Problem, State};

/// The same rows with weight 2, and written twice.
fn doubled(kernel: crate::Kernel) -> (Point, Point) {
    let mut once = Point::random(kernel, 41, 24, 4, 24);
    once.row_weights = vec![2.0; 24];
    let rows: Vec<usize> = (0..24).chain(0..24).collect();
    let twice = Point {
        x: once.x.select_rows(&rows),
        signs: rows.iter().map(|&i| once.signs[i]).collect(),
        row_weights: vec![1.0; 48],
        samples: once.samples.clone(),
        theta: once.theta.clone(),
        w: once.w.clone(),
        alpha: once.alpha.clone(),
        beta: once.beta.clone(),
        kernel,
    };
    (once, twice)
}

#[test]
fn weight_two_is_two_copies_at_one_point() {
    for kernel in KERNELS {
        let (once, twice) = doubled(kernel);
        let mut work = Work::new(false);
        let values = |point: &Point, work: &mut Work| {
            let problem = point.problem(Truncation::Exact);
            let state = point.state(&problem, work);
            let likelihood = &problem.likelihood;
            let r = likelihood.residual(&state.f);
            let mut found = vec![likelihood.log(&state.f)];
            found.extend(state.bases[0].transpose_times(&r, work));
            let (samples, features) = laplace(&state, work);
            found.extend([samples.log_evidence, features.log_evidence]);
            found.extend(samples.variances.into_iter().chain(features.variances));
            found
        };
        let (a, b) = (values(&once, &mut work), values(&twice, &mut work));
        assert_close(&format!("{kernel:?}"), &a, &b, 1e-12);
    }
}

#[test]
fn weight_two_is_two_copies_over_a_fit() {
    for kernel in KERNELS {
        let (once, twice) = doubled(kernel);
        let run = |point: &Point| {
            let problem = point.problem(Truncation::Exact);
            let hyperprior = Hyperprior::from_false_positive_rate(0.05);
            let stage = Stage::new(PrecisionRule::MacKay, hyperprior);
            let mut work = Work::new(false);
            let all = (0..point.x.cols()).collect();
            let mut state = State::start(&problem, point.samples.clone(), all, None, &mut work);
            let evidence: Vec<f64> =
                (0..6).map(|_| state.iterate(&stage, &mut work).unwrap().log_evidence).collect();
            let Leaning { samples, w, .. } = state.weights.machines.remove(0);
            (evidence, samples, state.weights.features, w)
        };
        let (a, b) = (run(&once), run(&twice));
        assert_close("evidence", &a.0, &b.0, 1e-9);
        assert_eq!((a.1, a.2), (b.1, b.2), "{kernel:?}");
        assert_close("w", &a.3, &b.3, 1e-8);
    }
}

/// Rows of weight 0 count for nothing.
#[test]
fn weight_zero_is_no_sample() {
    let point = Point::random(crate::Kernel::Rbf, 42, 20, 3, 20);
    let settings = Settings::default();
    let mut weights = vec![1.0; 20];
    weights[15..].fill(0.0);
    let first: Vec<usize> = (0..15).collect();
    let with = crate::posterior::Likelihood { signs: point.signs.clone(), weights };
    let without =
        crate::posterior::Likelihood { signs: point.signs[..15].to_vec(), weights: vec![1.0; 15] };
    let run = |x: Matrix, likelihood| {
        let problem = Problem::new(x.into(), likelihood, first.clone(), vec![false; 3], &settings);
        let mut work = Work::new(false);
        let stage = Stage::new(PrecisionRule::Em, Hyperprior::default());
        let mut state = State::start(&problem, first.clone(), vec![0, 1, 2], None, &mut work);
        state.weights.machines[0].alpha[1..].fill(2.0); // the default start is a mean over rows
        (0..5).map(|_| state.iterate(&stage, &mut work).unwrap().log_evidence).collect::<Vec<_>>()
    };
    let a = run(point.x.clone(), with);
    assert_close("evidence", &a, &run(point.x.select_rows(&first), without), 1e-11);
}
