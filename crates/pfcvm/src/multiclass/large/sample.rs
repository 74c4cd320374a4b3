//! The ordinary fit on the rows that were drawn.

use super::draw::Drawn;
use crate::data::Columns;
use crate::multiclass::choice::{Choice, Reason, Tried};
use crate::multiclass::{Dataset, Machines, Scheme, Task, fit_with};
use crate::settings::{Auto, CertaintyPolicy, SamplePolicy};
use crate::{Error, Fit, Iteration, Kernel, Settings};
use std::ops::ControlFlow;

/// Rows that the ordinary fit learns from.
pub(super) const TRAIN: usize = 5000;
/// Rows that say which kernel suits, where nobody does.
pub(super) const CHECK: usize = 5000;
/// Of each class at least so many are drawn.
pub(super) const LEAST: usize = 250;
/// Numbers that are drawn at most, whatever the number of rows that makes.
const MOST_NUMBERS: usize = 1 << 25;

/// How many rows are drawn of data with so many columns: to learn from, and to check a choice.
pub(super) fn sizes(columns: usize, chooses: bool) -> (usize, usize) {
    let room = MOST_NUMBERS / columns.max(1);
    let check = if chooses { CHECK.min(room / 2) } else { 0 };
    (TRAIN.min(room.max(500)), check)
}

/// What the ordinary fit found, the settings it took and how the kernel was chosen if it was.
pub(super) type Start = (Machines<Fit>, Settings, Option<Choice>);

/// Learns from the first rows that were drawn (and from all of rare classes); of two kernels the others say which suits.
pub(super) fn start(
    drawn: &Drawn,
    (columns, names): (&Columns, &[String]),
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<Start, Error> {
    let x = drawn.x();
    let data = Dataset::new(x, drawn.class.clone(), names.to_vec())?
        .with_columns(columns.clone())?
        .with_sample_weights(drawn.weights.clone())?;
    let (train, check) = parts(drawn, sizes(columns.inputs(), settings.auto.kernel).0);
    let learn = data.select(&train)?;
    let with = |kernel: Kernel| {
        let samples = match settings.auto.samples {
            // Each of them is paid for in every pass.
            true => SamplePolicy::Few,
            false => settings.samples,
        };
        Settings { kernel, samples, auto: Auto::default(), ..settings.clone() }
    };
    let fit = |kernel: Kernel| {
        let own = Settings { certainty: CertaintyPolicy::Off, ..with(kernel) };
        let fits = fit_with(&learn, Scheme::Joint, &own, observer);
        fits.map_err(|error| in_all_rows(error, drawn, &train))
            .map(|fits| fits.map(|fit| Fit { model: fit.model.in_rows(&train), ..fit }))
    };
    if !settings.auto.kernel {
        return Ok((fit(settings.kernel)?, with(settings.kernel), None));
    }
    let first = fit(Kernel::Rbf)?;
    let mut choice = Choice {
        kernel: Kernel::Rbf,
        panel: false,
        reason: Reason::NoClearDifference,
        tried: Vec::new(),
    };
    let taken = |fits, choice: Choice| Ok((fits, with(choice.kernel), Some(choice)));
    if check.is_empty() {
        return taken(first, choice);
    }
    // What cannot be had is not better.
    let Ok(other) = fit(Kernel::Linear) else { return taken(first, choice) };
    let asked = data.select(&check)?;
    let (of_first, of_other) = (losses(&first, &asked)?, losses(&other, &asked)?);
    choice.tried.push(Tried::between(Kernel::Rbf, &of_first, &of_first));
    let tried = Tried::between(Kernel::Linear, &of_other, &of_first);
    choice.tried.push(tried);
    if tried.is_clearly_better() {
        choice = Choice { kernel: Kernel::Linear, reason: Reason::ClearlyBetter, ..choice };
        return taken(other, choice);
    }
    taken(first, choice)
}

/// Which drawn rows are learned from, and which check: the first by their places, and of a class that has few among
/// them all.
fn parts(drawn: &Drawn, train: usize) -> (Vec<usize>, Vec<usize>) {
    let mut of_class = vec![0; drawn.class_rows.len()];
    let first = drawn.class.iter().take(train);
    first.for_each(|class| of_class[*class] += 1);
    (0..drawn.class.len()).partition(|&i| i < train || of_class[drawn.class[i]] < LEAST)
}

/// −log p of each row, and what it counts.
fn losses(fits: &Machines<Fit>, data: &Dataset) -> Result<Vec<(f64, f64)>, Error> {
    let said = fits.predict(data.x())?;
    let loss = |i: usize| -said.row(i)[data.codes()[i]].max(1e-300).ln();
    Ok((0..data.len()).map(|i| (loss(i), data.sample_weights()[i])).collect())
}

fn in_all_rows(error: Error, drawn: &Drawn, train: &[usize]) -> Error {
    match error {
        Error::TooLargeValue { row, col, value } => {
            Error::TooLargeValue { row: drawn.numbers[train[row]] as usize, col, value }
        }
        other => other,
    }
}
