//! How many rows per second a stored model predicts, from memory.

use crate::Outcome;
use pfcvm::Matrix;
use pfcvm_io::{Block, Error, Input, ModelFile, ReadOptions, Rows, Wanted};
use std::path::Path;
use std::time::Instant;

/// The best of `repeats` passes over all rows of a file, as one line of JSON.
pub fn run(model: &Path, data: &Path, repeats: usize) -> Outcome<String> {
    let file = ModelFile::read(model)?;
    let rows = Rows::open(&Input::from(data), &ReadOptions::default())?;
    let wanted =
        Wanted { features: rows.find(&file.needed_features())?, label: false, ..Wanted::default() };
    let mut columns = vec![Vec::new(); wanted.features.len()];
    rows.for_each(&wanted, Ok, |block: Block, _| {
        columns.iter_mut().zip(block.x.columns()).for_each(|(all, part)| all.extend(part));
        Ok::<(), Error>(())
    })?;
    let count = columns.first().map_or(0, Vec::len);
    let x = Matrix::from_column_major(count, columns.len(), columns.concat());
    let model = file.predictor();
    let mut best = f64::INFINITY;
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        model.predict(&x)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let samples = file.machines.sample_shares().len();
    Ok(format!("{{\"rows\": {count}, \"rate\": {}, \"samples\": {samples}}}", count as f64 / best))
}
