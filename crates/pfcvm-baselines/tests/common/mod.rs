//! What the tests share: golden files, made data, real data.
#![allow(dead_code)]

use pfcvm::{Dataset, Matrix};
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::path::Path;

/// The golden file of a name.
pub fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// A list of whole numbers.
pub fn indices(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect()
}

/// A list of rows.
pub fn matrix(value: &Value) -> Matrix {
    Matrix::from_rows(&Vec::from_iter(value.as_array().unwrap().iter().map(numbers)))
}

/// Rows `x` and classes `positive` of a golden case.
pub fn dataset(case: &Value) -> Dataset {
    let classes = case["positive"].as_array().unwrap().iter().map(|v| v.as_bool().unwrap());
    Dataset::new(matrix(&case["x"]), classes.collect()).unwrap()
}

/// Two noisy classes that differ in the first `informative` of `cols` features.
pub fn made(seed: u64, rows: usize, cols: usize, informative: usize) -> Dataset {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let positive = Vec::from_iter((0..rows).map(|row| row % 2 == 1));
    let apart = |row: usize, col: usize| if positive[row] && col < informative { 1.2 } else { 0.0 };
    let x = Matrix::from_fn(rows, cols, |row, col| normal() + apart(row, col));
    Dataset::new(x, positive).unwrap()
}

/// Fails unless the two are within `tolerance` of the larger of 1 and their size.
pub fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let scale = expected.abs().max(1.0);
    assert!((found - expected).abs() <= tolerance * scale, "{what}: {found} beside {expected}");
}

/// As [`close`], for lists.
pub fn all_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        close(*found, *expected, tolerance, &format!("{what} {at}"));
    }
}
