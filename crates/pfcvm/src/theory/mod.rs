//! The paper's section `sec:bound`: how far the posterior is from the prior, what that says about errors on
//! new rows, and the classifier that the theorem is about.

mod bound;
mod divergence;
pub(crate) mod sampler;
mod vote;

pub use crate::truncated::{least_divergence, truncated_divergence};
pub use bound::{Bound, BoundSettings};
pub use divergence::{Divergence, PriorPrecisions};
pub use vote::VoteSettings;
