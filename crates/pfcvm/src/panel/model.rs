//! A fitted panel, and how it predicts.

use super::check::HalfScore;
use super::plain::{Linear, Ridge};
use super::ranks::Ranks;
use super::{PanelRound, PanelSettings};
use crate::algebra::{Work, log_odds, sigmoid};
use crate::broad::Broad;
use crate::certainty::Certainty;
use crate::data::Scaler;
use crate::spans::Spans;
use crate::stored::{Checked, checked_when_read, length, numbers};
use crate::{Error, Matrix, Termination};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// Rows predicted at a time by one thread.
const BLOCK_ROWS: usize = 512;

/// A short list of features and the linear machines that read it: for two classes, or for one of more
/// that share the list and a row of probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Panel {
    pub(super) scaler: Scaler,
    /// Listed features as positions among the scaler's features.
    pub(super) positions: Vec<usize>,
    /// Listed features as numbered in the input.
    pub(super) features: Vec<usize>,
    /// How values become ranks, if they do; one for each scaled column of the listed features.
    pub(super) ranks: Option<Vec<Ranks>>,
    #[serde(rename = "importance")] // as older files have it
    pub(super) median_shares: Vec<f64>,
    pub(super) frequencies: Vec<f64>,
    pub(super) members: Vec<Linear>,
    pub(super) ridge: Ridge,
    pub(super) equal: Linear,
    /// Whether it speaks of one of several classes that share a row of probabilities. The ridge alone
    /// decides then: the third part is the same, and the members, ridges on the halves, say how far
    /// these disagree.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) shared: bool,
    pub(super) expected: HalfScore,
    pub(super) all_features: HalfScore,
    /// Not stored: wall-clock times would make every file different.
    #[serde(skip)]
    pub(super) rounds: Vec<PanelRound>,
    pub(super) termination: Termination,
    /// Offset and slope of the log odds, so that probabilities are honest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) calibration: Option<(f64, f64)>,
    /// A machine of all features, scaled but not ranked, whose decision values are added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) broad: Option<Broad>,
    /// What rows that did not train say of it, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) certainty: Option<Certainty>,
    /// −log p of each row when it did not train, and what it counts; not stored, and nothing where they were
    /// not asked.
    #[serde(skip)]
    pub(crate) held_losses: Vec<(f64, f64)>,
}

/// What a panel says about new rows: probabilities of the positive class.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PanelPrediction {
    /// Mean of the three parts below, as far as rows that did not train say it can be believed, and with
    /// what a [machine of all features](Panel::broad) adds to its log odds. Of one of more than two
    /// classes, the logistic function of its decision value.
    pub probability: Vec<f64>,
    /// First part: mean over the members, each fitted on half of the samples with a weight of its
    /// own for every feature.
    pub members: Vec<f64>,
    /// Second part: all samples, Gaussian weights under one precision, averaged over their
    /// posterior.
    pub ridge: Vec<f64>,
    /// Third part: all samples, the kernel machine with equal feature weights.
    pub equal: Vec<f64>,
    /// Standard deviation over the members' probabilities: how far the halves disagree.
    pub disagreement: Vec<f64>,
    /// Log odds of `probability`; of one of more than two classes, the decision value of the ridge, from
    /// which the row of probabilities is made.
    pub decision: Vec<f64>,
    /// Variance over the members' decision values.
    pub variance: Vec<f64>,
}

checked_when_read!(Panel);

impl PanelPrediction {
    /// Whether each row is put in the positive class: probability of at least one half.
    pub fn positive(&self) -> Vec<bool> {
        self.probability.iter().map(|p| *p >= 0.5).collect()
    }

    fn append(&mut self, other: PanelPrediction) {
        self.probability.extend(other.probability);
        self.members.extend(other.members);
        self.ridge.extend(other.ridge);
        self.equal.extend(other.equal);
        self.disagreement.extend(other.disagreement);
        self.decision.extend(other.decision);
        self.variance.extend(other.variance);
    }
}

impl Panel {
    /// The listed features, the most important first: columns of the input, or
    /// [features](crate::data::Columns) of several columns.
    pub fn selected_features(&self) -> &[usize] {
        &self.features
    }

    /// What the list is ordered by: the median over members of |v| / ‖v‖, with v the members'
    /// effective linear weights when the list was made.
    pub fn median_shares(&self) -> &[f64] {
        &self.median_shares
    }

