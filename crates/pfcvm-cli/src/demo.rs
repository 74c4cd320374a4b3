//! `pfcvm demo`: one fit on data whose truth is known.

use crate::args::DemoOptions;
use crate::report;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use pfcvm::{Dataset, Fit, Kernel, Settings, Termination, fit_with};
use pfcvm_eval::{accuracy, log_loss};
use pfcvm_io::generate::{Labelling, WAVE_FEATURES, waveform, waveform_log_odds};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const TRAINING_ROWS: usize = 400;
const TEST_ROWS: usize = 3000;

/// Everything the demo found out.
#[derive(Debug, Serialize)]
pub struct Account {
    pub seed: u64,
    pub training_rows: usize,
    pub test_rows: usize,
    pub accuracy: f64,
    pub bayes_accuracy: f64,
    pub log_loss: f64,
    pub samples_kept: usize,
    pub feature_count: usize,
    /// Kept features, the heaviest first.
    pub features: Vec<KeptFeature>,
    pub termination: String,
    pub iterations: usize,
    pub log_evidence: f64,
    pub seconds: f64,
}

/// A feature with a weight above zero.
#[derive(Debug, Serialize)]
pub struct KeptFeature {
    pub name: String,
    pub weight: f64,
    /// Posterior standard deviation of the weight.
    pub deviation: f64,
    pub noise: bool,
}

/// Runs the demo and prints its account.
pub fn run(options: &DemoOptions) -> Result<()> {
    let account = account(options.seed)?;
    let mut out = anstream::stdout().lock();
    if options.json {
        serde_json::to_writer_pretty(&mut out, &account).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        report::write(&mut out, &account)?;
    }
    Ok(())
}

fn account(seed: u64) -> Result<Account> {
    let rows = TRAINING_ROWS + TEST_ROWS;
    let table = waveform(Labelling::Uci, &[0, 1], rows / 2, seed);
    let training = table.rows(&Vec::from_iter(0..TRAINING_ROWS), "0", "1")?;
    let test = table.rows(&Vec::from_iter(TRAINING_ROWS..rows), "0", "1")?;

    let start = Instant::now();
    let fit = fit_showing_progress(&training)?;
    let seconds = start.elapsed().as_secs_f64();

    let probability = fit.model.predict(test.x())?.probability;
    Ok(Account {
        seed,
        training_rows: TRAINING_ROWS,
        test_rows: TEST_ROWS,
        accuracy: accuracy(test.positive(), &probability),
        bayes_accuracy: bayes_accuracy(&test),
        log_loss: log_loss(test.positive(), &probability),
        samples_kept: fit.model.sample_indices().len(),
        feature_count: training.x().cols(),
        features: kept_features(&fit, table.feature_names()),
        termination: in_words(fit.termination),
        iterations: fit.trace.len(),
        log_evidence: fit.log_evidence,
        seconds,
    })
}

/// What the best possible rule, which knows the generator, reaches on the same rows.
fn bayes_accuracy(test: &Dataset) -> f64 {
    let x = test.x();
    let right = |i: &usize| {
        let row: Vec<f64> = (0..WAVE_FEATURES).map(|j| x.get(*i, j)).collect();
        (waveform_log_odds(Labelling::Uci, &row) >= 0.0) == test.positive()[*i]
    };
    (0..x.rows()).filter(right).count() as f64 / x.rows() as f64
}

/// A line on standard error that follows the fit; nothing where that is not a terminal.
fn fit_showing_progress(training: &Dataset) -> Result<Fit> {
    let line =
        ProgressBar::new_spinner().with_style(ProgressStyle::with_template("{spinner} {msg}")?);
    line.enable_steady_tick(Duration::from_millis(100));
    let fit = fit_with(training, &Settings::new(Kernel::Rbf), &mut |iteration| {
        line.set_message(format!(
            "fitting: {} samples, {} features",
            iteration.samples, iteration.features
        ));
        ControlFlow::Continue(())
    });
    line.finish_and_clear();
    Ok(fit?)
}

fn kept_features(fit: &Fit, names: &[String]) -> Vec<KeptFeature> {
    let model = &fit.model;
    let numbers = model.feature_weights().iter().zip(model.feature_deviations());
    let mut kept: Vec<KeptFeature> = model
        .feature_indices()
        .iter()
        .zip(numbers)
        .map(|(&index, (&weight, deviation))| KeptFeature {
            name: names[index].clone(),
            weight,
            deviation,
            noise: index >= WAVE_FEATURES,
        })
        .collect();
    kept.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    kept
}

/// How the fit ended, to go behind "the fit".
fn in_words(termination: Termination) -> String {
    match termination {
        Termination::Converged => "converged".into(),
        Termination::MaxIterations => "used up its iterations".into(),
        Termination::Cancelled => "was stopped".into(),
        Termination::NumericalBreakdown => "ended in a numerical breakdown".into(),
        other => format!("ended with {other:?}"),
    }
}
