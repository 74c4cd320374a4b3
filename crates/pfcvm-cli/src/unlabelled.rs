//! Rows without labels beside those of a fit: read, weighed, told of.

use crate::failure::{Failure, Outcome};
use crate::learn::Training;
use crate::reading;
use pfcvm::multiclass::{self, Dataset, Joined, Scheme, Task, Unlabelled};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Iteration, Kernel, Matrix, Settings};
use pfcvm_io::{Block, Content, FitSettings, Input, ReadOptions, Summary, Wanted};
use std::ops::ControlFlow;
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

/// What they are worth beside the others: `told` is what the user asked for, `taken` what is done on the
/// labelled rows alone.
pub fn worth(
    data: &Dataset,
    unlabelled: &Matrix,
    scheme: Scheme,
    (told, taken): (&FitSettings, &FitSettings),
) -> Result<(Unlabelled, Option<Joined>), pfcvm::Error> {
    let quiet = |_: Task, _: &Iteration| ControlFlow::Continue(());
    let single = |data: &Dataset, settings: &Settings| {
        let fits = multiclass::fit_choosing(data, scheme, settings, &quiet)?.0;
        Ok(multiclass::teller(fits.into_models()))
    };
    let alone = |data: &Dataset| match taken {
        FitSettings::Single(settings) => single(data, settings),
        FitSettings::Panel(settings) => {
            Ok(multiclass::teller(multiclass::fit_panel(data, scheme, settings)?))
        }
    };
    let all = |data: &Dataset| single(data, &beside(told));
    multiclass::with_unlabelled(data, unlabelled, told.seed(), &alone, &all)
}

/// How a fit is done where rows have no label of their own: rows that did not train cannot be asked then,
/// because most of them would be asked for what they were told.
pub fn beside(told: &FitSettings) -> Settings {
    let certainty = CertaintyPolicy::Off;
    match told {
        FitSettings::Single(settings) => Settings { certainty, ..(**settings).clone() },
        // Nobody asks for both.
        FitSettings::Panel(_) => Settings { certainty, ..Settings::new(Kernel::Rbf) },
    }
}

/// What rows without labels brought, in words.
pub fn in_words(summary: &Summary) -> Option<String> {
    let found = summary.unlabelled.as_ref()?;
    let rows = found.rows;
    Some(match (found.without, found.with, found.error) {
        (Some(without), Some(with), Some(error)) => {
            let verdict = match found.used {
                true => "they are used; what is said of features was not asked of held-out rows",
                false => "they are not used",
            };
            format!(
                "{rows} rows without a label: held-out rows have a log loss of {with:.3} with them, \
                 {without:.3} without (± {error:.3}), so {verdict}"
            )
        }
        _ => format!(
            "{rows} rows without a label are not used: too few rows have one to tell whether they help"
        ),
    })
}
