//! The page of `evaluate` for more than two classes.

use super::{About, interval, or_dash, share, wide_figure};
use pfcvm_report::charts::{Bar, Bars};
use pfcvm_report::page::{Block, Cell, Column, Page, Section, Table};
use pfcvm_report::{Tile, calls_blocks, counted, duration, fixed, percent};
use pfcvm_study::{MachineSummary, MulticlassOutcome, MulticlassStudy, MulticlassSummary};

/// Most features listed by name.
const LISTED: usize = 30;

/// One method on one data set of several classes, in figures and pictures.
pub fn multiclass_evaluation(
    about: &About,
    study: &MulticlassStudy,
    outcomes: &[MulticlassOutcome],
) -> Page {
    let summary = MulticlassSummary::of(study, outcomes);
    let mut sections = vec![calls(&summary)];
    sections.extend(selection(about, &summary));
    sections.push(folds(study, outcomes));
    sections.push(settings(about, study));
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: {} on {}, {} and {} classes, {}.",
            about.protocol,
            summary.method,
            counted(study.data.len(), "row"),
            counted(study.data.x().cols(), "feature"),
            study.data.class_names().len(),
            summary.scheme,
        ),
        tiles: tiles(&summary, outcomes),
        notes: about.notes.clone(),
        sections,
        footer: vec![about.program.clone()],
    }
}

fn tiles(summary: &MulticlassSummary, outcomes: &[MulticlassOutcome]) -> Vec<Tile> {
    let tile =
        |label: &str, value: String, remark: String| Tile { label: label.into(), value, remark };
    let mut tiles = Vec::new();
    if let Some(accuracy) = &summary.accuracy {
        let between = interval(accuracy, percent);
        let between = if between.is_empty() { between } else { between + "; " };
        let alone = or_dash(&summary.baseline_accuracy, |value| percent(*value));
        let remark = format!("{between}the largest class alone gives {alone}");
        tiles.push(tile("Accuracy", share(accuracy), remark));
    }
    if let Some(loss) = &summary.log_loss {
        let alone = or_dash(&summary.baseline_log_loss, |value| fixed(*value, 3));
        let remark = format!("the classes' shares alone cost {alone}");
        tiles.push(tile("Log loss", super::plain(loss, 3), remark));
    }
    let of_classes = "mean over the classes, all test rows together";
    if let Some(f1) = summary.macro_f1 {
        tiles.push(tile("Macro F1", fixed(f1, 3), of_classes.into()));
    }
    if let Some(recall) = summary.macro_recall {
        tiles.push(tile("Balanced accuracy", percent(recall), of_classes.into()));
    }
    if let Some(auc) = summary.macro_auc {
        let remark = "each class against the rest; guessing gives 0.500".into();
        tiles.push(tile("Macro AUC", fixed(auc, 3), remark));
    }
    if let Some(kappa) = &summary.kappa {
        tiles.push(tile("Kappa", fixed(kappa.mean, 3), interval(kappa, |value| fixed(value, 3))));
    }
    if let Some(features) = &summary.features {
        let stability = or_dash(&summary.stability, |s| fixed(s.nogueira, 2));
        let remark = format!("kept by some machine; stability {stability}");
        tiles.push(tile("Features", super::plain(features, 1), remark));
    }
    if let Some(samples) = &summary.samples {
        let remark = "of all machines, counted by each that keeps it";
        tiles.push(tile("Samples kept", super::plain(samples, 1), remark.into()));
    }
    let failed = match summary.failed.len() {
        0 => "none failed".into(),
        n => format!("{n} failed"),
    };
    tiles.push(tile("Folds", summary.folds.to_string(), failed));
    let seconds: Vec<f64> = outcomes.iter().flatten().map(|fold| fold.seconds).collect();
    if !seconds.is_empty() {
        let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
        tiles.push(tile("Time of a fold", duration(mean), "folds and machines share cores".into()));
    }
    tiles
}