    /// Share of the members that would have listed each feature on their own, from their half of the
    /// samples, before they knew of each other.
    pub fn selection_frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Effective linear weight of each listed feature, for scaled inputs: the mean of the three
    /// parts (members, ridge, equal), or the ridge's for one of more than two classes. Its sign says which class high values speak for. Of a feature of
    /// several columns, the length of their weights.
    pub fn feature_weights(&self) -> Vec<f64> {
        let weights = self.column_weights();
        self.over_features(|columns| match &weights[columns] {
            [only] => *only,
            several => several.iter().map(|v| v * v).sum::<f64>().sqrt(),
        })
    }

    /// The weights of all scaled columns of the listed features.
    fn column_weights(&self) -> Vec<f64> {
        if self.shared {
            return self.ridge.linear.weights.clone();
        }
        let count = self.members.len() as f64;
        let members = |k: usize| self.members.iter().map(|m| m.weights[k]).sum::<f64>() / count;
        let part = |k: usize| members(k) + self.ridge.linear.weights[k] + self.equal.weights[k];
        (0..self.equal.weights.len()).map(|k| part(k) / 3.0).collect()
    }

    /// Something of each listed feature, given its columns.
    fn over_features(&self, of: impl Fn(Range<usize>) -> f64) -> Vec<f64> {
        let spans = self.spans();
        (0..spans.features()).map(|k| of(spans.of(k))).collect()
    }

    fn spans(&self) -> Spans {
        self.scaler.spans().select(&self.positions)
    }

    /// The scaled columns of the listed features, one feature after the other.
    fn scaled_columns(&self) -> Vec<usize> {
        self.scaler.spans().columns_of(&self.positions).into_owned()
    }

    /// The columns of the input that prediction needs, ascending: those that the listed features are made
    /// from, or all that vary where there is a [machine of all features](Panel::broad) beside them.
    pub fn needed_columns(&self) -> Vec<usize> {
        self.scaler.inputs_of(&self.needed_positions())
    }

