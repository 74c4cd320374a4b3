//! A likelihood as sums over rows, so that who learns need not hold them.
//!
//! Rows enter a fit through ℓ = Σᵢ ℓᵢ, its gradient Jᵀr and its curvature JᵀCJ by all weights
//! u = (w, θ), J = ∂f/∂u = [Φ, D]. Each is a sum over rows, so blocks of rows can say their parts wherever they lie.
//!
//! - [`Point`] is where the weights stand: it goes to the rows, and [`Point::sums`] is what some of them say.
//! - [`Sums`] are these parts, put together by [`Sums::add`].
//! - [`Quadratic`] is what is known from the sums near the point,
//!   ℓ(u + δ) ≈ ℓ + gᵀδ − ½ δᵀGδ: modes under priors, precisions and what falls to 0 follow from it without
//!   another look at a row.

mod point;
mod quadratic;
mod total;

pub(crate) use point::{Point, Stand};
pub(crate) use quadratic::{Layout, Proposal, Quadratic, Rules};
pub(crate) use total::{Sums, plus};
