//! What is refused, by what a caller can do about it.

use std::fmt::Display;
use std::path::Path;

/// Why something cannot be done, in one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Data, settings or a file that can be mended.
    #[error("{0}")]
    Refused(String),
    /// It needs more memory than there is.
    #[error("{0}")]
    TooLarge(String),
    /// A file that cannot be written.
    #[error("{0}")]
    NotWritten(String),
    /// Something went wrong that no caller can mend.
    #[error("{0}")]
    Internal(String),
}

impl Error {
    /// Something the caller can mend.
    pub fn refused(error: impl Display) -> Self {
        Error::Refused(error.to_string())
    }

    /// What a fit refuses.
    pub fn not_fitted(error: pfcvm::Error) -> Self {
        match out_of_memory(&error) {
            true => Error::TooLarge(error.to_string()),
            false => Error::refused(error),
        }
    }

    /// A file that cannot be written.
    pub fn not_written(path: &Path, error: std::io::Error) -> Self {
        Error::NotWritten(format!("{} cannot be written: {error}", path.display()))
    }
}

fn out_of_memory(error: &pfcvm::Error) -> bool {
    match error {
        pfcvm::Error::Memory { .. } | pfcvm::Error::PanelMemory { .. } => true,
        pfcvm::Error::Machine { source, .. } => out_of_memory(source),
        _ => false,
    }
}

/// Memory that a fit may take, in MiB: what was asked for, else what the system can give, where it
/// tells.
pub fn memory_limit(asked: Option<usize>) -> Option<usize> {
    let system = || usize::try_from(pfcvm_io::available_memory_mib(1)?).ok();
    asked.or_else(system)
}
