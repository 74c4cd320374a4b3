//! What a caller can get wrong, by what they can do about it.

use thiserror::Error;

/// Why a fit, a ranking or a prediction was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The data or a setting cannot be used.
    #[error(transparent)]
    Data(#[from] pfcvm::Error),
    /// A graph of samples without an edge.
    #[error(
        "no sample has a neighbour in its own class; give more samples or let all be neighbours"
    )]
    NoNeighbours,
    /// The kernel values of so many samples do not fit.
    #[error(
        "{rows} samples, and at most {limit} can be compared each with each; fit on a part of them"
    )]
    TooManySamples {
        /// Samples given.
        rows: usize,
        /// Samples allowed.
        limit: usize,
    },
    /// Classes that their means cannot tell apart.
    #[error("both classes have the same mean; this method tells them apart by nothing else")]
    SameMeans,
    /// The solver gave up.
    #[error(
        "{method}: the solver ended without a solution ({reason}); switch standardisation on or change the settings"
    )]
    Solver {
        /// The method.
        method: &'static str,
        /// What the solver says.
        reason: String,
    },
    /// A method that counts samples whole.
    #[error("a sample has the weight {weight}; this method takes whole numbers only")]
    FractionalWeight {
        /// The weight found.
        weight: f64,
    },
    /// Samples that count too often.
    #[error("the weights sum to {total}; this method takes at most {limit}: divide them")]
    HeavyWeights {
        /// The sum.
        total: f64,
        /// The sum allowed.
        limit: f64,
    },
}

/// The error of a setting outside its range.
pub(crate) fn out_of_range(
    name: &'static str,
    value: impl ToString,
    allowed: &'static str,
) -> Error {
    pfcvm::Error::Setting { name, value: value.to_string(), allowed }.into()
}
