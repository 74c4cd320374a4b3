//! What more rows would bring.

use super::tested::{Tested, fitted_by_all, mean_features};
use crate::{Outcome, Study};
use pfcvm_eval::{Estimate, Split, estimate, halvings};
use serde::Serialize;
use std::sync::Arc;

/// Rows of each class that fewer rows keep: what held-out rows are asked in five parts.
const LEAST_OF_CLASS: usize = 5;
/// Rows that fewer rows keep in all.
const LEAST_ROWS: usize = 20;

/// What so many rows teach.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowsPoint {
    /// Rows to learn from, on average over the folds.
    pub rows: f64,
    /// Features that were used, on average over the folds; nothing for a method that uses all.
    pub features: Option<f64>,
    /// Mean log loss of the tested rows.
    pub log_loss: Estimate,
    /// Share of the tested rows that were called what they are not.
    pub error_rate: Estimate,
    /// Log loss with half as many rows less this one, row by row; nothing for the fewest.
    pub gain: Option<Estimate>,
}

/// What twice the rows would bring, as far as the curve can tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Outlook {
    /// There are too few rows for two points.
    Unknown,
    /// The last doubling brought nothing that could be told from chance.
    Flat,
    /// The last doubling helped, and less than the one before it: the next may bring as much less again.
    Slowing {
        /// So much less log loss.
        gain: f64,
    },
    /// The last doubling helped, and there is no sign that the next would help less.
    Open,
}

/// Log loss and errors against the number of rows to learn from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearningCurve {
    /// The fewest rows first.
    pub points: Vec<RowsPoint>,
    /// What comes after the last.
    pub outlook: Outlook,
    /// Rows that were tested.
    pub tested: usize,
    /// Folds that count: those that could be fitted with every number of rows.
    pub folds: usize,
}

impl Study {
    /// The same with fewer and fewer rows to learn from, the fewest first: half of them, a quarter and so
    /// on, drawn class by class.
    pub fn with_fewer_rows(&self) -> Vec<Self> {
        let all = self.splits.iter().enumerate().map(|(at, split)| {
            let seed = self.seed.wrapping_add(1 + at as u64);
            let mut parts = halvings(self.data.codes(), split, LEAST_OF_CLASS, seed);
            parts.retain(|part| part.train.len() >= LEAST_ROWS || part.train == split.train);
            parts
        });
        let all: Vec<Vec<Split>> = all.collect();
        let steps = all.iter().map(Vec::len).min().unwrap_or(0);
        let at_step = |step: usize| Self {
            name: format!("{} | rows / {}", self.name, 1u64 << step),
            splits: Arc::new(all.iter().map(|parts| parts[step].clone()).collect()),
            ..self.clone()
        };
        (0..steps).rev().map(at_step).collect()
    }
}

impl LearningCurve {
    /// From studies that differ in rows to learn from only, the fewest first, and what they gave.
    /// Nothing where no fold was fitted with every number of rows, or the method gives no
    /// probabilities.
    pub fn of(studies: &[Study], outcomes: &[Vec<Outcome>]) -> Option<Self> {
        let first = studies.first()?;
        let slices: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
        let folds = fitted_by_all(&slices);
        let mut before: Option<Tested> = None;
        let mut points: Vec<RowsPoint> = Vec::new();
        for (study, outcomes) in studies.iter().zip(&slices) {
            let tested = Tested::of(study, &folds, outcomes)?;
            let groups = first.groups.as_deref().map(|groups| tested.groups_of_rows(groups));
            let groups = groups.as_deref();
            let trained: usize = folds.iter().map(|&at| study.splits[at].train.len()).sum();
            let gain = before.map(|fewer| {
                let pairs = fewer.loss.iter().zip(&tested.loss);
                estimate(&Vec::from_iter(pairs.map(|(fewer, own)| fewer - own)), groups)
            });
            points.push(RowsPoint {
                rows: trained as f64 / folds.len() as f64,
                features: mean_features(outcomes, &folds),
                log_loss: estimate(&tested.loss, groups),
                error_rate: estimate(&tested.wrong, groups),
                gain,
            });
            before = Some(tested);
        }
        let gains: Vec<Estimate> = points.iter().filter_map(|point| point.gain).collect();
        let tested = before?.loss.len();
        Some(Self { outlook: Outlook::of(&gains), points, tested, folds: folds.len() })
    }
}

impl Outlook {
    /// From what each doubling brought. A gain counts that is above twice its error; it is taken to
    /// shrink by the same factor again where it did shrink.
    fn of(gains: &[Estimate]) -> Self {
        let told = |gain: &Estimate| gain.mean > 2.0 * gain.error;
        match gains {
            [] => Self::Unknown,
            [.., last] if !told(last) => Self::Flat,
            [.., before, last] if told(before) && last.mean < before.mean => {
                Self::Slowing { gain: last.mean * last.mean / before.mean }
            }
            _ => Self::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlook_says_no_more_than_the_gains() {
        let gain = |mean: f64| Estimate { mean, error: 0.01 };
        assert_eq!(Outlook::of(&[]), Outlook::Unknown);
        assert_eq!(Outlook::of(&[gain(0.1), gain(0.015)]), Outlook::Flat);
        assert_eq!(Outlook::of(&[gain(0.1)]), Outlook::Open);
        assert_eq!(Outlook::of(&[gain(0.05), gain(0.06)]), Outlook::Open);
        let Outlook::Slowing { gain: next } = Outlook::of(&[gain(0.08), gain(0.04)]) else {
            panic!("it slows")
        };
        assert!((next - 0.02).abs() < 1e-12);
    }
}
