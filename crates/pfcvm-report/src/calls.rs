//! What rows were called, beside what they are.

use crate::lettering::shortened;
use crate::name::or_nameless;
use crate::number::{count, fixed, percent};
use crate::page::{Block, Cell, Column, Table};
use pfcvm_eval::ClassScores;

/// The table of calls, and how well each class is recognised, as parts of any page:
/// `confusion[i][j]` rows are of class i and were called j.
pub fn calls_blocks(classes: &[ClassScores], confusion: &[Vec<usize>]) -> Vec<Block> {
    vec![Block::Table(calls(classes, confusion)), Block::Table(by_class(classes))]
}

fn calls(classes: &[ClassScores], confusion: &[Vec<usize>]) -> Table {
    let mut columns = vec![Column::text("")];
    let name = |class: &ClassScores| shortened(or_nameless(&class.name), 30);
    columns.extend(classes.iter().map(|class| Column::number(format!("called {}", name(class)))));
    let row = |(class, counts): (&ClassScores, &Vec<usize>)| {
        let all = counts.iter().sum::<usize>().max(1) as f64;
        let cell =
            |counted: &usize| Cell::with_remark(count(*counted), percent(*counted as f64 / all));
        let mut cells: Vec<Cell> = vec![format!("truly {}", name(class)).into()];
        cells.extend(counts.iter().map(cell));
        cells
    };
    Table {
        caption: "Right and wrong calls".into(),
        columns,
        rows: classes.iter().zip(confusion).map(row).collect(),
        remark: None,
    }
}

fn by_class(classes: &[ClassScores]) -> Table {
    let row = |class: &ClassScores| -> Vec<Cell> {
        vec![
            or_nameless(&class.name).into(),
            count(class.rows).into(),
            percent(class.recall).into(),
            percent(class.precision).into(),
            fixed(class.f1, 3).into(),
            or_dash(class.auc).into(),
            or_dash(class.calibration_error).into(),
        ]
    };
    let columns = ["rows", "found", "right when called", "F1", "AUC", "calibration error"];
    Table {
        caption: "Class by class".into(),
        columns: Column::numbers("class", &columns),
        rows: classes.iter().map(row).collect(),
        remark: Some("AUC and calibration are those of the class against all others.".into()),
    }
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| fixed(value, 3))
}
