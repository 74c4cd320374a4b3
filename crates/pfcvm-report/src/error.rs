//! What can be wrong with the data of a report.

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Truth and prediction do not belong together.
    #[error("the test data have {truth} classes but {probability} probabilities")]
    TestLengths {
        /// Rows with a known class.
        truth: usize,
        /// Rows with a probability.
        probability: usize,
    },
    /// A number that is no probability.
    #[error("test row {row} (counted from 1) has the probability {value}, not one from 0 to 1")]
    NotAProbability {
        /// The row, counted from 1.
        row: usize,
        /// What was found.
        value: f64,
    },
    /// The template failed: a fault of this crate.
    #[error("the page cannot be put together: {0}")]
    Template(#[from] minijinja::Error),
}