    /// The features that prediction needs, as positions among the features of the scaler.
    pub(super) fn needed_positions(&self) -> Cow<'_, [usize]> {
        match self.broad {
            Some(_) => (0..self.scaler.features().len()).collect(),
            None => Cow::Borrowed(&self.positions),
        }
    }

    /// The machine of all features whose decision values are added to those of the list: a panel for
    /// accuracy has one.
    pub fn broad(&self) -> Option<&Broad> {
        self.broad.as_ref()
    }

    /// How uncertain those weights are: a third of the root of the members' variance plus the
    /// posterior variance of the ridge. (The third part, with equal feature weights, has none.)
    pub fn feature_deviations(&self) -> Vec<f64> {
        let ridge = self.ridge.covariance.as_ref().map(|covariance| covariance.variances());
        let variance = |k: usize| {
            let over_members = mean_and_variance(self.members.iter().map(|m| m.weights[k])).1;
            let posterior = ridge.as_ref().map_or(0.0, |variances| variances[k + 1]); // bias first
            if self.shared { posterior } else { (over_members + posterior) / 9.0 }
        };
        self.over_features(|columns| columns.map(variance).sum::<f64>().sqrt())
    }

    /// The bias that goes with the weights, the mean of the three parts.
    pub fn bias(&self) -> f64 {
        if self.shared {
            return self.ridge.linear.bias;
        }
        let members = mean_and_variance(self.members.iter().map(|m| m.bias)).0;
        (members + self.ridge.linear.bias + self.equal.bias) / 3.0
    }

    /// The same panel, to predict with, for data that hold nothing but the columns it needs.
    pub fn compact(&self) -> Self {
        self.among(&self.needed_columns())
    }

    /// The same panel, to predict with, for data that hold nothing but the given columns of the
    /// input, which ascend and have [all that are needed](Panel::needed_columns) among them.
    pub fn among(&self, columns: &[usize]) -> Self {
        let (scaler, positions, features) =
            self.scaler.narrow(&self.positions, self.broad.is_some(), columns);
        Self { positions, features, scaler, certainty: None, ..self.clone() }
    }

    /// What rows that did not train say of the panel; nothing where they were not asked.
    pub fn certainty(&self) -> Option<&Certainty> {
        self.certainty.as_ref()
    }

    pub(crate) fn certainty_mut(&mut self) -> Option<&mut Certainty> {
        self.certainty.as_mut()
    }

    /// A panel of the same data that lists nothing and knows the shares of the classes.
    pub(super) fn of_shares(&self, log_odds: f64) -> Self {
        let shares = Linear { bias: log_odds, weights: Vec::new() };
        Self {
            positions: Vec::new(),
            features: Vec::new(),
            ranks: self.ranks.as_ref().map(|_| Vec::new()),
            median_shares: Vec::new(),
            frequencies: Vec::new(),
            members: vec![shares.clone(); self.members.len()],
            ridge: Ridge { linear: shares.clone(), covariance: None },
            equal: shares,
            calibration: None,
            broad: None,
            certainty: None,
            ..self.clone()
        }
    }

    /// How inputs are scaled, before any ranks.
    pub fn scaler(&self) -> &Scaler {
        &self.scaler
    }

    /// Every round in which features were judged; none for a panel from a file.
    pub fn rounds(&self) -> &[PanelRound] {
        &self.rounds
    }

    /// How the rounds ended; `Converged` when all were done.
    pub fn termination(&self) -> Termination {
        self.termination
    }

    /// Mean −log p on samples not seen, for lists of this length made and fitted on half of the
    /// samples. With twice the samples the panel should do better.
    pub fn expected_log_loss(&self) -> f64 {
        self.expected.log_loss
    }

    /// The same for linear fits with all features.
    pub fn all_features_log_loss(&self) -> f64 {
        self.all_features.log_loss
    }

    /// Accuracy on samples not seen, from the same comparison.
    pub fn expected_accuracy(&self) -> f64 {
        self.expected.accuracy
    }

    /// The same for linear fits with all features.
    pub fn all_features_accuracy(&self) -> f64 {
        self.all_features.accuracy
    }

    /// Whether a short list predicts at least as well as all features together. If not, a panel
    /// is the wrong tool for these data.
    pub fn short_list_suffices(&self) -> bool {
        self.expected.log_loss <= self.all_features.log_loss
    }

    /// Probabilities for rows with the columns of the training data. Only the columns that are
    /// [needed](Panel::needed_columns) are looked at.
    pub fn predict(&self, x: &Matrix) -> Result<PanelPrediction, Error> {
        self.scaler.check_columns(x, &self.needed_columns())?;
        let starts: Vec<usize> = (0..x.rows()).step_by(BLOCK_ROWS).collect();
        let blocks: Vec<PanelPrediction> = starts
            .par_iter()
            .map(|&start| self.predict_rows(x, start, (start + BLOCK_ROWS).min(x.rows())))
            .collect();
        let mut all = PanelPrediction::default();
        blocks.into_iter().for_each(|block| all.append(block));
        Ok(all)
    }

    pub(super) fn predict_rows(&self, x: &Matrix, start: usize, end: usize) -> PanelPrediction {
        let mut said = self.predict_scaled(&self.scaled_rows(x, start, end));
        if let Some(broad) = &self.broad {
            let all: Vec<usize> = (0..self.scaler.columns().len()).collect();
            let scaled = self.scaler.apply_rows(x, &all, start, end);
            let added = broad.decision(&scaled, &mut Work::new(false));
            said.decision.iter_mut().zip(added).for_each(|(f, added)| *f += added);
            said.probability = said.decision.iter().map(|f| sigmoid(*f)).collect();
        }
        said
    }

    /// What is not known of the decision values of rows: J, such that J Jᵀ is their covariance over the
    /// members.
    pub fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
        self.scaler.check_columns(x, &self.needed_columns())?;
        let z = self.scaled_rows(x, 0, x.rows());
        let decisions: Vec<Vec<f64>> = self.members.iter().map(|m| m.decision(&z)).collect();
        let count = decisions.len().max(1) as f64;
        let mean = |row: usize| decisions.iter().map(|f| f[row]).sum::<f64>() / count;
        let means: Vec<f64> = (0..x.rows()).map(mean).collect();
        let slope = self.calibration.map_or(1.0, |(_, slope)| slope);
        let apart = |row: usize, k: usize| slope * (decisions[k][row] - means[row]) / count.sqrt();
        Ok(Matrix::from_fn(x.rows(), decisions.len(), apart))
    }

    /// Puts a machine of all features beside the list, whose own decision values are taken as `of_list`
    /// times what they were.
    pub(super) fn put_beside(&mut self, broad: Broad, of_list: f64) {
        let (offset, slope) = self.calibration.unwrap_or((0.0, 1.0));
        self.calibration = Some((of_list * offset, of_list * slope));
        if let Some(certainty) = &mut self.certainty {
            certainty.slope *= of_list;
            certainty.offset *= of_list;
        }
        self.broad = Some(broad);
    }

    /// What the parts read, of some rows.
    pub(super) fn scaled_rows(&self, x: &Matrix, start: usize, end: usize) -> Matrix {
        let mut z = self.scaler.apply_rows(x, &self.scaled_columns(), start, end);
        for (k, ranks) in self.ranks.iter().flatten().enumerate() {
            ranks.apply(z.column_mut(k));
        }
        z
    }

    /// Whether it speaks of one of more than two classes, which share their list and a row of
    /// probabilities.
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Offset and slope that make decision values honest, where rows that did not train were asked.
    pub fn calibration(&self) -> Option<(f64, f64)> {
        self.calibration
    }

    pub(super) fn predict_scaled(&self, z: &Matrix) -> PanelPrediction {
        let decisions: Vec<Vec<f64>> = self.members.iter().map(|m| m.decision(z)).collect();
        let over_members = |i: usize| decisions.iter().map(move |f| f[i]);
        let spread = |i: usize| mean_and_variance(over_members(i).map(sigmoid));
        let (members, squares): (Vec<f64>, Vec<f64>) = (0..z.rows()).map(spread).unzip();
        let ridge = self.ridge.probability(z);
        let equal = self.equal.probability(z);
        if self.shared {
            let (offset, slope) = self.calibration.unwrap_or((0.0, 1.0));
            let plain = self.ridge.linear.decision(z);
            let decision: Vec<f64> = plain.iter().map(|f| offset + slope * f).collect();
            let variance = |i: usize| slope * slope * mean_and_variance(over_members(i)).1;
            return PanelPrediction {
                probability: decision.iter().map(|f| sigmoid(*f)).collect(),
                disagreement: squares.iter().map(|v| v.sqrt()).collect(),
                variance: (0..z.rows()).map(variance).collect(),
                decision,
                members,
                ridge,
                equal,
            };
        }
        let mean = |i: usize| (members[i] + ridge[i] + equal[i]) / 3.0;
        let honest = |p: f64| match self.calibration {
            Some((offset, slope)) => sigmoid(offset + slope * log_odds(p)),
            None => p,
        };
        let probability: Vec<f64> = (0..z.rows()).map(|i| honest(mean(i))).collect();
        PanelPrediction {
            disagreement: squares.iter().map(|v| v.sqrt()).collect(),
            decision: probability.iter().map(|p| log_odds(*p)).collect(),
            variance: (0..z.rows()).map(|i| mean_and_variance(over_members(i)).1).collect(),
            probability,
            members,
            ridge,
            equal,
        }
    }

    /// Refuses a stored panel that a fit with these settings cannot have given.
    pub fn check_settings(&self, settings: &PanelSettings) -> Result<(), String> {
        length("members", self.members.len(), settings.members)?;
        if self.features.len() > settings.size {
            return Err(format!("{} features on a list of {}", self.features.len(), settings.size));
        }
        match (self.ranks.is_some(), settings.standardise && settings.ranks) {
            (true, false) => Err("ranks, which the settings do not have".into()),
            (false, true) => Err("no ranks, which the settings have".into()),
            _ => Ok(()),
        }
    }

    /// Refuses a stored panel whose parts do not fit together.
    pub(crate) fn check(&self) -> Checked {
        let listed = self.features.len();
        length("positions of features", self.positions.len(), listed)?;
        let varying = self.scaler.features();
        let feature = |k: &usize| varying.get(*k).copied();
        if !self.positions.iter().map(feature).eq(self.features.iter().map(|c| Some(*c))) {
            return Err("listed features that disagree with their positions".into());
        }
        let columns = self.spans().columns();
        if let Some(ranks) = &self.ranks {
            length("ranked features", ranks.len(), columns)?;
            ranks.iter().try_for_each(Ranks::check)?;
        }
        length("shares of weights", self.median_shares.len(), listed)?;
        length("frequencies", self.frequencies.len(), listed)?;
        numbers("share of weights", &self.median_shares, 0.0)?;
        numbers("frequency", &self.frequencies, 0.0)?;
        if self.frequencies.iter().any(|share| *share > 1.0) {
            return Err("a frequency above 1".into());
        }
        if self.members.is_empty() {
            return Err("no members".into());
        }
        let linear = self.members.iter().chain([&self.ridge.linear, &self.equal]);
        for part in linear {
            length("weights of a part", part.weights.len(), columns)?;
            numbers("weight", &part.weights, f64::MIN)?;
            numbers("bias", &[part.bias], f64::MIN)?;
        }
        if let Some(covariance) = &self.ridge.covariance {
            length("features of a covariance", covariance.root.cols(), columns + 1)?;
        }
        if let Some((offset, slope)) = self.calibration {
            numbers("offset", &[offset], f64::MIN)?;
            numbers("slope", &[slope], 0.0)?;
        }
        if let Some(broad) = &self.broad {
            let columns = self.scaler.columns().len();
            length("columns of all features", broad.samples.cols, columns)?;
        }
        match &self.certainty {
            Some(certainty) => certainty.check_features(&self.features),
            None => Ok(()),
        }
    }
}

/// Mean and variance (divisor n).
pub(super) fn mean_and_variance(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (mean, values.map(|v| (v - mean).powi(2)).sum::<f64>() / count)
}
