//! KL divergence from the posterior to the prior (`sec:KLD`).

use crate::model::Model;
use crate::truncated::truncated_divergence;
use serde::{Deserialize, Serialize};

/// KL(q‖p) of two Gaussians that are not truncated.
fn plain_divergence(mean: f64, precision: f64, prior: f64) -> f64 {
    let rho = prior / precision;
    0.5 * (rho - 1.0 - rho.ln() + prior * mean * mean)
}

/// The prior that the posterior is held against. It must not have been learned from the data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorPrecisions {
    /// β₀; nothing: the number of features that vary, where fits start.
    pub features: Option<f64>,
    /// α₀ of sample weights and bias.
    pub samples: f64,
}

impl Default for PriorPrecisions {
    fn default() -> Self {
        Self { features: None, samples: 0.5 }
    }
}

/// KL(q‖p) of every kept weight, q with the posterior's mean and variance, each weight on its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Divergence {
    /// Of each kept feature.
    pub features: Vec<f64>,
    /// Of each kept sample.
    pub samples: Vec<f64>,
    /// Of the bias, which is not truncated.
    pub bias: f64,
}

impl Divergence {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.features.iter().sum::<f64>() + self.samples.iter().sum::<f64>() + self.bias
    }
}

impl Model {
    /// How far the posterior of the kept weights is from a prior, in nats. Dropped weights do not
    /// count, as in the paper.
    pub fn divergence(&self, prior: &PriorPrecisions) -> Divergence {
        let features = prior.features.unwrap_or(self.scaler.features().len() as f64);
        // A variance that rounding has made 0 would be an infinite precision.
        let precision = |variance: f64| 1.0 / variance.max(f64::MIN_POSITIVE);
        let truncated = |(mean, variance): (&f64, f64), prior: f64| {
            truncated_divergence(*mean, precision(variance), prior)
        };
        let variances = self.sample_covariance.variances();
        let of_features = self.theta.iter().zip(self.feature_covariance.variances());
        let of_samples = self.w[1..].iter().zip(variances[1..].iter().copied());
        Divergence {
            features: of_features.map(|pair| truncated(pair, features)).collect(),
            samples: of_samples.map(|pair| truncated(pair, prior.samples)).collect(),
            bias: plain_divergence(self.w[0], precision(variances[0]), prior.samples),
        }
    }
}
