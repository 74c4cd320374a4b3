//! PFCVM_LP and panels of any number of classes: fitted, described, predicting, in model files.

use crate::arrays::{Rows, Said, Samples, said};
use crate::background::interruptible;
use crate::refusal::raised;
use numpy::{PyArray1, PyReadonlyArray1};
use pfcvm::theory::BoundSettings;
use pfcvm_bridge::Texts;
use pfcvm_io::onnx::Input;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Fitted models or panels, one for each two-class problem, as a model file has them.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Engine(pub(crate) pfcvm_bridge::Engine);

/// How Python wants a fit to be done, whatever its settings: within so many MiB, on several threads,
/// with a line for each iteration, keeping so many rows to learn on from.
#[derive(FromPyObject)]
pub struct Way(Option<usize>, bool, bool, Option<usize>);

impl Way {
    pub(crate) fn of_python(self) -> pfcvm_bridge::Way {
        let Way(memory_limit, parallel, verbose, keep_rows) = self;
        // A panel is a class of its own here.
        pfcvm_bridge::Way { memory_limit, parallel, verbose, panel_if_many: false, keep_rows }
    }
}

#[pymethods]
impl Engine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        pfcvm_bridge::Engine::of_state(state).map(Self).map_err(raised)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        Ok((PyBytes::new(py, &self.0.state().map_err(raised)?),))
    }

    /// Fits a model for each two-class problem of the scheme, or for all classes at once.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, way))]
    fn fit(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: String,
        settings: String,
        way: Way,
    ) -> PyResult<Self> {
        let (samples, way) = (samples.copied()?, way.of_python());
        let fit = interruptible(py, move |caller| {
            pfcvm_bridge::Engine::fit(samples, &scheme, &settings, way, caller)
        })?;
        fit.map(Self).map_err(raised)
    }

    /// Fits a panel for each two-class problem of the scheme.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, way))]
    fn fit_panel(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: String,
        settings: String,
        way: Way,
    ) -> PyResult<Self> {
        let (samples, way) = (samples.copied()?, way.of_python());
        let fit = interruptible(py, move |caller| {
            pfcvm_bridge::Engine::fit_panel(samples, &scheme, &settings, way, caller)
        })?;
        fit.map(Self).map_err(raised)
    }

    /// What the machines say about rows that hold nothing but the needed columns, ascending, and how
    /// many cells of each column of words hold one that is not known.
    #[pyo3(signature = (x, words))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: Rows<'_>,
        words: Texts,
    ) -> PyResult<(Said<'py>, Vec<usize>)> {
        let x = x.matrix()?;
        let found = py.detach(|| self.0.predict(x, &words)).map_err(raised)?;
        let (decision, variance) = (&found.decision, found.variance.as_ref());
        Ok((said(py, &found.class, &found.probability, decision, variance), found.unknown))
    }

    /// How far rows are from the samples that are remembered; None: that cannot be told.
    #[pyo3(signature = (x, words))]
    fn novelty<'py>(
        &self,
        py: Python<'py>,
        x: Rows<'_>,
        words: Texts,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let x = x.matrix()?;
        let found = py.detach(|| self.0.novelty(x, &words)).map_err(raised)?;
        Ok(found.map(|novelty| PyArray1::from_vec(py, novelty)))
    }

    /// Which rows to label next, each with what its label is expected to bring.
    #[pyo3(signature = (x, words, count))]
    fn suggest(
        &self,
        py: Python<'_>,
        x: Rows<'_>,
        words: Texts,
        count: usize,
    ) -> PyResult<Vec<(usize, f64)>> {
        let x = x.matrix()?;
        py.detach(|| self.0.suggest(x, &words, count)).map_err(raised)
    }

    /// The same after it has learned on from new rows, and what is worth knowing of these.
    #[pyo3(signature = (samples, half_life, way))]
    fn update(
        slf: Py<Self>,
        py: Python<'_>,
        samples: Samples<'_>,
        half_life: Option<f64>,
        way: Way,
    ) -> PyResult<(Self, Vec<String>)> {
        let (samples, way) = (samples.copied()?, way.of_python());
        let fit =
            interruptible(py, move |caller| slf.get().0.update(samples, half_life, way, caller))?;
        fit.map(|(engine, notes)| (Self(engine), notes)).map_err(raised)
    }

    /// Everything that is known of the fit, as JSON: the program's, with iterations, and with the
    /// coefficients of machines that are linear in the features as they are given.
    fn describe(&self) -> PyResult<String> {
        Ok(self.0.describe().map_err(raised)?.to_string())
    }

    /// The same in words.
    fn summary(&self) -> String {
        self.0.summary()
    }

    /// What the features of each machine do, as JSON: a list of the program's `effects`.
    fn effects(&self, py: Python<'_>) -> PyResult<String> {
        Ok(py.detach(|| self.0.effects()).map_err(raised)?.to_string())
    }

    /// The paper's bound on errors from the training rows, as JSON; δ, c, r and g of the theorem.
    #[pyo3(signature = (x, words, positive, parameters))]
    fn bound(
        &self,
        py: Python<'_>,
        x: Rows<'_>,
        words: Texts,
        positive: PyReadonlyArray1<'_, bool>,
        parameters: (f64, f64, f64, f64),
    ) -> PyResult<String> {
        let (delta, margin, ratio, floor) = parameters;
        let settings = BoundSettings { delta, margin, ratio, floor, ..Default::default() };
        let (x, positive) = (x.matrix()?, positive.as_array().to_vec());
        let bound = py.detach(|| self.0.bound(x, &words, positive, &settings));
        Ok(bound.map_err(raised)?.to_string())
    }

    /// Writes a model file, the program's own.
    #[pyo3(signature = (path, label, labels_are_text))]
    fn write(&self, path: PathBuf, label: Option<String>, labels_are_text: bool) -> PyResult<()> {
        self.0.write(&path, label, labels_are_text).map_err(raised)
    }

    /// The machines as the bytes of an ONNX file.
    #[pyo3(signature = (float32))]
    fn onnx<'py>(&self, py: Python<'py>, float32: bool) -> PyResult<Bound<'py, PyBytes>> {
        let input = if float32 { Input::Single } else { Input::Double };
        Ok(PyBytes::new(py, &self.0.onnx(input).map_err(raised)?))
    }
}

/// What predicts, whether labels are text, names of columns.
type Read = (Engine, bool, Option<Vec<String>>);

/// A model file: what predicts, whether labels that look like something else are text, and the names
/// of the columns, where they had any. `checked`: its checksum must fit.
#[pyfunction]
#[pyo3(signature = (path, checked))]
pub fn read_model(path: PathBuf, checked: bool) -> PyResult<Read> {
    let engine = pfcvm_bridge::read_model(&path, checked).map_err(raised)?;
    let (labels_are_text, names) = (engine.file().labels_are_text, engine.column_names());
    Ok((Engine(engine), labels_are_text, names))
}
