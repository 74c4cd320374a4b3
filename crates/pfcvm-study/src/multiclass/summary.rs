//! Many folds of one study of several classes in a few numbers.

use super::{MulticlassOutcome, MulticlassStudy};
use crate::summary::{Over, above_zero, failed, fitted, kappa, tested_once};
use crate::{FailedFold, Measure, Stability};
use pfcvm_eval::{ClassScores, Scores, selection_frequencies};
use serde::Serialize;

/// What a study adds up to. Accuracy and log loss are means over the folds that were fitted; all
/// else is of all their test rows together, for a fold need not test every class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MulticlassSummary {
    /// Name of the study.
    pub name: String,
    /// The method and its settings.
    pub method: String,
    /// Which machines there are.
    pub scheme: String,
    /// All folds.
    pub folds: usize,
    /// Folds that have no scores, and why.
    pub failed: Vec<FailedFold>,
    /// Share of test rows that were called what they are.
    pub accuracy: Option<Measure>,
    /// Log loss.
    pub log_loss: Option<Measure>,
    /// Mean squared distance of the probabilities from the truth, summed over the classes.
    pub brier: Option<f64>,
    /// Cohen's kappa. Its interval counts a row once, however often it was tested.
    pub kappa: Option<Measure>,
    /// Mean precision of the classes.
    pub macro_precision: Option<f64>,
    /// Mean recall of the classes: the balanced accuracy.
    pub macro_recall: Option<f64>,
    /// Mean F1 of the classes.
    pub macro_f1: Option<f64>,
    /// Mean area under the ROC curve of each class against the rest.
    pub macro_auc: Option<f64>,
    /// Accuracy of always naming the largest class among the tested rows.
    pub baseline_accuracy: Option<f64>,
    /// Log loss of always giving the classes' shares among the tested rows.
    pub baseline_log_loss: Option<f64>,
    /// Class by class.
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` test rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
    /// Features that any machine selects, per fold.
    pub features: Option<Measure>,
    /// Samples kept by all machines together, per fold, each counted as often as it is kept.
    pub samples: Option<Measure>,
    /// How alike the features that any machine selects are from fold to fold.
    pub stability: Option<Stability>,
    /// For each feature the share of folds in which some machine selected it; nothing for methods
    /// that use all. Written as pairs of a feature (from 0) and its share, of those above 0.
    #[serde(serialize_with = "above_zero")]
    pub selection_frequencies: Option<Vec<f64>>,
    /// Machine by machine.
    pub machines: Vec<MachineSummary>,
}

/// What one machine selects from fold to fold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MachineSummary {
    /// The positive class.
    pub positive: String,
    /// The negative class; nothing: all others.
    pub negative: Option<String>,
    /// Selected features per fold.
    pub features: Option<Measure>,
    /// How alike the selections are.
    pub stability: Option<Stability>,
    /// As for all machines together.
    #[serde(serialize_with = "above_zero")]
    pub selection_frequencies: Option<Vec<f64>>,
}

impl MulticlassSummary {
    /// Adds up the outcomes of a study.
    pub fn of(study: &MulticlassStudy, outcomes: &[MulticlassOutcome]) -> Self {
        let fitted = fitted(outcomes);
        let over = Over::new(&study.splits, &fitted);
        let names = study.data.class_names();
        let (mut truth, mut called, mut probability) = (Vec::new(), Vec::new(), Vec::new());
        for (at, fold) in &fitted {
            truth.extend(study.splits[*at].test.iter().map(|&row| study.data.codes()[row]));
            called.extend_from_slice(&fold.called);
            probability.extend_from_slice(&fold.probability);
        }
        let scores = Scores::of(names, &truth, &called, Some(&probability));
        let known = |value: f64| (!truth.is_empty()).then_some(value);
        let subsets: Option<Vec<Vec<usize>>> =
            fitted.iter().map(|(_, fold)| fold.all_features()).collect();
        let subsets = subsets.filter(|subsets| !subsets.is_empty());
        let width = study.data.x().cols();
        Self {
            name: study.name.clone(),
            method: study.contender.label(),
            scheme: study.scheme.to_string(),
            folds: outcomes.len(),
            failed: failed(outcomes),
            accuracy: over.accuracy(
                |fold| fold.accuracy,
                |fold| {
                    let rows = fold.called.len();
                    ((fold.accuracy * rows as f64).round() as usize, rows)
                },
            ),
            log_loss: over.mean(|fold| Some(fold.log_loss)),
            brier: scores.brier.filter(|_| !truth.is_empty()),
            kappa: kappa(&scores.confusion, tested_once(&study.splits, &fitted)),
            macro_precision: known(scores.macro_precision),
            macro_recall: known(scores.macro_recall),
            macro_f1: known(scores.macro_f1),
            macro_auc: scores.auc,
            baseline_accuracy: known(baseline(&scores).0),
            baseline_log_loss: known(baseline(&scores).1),
            classes: scores.classes.clone(),
            features: over.spread(|fold| Some(fold.all_features()?.len() as f64)),
            samples: over.spread(|fold| Some(fold.samples? as f64)),
            stability: subsets.as_deref().and_then(|subsets| Stability::of(subsets, width)),
            selection_frequencies: subsets.map(|subsets| selection_frequencies(&subsets, width)),
            machines: machines(study, outcomes),
            confusion: scores.confusion,
        }
    }
}

/// What the shares of the classes alone are worth: accuracy and log loss.
fn baseline(scores: &Scores) -> (f64, f64) {
    let rows: usize = scores.classes.iter().map(|class| class.rows).sum();
    let shares = scores.classes.iter().map(|class| class.rows as f64 / rows as f64);
    let nats = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
    (shares.clone().fold(0.0, f64::max), shares.map(nats).sum())
}

fn machines(study: &MulticlassStudy, outcomes: &[MulticlassOutcome]) -> Vec<MachineSummary> {
    let fitted = fitted(outcomes);
    let over = Over::new(&study.splits, &fitted);
    let names = study.data.class_names();
    let width = study.data.x().cols();
    let tasks = study.scheme.tasks(names.len()).into_iter().enumerate();
    tasks
        .map(|(at, task)| {
            let of_machine = |(_, fold): &(usize, &super::MulticlassFold)| {
                Some(fold.features.as_ref()?[at].clone())
            };
            let subsets: Option<Vec<Vec<usize>>> = fitted.iter().map(of_machine).collect();
            let subsets = subsets.filter(|subsets| !subsets.is_empty());
            MachineSummary {
                positive: names[task.positive].clone(),
                negative: task.negative.map(|negative| names[negative].clone()),
                features: over.spread(|fold| Some(fold.features.as_ref()?[at].len() as f64)),
                stability: subsets.as_deref().and_then(|subsets| Stability::of(subsets, width)),
                selection_frequencies: subsets
                    .map(|subsets| selection_frequencies(&subsets, width)),
            }
        })
        .collect()
}
