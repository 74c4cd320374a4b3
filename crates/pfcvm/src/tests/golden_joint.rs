//! Every quantity of the machine of several classes at one point against the slow transcription
//! (`reference/slow_joint.py`), its derivatives against central differences, and the curvature that all
//! classes share by two routes.

use super::common::{assert_close, golden, indices, numbers, table};
use super::point::{kernel, symmetric};
use crate::algebra::{self, Work, moderated_softmax};
use crate::basis::Done;
use crate::data::Scaler;
use crate::posterior::{Classes, Columns, Laplace, Likelihood, Observed, slopes};
use crate::settings::Settings;
use crate::state::{Leaning, Problem, State, Weights};
use crate::{Matrix, conclusion};
use serde_json::Value;

const FILES: [&str; 4] = [
    "pieces_joint_rbf_3.json",
    "pieces_joint_rbf_4.json",
    "pieces_joint_linear_3.json",
    "pieces_joint_linear_4.json",
];
/// Both sides are in double precision, at condition numbers below 1000.
const TOLERANCE: f64 = 1e-11;
/// Of central differences: error of order h² from the curve and 1e-16 / h from rounding.
const H: f64 = 3e-6;
const OF_DIFFERENCES: f64 = 1e-8;

fn settings(file: &Value) -> Settings {
    Settings { standardise: false, ..Settings::new(kernel(&file["kernel"])) }
}

fn problem(file: &Value) -> Problem {
    let (codes, weights) = (indices(&file["codes"]), numbers(&file["row_weights"]));
    let signs = |k: usize| codes.iter().map(|c| if *c == k { 1.0 } else { -1.0 }).collect();
    let machine = |k: usize| Likelihood { signs: signs(k), weights: weights.clone() };
    let machines = (0..classes(file).len()).map(machine).collect();
    let x = Matrix::from_rows(&table(&file["x"]));
    let (rows, none) = ((0..x.rows()).collect(), vec![false; x.cols()]);
    Problem::new(x.into(), Classes { machines }, rows, none, &settings(file))
}

fn classes(file: &Value) -> &Vec<Value> {
    file["classes"].as_array().unwrap()
}

fn weights(file: &Value) -> Weights {
    let machine = |class: &Value| Leaning {
        samples: indices(&class["basis"]),
        w: numbers(&class["w"]),
        alpha: numbers(&class["alpha"]),
    };
    let theta = numbers(&file["theta"]);
    Weights {
        features: (0..theta.len()).collect(),
        theta,
        beta: numbers(&file["beta"]),
        centre: numbers(&file["centre"]),
        common_precision: None,
        machines: classes(file).iter().map(machine).collect(),
    }
}

