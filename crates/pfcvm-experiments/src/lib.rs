//! The experiments of the paper "Probabilistic Feature Selection and Classification Vector
//! Machine", done again with whatever methods there are, each of the paper's figures beside ours.
//!
//! An experiment reads its data from a folder where that has them and draws artificial data where
//! it has not, and says which. It prints nothing: it gives a [`Chapter`], and hands its folds to a
//! [`Bench`] that records them.

mod all;
mod bound;
mod chapter;
mod convergence;
mod eeg;
mod error;
mod gene;
pub mod paper;
mod raetsch;
mod setup;
mod truncation;
mod waveform;

pub use all::whole_page;
pub use chapter::{Chapter, Finding, Verdict, commentary};
pub use error::Error;
pub use setup::{Bench, Measured, Setup, Trial};

/// An experiment of the paper, or one in its spirit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Experiment {
    /// Stability and robustness against noise features (Section 4.1).
    Waveform,
    /// Emotion from EEG (Section 4.2).
    Eeg,
    /// Gene expression (Section 4.3).
    Gene,
    /// How samples, features and time fall over the iterations (Section 4.4).
    Convergence,
    /// The indicator against the sigmoid that stands in for it (Section 3.1).
    Truncation,
    /// Divergence from the prior, and what it says of errors (Section 5).
    Bound,
    /// Benchmark data sets with fixed splits; not in the paper.
    Raetsch,
}

impl Experiment {
    /// All, in the order of the paper.
    pub const ALL: [Experiment; 7] = [
        Experiment::Waveform,
        Experiment::Eeg,
        Experiment::Gene,
        Experiment::Convergence,
        Experiment::Truncation,
        Experiment::Bound,
        Experiment::Raetsch,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Experiment::Waveform => "waveform",
            Experiment::Eeg => "eeg",
            Experiment::Gene => "gene",
            Experiment::Convergence => "convergence",
            Experiment::Truncation => "truncation",
            Experiment::Bound => "bound",
            Experiment::Raetsch => "raetsch",
        }
    }

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Experiment::Waveform => "Waveforms: stability, and robustness against noise",
            Experiment::Eeg => "EEG: classification and the features that matter",
            Experiment::Gene => "Gene expression: thousands of features, few samples",
            Experiment::Convergence => "How fast a fit thins out",
            Experiment::Truncation => "The indicator and the sigmoid in its place",
            Experiment::Bound => "What the theory says of errors",
            Experiment::Raetsch => "Benchmark data sets with fixed splits",
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// If data that are there cannot be read, or folds cannot be recorded.
    pub fn run(self, setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
        match self {
            Experiment::Waveform => waveform::run(setup, bench),
            Experiment::Eeg => eeg::run(setup, bench),
            Experiment::Gene => gene::run(setup, bench),
            Experiment::Convergence => convergence::run(setup),
            Experiment::Truncation => truncation::run(setup, bench),
            Experiment::Bound => bound::run(setup, bench),
            Experiment::Raetsch => raetsch::run(setup, bench),
        }
    }
}
