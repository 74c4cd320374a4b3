//! What can go wrong with a page.

/// Why a page could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The template failed: a fault of this crate.
    #[error("the page cannot be put together: {0}")]
    Template(#[from] minijinja::Error),
}
