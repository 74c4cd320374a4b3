//! What is wrong with a model file.

use super::MODEL_SCHEMA;

/// What is wrong with a model file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// It cannot be opened or read.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::Error),
    /// It ends too early.
    #[error(
        "the model file is cut off at line {line}, column {column}; write it again with `pfcvm fit`"
    )]
    CutOff {
        /// Line of the end, from 1.
        line: usize,
        /// Column of the end.
        column: usize,
    },
    /// It is something else.
    #[error("this is not a pfcvm model file ({0}); `pfcvm fit DATA --model FILE` writes one")]
    Other(String),
    /// It was written by a later version.
    #[error(
        "the model file has schema {found} and this version reads schemas 1 to {MODEL_SCHEMA}; use the version of pfcvm that wrote it, or a newer one"
    )]
    NewerSchema {
        /// The schema found.
        found: u32,
    },
    /// Its parts do not fit together.
    #[error("the model file is damaged: {0}")]
    Damaged(String),
    /// It is not as it was written.
    #[error(
        "the model file is damaged: its checksum does not fit; write it again with `pfcvm fit`, or if it was changed on purpose, read it with --unchecked, in Python with checked=False"
    )]
    Changed,
    /// No model is as large as this.
    #[error(
        "the model file is larger than 4 GiB, which none is; name the file that `pfcvm fit` wrote"
    )]
    TooLarge,
}
