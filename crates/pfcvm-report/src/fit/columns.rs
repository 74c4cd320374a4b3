//! What the columns of the training data were.

use crate::number::counted;
use crate::page::{Block, Column, Section, Table};
use pfcvm_io::{Content, DateOrder, StoredColumn, Summary};

/// The table of columns, in plain text; nothing if all were numbers and features by themselves.
pub fn in_text(summary: &Summary, most: usize) -> Option<Section> {
    let columns = summary.columns.as_ref()?;
    let shown = &columns[..columns.len().min(most)];
    let rest = columns.len() - shown.len();
    let table = Table {
        caption: "Columns of the training data".into(),
        columns: vec![Column::text("Column"), Column::text("Feature"), Column::text("Holds")],
        rows: shown
            .iter()
            .map(|column| {
                let feature = column.feature.to_string();
                vec![column.variable.name.clone().into(), feature.into(), holds(column).into()]
            })
            .collect(),
        remark: (rest > 0).then(|| format!("… and {}.", counted(rest, "more column"))),
    };
    Some(Section {
        id: "columns".into(),
        heading: "Columns".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(table)],
    })
}

/// What a column holds, in a few words.
fn holds(column: &StoredColumn) -> String {
    const LISTED: usize = 8;
    match &column.variable.content {
        Content::Number => "numbers".into(),
        Content::Date { order: DateOrder::DayFirst } => "dates, the day before the month".into(),
        Content::Date { order: DateOrder::MonthFirst } => "dates, the month before the day".into(),
        Content::Words(levels) => {
            let mut names: Vec<&str> = levels.names().iter().map(String::as_str).collect();
            if levels.has_other() {
                names.push("other");
            }
            let more = names.len().saturating_sub(LISTED);
            names.truncate(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}: {}{more}", counted(levels.count(), "level"), names.join(", "))
        }
    }
}
