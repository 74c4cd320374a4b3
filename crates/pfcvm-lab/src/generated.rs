//! Waveforms nobody has seen before: the settings cannot have been chosen on them.

use anyhow::Result;
use pfcvm::Dataset;
use pfcvm_io::generate::{Labelling, WAVE_FEATURES, waveform, waveform_log_odds};

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
    Ok((table.rows(&train, "0", "1")?, table.rows(&test, "0", "1")?))
}

/// Mean accuracy and log loss, over the test rows of `sets` fresh sets, of the best possible rule.
pub fn bayes(labelling: Labelling, sets: usize, first_seed: u64) -> Result<(f64, f64)> {
    let (mut right, mut loss, mut rows) = (0.0, 0.0, 0.0);
    for set in 0..sets {
        let (_, test) = pair(labelling, first_seed + set as u64)?;
        for i in 0..test.len() {
            let row: Vec<f64> = (0..WAVE_FEATURES).map(|j| test.x().get(i, j)).collect();
            let odds = waveform_log_odds(labelling, &row);
            let margin = if test.positive()[i] { odds } else { -odds };
            right += if margin >= 0.0 { 1.0 } else { 0.0 };
            loss += (-margin).exp().ln_1p();
            rows += 1.0;
        }
    }
    Ok((right / rows, loss / rows))
}
