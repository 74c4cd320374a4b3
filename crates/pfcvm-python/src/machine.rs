//! Every other method, by its text in the catalogue.

use crate::arrays::Rows;
use crate::background::interruptible;
use crate::engine::counted;
use crate::refusal::refused;
use numpy::{PyArray1, PyReadonlyArray1};
use pfcvm::Termination;
use pfcvm_methods::{Fitted, Spec, Stored, catalogue};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::json;

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Predicted<'py> = (Vector<'py>, Option<Vector<'py>>, Option<Vector<'py>>);

/// A fitted method of the catalogue.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Machine {
    fitted: Box<dyn Fitted>,
    about: About,
}

/// What is known beside what predicts.
#[derive(Clone, Serialize, Deserialize)]
struct About {
    /// Kept samples as rows of the training data.
    samples: Option<Vec<usize>>,
    ending: Option<(Termination, usize)>,
}

#[pymethods]
impl Machine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        let (stored, about): (Stored, About) = serde_json::from_slice(state).map_err(refused)?;
        Ok(Self { fitted: stored.into_fitted(), about })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let state = (self.fitted.stored(), &self.about);
        Ok((PyBytes::new(py, &serde_json::to_vec(&state).map_err(refused)?),))
    }

    /// Fits a method: `NAME[/key=value…]`.
    #[staticmethod]
    #[pyo3(signature = (method, x, positive, weights))]
    fn fit(
        py: Python<'_>,
        method: &str,
        x: Rows<'_>,
        positive: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        let spec: Spec = method.parse().map_err(refused)?;
        let learner = spec.build().map_err(refused)?;
        let counted = counted(x, positive, weights, 1)?;
        let (fitted, counted) = interruptible(py, move |_| (learner.fit(&counted.data), counted))?;
        let fitted = fitted.map_err(refused)?;
        let samples = fitted.selected_samples().map(|rows| counted.as_given(&rows));
        let about = About { samples, ending: fitted.ending() };
        Ok(Self { fitted, about })
    }

    /// Decision value, its variance and the probability of the positive class, as far as the method
    /// gives them.
    fn predict<'py>(&self, py: Python<'py>, x: Rows<'_>) -> PyResult<Predicted<'py>> {
        let x = x.matrix();
        let all = py.detach(|| self.fitted.predict(&x)).map_err(refused)?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok((array(all.decision), all.variance.map(array), all.probability.map(array)))
    }

    /// What is known of the fit, as JSON.
    fn describe(&self) -> String {
        let ending = self.about.ending;
        json!({
            "features": self.fitted.selected_features(),
            "feature_weights": self.fitted.feature_weights(),
            "samples": self.about.samples,
            "termination": ending.map(|(termination, _)| termination),
            "ending": ending.map(|(termination, _)| termination.to_string()),
            "iterations": ending.map(|(_, iterations)| iterations),
        })
        .to_string()
    }
}

/// The features that a method selects, best first where it ranks them.
#[pyfunction]
#[pyo3(signature = (method, x, positive, weights))]
pub fn select(
    py: Python<'_>,
    method: &str,
    x: Rows<'_>,
    positive: PyReadonlyArray1<'_, bool>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Vec<usize>> {
    let selector = Spec::of_selector(method).and_then(|spec| spec.selector()).map_err(refused)?;
    let counted = counted(x, positive, weights, 1)?;
    interruptible(py, move |_| selector.select(&counted.data))?.map_err(refused)
}

/// Every method with its settings, as JSON.
#[pyfunction]
pub fn methods() -> String {
    let settings = |entry: &pfcvm_methods::Entry| {
        let settings = entry.settings.iter();
        Vec::from_iter(settings.map(|setting| (setting.key, setting.default, setting.about)))
    };
    let entries = catalogue().iter().map(
        |entry| json!({ "name": entry.name, "about": entry.about, "settings": settings(entry) }),
    );
    serde_json::Value::Array(entries.collect()).to_string()
}
