//! Every quantity of the model at one point against the slow transcription (`reference/slow.py`).

use super::common::{assert_close, golden, numbers, table};
use super::point::{Point, TRUNCATIONS, laplace, solve, symmetric};
use crate::algebra::{self, Work};
use crate::data::Scaler;
use crate::evidence::{Update, determined, update_features, update_samples};
use crate::posterior::{Columns, Laplace, step_features, step_samples};
use crate::settings::{Hyperprior, PrecisionRule, Truncation};
use crate::{Matrix, conclusion};
use serde_json::Value;

const FILES: [&str; 4] =
    ["pieces_rbf.json", "pieces_linear.json", "pieces_poly2.json", "pieces_poly3.json"];
/// Both sides are in double precision, at condition numbers below 1000.
const TOLERANCE: f64 = 1e-11;

fn part(file: &Value, truncation: Truncation) -> &Value {
    match truncation {
        Truncation::Exact => &file["exact"],
        Truncation::Sigmoid { .. } => &file["sigmoid_5"],
    }
}

fn each(mut check: impl FnMut(&str, &Value, &Point)) {
    for name in FILES {
        let file = golden(name);
        check(name, &file, &Point::read(&file));
    }
}

/// Each point with both truncations and its Laplace approximations.
fn each_laplace(mut check: impl FnMut(&str, &Value, &Point, [Laplace; 2])) {
    each(|name, file, point| {
        for truncation in TRUNCATIONS {
            let mut work = Work::new(false);
            let problem = point.problem(truncation);
            let (samples, features) = laplace(&point.state(&problem, &mut work), &mut work);
            check(name, part(file, truncation), point, [samples, features]);
        }
    });
}

#[test]
fn kernel_values_decisions_and_slopes() {
    each(|name, file, point| {
        let mut work = Work::new(false);
        let z = point.x.select_rows(&point.samples);
        let values = point.kernel.values(&point.x, &z, &point.theta, &mut work);
        let expected = Matrix::from_rows(&table(&file["kernel_matrix"]));
        assert_close(name, values.as_slice(), expected.as_slice(), TOLERANCE);

        let basis = point.basis(&mut work);
        let f = basis.decision(&point.w, &mut work);
        assert_close(name, &f, &numbers(&file["phi_w"]), TOLERANCE);
        let d = basis.derivative(&point.w, &mut work);
        let expected = Matrix::from_rows(&table(&file["theta_jacobian"]));
        assert_close(name, d.as_slice(), expected.as_slice(), TOLERANCE);

        let log = point.likelihood().log(&f);
        assert_close(name, &[log], &[file["log_likelihood"].as_f64().unwrap()], TOLERANCE);
    });
}

/// ∇Q and −∇²Q in w and θ: the engine's products, with the prior's part added here.
#[test]
fn gradients_and_hessians() {
    each(|name, file, point| {
        let mut work = Work::new(false);
        let basis = point.basis(&mut work);
        let f = basis.decision(&point.w, &mut work);
        let (r, c) = (point.likelihood().residual(&f), point.likelihood().curvature(&f));
        let slopes = basis.derivative(&point.w, &mut work);
        for truncation in TRUNCATIONS {
            let part = part(file, truncation);
            let gradient = basis.transpose_times(&r, &mut work);
            let all: Vec<usize> = (0..point.w.len()).collect();
            let gram = basis.gram(&c, &all, &mut work);
            check_half(name, part, "w", gradient, &gram, &point.w, &point.alpha, truncation);

            let gradient = algebra::transpose_times_vector(&slopes, &r, &work);
            let all: Vec<usize> = (0..point.theta.len()).collect();
            let gram = slopes.gram(&c, &all, &mut work);
            check_half(name, part, "theta", gradient, &gram, &point.theta, &point.beta, truncation);
        }
    });
}

#[allow(clippy::too_many_arguments)] // one half of the model, spelled out
fn check_half(
    name: &str,
    part: &Value,
    half: &str,
    mut gradient: Vec<f64>,
    gram: &Matrix,
    u: &[f64],
    precisions: &[f64],
    truncation: Truncation,
) {
    let mut hessian = symmetric(gram);
    for i in 0..u.len() {
        let bounded = half == "theta" || i > 0;
        let push = if bounded { truncation.gradient(u[i]) } else { 0.0 };
        let bend = if bounded { truncation.curvature(u[i]) } else { 0.0 };
        gradient[i] += push - precisions[i] * u[i];
        hessian[i][i] += precisions[i] + bend;
    }
    let what = format!("{name} {half}");
    assert_close(&what, &gradient, &numbers(&part[format!("gradient_{half}")]), TOLERANCE);
    let expected = table(&part[format!("hessian_{half}")]);
    assert_close(&what, &hessian.concat(), &expected.concat(), TOLERANCE);
}