fn each(mut check: impl FnMut(&str, &Value, &State, &mut Work)) {
    for name in FILES {
        let file = golden(name);
        let problem = problem(&file);
        let mut work = Work::new(false);
        let state = State::resume(&problem, weights(&file), &mut work);
        check(name, &file, &state, &mut work);
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Of all classes, one after the other.
fn stacked(file: &Value, key: &str) -> Vec<f64> {
    classes(file).iter().flat_map(|class| numbers(&class[key])).collect()
}

/// The gram matrix of all columns with the prior's precisions on its diagonal.
fn hessian(columns: &impl Columns, c: &[f64], precisions: &[f64], work: &mut Work) -> Vec<f64> {
    let all: Vec<usize> = (0..precisions.len()).collect();
    let mut hessian = symmetric(&columns.gram(c, &all, work));
    precisions.iter().enumerate().for_each(|(i, a)| hessian[i][i] += a);
    hessian.concat()
}

#[test]
fn likelihood_residual_and_what_one_class_sees() {
    each(|name, file, state, _| {
        let classes = &state.problem.likelihood;
        assert_close(name, &state.f, &stacked(file, "decision"), TOLERANCE);
        let log = classes.log(&state.f);
        assert_close(name, &[log], &[number(&file["log_likelihood"])], TOLERANCE);
        assert_close(name, &classes.residual(&state.f), &stacked(file, "residual"), TOLERANCE);
        for (k, class) in self::classes(file).iter().enumerate() {
            let offset = classes.offset(k, &state.f);
            assert_close(name, &offset, &numbers(&class["offset"]), TOLERANCE);
            let c = classes.curvature_of(k, &state.f);
            assert_close(name, &c, &numbers(&class["curvature"]), TOLERANCE);
            // One class against the rest, with the offset, has the slope of all classes together.
            let own = classes.machines[k].residual(&classes.seen_by(k, &state.f));
            assert_close(name, &own, &numbers(&class["residual"]), TOLERANCE);
        }
    });
}

#[test]
fn gradient_and_hessian_of_each_class() {
    each(|name, file, state, work| {
        let residual = state.problem.likelihood.residual(&state.f);
        for (k, class) in classes(file).iter().enumerate() {
            let (basis, Leaning { w, alpha, .. }) = (&state.bases[k], &state.weights.machines[k]);
            let own = state.problem.likelihood.of(k, &residual);
            let mut gradient = basis.transpose_times(own, work);
            gradient.iter_mut().zip(w.iter().zip(alpha)).for_each(|(g, (w, a))| *g -= a * w);
            assert_close(name, &gradient, &numbers(&class["gradient"]), TOLERANCE);
            let c = state.problem.likelihood.curvature_of(k, &state.f);
            let expected = table(&class["hessian"]).concat();
            assert_close(name, &hessian(basis, &c, alpha, work), &expected, TOLERANCE);
        }
    });
}

/// The stacked, centred slopes of the engine against Σ Dₖᵀ ρpₖ Dₖ − D̄ᵀ ρ D̄ by the reference, and against
/// the dense matrix over all rows and classes, diag(p) − ppᵀ in blocks.
#[test]
fn gradient_and_hessian_in_theta() {
    each(|name, file, state, work| {
        let Weights { theta, beta, centre, .. } = &state.weights;
        let classes = &state.problem.likelihood;
        let (r, c) = (classes.residual(&state.f), classes.curvature(&state.f));
        let d = slopes(&state.bases, classes, &state.weights.w(), &state.f, work);
        let mut gradient = algebra::transpose_times_vector(&d, &r, work);
        (0..theta.len()).for_each(|m| gradient[m] -= beta[m] * (theta[m] - centre[m]));
        assert_close(name, &gradient, &numbers(&file["gradient_theta"]), TOLERANCE);
        let structured = hessian(&d, &c, beta, work);
        assert_close(name, &structured, &table(&file["hessian_theta"]).concat(), TOLERANCE);
        assert_close(name, &dense_hessian(file, &r, beta), &structured, TOLERANCE);
    });
}

/// Σᵢ Σⱼₖ ρᵢ (δⱼₖ pⱼ − pⱼ pₖ) Dⱼᵢ Dₖᵢᵀ + B, entry by entry, with p from the residuals.
fn dense_hessian(file: &Value, residual: &[f64], beta: &[f64]) -> Vec<f64> {
    let (codes, rho) = (indices(&file["codes"]), numbers(&file["row_weights"]));
    let slopes: Vec<Vec<Vec<f64>>> = classes(file).iter().map(|c| table(&c["slopes"])).collect();
    let (n, m) = (codes.len(), beta.len());
    let of_class = |i: usize, k: usize| f64::from(u8::from(codes[i] == k));
    let p = |i: usize, k: usize| of_class(i, k) - residual[k * n + i] / rho[i];
    let mut hessian = vec![0.0; m * m];
    (0..m).for_each(|a| hessian[a * m + a] = beta[a]);
    for i in 0..n {
        for j in 0..slopes.len() {
            for k in 0..slopes.len() {
                let same = if j == k { p(i, j) } else { 0.0 };
                let c = rho[i] * (same - p(i, j) * p(i, k));
                for (at, entry) in hessian.iter_mut().enumerate() {
                    *entry += c * slopes[j][i][at / m] * slopes[k][i][at % m];
                }
            }
        }
    }
    hessian
}

/// The likelihood's gradient in θ, and its curvature along f as it is linearised; an error of 1 % would
/// be seen.
#[test]
fn derivatives_in_theta_are_differences() {
    each(|name, _, state, work| {
        let (classes, w) = (&state.problem.likelihood, state.weights.w());
        let own: Vec<Matrix> =
            state.bases.iter().zip(&w).map(|(basis, w)| basis.derivative(w, work)).collect();
        let d = classes.centred(own.clone(), &state.f, work);
        let theta = &state.weights.theta;
        let log = |step: &[f64], work: &mut Work| {
            let theta: Vec<f64> = theta.iter().zip(step).map(|(t, s)| t + s).collect();
            let mut done = Done::default();
            let machines = state.bases.iter().zip(&w);
            let f = machines.flat_map(|(basis, w)| {
                let at = basis.with_theta(&theta, &mut done, work);
                basis.decision_at(&at, w, work)
            });
            vec![classes.log(&f.collect::<Vec<f64>>())]
        };
        let gradient = algebra::transpose_times_vector(&d, &classes.residual(&state.f), work);
        check(name, &gradient, &differences(theta.len(), |step| log(step, &mut Work::new(false))));

        let slope = |step: &[f64]| {
            let work = Work::new(false);
            let moved: Vec<f64> =
                own.iter().flat_map(|d| algebra::times_vector(d, step, &work)).collect();
            let f: Vec<f64> = state.f.iter().zip(moved).map(|(f, m)| f + m).collect();
            let r = classes.residual(&f);
            let sum = |m: usize| -> f64 {
                let along = |(k, d): (usize, &Matrix)| -> f64 {
                    d.column(m).iter().zip(classes.of(k, &r)).map(|(d, r)| d * r).sum()
                };
                own.iter().enumerate().map(along).sum()
            };
            (0..step.len()).map(|m| -sum(m)).collect()
        };
        let none = vec![0.0; theta.len()];
        let curvature = hessian(&d, &classes.curvature(&state.f), &none, work);
        check(name, &curvature, &differences(theta.len(), slope));
    });
}

fn differences(count: usize, mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut at = |k: usize, step: f64| {
        let mut moved = vec![0.0; count];
        moved[k] = step;
        f(&moved)
    };
    let slope = |(plus, minus): (f64, f64)| (plus - minus) / (2.0 * H);
    (0..count)
        .flat_map(|k| Vec::from_iter(at(k, H).into_iter().zip(at(k, -H)).map(slope)))
        .collect()
}

fn check(what: &str, analytic: &[f64], numeric: &[f64]) {
    assert_close(what, analytic, numeric, OF_DIFFERENCES);
    let wrong: Vec<f64> = analytic.iter().map(|v| v * 1.01).collect();
    let error = super::common::distance(&wrong, numeric);
    assert!(error > 100.0 * OF_DIFFERENCES, "{what}: 1 % off passes with {error:e}");
}

#[test]
fn variances_and_evidence() {
    each(|name, file, state, work| {
        let (classes, weights) = (&state.problem.likelihood, &state.weights);
        let mut evidence = classes.log(&state.f);
        for (k, class) in self::classes(file).iter().enumerate() {
            let machine = &weights.machines[k];
            let c = classes.curvature_of(k, &state.f);
            let prior = machine.prior(state.problem.truncation);
            let around = Laplace::at(&state.bases[k], &c, &machine.w, &prior, work).unwrap();
            assert_close(name, &around.variances, &numbers(&class["variances"]), TOLERANCE);
            evidence += around.log_evidence;
        }
        let d = slopes(&state.bases, classes, &weights.w(), &state.f, work);
        let (c, prior) = (classes.curvature(&state.f), state.feature_prior());
        let around = Laplace::at(&d, &c, &weights.theta, &prior, work).unwrap();
        assert_close(name, &around.variances, &numbers(&file["variances_theta"]), TOLERANCE);
        evidence += around.log_evidence;
        assert_close(name, &[evidence], &[number(&file["log_evidence"])], TOLERANCE);
    });
}

#[test]
fn predictions() {
    each(|name, file, state, work| {
        let x = Matrix::from_rows(&table(&file["x"]));
        let some = (0..x.rows()).map(|i| i == 0).collect();
        let scaler = Scaler::fit(&crate::Dataset::new(x, some).unwrap(), false).unwrap();
        let models = conclusion::models(state, scaler, &settings(file), work);
        let rows = Matrix::from_rows(&table(&file["new_rows"]));
        let said: Vec<_> = models.iter().map(|model| model.predict(&rows).unwrap()).collect();
        for row in 0..rows.rows() {
            let check = |key: &str, found: Vec<f64>| {
                let expected = &table(&file[key])[row];
                assert_close(&format!("{name} {key}"), &found, expected, TOLERANCE);
            };
            let f: Vec<f64> = said.iter().map(|said| said.decision[row]).collect();
            let v: Vec<f64> = said.iter().map(|said| said.variance[row]).collect();
            check("probability", moderated_softmax(&f, &v));
            check("decision", f);
            check("variance_samples", said.iter().map(|s| s.variance_samples[row]).collect());
            check("variance_features", said.iter().map(|s| s.variance_features[row]).collect());
        }
    });
}
