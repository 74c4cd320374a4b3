//! The compiled half of the Python package `pfcvm`.
//!
//! Python holds parameters, checks input in scikit-learn's way and encodes labels; here arrays become
//! data sets, fits run on threads of their own while Python can be interrupted, and what was
//! learned is kept, described as JSON, and written. What data and settings mean is the crates'
//! affair.

mod arrays;
mod background;
mod engine;
mod machine;
mod parts;
mod refusal;
mod study;

use pyo3::prelude::*;

/// The compiled half of pfcvm.
#[pymodule]
mod _pfcvm {
    #[pymodule_export]
    use super::background::threads;
    #[pymodule_export]
    use super::engine::{Engine, read_model};
    #[pymodule_export]
    use super::machine::{Machine, methods, select};
    #[pymodule_export]
    use super::parts::{Driver, Listener, together};
    #[pymodule_export]
    use super::study::{price, price_lengths, ranking, stability};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The first array finds NumPy; an interrupt at that moment would be a panic inside a fit.
        let _ = numpy::PyArray1::<f64>::zeros(module.py(), 0, false);
        module.add("MANY_ROWS", pfcvm::multiclass::large::MANY_ROWS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
