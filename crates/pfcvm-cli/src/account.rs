//! What a fit found, as data: the same for words, JSON and the report.

use pfcvm::{Iteration, Model, Panel, PanelRound, Termination};
use pfcvm_io::{Fitted, ModelFile};
use serde::Serialize;

/// What a model file tells.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub kind: &'static str,
    pub termination: Termination,
    pub iterations: usize,
    pub log_evidence: f64,
    pub n_samples_in: usize,
    pub n_features_in: usize,
    /// The negative class and the positive one, whose probability is predicted.
    pub classes: [String; 2],
    /// The heaviest first; of a panel, the most important first.
    pub selected_features: Vec<SelectedFeature>,
    /// The heaviest first.
    pub selected_samples: Vec<SelectedSample>,
    pub bias: f64,
    pub seed: u64,
    pub settings: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<Verdict>,
}

/// A kept feature.
#[derive(Debug, Clone, Serialize)]
pub struct SelectedFeature {
    /// Column of the training data beside the label, from 0.
    pub index: usize,
    pub name: String,
    pub weight: f64,
    /// Precision of the weight's prior; a panel has none of its own.
    pub precision: Option<f64>,
    /// Posterior standard deviation; of a panel, over its members.
    pub std: f64,
    /// Rise of the mean −log p of the training rows without it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// What a panel knows of a feature.
#[derive(Debug, Clone, Serialize)]
pub struct Standing {
    /// Median share of the members' weights.
    pub importance: f64,
    /// Share of the members that used it when the list was made.
    pub frequency: f64,
}

/// A kept sample.
#[derive(Debug, Clone, Serialize)]
pub struct SelectedSample {
    /// Row of the training data, from 0.
    pub index: usize,
    pub label: String,
    pub weight: f64,
    pub precision: f64,
    pub std: f64,
}

/// Whether a short list is the right tool, as halves of the samples say about each other.
#[derive(Debug, Serialize)]
pub struct Verdict {
    pub short_list_suffices: bool,
    pub verdict: Best,
    pub expected_log_loss: Option<f64>,
    pub expected_accuracy: Option<f64>,
    pub all_features_log_loss: Option<f64>,
    pub all_features_accuracy: Option<f64>,
}

/// What predicts best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Best {
    ShortList,
    AllFeatures,
    /// Neither is better than knowing the shares of the classes.
    Neither,
}

impl Summary {
    pub fn of(file: &ModelFile) -> Self {
        let (settings, seed) = match &file.fitted {
            Fitted::Single(single) => {
                (serde_json::to_value(&single.settings), single.settings.seed)
            }
            Fitted::Panel(listed) => (serde_json::to_value(&listed.settings), listed.settings.seed),
        };
        Self {
            kind: match &file.fitted {
                Fitted::Single(_) => "single",
                Fitted::Panel(_) => "panel",
            },
            termination: file.termination,
            iterations: file.iterations,
            log_evidence: file.log_evidence,
            n_samples_in: file.rows_used(),
            n_features_in: file.feature_names.len(),
            classes: file.classes.clone(),
            selected_features: features(file),
            selected_samples: samples(file),
            bias: match &file.fitted {
                Fitted::Single(single) => single.model.bias(),
                Fitted::Panel(listed) => listed.panel.bias(),
            },
            seed,
            // Settings hold nothing that JSON cannot; null would be a bug worth seeing.
            settings: settings.unwrap_or_default(),
            panel: verdict(file),
        }
    }
}

fn features(file: &ModelFile) -> Vec<SelectedFeature> {
    match &file.fitted {
        Fitted::Single(single) => model_features(&single.model, &file.feature_names),
        Fitted::Panel(listed) => panel_features(&listed.panel, &file.feature_names),
    }
}

/// Kept features of a model, the heaviest first.
pub fn model_features(model: &Model, names: &[String]) -> Vec<SelectedFeature> {
    let deviations = model.feature_deviations();
    let feature = |k: usize| SelectedFeature {
        index: model.feature_indices()[k],
        name: names[model.feature_indices()[k]].clone(),
        weight: model.feature_weights()[k],
        precision: Some(model.feature_precisions()[k]),
        std: deviations[k],
        worth: model.feature_losses().map(|losses| losses[k]),
        standing: None,
    };
    let mut all: Vec<_> = (0..deviations.len()).map(feature).collect();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    all
}

