//! What is told about a fit: its iterations, its trials, and how it ended.

use serde::{Deserialize, Serialize};

/// How a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Termination {
    /// The log evidence settled.
    Converged,
    /// The last stage used up its iterations; the weights are those of the last one.
    MaxIterations,
    /// The observer asked to stop; the weights are those of the last iteration that counts (one of
    /// a trial that is not over does not).
    Cancelled,
    /// The algebra broke down; the weights are those before it did.
    NumericalBreakdown,
}

/// One iteration, as it is traced and shown to the observer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Iteration {
    /// Counts from 1 over all stages.
    pub number: usize,
    /// The name of the stage it belongs to.
    pub stage: String,
    /// The trial it belongs to, as a place in [`Fit::trials`](crate::Fit); nothing outside of
    /// trials. What a trial that was not accepted did is not in the model.
    #[serde(default)]
    pub trial: Option<usize>,
    /// The part of the rows that is held out, from 1; nothing for the fit on all rows. What such a
    /// fit does is shown to the observer only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fold: Option<usize>,
    /// Samples kept after it.
    pub samples: usize,
    /// Features kept after it.
    pub features: usize,
    /// Log evidence (before anything was dropped).
    pub log_evidence: f64,
    /// Log likelihood.
    pub log_likelihood: f64,
    /// Length of the step in w: 1 is a full Newton step, 0 none.
    pub sample_step: f64,
    /// Length of the step in θ.
    pub feature_step: f64,
    /// Relative jitter that a factorisation needed; 0 in the ordinary case.
    pub jitter: f64,
    /// Wall-clock time it took.
    pub seconds: f64,
    /// Floating-point operations in its matrix products and factorisations.
    pub flops: f64,
}

/// Features that had been dropped and were let back in for a while, another start, or more samples, to see
/// whether the evidence gains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Trial {
    /// The features, as columns of the input.
    pub features: Vec<usize>,
    /// What the log evidence gained.
    pub gain: f64,
    /// What it had to gain for the features that came out of it; 0 where features join without a
    /// condition, because no sample is dropped.
    pub price: f64,
    /// Whether the fit went on from it.
    pub accepted: bool,
    /// Whether the stage was begun anew with them beside features that were kept or stand out, all weights
    /// as at the start.
    #[serde(default)]
    pub anew: bool,
    /// How many more samples could take part, where these were tried, and no features.
    #[serde(default)]
    pub joined: usize,
}
