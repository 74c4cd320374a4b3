//! The page of `evaluate`.

use super::{About, frequencies, interval, or_dash, seconds, stability_table, wide_figure};
use pfcvm_report::charts::{Bar, Bars};
use pfcvm_report::page::{Block, Cell, Column, Page, Section, Table};
use pfcvm_report::{Tile, counted, duration, fixed, percent, probability_figures};
use pfcvm_study::{Outcome, Study, Summary};
use std::collections::BTreeMap;

/// Most features listed by name.
const LISTED: usize = 30;

/// One method on one data set, in figures and pictures.
pub fn evaluation(about: &About, study: &Study, outcomes: &[Outcome]) -> Page {
    let summary = Summary::of(study, outcomes);
    let mut sections = Vec::new();
    sections.push(predictions(about, study, &summary, outcomes));
    sections.extend(selection(about, &summary));
    sections.extend(choices(study, outcomes));
    sections.push(folds(study, outcomes));
    sections.push(settings(about, study));
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: {} on {} and {}.",
            about.protocol,
            summary.method,
            counted(study.data.len(), "row"),
            counted(study.data.x().cols(), "feature"),
        ),
        tiles: tiles(&summary, outcomes),
        notes: about.notes.clone(),
        sections,
        footer: vec![about.program.clone()],
    }
}

fn tiles(summary: &Summary, outcomes: &[Outcome]) -> Vec<Tile> {
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let mut tiles = Vec::new();
    if let Some(accuracy) = &summary.accuracy {
        let spread = spread(accuracy.sd, |sd| fixed(100.0 * sd, 1));
        let alone = or_dash(&summary.baseline, |b| percent(b.accuracy));
        let between = join(&interval(accuracy, percent));
        let remark = format!("{spread}{between}the larger class alone gives {alone}");
        tiles.push(tile("Accuracy", percent(accuracy.mean), remark));
    }
    if let Some(auc) = &summary.auc {
        let spread = spread(auc.sd, |sd| fixed(sd, 3));
        let of = match summary.auc_folds {
            0 => "all test rows together; ".to_string(),
            n if n < summary.folds => format!("over {n} of {} folds; ", summary.folds),
            _ => String::new(),
        };
        tiles.push(tile("AUC", fixed(auc.mean, 3), spread + &of + "guessing gives 0.500"));
    }
    if let Some(loss) = &summary.log_loss {
        let spread = spread(loss.sd, |sd| fixed(sd, 3));
        let alone = or_dash(&summary.baseline, |b| fixed(b.log_loss, 3));
        let remark = format!("{spread}the classes' shares alone cost {alone}");
        tiles.push(tile("Log loss", fixed(loss.mean, 3), remark));
    }
    if let Some(kappa) = &summary.kappa {
        tiles.push(tile("Kappa", fixed(kappa.mean, 3), interval(kappa, |value| fixed(value, 3))));
    }
    if let Some(error) = summary.calibration_error {
        tiles.push(tile("Calibration error", fixed(error, 3), "0 for honest probabilities".into()));
    }
    if let Some(features) = &summary.features {
        let stability = or_dash(&summary.stability, |s| fixed(s.nogueira, 2));
        let spread = spread(features.sd, |sd| fixed(sd, 1));
        let remark = format!("{spread}stability {stability}");
        tiles.push(tile("Features", fixed(features.mean, 1), remark));
    }
    if let Some(samples) = &summary.samples {
        let spread = spread(samples.sd, |sd| fixed(sd, 1));
        tiles.push(tile("Samples kept", fixed(samples.mean, 1), spread + "of each training part"));
    }
    let failed = match summary.failed.len() {
        0 => "none failed".into(),
        n => format!("{n} failed"),
    };
    tiles.push(tile("Folds", summary.folds.to_string(), failed));
    if let Some(seconds) = seconds(outcomes) {
        tiles.push(tile("Time of a fold", duration(seconds), "one core".into()));
    }
    tiles
}

/// A remark to go before another one.
fn join(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}; ") }
}

/// The standard deviation over folds, to go before something else.
fn spread(sd: Option<f64>, show: impl Fn(f64) -> String) -> String {
    sd.map_or_else(String::new, |sd| format!("± {} over folds; ", show(sd)))
}

/// All test rows together: right and wrong calls, and the probabilities where there are some.
fn predictions(about: &About, study: &Study, summary: &Summary, outcomes: &[Outcome]) -> Section {
    let mut blocks = vec![Block::Table(calls(about, summary))];
    let probabilities = pooled(study, outcomes).filter(|(truth, _)| !truth.is_empty());
    if let Some((truth, probability)) = probabilities {
        let curves = pfcvm_eval::ProbabilityCurves::of(&truth, &probability);
        blocks.push(Block::Figures(probability_figures(&curves, &about.classes)));
    }
    Section {
        id: "test".into(),
        heading: "All test rows together".into(),
        text: vec![
            "Every test row of every fold, predicted by the model of its fold; a row that was tested \
             in several folds counts each time. Calls are by the decision value, as everywhere here; \
             the pictures are of the probabilities."
                .into(),
        ],
        blocks,
    }
}

