//! Many fits side by side.

use crate::method::{Choice, Outcome};
use anyhow::{Context, Result, anyhow};
use indicatif::{ParallelProgressIterator, ProgressBar};
use pfcvm::Dataset;
use pfcvm_eval::{accuracy, auc, log_loss};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

/// One fit, scored. A fit that failed is one of these too.
#[derive(Debug)]
pub struct Fold {
    /// Its number, from 0.
    pub number: usize,
    /// Scores, or why there are none.
    pub result: Result<Scores, String>,
}

/// What a fit is worth on its test rows.
#[derive(Debug, Clone)]
pub struct Scores {
    /// Share of test rows on the right side.
    pub accuracy: f64,
    /// Log loss of the moderated probabilities.
    pub log_loss: f64,
    /// Log loss of the plain ones.
    pub plain_log_loss: f64,
    /// Area under the ROC curve, where both classes are tested.
    pub auc: Option<f64>,
    /// What was predicted and kept.
    pub outcome: Outcome,
    /// Wall time of the fit and the prediction, while other folds may run beside it.
    pub seconds: f64,
}

/// Fits and scores `count` pairs of training and test data on `threads` threads (0: all cores).
///
/// The order of the answer is the order of the numbers; a refused fit or a panic becomes a failed
/// fold with its message.
pub fn run(
    count: usize,
    threads: usize,
    choice: &Choice,
    pair: impl Fn(usize) -> Result<(Dataset, Dataset)> + Sync,
) -> Result<Vec<Fold>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    // Drawn on standard error, and only where that is a terminal.
    let progress = ProgressBar::new(count as u64);
    let one = |number| {
        let outcome = catch_unwind(AssertUnwindSafe(|| score(choice, pair(number)?)));
        let result = outcome.unwrap_or_else(|panic| Err(anyhow!(said(&*panic))));
        Fold { number, result: result.map_err(|error| format!("{error:#}")) }
    };
    let folds = pool
        .install(|| (0..count).into_par_iter().progress_with(progress.clone()).map(one).collect());
    progress.finish_and_clear();
    Ok(folds)
}

fn score(choice: &Choice, (train, test): (Dataset, Dataset)) -> Result<Scores> {
    let start = Instant::now();
    let outcome = choice.try_on(&train, &test)?;
    let seconds = start.elapsed().as_secs_f64();
    let truth = test.positive();
    Ok(Scores {
        accuracy: accuracy(truth, &outcome.probability),
        log_loss: log_loss(truth, &outcome.probability),
        plain_log_loss: log_loss(truth, &outcome.plain_probability),
        auc: auc(truth, &outcome.probability),
        outcome,
        seconds,
    })
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_else(|| "no message".into()))
}

/// Writes one CSV row per fold; a failed fold has its message in the last column.
pub fn write_csv(path: &Path, folds: &[Fold]) -> Result<()> {
    let name = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(name)?;
    }
    let mut out = csv::Writer::from_path(path).with_context(name)?;
    out.write_record([
        "split",
        "accuracy",
        "log_loss",
        "plain_log_loss",
        "auc",
        "features",
        "samples",
        "iterations",
        "termination",
        "seconds",
        "selected",
        "error",
    ])?;
    for fold in folds {
        let mut row = vec![fold.number.to_string()];
        match &fold.result {
            Ok(scores) => row.extend(columns(scores)),
            Err(message) => {
                row.resize(11, String::new());
                row.push(message.clone());
            }
        }
        out.write_record(&row)?;
    }
    out.flush().with_context(name)
}

fn columns(scores: &Scores) -> [String; 11] {
    let optional = |value: Option<String>| value.unwrap_or_default();
    let outcome = &scores.outcome;
    [
        scores.accuracy.to_string(),
        scores.log_loss.to_string(),
        scores.plain_log_loss.to_string(),
        optional(scores.auc.map(|auc| auc.to_string())),
        outcome.features.len().to_string(),
        optional(outcome.samples.map(|count| count.to_string())),
        optional(outcome.iterations.map(|count| count.to_string())),
        outcome.termination.clone(),
        format!("{:.4}", scores.seconds),
        Vec::from_iter(outcome.features.iter().map(usize::to_string)).join(" "),
        String::new(),
    ]
}
