//! Whole fits of the default algorithm against `reference/slow_default.py`: the common weight,
//! trials of dropped features and of more samples, and what a fit says of the state it returns.

mod common;

use common::{assert_close, golden, indices, numbers, table};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Dataset, Fit, Iteration, Matrix, Settings, Termination, fit, fit_with};
use serde_json::Value;
use std::ops::ControlFlow;

fn data(file: &Value) -> Dataset {
    let positive = numbers(&file["y"]).iter().map(|y| *y > 0.0).collect();
    Dataset::new(Matrix::from_rows(&table(&file["x"])), positive).unwrap()
}

/// The defaults, with trials at a lower score where the file asks for it.
fn settings(file: &Value) -> Settings {
    let kernel = file["kernel"].as_str().unwrap().parse().unwrap();
    let samples = file["samples_policy"].as_str().unwrap().parse().unwrap();
    let mut settings =
        Settings { samples, certainty: CertaintyPolicy::Off, ..Settings::new(kernel) };
    let least_z = file["least_z"].as_f64().unwrap();
    if least_z != 3.0 {
        let mut stages = settings.stages_of_fit().unwrap();
        stages[0].readmission.as_mut().unwrap().least_z = least_z;
        settings.stages = Some(stages);
    }
    settings
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn check(name: &str) -> Fit {
    let file = golden(name);
    let data = data(&file);
    let found = fit(&data, &settings(&file)).unwrap();
    let trace = file["trace"].as_array().unwrap();
    for (expected, found) in trace.iter().zip(&found.trace) {
        let at = format!("{name}, iteration {}", found.number);
        assert_eq!(found.samples as u64, expected["samples"].as_u64().unwrap(), "{at}");
        assert_eq!(found.features as u64, expected["features"].as_u64().unwrap(), "{at}");
        assert_eq!(found.trial.map(|t| t as u64), expected["trial"].as_u64(), "{at}");
        let evidence = number(&expected["log_evidence"]);
        assert!((found.log_evidence - evidence).abs() < 1e-6, "{at}: {}", found.log_evidence);
    }
    assert_eq!(found.trace.len(), trace.len(), "{name}");
    assert_eq!(found.trials.len(), file["trials"].as_array().unwrap().len(), "{name}");
    for (found, expected) in found.trials.iter().zip(file["trials"].as_array().unwrap()) {
        let mut features = found.features.clone();
        features.sort_unstable();
        assert_eq!(features, indices(&expected["features"]), "{name}");
        assert_eq!(found.accepted, expected["accepted"].as_bool().unwrap(), "{name}");
        assert_eq!(found.joined as u64, expected["joined"].as_u64().unwrap_or(0), "{name}");
        let figures = [found.gain, found.price];
        assert_close(
            "trial",
            &figures,
            &[number(&expected["gain"]), number(&expected["price"])],
            1e-6,
        );
    }
    assert!((found.log_evidence - number(&file["log_evidence"])).abs() < 1e-6, "{name}");
    let settled = found.termination == Termination::Converged;
    assert_eq!(settled, file["settled"].as_bool().unwrap(), "{name}");

    let model = &found.model;
    let mut order: Vec<usize> = (0..model.selected_samples().len()).collect();
    order.sort_by_key(|&j| model.selected_samples()[j]);
    let by_row = |values: &[f64]| order.iter().map(|&j| values[j]).collect::<Vec<f64>>();
    let samples: Vec<usize> = order.iter().map(|&j| model.selected_samples()[j]).collect();
    assert_eq!(samples, indices(&file["samples"]), "{name}");
    assert_eq!(model.selected_features(), indices(&file["features"]), "{name}");
    assert_close("bias", &[model.bias()], &[number(&file["bias"])], 1e-6);
    assert_close("w", &by_row(model.sample_weights()), &numbers(&file["w"]), 1e-6);
    assert_close("alpha", &by_row(model.sample_precisions()), &numbers(&file["alpha"]), 1e-6);
    assert_close("theta", model.feature_weights(), &numbers(&file["theta"]), 1e-6);
    assert_close("beta", model.feature_precisions(), &numbers(&file["beta"]), 1e-6);
    let prediction = model.predict(&Matrix::from_rows(&table(&file["new_rows"]))).unwrap();
    assert_close("f", &prediction.decision, &numbers(&file["decision"]), 1e-6);
    let (of_w, of_theta) = (&prediction.variance_samples, &prediction.variance_features);
    assert_close("variance of w", of_w, &numbers(&file["variance_samples"]), 1e-6);
    assert_close("variance of theta", of_theta, &numbers(&file["variance_features"]), 1e-5);
    found
}

#[test]
fn rbf_with_features_that_stand_out_together() {
    let file = golden("fit_default_rbf.json");
    assert_eq!(file["prominent"].as_array().unwrap().iter().filter(|p| **p == true).count(), 3);
    check("fit_default_rbf.json");
}

#[test]
fn rbf_with_no_feature_that_stands_out() {
    check("fit_default_rbf_alone.json");
}

#[test]
fn rbf_with_all_samples() {
    check("fit_default_rbf_dense.json");
}

/// Ten samples and no more, one of which came in and went again on the way; and as many as one in ten rows.
#[test]
fn rbf_with_few_samples_that_say_what_many_say() {
    let found = check("fit_default_rbf_frozen.json");
    assert_eq!(found.model.selected_samples().len(), 10);
    let found = check("fit_default_rbf_frozen_hard.json");
    assert_eq!(found.model.selected_samples().len(), 16);
}

#[test]
fn linear() {
    check("fit_default_linear.json");
}

#[test]
fn linear_with_all_samples() {
    check("fit_default_linear_dense.json");
}

#[test]
fn a_trial_that_is_accepted() {
    let found = check("fit_trials_accepted.json");
    assert!(found.trials.iter().any(|trial| trial.accepted));
}

#[test]
fn trials_that_are_refused() {
    let found = check("fit_trials_refused.json");
    assert!(found.trials.iter().all(|trial| !trial.accepted));
}

/// Two products among twenty columns: all four features are found once the fit begins anew with pairs.
#[test]
fn another_start_that_gets_further() {
    for name in ["fit_another_start.json", "fit_another_start_few.json"] {
        let found = check(name);
        assert!(found.trials[0].anew && found.trials[0].accepted && !found.trials[1].accepted);
        assert_eq!(found.model.selected_features(), [0, 1, 2, 3]);
    }
}

#[test]
fn features_that_join_in_place() {
    let found = check("fit_trials_in_place.json");
    assert!(found.trials.iter().any(|trial| trial.accepted && !trial.anew));
}

/// How many more samples could take part, and whether that stood, in each trial of more.
fn growth(fit: &Fit) -> Vec<(usize, bool)> {
    let of_samples = fit.trials.iter().filter(|trial| trial.joined > 0);
    of_samples.map(|trial| (trial.joined, trial.accepted)).collect()
}

/// Samples that take part at the fit's first iteration and its last.
fn at_both_ends(fit: &Fit) -> (usize, usize) {
    (fit.trace[0].samples, fit.trace.last().unwrap().samples)
}

/// Refused after two iterations and at the end; two iterations with all samples follow where they stay.
#[test]
fn more_samples_that_gain_too_little() {
    for (name, in_trial) in
        [("fit_growth_refused_at_once.json", 2), ("fit_growth_refused_at_the_end.json", 7)]
    {
        let found = check(name);
        assert_eq!(growth(&found), [(50, false)], "{name}");
        assert_eq!(at_both_ends(&found), (50, 200), "{name}");
        let tried = found.trace.iter().filter(|i| i.trial == Some(0)).count();
        assert_eq!(tried, in_trial, "{name}");
        let last = found.trace.iter().rev().take_while(|i| i.trial.is_none());
        assert_eq!(last.count(), 2, "{name}");
    }
    assert_eq!(growth(&check("fit_growth_refused_few.json")), [(50, false)]);
}

/// From 77 samples, which 660 rows begin with, to 154, and no further: 200 take part at the end. From 70 to 280, and
/// there are no last iterations. And on to all of 390 rows.
#[test]
fn more_samples_that_gain_enough() {
    let found = check("fit_growth_accepted.json");
    assert_eq!(growth(&found), [(77, true), (154, false)]);
    assert_eq!(at_both_ends(&found), (77, 200));
    let found = check("fit_growth_enough.json");
    assert_eq!(growth(&found), [(70, true), (140, true), (280, false)]);
    assert_eq!(found.trace.last().unwrap().trial, Some(found.trials.len() - 1));
    let found = check("fit_growth_accepted_twice.json");
    assert_eq!(growth(&found), [(59, true), (272, true)]);
    assert_eq!(at_both_ends(&found), (59, 390));
}

/// Another start is tried again once more samples take part, and so are features.
#[test]
fn more_samples_and_then_other_trials() {
    let found = check("fit_growth_accepted_few.json");
    assert_eq!(growth(&found), [(76, true), (152, false)]);
    let anew: Vec<bool> = found.trials.iter().map(|trial| trial.anew).collect();
    assert_eq!(anew, [true, false, true, false]);
    let found = check("fit_growth_then_trials.json");
    assert_eq!(growth(&found), [(51, true), (198, false)]);
    let after = found.trials.iter().skip_while(|trial| trial.joined == 0).nth(1).unwrap();
    assert!(after.features == [1] && after.accepted && !after.anew);
}

#[test]
fn more_samples_under_a_common_weight() {
    let file = golden("fit_growth_prominent.json");
    assert_eq!(file["prominent"].as_array().unwrap().iter().filter(|p| **p == true).count(), 2);
    assert_eq!(growth(&check("fit_growth_prominent.json")), [(50, true), (100, false)]);
}

/// The last iteration before a trial, and the fit stopped at each iteration of trials that would be
/// refused: the weights, the evidence, the likelihood and what was dropped are those from before the
/// trial.
#[test]
fn a_stop_inside_a_trial_gives_the_state_before_it() {
    let file = golden("fit_trials_refused.json");
    let (data, settings) = (data(&file), settings(&file));
    let stopped = |at: usize| {
        let mut observer = |i: &Iteration| match i.number == at {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        fit_with(&data, &settings, &mut observer).unwrap()
    };
    let whole = fit(&data, &settings).unwrap();
    let inside: Vec<usize> =
        whole.trace.iter().filter(|i| i.trial.is_some()).map(|i| i.number).collect();
    let before = stopped(inside[0] - 1);
    assert_eq!(before.termination, Termination::Cancelled);
    for &number in inside.iter().step_by(7).chain(inside.last()) {
        let fit = stopped(number);
        assert_eq!(fit.termination, Termination::Cancelled, "{number}");
        assert_eq!(fit.trace.len(), number);
        assert_eq!(fit.model, before.model, "{number}");
        assert_eq!(fit.log_evidence, before.log_evidence, "{number}");
        assert_eq!(fit.log_likelihood, before.log_likelihood, "{number}");
        let kept = |fit: &Fit| (fit.feature_dropped.clone(), fit.sample_dropped.clone());
        assert_eq!(kept(&fit), kept(&before), "{number}");
        // The evidence is that of the weights: of no iteration of the trial.
        let last = fit.trace.last().unwrap();
        assert!((last.log_evidence - fit.log_evidence).abs() > 1e-9, "{number}");
    }
}
