//! PFCVM_LP and panels: fitted, described, predicting, in model files.

use crate::arrays::Rows;
use crate::background::{interruptible, pool};
use crate::overlay;
use crate::refusal::{not_fitted, not_written, refused};
use crate::rows::Counted;
use numpy::{PyArray1, PyReadonlyArray1};
use pfcvm::multiclass::{Machine, Machines, Scheme, Sparse};
use pfcvm::{BoundSettings, Dataset, Iteration, PanelRound};
use pfcvm_io::onnx::{self, Input};
use pfcvm_io::{FitSettings, Fitted, FittedMachine, ModelFile, Staged, Unnamed};
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
    predictor: FittedMachine,
}

/// All there is to know about a fit.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    settings: FitSettings,
    machine: FittedMachine,
    training_rows: usize,
    class_rows: Option<Vec<usize>>,
    trace: Vec<Iteration>,
    rounds: Vec<PanelRound>,
}

impl Engine {
    fn of(state: State) -> Self {
        let predictor = state.machine.among(&needed(&state.machine));
        Self { state, predictor }
    }

    fn inputs(&self) -> usize {
        self.state.machine.scaler().inputs()
    }
}

/// The features that prediction needs, ascending.
fn needed(machine: &FittedMachine) -> Vec<usize> {
    let mut needed: Vec<usize> = machine.selected_features().iter().map(|(k, _)| *k).collect();
    needed.sort_unstable();
    needed
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
        let mut fit = fit.map_err(not_fitted)?;
        let trace = std::mem::take(&mut fit.trace);
        let mut machine = FittedMachine::of_fit(fit, |row| row);
        machine.iterations = trace.len();
        machine.sample_rows = counted.as_given(&machine.sample_rows);
        Ok(Self::of(State {
            settings: FitSettings::Single(Box::new(settings)),
            machine,
            training_rows: counted.given_rows,
            class_rows: Some(counted.class_rows.to_vec()),
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
            settings: FitSettings::Panel(Box::new(settings)),
            machine: FittedMachine::of_panel(panel),
            training_rows: counted.given_rows,
            class_rows: Some(counted.class_rows.to_vec()),
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
            false => x.columns(&needed(&self.state.machine), self.inputs())?,
        };
        let pool = pool()?;
        let said = py.detach(|| pool.install(|| self.predictor.answer(&x))).map_err(refused)?;
        let array = |values| PyArray1::from_vec(py, values);
        let variance = said.variance.unwrap_or_default();
        Ok((array(said.decision), array(variance), array(said.probability)))
    }

    /// Everything that is known of the fit, as JSON.
    fn describe(&self) -> String {
        let State { settings, machine, .. } = &self.state;
        let settings = match settings {
            FitSettings::Single(settings) => json!(settings),
            FitSettings::Panel(settings) => json!(settings),
        };
        let FittedMachine { termination, iterations, log_evidence, .. } = machine;
        let about = match &machine.fitted {
            Fitted::Model(model) => json!({
                "kind": "single",
                "settings": settings,
                "features": model.feature_indices(),
                "feature_weights": model.feature_weights(),
                "feature_precisions": model.feature_precisions(),
                "feature_deviations": model.feature_deviations(),
                "feature_losses": model.feature_losses(),
                "samples": machine.sample_rows,
                "sample_positive": model.sample_positive(),
                "sample_weights": model.sample_weights(),
                "sample_deviations": model.sample_deviations(),
                "bias": model.bias(),
                "trace": self.state.trace,
            }),
            Fitted::Panel(panel) => json!({
                "kind": "panel",
                "settings": settings,
                "features": panel.feature_indices(),
                "feature_weights": panel.feature_weights(),
                "feature_deviations": panel.feature_deviations(),
                "importance": panel.importance(),
                "selection_frequencies": panel.selection_frequencies(),
                "short_list_suffices": panel.short_list_suffices(),
                "bias": panel.bias(),
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
        let Fitted::Model(model) = &self.state.machine.fitted else {
            return Err(refused("a panel has no bound: it is the mean of several machines"));
        };
        let (delta, margin, ratio, floor) = parameters;
        let settings = BoundSettings { delta, margin, ratio, floor, ..Default::default() };
        let data = Dataset::new(x.matrix(), positive.as_array().to_vec()).map_err(refused)?;
        let pool = pool()?;
        let bound = py
            .detach(|| pool.install(|| model.generalization_bound(&data, &settings)))
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
        written(&path, &self.file(classes, feature_names, label)?)
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
        let file = self.file(classes, feature_names, None)?;
        let input = if float32 { Input::Single } else { Input::Double };
        Ok(PyBytes::new(py, &onnx::export(&file, input).map_err(refused)?))
    }
}

impl Engine {
    /// What a model file of two classes holds; nothing if there are more.
    pub fn of_file(file: ModelFile) -> Option<Self> {
        let [machine] = <[FittedMachine; 1]>::try_from(file.machines.into_machines()).ok()?;
        Some(Self::of(State {
            settings: file.settings,
            machine,
            training_rows: file.training_rows,
            class_rows: file.class_rows,
            trace: Vec::new(),
            rounds: Vec::new(),
        }))
    }

    fn file(
        &self,
        classes: [String; 2],
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> PyResult<ModelFile> {
        let (unnamed, feature_names) = named(feature_names, self.inputs());
        let state = self.state.clone();
        let machines = Machines::new(Scheme::OneVsOne, 2, vec![state.machine]);
        Ok(ModelFile {
            classes: classes.to_vec(),
            label,
            class_rows: state.class_rows,
            unnamed,
            training_rows: state.training_rows,
            settings: state.settings,
            machines: machines.map_err(refused)?,
            feature_names,
        })
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
pub fn written(path: &Path, model: &ModelFile) -> PyResult<()> {
    let failed = |error| not_written(path, error);
    let mut bytes = Vec::new();
    model.write(&mut bytes).map_err(failed)?;
    // Names that no program could read back are refused before anything is written.
    ModelFile::read_from(&bytes[..]).map_err(refused)?;
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
