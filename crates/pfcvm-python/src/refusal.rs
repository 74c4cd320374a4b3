//! What the library refuses, as Python's exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};

/// Something the caller can mend.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a fit refuses.
pub fn not_fitted(error: pfcvm::Error) -> PyErr {
    match out_of_memory(&error) {
        true => PyMemoryError::new_err(error.to_string()),
        false => refused(error),
    }
}

fn out_of_memory(error: &pfcvm::Error) -> bool {
    match error {
        pfcvm::Error::Memory { .. } | pfcvm::Error::PanelMemory { .. } => true,
        pfcvm::Error::Machine { source, .. } => out_of_memory(source),
        _ => false,
    }
}

/// A file that cannot be written.
pub fn not_written(path: &std::path::Path, error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("{} cannot be written: {error}", path.display()))
}
