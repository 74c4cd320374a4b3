//! The data of a report. Everything is given by the caller; nothing is fitted here.

use crate::page::Tile;
use serde::Serialize;

/// What a fit found, ready to be shown. Empty parts are left out of the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// One or two sentences that say what came out.
    pub lead: String,
    /// The figures to see first.
    pub tiles: Vec<Tile>,
    /// Warnings: constant columns that were dropped, a fit that did not converge.
    pub notes: Vec<String>,
    /// What the weights mean and how they were found, in words.
    pub features_caption: String,
    /// The kept features, in any order.
    pub features: Vec<Feature>,
    /// The iterations of the fit.
    pub trace: Vec<Iteration>,
    /// The kept samples, in any order.
    pub samples: Vec<Sample>,
    /// Predictions on rows the fit has not seen.
    pub test: Option<Test>,
    /// Names and values.
    pub settings: Vec<(String, String)>,
    /// Who wrote the report.
    pub origin: Origin,
}

/// A kept feature.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Feature {
    /// The name of its column.
    pub name: String,
    /// Its weight; negative ones are possible in a panel.
    pub weight: f64,
    /// Posterior standard deviation of the weight.
    pub deviation: Option<f64>,
    /// What it is worth: how much the mean −log p of the training rows would rise without it.
    pub worth: Option<f64>,
    /// A word that sets it apart, such as `noise`.
    pub mark: Option<String>,
    /// Share of the members of a panel that chose it.
    pub frequency: Option<f64>,
}

/// The state of the fit after an iteration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Iteration {
    /// Counted from 1.
    pub number: usize,
    /// What the fit was busy with.
    pub stage: String,
    /// Samples still in the model, where there are any to choose.
    pub samples: Option<usize>,
    /// Features still in the model.
    pub features: usize,
    /// Logarithm of the evidence.
    pub log_evidence: f64,
    /// How long this iteration took.
    pub seconds: f64,
}

/// A kept sample.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sample {
    /// Its row in the training data, as the reader counts.
    pub index: usize,
    /// The label of its class.
    pub class: String,
    /// Its weight.
    pub weight: f64,
    /// Posterior standard deviation of the weight.
    pub deviation: Option<f64>,
}

/// Predictions on rows the fit has not seen.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Test {
    /// Whether each row is of the positive class.
    pub truth: Vec<bool>,
    /// The predicted probability of the positive class.
    pub probability: Vec<f64>,
    /// Labels of the negative and the positive class.
    pub classes: [String; 2],
}

/// Who wrote the report, and how to write it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// Name and version of the program.
    pub program: String,
    /// The seed of all that was drawn at random.
    pub seed: Option<u64>,
}
