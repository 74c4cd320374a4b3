//! How fast iterations get as samples and features go, on one large fit.

use anyhow::Result;
use pfcvm::{Dataset, Fit, Settings, fit};
use pfcvm_eval::{accuracy, log_loss};
use pfcvm_io::generate::eeg_like;
use std::fmt;
use std::time::Instant;

/// Rows of the EEG-like training set.
pub const TRAINING_ROWS: usize = 1376;
/// Rows of its test set.
pub const TEST_ROWS: usize = 914;

/// Training and test data: the leading rows and the rest of one table.
pub fn pair(seed: u64) -> Result<(Dataset, Dataset)> {
    let rows = TRAINING_ROWS + TEST_ROWS;
    let table = eeg_like(rows, seed);
    let train = Vec::from_iter(0..TRAINING_ROWS);
    let test = Vec::from_iter(TRAINING_ROWS..rows);
    Ok((table.rows(&train, "-1", "1")?, table.rows(&test, "-1", "1")?))
}

/// One fit, to be shown iteration by iteration.
#[derive(Debug)]
pub struct Curve {
    /// The fit.
    pub fit: Fit,
    /// Its wall time.
    pub seconds: f64,
    /// Accuracy on the test rows.
    pub accuracy: f64,
    /// Log loss on the test rows.
    pub log_loss: f64,
}

/// Fits with parallel algebra. Seconds of an iteration are its own; those of the whole fit include
/// what lies between.
pub fn run(settings: &Settings, seed: u64) -> Result<Curve> {
    let (train, test) = pair(seed)?;
    let start = Instant::now();
    let fit = fit(&train, settings)?;
    let seconds = start.elapsed().as_secs_f64();
    let probability = fit.model.predict(test.x())?.probability;
    Ok(Curve {
        seconds,
        accuracy: accuracy(test.positive(), &probability),
        log_loss: log_loss(test.positive(), &probability),
        fit,
    })
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fit { model, termination, trace, .. } = &self.fit;
        writeln!(
            f,
            "iteration  stage                         samples  features  log evidence  seconds  of the first"
        )?;
        for step in trace {
            writeln!(
                f,
                "{:>9}  {:<28}  {:>7}  {:>8}  {:>12.2}  {:>7.4}  {:>10.1} %",
                step.number,
                step.stage,
                step.samples,
                step.features,
                step.log_evidence,
                step.seconds,
                100.0 * step.seconds / trace[0].seconds
            )?;
        }
        write!(
            f,
            "{termination:?} after {} iterations, {:.2} s; kept {} samples, {} features; \
             test accuracy {:.2} %, log loss {:.4}",
            trace.len(),
            self.seconds,
            model.sample_indices().len(),
            model.feature_indices().len(),
            100.0 * self.accuracy,
            self.log_loss
        )
    }
}