/// One step from the golden point is the best one of the golden gradient and Hessian over the coordinates
/// that may move, none of them below 0. That holds the prior's part inside the engine to it.
#[test]
fn one_step_is_the_newton_step() {
    each(|name, file, point| {
        for truncation in TRUNCATIONS {
            let part = part(file, truncation);
            let mut work = Work::new(false);
            let mut basis = point.basis(&mut work);
            let start = basis.decision(&point.w, &mut work);
            let likelihood = point.likelihood();

            let (mut w, mut f) = (point.w.clone(), start.clone());
            let prior = point.sample_prior(truncation);
            let step = step_samples(&basis, &likelihood, &prior, (&mut w, &mut f), &[], &mut work);
            let expected = newton(part, "w", &point.w, 1, truncation, step.length);
            assert_close(&format!("{name} step in w"), &w, &expected, 1e-10);

            let (mut theta, mut f) = (point.theta.clone(), start);
            let prior = point.feature_prior(truncation);
            let w = &point.w;
            let bases = std::slice::from_mut(&mut basis);
            let moving = (&mut theta, &mut f);
            let step = step_features(bases, &likelihood, &prior, &[&w[..]], moving, &mut work);
            let expected = newton(part, "theta", &point.theta, 0, truncation, step.0.length);
            assert_close(&format!("{name} step in theta"), &theta, &expected, 1e-10);
        }
    });
}

fn newton(
    part: &Value,
    half: &str,
    u: &[f64],
    first: usize,
    truncation: Truncation,
    length: f64,
) -> Vec<f64> {
    assert!(length > 0.0, "no step");
    let gradient = numbers(&part[format!("gradient_{half}")]);
    let hessian = table(&part[format!("hessian_{half}")]);
    let exact = truncation == Truncation::Exact;
    let held = |i: usize| exact && i >= first && u[i] == 0.0 && gradient[i] <= 0.0;
    let free: Vec<usize> = (0..u.len()).filter(|&i| !held(i)).collect();
    let bounded: Vec<usize> = free.iter().copied().filter(|&i| exact && i >= first).collect();
    assert!(bounded.len() < 16, "all sets of coordinates at 0 are gone through");
    let gain = |d: &[f64]| -> f64 {
        let along = |i: usize| (0..d.len()).map(|j| hessian[i][j] * d[j]).sum::<f64>();
        (0..d.len()).map(|i| d[i] * (gradient[i] - 0.5 * along(i))).sum()
    };
    let allowed = |d: &Vec<f64>| bounded.iter().all(|&i| d[i] >= -u[i] - 1e-12);
    let with_at_zero = |set: usize| -> Vec<f64> {
        let at_zero =
            |i: usize| bounded.iter().position(|&k| k == i).is_some_and(|k| set >> k & 1 == 1);
        let mut d: Vec<f64> = (0..u.len()).map(|i| if at_zero(i) { -u[i] } else { 0.0 }).collect();
        let moving: Vec<usize> = free.iter().copied().filter(|&i| !at_zero(i)).collect();
        let block: Vec<Vec<f64>> =
            moving.iter().map(|&i| moving.iter().map(|&j| hessian[i][j]).collect()).collect();
        let pull = |i: usize| (0..u.len()).map(|j| hessian[i][j] * d[j]).sum::<f64>();
        let g: Vec<f64> = moving.iter().map(|&i| gradient[i] - pull(i)).collect();
        for (&i, step) in moving.iter().zip(solve(&block, &g)) {
            d[i] = step;
        }
        d
    };
    let steps = (0..1usize << bounded.len()).map(with_at_zero).filter(allowed);
    let best = steps.max_by(|a, b| gain(a).total_cmp(&gain(b))).expect("a step that is allowed");
    u.iter().zip(best).map(|(u, d)| u + length * d).collect()
}

