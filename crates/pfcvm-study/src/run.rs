//! Many folds of many studies, side by side.

use crate::fold::fit_and_score;
use crate::{Contender, Error, Fold, Record};
use pfcvm::Dataset;
use pfcvm_eval::Split;
use pfcvm_methods::Refusal;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One method on the splits of one data set.
#[derive(Clone, Debug)]
pub struct Study {
    /// Unlike that of every other study of the run.
    pub name: String,
    /// All rows.
    pub data: Arc<Dataset>,
    /// A group for every row, to be kept together when settings are chosen.
    pub groups: Option<Arc<Vec<usize>>>,
    /// What trains and what tests.
    pub splits: Arc<Vec<Split>>,
    /// The method.
    pub contender: Contender,
    /// Seed of the inner folds; fold k uses the k-th after it.
    pub seed: u64,
    /// Whether what was said about each test row is kept.
    pub keep_predictions: bool,
}

/// Something that is tried fold by fold.
pub trait Tried: Sync {
    /// What a fold gives.
    type Fold: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// Unlike that of everything else in the run.
    fn name(&self) -> &str;

    /// Number of folds.
    fn folds(&self) -> usize;

    /// Does one of them. What it gives depends on nothing but its number; it may panic.
    fn try_fold(&self, fold: usize) -> Result<Self::Fold, Refusal>;
}

/// Outcomes of folds, study after study.
pub type Outcomes<T> = Vec<Vec<Result<<T as Tried>::Fold, String>>>;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Folds done, those found in the journal among them.
    pub done: usize,
    /// Of these, found in the journal.
    pub found: usize,
    /// All folds.
    pub total: usize,
}

/// Does every fold of every study that the journal does not know, and records it there.
///
/// Outcomes come in the order of studies and splits, and do not depend on the number of threads,
/// nor on whether the run was interrupted before. A fold that is refused, or that panics, is an
/// outcome too.
///
/// # Errors
/// If a fold cannot be recorded.
pub fn run<T: Tried>(
    studies: &[T],
    journal: Option<&Record<T::Fold>>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Outcomes<T>, Error> {
    let known = |study: usize, fold| journal.and_then(|j| j.known(studies[study].name(), fold));
    let all: Vec<(usize, usize)> = (0..studies.len())
        .flat_map(|study| (0..studies[study].folds()).map(move |fold| (study, fold)))
        .collect();
    let open: Vec<(usize, usize)> =
        all.iter().copied().filter(|(study, fold)| known(*study, *fold).is_none()).collect();
    let (total, found) = (all.len(), all.len() - open.len());
    let done = AtomicUsize::new(found);
    progress(Progress { done: found, found, total });

    let one = |(study, fold): (usize, usize)| {
        let outcome = outcome(&studies[study], fold);
        if let Some(journal) = journal {
            journal.record(studies[study].name(), fold, &outcome)?;
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(Progress { done, found, total });
        Ok(outcome)
    };
    let fresh: Vec<Result<T::Fold, String>> =
        open.into_par_iter().with_max_len(1).map(one).collect::<Result<_, Error>>()?;

    let mut fresh = fresh.into_iter();
    let mut outcomes: Vec<Vec<_>> = studies.iter().map(|_| Vec::new()).collect();
    for (study, fold) in all {
        let outcome = known(study, fold).cloned().or_else(|| fresh.next());
        // Every fold is either known or was just done, in this order.
        outcomes[study].extend(outcome);
    }
    Ok(outcomes)
}

impl Tried for Study {
    type Fold = Fold;

    fn name(&self) -> &str {
        &self.name
    }

    fn folds(&self) -> usize {
        self.splits.len()
    }

    fn try_fold(&self, fold: usize) -> Result<Fold, Refusal> {
        let groups = self.groups.as_ref().map(|groups| groups.as_slice());
        let seed = self.seed.wrapping_add(1 + fold as u64);
        let (split, keep) = (&self.splits[fold], self.keep_predictions);
        fit_and_score(&self.contender, &self.data, groups, split, seed, keep)
    }
}

fn outcome<T: Tried>(study: &T, fold: usize) -> Result<T::Fold, String> {
    match catch_unwind(AssertUnwindSafe(|| study.try_fold(fold))) {
        Ok(Ok(fold)) => Ok(fold),
        Ok(Err(refusal)) => Err(refusal.to_string()),
        Err(panic) => Err(said(&*panic)),
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("an error inside the program: {}", text.unwrap_or_else(|| "no message".into()))
}
