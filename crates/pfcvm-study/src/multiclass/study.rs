//! One fit of several machines and what it is worth on its test rows.

use crate::{Chosen, Contender, Error, Tried};
use pfcvm::multiclass::{Answer, Machine, Scheme};
use pfcvm::{Matrix, Multiclass, MulticlassDataset};
use pfcvm_eval::{Split, class_log_loss};
use pfcvm_methods::Refusal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// One method on the splits of one data set with any number of classes. Where settings are chosen,
/// each machine chooses its own, inside its own training rows.
#[derive(Clone, Debug)]
pub struct MulticlassStudy {
    /// Unlike that of every other study of the run.
    pub name: String,
    /// All rows.
    pub data: Arc<MulticlassDataset>,
    /// A group for every row, to be kept together when settings are chosen.
    pub groups: Option<Arc<Vec<usize>>>,
    /// What trains and what tests.
    pub splits: Arc<Vec<Split>>,
    /// The method of every machine.
    pub contender: Contender,
    /// Which machines there are.
    pub scheme: Scheme,
    /// Seed of the inner folds; fold k uses the k-th after it.
    pub seed: u64,
}

/// A fold that was fitted, or why it was not.
pub type MulticlassOutcome = Result<MulticlassFold, String>;

/// One fit on a training part, tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MulticlassFold {
    /// Share of test rows that were called what they are.
    pub accuracy: f64,
    /// Mean log loss.
    pub log_loss: f64,
    /// What each test row was called.
    pub called: Vec<usize>,
    /// For each test row the probability of each class.
    pub probability: Vec<Vec<f64>>,
    /// For each machine the selected features, ascending; nothing for a method that uses all.
    pub features: Option<Vec<Vec<usize>>>,
    /// Samples kept by all machines together, each counted as often as it is kept.
    pub samples: Option<usize>,
    /// For each machine the settings chosen inside its training rows.
    pub chosen: Option<Vec<Vec<(String, String)>>>,
    /// Wall time of choice, fit and prediction, while other folds may run beside it.
    pub seconds: f64,
}

impl MulticlassFold {
    /// The features that any machine selects, ascending.
    pub fn all_features(&self) -> Option<Vec<usize>> {
        let mut all: Vec<usize> = self.features.as_ref()?.concat();
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}

impl Machine for Chosen {
    type Refusal = Refusal;

    fn answer(&self, x: &Matrix) -> Result<Answer, Refusal> {
        self.fitted.answer(x)
    }
}

impl MulticlassStudy {
    /// Refuses methods that cannot take part where there are more than two classes.
    pub fn check(contender: &Contender) -> Result<(), Error> {
        let given = |(key, value): &(String, String)| {
            key.rsplit('.').next() == Some("class_weights") && value.contains(',')
        };
        if contender.spec().settings().iter().any(given) {
            return Err(Error::TwoClassesOnly {
                method: contender.label(),
                reason: "two class_weights say nothing about a third class; use equal or balanced",
            });
        }
        Ok(())
    }
}

impl Tried for MulticlassStudy {
    type Fold = MulticlassFold;

    fn name(&self) -> &str {
        &self.name
    }

    fn folds(&self) -> usize {
        self.splits.len()
    }

    fn try_fold(&self, fold: usize) -> Result<MulticlassFold, Refusal> {
        let split = &self.splits[fold];
        let seed = self.seed.wrapping_add(1 + fold as u64);
        let (train, test) = (self.data.select(&split.train)?, self.data.select(&split.test)?);
        let start = Instant::now();
        let fitted = Multiclass::fit(&train, self.scheme, |task, of_task| {
            let group = |all: &Arc<Vec<usize>>| -> Vec<usize> {
                train.task_rows(task).iter().map(|&row| all[split.train[row]]).collect()
            };
            let groups = self.groups.as_ref().map(group);
            self.contender.fit(of_task, groups.as_deref(), seed)
        })?;
        let said = fitted.predict(test.x())?;
        let seconds = start.elapsed().as_secs_f64();
        let probability: Vec<Vec<f64>> = (0..test.len()).map(|row| said.row(row)).collect();
        let right = test.codes().iter().zip(&said.class).filter(|(a, b)| a == b).count();
        let machines = fitted.machines();
        Ok(MulticlassFold {
            accuracy: right as f64 / test.len() as f64,
            log_loss: class_log_loss(test.codes(), &probability),
            called: said.class,
            probability,
            features: machines.iter().map(|chosen| chosen.fitted.selected_features()).collect(),
            samples: machines.iter().map(|chosen| chosen.fitted.kept_samples()).sum(),
            chosen: machines.iter().map(|chosen| chosen.settings.clone()).collect(),
            seconds,
        })
    }
}
