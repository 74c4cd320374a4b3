//! Means over folds with their spread and interval.

use crate::Fold;
use pfcvm_eval::{Split, cohen_kappa_table, corrected_resampled_t, wilson_interval};
use serde::Serialize;

pub(crate) const CONFIDENCE: f64 = 0.95;

/// A mean with its spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The mean, or the one value there is.
    pub mean: f64,
    /// Standard deviation over the folds, where each tests several rows.
    pub sd: Option<f64>,
    /// 95 % interval of the mean: corrected for overlapping training parts (Nadeau and Bengio)
    /// over folds, Wilson's over the rows of one fold or of single-row folds, that of kappa for
    /// kappa.
    pub interval: Option<(f64, f64)>,
}

impl Measure {
    /// A value that is no mean.
    pub(crate) fn single(mean: f64) -> Self {
        Self { mean, sd: None, interval: None }
    }
}

/// The fitted folds, with what intervals need to know.
pub(crate) struct OverFolds<'a> {
    folds: Vec<&'a Fold>,
    /// Mean of test rows over training rows.
    test_to_train: f64,
    single_rows: bool,
    /// Share of the predictions that are of different rows.
    different_rows: f64,
}

impl<'a> OverFolds<'a> {
    /// Fitted folds with their numbers among the splits.
    pub(crate) fn new(splits: &[Split], fitted: &[(usize, &'a Fold)]) -> Self {
        let ratio = |at: usize| splits[at].test.len() as f64 / splits[at].train.len() as f64;
        let mut rows: Vec<usize> =
            fitted.iter().flat_map(|(at, _)| splits[*at].test.iter().copied()).collect();
        let all = rows.len() as f64;
        rows.sort_unstable();
        rows.dedup();
        Self {
            folds: fitted.iter().map(|(_, fold)| *fold).collect(),
            test_to_train: fitted.iter().map(|(at, _)| ratio(*at)).sum::<f64>()
                / fitted.len() as f64,
            single_rows: splits.iter().all(|split| split.test.len() == 1),
            different_rows: rows.len() as f64 / all,
        }
    }

    pub(crate) fn values(&self, value: impl Fn(&Fold) -> Option<f64>) -> Vec<f64> {
        self.folds.iter().filter_map(|fold| value(fold)).collect()
    }

    /// Mean and standard deviation.
    pub(crate) fn spread(&self, value: impl Fn(&Fold) -> Option<f64>) -> Option<Measure> {
        let (mean, sd) = moments(&self.values(value))?;
        Some(Measure { mean, sd, interval: None })
    }

    /// Mean of a score, with its interval where folds test several rows.
    pub(crate) fn mean(&self, value: impl Fn(&Fold) -> Option<f64>) -> Option<Measure> {
        let values = self.values(value);
        let (mean, sd) = moments(&values)?;
        if self.single_rows {
            return Some(Measure::single(mean));
        }
        let test = corrected_resampled_t(&values, self.test_to_train, CONFIDENCE).ok();
        Some(Measure { mean, sd, interval: test.map(|test| test.interval) })
    }

    /// Mean of a score between 0 and 1.
    pub(crate) fn share(&self, value: impl Fn(&Fold) -> Option<f64>) -> Option<Measure> {
        let measure = self.mean(value)?;
        let interval = measure.interval.map(|(low, high)| (low.max(0.0), high.min(1.0)));
        Some(Measure { interval, ..measure })
    }

    /// The accuracy, which has an interval over the rows where there is none over folds.
    pub(crate) fn accuracy(&self) -> Option<Measure> {
        let measure = self.share(|fold| Some(fold.scores.accuracy))?;
        if !self.single_rows && self.folds.len() > 1 {
            return Some(measure);
        }
        let (mut right, mut rows) = (0, 0);
        for fold in &self.folds {
            let (of_fold, all) = fold.scores.right_and_all();
            right += of_fold;
            rows += all;
        }
        Some(Measure { interval: Some(wilson_interval(right, rows)), ..measure })
    }

    /// Kappa of a table of calls. Its interval counts a row once, however often it was tested:
    /// repeats of a row say little new.
    pub(crate) fn kappa(&self, table: &[Vec<usize>]) -> Option<Measure> {
        let kappa = cohen_kappa_table(table, CONFIDENCE).ok()?;
        let widen = self.different_rows.sqrt();
        let wider = |end: f64| (kappa.kappa + (end - kappa.kappa) / widen).clamp(-1.0, 1.0);
        let (low, high) = kappa.interval;
        Some(Measure { mean: kappa.kappa, sd: None, interval: Some((wider(low), wider(high))) })
    }
}

/// Mean and standard deviation (divisor n − 1).
pub(crate) fn moments(values: &[f64]) -> Option<(f64, Option<f64>)> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt())))
}