#[test]
fn variances_and_evidence() {
    each_laplace(|name, part, point, [samples, features]| {
        let mut work = Work::new(false);
        let f = point.basis(&mut work).decision(&point.w, &mut work);
        let evidence = point.likelihood().log(&f) + samples.log_evidence + features.log_evidence;
        let expected = part["log_evidence"].as_f64().unwrap();
        assert_close(name, &[evidence], &[expected], TOLERANCE);

        for (half, laplace, a) in [("w", &samples, &point.alpha), ("theta", &features, &point.beta)]
        {
            let free: Vec<bool> = part[format!("free_{half}")]
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_bool().unwrap())
                .collect();
            assert_eq!(laplace.interior, free, "{name} {half}");
            let inside = |values: Vec<f64>| -> Vec<f64> {
                values.into_iter().zip(&free).filter(|(_, f)| **f).map(|(v, _)| v).collect()
            };
            let expected = inside(numbers(&part[format!("variance_{half}")]));
            assert_close(name, &inside(laplace.variances.clone()), &expected, TOLERANCE);
            let gamma = a.iter().zip(&laplace.variances).map(|(a, v)| determined(*a, *v));
            let expected = inside(numbers(&part[format!("gamma_{half}")]));
            assert_close(name, &inside(gamma.collect()), &expected, TOLERANCE);
        }
    });
}

#[test]
fn precision_updates() {
    each_laplace(|name, part, point, [samples, features]| {
        for expected in part["updates"].as_array().unwrap() {
            let hyperprior = Hyperprior {
                c: expected["c"].as_f64().unwrap(),
                d: expected["d"].as_f64().unwrap(),
            };
            for (key, rule) in [("mackay", PrecisionRule::MacKay), ("em", PrecisionRule::Em)] {
                let update = Update { rule, hyperprior, damping: 1.0 };
                let mut alpha = point.alpha.clone();
                update_samples(&mut alpha, &point.w, &samples, &update, 1e-300);
                let mut beta = point.beta.clone();
                update_features(&mut beta, &point.theta, &features, &update, |_| 1);
                assert_eq!(alpha[0], point.alpha[0], "the bias keeps its precision");
                let golden = numbers(&expected[format!("{key}_alpha")]);
                // Not defined: held at 0 and left alone, or w² = 0 under it and at the ceiling.
                check_update(name, &alpha[1..], &golden[1..], &point.alpha[1..], 1e12);
                let golden = numbers(&expected[format!("{key}_beta")]);
                check_update(name, &beta, &golden, &point.beta, 1e14);

                // Half a step in the logarithm.
                let half = Update { rule, hyperprior, damping: 0.5 };
                let mut damped = point.beta.clone();
                update_features(&mut damped, &point.theta, &features, &half, |_| 1);
                for k in (0..beta.len()).filter(|&k| golden[k].is_finite()) {
                    let mean = (point.beta[k] * beta[k]).sqrt();
                    assert_close(name, &[damped[k]], &[mean], 1e-12);
                }
            }
        }
    });
}

fn check_update(name: &str, found: &[f64], golden: &[f64], old: &[f64], ceiling: f64) {
    for i in 0..found.len() {
        if golden[i].is_finite() {
            assert_close(name, &[found[i]], &[golden[i]], TOLERANCE);
        } else {
            assert!(found[i] == old[i] || found[i] == ceiling, "{name}: {}", found[i]);
        }
    }
}

#[test]
fn predictions() {
    each(|name, file, point| {
        for truncation in TRUNCATIONS {
            let expected = &part(file, truncation)["prediction"];
            let mut work = Work::new(false);
            let problem = point.problem(truncation);
            let state = point.state(&problem, &mut work);
            let positive = point.likelihood().signs.iter().map(|sign| *sign > 0.0).collect();
            let data = crate::Dataset::new(point.x.clone(), positive).unwrap();
            let scaler = Scaler::fit(&data, false).unwrap();
            let settings = point.settings(truncation);
            let model = conclusion::models(&state, scaler, &settings, &mut work).remove(0);
            let rows = Matrix::from_rows(&table(&file["new_rows"]));
            let found = model.predict(&rows).unwrap();
            let check = |key: &str, values: &[f64]| {
                let expected = numbers(&expected[key]);
                assert_close(&format!("{name} {key}"), values, &expected, TOLERANCE);
            };
            check("decision", &found.decision);
            check("variance_samples", &found.variance_samples);
            check("variance_features", &found.variance_features);
            check("probability", &found.probability);
        }
    });
}
