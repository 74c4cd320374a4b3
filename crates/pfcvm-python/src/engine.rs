//! PFCVM_LP and panels: fitted, described, predicting, in model files.

use crate::arrays::Rows;
use crate::background::{interruptible, pool};
use crate::overlay;
use crate::refusal::{not_fitted, not_written, refused};
use crate::rows::Counted;
use numpy::{PyArray1, PyReadonlyArray1};
use pfcvm::{
    BoundSettings, Dataset, Fit, Iteration, Matrix, Model, Panel, PanelRound, Termination,
};
use pfcvm_io::{Fitted, Listed, ModelFile, Single, Staged, StoredModel, Unnamed};
use pfcvm_onnx::Input;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Predicted<'py> = (Vector<'py>, Vector<'py>, Vector<'py>);

/// A fitted model or panel.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Engine {
    state: State,
    predictor: Predictor,
}

/// All there is to know about a fit.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    fitted: Fitted,
    termination: Termination,
    iterations: usize,
    log_evidence: f64,
    /// Kept samples as rows of the training data, in the model's order.
    sample_rows: Vec<usize>,
    training_rows: usize,
    class_rows: Option<[usize; 2]>,
    trace: Vec<Iteration>,
    rounds: Vec<PanelRound>,
}

/// What predicts from the needed features alone.
enum Predictor {
    Single(Model),
    Panel(Panel),
}

impl Engine {
    fn of(state: State) -> Self {
        let predictor = match &state.fitted {
            Fitted::Single(single) => Predictor::Single(single.model.compact()),
            Fitted::Panel(listed) => Predictor::Panel(listed.panel.compact()),
        };
        Self { state, predictor }
    }

    fn needed(&self) -> &[usize] {
        match &self.state.fitted {
            Fitted::Single(single) => single.model.feature_indices(),
            Fitted::Panel(listed) => listed.panel.feature_indices(),
        }
    }

    fn inputs(&self) -> usize {
        match &self.state.fitted {
            Fitted::Single(single) => single.model.scaler().inputs(),
            Fitted::Panel(listed) => listed.panel.scaler().inputs(),
        }
    }
}

