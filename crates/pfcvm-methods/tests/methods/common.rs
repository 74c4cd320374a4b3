//! What the tests share: golden files, made data, real data.
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

/// A number in [0, 1) for every pair, spread evenly.
pub fn spread(i: usize, k: usize) -> f64 {
    (((i + 1) as f64) * (0.754_877_666 + 0.1 * k as f64).sqrt() * (k + 2) as f64).fract()
}

/// A number in [0, 1) for every pair, without any pattern (the mixing steps of splitmix64).
pub fn noise(i: usize, k: usize) -> f64 {
    let mut z = (i as u64) << 32 | k as u64;
    z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x632b_e59b_d9b4_e019);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Inside or outside a circle in the first two features, with some labels near the edge flipped;
/// the other features have no part in it.
pub fn circle(rows: usize, cols: usize) -> Dataset {
    let x = Matrix::from_fn(rows, cols, |i, k| 2.0 * spread(i, k) - 1.0);
    let inside = |i: usize| {
        let radius = x.get(i, 0).powi(2) + x.get(i, 1).powi(2);
        radius + 0.3 * (spread(i, cols + 3) - 0.5) < 0.6
    };
    let positive = (0..rows).map(inside).collect();
    Dataset::new(x, positive).unwrap()
}

/// The same samples in another order, and the same features in another order: row r of the result
/// is row `rows[r]`.
pub fn permuted(data: &Dataset) -> (Dataset, Vec<usize>, Vec<usize>) {
    let shuffle = |n: usize| -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| spread(*a, 91).total_cmp(&spread(*b, 91)));
        order
    };
    let (rows, cols) = (shuffle(data.len()), shuffle(data.x().cols()));
    let x = data.x().select_rows(&rows).select_columns(&cols);
    let positive = rows.iter().map(|&i| data.positive()[i]).collect();
    (Dataset::new(x, positive).unwrap(), rows, cols)
}
