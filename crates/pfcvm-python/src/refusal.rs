//! What the library refuses, as Python's exceptions.

use pfcvm_bridge::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};

/// Something the caller can mend.
pub fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What needs more memory than there is.
pub fn too_large(error: impl std::fmt::Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// By what the caller can do about it.
pub fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::TooLarge(_) => PyMemoryError::new_err(text),
        Error::NotWritten(_) => PyOSError::new_err(text),
        Error::Internal(_) => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
