//! What a short list costs, and what more rows would bring, as the program's `price` does it.

use crate::samples::Samples;
use crate::study::{Trial, done, spec, study, subject};
use crate::work::{Caller, pool};
use crate::{Error, Outcome};
use pfcvm_methods::{FittedClasses, during};
use pfcvm_study::{Contender, LearningCurve, Study, list_of, listed};
use serde::Deserialize;
use serde_json::{Value, json};

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
    let spec = spec(&request.trial)?;
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
    let (base, names) = study(samples, &request.trial, Contender::fixed(spec))?;
    let about = subject(&base, &request.trial);
    match request.over_rows {
        true => more_rows(&base, about, caller),
        false => short_lists(&base, &names, &request.sizes, about, caller),
    }
}

fn short_lists(
    base: &Study,
    names: &[String],
    asked: &[usize],
    mut about: Value,
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
    about["folds"] = json!(price.folds);
    about["tested_rows"] = json!(price.rows);
    about["points"] = json!(price.points);
    about["best"] = json!(price.points[price.best].size);
    about["suggested"] = json!(price.suggested_size());
    about["list"] = json!(list.iter().map(|one| one.named(names)).collect::<Vec<_>>());
    Ok(about)
}

fn more_rows(base: &Study, mut about: Value, caller: &Caller<'_>) -> Outcome<Value> {
    let studies = base.with_fewer_rows();
    let outcomes = done(&studies, caller)?;
    let curve = LearningCurve::of(&studies, &outcomes).ok_or_else(no_curve)?;
    about["folds"] = json!(curve.folds);
    about["tested_rows"] = json!(curve.tested);
    about["points"] = json!(curve.points);
    about["outlook"] = json!(curve.outlook);
    about["outlook_in_words"] = json!(pfcvm_report::studies::outlook(&curve));
    Ok(about)
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
