//! What several test files need: seeded data, golden files, comparisons. It names nothing of the
//! crate, so that the unit tests can include it too.

// Every test file is a crate of its own, and none uses all of this.
#![allow(dead_code)]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use std::path::Path;

/// Uniform and normal deviates from a seed.
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// On [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Rows of standard normal values.
    pub fn rows(&mut self, n: usize, m: usize) -> Vec<Vec<f64>> {
        (0..n).map(|_| (0..m).map(|_| self.normal()).collect()).collect()
    }

    /// A random order of 0..n.
    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut keyed: Vec<(u64, usize)> = (0..n).map(|i| (self.0.next_u64(), i)).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, i)| i).collect()
    }
}

/// Two Gaussian classes, half of the rows each: the first `informative` features have means
/// ±`shift`, the others are noise.
pub fn two_gaussians(
    seed: u64,
    n: usize,
    m: usize,
    informative: usize,
    shift: f64,
) -> (Vec<Vec<f64>>, Vec<bool>) {
    let mut random = Random::new(seed);
    let positive: Vec<bool> = (0..n).map(|i| i % 2 == 0).collect();
    let mut rows = random.rows(n, m);
    for (row, p) in rows.iter_mut().zip(&positive) {
        let mean = if *p { shift } else { -shift };
        row[..informative].iter_mut().for_each(|v| *v += mean);
    }
    (rows, positive)
}

/// A golden file of `tests/golden`.
pub fn golden(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Numbers of a golden file; `null` (not defined) becomes NaN.
pub fn numbers(value: &Value) -> Vec<f64> {
    let entries = value.as_array().unwrap_or_else(|| panic!("no list: {value}"));
    entries.iter().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

/// Rows of numbers of a golden file.
pub fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// Indices of a golden file.
pub fn indices(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect()
}

/// The largest difference, relative to the largest expected magnitude or 1. NaN counts as
/// infinite.
pub fn distance(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len(), "different lengths");
    let largest = expected.iter().fold(1.0f64, |m, e| m.max(e.abs()));
    let differences = found.iter().zip(expected).map(|(f, e)| (f - e).abs() / largest);
    differences.fold(0.0, |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d) })
}

/// Asserts that two lists agree to `tolerance` (see [`distance`]).
#[track_caller]
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let distance = distance(found, expected);
    assert!(
        distance <= tolerance,
        "{what}: off by {distance:e}, allowed {tolerance:e}\nfound    {found:?}\nexpected {expected:?}"
    );
}