/// Listed features of a panel, the most important first.
pub fn panel_features(panel: &Panel, names: &[String]) -> Vec<SelectedFeature> {
    let (weights, deviations) = (panel.feature_weights(), panel.feature_deviations());
    let feature = |k: usize| SelectedFeature {
        index: panel.feature_indices()[k],
        name: names[panel.feature_indices()[k]].clone(),
        weight: weights[k],
        precision: None,
        std: deviations[k],
        worth: None,
        standing: Some(Standing {
            importance: panel.importance()[k],
            frequency: panel.selection_frequencies()[k],
        }),
    };
    (0..weights.len()).map(feature).collect()
}

fn samples(file: &ModelFile) -> Vec<SelectedSample> {
    let Fitted::Single(single) = &file.fitted else { return Vec::new() };
    model_samples(&single.model, &file.sample_rows, file.classes.each_ref().map(|c| c.as_str()))
}

/// Kept samples of a model, the heaviest first; `rows` are theirs, `labels` those of the negative
/// and the positive class.
pub fn model_samples(model: &Model, rows: &[usize], labels: [&str; 2]) -> Vec<SelectedSample> {
    let (deviations, positive) = (model.sample_deviations(), model.sample_positive());
    let sample = |j: usize| SelectedSample {
        index: rows[j],
        label: labels[usize::from(positive[j])].into(),
        weight: model.sample_weights()[j],
        precision: model.sample_precisions()[j],
        std: deviations[j],
    };
    let mut all: Vec<_> = (0..deviations.len()).map(sample).collect();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    all
}

/// The mean −log p of who knows nothing but the shares of the classes.
fn chance(file: &ModelFile) -> f64 {
    let [negative, positive] = file.class_rows.unwrap_or([1, 1]).map(|rows| rows.max(1) as f64);
    let all = negative + positive;
    -(negative * (negative / all).ln() + positive * (positive / all).ln()) / all
}

/// What a panel says of itself.
pub fn verdict(file: &ModelFile) -> Option<Verdict> {
    let Fitted::Panel(listed) = &file.fitted else { return None };
    let panel = &listed.panel;
    let known = |value: f64| (!value.is_nan()).then_some(value);
    let (list, all) = (panel.expected_log_loss(), panel.all_features_log_loss());
    Some(Verdict {
        short_list_suffices: panel.short_list_suffices(),
        verdict: if list.min(all) >= chance(file) {
            Best::Neither
        } else if panel.short_list_suffices() {
            Best::ShortList
        } else {
            Best::AllFeatures
        },
        expected_log_loss: known(panel.expected_log_loss()),
        expected_accuracy: known(panel.expected_accuracy()),
        all_features_log_loss: known(panel.all_features_log_loss()),
        all_features_accuracy: known(panel.all_features_accuracy()),
    })
}

/// Everything `fit` found out.
#[derive(Debug, Serialize)]
pub struct Account {
    /// The training data, as named on the command line.
    pub data: String,
    #[serde(flatten)]
    pub summary: Summary,
    /// Columns left out because they never vary.
    pub constant_features: Vec<String>,
    pub seconds: f64,
    pub trace: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// What else is worth knowing, in words.
    pub notes: Vec<String>,
}

/// One iteration.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Step {
    Iteration(Iteration),
    Round(PanelRound),
}

/// What the model is worth on the test data.
#[derive(Debug, Serialize)]
pub struct Test {
    /// The test data, as named on the command line.
    pub data: String,
    pub rows: usize,
    pub accuracy: f64,
    /// Nothing where one class only is tested.
    pub auc: Option<f64>,
    pub log_loss: f64,
    pub brier: f64,
    #[serde(skip)]
    pub truth: Vec<bool>,
    #[serde(skip)]
    pub probability: Vec<f64>,
}

impl Test {
    pub fn new(data: String, truth: Vec<bool>, probability: Vec<f64>) -> Self {
        Self {
            data,
            rows: truth.len(),
            accuracy: pfcvm_eval::accuracy(&truth, &probability),
            auc: pfcvm_eval::auc(&truth, &probability),
            log_loss: pfcvm_eval::log_loss(&truth, &probability),
            brier: pfcvm_eval::brier_score(&truth, &probability),
            truth,
            probability,
        }
    }
}
