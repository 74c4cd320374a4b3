//! What moved the prediction of a row.

use super::Surface;
use super::typical::{self, Known};
use crate::Error;
use crate::matrix::Matrix;
use rayon::prelude::*;

/// Rows explained at a time by one thread.
const BLOCK_ROWS: usize = 256;
/// What a feature with several columns of words is put to in turn.
const DRAWS: usize = 32;

/// What moved the predictions of some rows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Kept features, as [numbered](crate::data::Columns) in the input.
    pub features: Vec<usize>,
    /// How far each moved each row: its decision value less the one it would have with the feature at
    /// its centre and all else as it is. The centre of a number is its mean; for words it is the
    /// mean of the decision values with each word, as often as it occurred. A row for each row, a
    /// column for each feature.
    pub moved: Matrix,
    /// The samples that each row is most like, the most alike first; none of a panel.
    pub alike: Vec<Vec<Alike>>,
}

/// A kept sample beside a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// Its place among the kept samples.
    pub sample: usize,
    /// The kernel of both; of an RBF 1 for the same values, and towards 0 the more they differ.
    pub kernel: f64,
}

/// Explains rows with the columns of the training data; only needed ones are looked at.
pub(crate) fn explain(machine: &impl Surface, x: &Matrix) -> Result<Explanation, Error> {
    let inputs = machine.inputs();
    machine.scaler().check_columns(x, &inputs)?;
    let narrow = machine.narrow();
    let known = typical::known(&narrow);
    let weights = machine.weights();
    let listed: Vec<usize> = (0..weights.len()).filter(|&k| weights[k] != 0.0).collect();
    let features: Vec<usize> = listed.iter().map(|&k| machine.features()[k]).collect();
    let of_feature = |feature: &usize| {
        centres(&Vec::from_iter(known.iter().filter(|known| known.feature == *feature)))
    };
    let centres: Vec<Vec<Centre>> = listed.iter().map(of_feature).collect();
    let x = x.select_columns(&inputs);
    let starts: Vec<usize> = (0..x.rows()).step_by(BLOCK_ROWS).collect();
    let blocks: Vec<(Matrix, Vec<Vec<Alike>>)> = starts
        .par_iter()
        .map(|&start| {
            let block = x.row_range(start, (start + BLOCK_ROWS).min(x.rows()));
            (moved(&narrow, &block, &centres), narrow.alike(&block))
        })
        .collect();
    let moved = Matrix::from_fn(x.rows(), features.len(), |i, k| {
        blocks[i / BLOCK_ROWS].0.get(i % BLOCK_ROWS, k)
    });
    let alike = blocks.into_iter().flat_map(|block| block.1).collect();
    Ok(Explanation { features, moved, alike })
}

/// One of the places that a feature is put to: cells of its columns, and how much it counts.
struct Centre {
    cells: Vec<(usize, f64)>,
    share: f64,
}

fn centres(columns: &[&Known]) -> Vec<Centre> {
    let means = columns.iter().filter_map(|known| Some((known.column, known.mean()?)));
    let numbers: Vec<(usize, f64)> = means.collect();
    let words: Vec<&&Known> = columns.iter().filter(|known| known.mean().is_none()).collect();
    let with = |cells: Vec<(usize, f64)>, share: f64| Centre {
        cells: numbers.iter().copied().chain(cells).collect(),
        share,
    };
    match words.as_slice() {
        [] => vec![with(Vec::new(), 1.0)],
        [only] => only
            .values(1, 0.0)
            .into_iter()
            .map(|value| with(vec![(only.column, value.cell)], value.share))
            .collect(),
        several => {
            let drawn = typical::drawn(several.iter().map(|known| **known), DRAWS);
            let row =
                |i: usize| several.iter().zip(&drawn).map(|(k, c)| (k.column, c[i])).collect();
            (0..DRAWS).map(|i| with(row(i), 1.0 / DRAWS as f64)).collect()
        }
    }
}

fn moved(narrow: &impl Surface, x: &Matrix, centres: &[Vec<Centre>]) -> Matrix {
    let decision = narrow.decisions(x);
    let mut moved = Matrix::zeros(x.rows(), centres.len());
    for (k, of_feature) in centres.iter().enumerate() {
        let target = moved.column_mut(k);
        target.copy_from_slice(&decision);
        for centre in of_feature {
            let mut there = x.clone();
            for &(column, cell) in &centre.cells {
                there.column_mut(column).fill(cell);
            }
            let other = narrow.decisions(&there);
            target.iter_mut().zip(other).for_each(|(moved, f)| *moved -= centre.share * f);
        }
    }
    moved
}
