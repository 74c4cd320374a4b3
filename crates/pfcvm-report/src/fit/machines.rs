//! Several machines, one by one: each with a list of its own, or one for each class with one list for all.

use super::{lists, words};
use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{count, counted, fixed, number, percent};
use crate::page::{Block, Cell, Column, Section, Table};
use pfcvm_io::{HeldOut, MachineSummary, SelectedFeature, Summary};

/// Features named for each machine in text.
const NAMED: usize = 3;

/// What held-out rows say of a machine.
const HELD_OUT: [&str; 3] = ["Accuracy", "Log loss", "Of shares alone"];

fn held_out(machine: &MachineSummary) -> [Cell; 3] {
    let held = machine.found.held_out.as_ref();
    let of = |value: fn(&HeldOut) -> String| held.map_or_else(|| "–".into(), value).into();
    [
        of(|held| percent(held.accuracy)),
        of(|held| fixed(held.log_loss, 3)),
        of(|held| fixed(held.baseline_log_loss, 3)),
    ]
}

/// Who they are, and what each of them selects.
pub fn section(summary: &Summary) -> Option<Section> {
    let known = summary.sureness().is_some();
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let found = &machine.found;
        let mut row: Vec<Cell> = vec![
            words::machine(machine).into(),
            count(machine.n_samples_in).into(),
            count(found.selected_features.len()).into(),
        ];
        row.extend((!summary.is_panel).then(|| count(found.selected_samples.len()).into()));
        if known {
            row.extend(held_out(machine));
        }
        row.push(format!("{} after {} steps", found.termination, found.iterations).into());
        row
    };
    let mut columns =
        vec![Column::text("Machine"), Column::number("Rows"), Column::number("Features")];
    columns.extend((!summary.is_panel).then(|| Column::number("Samples")));
    if known {
        columns.extend(HELD_OUT.map(Column::number));
    }
    columns.push(Column::text("The fit"));
    let overview = Table {
        caption: "Machines".into(),
        columns,
        rows: summary.machines.iter().map(row).collect(),
        remark: summary.sureness().map(|sure| {
            let parts = counted(sure.folds, "part");
            format!(
                "Accuracy and log loss are those of rows held out in {parts}, beside the log loss \
                 of who knows only the shares of the classes."
            )
        }),
    };
    let mut blocks = vec![Block::Table(overview)];
    for machine in summary.machines.iter().filter(|m| !m.found.selected_features.is_empty()) {
        let (name, list) = (words::machine(machine), &machine.found.selected_features);
        let line = format!("{name}: its {}", counted(list.len(), "feature"));
        let caption = format!("Features of {name}");
        let list: Vec<&SelectedFeature> = list.iter().collect();
        let table = Table { caption, ..lists::whole(&list, &Default::default()) };
        blocks.push(Block::Folded(line, table));
    }
    Some(Section {
        id: "machines".into(),
        heading: "Machine by machine".into(),
        text: vec![
            "Each machine tells two sides apart, with features, samples and weights of its own. \
             Weights can be compared within a machine only."
                .into(),
        ],
        blocks,
    })
}

/// The same for a terminal: the first features, of so many machines at most; nothing where all
/// machines are empty.
pub fn in_text(summary: &Summary, most: usize) -> Option<Section> {
    if summary.features.is_empty() {
        return None;
    }
    let shown = &summary.machines[..summary.machines.len().min(most)];
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let list = &machine.found.selected_features;
        let names = list.iter().take(NAMED);
        let size = |f: &SelectedFeature| f.sureness.map_or(f.weight, |sure| sure.importance);
        let names = names.map(|f| format!("{} {}", shortened(&f.name, 20), number(size(f))));
        let mut names = names.collect::<Vec<_>>().join(", ");
        if list.len() > NAMED {
            names += &format!(", and {} more", list.len() - NAMED);
        }
        let mut row: Vec<Cell> = vec![words::machine(machine).into(), count(list.len()).into()];
        let samples = machine.found.selected_samples.len();
        row.extend((!summary.is_panel).then(|| count(samples).into()));
        row.push(machine.found.termination.to_string().into());
        row.push(names.into());
        row
    };
    let mut columns = vec![Column::text("Machine"), Column::number("Features")];
    columns.extend((!summary.is_panel).then(|| Column::number("Samples")));
    let first = match summary.sureness() {
        Some(_) => "The most important features",
        None => "The features that weigh most",
    };
    columns.extend([Column::text("The fit"), Column::text(first)]);
    let more = summary.machines.len() - shown.len();
    let table = Table {
        caption: String::new(),
        columns,
        rows: shown.iter().map(row).collect(),
        remark: (more > 0).then(|| format!("and {more} more machines; --json lists all")),
    };
    Some(Section {
        id: "machines".into(),
        heading: "Machine by machine".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(table)],
    })
}

/// What each class has of its own: samples, and how well it is told from all others.
pub fn classes(summary: &Summary) -> Option<Section> {
    if summary.features.is_empty() {
        return None;
    }
    let sure = summary.sureness();
    let row = |(at, machine): (usize, &MachineSummary)| -> Vec<Cell> {
        let rows = summary.class_rows.as_ref().and_then(|rows| rows.get(at));
        let samples = machine.found.selected_samples.len();
        let mut row: Vec<Cell> = vec![
            or_nameless(&machine.positive).into(),
            rows.map_or_else(|| "–".into(), |rows| count(*rows)).into(),
            count(samples).into(),
        ];
        if sure.is_some() {
            row.extend(held_out(machine));
        }
        row
    };
    let mut heads = vec!["Rows", "Samples"];
    if sure.is_some() {
        heads.extend(HELD_OUT);
    }
    let table = Table {
        caption: "Classes".into(),
        columns: Column::numbers("Class", &heads),
        rows: summary.machines.iter().enumerate().map(row).collect(),
        remark: sure.map(|sure| {
            let by = if summary.uses_all_features { " with the list alone" } else { "" };
            format!(
                "Accuracy and log loss are those of telling “this class or not”{by} on rows held out in \
                 {}, beside the log loss of who knows only its share.",
                counted(sure.folds, "part")
            )
        }),
    };
    Some(Section {
        id: "classes".into(),
        heading: "Class by class".into(),
        text: vec![
            "All classes share the features and their weights; each has samples of its own to compare \
             rows with, of any class."
                .into(),
        ],
        blocks: vec![Block::Table(table)],
    })
}
