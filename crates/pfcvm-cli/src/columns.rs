//! `pfcvm columns`: what a file holds.

use crate::args;
use crate::failure::Outcome;
use crate::threads::use_threads;
use crate::{output, progress, reading};
use pfcvm_io::{ColumnOutline, Input, Outline};
use pfcvm_report::page::{Block, Cell, Column, Page, Section, Table};
use pfcvm_report::{counted, number};

/// Runs the command.
pub fn run(options: &args::Columns) -> Outcome {
    use_threads(None)?;
    let how = reading::options(&options.reading)?;
    let input = Input::from(options.data.clone());
    let bar = progress::reading("reading", options.data.metadata().ok().map(|about| about.len()));
    let outline = Outline::read(&input, &how, &mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    let outline = outline?;
    if options.json {
        return output::print_json(&outline);
    }
    output::print(&page(&input, &outline).text())
}

fn page(input: &Input, outline: &Outline) -> Page {
    let row = |one: &ColumnOutline| {
        let values = format!("{}{}", one.values, if one.more_values { "+" } else { "" });
        [&one.name, kind(one), &one.gaps.to_string(), &values, &held(one)].map(Cell::from).to_vec()
    };
    let table = Table {
        caption: "columns".into(),
        columns: vec![
            Column::text("column"),
            Column::text("holds"),
            Column::number("gaps"),
            Column::number("values"),
            Column::text("which"),
        ],
        rows: outline.columns.iter().map(row).collect(),
        ..Table::default()
    };
    let label = match &outline.label {
        Some(label) => format!("The label is most likely {label}."),
        None => "The label stands apart from the columns, or none of them could be it.".into(),
    };
    let rows = counted(outline.rows, "row");
    Page {
        title: format!("What is in {}", reading::file_name(input)),
        lead: format!(
            "{}, {rows}, {}. {label}",
            outline.format,
            counted(outline.columns.len(), "column")
        ),
        notes: outline.notes.clone(),
        sections: vec![Section { blocks: vec![Block::Table(table)], ..Section::default() }],
        ..Page::default()
    }
}

fn kind(column: &ColumnOutline) -> &'static str {
    match column.kind {
        "number" => "numbers",
        "date" => "dates",
        "words" => "words",
        "label" => "label",
        _ => "left out",
    }
}

/// The range, or the most frequent words.
fn held(column: &ColumnOutline) -> String {
    const SHOWN: usize = 4;
    match column.range {
        Some((low, high)) => format!("{} to {}", number(low), number(high)),
        None => {
            let words = column.words.iter().take(SHOWN).map(|(word, _)| output::shown(word));
            let more = if column.values > SHOWN { ", …" } else { "" };
            words.collect::<Vec<_>>().join(", ") + more
        }
    }
}
