//! Section 5: the divergence from the prior, the bound on the error, and starts chosen by them.

mod divergence;
mod path;
mod starts;
mod trials;

use crate::{Bench, Chapter, Error, Setup};
use pfcvm::Dataset;
use pfcvm_io::generate::{Labelling, waveform};
use serde_json::json;

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let (curves, mut findings) = divergence::section();
    let path = path::run(setup)?;
    let trials = trials::run(setup, bench)?;
    let starts = starts::run(setup, bench)?;
    findings.extend(trials.findings);
    findings.extend(starts.findings);
    Ok(Chapter {
        lead: format!(
            "The divergence between posterior and prior, the bound that the paper derives from it, \
             and starting values chosen by it, on drawn data (seed {}). The bound is that of the \
             paper's formula with its parts as they stand; basis functions that are training \
             samples, and weights that are dropped at no cost, are not what its proof speaks of.",
            setup.seed
        ),
        sections: [vec![curves], path.sections, trials.sections, starts.sections].concat(),
        findings,
        results: json!({
            "along_a_fit": path.results, "trials": trials.results, "starts": starts.results,
        }),
    })
}

/// What one part gives to the chapter.
type Part = Chapter;

/// Two of the waves, so many rows of both together.
fn waves(rows: usize, seed: u64) -> Result<Dataset, Error> {
    Ok(waveform(Labelling::Uci, &[0, 1], rows / 2, seed).into_two_classes("0", "1")?)
}

/// The share of rows whose vote goes against their class; no vote either way is a vote for the
/// positive class.
fn wrong(data: &Dataset, votes: &[f64]) -> f64 {
    let misses = data.positive().iter().zip(votes).filter(|(p, v)| **p != (**v >= 0.0));
    misses.count() as f64 / data.len() as f64
}
