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
mod alone;
mod calibration;
mod deals;
mod folds;
mod goals;
mod held;
mod parts;
mod score;
mod several;
mod verdict;

pub(crate) use alarm::Kind;
pub(crate) use calibration::Calibration;
use calibration::Said;
pub(crate) use folds::Copies;
#[cfg(test)]
pub(crate) use goals::Pairing;
pub(crate) use goals::{ALIKE, pair};
pub(crate) use held::{Alongside, Held, Part, Without, ask_all_features};
pub(crate) use parts::Parts;
pub(crate) use several::judge_several;

use crate::algebra::chi_square_deviate;
use crate::certainty::{Certainty, FeatureCertainty};
use crate::data::Dataset;
use crate::iteration::free_classes;
use crate::kernel::Kernel;
use crate::model::Model;
use crate::settings::ClassWeights;
use alarm::false_alarms;
use calibration::straight_line;
use score::{Score, score};

/// What decides which features are called certain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dial {
    /// Share of features that say nothing that may be called certain.
    pub rate: f64,
    /// Expected number of false features among the certain ones, instead of the rate.
    pub max_false: Option<f64>,
}

/// The rows that were learned from, and how they are drawn on.
pub(crate) struct Rows<'a> {
    /// As the fit saw them.
    pub data: &'a Dataset,
    /// One by one.
    pub copies: &'a Copies,
    /// How the classes count.
    pub class_weights: ClassWeights,
    /// Of all that is drawn.
    pub seed: u64,
}

/// The features that a machine lists.
pub(crate) struct Listed {
    pub kind: Kind,
    /// As columns of the input.
    pub features: Vec<usize>,
    /// Their weights in posterior standard deviations.
    pub strengths: Vec<f64>,
    /// How many could have been listed.
    pub candidates: usize,
}

impl Listed {
    /// The features with the largest weight in posterior deviations first.
    pub fn strongest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.features.len()).collect();
        order.sort_by(|&a, &b| self.strengths[b].total_cmp(&self.strengths[a]).then(a.cmp(&b)));
        order.into_iter().map(|k| self.features[k]).collect()
    }
}

/// |weight| / deviation, of each weight.
pub(crate) fn strengths(weights: &[f64], deviations: &[f64]) -> Vec<f64> {
    let strength = |(w, d): (&f64, &f64)| if *d > 0.0 { w.abs() / d } else { 0.0 };
    weights.iter().zip(deviations).map(strength).collect()
}

impl Model {
    /// The weights of the features in posterior deviations, of a model that shares them with so many
    /// machines in all. In the linear kernel noise raises that of several columns in each of them, and
    /// for each class that is free: what is told is the deviate of one that is as unlikely.
    pub(crate) fn strengths(&self, machines: usize) -> Vec<f64> {
        let spans = self.spans();
        let plain = strengths(self.feature_weights(), &self.feature_deviations());
        let comparable =
            |(k, strength): (usize, f64)| match spans.of(k).len() * free_classes(machines) {
                several @ 2.. if self.kernel() == Kernel::Linear => {
                    chi_square_deviate(strength * strength, several as f64).max(0.0)
                }
                _ => strength,
            };
        plain.into_iter().enumerate().map(comparable).collect()
    }
}

/// What the held-out rows say of the machines of a fit, part by part, and of the features they list.
pub(crate) fn judge(
    rows: &Rows,
    held: &[Vec<Held>],
    listed: &Listed,
    dial: Dial,
) -> Vec<Certainty> {
    if held.iter().any(|machines| machines.len() > 1) {
        return judge_several(rows, held, listed, dial);
    }
    vec![judge_one(rows, &held.concat(), listed, dial)]
}

