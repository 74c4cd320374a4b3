//! Rows without labels beside those of a fit.

use crate::failure::{Failure, Outcome};
use crate::learn::Training;
use crate::reading;
use pfcvm::Matrix;
use pfcvm_io::{Block, Content, Input, ReadOptions, Wanted};
use std::path::Path;

/// The rows of a file that have no label, in the columns of the training data.
pub fn read(path: &Path, how: &ReadOptions, training: &Training) -> Outcome<Matrix> {
    let input = Input::from(path.to_path_buf());
    let label = training.label.name.clone();
    let how = ReadOptions { label: None, groups: Default::default(), ..how.clone() };
    let mut rows = reading::open(&input, &how, training.label.unnamed)?;
    let labelled = match &label {
        Some(name) => match rows.columns().iter().position(|column| column == name) {
            Some(at) => {
                rows.set_label(at);
                true
            }
            None => false,
        },
        None => {
            training.label.unnamed.is_some_and(|all| rows.unnamed_columns() == Some(all.columns))
        }
    };
    let columns =
        training.variables.iter().map(|column| (column.name.clone(), column.content.clone()));
    let (names, contents): (Vec<String>, Vec<Content>) = columns.unzip();
    let wanted =
        Wanted { features: rows.find(&names)?, contents, label: labelled, ..Wanted::default() };
    let mut columns = vec![Vec::new(); names.len()];
    let without = |block: Block| -> Outcome<Matrix> {
        let open = |row: &usize| !labelled || block.labels.get(*row).is_empty();
        Ok(block.x.select_rows(&(0..block.x.rows()).filter(open).collect::<Vec<_>>()))
    };
    rows.for_each(&wanted, without, |x, _| {
        columns.iter_mut().zip(x.columns()).for_each(|(all, some)| all.extend_from_slice(some));
        Ok(())
    })?;
    let count = columns.first().map_or(0, Vec::len);
    if count == 0 {
        return Err(Failure::Data(format!(
            "{input}: every row has a label; --unlabelled is for rows \
                                          without one"
        )));
    }
    Ok(Matrix::from_column_major(count, columns.len(), columns.concat()))
}