fn calls(summary: &MulticlassSummary) -> Section {
    Section {
        id: "test".into(),
        heading: "All test rows together".into(),
        text: vec![
            "Every test row of every fold, called what the model of its fold finds most probable; \
             a row that was tested in several folds counts each time."
                .into(),
        ],
        blocks: calls_blocks(&summary.classes, &summary.confusion),
    }
}

fn selection(about: &About, summary: &MulticlassSummary) -> Option<Section> {
    let shares = summary.selection_frequencies.as_ref()?;
    let order = by_share(shares);
    let mut blocks = Vec::new();
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
        let heading = "Features selected most often by some machine";
        let chart = Bars { rows: &bars, label: "% of the folds", share_label: "" };
        blocks.push(Block::Wide(wide_figure(
            "often",
            heading,
            "A feature that matters is selected whatever rows are left out.",
            |width, id| chart.draw(width, id, heading, "Bars from the most frequent feature down."),
        )));
    }
    blocks.push(Block::Table(machines(about, &summary.machines)));
    Some(Section {
        id: "selection".into(),
        heading: "Which features, and how steadily".into(),
        text: vec![format!(
            "{} of {} were selected by some machine in some fold, {} in every fold.",
            order.len(),
            counted(shares.len(), "feature"),
            shares.iter().filter(|share| **share == 1.0).count(),
        )],
        blocks,
    })
}

/// Features that were ever selected, the most frequent first.
fn by_share(shares: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shares.len()).filter(|&at| shares[at] > 0.0).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    order
}

fn machines(about: &About, machines: &[MachineSummary]) -> Table {
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let against = machine.negative.as_deref().unwrap_or("all others");
        let often = machine.selection_frequencies.as_deref().unwrap_or_default();
        let names = by_share(often)
            .into_iter()
            .take(5)
            .map(|at| format!("{} ({})", about.feature_names[at], percent(often[at])));
        vec![
            format!("{} against {against}", machine.positive).into(),
            or_dash(&machine.features, |m| fixed(m.mean, 1)).into(),
            or_dash(&machine.stability, |s| fixed(s.nogueira, 2)).into(),
            Vec::from_iter(names).join(", ").into(),
        ]
    };
    Table {
        caption: "Machine by machine".into(),
        columns: vec![
            Column::text("machine"),
            Column::number("features"),
            Column::number("stability"),
            Column::text("most often"),
        ],
        rows: machines.iter().map(row).collect(),
        remark: Some("In brackets the share of folds; stability is Nogueira's.".into()),
    }
}

fn folds(study: &MulticlassStudy, outcomes: &[MulticlassOutcome]) -> Section {
    let row = |(at, outcome): (usize, &MulticlassOutcome)| -> Vec<Cell> {
        let split = &study.splits[at];
        let mut cells: Vec<Cell> = vec![
            (at + 1).to_string().into(),
            split.train.len().to_string().into(),
            split.test.len().to_string().into(),
        ];
        match outcome {
            Ok(fold) => cells.extend([
                Cell::from(percent(fold.accuracy)),
                fixed(fold.log_loss, 3).into(),
                or_dash(&fold.all_features(), |all| all.len().to_string()).into(),
                or_dash(&fold.samples, |n| n.to_string()).into(),
                "".into(),
            ]),
            Err(reason) => {
                cells.extend(std::iter::repeat_n(Cell::from("–"), 4));
                cells.push(reason.clone().into());
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

fn settings(about: &About, study: &MulticlassStudy) -> Section {
    let mut rows: Vec<Vec<Cell>> = vec![
        vec!["method".into(), study.contender.spec().name().into()],
        vec!["scheme".into(), study.scheme.to_string().into()],
        vec!["protocol".into(), about.protocol.clone().into()],
    ];
    let settings = study.contender.spec().settings();
    rows.extend(settings.into_iter().map(|(key, value)| vec![key.into(), value.into()]));
    if let Some(grid) = study.contender.grid() {
        let text = format!("{grid} (chosen by each machine inside its training rows)");
        rows.push(vec!["grid".into(), text.into()]);
    }
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
