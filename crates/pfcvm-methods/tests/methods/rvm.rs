//! The relevance vector machine against fastrvm, and against its own equations.

use crate::common::{circle, golden, matrix, numbers, permuted};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::relatives::rvm::{self, Algorithm, Settings};
use pfcvm_methods::relatives::{Inputs, Termination, Width};

fn mean_log_loss(decision: &[f64], positive: &[bool]) -> f64 {
    let loss = |f: f64, p: bool| if p { (-f).exp().ln_1p() } else { f.exp().ln_1p() };
    let losses = decision.iter().zip(positive).map(|(f, p)| loss(*f, *p));
    losses.sum::<f64>() / decision.len() as f64
}

#[test]
fn the_fast_algorithm_finds_what_fastrvm_finds() {
    for case in golden("rvm.json")["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let flags = |key: &str| -> Vec<bool> {
            case[key].as_array().unwrap().iter().map(|p| p.as_bool().unwrap()).collect()
        };
        let data = Dataset::new(matrix(&case["train"]), flags("positive")).unwrap();
        let width = case["gamma"].as_f64().map_or(Width::Auto(1.0), Width::Gamma);
        let kernel = case["kernel"].as_str().unwrap().parse().unwrap();
        let inputs = Inputs { kernel, width, ..Inputs::default() };
        let settings = Settings { inputs, bias: false, ..Settings::default() };
        let fit = rvm::fit(&data, &settings).unwrap();
        assert_eq!(fit.termination, Termination::Converged, "{name}");
        let expected: Vec<usize> =
            numbers(&case["relevance"]).iter().map(|row| *row as usize).collect();
        assert_eq!(fit.model.selected_samples(), expected, "{name}");

        let found = fit.model.predict(&matrix(&case["test"])).unwrap();
        let loss = mean_log_loss(&found.decision, &flags("test_positive"));
        let expected = case["log_loss"].as_f64().unwrap();
        println!("{name}: log loss {loss:.6}, fastrvm {expected:.6}");
        assert!((loss - expected).abs() < 1e-3, "{name}: {loss} {expected}");
        let evidence = fit.trace.last().unwrap().objective;
        let expected = case["log_evidence"].as_f64().unwrap();
        // Both stop where log α moves by less than 1e-3.
        assert!((evidence - expected).abs() < 1e-2, "{name}: {evidence} {expected}");
    }
}

/// α = γ/w² for every kept weight, to the tolerance at which a fit ends.
#[test]
fn both_algorithms_end_where_their_equations_hold() {
    let data = circle(70, 2);
    let settings = |algorithm| Settings {
        algorithm,
        tolerance: 1e-5,
        max_iterations: 20_000,
        ..Settings::default()
    };
    let fit = rvm::fit(&data, &settings(Algorithm::Batch)).unwrap();
    let fast = rvm::fit(&data, &settings(Algorithm::Fast)).unwrap();
    // The fast algorithm looks at the re-estimate that gains most, not at the one that moves most.
    for (fit, bound) in [(&fit, 2e-5), (&fast, 1e-3)] {
        assert_eq!(fit.termination, Termination::Converged);
        let precisions = fit.model.sample_precisions().unwrap();
        let deviations = fit.model.sample_deviations().unwrap();
        let weights = fit.model.sample_weights();
        assert!(!weights.is_empty());
        for ((a, s), w) in precisions.iter().zip(&deviations).zip(weights) {
            let determined = 1.0 - a * s * s;
            assert!((a * w * w - determined).abs() < bound, "{a} {w} {determined}");
        }
    }
    // Both climb the same surface; neither may end far below the other.
    let last = |fit: &pfcvm_methods::relatives::Fit| fit.trace.last().unwrap().objective;
    assert!((last(&fit) - last(&fast)).abs() < 3.0, "{} {}", last(&fit), last(&fast));
}

/// The fast algorithm makes the step that gains most: up to what the Laplace approximation shifts
/// under a step, the evidence rises.
#[test]
fn the_evidence_rises() {
    for data in [circle(90, 2), circle(60, 6)] {
        let fit = rvm::fit(&data, &Settings::default()).unwrap();
        let falls = fit
            .trace
            .windows(2)
            .filter(|pair| pair[1].objective < pair[0].objective - 0.05)
            .count();
        assert!(falls * 20 <= fit.trace.len(), "{falls} of {}", fit.trace.len());
        assert!(fit.trace[fit.trace.len() - 1].objective > fit.trace[0].objective);
    }
}

#[test]
fn the_order_of_samples_and_features_does_not_matter() {
    let data = circle(60, 4);
    let (shuffled, rows, cols) = permuted(&data);
    for algorithm in [Algorithm::Fast, Algorithm::Batch] {
        let settings = Settings { algorithm, ..Settings::default() };
        let (one, other) =
            (rvm::fit(&data, &settings).unwrap(), rvm::fit(&shuffled, &settings).unwrap());
        let mut back: Vec<usize> =
            other.model.selected_samples().iter().map(|&row| rows[row]).collect();
        back.sort_unstable();
        assert_eq!(one.model.selected_samples(), back);
        let new = Matrix::from_fn(20, 4, |i, k| crate::common::spread(i + 500, k) * 3.0 - 1.5);
        let expected = one.model.predict(&new).unwrap();
        let found = other.model.predict(&new.select_columns(&cols)).unwrap();
        for (a, b) in expected.decision.iter().zip(&found.decision) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
}

/// A weight of 2 counts like two copies, up to the copy being a basis candidate of its own.
#[test]
fn sample_weights_count_as_copies() {
    let data = circle(50, 2);
    let copied: Vec<usize> = (0..50).chain(0..20).collect();
    let twice = data.select(&copied).unwrap();
    let weights = (0..50).map(|i| if i < 20 { 2.0 } else { 1.0 }).collect();
    let weighted = data.with_sample_weights(weights).unwrap();
    // Scaling looks at rows, not at weights: keep it out of the comparison.
    let inputs = Inputs { standardise: false, width: Width::Gamma(1.0), ..Inputs::default() };
    let settings = Settings { inputs, ..Settings::default() };
    let (a, b) = (rvm::fit(&weighted, &settings).unwrap(), rvm::fit(&twice, &settings).unwrap());
    let new = Matrix::from_fn(20, 2, |i, k| crate::common::spread(i + 70, k) * 2.0 - 1.0);
    let (a, b) = (a.model.predict(&new).unwrap(), b.model.predict(&new).unwrap());
    for (a, b) in a.probability.iter().flatten().zip(b.probability.iter().flatten()) {
        assert!((a - b).abs() < 1e-2, "{a} {b}");
    }
}
