//! The page of `evaluate`.

use super::About;
use super::selection::selection;
use super::words::{interval, or_dash};
use crate::calls::calls_blocks;
use crate::name::quoted;
use crate::page::{Block, Cell, Column, Page, Section, Table, Tile};
use crate::probability::{class_section, probability_figures};
use crate::{counted, duration, fixed, percent};
use pfcvm_study::{Evaluation, MachineFold, Measure, Outcome, Study};
use std::collections::BTreeMap;

/// One method on one data set, in figures and pictures.
pub fn evaluation(about: &About, evaluation: &Evaluation) -> Page {
    let Evaluation { study, outcomes, summary, .. } = evaluation;
    let mut sections = vec![predictions(evaluation)];
    let curves = evaluation.curves.as_ref();
    sections.extend(curves.and_then(|curves| class_section(curves, study.data.class_names())));
    sections.extend(selection(about, summary));
    sections.extend(choices(study, outcomes));
    sections.push(folds(study, outcomes));
    sections.push(settings(about, study));
    let classes = match &summary.scheme {
        Some(scheme) => format!(", {} classes, {scheme}", summary.classes.len()),
        None => String::new(),
    };
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: {} on {} and {}{classes}.",
            about.protocol,
            summary.method,
            counted(study.data.len(), "row"),
            counted(study.data.columns().features(), "feature"),
        ),
        tiles: tiles(evaluation),
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
        sections,
        footer: vec![about.program.clone()],
    }
}

fn tiles(evaluation: &Evaluation) -> Vec<Tile> {
    let summary = &evaluation.summary;
    let several = summary.classes.len() > 2;
    let mut tiles = Vec::new();
    let mut tile = |label: &str, value: String, remarks: &[String]| {
        let remarks: Vec<&str> =
            remarks.iter().map(String::as_str).filter(|remark| !remark.is_empty()).collect();
        tiles.push(Tile { label: label.into(), value, remark: remarks.join("; ") });
    };
    if let Some(accuracy) = &summary.accuracy {
        let alone = or_dash(&summary.baseline, |b| percent(b.accuracy));
        let largest = if several { "largest" } else { "larger" };
        let alone = format!("the {largest} class alone gives {alone}");
        let spread = spread(accuracy, |sd| fixed(100.0 * sd, 1));
        tile("Accuracy", percent(accuracy.mean), &[spread, interval(accuracy, percent), alone]);
    }
    if let Some(auc) = &summary.auc {
        let of = match summary.auc_folds {
            0 => "all test rows together".to_string(),
            n if n < summary.folds => format!("over {n} of {} folds", summary.folds),
            _ => String::new(),
        };
        let each = if several { "each class against the rest" } else { "" };
        let guess = "guessing gives 0.500".to_string();
        let spread = spread(auc, |sd| fixed(sd, 3));
        tile("AUC", fixed(auc.mean, 3), &[spread, of, each.into(), guess]);
    }
    if let Some(loss) = &summary.log_loss {
        let alone = or_dash(&summary.baseline, |b| fixed(b.log_loss, 3));
        let alone = format!("the classes' shares alone cost {alone}");
        tile("Log loss", fixed(loss.mean, 3), &[spread(loss, |sd| fixed(sd, 3)), alone]);
    }
    if let Some((f1, recall)) = summary.macro_f1.zip(summary.macro_recall).filter(|_| several) {
        let of_classes = ["mean over the classes, all test rows together".to_string()];
        tile("Macro F1", fixed(f1, 3), &of_classes);
        tile("Balanced accuracy", percent(recall), &of_classes);
    }
    if let Some(kappa) = &summary.kappa {
        tile("Kappa", fixed(kappa.mean, 3), &[interval(kappa, |value| fixed(value, 3))]);
    }
    if let Some(error) = summary.calibration_error {
        let of = if several { "of the most probable class" } else { "" };
        let honest = "0 for honest probabilities".into();
        tile("Calibration error", fixed(error, 3), &[of.into(), honest]);
    }
    if let Some(features) = &summary.features {
        let by = if several { "selected by some machine" } else { "" };
        let stability = or_dash(&summary.stability, |s| fixed(s.nogueira, 2));
        let stability = format!("stability {stability}");
        let spread = spread(features, |sd| fixed(sd, 1));
        tile("Features", fixed(features.mean, 1), &[spread, by.into(), stability]);
    }
    if let Some(samples) = &summary.samples {
        let of = match several {
            false => "of each training part",
            true => "of all machines, counted by each that selects it",
        };
        let spread = spread(samples, |sd| fixed(sd, 1));
        tile("Samples selected", fixed(samples.mean, 1), &[spread, of.into()]);
    }
    let failed = match summary.failed.len() {
        0 => "none failed".into(),
        n => format!("{n} failed"),
    };
    tile("Folds", summary.folds.to_string(), &[failed]);
    if let Some(seconds) = evaluation.seconds {
        let cores = if several { "folds and machines share cores" } else { "one core" };
        tile("Time of a fold", duration(seconds), &[cores.into()]);
    }
    tiles
}

