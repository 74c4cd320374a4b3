//! Numbers with a long tail, on a scale on which it is short.

use serde::{Deserialize, Serialize};

/// A scale on which a long tail is short: ln(1 + (s x − a) / b). s is 1 where the long tail is the upper one and
/// −1 where it is the lower one; a the least of s x among the training rows, b how far their median is from
/// it. What lies beyond the short end by nine tenths of b or more is taken for nine tenths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bend {
    /// Whether the lower tail is the long one.
    pub lower: bool,
    /// a.
    pub least: f64,
    /// b.
    pub span: f64,
}

/// Where values are bent to at the short end, in units of b.
pub const SHORT_END: f64 = -0.9;
/// Skewness from which on a tail is long.
const LONG_TAIL: f64 = 1.0;
/// Numbers that it takes to tell.
const TAIL_ROWS: usize = 20;

impl Bend {
    /// The value on the scale.
    pub fn of(&self, x: f64) -> f64 {
        let x = if self.lower { -x } else { x };
        ((x - self.least) / self.span).max(SHORT_END).ln_1p()
    }

    /// The number of a value on the scale.
    pub fn back(&self, value: f64) -> f64 {
        let x = (self.least + self.span * value.exp_m1()).clamp(f64::MIN, f64::MAX);
        if self.lower { -x } else { x }
    }

    /// The scale that suits some numbers of this mean and deviation, nothing where none is needed.
    pub(super) fn suits(mut values: Vec<f64>, (mean, deviation): (f64, f64)) -> Option<Self> {
        let skewness = values.iter().map(|v| ((v - mean) / deviation).powi(3)).sum::<f64>()
            / values.len() as f64;
        if values.len() < TAIL_ROWS || skewness.is_nan() || skewness.abs() < LONG_TAIL {
            return None;
        }
        let lower = skewness < 0.0;
        values.iter_mut().for_each(|v| *v = if lower { -*v } else { *v });
        values.sort_by(f64::total_cmp);
        let (least, middle) = (values[0], values[values.len() / 2]);
        // Most of them may be the least.
        let mean = if lower { -mean } else { mean };
        let span = if middle > least { middle - least } else { mean - least };
        (span > 0.0 && span.is_finite()).then_some(Self { lower, least, span })
    }
}
