//! `pfcvm evaluate`: one method on one data set.

use crate::args;
use crate::failure::Outcome;
use crate::output::{self, Outputs, note};
use crate::threads::use_threads;
use crate::trial::{self, Loaded};
use pfcvm_eval::ClassCurves;
use pfcvm_io::predictions::Cells;
use pfcvm_report::studies::{self, About};
use pfcvm_study::{Evaluation, FailedFold, MachineFold, Outcome as Fold, Study, Summary};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// What a method is worth. All but `timing` is the same to the bit whenever the command is.
#[derive(Serialize)]
struct Account<'a> {
    data: &'a str,
    rows: usize,
    features: usize,
    classes: &'a [String],
    /// With more than two classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<&'a str>,
    protocol: String,
    seed: u64,
    method: String,
    settings: BTreeMap<String, String>,
    grid: Option<String>,
    folds: usize,
    failed: &'a [FailedFold],
    measures: &'a Summary,
    /// Of methods that give probabilities: of all test rows together.
    curves: Option<&'a ClassCurves>,
    /// By name, the share of folds in which some machine selected a feature, for those above 0.
    selected: BTreeMap<&'a str, f64>,
    /// For each fold what was chosen inside its training part.
    chosen: Option<Vec<Option<Chosen>>>,
    timing: Timing,
}

/// Settings with their values.
#[derive(Serialize)]
#[serde(untagged)]
enum Chosen {
    /// Of the one machine there is.
    One(BTreeMap<String, String>),
    /// Machine by machine.
    Each(Vec<BTreeMap<String, String>>),
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
    pub fn of(outcomes: &[Fold]) -> Self {
        let all: Vec<f64> = outcomes.iter().flatten().map(|fold| fold.seconds).collect();
        let seconds = all.iter().sum();
        Self { seconds, seconds_per_fold: seconds / all.len().max(1) as f64 }
    }
}

/// Runs the command.
pub fn run(options: &args::Evaluate) -> Outcome {
    use_threads(options.trial.threads)?;
    let targets = [&options.report, &options.predictions, &options.folds].map(|t| t.as_deref());
    output::check(&targets, &[Some(&options.data)])?;
    let contender = trial::contender(&options.method, &options.set, &options.trial)?;
    let loaded = trial::load(&options.data, &options.reading, &options.trial)?;
    let studies = trial::studies(&loaded, &[contender], &options.trial)?;
    let outcomes = trial::run(&studies, &options.trial)?;
    trial::tell_failures(&studies, &outcomes)?;
    loaded.notes.iter().for_each(|text| note(&format!("note: {text}")));

    let evaluation = Evaluation::of(&studies[0], &outcomes[0]);
    let about = About {
        title: format!("A method tried on {}", loaded.title),
        feature_names: loaded.feature_names.clone(),
        protocol: protocol(&options.trial),
        notes: loaded.notes.clone(),
        program: output::program(),
    };
    let page = studies::evaluation(&about, &evaluation);
    let mut outputs = Outputs::default();
    if let Some(path) = &options.report {
        let html = page.html()?;
        outputs.add(path, |staged| staged.write_all(html.as_bytes()))?;
    }
    if let Some(path) = &options.predictions {
        let cells = Cells::new(options.safe_csv);
        outputs.add(path, |staged| predictions(staged, &studies[0], &outcomes[0], &cells))?;
        cells.told().iter().for_each(|text| note(&format!("note: {text}")));
    }
    if let Some(path) = &options.folds {
        outputs.add(path, |staged| folds(staged, &studies[0], &outcomes[0]))?;
    }
    outputs.finish()?;
    if options.json {
        return print(options, &loaded, &evaluation);
    }
    output::print(&page.text())
}

