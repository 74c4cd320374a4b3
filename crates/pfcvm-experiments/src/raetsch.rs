//! Benchmark sets of Rätsch and others with fixed splits. The paper has no figures for them.

use crate::setup::{available, drawn, two_classes};
use crate::{Bench, Chapter, Error, Experiment, Setup};
use pfcvm::multiclass::Dataset;
use pfcvm_eval::{Split, hold_out};
use pfcvm_io::Table as DataTable;
use pfcvm_io::generate::{Labelling, ringnorm, twonorm, waveform};
use pfcvm_report::page::{Block, Section};
use pfcvm_report::studies::{accuracy_boxes, accuracy_table, methods_table, ranking_blocks};
use pfcvm_study::{Comparison, Contender, Outcome, Ranking, Study, Summary, compare};
use serde_json::json;
use std::sync::Arc;

const SETS: [&str; 13] = [
    "banana",
    "breast_cancer",
    "diabetis",
    "flare_solar",
    "german",
    "heart",
    "image",
    "ringnorm",
    "splice",
    "thyroid",
    "titanic",
    "twonorm",
    "waveform",
];
/// Sets that are small enough to be tried in a hurry.
const QUICK: [&str; 3] = ["breast_cancer", "heart", "thyroid"];
/// Splits of each that are used, the first ones.
const SPLITS: usize = 10;

/// A set with its splits.
struct Benchmark {
    name: String,
    data: Arc<Dataset>,
    splits: Arc<Vec<Split>>,
}

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let (sets, origin) = load(setup)?;
    let methods = available(&["pfcvm-lp/certainty=off", "pfcvm-em", "rvm", "pcvm", "epcvm", "svm"]);
    let contenders = methods
        .iter()
        .map(|method| Ok(Contender::fixed(method.parse()?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let per_set: Vec<Vec<Study>> =
        sets.iter().map(|set| studies(set, &contenders, setup)).collect();
    let outcomes = bench.run(Experiment::Raetsch, "splits", &per_set.concat())?;
    let outcomes: Vec<Vec<Vec<Outcome>>> =
        outcomes.chunks(contenders.len()).map(<[_]>::to_vec).collect();
    let comparisons: Vec<Comparison> = sets
        .iter()
        .zip(per_set.iter().zip(&outcomes))
        .map(|(set, (studies, outcomes))| compare(&set.name, studies, outcomes))
        .collect();
    Ok(Chapter {
        lead: format!(
            "{origin} Every method with its default settings; the published figures of others come \
             with settings chosen on the first splits, so they are not beside these."
        ),
        sections: sections(&comparisons, &outcomes),
        findings: Vec::new(),
        results: json!({ "data": origin, "comparisons": comparisons }),
    })
}

fn studies(set: &Benchmark, contenders: &[Contender], setup: &Setup) -> Vec<Study> {
    let study = |contender: &Contender| {
        let name = format!("{} | {}", set.name, contender.label());
        Study { keep_predictions: false, ..setup.study(name, &set.data, &set.splits, contender) }
    };
    contenders.iter().map(study).collect()
}

/// The sets that are there; else drawn ones of the same kinds.
fn load(setup: &Setup) -> Result<(Vec<Benchmark>, String), Error> {
    let wanted: &[&str] = if setup.quick { &QUICK } else { &SETS };
    let count = if setup.quick { 3 } else { SPLITS };
    let mut sets = Vec::new();
    for name in wanted {
        let Some((data, _)) = setup.two_classes(&format!("raetsch/{name}"))? else { continue };
        let splits = train_splits(setup, name, data.len())?;
        sets.push(Benchmark {
            name: name.to_string(),
            data: Arc::new(data),
            splits: Arc::new(splits.into_iter().take(count).collect()),
        });
    }
    if !sets.is_empty() {
        let origin = format!(
            "{} data sets, the first {count} splits of each; flare_solar, splice, thyroid, twonorm \
             and most of diabetis have splits of the original sizes but not the original ones.",
            sets.len()
        );
        return Ok((sets, origin));
    }
    let seed = setup.seed;
    let tables: [(&str, DataTable, (&str, &str)); 3] = [
        ("twonorm (drawn)", twonorm(20, 1000, seed), ("-1", "1")),
        ("ringnorm (drawn)", ringnorm(20, 1000, seed), ("-1", "1")),
        ("waveform (drawn)", waveform(Labelling::Uci, &[0, 1], 1000, seed), ("0", "1")),
    ];
    for (name, table, (negative, positive)) in tables {
        let data = two_classes(table, negative, positive)?;
        let splits = drawn("holdout:200", hold_out(data.codes(), 200, count, seed))?;
        sets.push(Benchmark { name: name.into(), data: Arc::new(data), splits });
    }
    let origin = format!(
        "Three sets drawn with seed {seed}, {count} splits of 200 rows of each class to train; not \
         the benchmark's files."
    );
    Ok((sets, origin))
}

/// One line of training rows per split; all other rows test.
fn train_splits(setup: &Setup, name: &str, rows: usize) -> Result<Vec<Split>, Error> {
    let file = format!("raetsch/{name}/train_splits.csv");
    let wrong = |reason: String| Error::SideFile { file: file.clone(), reason };
    let path = setup.path(&file).ok_or_else(|| wrong("the file is not there".into()))?;
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let split = |(at, line): (usize, &str)| {
        let mut is_training = vec![false; rows];
        for cell in line.split(',') {
            let row = cell.trim().parse::<usize>().ok().filter(|row| *row < rows);
            let row = row.ok_or_else(|| wrong(format!("line {}: `{cell}` is no row", at + 1)))?;
            is_training[row] = true;
        }
        let (train, test) = (0..rows).partition(|&row| is_training[row]);
        Ok(Split { train, test })
    };
    text.lines().filter(|line| !line.trim().is_empty()).enumerate().map(split).collect()
}

fn sections(comparisons: &[Comparison], outcomes: &[Vec<Vec<Outcome>>]) -> Vec<Section> {
    let mut blocks = vec![Block::Table(accuracy_table(comparisons, true))];
    let mut text = Vec::new();
    if let Some(ranking) = Ranking::of_accuracies(comparisons) {
        let (words, pictures) = ranking_blocks("raetsch-ranks", &ranking, comparisons.len());
        text.extend(words);
        blocks.extend(pictures);
    }
    for (at, (comparison, outcomes)) in comparisons.iter().zip(outcomes).enumerate() {
        let heading = format!("{} in full", comparison.data);
        blocks.push(Block::Folded(heading, methods_table(comparison, outcomes)));
        if comparisons.len() == 1 {
            let summaries: Vec<&Summary> = comparison.methods.iter().collect();
            let folds: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
            blocks.push(accuracy_boxes(&format!("raetsch-{at}"), &summaries, &folds, |_| None));
        }
    }
    vec![Section { id: "raetsch-errors".into(), heading: "Test errors".into(), text, blocks }]
}
