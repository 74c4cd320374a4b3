//! Models read back from a file: the same bits, and nothing that does not fit together.

mod common;

use common::two_gaussians;
use pfcvm::panel::{Panel, PanelSettings, fit_panel};
use pfcvm::{Dataset, Goal, Kernel, Matrix, Model, SamplePolicy, Settings, fit};
use serde_json::{Value, json};

fn data(n: usize, m: usize) -> Dataset {
    let (rows, positive) = two_gaussians(3, n, m, 3, 1.5);
    Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
}

fn models() -> Vec<(Dataset, Model)> {
    let kernels = [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }];
    let mut models = Vec::new();
    for kernel in kernels {
        for samples in [SamplePolicy::Few, SamplePolicy::Dense] {
            // More features than samples for one, fewer for the other: both forms of covariance.
            let data = data(30, if samples == SamplePolicy::Few { 8 } else { 50 });
            for goal in [Goal::List, Goal::Accuracy] {
                let settings = Settings { samples, goal, ..Settings::new(kernel) };
                let model = fit(&data, &settings).unwrap().model;
                models.push((data.clone(), model));
            }
        }
    }
    models
}

#[test]
fn a_model_read_back_predicts_the_same_bits() {
    for (data, model) in models() {
        let text = serde_json::to_string(&model).unwrap();
        let back: Model = serde_json::from_str(&text).unwrap();
        assert_eq!(back, model);
        assert_eq!(back.predict(data.x()).unwrap(), model.predict(data.x()).unwrap());
    }
}

#[test]
fn a_panel_read_back_predicts_the_same_bits() {
    let data = data(24, 60);
    for (ranks, goal) in [(true, Goal::List), (false, Goal::List), (true, Goal::Accuracy)] {
        let settings = PanelSettings { size: 5, members: 6, ranks, goal, ..Default::default() };
        let panel = fit_panel(&data, &settings).unwrap();
        let back: Panel = serde_json::from_str(&serde_json::to_string(&panel).unwrap()).unwrap();
        assert_eq!(back.predict(data.x()).unwrap(), panel.predict(data.x()).unwrap());
        assert_eq!(back.feature_weights(), panel.feature_weights());
        assert!(back.rounds().is_empty() && !panel.rounds().is_empty());
    }
}

#[test]
fn a_compact_model_asks_for_the_kept_features_only() {
    for (data, model) in models() {
        let kept = data.x().select_columns(&model.needed_columns());
        assert_eq!(model.broad().is_none(), model.needed_columns() == model.selected_features());
        let compact = model.compact();
        assert_eq!(compact.predict(&kept).unwrap(), model.predict(data.x()).unwrap());
        assert_eq!(compact.predict(data.x()).is_err(), kept.cols() != data.x().cols());
    }
    let data = data(24, 60);
    for goal in [Goal::List, Goal::Accuracy] {
        let settings = PanelSettings { members: 6, size: 5, goal, ..Default::default() };
        let panel = fit_panel(&data, &settings).unwrap();
        let kept = data.x().select_columns(&panel.needed_columns());
        assert_eq!(panel.broad().is_some(), goal == Goal::Accuracy);
        assert_eq!(panel.compact().predict(&kept).unwrap(), panel.predict(data.x()).unwrap());
    }
}

/// A change that a slip, a cut or malice could make to a stored model.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// A field is missing, a list is a place shorter or longer, or something is of another type.
    Shape,
    /// A number is −1.5.
    Negative,
    /// A number is 1e300.
    Huge,
}

/// Every change at every place: the field it is in, what it is, and the whole with it.
fn changes(field: &str, value: &Value) -> Vec<(String, Change, Value)> {
    let here = |change, value| (field.to_string(), change, value);
    let mut all = Vec::new();
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.remove(name);
                all.push((name.clone(), Change::Shape, Value::Object(without)));
                for (place, change, value) in changes(name, inner) {
                    let mut changed = fields.clone();
                    changed.insert(name.clone(), value);
                    all.push((place, change, Value::Object(changed)));
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            all.push(here(Change::Shape, Value::Array(items[1..].to_vec())));
            let mut doubled = items.clone();
            doubled.push(items[0].clone());
            all.push(here(Change::Shape, Value::Array(doubled)));
            for (place, change, value) in changes(field, &items[0]) {
                let mut changed = items.clone();
                changed[0] = value;
                all.push((place, change, Value::Array(changed)));
            }
        }
        Value::Number(_) => {
            all.push(here(Change::Shape, json!(null)));
            all.push(here(Change::Shape, json!("1")));
            all.push(here(Change::Negative, json!(-1.5)));
            all.push(here(Change::Huge, json!(1e300)));
        }
        _ => all.push(here(Change::Shape, json!(7))),
    }
    all
}

/// Whether a change to a field has to be refused: all but other numbers where any number will do,
/// and what may be missing.
fn must_be_refused(field: &str, change: Change) -> bool {
    // The first of the sample weights is the bias.
    let any = [
        "centre",
        "values",
        "feature_losses",
        "sample_weights",
        "free",
        "offset",
        "importance",
        "gain",
        "coefficients",
        "bias",
    ];
    let not_negative = [
        "feature_weights",
        "feature_precisions",
        "sample_precisions",
        "scale",
        "prior",
        "log_loss",
        "baseline_log_loss",
        "slope",
        "importance_error",
        "log_loss_error",
        "gain_error",
        "feature_weight",
        "reach",
    ];
    match change {
        Change::Shape => {
            let may_be_missing = [
                "feature_losses",
                "prior",
                "free",
                "certainty",
                "max_false",
                "goals",
                "broad",
                "reach",
            ];
            !may_be_missing.contains(&field)
        }
        Change::Negative => !any.contains(&field),
        Change::Huge => !any.contains(&field) && !not_negative.contains(&field),
    }
}

#[test]
fn a_changed_model_is_refused_or_still_predicts() {
    for (data, model) in models() {
        let stored = serde_json::to_value(&model).unwrap();
        for (field, change, value) in changes("", &stored) {
            let read = serde_json::from_value::<Model>(value);
            if must_be_refused(&field, change) {
                assert!(read.is_err(), "{field}: {change:?} was let through");
            } else if change != Change::Shape {
                let model = read.unwrap_or_else(|error| panic!("{field}: {change:?}: {error}"));
                model.predict(data.x()).unwrap();
            } else if let Ok(model) = read {
                model.predict(data.x()).unwrap();
            }
        }
    }
}

#[test]
fn parts_that_do_not_fit_together_are_named() {
    let (_, model) = models().swap_remove(0);
    let stored = serde_json::to_value(&model).unwrap();
    let message = |path: &str, value: Value| {
        let mut changed = stored.clone();
        *changed.pointer_mut(path).unwrap() = value;
        serde_json::from_value::<Model>(changed).unwrap_err().to_string()
    };
    assert!(message("/feature_weights", json!([1.0])).contains("positions of features"));
    assert!(message("/sample_signs/0", json!(0.5)).contains("neither 1 nor -1"));
    assert!(message("/sample_weights/1", json!(-0.5)).contains("sample weight number 0"));
    assert!(message("/scaler/scale/0", json!(0.0)).contains("scale number 0"));
    assert!(message("/sample_values/rows", json!(1_000_000)).contains("a matrix of 1000000"));
    assert!(message("/kernel", json!("cosine")).contains("`cosine` is no kernel"));
}
