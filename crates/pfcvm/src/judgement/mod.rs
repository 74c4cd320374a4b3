//! How sure a fit can be of what it found, from rows that did not train.
//!
//! A fit that chooses its features and judges them on the same rows is too sure of both. So the rows
//! are parted in five, and the fit is done again without each part (`folds`, `held`). The rows that
//! were held out then say
//!
//! - whether anything was found at all (`verdict`): where features that say nothing would do as well
//!   once in twenty times, nothing is listed, and the shares of the classes are predicted;
//! - how far decision values can be believed (`calibration`);
//! - of each listed feature, what it is worth, and how likely it is a false alarm (`score`, `alarm`).
//!
//! So a fit has two lists: the features that it predicts with, and among them those that are
//! certain. Predicting from certain features alone would be worse: weak ones help together.

mod alarm;
mod calibration;
mod folds;
mod held;
mod score;
mod verdict;

pub(crate) use calibration::{Calibration, Said};
pub(crate) use folds::Copies;
pub(crate) use held::{Held, Without, held_out, substitutes};

use crate::certainty::Certainty;
use crate::data::Dataset;
use crate::settings::ClassWeights;
use alarm::false_alarms;
use score::score;

/// What decides which features are called certain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dial {
    /// Share of features that say nothing that may be called certain.
    pub rate: f64,
    /// The probability of chance up to which a listed feature is called certain.
    pub level: f64,
    /// Expected number of false features among the certain ones, instead of the rate.
    pub max_false: Option<f64>,
}

/// What the held-out rows say of a model with these features, and how its decision values are to be
/// calibrated. `features` are all that could have been chosen.
pub(crate) fn judge(
    rows: &Dataset,
    copies: &Copies,
    held: &[Held],
    listed: &[usize],
    (class_weights, seed): (ClassWeights, u64),
    (features, dial): (usize, Dial),
) -> Certainty {
    let pooled = Pooled::of(rows, copies, held, class_weights);
    let said = pooled.said();
    let calibration = said.calibrate();
    let losses = said.losses(calibration);
    let total: f64 = pooled.weights.iter().sum();
    let right = |i: &usize| {
        (calibration.offset + calibration.slope * pooled.decision[*i] >= 0.0) == pooled.positive[*i]
    };
    let hits = (0..losses.len()).filter(right).map(|i| pooled.weights[i]).sum::<f64>();
    let nothing = Calibration { offset: said.share(), slope: 0.0 };
    let mean = |losses: &[f64]| {
        losses.iter().zip(&pooled.weights).map(|(l, w)| l * w).sum::<f64>() / total
    };
    let p_value = verdict::p_value(rows, copies, held, seed);
    let line = straight(&pooled);
    let scores: Vec<(score::Score, f64)> =
        listed.iter().map(|&feature| pooled.score(feature, held, &line)).collect();
    let found = p_value <= verdict::LEVEL;
    let features = false_alarms(listed, &scores, features, found, dial);
    Certainty {
        rate: dial.rate,
        level: dial.level,
        max_false: dial.max_false,
        nothing_found: !found,
        p_value,
        folds: held.len(),
        accuracy: hits / total,
        log_loss: mean(&losses),
        baseline_log_loss: mean(&said.losses(nothing)),
        slope: calibration.slope,
        offset: calibration.offset,
        features,
    }
}

/// −log p of every row under the straight line that suits the decision values with all features.
fn straight(pooled: &Pooled) -> Vec<f64> {
    let p = calibration::straight_line(&pooled.settled, &pooled.positive, &pooled.weights);
    let rows = p.iter().zip(&pooled.positive);
    rows.map(|(p, positive)| -(if *positive { *p } else { 1.0 - p }).max(1e-300).ln()).collect()
}

/// All held-out rows together, each once.
struct Pooled {
    settled: Vec<f64>,
    decision: Vec<f64>,
    variance: Vec<f64>,
    positive: Vec<bool>,
    weights: Vec<f64>,
}

impl Pooled {
    fn of(rows: &Dataset, copies: &Copies, held: &[Held], class_weights: ClassWeights) -> Self {
        let (negative, positive) = rows.class_factors(class_weights);
        let order: Vec<usize> = held.iter().flat_map(|fold| fold.copies.iter().copied()).collect();
        let factor = |i: usize| if copies.positive[i] { positive } else { negative };
        Self {
            settled: held.iter().flat_map(|fold| fold.settled.iter().copied()).collect(),
            decision: held.iter().flat_map(|fold| fold.decision.iter().copied()).collect(),
            variance: held.iter().flat_map(|fold| fold.variance.iter().copied()).collect(),
            positive: order.iter().map(|&i| copies.positive[i]).collect(),
            weights: order.iter().map(|&i| copies.weights[i] * factor(i)).collect(),
        }
    }

    fn said(&self) -> Said<'_> {
        let Self { decision, variance, positive, weights, .. } = self;
        Said { decision, variance, positive, weights }
    }

    /// What the rows say of a feature, and the share of the fits that keep it. Where a fit does not
    /// keep it, its decision values are without it.
    fn score(&self, feature: usize, held: &[Held], losses: &[f64]) -> (score::Score, f64) {
        let kept = |fold: &Held| fold.without.iter().position(|w| w.feature == feature);
        let without: Vec<f64> = held
            .iter()
            .flat_map(|fold| match kept(fold) {
                Some(at) => fold.without[at].decision.iter().copied(),
                None => fold.settled.iter().copied(),
            })
            .collect();
        let keeping = held.iter().filter(|fold| kept(fold).is_some()).count();
        let share = keeping as f64 / held.len() as f64;
        (score(&self.settled, &without, losses, &self.positive, &self.weights), share)
    }
}
