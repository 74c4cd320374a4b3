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
        true => too_large(error),
        false => refused(error),
    }
}

/// What needs more memory than there is.
pub fn too_large(error: impl std::fmt::Display) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Memory that a fit may take, in MiB: what was asked for, else what the system can give, where it
/// tells.
pub fn memory_limit(asked: Option<usize>) -> Option<usize> {
    let system = || usize::try_from(pfcvm_io::available_memory_mib(1)?).ok();
    asked.or_else(system)
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
