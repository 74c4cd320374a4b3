//! Methods tried on more than two classes.

mod study;
mod summary;

pub use study::{MulticlassFold, MulticlassOutcome, MulticlassStudy};
pub use summary::{MachineSummary, MulticlassSummary};