/// The standard deviation over folds, where there is one.
fn spread(measure: &Measure, show: impl Fn(f64) -> String) -> String {
    measure.sd.map_or_else(String::new, |sd| format!("± {} over folds", show(sd)))
}

/// All test rows together: right and wrong calls, and the probabilities.
fn predictions(evaluation: &Evaluation) -> Section {
    let summary = &evaluation.summary;
    let mut blocks = calls_blocks(&summary.classes, &summary.confusion);
    let names = evaluation.study.data.class_names();
    let figures = evaluation.curves.as_ref().map(|curves| probability_figures(curves, names));
    blocks.extend(figures.map(Block::Figures));
    let calls = match names.len() {
        2 => {
            "Calls are by the decision value, as everywhere here; the pictures are of the \
             probabilities."
        }
        _ => "A row is called what the model of its fold finds most probable.",
    };
    Section {
        id: "test".into(),
        heading: "All test rows together".into(),
        text: vec![format!(
            "Every test row of every fold, predicted by the model of its fold; a row that was tested \
             in several folds counts each time. {calls}"
        )],
        blocks,
    }
}

/// Settings that were chosen inside the training parts.
fn choices(study: &Study, outcomes: &[Outcome]) -> Option<Section> {
    let grid = study.contender.grid()?;
    let names = study.data.class_names();
    let tasks = study.scheme.tasks(names.len());
    let several = tasks.len() > 1;
    let mut counts: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for fold in outcomes.iter().flatten() {
        for (at, machine) in fold.machines.iter().enumerate() {
            if let Some(words) = chosen(machine) {
                *counts.entry((at, words)).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<((usize, String), usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(b.1.cmp(&a.1)).then(a.0.1.cmp(&b.0.1)));
    let row = |((at, words), count): ((usize, String), usize)| -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![words.into(), count.to_string().into()];
        if several {
            cells.insert(0, quoted(&tasks[at].name(names)).into());
        }
        cells
    };
    let mut columns = Column::numbers("settings", &["folds"]);
    if several {
        columns.insert(0, Column::text("machine"));
    }
    let table = Table {
        caption: "Chosen settings".into(),
        columns,
        rows: counts.into_iter().map(row).collect(),
        remark: None,
    };
    let part = if several { "each machine's training rows" } else { "each training part" };
    Some(Section {
        id: "choices".into(),
        heading: "Settings that were chosen".into(),
        text: vec![format!(
            "Inside {part}, by cross-validation of five folds (or group by group), over {grid}: the \
             fewest errors, then the least log loss."
        )],
        blocks: vec![Block::Table(table)],
    })
}

fn chosen(machine: &MachineFold) -> Option<String> {
    let words = machine.chosen.as_ref()?.iter().map(|(key, value)| format!("{key}={value}"));
    Some(Vec::from_iter(words).join(" "))
}

fn folds(study: &Study, outcomes: &[Outcome]) -> Section {
    let row = |(at, outcome): (usize, &Outcome)| -> Vec<Cell> {
        let split = &study.splits[at];
        let mut cells: Vec<Cell> = vec![
            (at + 1).to_string().into(),
            split.train.len().to_string().into(),
            split.test.len().to_string().into(),
        ];
        match outcome {
            Ok(fold) => cells.extend([
                Cell::from(percent(fold.scores.accuracy)),
                or_dash(&fold.scores.auc, |v| fixed(*v, 3)).into(),
                or_dash(&fold.scores.log_loss, |v| fixed(*v, 3)).into(),
                or_dash(&fold.features(), |f| f.len().to_string()).into(),
                or_dash(&fold.samples(), |n| n.to_string()).into(),
                "".into(),
            ]),
            Err(reason) => {
                cells.extend(std::iter::repeat_n(Cell::from("–"), 5));
                cells.push(quoted(reason).into());
            }
        }
        cells
    };
    let table = Table {
        caption: "Folds".into(),
        columns: vec![
            Column::text("fold"),
            Column::number("train"),
            Column::number("test"),
            Column::number("accuracy"),
            Column::number("AUC"),
            Column::number("log loss"),
            Column::number("features"),
            Column::number("samples"),
            Column::text("failed"),
        ],
        rows: outcomes.iter().enumerate().map(row).collect(),
        remark: None,
    };
    Section {
        id: "folds".into(),
        heading: "Folds".into(),
        text: Vec::new(),
        blocks: vec![Block::Folded(format!("All {}", counted(outcomes.len(), "fold")), table)],
    }
}

fn settings(about: &About, study: &Study) -> Section {
    let mut rows: Vec<Vec<Cell>> =
        vec![vec!["method".into(), study.contender.spec().name().into()]];
    if study.data.class_names().len() > 2 {
        rows.push(vec!["scheme".into(), study.scheme.to_string().into()]);
    }
    rows.push(vec!["protocol".into(), about.protocol.clone().into()]);
    let settings = study.contender.spec().settings();
    rows.extend(settings.into_iter().map(|(key, value)| vec![key.into(), value.into()]));
    let table = Table {
        caption: "Settings".into(),
        columns: vec![Column::text("setting"), Column::text("value")],
        rows,
        remark: None,
    };
    Section {
        id: "settings".into(),
        heading: "Settings".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(table)],
    }
}
