//! Many folds of one study in a few numbers.

use crate::fold::area;
use crate::measure::{Measure, OverFolds};
use crate::run::fitted;
use crate::selection::{Stability, above_zero, selections};
use crate::{Fold, Outcome, Predictions, Study};
use pfcvm_eval::{ClassCurves, ClassScores, Scores, class_areas};
use serde::Serialize;

/// What a study adds up to. Means are over the folds that were fitted; what is said of all test
/// rows together counts a row as often as it was tested.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the study.
    pub name: String,
    /// The method and its settings.
    pub method: String,
    /// Which machines there are, with more than two classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    /// All folds.
    pub folds: usize,
    /// Folds that have no scores, and why.
    pub failed: Vec<FailedFold>,
    /// Share of test rows that were called what they are.
    pub accuracy: Option<Measure>,
    /// Log loss.
    pub log_loss: Option<Measure>,
    /// Brier score: of one probability with two classes, summed over the classes with more.
    pub brier: Option<Measure>,
    /// Area under the ROC curve (the mean over the classes with more than two): mean over folds
    /// where all classes are tested, or of all test rows together where no fold tests all.
    pub auc: Option<Measure>,
    /// Folds that the area is the mean of; 0: it is that of all test rows together.
    pub auc_folds: usize,
    /// Cohen's kappa of all test rows together. Its interval counts a row once, however often it
    /// was tested.
    pub kappa: Option<Measure>,
    /// What knowing nothing but the shares of the classes among the tested rows is worth.
    pub baseline: Option<Baseline>,
    /// Mean precision of the classes, of all test rows together.
    pub macro_precision: Option<f64>,
    /// Mean recall of the classes: the balanced accuracy.
    pub macro_recall: Option<f64>,
    /// Mean F1 of the classes.
    pub macro_f1: Option<f64>,
    /// Class by class, of all test rows together.
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` test rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
    /// With two classes: true and false positives, true and false negatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<[usize; 4]>,
    /// Calibration error of all test rows together, in up to ten bins: of the second class where there
    /// are two, of the largest probability where there are more.
    pub calibration_error: Option<f64>,
    /// Features that any machine selects, per fold.
    pub features: Option<Measure>,
    /// Samples selected by all machines together, per fold, each counted as often as it is
    /// selected.
    pub samples: Option<Measure>,
    /// How alike the features that any machine selects are from fold to fold.
    pub stability: Option<Stability>,
    /// For each feature the share of folds in which some machine selected it; nothing for methods
    /// that use all. Written as pairs of a feature (from 0) and its share, of those above 0.
    #[serde(serialize_with = "above_zero")]
    pub selection_frequencies: Option<Vec<f64>>,
    /// Machine by machine, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<MachineSummary>,
}

/// What the shares of the classes alone are worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Baseline {
    /// Accuracy of always naming the largest class.
    pub accuracy: f64,
    /// Log loss of always giving the shares.
    pub log_loss: f64,
    /// Brier score of always giving the shares.
    pub brier: f64,
}

impl Baseline {
    /// From the number of rows of each class.
    fn of(classes: &[ClassScores]) -> Option<Self> {
        let rows: usize = classes.iter().map(|class| class.rows).sum();
        let shares = classes.iter().map(|class| class.rows as f64 / rows as f64);
        let nats = |share: f64| if share > 0.0 { -share * share.ln() } else { 0.0 };
        let squares: f64 = shares.clone().map(|share| share * (1.0 - share)).sum();
        (rows > 0).then(|| Self {
            accuracy: shares.clone().fold(0.0, f64::max),
            log_loss: shares.map(nats).sum(),
            // Of two classes one probability counts.
            brier: if classes.len() == 2 { 0.5 * squares } else { squares },
        })
    }
}

/// A fold without scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedFold {
    /// Which, from 1.
    pub fold: usize,
    /// Why.
    pub reason: String,
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

/// A study with its folds, and all that they add up to.
#[derive(Clone, Debug)]
pub struct Evaluation<'a> {
    /// The study.
    pub study: &'a Study,
    /// Its folds.
    pub outcomes: &'a [Outcome],
    /// Their sum.
    pub summary: Summary,
    /// Curves of the probabilities of all test rows together, of methods that give them.
    pub curves: Option<ClassCurves>,
    /// Mean time of a fold's choice, fit and prediction.
    pub seconds: Option<f64>,
}

impl<'a> Evaluation<'a> {
    /// Adds up the outcomes of a study.
    pub fn of(study: &'a Study, outcomes: &'a [Outcome]) -> Self {
        let curves = Pooled::of(study, &fitted(outcomes)).curves();
        Self {
            study,
            outcomes,
            summary: Summary::of(study, outcomes),
            curves,
            seconds: mean_seconds(outcomes),
        }
    }
}

/// Mean time of a fold's choice, fit and prediction; nothing if none was fitted.
pub fn mean_seconds(outcomes: &[Outcome]) -> Option<f64> {
    let seconds: Vec<f64> = outcomes.iter().flatten().map(|fold| fold.seconds).collect();
    (!seconds.is_empty()).then(|| seconds.iter().sum::<f64>() / seconds.len() as f64)
}

impl Summary {
    /// Adds up the outcomes of a study.
    pub fn of(study: &Study, outcomes: &[Outcome]) -> Self {
        let fitted = fitted(outcomes);
        let over = OverFolds::new(&study.splits, &fitted);
        let pooled = Pooled::of(study, &fitted);
        let names = study.data.class_names();
        let calls = Scores::of_table(names, pooled.confusion.clone(), pooled.areas())
            .with_calibration(pooled.curves().as_ref());
        let known = |value: f64| (calls.rows > 0).then_some(value);
        let width = study.data.columns().features();
        let (stability, selection_frequencies) =
            selections(fitted.iter().map(|(_, fold)| fold.features()), width);
        Self {
            name: study.name.clone(),
            method: study.contender.label(),
            scheme: (names.len() > 2).then(|| study.scheme.to_string()),
            folds: outcomes.len(),
            failed: failed(outcomes),
            accuracy: over.accuracy(),
            log_loss: over.mean(|fold| fold.scores.log_loss),
            brier: over.mean(|fold| fold.scores.brier),
            auc: over
                .share(|fold| fold.scores.auc)
                .or_else(|| Some(Measure::single(pooled.area()?))),
            auc_folds: over.values(|fold| fold.scores.auc).len(),
            kappa: over.kappa(&calls.confusion),
            baseline: Baseline::of(&calls.classes),
            macro_precision: known(calls.macro_precision),
            macro_recall: known(calls.macro_recall),
            macro_f1: known(calls.macro_f1),
            calibration_error: calls.calibration_error,
            counts: counts(&calls.confusion),
            classes: calls.classes,
            confusion: calls.confusion,
            features: over.spread(|fold| Some(fold.features()?.len() as f64)),
            samples: over.spread(|fold| Some(fold.samples()? as f64)),
            stability,
            selection_frequencies,
            machines: machines(study, &over, &fitted),
        }
    }
}

/// Folds without scores.
fn failed(outcomes: &[Outcome]) -> Vec<FailedFold> {
    let reason = |(at, outcome): (usize, &Outcome)| {
        let reason = outcome.as_ref().err()?;
        Some(FailedFold { fold: at + 1, reason: reason.clone() })
    };
    outcomes.iter().enumerate().filter_map(reason).collect()
}

/// True and false positives, true and false negatives of two classes.
fn counts(confusion: &[Vec<usize>]) -> Option<[usize; 4]> {
    match confusion {
        [negative, positive] => Some([positive[1], negative[1], negative[0], positive[0]]),
        _ => None,
    }
}

fn machines(study: &Study, over: &OverFolds, fitted: &[(usize, &Fold)]) -> Vec<MachineSummary> {
    let names = study.data.class_names();
    let tasks = study.scheme.tasks(names.len());
    // One machine is all there is.
    let tasks = if tasks.len() > 1 { tasks } else { vec![] };
    let summary = |(at, task): (usize, pfcvm::multiclass::Task)| {
        let subsets = fitted.iter().map(|(_, fold)| fold.machines[at].features.clone());
        let (stability, selection_frequencies) =
            selections(subsets, study.data.columns().features());
        MachineSummary {
            positive: names[task.positive].clone(),
            negative: task.negative.map(|negative| names[negative].clone()),
            features: over.spread(|fold| Some(fold.machines[at].features.as_ref()?.len() as f64)),
            stability,
            selection_frequencies,
        }
    };
    tasks.into_iter().enumerate().map(summary).collect()
}

/// All test rows together.
struct Pooled {
    classes: usize,
    confusion: Vec<Vec<usize>>,
    truth: Vec<usize>,
    said: Predictions,
}

impl Pooled {
    fn of(study: &Study, fitted: &[(usize, &Fold)]) -> Self {
        let classes = study.data.class_names().len();
        let machines = study.scheme.tasks(classes).len();
        let mut pooled = Self {
            classes,
            confusion: vec![vec![0; classes]; classes],
            truth: vec![],
            said: Predictions {
                called: vec![],
                decision: vec![vec![]; machines],
                probability: Some(vec![]),
            },
        };
        for (at, fold) in fitted {
            for (sum, row) in pooled.confusion.iter_mut().zip(&fold.scores.confusion) {
                sum.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
            }
            let Some(said) = &fold.predictions else { continue };
            pooled.truth.extend(study.truth(*at));
            pooled.said.called.extend(&said.called);
            for (all, these) in pooled.said.decision.iter_mut().zip(&said.decision) {
                all.extend(these);
            }
            match (&mut pooled.said.probability, &said.probability) {
                (Some(all), Some(these)) => all.extend(these.iter().cloned()),
                _ => pooled.said.probability = None,
            }
        }
        pooled
    }

    /// The probabilities, where rows are kept and all of them have some.
    fn probability(&self) -> Option<&Vec<Vec<f64>>> {
        self.said.probability.as_ref().filter(|all| !all.is_empty())
    }

    fn area(&self) -> Option<f64> {
        area(self.classes, &self.truth, &self.said)
    }

    fn areas(&self) -> Vec<Option<f64>> {
        match self.probability() {
            Some(probability) => class_areas(self.classes, &self.truth, probability),
            None => vec![None; self.classes],
        }
    }

    fn curves(&self) -> Option<ClassCurves> {
        Some(ClassCurves::of(self.classes, &self.truth, self.probability()?))
    }
}