/// What the held-out rows say of a machine that tells two classes apart.
pub(crate) fn judge_one(rows: &Rows, held: &[Held], listed: &Listed, dial: Dial) -> Certainty {
    let pooled = Pooled::of(rows, held);
    let said = pooled.said();
    let calibration = said.calibrate(listed.candidates);
    let p_value = verdict::p_value(rows, held, listed.kind);
    let straight = pooled.straight_losses();
    let of_feature = |feature: &usize| pooled.score(*feature, held, &straight);
    let scores: Vec<(Score, f64)> = listed.features.iter().map(of_feature).collect();
    let nothing = (p_value > verdict::LEVEL).then_some(p_value);
    let features = false_alarms(listed, &scores, rows, (dial, nothing));
    pooled.certainty(p_value, (calibration, features), held.len(), (listed, dial))
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
    fn of(rows: &Rows, held: &[Held]) -> Self {
        let copies = rows.copies;
        let (negative, positive) = rows.data.class_factors(rows.class_weights);
        let order: Vec<usize> = held.iter().flat_map(|fold| fold.copies.iter().copied()).collect();
        let factor = |i: usize| if copies.positive(i) { positive } else { negative };
        Self {
            settled: held.iter().flat_map(|fold| fold.settled.iter().copied()).collect(),
            decision: held.iter().flat_map(|fold| fold.decision.iter().copied()).collect(),
            variance: held.iter().flat_map(|fold| fold.variance.iter().copied()).collect(),
            positive: order.iter().map(|&i| copies.positive(i)).collect(),
            weights: order.iter().map(|&i| copies.weights[i] * factor(i)).collect(),
        }
    }

    /// All that is known of a machine, under a calibration.
    fn certainty(
        &self,
        p_value: f64,
        (calibration, features): (Calibration, Vec<FeatureCertainty>),
        folds: usize,
        (listed, dial): (&Listed, Dial),
    ) -> Certainty {
        let said = self.said();
        let losses = said.losses(calibration);
        let right = |i: usize| {
            let f = calibration.offset + calibration.slope * self.decision[i];
            f64::from((f >= 0.0) == self.positive[i])
        };
        let hits: Vec<f64> = (0..losses.len()).map(right).collect();
        let nothing = Calibration { offset: said.share(), slope: 0.0 };
        Certainty {
            nothing_found: p_value > verdict::LEVEL,
            p_value,
            folds,
            accuracy: self.mean(&hits),
            log_loss: self.mean(&losses),
            baseline_log_loss: self.mean(&said.losses(nothing)),
            slope: calibration.slope,
            offset: calibration.offset,
            rate: dial.rate,
            candidates: listed.candidates,
            max_false: dial.max_false,
            features,
            shared: None,
            goals: None,
        }
    }

    fn said(&self) -> Said<'_> {
        let Self { decision, variance, positive, weights, .. } = self;
        Said { decision, variance, positive, weights }
    }

    fn mean(&self, values: &[f64]) -> f64 {
        let sum: f64 = values.iter().zip(&self.weights).map(|(v, w)| v * w).sum();
        sum / self.weights.iter().sum::<f64>()
    }

    /// −log p of every row under the straight line that suits the decision values with all features.
    fn straight_losses(&self) -> Vec<f64> {
        let p = straight_line(&self.settled, &self.positive, &self.weights);
        let rows = p.iter().zip(&self.positive);
        rows.map(|(p, positive)| -(if *positive { *p } else { 1.0 - p }).max(1e-300).ln()).collect()
    }

    /// What the rows say of a feature, and the share of the fits that keep it. Where a fit does not
    /// keep it, or there was no time to take it out, its decision values count as being without it.
    fn score(&self, feature: usize, held: &[Held], losses: &[f64]) -> (Score, f64) {
        let taken_out = |fold: &Held| fold.without.iter().position(|w| w.feature == feature);
        let without: Vec<f64> = held
            .iter()
            .flat_map(|fold| match taken_out(fold) {
                Some(at) => fold.without[at].decision.iter().copied(),
                None => fold.settled.iter().copied(),
            })
            .collect();
        let keeping = held.iter().filter(|fold| fold.kept.contains(&feature)).count();
        let share = keeping as f64 / held.len() as f64;
        (score(&self.settled, &without, losses, &self.positive, &self.weights), share)
    }
}
