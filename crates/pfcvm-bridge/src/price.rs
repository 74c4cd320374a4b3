//! What a short list costs, and what more rows would bring, as the program's `price` does it.

use crate::samples::Samples;
use crate::study::{Trial, contender, done, study};
use crate::work::{Caller, pool};
use crate::{Error, Outcome};
use pfcvm_methods::{FittedClasses, during};
use pfcvm_study::{LearningCurve, PriceAccount, RowsAccount, Study, Subject, list_of, listed};
use serde::Deserialize;
use serde_json::Value;

/// A trial at several lengths, or from several numbers of rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceRequest {
    /// What is tried.
    pub trial: Trial,
    /// The lengths; none: 1, 2, 3, 5, … below what a fit keeps.
    pub sizes: Vec<usize>,
    /// Whether the curve is over rows, not over lengths.
    pub over_rows: bool,
}

/// The curve, with the keys of the program's `price --json`.
pub fn price(samples: Samples, request: &PriceRequest, caller: &Caller<'_>) -> Outcome<Value> {
    let contender = contender(&request.trial, None)?;
    let spec = contender.spec();
    if !request.over_rows {
        let short = spec.with("size", "1").map_err(|_| {
            Error::refused(format!(
                "{} has no setting `size`, which a curve over lengths needs; use pfcvm-lp or \
                 pfcvm-panel, or a curve over rows",
                spec.name()
            ))
        })?;
        short.build().map_err(Error::refused)?;
    }
    let (base, names) = study(samples, &request.trial, contender)?;
    let subject = Subject::of(&base, request.trial.cv.clone());
    match request.over_rows {
        true => more_rows(&base, subject, caller),
        false => short_lists(&base, &names, &request.sizes, subject, caller),
    }
}

fn short_lists(
    base: &Study,
    names: &[String],
    asked: &[usize],
    subject: Subject<'_>,
    caller: &Caller<'_>,
) -> Outcome<Value> {
    let whole = fit_all(base, caller)?;
    let kept = list_of(&whole).map_or(0, |list| list.len());
    let lengths = base.at_sizes(asked, kept).map_err(Error::refused)?;
    let outcomes = done(&lengths.studies, caller)?;
    let price = lengths.price(&outcomes).ok_or_else(no_curve)?;
    let list = match price.suggested_size() {
        None => listed(&whole),
        Some(0) => Vec::new(),
        Some(size) => listed(&fit_all(&base.at_size(size).map_err(Error::refused)?, caller)?),
    };
    let in_words = pfcvm_report::studies::price_in_words(&price);
    let account = PriceAccount::of(subject, &price, &list, names, in_words);
    serde_json::to_value(account).map_err(Error::refused)
}

fn more_rows(base: &Study, subject: Subject<'_>, caller: &Caller<'_>) -> Outcome<Value> {
    let studies = base.with_fewer_rows();
    let outcomes = done(&studies, caller)?;
    let curve = LearningCurve::of(&studies, &outcomes).ok_or_else(no_curve)?;
    let in_words = pfcvm_report::studies::outlook(&curve);
    serde_json::to_value(RowsAccount::of(subject, &curve, in_words)).map_err(Error::refused)
}

fn fit_all(study: &Study, caller: &Caller<'_>) -> Outcome<FittedClasses> {
    let fit = || during(caller.stop(), || study.fit_all());
    pool()?.install(fit).map_err(Error::refused)
}

fn no_curve() -> Error {
    Error::refused(
        "no fold could be fitted at every point of the curve, or the method gives no probabilities; try \
         fewer folds, or another method",
    )
}
