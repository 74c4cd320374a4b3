//! Pages about studies: those of `evaluate`, `compare` and `price`, and pieces of which pages about
//! experiments are made.

mod comparison;
mod curve;
mod evaluation;
mod learning;
mod methods;
mod price;
mod selection;
mod words;

pub use comparison::comparison;
pub use curve::Form;
pub use evaluation::evaluation;
pub use learning::{learning_curve, outlook};
pub use methods::{
    accuracy_boxes, accuracy_table, methods_table, of_method, ranking_blocks, ranking_picture,
};
pub use price::{ShortLists, price, price_in_words};
pub use selection::{frequencies, stability_table};
pub use words::{capital, interval, or_dash, plain, share, wide_figure};

/// What a study is about, in the words of whoever asked for it.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The heading.
    pub title: String,
    /// Names of the features.
    pub feature_names: Vec<String>,
    /// The protocol and the seed in words.
    pub protocol: String,
    /// What was noticed on the way.
    pub notes: Vec<String>,
    /// Who wrote the page.
    pub program: String,
}
