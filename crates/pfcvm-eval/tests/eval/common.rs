//! The golden file of the statistics, and comparisons with it.

use serde_json::Value;

pub fn golden() -> Value {
    serde_json::from_str(include_str!("../golden/statistics.json")).unwrap()
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

pub fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

/// `found` is `expected` but for `rounding`, relative to it or to 1, whichever is larger.
#[track_caller]
pub fn close(found: f64, expected: &Value, rounding: f64) {
    let expected = number(expected);
    let bound = rounding * expected.abs().max(1.0);
    assert!((found - expected).abs() <= bound, "{found} for {expected}");
}
