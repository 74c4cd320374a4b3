//! Repeated steps end at the constrained modes that a general solver finds (`slow.mode_w`,
//! `slow.mode_theta`).

use super::common::{assert_close, golden, numbers};
use super::point::{Point, laplace};
use crate::algebra::Work;
use crate::posterior::{Observed, step_features, step_samples};
use crate::settings::Truncation::Exact;
use serde_json::Value;

const STEPS: usize = 60;

#[test]
fn steps_in_w_end_at_the_constrained_mode() {
    for problem in golden("mode_w.json")["problems"].as_array().unwrap() {
        let point = Point::read(problem);
        let mut work = Work::new(false);
        let (basis, likelihood) = (point.basis(&mut work), point.likelihood());
        let prior = point.sample_prior(Exact);
        let (mut w, mut f) = (point.w.clone(), basis.decision(&point.w, &mut work));
        for _ in 0..STEPS {
            step_samples(&basis, &likelihood, &prior, (&mut w, &mut f), &[], &mut work);
        }
        check_mode("w", &w, &numbers(&problem["mode_w"]));
        let log_prior = prior.log(&w);
        check_values(problem, &Point { w, ..point }, log_prior);
    }
}

#[test]
fn steps_in_theta_end_at_the_constrained_mode() {
    for problem in golden("mode_theta.json")["problems"].as_array().unwrap() {
        let point = Point::read(problem);
        let mut work = Work::new(false);
        let (mut basis, likelihood) = (point.basis(&mut work), point.likelihood());
        let prior = point.feature_prior(Exact);
        let w = &point.w;
        let (mut theta, mut f) = (point.theta.clone(), basis.decision(w, &mut work));
        for _ in 0..STEPS {
            let bases = std::slice::from_mut(&mut basis);
            let moving = (&mut theta, &mut f);
            step_features(bases, &likelihood, &prior, &[&w[..]], moving, &mut work);
        }
        assert_close("the basis moved along", &basis.decision(w, &mut work), &f, 1e-14);
        check_mode("theta", &theta, &numbers(&problem["mode_theta"]));
        let log_prior = prior.log(&theta);
        check_values(problem, &Point { theta, ..point }, log_prior);
    }
}

fn check_mode(what: &str, found: &[f64], expected: &[f64]) {
    assert_close(what, found, expected, 1e-8);
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(*found == 0.0, *expected == 0.0, "{what} at the bound: {found} {expected}");
    }
}

/// Likelihood, objective and evidence at the mode.
fn check_values(problem: &Value, at: &Point, log_prior: f64) {
    let mut work = Work::new(false);
    let setting = at.problem(Exact);
    let state = at.state(&setting, &mut work);
    let log = setting.likelihood.log(&state.f);
    let (samples, features) = laplace(&state, &mut work);
    let evidence = log + samples.log_evidence + features.log_evidence;
    let expected = ["log_likelihood", "objective", "log_evidence"];
    let expected = expected.map(|key| problem[key].as_f64().unwrap());
    assert_close("at the mode", &[log, log + log_prior, evidence], &expected, 1e-9);
}