/// Truth and probability of every test row, if every fold gives probabilities.
fn pooled(study: &Study, outcomes: &[Outcome]) -> Option<(Vec<bool>, Vec<f64>)> {
    let (mut truth, mut probability) = (Vec::new(), Vec::new());
    for (split, outcome) in study.splits.iter().zip(outcomes) {
        let Ok(fold) = outcome else { continue };
        probability.extend(fold.predictions.as_ref()?.probability.as_ref()?);
        truth.extend(split.test.iter().map(|&row| study.data.positive()[row]));
    }
    Some((truth, probability))
}

fn calls(about: &About, summary: &Summary) -> Table {
    let [negative, positive] = &about.classes;
    let [true_positives, false_positives, true_negatives, false_negatives] = summary.counts;
    let row = |name: &String, called_positive: usize, called_negative: usize| {
        let rows = (called_positive + called_negative).max(1) as f64;
        let cell =
            |count: usize| Cell::with_remark(count.to_string(), percent(count as f64 / rows));
        vec![format!("truly {name}").into(), cell(called_positive), cell(called_negative)]
    };
    Table {
        caption: "Right and wrong calls".into(),
        columns: vec![
            Column::text(""),
            Column::number(format!("called {positive}")),
            Column::number(format!("called {negative}")),
        ],
        rows: vec![
            row(positive, true_positives, false_negatives),
            row(negative, false_positives, true_negatives),
        ],
        remark: None,
    }
}

fn selection(about: &About, summary: &Summary) -> Option<Section> {
    let shares = summary.selection_frequencies.as_ref()?;
    let mut order: Vec<usize> = (0..shares.len()).filter(|&at| shares[at] > 0.0).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    let mut blocks = Vec::new();
    blocks.extend(stability_table(&[summary]).map(Block::Table));
    let bars: Vec<Bar> = order
        .iter()
        .take(LISTED)
        .map(|&at| Bar {
            name: about.feature_names[at].clone(),
            value: 100.0 * shares[at],
            deviation: None,
            mark: None,
            share: None,
        })
        .collect();
    if !bars.is_empty() {
        let heading = "Features selected most often";
        let chart = Bars { rows: &bars, label: "% of the folds", share_label: "" };
        blocks.push(Block::Wide(wide_figure(
            "often",
            heading,
            "A feature that matters is selected whatever rows are left out.",
            |width, id| chart.draw(width, id, heading, "Bars from the most frequent feature down."),
        )));
    }
    if !order.is_empty() {
        let listed = &order[..order.len().min(LISTED)];
        let row = |&at: &usize| {
            let name = Cell::from(about.feature_names[at].clone());
            vec![name, (at + 1).to_string().into(), percent(shares[at]).into()]
        };
        let table = Table {
            caption: "Features by how often they were selected".into(),
            columns: vec![
                Column::text("feature"),
                Column::number("column"),
                Column::number("folds"),
            ],
            rows: listed.iter().map(row).collect(),
            remark: None,
        };
        blocks.push(Block::Folded("The same in numbers".into(), table));
    }
    let heading = "Selection of each feature";
    let all = frequencies("frequency", heading, summary, &about.feature_names, None, None);
    blocks.extend(all.map(Block::Wide));
    Some(Section {
        id: "selection".into(),
        heading: "Which features, and how steadily".into(),
        text: vec![format!(
            "{} of {} were selected by some fold, {} by every fold.",
            order.len(),
            counted(shares.len(), "feature"),
            shares.iter().filter(|share| **share == 1.0).count(),
        )],
        blocks,
    })
}

/// Settings that were chosen inside the training parts.
fn choices(study: &Study, outcomes: &[Outcome]) -> Option<Section> {
    let grid = study.contender.grid()?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for chosen in outcomes.iter().flatten().filter_map(|fold| fold.chosen.as_ref()) {
        let words = chosen.iter().map(|(key, value)| format!("{key}={value}"));
        *counts.entry(Vec::from_iter(words).join(" ")).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let rows =
        counts.into_iter().map(|(words, count)| vec![words.into(), count.to_string().into()]);
    let table = Table {
        caption: "Chosen settings".into(),
        columns: vec![Column::text("settings"), Column::number("folds")],
        rows: rows.collect(),
        remark: None,
    };
    Some(Section {
        id: "choices".into(),
        heading: "Settings that were chosen".into(),
        text: vec![format!(
            "Inside each training part, by cross-validation of five folds (or group by group), over \
             {grid}: the fewest errors, then the least log loss."
        )],
        blocks: vec![Block::Table(table)],
    })
}

fn folds(study: &Study, outcomes: &[Outcome]) -> Section {
    let row = |at: usize, outcome: &Outcome| -> Vec<Cell> {
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
                or_dash(&fold.features, |f| f.len().to_string()).into(),
                or_dash(&fold.samples, |n| n.to_string()).into(),
                "".into(),
            ]),
            Err(reason) => {
                cells.extend(std::iter::repeat_n(Cell::from("–"), 5));
                cells.push(reason.clone().into());
            }
        }
        cells
    };
    let rows = outcomes.iter().enumerate().map(|(at, outcome)| row(at, outcome));
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
        rows: rows.collect(),
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
    let mut rows: Vec<Vec<Cell>> = vec![
        vec!["method".into(), study.contender.spec().name().into()],
        vec!["protocol".into(), about.protocol.clone().into()],
    ];
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
