//! Fits of rows that lie in parts anywhere: the driver here, listeners where the rows are.

use crate::arrays::{Columns, Rows};
use crate::background::interruptible;
use crate::engine::{Engine, Way};
use crate::refusal::{raised, refused};
use numpy::PyReadonlyArray1;
use pfcvm_bridge::{Form, Texts};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};

/// Learns from rows that it never sees.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Driver(Mutex<Option<pfcvm_bridge::Driver>>);

/// What Python says of columns: their number, their names if they have any, what they hold beside numbers, and in how
/// many rows each text of each column of words stands.
#[derive(FromPyObject)]
struct Told(usize, Option<Vec<String>>, Columns, Vec<Vec<usize>>);

#[pymethods]
impl Driver {
    #[new]
    #[pyo3(signature = (columns, classes, rows, settings, way))]
    fn new(
        columns: Told,
        classes: Vec<String>,
        rows: u64,
        settings: &str,
        way: Way,
    ) -> PyResult<Self> {
        let Told(count, names, described, rows_of_texts) = columns;
        let named = names.is_some();
        let names = names.unwrap_or_else(|| (1..=count).map(|at| format!("x{at}")).collect());
        let form = Form::of(names, described.described(), &rows_of_texts).map_err(raised)?;
        let way = way.of_python();
        let driver = pfcvm_bridge::Driver::new((form, named), classes, settings, way, rows);
        Ok(Self(Mutex::new(Some(driver.map_err(raised)?))))
    }

    /// What rows are to be asked in the next pass, as bytes for a `Listener`; None when all is known.
    fn question<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let question = self.with(|driver| driver.question().map_err(raised))?;
        Ok(question.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// Which pass is next, and what for.
    fn doing(&self) -> PyResult<String> {
        self.with(|driver| Ok(driver.doing()))
    }

    /// Hears what all rows say together, and learns from it.
    fn take(&self, py: Python<'_>, said: Vec<u8>) -> PyResult<()> {
        // After an interrupt it is gone for good.
        let mut driver = self.held().take().ok_or_else(over)?;
        let (driver, taken) = interruptible(py, move |caller| {
            let taken = driver.take(&said, caller);
            (driver, taken)
        })?;
        *self.held() = Some(driver);
        taken.map_err(raised)
    }

    /// What was learned, once there is no question left.
    fn finish(&self, py: Python<'_>) -> PyResult<Engine> {
        let driver = self.held().take().ok_or_else(over)?;
        interruptible(py, move |_| driver.finish())?.map(Engine).map_err(raised)
    }
}

impl Driver {
    fn held(&self) -> std::sync::MutexGuard<'_, Option<pfcvm_bridge::Driver>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, of: impl FnOnce(&pfcvm_bridge::Driver) -> PyResult<T>) -> PyResult<T> {
        of(self.held().as_ref().ok_or_else(over)?)
    }
}

fn over() -> PyErr {
    refused("this fit is over")
}

/// Hears rows where they lie.
#[pyclass(module = "pfcvm._pfcvm")]
pub struct Listener(pfcvm_bridge::Listener);

#[pymethods]
impl Listener {
    #[new]
    fn new(question: &[u8]) -> PyResult<Self> {
        pfcvm_bridge::Listener::new(question).map(Self).map_err(raised)
    }

    /// The columns that are asked for, ascending.
    fn columns(&self) -> Vec<usize> {
        self.0.columns().to_vec()
    }

    /// Hears rows of one part from the number of the first on: these columns with the texts of words, the places of their classes,
    /// and weights if there are any.
    #[pyo3(signature = (first, x, words, codes, weights))]
    fn hear(
        &mut self,
        py: Python<'_>,
        first: u64,
        x: Rows<'_>,
        words: Texts,
        codes: PyReadonlyArray1<'_, i64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let x = x.matrix()?;
        let codes: Result<Vec<usize>, _> =
            codes.as_array().iter().map(|code| usize::try_from(*code)).collect();
        let codes = codes.map_err(refused)?;
        let weights = weights.map(|weights| weights.as_array().to_vec());
        let (words, codes, weights) = (&words, &codes[..], weights.as_deref());
        let rows = pfcvm_bridge::Rows { first, x, words, codes, weights };
        py.detach(|| self.0.hear(rows)).map_err(raised)
    }

    /// What the rows that were heard say, as bytes; None if there were none.
    fn said<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.0.said().map_err(raised)?.map(|bytes| PyBytes::new(py, &bytes)))
    }
}

/// What several parts say to the same question, in one, as bytes; None if there are none. They are taken one after the other,
/// and none is copied or kept.
#[pyfunction]
pub fn together<'py>(said: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = said.py();
    let mut all = pfcvm_bridge::Together::default();
    for one in said.try_iter()? {
        let one: PyBackedBytes = one?.extract()?;
        py.detach(|| all.add(&one)).map_err(raised)?;
    }
    let all = py.detach(|| all.said()).map_err(raised)?;
    Ok(all.map(|bytes| PyBytes::new(py, &bytes)))
}
