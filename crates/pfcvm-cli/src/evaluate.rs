//! `pfcvm evaluate`: one method on one data set.

use crate::args;
use crate::failure::Outcome;
use crate::multiclass;
use crate::output::{self, Outputs, note};
use crate::reading;
use crate::trial::{self, Loaded};
use pfcvm_experiments::pages::{self, About};
use pfcvm_study::{FailedFold, Study, Summary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// What a method is worth. All but `timing` is the same to the bit whenever the command is.
#[derive(Serialize)]
struct Account<'a> {
    data: &'a str,
    rows: usize,
    features: usize,
    classes: &'a [String; 2],
    protocol: String,
    seed: u64,
    method: String,
    settings: BTreeMap<String, String>,
    grid: Option<String>,
    folds: usize,
    failed: &'a [FailedFold],
    measures: &'a Summary,
    /// By name, the share of folds that selected a feature, for those above 0.
    selected: BTreeMap<&'a str, f64>,
    /// For each fold what was chosen inside its training part.
    chosen: Option<Vec<Option<BTreeMap<String, String>>>>,
    timing: Timing,
}

/// What the clock says.
#[derive(Serialize)]
pub struct Timing {
    /// Of all folds together, as if one had run after the other.
    pub seconds: f64,
    pub seconds_per_fold: f64,
}

impl Timing {
    /// Times of one method's folds.
    pub fn of(outcomes: &[pfcvm_study::Outcome]) -> Self {
        Self::of_folds(outcomes.iter().flatten().map(|fold| fold.seconds).collect())
    }

    /// Times of folds of any kind.
    pub fn of_folds(all: Vec<f64>) -> Self {
        let seconds = all.iter().sum();
        Self { seconds, seconds_per_fold: seconds / all.len().max(1) as f64 }
    }
}

/// Runs the command.
pub fn run(options: &args::Evaluate) -> Outcome {
    reading::use_threads(options.trial.threads)?;
    let targets = [options.report.as_deref(), options.predictions.as_deref()];
    output::check(&targets, &[Some(&options.data)])?;
    let contender = trial::contender(&options.method, &options.set, &options.trial)?;
    let read = trial::read(&options.data, &options.reading, &options.trial)?;
    if multiclass::concerns(&read.table, &options.reading) {
        return multiclass::evaluate(options, read, contender);
    }
    let loaded = read.two_classes(&options.reading)?;
    let studies = trial::studies(&loaded, &[contender], &options.trial)?;
    let outcomes = trial::run(&studies, &options.trial)?;
    trial::tell_failures(&studies, &outcomes)?;
    loaded.notes.iter().for_each(|text| note(&format!("note: {text}")));

    let (study, outcomes) = (&studies[0], &outcomes[0]);
    let page = pages::evaluation(&about(&loaded, &options.trial), study, outcomes);
    let mut outputs = Outputs::default();
    if let Some(path) = &options.report {
        let html = page.html()?;
        outputs.add(path, |staged| staged.write_all(html.as_bytes()))?;
    }
    if let Some(path) = &options.predictions {
        outputs.add(path, |staged| predictions(staged, &loaded, study, outcomes))?;
    }
    outputs.finish()?;
    if options.json {
        return print(options, &loaded, study, outcomes);
    }
    let mut out = anstream::stdout().lock();
    write!(out, "{}", page.text())?;
    Ok(out.flush()?)
}

/// A row for each test row of each fold; folds count from 1, rows of the two classes from 0.
fn predictions(
    out: &mut impl Write,
    loaded: &Loaded,
    study: &Study,
    outcomes: &[pfcvm_study::Outcome],
) -> std::io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(["fold", "row", "label", "decision", "probability"])?;
    for (at, (split, outcome)) in study.splits.iter().zip(outcomes).enumerate() {
        let said = outcome.as_ref().ok().and_then(|fold| fold.predictions.as_ref());
        let Some(said) = said else { continue };
        for (place, &row) in split.test.iter().enumerate() {
            let probability = said.probability.as_ref().map(|all| all[place].to_string());
            out.write_record([
                (at + 1).to_string(),
                row.to_string(),
                loaded.classes[usize::from(study.data.positive()[row])].clone(),
                said.decision[place].to_string(),
                probability.unwrap_or_default(),
            ])?;
        }
    }
    out.flush()
}

/// What the page says about the study.
fn about(loaded: &Loaded, trial: &args::Trial) -> About {
    About {
        title: format!("A method tried on {}", loaded.name),
        feature_names: loaded.feature_names.clone(),
        classes: loaded.classes.clone(),
        protocol: protocol(trial),
        notes: loaded.notes.clone(),
        program: concat!("pfcvm ", env!("CARGO_PKG_VERSION")).into(),
    }
}

/// The protocol in words.
pub fn protocol(trial: &args::Trial) -> String {
    let nested = if trial.nested { ", settings chosen inside each training part" } else { "" };
    format!("{}, seed {}{nested}", trial.cv, trial.seed)
}

fn print(
    options: &args::Evaluate,
    loaded: &Loaded,
    study: &Study,
    outcomes: &[pfcvm_study::Outcome],
) -> Outcome {
    let summary = Summary::of(study, outcomes);
    let shares = summary.selection_frequencies.iter().flatten();
    let selected = loaded.feature_names.iter().map(String::as_str).zip(shares.copied());
    let spec = study.contender.spec();
    let chosen = study.contender.grid().map(|_| {
        let of = |fold: &pfcvm_study::Outcome| {
            fold.as_ref().ok()?.chosen.as_ref().map(|all| all.iter().cloned().collect())
        };
        outcomes.iter().map(of).collect()
    });
    output::print_json(&Account {
        data: &loaded.name,
        rows: loaded.data.len(),
        features: loaded.data.x().cols(),
        classes: &loaded.classes,
        protocol: options.trial.cv.to_string(),
        seed: options.trial.seed,
        method: spec.name(),
        settings: spec.settings().into_iter().collect(),
        grid: study.contender.grid().map(|grid| grid.to_string()),
        folds: summary.folds,
        failed: &summary.failed,
        measures: &summary,
        selected: selected.filter(|(_, share)| *share > 0.0).collect(),
        chosen,
        timing: Timing::of(outcomes),
    })
}
