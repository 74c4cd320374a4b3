//! Whole fits against the traces of the slow transcription (`reference/slow_fit.py`).
//!
//! Its fits with the smoothed truncation differ from the engine by choice (first steps, bias, least
//! α, stopping); `src/tests/golden_paper.rs` holds the engine's pieces to them.

mod common;

use common::{assert_close, golden, indices, numbers, table};
use pfcvm::settings::{CertaintyPolicy, Hyperprior, PrecisionRule, Stage};
use pfcvm::{Dataset, Kernel, Matrix, Model, Settings, Termination, fit};
use serde_json::Value;

fn data(file: &Value) -> Dataset {
    let positive = numbers(&file["y"]).iter().map(|y| *y > 0.0).collect();
    Dataset::new(Matrix::from_rows(&table(&file["x"])), positive).unwrap()
}

/// One stage with the constants of the file; those that cannot be set are checked to be the
/// engine's.
fn settings(file: &Value) -> Settings {
    let given = &file["settings"];
    let number = |key: &str| given[key].as_f64().unwrap();
    let kernel = match file["kernel"]["kind"].as_str().unwrap() {
        "rbf" => Kernel::Rbf,
        _ => Kernel::Linear,
    };
    assert_eq!(number("drop_feature_above"), 1e4);
    assert_eq!(number("drop_sample_below"), 1e-3);
    assert_eq!(number("short_step"), 0.2);
    assert_eq!(given["rescale"].as_bool().unwrap(), kernel == Kernel::Linear);
    let sample_rule = match given["sample_rule"].as_str().unwrap() {
        "em" => PrecisionRule::Em,
        _ => PrecisionRule::MacKay,
    };
    let features = Hyperprior { c: number("hyperprior_c_features"), d: 0.0 };
    let stage = Stage {
        sample_hyperprior: Hyperprior { c: number("hyperprior_c_samples"), d: 0.0 },
        feature_damping: number("beta_step"),
        max_iterations: number("max_iterations") as usize,
        tolerance: number("tolerance"),
        ..Stage::new(sample_rule, features)
    };
    Settings {
        standardise: false,
        stages: Some(vec![stage]),
        certainty: CertaintyPolicy::Off,
        ..Settings::new(kernel)
    }
}

/// Kept samples with their weights and precisions, in the order of the rows.
fn by_row(model: &Model) -> (Vec<usize>, Vec<f64>, Vec<f64>) {
    let mut order: Vec<usize> = (0..model.selected_samples().len()).collect();
    order.sort_by_key(|&j| model.selected_samples()[j]);
    let pick = |values: &[f64]| order.iter().map(|&j| values[j]).collect::<Vec<f64>>();
    let samples = order.iter().map(|&j| model.selected_samples()[j]).collect();
    (samples, pick(model.sample_weights()), pick(model.sample_precisions()))
}

fn check(name: &str) {
    let file = golden(name);
    let data = data(&file);
    let found = fit(&data, &settings(&file)).unwrap();
    for (expected, found) in file["trace"].as_array().unwrap().iter().zip(&found.trace) {
        let at = format!("{name}, iteration {}", found.number);
        assert_eq!(found.samples as u64, expected["samples"].as_u64().unwrap(), "{at}");
        assert_eq!(found.features as u64, expected["features"].as_u64().unwrap(), "{at}");
        let expected = expected["log_evidence"].as_f64().unwrap();
        assert!((found.log_evidence - expected).abs() < 1e-6, "{at}: {}", found.log_evidence);
        assert_eq!(found.jitter, 0.0, "{at}");
    }
    assert_eq!(found.trace.len() as u64, file["iterations"].as_u64().unwrap(), "{name}");
    let converged = found.termination == Termination::Converged;
    assert_eq!(converged, file["converged"].as_bool().unwrap(), "{name}");
    let expected = file["final_log_evidence"].as_f64().unwrap();
    assert!((found.log_evidence - expected).abs() < 1e-6, "{name}: {}", found.log_evidence);

    let model = &found.model;
    let (samples, sample_weights, sample_precisions) = by_row(model);
    assert_eq!(samples, indices(&file["samples"]), "{name}");
    assert_eq!(model.selected_features(), indices(&file["features"]), "{name}");
    let (w, alpha) = (numbers(&file["w"]), numbers(&file["alpha"]));
    assert_close("bias", &[model.bias()], &w[..1], 1e-6);
    assert_close("w", &sample_weights, &w[1..], 1e-6);
    assert_close("alpha", &sample_precisions, &alpha[1..], 1e-6);
    assert_close("theta", model.feature_weights(), &numbers(&file["theta"]), 1e-6);
    assert_close("beta", model.feature_precisions(), &numbers(&file["beta"]), 1e-6);
    let decision = model.predict(data.x()).unwrap().decision;
    assert_close("f", &decision, &numbers(&file["decision_on_training_rows"]), 1e-6);
}

#[test]
fn rbf_with_em_for_samples() {
    check("fit_rbf_em.json");
}

#[test]
fn rbf_with_mackay_for_samples() {
    check("fit_rbf_mackay.json");
}

#[test]
fn linear() {
    check("fit_linear.json");
}