/// A row for each test row of each fold; folds count from 1, rows of the classes from 0. With two
/// classes the decision value and one probability, with more what the row was called and all.
fn predictions(
    out: &mut impl Write,
    study: &Study,
    outcomes: &[Fold],
    cells: &Cells,
) -> std::io::Result<()> {
    let names = study.data.class_names();
    let called: Vec<_> = names.iter().map(|name| cells.text(name).into_owned()).collect();
    let several = names.len() > 2;
    let mut out = csv::Writer::from_writer(out);
    let mut head: Vec<String> = ["fold", "row", "label"].map(String::from).to_vec();
    match several {
        false => head.extend(["decision", "probability"].map(String::from)),
        true => {
            head.push("called".into());
            head.extend(names.iter().map(|name| format!("probability_{name}")));
        }
    }
    out.write_record(&head)?;
    for (at, (split, outcome)) in study.splits.iter().zip(outcomes).enumerate() {
        let said = outcome.as_ref().ok().and_then(|fold| fold.predictions.as_ref());
        let Some(said) = said else { continue };
        for (place, &row) in split.test.iter().enumerate() {
            let label = called[study.data.codes()[row]].clone();
            let mut cells = vec![(at + 1).to_string(), row.to_string(), label];
            let probability = said.probability.as_ref().map(|all| &all[place]);
            match several {
                false => cells.extend([
                    said.decision[0][place].to_string(),
                    probability.map(|p| p[1].to_string()).unwrap_or_default(),
                ]),
                true => {
                    cells.push(called[said.called[place]].clone());
                    cells.extend(probability.into_iter().flatten().map(f64::to_string));
                }
            }
            out.write_record(&cells)?;
        }
    }
    out.flush()
}

/// A row for each fold, which counts from 1; selected features count from 0. A fold that failed
/// has its reason in the last column.
fn folds(out: &mut impl Write, study: &Study, outcomes: &[Fold]) -> std::io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record([
        "fold", "train", "test", "accuracy", "log_loss", "brier", "auc", "features", "samples",
        "seconds", "selected", "error",
    ])?;
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for (at, (split, outcome)) in study.splits.iter().zip(outcomes).enumerate() {
        let mut cells = [at + 1, split.train.len(), split.test.len()]
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>();
        match outcome {
            Ok(fold) => {
                let features = fold.features();
                let count = features.as_ref().map(|features| features.len().to_string());
                let numbers = features.iter().flatten().map(usize::to_string);
                cells.extend([
                    fold.scores.accuracy.to_string(),
                    text(fold.scores.log_loss),
                    text(fold.scores.brier),
                    text(fold.scores.auc),
                    count.unwrap_or_default(),
                    fold.samples().map(|samples| samples.to_string()).unwrap_or_default(),
                    format!("{:.4}", fold.seconds),
                    Vec::from_iter(numbers).join(" "),
                    String::new(),
                ]);
            }
            Err(reason) => {
                cells.resize(11, String::new());
                cells.push(reason.clone());
            }
        }
        out.write_record(&cells)?;
    }
    out.flush()
}

/// The protocol in words.
pub fn protocol(trial: &args::Trial) -> String {
    let nested = if trial.nested { ", settings chosen inside each training part" } else { "" };
    format!("{}, seed {}{nested}", trial.cv, trial.seed)
}

fn print(options: &args::Evaluate, loaded: &Loaded, evaluation: &Evaluation) -> Outcome {
    let Evaluation { study, outcomes, summary, .. } = evaluation;
    let shares = summary.selection_frequencies.iter().flatten();
    let selected = loaded.feature_names.iter().map(String::as_str).zip(shares.copied());
    let spec = study.contender.spec();
    let of_fold = |fold: &Fold| chosen(&fold.as_ref().ok()?.machines);
    output::print_json(&Account {
        data: &loaded.name,
        rows: study.data.len(),
        features: study.data.columns().features(),
        classes: study.data.class_names(),
        scheme: summary.scheme.as_deref(),
        protocol: options.trial.cv.to_string(),
        seed: options.trial.seed,
        method: spec.name(),
        settings: spec.settings().into_iter().collect(),
        grid: study.contender.grid().map(|grid| grid.to_string()),
        folds: summary.folds,
        failed: &summary.failed,
        measures: summary,
        curves: evaluation.curves.as_ref(),
        selected: selected.filter(|(_, share)| *share > 0.0).collect(),
        chosen: study.contender.grid().map(|_| outcomes.iter().map(of_fold).collect()),
        timing: Timing::of(outcomes),
    })
}

fn chosen(machines: &[MachineFold]) -> Option<Chosen> {
    let settings = |machine: &MachineFold| Some(machine.chosen.clone()?.into_iter().collect());
    let mut each: Vec<BTreeMap<String, String>> =
        machines.iter().map(settings).collect::<Option<_>>()?;
    Some(if each.len() == 1 { Chosen::One(each.remove(0)) } else { Chosen::Each(each) })
}
