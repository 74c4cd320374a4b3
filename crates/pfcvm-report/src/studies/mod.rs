//! Pages about studies: for `evaluate` and `compare`, and parts of those about experiments.

mod comparison;
mod evaluation;
mod multiclass;
mod parts;

pub use comparison::comparison;
pub use evaluation::evaluation;
pub use multiclass::multiclass_evaluation;
pub(crate) use parts::*;

/// What a study is about, in the words of whoever asked for it.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The heading.
    pub title: String,
    /// Names of the features.
    pub feature_names: Vec<String>,
    /// Labels of the negative and the positive class.
    pub classes: [String; 2],
    /// The protocol and the seed in words.
    pub protocol: String,
    /// What was noticed on the way.
    pub notes: Vec<String>,
    /// Who wrote the page.
    pub program: String,
}
