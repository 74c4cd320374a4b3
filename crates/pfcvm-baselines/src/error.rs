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
}

/// The error of a setting outside its range.
pub(crate) fn out_of_range(
    name: &'static str,
    value: impl ToString,
    allowed: &'static str,
) -> Error {
    pfcvm::Error::Setting { name, value: value.to_string(), allowed }.into()
}
