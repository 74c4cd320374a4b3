//! Waveforms nobody has seen before: the settings cannot have been chosen on them.

use anyhow::Result;
use pfcvm::Dataset;
use pfcvm_io::generate::{Labelling, waveform};

/// Training rows, half of each class.
pub const TRAINING_ROWS: usize = 400;
/// Test rows, half of each class.
pub const TEST_ROWS: usize = 3000;

/// Training and test data of one fresh set, class 0 against class 1.
pub fn pair(labelling: Labelling, seed: u64) -> Result<(Dataset, Dataset)> {
    let rows = TRAINING_ROWS + TEST_ROWS;
    let table = waveform(labelling, &[0, 1], rows / 2, seed);
    let train = Vec::from_iter(0..TRAINING_ROWS);
    let test = Vec::from_iter(TRAINING_ROWS..rows);
    Ok((table.rows(&train, 0, 1)?, table.rows(&test, 0, 1)?))
}
