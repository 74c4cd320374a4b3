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
    // Each class's weights, 0 for samples of the other: a sum over all samples without branches.
    let of_class = |class: bool| {
        let both = data.positive.iter().zip(&data.weights);
        Vec::from_iter(
            both.map(|(positive, weight)| if *positive == class { *weight } else { 0.0 }),
        )
    };
    let weights = [of_class(false), of_class(true)];
    let count = [0, 1].map(|class| weights[class].iter().sum());
    data.x.columns().map(|column| scatter(column, data, &weights, count)).collect()
}

fn scatter(column: &[f64], data: &Prepared, weights: &[Vec<f64>; 2], count: [f64; 2]) -> Scatter {
    let mut mean = [0.0; 2];
    for (value, (negative, positive)) in column.iter().zip(weights[0].iter().zip(&weights[1])) {
        mean[0] += negative * value;
        mean[1] += positive * value;
    }
    (0..2).for_each(|class| mean[class] /= count[class]);
    // n₋(μ₋ − μ)² + n₊(μ₊ − μ)² = (μ₊ − μ₋)² n₋ n₊ / n, without the mean of all.
    let between = (mean[1] - mean[0]).powi(2) * count[0] * count[1] / (count[0] + count[1]);
    let samples = column.iter().zip(data.positive.iter().zip(&data.weights));
    let within = samples.map(|(value, (positive, weight))| {
        weight * (value - if *positive { mean[1] } else { mean[0] }).powi(2)
    });
    let within = within.sum();
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
