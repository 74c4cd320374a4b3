//! A fitted panel, and how it predicts.

use super::PanelRound;
use super::check::HalfScore;
use super::plain::{Linear, Ridge};
use super::ranks::Ranks;
use crate::data::Scaler;
use crate::{Error, Matrix, Termination};

/// A short list of features and the linear machines that read it.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(super) scaler: Scaler,
    /// Listed features as positions among the scaler's columns.
    pub(super) positions: Vec<usize>,
    /// Listed features as columns of the input.
    pub(super) features: Vec<usize>,
    /// How values become ranks, if they do.
    pub(super) ranks: Option<Vec<Ranks>>,
    pub(super) importance: Vec<f64>,
    pub(super) frequencies: Vec<f64>,
    pub(super) members: Vec<Linear>,
    pub(super) ridge: Ridge,
    pub(super) equal: Linear,
    pub(super) expected: HalfScore,
    pub(super) all_features: HalfScore,
    pub(super) rounds: Vec<PanelRound>,
    pub(super) termination: Termination,
}

/// What a panel says about new rows: probabilities of the positive class.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PanelPrediction {
    /// Mean of the three parts below.
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
}

impl PanelPrediction {
    /// Whether each row is put in the positive class: probability of at least one half.
    pub fn positive(&self) -> Vec<bool> {
        self.probability.iter().map(|p| *p >= 0.5).collect()
    }
}

impl Panel {
    /// The listed features, as columns of the input, the most important first.
    pub fn feature_indices(&self) -> &[usize] {
        &self.features
    }

    /// What the list is ordered by: the median over members of |v| / ‖v‖, with v the members'
    /// effective linear weights when the list was made.
    pub fn importance(&self) -> &[f64] {
        &self.importance
    }

    /// Share of the members that gave each listed feature a weight when the list was made.
    pub fn selection_frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// Effective linear weight of each listed feature, for scaled inputs: the mean of the three
    /// parts (members, ridge, equal). Its sign says which class high values speak for.
    pub fn feature_weights(&self) -> Vec<f64> {
        let count = self.members.len() as f64;
        let members = |k: usize| self.members.iter().map(|m| m.weights[k]).sum::<f64>() / count;
        let part = |k: usize| members(k) + self.ridge.linear.weights[k] + self.equal.weights[k];
        (0..self.features.len()).map(|k| part(k) / 3.0).collect()
    }

    /// How inputs are scaled, before any ranks.
    pub fn scaler(&self) -> &Scaler {
        &self.scaler
    }

    /// Every round in which features were judged.
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

    /// Probabilities for rows with the columns of the training data. Only the listed columns are
    /// looked at.
    pub fn predict(&self, x: &Matrix) -> Result<PanelPrediction, Error> {
        if x.cols() != self.scaler.inputs() {
            return Err(Error::Length {
                what: "columns to predict from",
                found: x.cols(),
                expected: self.scaler.inputs(),
            });
        }
        for &col in &self.features {
            if let Some(row) = x.column(col).iter().position(|v| !v.is_finite()) {
                return Err(Error::NotFinite { row, col, value: x.get(row, col) });
            }
        }
        let mut z = self.scaler.apply_rows(x, &self.positions, 0, x.rows());
        for (k, ranks) in self.ranks.iter().flatten().enumerate() {
            ranks.apply(z.column_mut(k));
        }
        Ok(self.predict_scaled(&z))
    }

    fn predict_scaled(&self, z: &Matrix) -> PanelPrediction {
        let single: Vec<Vec<f64>> = self.members.iter().map(|m| m.probability(z)).collect();
        let count = single.len() as f64;
        let mean = |i: usize| single.iter().map(|p| p[i]).sum::<f64>() / count;
        let members: Vec<f64> = (0..z.rows()).map(mean).collect();
        let spread = |i: usize| single.iter().map(|p| (p[i] - members[i]).powi(2)).sum::<f64>();
        let disagreement = (0..z.rows()).map(|i| (spread(i) / count).sqrt()).collect();
        let ridge = self.ridge.probability(z);
        let equal = self.equal.probability(z);
        let probability = (0..z.rows()).map(|i| (members[i] + ridge[i] + equal[i]) / 3.0).collect();
        PanelPrediction { probability, members, ridge, equal, disagreement }
    }
}
