//! One fit and what it is worth on its test rows.

use crate::Contender;
use pfcvm::Dataset;
use pfcvm_eval::{Confusion, Split, auc, brier_score, confusion, log_loss};
use pfcvm_methods::{Prediction, Refusal};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// A fold that was fitted, or why it was not.
pub type Outcome = Result<Fold, String>;

/// One fit on a training part, tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fold {
    /// What it is worth.
    pub scores: Scores,
    /// Selected features, ascending; nothing for a method that uses all.
    pub features: Option<Vec<usize>>,
    /// Number of samples kept, for a method that keeps some.
    pub samples: Option<usize>,
    /// Settings chosen inside the training part.
    pub chosen: Option<Vec<(String, String)>>,
    /// What was said about each test row, where that is kept.
    pub predictions: Option<Predictions>,
    /// Wall time of choice, fit and prediction, while other folds may run beside it.
    pub seconds: f64,
}

/// Measures on the test rows of one fold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Share of rows on the right side.
    pub accuracy: f64,
    /// Mean log loss, of methods with probabilities.
    pub log_loss: Option<f64>,
    /// Mean squared error of the probabilities.
    pub brier: Option<f64>,
    /// Area under the ROC curve, where both classes are tested.
    pub auc: Option<f64>,
    /// True positives, false positives, true negatives, false negatives.
    pub counts: [usize; 4],
}

/// What was said about the test rows, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predictions {
    /// Decision values.
    pub decision: Vec<f64>,
    /// Probabilities of the positive class, of methods that give them.
    pub probability: Option<Vec<f64>>,
}

impl Scores {
    /// Scores of a prediction.
    fn of(truth: &[bool], prediction: &Prediction) -> Self {
        let sides: Vec<f64> =
            prediction.decision.iter().map(|f| f64::from(u8::from(*f >= 0.0))).collect();
        let table = confusion(truth, &sides);
        let right = table.true_positives + table.true_negatives;
        let probability = prediction.probability.as_deref();
        Self {
            accuracy: right as f64 / truth.len() as f64,
            log_loss: probability.map(|p| log_loss(truth, p)),
            brier: probability.map(|p| brier_score(truth, p)),
            auc: auc(truth, &prediction.decision),
            counts: [
                table.true_positives,
                table.false_positives,
                table.true_negatives,
                table.false_negatives,
            ],
        }
    }

    /// The counts by name.
    pub fn confusion(&self) -> Confusion {
        let [true_positives, false_positives, true_negatives, false_negatives] = self.counts;
        Confusion { true_positives, false_positives, true_negatives, false_negatives }
    }
}

/// Fits the training rows of a split and scores the test rows.
pub(crate) fn fit_and_score(
    contender: &Contender,
    data: &Dataset,
    groups: Option<&[usize]>,
    split: &Split,
    seed: u64,
    keep_predictions: bool,
) -> Result<Fold, Refusal> {
    let (train, test) = (data.select(&split.train)?, data.select(&split.test)?);
    let of_train = groups.map(|all| Vec::from_iter(split.train.iter().map(|&row| all[row])));
    let start = Instant::now();
    let chosen = contender.fit(&train, of_train.as_deref(), seed)?;
    let prediction = chosen.fitted.predict(test.x())?;
    let seconds = start.elapsed().as_secs_f64();
    check(&prediction)?;
    Ok(Fold {
        scores: Scores::of(test.positive(), &prediction),
        features: chosen.fitted.selected_features(),
        samples: chosen.fitted.selected_samples().map(|samples| samples.len()),
        chosen: chosen.settings,
        predictions: keep_predictions.then_some(Predictions {
            decision: prediction.decision,
            probability: prediction.probability,
        }),
        seconds,
    })
}

/// A method that gives no numbers has failed.
fn check(prediction: &Prediction) -> Result<(), Refusal> {
    if let Some(row) = prediction.decision.iter().position(|f| !f.is_finite()) {
        let value = prediction.decision[row];
        return Err(format!("the decision for test row {row} (from 0) is {value}").into());
    }
    let probability = prediction.probability.iter().flatten();
    if let Some((row, p)) = probability.enumerate().find(|(_, p)| !(0.0..=1.0).contains(*p)) {
        return Err(format!("the probability for test row {row} (from 0) is {p}").into());
    }
    Ok(())
}
