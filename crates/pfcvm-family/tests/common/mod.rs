//! Data and golden files for the tests.
#![allow(dead_code)]

use pfcvm::{Dataset, Matrix};
use serde_json::Value;

pub fn golden(name: &str) -> Value {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

pub fn matrix_of(rows: &Value) -> Matrix {
    let rows: Vec<Vec<f64>> = rows.as_array().unwrap().iter().map(numbers).collect();
    Matrix::from_rows(&rows)
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
