//! Ranks in place of values.
//!
//! Expression values are skewed and have outliers; a single one can carry a gene into the list or
//! out of it. What a value is among the training values of its feature is steadier: lists repeat
//! better and probabilities are better calibrated than with values standardised as they are.
//!
//! Features of several columns (words, numbers with gaps, groups) stay as they are: their columns
//! are scaled together.

use crate::spans::Inputs;
use crate::stored::{Checked, numbers};
use serde::{Deserialize, Serialize};

/// The training values of one feature, and how their ranks are shifted and scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ranks {
    /// Training values, ascending; none where values stay as they are.
    sorted: Vec<f64>,
    centre: f64,
    scale: f64,
}

impl Ranks {
    /// Learns from the training values; their standardised ranks have mean 0 and variance 1.
    pub fn fit(column: &[f64]) -> Self {
        let mut sorted = column.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut ranks = Self { sorted, centre: 0.0, scale: 1.0 };
        let n = column.len() as f64;
        let plain: Vec<f64> = column.iter().map(|v| ranks.rank(*v)).collect();
        let centre = plain.iter().sum::<f64>() / n;
        let variance = plain.iter().map(|r| (r - centre).powi(2)).sum::<f64>() / n;
        ranks.centre = centre;
        // A column whose values all agree has no spread; its ranks are all 0 then.
        ranks.scale = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        ranks
    }

    /// Half-way between the number of training values below and the number not above: ties share
    /// their middle rank.
    fn rank(&self, value: f64) -> f64 {
        let below = self.sorted.partition_point(|v| *v < value);
        let not_above = self.sorted.partition_point(|v| *v <= value);
        0.5 * (below + not_above) as f64
    }

    /// Refuses ranks that no training values could have.
    pub fn check(&self) -> Checked {
        numbers("ranked value", &self.sorted, f64::MIN)?;
        if !self.sorted.is_sorted() {
            return Err("ranked values that do not ascend".into());
        }
        numbers("centre of ranks", &[self.centre], f64::MIN)?;
        numbers("scale of ranks", &[self.scale], f64::MIN_POSITIVE)
    }

    /// Leaves values as they are.
    fn none() -> Self {
        Self { sorted: Vec::new(), centre: 0.0, scale: 1.0 }
    }

    /// Replaces values by their standardised ranks.
    pub fn apply(&self, column: &mut [f64]) {
        if self.sorted.is_empty() {
            return;
        }
        for value in column {
            *value = (self.rank(*value) - self.centre) / self.scale;
        }
    }
}

/// How the values of each column become ranks.
pub(super) fn of_features(x: &Inputs) -> Vec<Ranks> {
    let of_feature = |k: usize| match x.spans.of(k).len() {
        1 => x.of(k).map(Ranks::fit).collect(),
        several => vec![Ranks::none(); several],
    };
    (0..x.features()).flat_map(of_feature).collect()
}

/// Replaces the values of features by their standardised ranks.
pub(super) fn rank_features(x: &mut Inputs) {
    for (k, ranks) in of_features(x).iter().enumerate() {
        ranks.apply(x.values.column_mut(k));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_rank_and_new_values_fall_between() {
        let ranks = Ranks::fit(&[3.0, 1.0, 1.0, 100.0]);
        let raw: Vec<f64> =
            [0.0, 1.0, 2.0, 3.0, 50.0, 1e9].iter().map(|v| ranks.rank(*v)).collect();
        assert_eq!(raw, [0.0, 1.0, 2.0, 2.5, 3.0, 4.0]);
    }

    #[test]
    fn training_ranks_are_standardised_and_blind_to_monotone_changes() {
        let column = [0.3, -2.0, 7.0, 0.1, 0.2];
        let bent: Vec<f64> = column.iter().map(|v: &f64| v.exp()).collect();
        let apply = |values: &[f64]| {
            let mut out = values.to_vec();
            Ranks::fit(values).apply(&mut out);
            out
        };
        let ranks = apply(&column);
        assert_eq!(ranks, apply(&bent));
        let squares: f64 = ranks.iter().map(|r| r * r).sum();
        assert!(ranks.iter().sum::<f64>().abs() < 1e-12 && (squares - 5.0).abs() < 1e-12);
    }

    #[test]
    fn a_constant_column_becomes_zeros() {
        let mut column = [4.0; 3];
        Ranks::fit(&column.clone()).apply(&mut column);
        assert_eq!(column, [0.0; 3]);
    }
}
