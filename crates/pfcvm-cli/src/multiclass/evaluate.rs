//! `pfcvm evaluate` with more than two classes.

use crate::args;
use crate::evaluate::{Timing, protocol};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs, note};
use crate::trial::{self, Read};
use pfcvm_experiments::pages::{self, About};
use pfcvm_study::{
    Contender, FailedFold, Identity, MulticlassOutcome, MulticlassStudy, MulticlassSummary,
    multiclass_digest,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

/// Settings with their values, machine by machine.
type Choices = Vec<BTreeMap<String, String>>;

/// What a method is worth. All but `timing` is the same to the bit whenever the command is.
#[derive(Serialize)]
struct Account<'a> {
    data: &'a str,
    rows: usize,
    features: usize,
    classes: &'a [String],
    scheme: String,
    protocol: String,
    seed: u64,
    method: String,
    settings: BTreeMap<String, String>,
    grid: Option<String>,
    folds: usize,
    failed: &'a [FailedFold],
    measures: &'a MulticlassSummary,
    /// By name, the share of folds in which some machine selected a feature, for those above 0.
    selected: BTreeMap<&'a str, f64>,
    /// For each fold and machine what was chosen inside its training rows.
    chosen: Option<Vec<Option<Choices>>>,
    timing: Timing,
}

/// Tries a method on all classes.
pub fn evaluate(options: &args::Evaluate, read: Read, contender: Contender) -> Outcome {
    MulticlassStudy::check(&contender)?;
    let within = read.within();
    let notes = read.table.notes().to_vec();
    let feature_names = read.table.feature_names().to_vec();
    let data = read.table.into_all_classes().map_err(within)?;
    let trial = &options.trial;
    let splits = trial
        .cv
        .splits(data.codes(), read.groups.as_deref(), trial.seed)
        .map_err(|error| Failure::Data(format!("{}: {error}", read.name)))?;
    let study = MulticlassStudy {
        name: format!("{} | {}, {}", read.name, contender.label(), options.multiclass),
        data: Arc::new(data),
        groups: read.groups.as_deref().map(trial::numbered),
        splits: Arc::new(splits),
        contender,
        scheme: options.multiclass,
        seed: trial.seed,
    };
    let studies = std::slice::from_ref(&study);
    let outcomes = trial::run_recorded(studies, identity(&study, trial), trial)?;
    trial::tell_failures(studies, &outcomes)?;
    notes.iter().for_each(|text| note(&format!("note: {text}")));

    let outcomes = &outcomes[0];
    let about = About {
        title: format!("A method tried on {}", read.name),
        feature_names,
        protocol: protocol(trial),
        notes,
        program: concat!("pfcvm ", env!("CARGO_PKG_VERSION")).into(),
        ..About::default()
    };
    let page = pages::multiclass_evaluation(&about, &study, outcomes);
    let mut outputs = Outputs::default();
    if let Some(path) = &options.report {
        let html = page.html()?;
        outputs.add(path, |staged| staged.write_all(html.as_bytes()))?;
    }
    if let Some(path) = &options.predictions {
        outputs.add(path, |staged| predictions(staged, &study, outcomes))?;
    }
    outputs.finish()?;
    if options.json {
        return print(options, &read.name, &about.feature_names, &study, outcomes);
    }
    let mut out = anstream::stdout().lock();
    write!(out, "{}", page.text())?;
    Ok(out.flush()?)
}

/// Everything that the result depends on.
fn identity(study: &MulticlassStudy, trial: &args::Trial) -> Identity {
    let grid = study.contender.grid();
    Identity::of_program()
        .with("cv", trial.cv.to_string())
        .with("seed", trial.seed.to_string())
        .with("study", study.name.clone())
        .with("data", multiclass_digest(&study.data))
        .with("grid", grid.map_or_else(|| "none".into(), |grid| grid.to_string()))
}

/// A row for each test row of each fold; folds count from 1, rows from 0.
fn predictions(
    out: &mut impl Write,
    study: &MulticlassStudy,
    outcomes: &[MulticlassOutcome],
) -> std::io::Result<()> {
    let names = study.data.class_names();
    let mut out = csv::Writer::from_writer(out);
    let mut head: Vec<String> = ["fold", "row", "label", "called"].map(String::from).to_vec();
    head.extend(names.iter().map(|name| format!("probability_{name}")));
    out.write_record(&head)?;
    for (at, (split, outcome)) in study.splits.iter().zip(outcomes).enumerate() {
        let Ok(fold) = outcome else { continue };
        for (place, &row) in split.test.iter().enumerate() {
            let mut cells = vec![
                (at + 1).to_string(),
                row.to_string(),
                names[study.data.codes()[row]].clone(),
                names[fold.called[place]].clone(),
            ];
            cells.extend(fold.probability[place].iter().map(f64::to_string));
            out.write_record(&cells)?;
        }
    }
    out.flush()
}

fn print(
    options: &args::Evaluate,
    name: &str,
    feature_names: &[String],
    study: &MulticlassStudy,
    outcomes: &[MulticlassOutcome],
) -> Outcome {
    let summary = MulticlassSummary::of(study, outcomes);
    let shares = summary.selection_frequencies.iter().flatten();
    let selected = feature_names.iter().map(String::as_str).zip(shares.copied());
    let spec = study.contender.spec();
    let chosen = study.contender.grid().map(|_| {
        let of = |fold: &MulticlassOutcome| {
            let machines = fold.as_ref().ok()?.chosen.as_ref()?;
            Some(machines.iter().map(|all| all.iter().cloned().collect()).collect())
        };
        outcomes.iter().map(of).collect()
    });
    output::print_json(&Account {
        data: name,
        rows: study.data.len(),
        features: study.data.x().cols(),
        classes: study.data.class_names(),
        scheme: study.scheme.to_string(),
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
        timing: Timing::of_folds(outcomes.iter().flatten().map(|fold| fold.seconds).collect()),
    })
}
