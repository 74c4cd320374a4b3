//! What the library refuses, as Python's exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};

/// Something the caller can mend.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a fit refuses.
pub fn not_fitted(error: pfcvm::Error) -> PyErr {
    match error {
        pfcvm::Error::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        other => refused(other),
    }
}

/// A file that cannot be written.
pub fn not_written(path: &std::path::Path, error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("{} cannot be written: {error}", path.display()))
}
