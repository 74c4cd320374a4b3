//! Artificial data with a known truth.
//!
//! Every generator takes a seed, and the same seed gives the same bits on every machine: the
//! stream is ChaCha8, a normal deviate costs only arithmetic and one portable logarithm (see the
//! source of `deviates`), and no other function that a platform may round differently is used.
//!
//! Rows come in the order of the classes asked for, in turn (0, 1, 0, 1, …), so any leading
//! part of a table is balanced.

mod deviates;
mod eeg;
mod expression;
mod norms;
mod waves;

pub use eeg::{EEG_BANDS, EEG_CHANNELS, eeg_informative, eeg_like};
pub use expression::expression_like;
pub use norms::{ringnorm, twonorm};
pub use waves::{Labelling, WAVE_FEATURES, WAVE_NOISE_FEATURES, waveform, waveform_log_odds};

use crate::Table;
use deviates::Deviates;
use pfcvm::Matrix;

/// A table whose rows are drawn one after the other, the class of row i being `classes[i mod k]`.
fn draw_rows(
    names: Vec<String>,
    classes: &[i64],
    rows: usize,
    seed: u64,
    mut draw: impl FnMut(i64, &mut Deviates) -> Vec<f64>,
) -> Table {
    let mut deviates = Deviates::new(seed);
    let labels: Vec<i64> = (0..rows).map(|row| classes[row % classes.len()]).collect();
    let drawn: Vec<Vec<f64>> = labels.iter().map(|&label| draw(label, &mut deviates)).collect();
    let x = Matrix::from_fn(rows, names.len(), |i, j| drawn[i][j]);
    let labels: Vec<String> = labels.iter().map(i64::to_string).collect();
    Table::new(names, x, labels.iter().map(String::as_str))
}

/// `x1`, `x2`, …
fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("x{number}")).collect()
}
