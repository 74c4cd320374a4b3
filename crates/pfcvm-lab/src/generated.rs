//! Waveforms nobody has seen before: the settings cannot have been chosen on them.

use anyhow::Result;
use pfcvm::{Dataset, Matrix};
use pfcvm_eval::Split;
use pfcvm_io::Table;
use pfcvm_io::generate::{
    Labelling, WAVE_FEATURES, WAVE_NOISE_FEATURES, waveform, waveform_log_odds,
};
use pfcvm_methods::Spec;
use pfcvm_study::{Contender, Study};
use std::sync::Arc;

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

/// The study of a method on `sets` fresh sets, each with rows of its own.
pub fn study(labelling: Labelling, sets: usize, first_seed: u64, method: &Spec) -> Result<Study> {
    let rows = TRAINING_ROWS + TEST_ROWS;
    let tables: Vec<Table> = (0..sets)
        .map(|set| waveform(labelling, &[0, 1], rows / 2, first_seed + set as u64))
        .collect();
    let width = WAVE_FEATURES + WAVE_NOISE_FEATURES;
    let x = Matrix::from_fn(sets * rows, width, |i, j| tables[i / rows].x().get(i % rows, j));
    let positive = (0..sets * rows).map(|i| tables[i / rows].label(i % rows) == "1").collect();
    let split = |set: usize| {
        let first_test = set * rows + TRAINING_ROWS;
        Split {
            train: (set * rows..first_test).collect(),
            test: (first_test..(set + 1) * rows).collect(),
        }
    };
    Ok(Study {
        name: String::new(),
        data: Arc::new(Dataset::new(x, positive)?),
        groups: None,
        splits: Arc::new((0..sets).map(split).collect()),
        contender: Contender::fixed(method.clone()),
        seed: first_seed,
        keep_predictions: false,
    })
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
