//! EPCVM as a whole.

use crate::common::{circle, permuted, spread};
use pfcvm::Matrix;
use pfcvm::settings::Truncation;
use pfcvm_methods::relatives::epcvm::{self, Algorithm, Settings};
use pfcvm_methods::relatives::{Inputs, Termination};

const ALGORITHMS: [Algorithm; 3] = [
    Algorithm::Batch(Truncation::Exact),
    Algorithm::Batch(Truncation::Sigmoid { lambda: 5.0 }),
    Algorithm::Incremental,
];

/// Kept samples speak for their own class, and the model is sparse.
#[test]
fn weights_have_the_sign_of_their_label() {
    let data = circle(90, 2);
    for algorithm in ALGORITHMS {
        for kernel in ["rbf", "linear", "poly:2"] {
            let inputs = Inputs { kernel: kernel.parse().unwrap(), ..Inputs::default() };
            let settings = Settings { inputs, algorithm, ..Settings::default() };
            let fit = epcvm::fit(&data, &settings).unwrap();
            let model = &fit.model;
            for (&row, v) in model.selected_samples().iter().zip(model.sample_weights()) {
                assert_eq!(data.positive()[row], *v > 0.0, "{algorithm:?} {kernel}");
            }
            assert!(model.selected_samples().len() < 90, "{algorithm:?} {kernel}");
        }
    }
}

/// α = γ/w² where the exact batch and the incremental algorithm end.
#[test]
fn fits_end_where_their_equations_hold() {
    let data = circle(80, 2);
    for algorithm in [Algorithm::Batch(Truncation::Exact), Algorithm::Incremental] {
        let fit = epcvm::fit(&data, &Settings { algorithm, ..Settings::default() }).unwrap();
        assert_eq!(fit.termination, Termination::Converged);
        let model = &fit.model;
        let precisions = model.sample_precisions().unwrap();
        let deviations = model.sample_deviations().unwrap();
        assert!(!precisions.is_empty());
        for ((a, s), w) in precisions.iter().zip(&deviations).zip(model.sample_weights()) {
            let determined = 1.0 - a * s * s;
            assert!((a * w * w - determined).abs() < 2e-2, "{algorithm:?} {a} {w} {determined}");
        }
    }
}

#[test]
fn the_order_of_samples_and_features_does_not_matter() {
    let data = circle(60, 3);
    let (shuffled, rows, cols) = permuted(&data);
    for algorithm in ALGORITHMS {
        let settings = Settings { algorithm, ..Settings::default() };
        let one = epcvm::fit(&data, &settings).unwrap();
        let other = epcvm::fit(&shuffled, &settings).unwrap();
        let mut back: Vec<usize> =
            other.model.selected_samples().iter().map(|&row| rows[row]).collect();
        back.sort_unstable();
        assert_eq!(one.model.selected_samples(), back, "{algorithm:?}");
        let new = Matrix::from_fn(20, 3, |i, k| spread(i + 500, k) * 3.0 - 1.5);
        let expected = one.model.predict(&new).unwrap().probability.unwrap();
        let found = other.model.predict(&new.select_columns(&cols)).unwrap().probability.unwrap();
        for (a, b) in expected.iter().zip(&found) {
            assert!((a - b).abs() < 1e-6, "{algorithm:?} {a} {b}");
        }
    }
}