#[pymethods]
impl Engine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        Ok(Self::of(serde_json::from_slice(state).map_err(refused)?))
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        Ok((PyBytes::new(py, &serde_json::to_vec(&self.state).map_err(refused)?),))
    }

    /// Fits one model.
    #[staticmethod]
    #[pyo3(signature = (x, positive, weights, settings, algorithm, memory_limit_mib, parallel))]
    #[allow(clippy::too_many_arguments)] // what Python has to say about a fit, once
    fn fit(
        py: Python<'_>,
        x: Rows<'_>,
        positive: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        settings: &str,
        algorithm: &str,
        memory_limit_mib: Option<usize>,
        parallel: bool,
    ) -> PyResult<Self> {
        let mut settings = overlay::engine(settings, algorithm)?;
        (settings.memory_limit_mib, settings.parallel) = (memory_limit_mib, parallel);
        let counted = counted(x, positive, weights, 2)?;
        let pool = pool()?;
        let (fit, counted, settings) = interruptible(py, move |stop| {
            let mut watch = |_: &Iteration| going(stop);
            let fit = pool.install(|| pfcvm::fit_with(&counted.data, &settings, &mut watch));
            (fit, counted, settings)
        })?;
        let Fit { model, termination, trace, log_evidence, .. } = fit.map_err(not_fitted)?;
        let sample_rows = counted.as_given(model.sample_indices());
        Ok(Self::of(State {
            sample_rows,
            termination,
            iterations: trace.len(),
            log_evidence,
            training_rows: counted.given_rows,
            class_rows: Some(counted.class_rows),
            fitted: Fitted::Single(Box::new(Single { settings, model })),
            trace,
            rounds: Vec::new(),
        }))
    }

    /// Fits a panel.
    #[staticmethod]
    #[pyo3(signature = (x, positive, weights, settings, parallel))]
    fn fit_panel(
        py: Python<'_>,
        x: Rows<'_>,
        positive: PyReadonlyArray1<'_, bool>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        settings: &str,
        parallel: bool,
    ) -> PyResult<Self> {
        let settings = overlay::panel(settings, parallel)?;
        let counted = counted(x, positive, weights, 4)?;
        let pool = pool()?;
        let (panel, counted, settings) = interruptible(py, move |stop| {
            let mut watch = |_: &PanelRound| going(stop);
            let panel =
                pool.install(|| pfcvm::fit_panel_with(&counted.data, &settings, &mut watch));
            (panel, counted, settings)
        })?;
        let panel = panel.map_err(not_fitted)?;
        let rounds = panel.rounds().to_vec();
        Ok(Self::of(State {
            sample_rows: Vec::new(),
            termination: panel.termination(),
            iterations: rounds.len(),
            log_evidence: rounds.last().map_or(0.0, |last| last.log_evidence),
            training_rows: counted.given_rows,
            class_rows: Some(counted.class_rows),
            fitted: Fitted::Panel(Box::new(Listed { settings, panel })),
            trace: Vec::new(),
            rounds,
        }))
    }

    /// Decision value, its variance, and the probability of the positive class for each row.
    /// With `kept_only`, `x` holds nothing but the needed features, in their order.
    #[pyo3(signature = (x, kept_only = false))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: Rows<'_>,
        kept_only: bool,
    ) -> PyResult<Predicted<'py>> {
        let x = match kept_only {
            true => x.matrix(),
            false => x.columns(self.needed(), self.inputs())?,
        };
        let pool = pool()?;
        let [decision, variance, probability] =
            py.detach(|| pool.install(|| self.predictor.predict(&x))).map_err(refused)?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok((array(decision), array(variance), array(probability)))
    }

    /// Everything that is known of the fit, as JSON.
    fn describe(&self) -> String {
        let State { fitted, termination, iterations, log_evidence, .. } = &self.state;
        let about = match fitted {
            Fitted::Single(single) => json!({
                "kind": "single",
                "settings": single.settings,
                "features": single.model.feature_indices(),
                "feature_weights": single.model.feature_weights(),
                "feature_precisions": single.model.feature_precisions(),
                "feature_deviations": single.model.feature_deviations(),
                "feature_losses": single.model.feature_losses(),
                "samples": self.state.sample_rows,
                "sample_positive": single.model.sample_positive(),
                "sample_weights": single.model.sample_weights(),
                "sample_deviations": single.model.sample_deviations(),
                "bias": single.model.bias(),
                "trace": self.state.trace,
            }),
            Fitted::Panel(listed) => json!({
                "kind": "panel",
                "settings": listed.settings,
                "features": listed.panel.feature_indices(),
                "feature_weights": listed.panel.feature_weights(),
                "feature_deviations": listed.panel.feature_deviations(),
                "importance": listed.panel.importance(),
                "selection_frequencies": listed.panel.selection_frequencies(),
                "short_list_suffices": listed.panel.short_list_suffices(),
                "bias": listed.panel.bias(),
                "trace": self.state.rounds,
            }),
        };
        let end = json!({
            "termination": termination, "ending": termination.to_string(),
            "iterations": iterations, "log_evidence": log_evidence, "inputs": self.inputs(),
        });
        let (Value::Object(mut about), Value::Object(end)) = (about, end) else {
            return String::new();
        };
        about.extend(end);
        Value::Object(about).to_string()
    }

    /// The paper's bound on errors from the training rows, as JSON; δ, c, r and g of the theorem.
    #[pyo3(signature = (x, positive, parameters))]
    fn bound(
        &self,
        py: Python<'_>,
        x: Rows<'_>,
        positive: PyReadonlyArray1<'_, bool>,
        parameters: (f64, f64, f64, f64),
    ) -> PyResult<String> {
        let Fitted::Single(single) = &self.state.fitted else {
            return Err(refused("a panel has no bound: it is the mean of several machines"));
        };
        let (delta, margin, ratio, floor) = parameters;
        let settings = BoundSettings { delta, margin, ratio, floor, ..Default::default() };
        let data = Dataset::new(x.matrix(), positive.as_array().to_vec()).map_err(refused)?;
        let pool = pool()?;
        let bound = py
            .detach(|| pool.install(|| single.model.generalization_bound(&data, &settings)))
            .map_err(refused)?;
        serde_json::to_string(&bound).map_err(refused)
    }

    /// Writes a model file, the program's own. Columns without names are x1, x2, …
    #[pyo3(signature = (path, classes, feature_names, label))]
    fn write(
        &self,
        path: PathBuf,
        classes: [String; 2],
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> PyResult<()> {
        let file = self.file(classes, feature_names, label);
        written(&path, &StoredModel::TwoClasses(Box::new(file)))
    }

    /// The model as the bytes of an ONNX file.
    #[pyo3(signature = (classes, feature_names, float32))]
    fn onnx<'py>(
        &self,
        py: Python<'py>,
        classes: [String; 2],
        feature_names: Option<Vec<String>>,
        float32: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let file = self.file(classes, feature_names, None);
        let input = if float32 { Input::Single } else { Input::Double };
        Ok(PyBytes::new(py, &pfcvm_onnx::export(&file, input).map_err(refused)?))
    }
}

