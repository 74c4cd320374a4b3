//! One fit on a training part and what it is worth on its test rows.

use crate::{Chosen, Study};
use pfcvm::Matrix;
use pfcvm::multiclass::Machines;
use pfcvm_eval::{auc, class_areas, class_brier_score, class_log_loss, confusion_table};
use pfcvm_methods::{Prediction, Refusal};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A fold that was fitted, or why it was not.
pub type Outcome = Result<Fold, String>;

/// One fit on a training part, tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// What it is worth.
    pub scores: FoldScores,
    /// What each machine selected; with two classes there is one.
    pub machines: Vec<MachineFold>,
    /// What was said about each test row, where that is kept.
    pub predictions: Option<Predictions>,
    /// Wall time of choice, fit and prediction, while other folds may run beside it.
    pub seconds: f64,
}

/// Measures on the test rows of one fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldScores {
    /// Share of rows that were called what they are.
    pub accuracy: f64,
    /// Mean log loss, of methods with probabilities.
    pub log_loss: Option<f64>,
    /// Brier score, of methods with probabilities.
    pub brier: Option<f64>,
    /// Area under the ROC curve, where every class is tested: of the decision values with two
    /// classes, the mean over the classes against the rest with more.
    pub auc: Option<f64>,
    /// `confusion[i][j]` test rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

impl FoldScores {
    /// How many test rows were called what they are, and how many there are.
    pub fn right_and_all(&self) -> (usize, usize) {
        let right = (0..self.confusion.len()).map(|class| self.confusion[class][class]).sum();
        (right, self.confusion.iter().flatten().sum())
    }
}

/// What one machine did in a fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineFold {
    /// Selected features, ascending; nothing for a method that uses all.
    pub features: Option<Vec<usize>>,
    /// Number of samples selected, for a method that selects some.
    pub samples: Option<usize>,
    /// Settings chosen inside its training rows.
    pub chosen: Option<Vec<(String, String)>>,
}

/// What was said about the test rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predictions {
    /// What each row was called.
    pub called: Vec<usize>,
    /// Decision values, machine after machine.
    pub decision: Vec<Vec<f64>>,
    /// For each row the probability of each class, of methods that give them.
    pub probability: Option<Vec<Vec<f64>>>,
}

impl Fold {
    /// The features that any machine selects, ascending; nothing for a method that uses all.
    pub fn features(&self) -> Option<Vec<usize>> {
        let machines = self.machines.iter().map(|machine| machine.features.clone());
        let mut all = machines.collect::<Option<Vec<_>>>()?.concat();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Samples selected by all machines together, each counted as often as it is selected.
    pub fn samples(&self) -> Option<usize> {
        self.machines.iter().map(|machine| machine.samples).sum()
    }
}

/// Fits the training rows of a split and scores the test rows.
pub(crate) fn fit_and_score(study: &Study, fold: usize) -> Result<Fold, Refusal> {
    let split = &study.splits[fold];
    let seed = study.seed.wrapping_add(1 + fold as u64);
    let (train, test) = (study.data.select(&split.train)?, study.data.select(&split.test)?);
    let start = Instant::now();
    let fitted = Machines::fit(&train, study.scheme, |task, of_task| {
        let groups = study.groups.as_ref().map(|all| -> Vec<usize> {
            train.task_rows(task).iter().map(|&row| all[split.train[row]]).collect()
        });
        study.contender.fit(of_task, groups.as_deref(), seed)
    })?;
    let said = predict(&fitted, test.x())?;
    let seconds = start.elapsed().as_secs_f64();
    let machine = |chosen: &Chosen| MachineFold {
        features: chosen.fitted.selected_features(),
        samples: chosen.fitted.kept_samples(),
        chosen: chosen.settings.clone(),
    };
    Ok(Fold {
        scores: scores(test.class_names().len(), test.codes(), &said),
        machines: fitted.machines().iter().map(machine).collect(),
        predictions: study.keep_predictions.then_some(said),
        seconds,
    })
}

/// What the machines say about rows. A machine alone may be without probabilities; several are
/// told apart by theirs.
fn predict(fitted: &Machines<Chosen>, x: &Matrix) -> Result<Predictions, Refusal> {
    if let [only] = fitted.machines() {
        let Prediction { decision, probability, .. } = only.fitted.predict(x)?;
        check(&decision, probability.as_deref())?;
        let both = |p: Vec<f64>| p.into_iter().map(|p| vec![1.0 - p, p]).collect();
        return Ok(Predictions {
            called: decision.iter().map(|f| usize::from(*f >= 0.0)).collect(),
            decision: vec![decision],
            probability: probability.map(both),
        });
    }
    let said = fitted.predict(x)?;
    Ok(Predictions {
        probability: Some((0..x.rows()).map(|row| said.row(row)).collect()),
        decision: said.decision.columns().map(<[f64]>::to_vec).collect(),
        called: said.class,
    })
}

/// A method that gives no numbers has failed.
fn check(decision: &[f64], probability: Option<&[f64]>) -> Result<(), Refusal> {
    if let Some(row) = decision.iter().position(|f| !f.is_finite()) {
        let value = decision[row];
        return Err(format!("the decision for test row {row} (from 0) is {value}").into());
    }
    let mut probability = probability.into_iter().flatten().enumerate();
    match probability.find(|(_, p)| !(0.0..=1.0).contains(*p)) {
        Some((row, p)) => Err(format!("the probability for test row {row} (from 0) is {p}").into()),
        None => Ok(()),
    }
}

fn scores(classes: usize, truth: &[usize], said: &Predictions) -> FoldScores {
    let probability = said.probability.as_deref();
    let right = truth.iter().zip(&said.called).filter(|(truth, called)| truth == called).count();
    FoldScores {
        accuracy: right as f64 / truth.len() as f64,
        log_loss: probability.map(|p| class_log_loss(truth, p)),
        brier: probability.map(|p| class_brier_score(classes, truth, p)),
        auc: area(classes, truth, said),
        confusion: confusion_table(classes, truth, &said.called),
    }
}

/// See [`FoldScores::auc`].
pub(crate) fn area(classes: usize, truth: &[usize], said: &Predictions) -> Option<f64> {
    if let [decision] = said.decision.as_slice() {
        let positive: Vec<bool> = truth.iter().map(|class| *class == 1).collect();
        return auc(&positive, decision);
    }
    let areas = class_areas(classes, truth, said.probability.as_ref()?);
    let areas: Vec<f64> = areas.into_iter().collect::<Option<_>>()?;
    Some(areas.iter().sum::<f64>() / areas.len() as f64)
}
