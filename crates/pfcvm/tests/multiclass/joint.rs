//! All classes at once: whole fits against `reference/slow_joint.py`, and two classes, which are the
//! two-class machine to the bit.

use crate::common::{Random, assert_close, golden, indices, numbers, table, two_gaussians};
use crate::{bits, names};
use pfcvm::data::{Columns, Kind};
use pfcvm::multiclass::{self, Machines, Scheme};
use pfcvm::settings::{CertaintyPolicy, SamplePolicy};
use pfcvm::{ClassWeights, Dataset, Fit, Kernel, Matrix, Model, Settings, Termination, fit};
use serde_json::Value;

/// The defaults, with trials at a lower score where the file asks for it.
fn settings(file: &Value) -> Settings {
    let kernel = file["kernel"].as_str().unwrap().parse().unwrap();
    let samples = file["samples_policy"].as_str().unwrap().parse().unwrap();
    let mut settings =
        Settings { samples, certainty: CertaintyPolicy::Off, ..Settings::new(kernel) };
    let least_z = number(&file["least_z"]);
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

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn check(name: &str) {
    let file = golden(name);
    let classes = list(&file["classes"]);
    let x = Matrix::from_rows(&table(&file["x"]));
    let data = multiclass::Dataset::new(x, indices(&file["codes"]), names(classes.len())).unwrap();
    let fitted = multiclass::fit(&data, Scheme::Joint, &settings(&file)).unwrap();
    check_course(name, &file, &fitted.machines()[0]);
    for (machine, class) in fitted.machines().iter().zip(classes) {
        check_class(name, &file, machine, class);
    }
    check_prediction(name, &file, &fitted);
}

/// Iterations and trials are those of all classes.
fn check_course(name: &str, file: &Value, found: &Fit) {
    let count = |value: &Value| value.as_u64().unwrap() as usize;
    for (expected, found) in list(&file["trace"]).iter().zip(&found.trace) {
        let at = format!("{name}, iteration {}", found.number);
        assert_eq!(found.samples, count(&expected["samples"]), "{at}");
        assert_eq!(found.features, count(&expected["features"]), "{at}");
        assert_eq!(found.trial.map(|t| t as u64), expected["trial"].as_u64(), "{at}");
        let off = (found.log_evidence - number(&expected["log_evidence"])).abs();
        assert!(off < 1e-6, "{at}: {} is {off:e} off", found.log_evidence);
    }
    assert_eq!(found.trace.len(), list(&file["trace"]).len(), "{name}");
    assert_eq!(found.trials.len(), list(&file["trials"]).len(), "{name}");
    for (found, expected) in found.trials.iter().zip(list(&file["trials"])) {
        let mut features = found.features.clone();
        features.sort_unstable();
        assert_eq!(features, indices(&expected["features"]), "{name}");
        assert_eq!(found.accepted, expected["accepted"].as_bool().unwrap(), "{name}");
        assert!((found.gain - number(&expected["gain"])).abs() < 1e-6, "{name}");
    }
    assert!((found.log_evidence - number(&file["log_evidence"])).abs() < 1e-6, "{name}");
    let settled = found.termination == Termination::Converged;
    assert_eq!(settled, file["settled"].as_bool().unwrap(), "{name}");
}

fn check_class(name: &str, file: &Value, found: &Fit, class: &Value) {
    let model = &found.model;
    let mut order: Vec<usize> = (0..model.selected_samples().len()).collect();
    order.sort_by_key(|&j| model.selected_samples()[j]);
    let by_row = |values: &[f64]| order.iter().map(|&j| values[j]).collect::<Vec<f64>>();
    let samples: Vec<usize> = order.iter().map(|&j| model.selected_samples()[j]).collect();
    assert_eq!(samples, indices(&class["samples"]), "{name}");
    assert_eq!(model.selected_features(), indices(&file["features"]), "{name}");
    assert_close("bias", &[model.bias()], &[number(&class["bias"])], 1e-6);
    assert_close("w", &by_row(model.sample_weights()), &numbers(&class["w"]), 1e-6);
    assert_close("alpha", &by_row(model.sample_precisions()), &numbers(&class["alpha"]), 1e-6);
    assert_close("theta", model.feature_weights(), &numbers(&file["theta"]), 1e-6);
    assert_close("beta", model.feature_precisions(), &numbers(&file["beta"]), 1e-6);
    // Machines that need no sample are models like others.
    let text = serde_json::to_string(model).unwrap();
    assert_eq!(serde_json::from_str::<Model>(&text).unwrap(), *model, "{name}");
}

fn check_prediction(name: &str, file: &Value, fitted: &Machines<Fit>) {
    let rows = Matrix::from_rows(&table(&file["new_rows"]));
    let expected = |key: &str| Matrix::from_rows(&table(&file[key]));
    let said = fitted.predict(&rows).unwrap();
    let check = |key: &str, found: &Matrix| {
        assert_close(&format!("{name} {key}"), found.as_slice(), expected(key).as_slice(), 1e-6);
    };
    check("decision", &said.decision);
    check("probability", &said.probability);
    let (of_w, of_theta) = (expected("variance_samples"), expected("variance_features"));
    for (k, machine) in fitted.machines().iter().enumerate() {
        let own = machine.model.predict(&rows).unwrap();
        assert_close("variance of w", &own.variance_samples, of_w.column(k), 1e-6);
        assert_close("variance of theta", &own.variance_features, of_theta.column(k), 1e-6);
    }
}

/// What all samples say, said with few; one class needs none.
#[test]
fn three_classes_with_few_samples() {
    let none = |name: &str| {
        list(&golden(name)["classes"]).iter().any(|class| list(&class["samples"]).is_empty())
    };
    assert!(none("fit_joint_rbf_rings.json"));
    check("fit_joint_rbf_few.json");
    check("fit_joint_rbf_rings.json");
}

#[test]
fn three_classes_with_all_samples() {
    check("fit_joint_rbf_dense.json");
}

#[test]
fn features_that_join_in_place() {
    assert!(!list(&golden("fit_joint_rbf_trials.json")["trials"]).is_empty());
    check("fit_joint_rbf_trials.json");
}

#[test]
fn four_classes() {
    check("fit_joint_rbf_four.json");
    check("fit_joint_rbf_four_dense.json");
}

#[test]
fn classes_in_the_linear_kernel() {
    check("fit_joint_linear.json");
    check("fit_joint_linear_four.json");
    check("fit_joint_linear_four_dense.json");
}

/// A set of two classes, and how it is learned.
struct Two {
    x: Vec<Vec<f64>>,
    positive: Vec<bool>,
    columns: Option<Columns>,
    weights: Option<Vec<f64>>,
    settings: Settings,
}

impl Two {
    /// Gaussian classes in 3 of some features, learned by the defaults.
    fn gaussian(seed: u64, rows: usize, features: usize, kernel: Kernel) -> Self {
        let (x, positive) = two_gaussians(seed, rows, features, 3, 0.7);
        let settings = Settings { certainty: CertaintyPolicy::Off, ..Settings::new(kernel) };
        Self { x, positive, columns: None, weights: None, settings }
    }

    fn changed(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Ten sets that have little in common.
fn ten_sets() -> Vec<(&'static str, Two)> {
    let rbf = |seed: u64| Two::gaussian(seed, 50, 6, Kernel::Rbf);
    let words = |set: &mut Two| {
        for (i, row) in set.x.iter_mut().enumerate() {
            row[0] = ((row[0] * 2.0).abs().floor()).min(3.0);
            row[1] = if i % 9 == 0 { f64::NAN } else { row[1] };
        }
        let mut kinds = vec![Kind::Number; 6];
        kinds[0] = Kind::Words { levels: 4 };
        set.columns = Some(Columns::new(kinds).grouped(&[0, 1, 2, 3, 4, 4]).unwrap());
    };
    let noise = |set: &mut Two| {
        let mut random = Random::new(77);
        set.positive.iter_mut().for_each(|p| *p = random.uniform() < 0.5);
    };
    let copies = |set: &mut Two| {
        let (x, positive) = (set.x[..20].to_vec(), set.positive[..20].to_vec());
        set.x.extend(x);
        set.positive.extend(positive);
        set.x.iter_mut().for_each(|row| (row[4], row[5]) = (row[0], 3.0));
    };
    let unequal = |set: &mut Two| {
        set.positive.iter_mut().enumerate().for_each(|(i, p)| *p &= i % 3 == 0);
        set.settings.class_weights = ClassWeights::Balanced;
    };
    let weighted = |set: &mut Two| {
        let weights = (0..set.x.len()).map(|i| [0.0, 0.5, 1.0, 2.5][i % 4]);
        set.weights = Some(weights.collect());
    };
    let large = |set: &mut Two| set.x.iter_mut().flatten().for_each(|v| *v *= 1e150);
    let signs = |set: &mut Two| set.x.iter_mut().flatten().for_each(|v| *v = v.signum());
    let linear = |seed: u64, features: usize| Two::gaussian(seed, 40, features, Kernel::Linear);
    vec![
        ("words, gaps and a group", rbf(1).changed(words)),
        ("noise", rbf(2).changed(noise)),
        ("copies of rows and columns", rbf(3).changed(copies)),
        ("classes of unequal size", rbf(4).changed(unequal)),
        ("weights", rbf(5).changed(weighted)),
        ("large values, all samples", {
            rbf(6).changed(large).changed(|set| set.settings.samples = SamplePolicy::Dense)
        }),
        ("two values, frozen samples", {
            rbf(7).changed(signs).changed(|set| set.settings.samples = SamplePolicy::Frozen)
        }),
        ("more features than rows", linear(8, 90)),
        ("a product", Two::gaussian(9, 45, 5, Kernel::Polynomial { degree: 2 })),
        ("with certainty", {
            linear(10, 8).changed(|set| set.settings.certainty = CertaintyPolicy::On)
        }),
    ]
}

#[test]
fn two_classes_of_any_kind_are_the_two_class_machine() {
    for (name, set) in ten_sets() {
        let x = Matrix::from_rows(&set.x);
        let codes = set.positive.iter().map(|p| usize::from(*p)).collect();
        let mut alone = Dataset::new(x.clone(), set.positive).unwrap();
        let mut several = multiclass::Dataset::new(x.clone(), codes, names(2)).unwrap();
        if let Some(columns) = set.columns {
            alone = alone.with_columns(columns.clone()).unwrap();
            several = several.with_columns(columns).unwrap();
        }
        if let Some(weights) = set.weights {
            alone = alone.with_sample_weights(weights.clone()).unwrap();
            several = several.with_sample_weights(weights).unwrap();
        }
        let alone = fit(&alone, &set.settings).unwrap();
        let several = multiclass::fit(&several, Scheme::Joint, &set.settings).unwrap();
        let found = &several.machines()[0];
        assert!(found.model == alone.model, "{name}");
        assert_eq!(found.log_evidence.to_bits(), alone.log_evidence.to_bits(), "{name}");
        assert_eq!(found.trace.len(), alone.trace.len(), "{name}");
        let (said, expected) = (several.predict(&x).unwrap(), alone.model.predict(&x).unwrap());
        assert_eq!(bits(said.probability.column(1)), bits(&expected.probability), "{name}");
        assert_eq!(bits(said.decision.column(0)), bits(&expected.decision), "{name}");
        assert_eq!(bits(said.variance.unwrap().column(0)), bits(&expected.variance), "{name}");
    }
}
