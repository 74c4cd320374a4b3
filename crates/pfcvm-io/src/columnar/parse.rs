//! Batches of typed columns as rows.

use super::recent::Recent;
use super::{Batch, values};
use crate::collected::{Collected, Parsed};
use crate::field::refuse_label;
use crate::plan::{Plan, Reader, Role};
use crate::{Error, Place};
use arrow_array::Array;
use arrow_schema::DataType;
use pfcvm::Matrix;

/// Takes the wanted columns out of a batch.
pub(crate) fn parse(batch: &Batch, plan: &Plan) -> Result<Parsed, Error> {
    let mut rows = Collected::new(plan);
    let mut x = Matrix::zeros(batch.rows, plan.width);
    let place = |row: usize, column: usize| {
        let name = plan.columns.name(column, plan.unnumbered);
        Place { unit: "row", number: batch.first_row + row as u64 + 1, column: column + 1, name }
    };
    for &target in &plan.targets {
        let column = target.column;
        let Ok(at) = batch.wanted.binary_search(&column) else { continue };
        let array = batch.columns[at].as_ref();
        match target.role {
            Role::Feature(at) => {
                let outcome = feature(array, column, at, plan, &mut rows, x.column_mut(at));
                outcome.map_err(|row| Error::NotUtf8 { place: place(row, column) })?;
            }
            Role::Label => {
                let mut row = 0;
                values::each_text(array, |text| {
                    let text = text.unwrap_or_default().trim().as_bytes();
                    let outcome = plan.take_label(text, &mut rows);
                    row += 1;
                    outcome.map_err(|_| refuse_label(place(row - 1, column), text))
                })?;
            }
            Role::Kept(at) => {
                let kept = &mut rows.kept[at];
                values::each_text(array, |text| {
                    kept.push(text.unwrap_or_default().into());
                    Ok::<(), Error>(())
                })?;
            }
        }
    }
    Ok(rows.finish_with(x, batch.read, place))
}

/// Reads one feature; a row that cannot be read is an error.
fn feature(
    array: &dyn Array,
    column: usize,
    at: usize,
    plan: &Plan,
    rows: &mut Collected,
    cells: &mut [f64],
) -> Result<(), usize> {
    let reader = &plan.readers[at];
    let as_numbers = match reader {
        Reader::Number => true,
        Reader::Find | Reader::Date(_) => *array.data_type() != DataType::Boolean,
        Reader::Known(_) | Reader::Words(_) => false,
    };
    if let Some(numbers) = as_numbers.then(|| values::numbers(array)).flatten() {
        for (row, (cell, number)) in cells.iter_mut().zip(numbers).enumerate() {
            *cell = match number.is_infinite() {
                false => plan.number(at, number),
                true => {
                    rows.at(row);
                    rows.not_finite(column, at, number, plan.training);
                    f64::NAN
                }
            };
        }
        return Ok(());
    }
    let spelling = spelling(array, reader);
    let mut recent = Recent::new();
    let mut row = 0;
    values::each_text(array, |text| {
        cells[row] = match text.map(|text| (text, recent.cell(text))) {
            None => f64::NAN,
            Some((_, Some(cell))) => cell,
            Some((text, None)) => {
                rows.at(row);
                let strange = rows.strange_cells(at);
                let spelt = spelling(text.trim()).as_bytes();
                let cell = plan.feature(column, at, spelt, rows).map_err(|_| row)?;
                // What does not fit is counted, cell by cell.
                if rows.strange_cells(at) == strange {
                    recent.keep(text, cell);
                }
                cell
            }
        };
        row += 1;
        Ok(())
    })
}

/// Truth values as the words that a model knows, where it learned from a file that spells them
/// otherwise.
fn spelling(array: &dyn Array, reader: &Reader) -> impl Fn(&str) -> &str + use<> {
    const SPELT: [(&str, &str); 4] =
        [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("1", "0")];
    let known = match reader {
        Reader::Known(known) if *array.data_type() == DataType::Boolean => {
            let knows = |text: &str| known.code(text.as_bytes()).is_some();
            SPELT.into_iter().find(|(truth, lie)| knows(truth) || knows(lie))
        }
        _ => None,
    };
    move |text| match known {
        Some((truth, _)) if text == "True" => truth,
        Some((_, lie)) if text == "False" => lie,
        _ => text,
    }
}
