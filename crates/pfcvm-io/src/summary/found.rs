//! What one machine found.

use super::EffectsSummary;
use pfcvm::certainty::Goals;
use pfcvm::panel::{Panel, PanelRound};
use pfcvm::{Fit, Iteration, Termination, Trial};
use serde::Serialize;

/// One machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MachineSummary {
    /// Its positive class.
    pub positive: String,
    /// Its negative class; nothing: all others.
    pub negative: Option<String>,
    /// Rows it learned from.
    pub n_samples_in: usize,
    /// What it found.
    #[serde(flatten)]
    pub found: Found,
}

/// What the fit of a machine found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// How it ended.
    pub termination: Termination,
    /// After how many iterations, or rounds of a panel.
    pub iterations: usize,
    /// Log evidence of the last one.
    pub log_evidence: f64,
    /// Whether no feature does better than chance, where that was asked.
    pub nothing_found: Option<bool>,
    /// What rows that did not train say, where they were asked.
    pub held_out: Option<HeldOut>,
    /// The most important first, where that is known; else the heaviest.
    pub selected_features: Vec<SelectedFeature>,
    /// The heaviest first; none of a panel.
    pub selected_samples: Vec<SelectedSample>,
    /// The bias of the decision value.
    pub bias: f64,
    /// What a panel says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<Verdict>,
    /// What its features do, where that was asked; see [`Summary::with_effects`](super::Summary::with_effects).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<EffectsSummary>,
    /// How it went; a model file does not know.
    #[serde(flatten)]
    pub course: Option<Course>,
}

/// How the fit of a machine went.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Course {
    /// Every iteration.
    pub trace: Vec<Step>,
    /// Features that were let back in for a while; iterations name the one they belong to by its
    /// place here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

/// A selected feature.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SelectedFeature {
    /// Column of the training data beside the label, from 0.
    pub index: usize,
    /// The name of the column.
    pub name: String,
    /// Its weight; that of a panel may be negative.
    pub weight: f64,
    /// Precision of the weight's prior; a panel has none of its own.
    pub precision: Option<f64>,
    /// Posterior standard deviation; of a panel, over its parts.
    pub deviation: f64,
    /// What rows that did not train say of it, where they were asked.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub sureness: Option<Sureness>,
    /// Rise of the mean −log p of the training rows without it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
    /// What a panel knows of it.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// What rows that did not train say of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sureness {
    /// How likely it is listed for nothing.
    pub false_alarm: f64,
    /// Whether it is certain, at the rate or within the number that was asked for.
    pub certain: bool,
    /// Rise of the mean −log p of held-out rows without it, everything else settled again.
    pub importance: f64,
    /// Where that lies, with 95 % confidence.
    pub importance_interval: [f64; 2],
    /// How likely a feature that says nothing does as well on held-out rows.
    pub p_value: f64,
    /// Share of the fits on parts of the rows that keep it.
    pub kept_share: f64,
}

/// What rows that did not train say of a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeldOut {
    /// How likely features that say nothing would do as well.
    pub p_value: f64,
    /// How many parts the rows were held out in.
    pub folds: usize,
    /// Share of held-out rows that were put into the right class.
    pub accuracy: f64,
    /// Mean −log p of held-out rows.
    pub log_loss: f64,
    /// The same for who knows nothing but the shares of the classes.
    pub baseline_log_loss: f64,
    /// What the list alone brings, and what it brings beside a machine of all features; where machines
    /// share a row of probabilities, what is known of all of them has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<Goals>,
    /// What decision values of the list were multiplied by, so that probabilities are honest.
    pub slope: f64,
    /// What was added to them then.
    pub offset: f64,
    /// Share of features that say nothing that may be called certain.
    pub rate: f64,
    /// Expected number of false features among the certain ones, if that was asked for instead.
    pub max_false: Option<f64>,
    /// How many of the selected features are expected to be false.
    pub expected_false: f64,
    /// How many of the certain ones are.
    pub expected_false_certain: f64,
}

/// What a panel knows of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Standing {
    /// Median share of the members' weights.
    pub median_share: f64,
    /// Share of the members that used it when the list was made.
    pub frequency: f64,
}

/// A selected sample.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SelectedSample {
    /// Row of the training data, from 0.
    pub index: usize,
    /// Its class; `another` where a machine has all others on one side.
    pub label: String,
    /// Its weight.
    pub weight: f64,
    /// Precision of the weight's prior.
    pub precision: f64,
    /// Posterior standard deviation.
    pub deviation: f64,
}

/// Whether a short list is the right tool, as halves of the samples say about each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether short lists predict as well as all features do.
    pub short_list_suffices: bool,
    /// What predicts best.
    pub verdict: Best,
    /// Mean −log p of each half, from a list of the other.
    pub expected_log_loss: Option<f64>,
    /// Accuracy on each half, from a list of the other.
    pub expected_accuracy: Option<f64>,
    /// The same with all features.
    pub all_features_log_loss: Option<f64>,
    /// The same with all features.
    pub all_features_accuracy: Option<f64>,
}

/// What predicts best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Best {
    /// A short list.
    ShortList,
    /// All features together.
    AllFeatures,
    /// Neither is better than knowing the shares of the classes.
    Neither,
}

/// One iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// Of a model.
    Iteration(Iteration),
    /// Of a panel.
    Round(PanelRound),
}

impl Course {
    /// Of the fit of a model.
    pub fn of_fit(fit: &Fit) -> Self {
        let trace = fit.trace.iter().cloned().map(Step::Iteration).collect();
        Self { trace, trials: fit.trials.clone() }
    }

    /// Of a panel.
    pub fn of_panel(panel: &Panel) -> Self {
        let trace = panel.rounds().iter().cloned().map(Step::Round).collect();
        Self { trace, trials: Vec::new() }
    }
}
