//! Tests that need what the crate does not show. Those of the public interface are in `tests/`.

#[path = "../../tests/common/mod.rs"]
pub(crate) mod common;

mod algebra;
mod basis;
mod broad;
mod candidates;
mod derivatives;
mod golden_broad;
mod golden_goals;
mod golden_joint;
mod golden_modes;
mod golden_paper;
mod golden_pieces;
mod hyperprior;
mod lasting;
mod likelihood;
mod point;
mod projection;
mod quadrature;
mod routes;
mod theory;
