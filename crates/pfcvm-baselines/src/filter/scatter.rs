//! Scatter of one feature between and within the classes.

use crate::prepared::Prepared;

/// Scatter of one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scatter {
    /// Σ over classes of n_c (μ_c − μ)².
    pub between: f64,
    /// Σ over classes and their samples of (x − μ_c)².
    pub within: f64,
}

/// The scatter of each varying feature; a weight of 2 counts like two copies of the sample.
pub(super) fn scatters(data: &Prepared) -> Vec<Scatter> {
    data.x.columns().map(|column| scatter(column, &data.positive, &data.weights)).collect()
}

fn scatter(column: &[f64], positive: &[bool], weights: &[f64]) -> Scatter {
    let (mut count, mut mean) = ([0.0; 2], [0.0; 2]);
    for i in 0..column.len() {
        count[usize::from(positive[i])] += weights[i];
        mean[usize::from(positive[i])] += weights[i] * column[i];
    }
    (0..2).for_each(|class| mean[class] /= count[class]);
    // n₋(μ₋ − μ)² + n₊(μ₊ − μ)² = (μ₊ − μ₋)² n₋ n₊ / n, without the mean of all.
    let between = (mean[1] - mean[0]).powi(2) * count[0] * count[1] / (count[0] + count[1]);
    let apart = |i: usize| column[i] - mean[usize::from(positive[i])];
    let within = (0..column.len()).map(|i| weights[i] * apart(i).powi(2)).sum();
    Scatter { between, within }
}

impl Scatter {
    /// Between over within; a feature that is constant in each class but not over both is beyond
    /// all others.
    pub fn ratio(self) -> f64 {
        match (self.between > 0.0, self.within > 0.0) {
            (_, true) => self.between / self.within,
            (true, false) => f64::INFINITY,
            (false, false) => 0.0,
        }
    }
}
