//! How the weights are kept from below 0.

use crate::algebra::{log_sigmoid, sigmoid};
use serde::{Deserialize, Serialize};

/// How the constraint u ≥ 0 on the weights is kept.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Truncation {
    /// As a constraint: weights at 0 are held there.
    #[default]
    Exact,
    /// The paper's: the indicator is replaced by σ(λ u), which pushes every weight away from 0.
    Sigmoid {
        /// The steepness λ (the paper: 5).
        lambda: f64,
    },
}

impl Truncation {
    pub(crate) fn is_exact(self) -> bool {
        self == Truncation::Exact
    }

    /// log σ(λ u); 0 for the exact constraint.
    pub(crate) fn log(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => log_sigmoid(lambda * u),
        }
    }

    /// k = λ (1 − σ(λ u)).
    pub(crate) fn gradient(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => lambda * sigmoid(-lambda * u),
        }
    }

    /// O = λ² σ(λ u) (1 − σ(λ u)).
    pub(crate) fn curvature(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => {
                lambda * lambda * sigmoid(lambda * u) * sigmoid(-lambda * u)
            }
        }
    }
}
