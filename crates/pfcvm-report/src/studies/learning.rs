//! The page of `price --rows`: what more rows would bring.

use super::curve::{Form, bar, columns, share_with_error, with_error};
use super::words::wide_figure;
use super::{About, or_dash};
use crate::charts::{Lines, Series};
use crate::name::quoted;
use crate::page::{Block, Cell, Page, Section, Table, Tile};
use crate::{counted, fixed};
use pfcvm_study::{LearningCurve, Outlook, RowsPoint};

/// What fewer rows teach, and what more would.
pub fn learning_curve(about: &About, curve: &LearningCurve, form: Form) -> Page {
    Page {
        title: about.title.clone(),
        lead: format!(
            "{}: learned from all rows of each training part, from half of them and so on, tested on \
             the same {}.",
            about.protocol,
            counted(curve.tested, "row")
        ),
        tiles: rows_tiles(curve),
        notes: about.notes.iter().map(|note| quoted(note)).collect(),
        sections: vec![rows(curve, form)],
        footer: vec![about.program.clone()],
    }
}

/// What more rows would bring, in a sentence.
pub fn outlook(curve: &LearningCurve) -> String {
    let gain = curve.points.last().and_then(|point| point.gain);
    let brought = gain.map_or_else(String::new, |gain| with_error(&gain));
    match curve.outlook {
        Outlook::Unknown => "There are too few rows to see what more would bring.".into(),
        Outlook::Flat => format!(
            "The last doubling of the rows brought {brought} of log loss, which cannot be told from \
             nothing: more rows of this kind promise little."
        ),
        Outlook::Slowing { gain } => format!(
            "The last doubling of the rows brought {brought} of log loss, less than the one before; if \
             that goes on, twice the rows bring about {}.",
            fixed(gain, 3)
        ),
        Outlook::Open => format!(
            "The last doubling of the rows brought {brought} of log loss, and nothing says that the next \
             brings less: more rows are worth having."
        ),
    }
}

fn rows_tiles(curve: &LearningCurve) -> Vec<Tile> {
    let Some(last) = curve.points.last() else { return Vec::new() };
    vec![
        Tile {
            label: "Log loss".into(),
            value: with_error(&last.log_loss),
            remark: format!("learned from {} rows", fixed(last.rows, 0)),
        },
        Tile {
            label: "The last doubling brought".into(),
            value: or_dash(&last.gain, with_error),
            remark: "of log loss, row by row".into(),
        },
    ]
}

fn rows(curve: &LearningCurve, form: Form) -> Section {
    let losses = || curve.points.iter().map(|point| point.log_loss.mean);
    let row = |point: &RowsPoint| -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![
            fixed(point.rows, 0).into(),
            or_dash(&point.features, |features| fixed(*features, 1)).into(),
            with_error(&point.log_loss).into(),
            share_with_error(&point.error_rate).into(),
            or_dash(&point.gain, with_error).into(),
        ];
        cells.extend(bar(point.log_loss.mean, losses(), form));
        cells
    };
    let table = Table {
        caption: "By rows".into(),
        columns: columns(&["rows", "features", "log loss", "errors", "doubling brought"], form),
        rows: curve.points.iter().map(row).collect(),
        remark: Some("± is a standard error over the tested rows.".into()),
    };
    let mut blocks = vec![Block::Table(table)];
    if form == Form::Picture {
        let line = Series {
            name: "log loss".into(),
            points: curve.points.iter().map(|point| (point.rows, point.log_loss.mean)).collect(),
            errors: curve.points.iter().map(|point| point.log_loss.error).collect(),
        };
        let series = [line];
        let lines = Lines {
            series: &series,
            levels: &[],
            x_label: "rows to learn from",
            y_label: "log loss of rows that did not train",
            logarithmic: true,
        };
        let about = "Log loss against the number of rows to learn from, with standard errors.";
        blocks.insert(
            0,
            Block::Wide(wide_figure(
                "rows",
                "Log loss against rows to learn from",
                "Bars are standard errors.",
                |width, id| lines.draw(width, id, "Learning curve", about),
            )),
        );
    }
    Section {
        id: "rows".into(),
        heading: "What more rows would bring".into(),
        text: vec![outlook(curve)],
        blocks,
    }
}
