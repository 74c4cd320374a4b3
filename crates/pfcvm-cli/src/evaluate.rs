//! `pfcvm evaluate`: one method on one data set.

use crate::args;
use crate::failure::Outcome;
use crate::output::{self, Outputs, note};
use crate::threads::use_threads;
use crate::trial::{self, Loaded};
use pfcvm_io::predictions::Cells;
use pfcvm_report::studies::{self, About};
use pfcvm_study::{Evaluation, EvaluationAccount, Outcome as Fold, Study, Subject, Timing};
use std::io::Write;

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
    let subject = Subject::of(evaluation.study, options.trial.cv.to_string())
        .in_program(&loaded.name, Timing::of(evaluation.outcomes));
    output::print_json(&EvaluationAccount::of(subject, evaluation, &loaded.feature_names))
}
