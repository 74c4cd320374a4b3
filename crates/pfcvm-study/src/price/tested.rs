//! What was said of rows that were tested, in studies of the same splits.

use crate::run::fitted;
use crate::{Outcome, Study};
use pfcvm_eval::{Split, class_log_loss};
use std::collections::BTreeMap;

/// Folds that every study has, from 0.
pub(super) fn fitted_by_all(outcomes: &[&[Outcome]]) -> Vec<usize> {
    let folds = outcomes.first().map_or(0, |first| first.len());
    (0..folds).filter(|&at| outcomes.iter().all(|all| all[at].is_ok())).collect()
}

/// Features used, on average over folds; nothing for a method that uses all.
pub(super) fn mean_features(outcomes: &[Outcome], folds: &[usize]) -> Option<f64> {
    let lists = fitted(outcomes).into_iter().filter(|(at, _)| folds.contains(at));
    let counts: Vec<usize> =
        lists.map(|(_, fold)| Some(fold.features()?.len())).collect::<Option<_>>()?;
    Some(counts.iter().sum::<usize>() as f64 / counts.len() as f64)
}

/// The shares of the classes among the rows to learn from.
pub(super) fn shares(study: &Study, split: &Split) -> Vec<f64> {
    let mut counts = vec![0.0; study.data.class_names().len()];
    split.train.iter().for_each(|&row| counts[study.data.codes()[row]] += 1.0);
    counts.iter().map(|count| count / split.train.len() as f64).collect()
}

/// What was said of each row that was tested, rows ascending: the mean where one was tested several times.
pub(super) struct Tested {
    rows: Vec<usize>,
    pub loss: Vec<f64>,
    pub wrong: Vec<f64>,
}

/// Of one test row the probabilities, and what it was called.
pub(super) type Said = (Vec<f64>, usize);

impl Tested {
    pub fn of(study: &Study, folds: &[usize], outcomes: &[Outcome]) -> Option<Self> {
        Self::by(study, folds, |_, at| {
            let said = outcomes[at].as_ref().ok()?.predictions.as_ref()?;
            let probability = said.probability.as_ref()?;
            Some(probability.iter().cloned().zip(said.called.iter().copied()).collect())
        })
    }

    pub fn by(
        study: &Study,
        folds: &[usize],
        said: impl Fn(&Split, usize) -> Option<Vec<Said>>,
    ) -> Option<Self> {
        let mut sums: BTreeMap<usize, (f64, f64, f64)> = BTreeMap::new();
        for &at in folds {
            let split = &study.splits[at];
            for (&row, (probability, called)) in split.test.iter().zip(said(split, at)?) {
                let truth = study.data.codes()[row];
                let sum = sums.entry(row).or_default();
                sum.0 += class_log_loss(&[truth], &[probability]);
                sum.1 += f64::from(u8::from(called != truth));
                sum.2 += 1.0;
            }
        }
        (!sums.is_empty()).then(|| Self {
            rows: sums.keys().copied().collect(),
            loss: sums.values().map(|(loss, _, times)| loss / times).collect(),
            wrong: sums.values().map(|(_, wrong, times)| wrong / times).collect(),
        })
    }

    pub fn groups_of_rows(&self, groups: &[usize]) -> Vec<usize> {
        self.rows.iter().map(|&row| groups[row]).collect()
    }
}
