//! Rows in memory, asked block by block on all threads.

use super::{Answer, Block, Learner, Question};
use crate::algebra::Work;
use crate::matrix::Matrix;
use crate::multiclass::{Choice, Dataset, Machines, Scheme, Task};
use crate::settings::Algorithm;
use crate::{Error, Fit, Goal, Iteration, SamplePolicy, Settings, Stop};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Above so many rows a fit goes by sums.
pub const MANY_ROWS: usize = 20_000;
/// Rows of a block: the same for any number of threads, so that sums have the same bits.
const BLOCK_ROWS: usize = 8192;
/// Blocks whose answers are held at once.
const BLOCKS_AT_ONCE: usize = 32;

/// What only a fit of all rows at once does, of what the settings ask for: which setting, and its value.
pub(super) fn needs_all_rows(settings: &Settings) -> Option<(&'static str, String)> {
    let unusual = settings.algorithm != Algorithm::Mended || settings.stages.is_some();
    let dense = settings.samples == SamplePolicy::Dense && !settings.auto.samples;
    if unusual {
        return Some(("algorithm", settings.algorithm.to_string()));
    }
    if settings.goal == Goal::Accuracy {
        return Some(("goal", settings.goal.to_string()));
    }
    dense.then(|| ("samples", settings.samples.to_string()))
}

/// Whether a fit goes by sums: where rows are many and nothing is asked for that needs all of them at once.
pub(in crate::multiclass) fn is_large(data: &Dataset, scheme: Scheme, settings: &Settings) -> bool {
    let together = scheme == Scheme::Joint || data.class_names().len() == 2;
    data.len() > MANY_ROWS
        && !data.x().is_sparse()
        && data.columns().features() * 4 <= data.len()
        && together
        && needs_all_rows(settings).is_none()
}

/// Fits as [`fit_choosing`](crate::multiclass::fit_choosing) does, by sums.
pub(in crate::multiclass) fn fit(
    data: &Dataset,
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<(Machines<Fit>, Settings, Option<Choice>), Error> {
    data.check_classes()?;
    let (names, rows) = (data.class_names().to_vec(), Some(data.len() as u64));
    let mut learner = Learner::new(data.columns(), names, settings, rows)?;
    while let Some(question) = learner.question() {
        let said = Stop::catch(|| pass(data, &question, settings));
        learner.take_with(said.unwrap_or(Err(Error::Stopped))?, observer)?;
    }
    let (fits, settings, choice) = learner.finish()?;
    let fits = fits.map(|mut fit| {
        // Rows that were not drawn were no candidates.
        fit.sample_dropped = vec![Some(0); data.len()];
        fit.model.selected_samples().iter().for_each(|&row| fit.sample_dropped[row] = None);
        fit
    });
    Ok((fits, settings, choice))
}

/// What all rows say, put together in their order.
fn pass(data: &Dataset, question: &Question, settings: &Settings) -> Result<Answer, Error> {
    let starts: Vec<usize> = (0..data.len()).step_by(BLOCK_ROWS).collect();
    let one = |&start: &usize| {
        let end = (start + BLOCK_ROWS).min(data.len());
        let numbers: Vec<u64> = (start as u64..end as u64).collect();
        let columns = question.columns();
        let mut values = Vec::with_capacity((end - start) * columns.len());
        columns.iter().for_each(|&at| values.extend(&data.x().column(at)[start..end]));
        let x = Matrix::from_column_major(end - start, columns.len(), values);
        let (class, weights) =
            (&data.codes()[start..end], Some(&data.sample_weights()[start..end]));
        let mut work = Work { stop: settings.stop.clone(), ..Work::new(false) };
        question.answer_with(&Block { numbers: &numbers, x: &x, class, weights }, &mut work)
    };
    let mut said: Option<Answer> = None;
    for some in starts.chunks(BLOCKS_AT_ONCE) {
        let answers: Vec<Result<Answer, Error>> = match settings.parallel {
            true => some.par_iter().with_max_len(1).map(one).collect(),
            false => some.iter().map(one).collect(),
        };
        for answer in answers {
            match &mut said {
                None => said = Some(answer?),
                Some(said) => said.add(answer?)?,
            }
        }
    }
    said.ok_or(Error::Empty { rows: 0, cols: data.x().cols() })
}
