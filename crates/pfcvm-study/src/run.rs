//! Many folds of many studies, side by side.

use crate::fold::fit_and_score;
use crate::{Contender, Error, Fold, Journal, Outcome};
use pfcvm::multiclass::{Dataset, Scheme};
use pfcvm_eval::Split;
use pfcvm_methods::Refusal;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One method on the splits of one data set with two classes or more. Where settings are chosen,
/// each machine chooses its own, inside its own training rows.
#[derive(Clone, Debug)]
pub struct Study {
    /// Unlike that of every other study of the run.
    pub name: String,
    /// All rows.
    pub data: Arc<Dataset>,
    /// Which machines there are; with two classes there is one whatever this says.
    pub scheme: Scheme,
    /// A group for every row, to be kept together when settings are chosen.
    pub groups: Option<Arc<Vec<usize>>>,
    /// What trains and what tests.
    pub splits: Arc<Vec<Split>>,
    /// The method of every machine.
    pub contender: Contender,
    /// Seed of the inner folds; fold k uses the k-th after it.
    pub seed: u64,
    /// Whether what was said about each test row is kept.
    pub keep_predictions: bool,
}

/// Something that is done several times, each time apart from the others.
pub trait Repeated: Sync {
    /// What one time gives.
    type Outcome: Serialize + DeserializeOwned + Clone + Send + Sync;

    /// Unlike that of everything else in the run.
    fn name(&self) -> &str;

    /// How many times.
    fn times(&self) -> usize;

    /// Does it once. What it gives depends on nothing but the number; it may panic.
    fn once(&self, number: usize) -> Result<Self::Outcome, Refusal>;
}

/// Outcomes of everything in a run, one after the other.
pub type Outcomes<T> = Vec<Vec<Result<<T as Repeated>::Outcome, String>>>;

/// Refuses outcomes among which no fold was fitted, with the first reason.
///
/// # Errors
/// If every fold failed.
pub fn at_least_one_fold<T>(outcomes: &[Vec<Result<T, String>>]) -> Result<(), Error> {
    if outcomes.iter().flatten().any(Result::is_ok) {
        return Ok(());
    }
    let reason = outcomes.iter().flatten().find_map(|outcome| outcome.as_ref().err());
    let reason = reason.map_or("there are no folds", String::as_str);
    Err(Error::EveryFold { reason: reason.into() })
}

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
pub fn run<T: Repeated>(
    studies: &[T],
    journal: Option<&Journal<T::Outcome>>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Outcomes<T>, Error> {
    let known = |study: usize, fold| journal.and_then(|j| j.known(studies[study].name(), fold));
    let all: Vec<(usize, usize)> = (0..studies.len())
        .flat_map(|study| (0..studies[study].times()).map(move |fold| (study, fold)))
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
    let fresh: Vec<Result<T::Outcome, String>> =
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

impl Study {
    /// The class of each test row of a fold.
    pub fn truth(&self, fold: usize) -> Vec<usize> {
        self.splits[fold].test.iter().map(|&row| self.data.codes()[row]).collect()
    }
}

impl Repeated for Study {
    type Outcome = Fold;

    fn name(&self) -> &str {
        &self.name
    }

    fn times(&self) -> usize {
        self.splits.len()
    }

    fn once(&self, fold: usize) -> Result<Fold, Refusal> {
        fit_and_score(self, fold)
    }
}

/// Folds with what they gave, and their numbers from 0.
pub(crate) fn fitted(outcomes: &[Outcome]) -> Vec<(usize, &Fold)> {
    outcomes
        .iter()
        .enumerate()
        .filter_map(|(at, outcome)| Some((at, outcome.as_ref().ok()?)))
        .collect()
}

fn outcome<T: Repeated>(study: &T, fold: usize) -> Result<T::Outcome, String> {
    match catch_unwind(AssertUnwindSafe(|| study.once(fold))) {
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
