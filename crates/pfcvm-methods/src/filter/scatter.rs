//! Scatter of one feature between and within the classes.

use super::sums::{largest_of_varying, to_unit, weighted};
use crate::Error;
use crate::prepared::Counted;
use pfcvm::data::moments;

/// A mean square below this, in a feature whose largest magnitude is about 1, may be rounding.
const DOUBTFUL: f64 = 1e-20;

/// Scatter of one feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scatter {
    /// Σ over classes of n_c (μ_c − μ)².
    pub between: f64,
    /// Σ over classes and their samples of (x − μ_c)².
    pub within: f64,
}

/// A varying feature.
pub(super) struct Feature {
    pub column: usize,
    /// Of the values times a power of two, `unit`, that makes them about 1.
    pub scatter: Scatter,
    pub unit: f64,
}

/// The scatter of each varying feature, without a copy of the data; a weight of 2 counts like two
/// copies of the sample.
pub(super) fn scatters(counted: &Counted<'_>) -> Result<Vec<Feature>, Error> {
    // Each class's weights, 0 for samples of the other: a sum over all samples without branches.
    let of_class = |class: bool| {
        let both = counted.positive.iter().zip(&counted.weights);
        Vec::from_iter(
            both.map(|(positive, weight)| if *positive == class { *weight } else { 0.0 }),
        )
    };
    let weights = [of_class(false), of_class(true)];
    let count = [0, 1].map(|class| weights[class].iter().sum());
    let columns = counted.x.columns().enumerate();
    let found = Vec::from_iter(columns.filter_map(|(column, values)| {
        let unit = to_unit(largest_of_varying(values)?);
        let scatter = scatter(values, unit, &weights, count);
        let square = (scatter.between + scatter.within) / (count[0] + count[1]);
        let varies = square > DOUBTFUL || moments(values).is_some();
        varies.then_some(Feature { column, scatter, unit })
    }));
    match found.is_empty() {
        true => Err(pfcvm::Error::NoVaryingFeature { cols: counted.x.cols() }.into()),
        false => Ok(found),
    }
}

fn scatter(values: &[f64], unit: f64, weights: &[Vec<f64>; 2], count: [f64; 2]) -> Scatter {
    // From the first value, so that noise on a large constant keeps its digits.
    let first = values[0] * unit;
    let mean = [0, 1].map(|class| {
        weighted(values, &weights[class], |value, weight| weight * (value * unit - first))
            / count[class]
    });
    // n₋(μ₋ − μ)² + n₊(μ₊ − μ)² = (μ₊ − μ₋)² n₋ n₊ / n, without the mean of all.
    let between = (mean[1] - mean[0]).powi(2) * count[0] * count[1] / (count[0] + count[1]);
    let within = [0, 1].map(|class| {
        weighted(values, &weights[class], |value, weight| {
            let apart = value * unit - first - mean[class];
            weight * apart * apart
        })
    });
    Scatter { between, within: within[0] + within[1] }
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