impl Engine {
    /// What a model file holds.
    pub fn of_file(file: ModelFile) -> Self {
        Self::of(State {
            fitted: file.fitted,
            termination: file.termination,
            iterations: file.iterations,
            log_evidence: file.log_evidence,
            sample_rows: file.sample_rows,
            training_rows: file.training_rows,
            class_rows: file.class_rows,
            trace: Vec::new(),
            rounds: Vec::new(),
        })
    }

    fn file(
        &self,
        classes: [String; 2],
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> ModelFile {
        let (unnamed, feature_names) = named(feature_names, self.inputs());
        let state = self.state.clone();
        ModelFile {
            classes,
            label,
            class_rows: state.class_rows,
            unnamed,
            training_rows: state.training_rows,
            sample_rows: state.sample_rows,
            termination: state.termination,
            iterations: state.iterations,
            log_evidence: state.log_evidence,
            fitted: state.fitted,
            feature_names,
        }
    }
}

impl Predictor {
    fn predict(&self, x: &Matrix) -> Result<[Vec<f64>; 3], pfcvm::Error> {
        match self {
            Predictor::Single(model) => {
                let all = model.predict(x)?;
                Ok([all.decision, all.variance, all.probability])
            }
            Predictor::Panel(panel) => {
                let all = panel.predict(x)?;
                Ok([all.decision, all.variance, all.probability])
            }
        }
    }
}

/// Whether a fit goes on.
pub fn going(stop: &AtomicBool) -> ControlFlow<()> {
    match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Writes a model file.
pub fn written(path: &Path, model: &StoredModel) -> PyResult<()> {
    let failed = |error| not_written(path, error);
    let mut bytes = Vec::new();
    model.write(&mut bytes).map_err(failed)?;
    // Names that no program could read back are refused before anything is written.
    StoredModel::read_from(&bytes[..]).map_err(refused)?;
    let mut staged = Staged::create(path).map_err(failed)?;
    std::io::Write::write_all(&mut staged, &bytes).map_err(failed)?;
    staged.finish().map_err(failed)
}

/// Names of so many columns; x1, x2, … where they have none, and what such data look like.
pub fn named(names: Option<Vec<String>>, inputs: usize) -> (Option<Unnamed>, Vec<String>) {
    let unnamed = names.is_none().then_some(Unnamed { columns: inputs + 1, label: inputs });
    let numbered = || (1..=inputs).map(|at| format!("x{at}")).collect();
    (unnamed, names.unwrap_or_else(numbered))
}

/// Arrays as a data set, for a method that asks for `needed` rows of each class.
pub fn counted(
    x: Rows<'_>,
    positive: PyReadonlyArray1<'_, bool>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    needed: usize,
) -> PyResult<Counted> {
    let positive = positive.as_array().to_vec();
    let weights = weights.map(|weights| weights.as_array().to_vec());
    Counted::new(x.matrix(), positive, weights, needed).map_err(refused)
}
