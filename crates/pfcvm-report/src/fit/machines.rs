//! Several machines, one by one.

use super::{features, words};
use crate::lettering::shortened;
use crate::number::{count, counted, number};
use crate::page::{Block, Cell, Column, Section, Table};
use pfcvm_io::{MachineSummary, Summary};

/// Features named for each machine in text.
const NAMED: usize = 3;

/// Who they are, and what each of them selects.
pub fn section(summary: &Summary) -> Option<Section> {
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let found = &machine.found;
        let mut row: Vec<Cell> = vec![
            words::machine(machine).into(),
            count(machine.n_samples_in).into(),
            count(found.selected_features.len()).into(),
        ];
        row.extend((!summary.is_panel).then(|| count(found.selected_samples.len()).into()));
        row.push(format!("{} after {} steps", found.termination, found.iterations).into());
        row
    };
    let mut columns =
        vec![Column::text("Machine"), Column::number("Rows"), Column::number("Features")];
    columns.extend((!summary.is_panel).then(|| Column::number("Samples")));
    columns.push(Column::text("The fit"));
    let overview = Table {
        caption: "Machines".into(),
        columns,
        rows: summary.machines.iter().map(row).collect(),
        remark: None,
    };
    let mut blocks = vec![Block::Table(overview)];
    for machine in summary.machines.iter().filter(|m| !m.found.selected_features.is_empty()) {
        let (name, list) = (words::machine(machine), &machine.found.selected_features);
        let line = format!("{name}: its {}", counted(list.len(), "feature"));
        let caption = format!("Features of {name}");
        let table = Table { caption, ..features::table(list, &Default::default()) };
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

/// The same for a terminal: the features that weigh most, of so many machines at most.
pub fn in_text(summary: &Summary, most: usize) -> Option<Section> {
    let shown = &summary.machines[..summary.machines.len().min(most)];
    let row = |machine: &MachineSummary| -> Vec<Cell> {
        let list = &machine.found.selected_features;
        let names = list.iter().take(NAMED);
        let names = names.map(|f| format!("{} {}", shortened(&f.name, 20), number(f.weight)));
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
    columns.extend([Column::text("The fit"), Column::text("The features that weigh most")]);
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
