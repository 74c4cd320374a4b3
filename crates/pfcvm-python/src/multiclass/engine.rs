//! PFCVM_LP and panels of more than two classes.

use super::{Called, Samples, Table, called, joined, overall, scheme, table};
use crate::arrays::Rows;
use crate::background::{interruptible, pool, pool_of};
use crate::engine::{going, named, written};
use crate::overlay;
use crate::refusal::{not_fitted, refused};
use pfcvm::{Matrix, Model, Multiclass, Panel, Task, parts};
use pfcvm_io::onnx::{self, Input};
use pfcvm_io::{FitSettings, Fitted, FittedMachine, ModelFile};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Fitted models or panels, one for each two-class problem.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct MulticlassEngine {
    state: State,
    predictor: Multiclass<FittedMachine>,
}

/// All there is to know about a fit.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    settings: FitSettings,
    machines: Multiclass<FittedMachine>,
    class_rows: Vec<usize>,
    /// Iterations or rounds of each machine.
    traces: Vec<Value>,
}

#[pymethods]
impl MulticlassEngine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        Ok(Self::of(serde_json::from_slice(state).map_err(refused)?))
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        Ok((PyBytes::new(py, &serde_json::to_vec(&self.state).map_err(refused)?),))
    }

    /// Fits a model for each two-class problem of the scheme.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, algorithm, memory_limit_mib, parallel))]
    fn fit(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: &str,
        settings: &str,
        algorithm: &str,
        memory_limit_mib: Option<usize>,
        parallel: bool,
    ) -> PyResult<Self> {
        let scheme = self::scheme(scheme)?;
        let mut settings = overlay::engine(settings, algorithm)?;
        (settings.memory_limit_mib, settings.parallel) = (memory_limit_mib, parallel);
        let given = samples.given()?;
        let class_rows = given.data.class_counts();
        let pool = pool_of(parallel)?;
        let (fitted, settings) = interruptible(py, move |stop| {
            let one = |task: Task, of_task: &pfcvm::Dataset| {
                let (counted, rows) = given.of_machine(task, of_task.clone(), 2)?;
                let mut fit = pfcvm::fit_with(&counted.data, &settings, &mut |_| going(stop))?;
                fit.model = parts::in_rows(fit.model, &rows);
                Ok(fit)
            };
            (pool.install(|| Multiclass::fit(&given.data, scheme, one)), settings)
        })?;
        let fitted = fitted.map_err(not_fitted)?;
        Ok(Self::of(State {
            class_rows,
            traces: fitted.machines().iter().map(|fit| json!(fit.trace)).collect(),
            settings: FitSettings::Single(Box::new(settings)),
            machines: fitted.map(|fit| FittedMachine::of_fit(fit, |row| row)),
        }))
    }

    /// Fits a panel for each two-class problem of the scheme.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, parallel))]
    fn fit_panel(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: &str,
        settings: &str,
        parallel: bool,
    ) -> PyResult<Self> {
        let scheme = self::scheme(scheme)?;
        let settings = overlay::panel(settings, parallel)?;
        let given = samples.given()?;
        let class_rows = given.data.class_counts();
        let pool = pool_of(parallel)?;
        let (fitted, settings) = interruptible(py, move |stop| {
            let one = |task: Task, of_task: &pfcvm::Dataset| {
                let (counted, _) = given.of_machine(task, of_task.clone(), 4)?;
                pfcvm::fit_panel_with(&counted.data, &settings, &mut |_| going(stop))
            };
            (pool.install(|| Multiclass::fit(&given.data, scheme, one)), settings)
        })?;
        let machines = fitted.map_err(not_fitted)?;
        Ok(Self::of(State {
            class_rows,
            traces: machines.machines().iter().map(|panel| json!(panel.rounds())).collect(),
            settings: FitSettings::Panel(Box::new(settings)),
            machines: machines.map(FittedMachine::of_panel),
        }))
    }

    /// The class of each row and the probabilities of all classes. With `kept_only`, `x` holds
    /// nothing but the needed features, ascending.
    #[pyo3(signature = (x, kept_only = false))]
    fn predict<'py>(&self, py: Python<'py>, x: Rows<'_>, kept_only: bool) -> PyResult<Called<'py>> {
        let x = self.needed_columns(x, kept_only)?;
        let pool = pool()?;
        let said = py.detach(|| pool.install(|| self.predictor.predict(&x))).map_err(refused)?;
        Ok(called(py, &said))
    }

    /// Decision values and their variances, a column for each machine.
    #[pyo3(signature = (x, kept_only = false))]
    fn latent<'py>(
        &self,
        py: Python<'py>,
        x: Rows<'_>,
        kept_only: bool,
    ) -> PyResult<(Table<'py>, Table<'py>)> {
        let x = self.needed_columns(x, kept_only)?;
        let pool = pool()?;
        let said = py.detach(|| pool.install(|| self.predictor.predict(&x))).map_err(refused)?;
        let variance = said.variance.unwrap_or_else(|| Matrix::zeros(x.rows(), 0));
        Ok((table(py, &said.decision), table(py, &variance)))
    }

    /// Everything that is known of the fit, as JSON.
    fn describe(&self) -> String {
        let State { settings, machines, traces, .. } = &self.state;
        let (kind, settings) = match settings {
            FitSettings::Single(settings) => ("single", json!(settings)),
            FitSettings::Panel(settings) => ("panel", json!(settings)),
        };
        let about =
            joined(overall(machines.machines()), json!({"kind": kind, "settings": settings}));
        let scheme = machines.scheme();
        let no_trace = Value::Array(Vec::new());
        let machines = machines.iter().enumerate().map(|(at, (task, ending))| {
            let machine = match &ending.fitted {
                Fitted::Model(model) => of_model(model),
                Fitted::Panel(panel) => of_panel(panel),
            };
            let end = json!({
                "positive": task.positive, "negative": task.negative,
                "termination": ending.termination, "ending": ending.termination.to_string(),
                "iterations": ending.iterations, "log_evidence": ending.log_evidence,
                "trace": traces.get(at).unwrap_or(&no_trace),
            });
            joined(machine, end)
        });
        let machines = Value::Array(machines.collect());
        let end = json!({
            "scheme": super::name(scheme), "machines": machines, "inputs": self.inputs(),
        });
        joined(about, end).to_string()
    }

    /// Writes a model file, the program's own. Columns without names are x1, x2, …
    #[pyo3(signature = (path, classes, feature_names, label))]
    fn write(
        &self,
        path: PathBuf,
        classes: Vec<String>,
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> PyResult<()> {
        written(&path, &self.file(classes, feature_names, label))
    }

    /// The models as the bytes of an ONNX file.
    #[pyo3(signature = (classes, feature_names, float32))]
    fn onnx<'py>(
        &self,
        py: Python<'py>,
        classes: Vec<String>,
        feature_names: Option<Vec<String>>,
        float32: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let file = self.file(classes, feature_names, None);
        let input = if float32 { Input::Single } else { Input::Double };
        Ok(PyBytes::new(py, &onnx::export(&file, input).map_err(refused)?))
    }
}

impl MulticlassEngine {
    fn of(state: State) -> Self {
        let predictor = state.machines.compact();
        Self { state, predictor }
    }

    /// What a model file holds.
    pub fn of_file(file: ModelFile) -> Self {
        let ModelFile { settings, machines, class_rows, .. } = file;
        let class_rows = class_rows.unwrap_or_default();
        Self::of(State { settings, machines, class_rows, traces: Vec::new() })
    }

    fn needed_columns(&self, x: Rows<'_>, kept_only: bool) -> PyResult<Matrix> {
        if kept_only {
            return Ok(x.matrix());
        }
        x.columns(&self.state.machines.needed_features(), self.inputs())
    }

    /// Columns of the training data; every machine has seen them all.
    fn inputs(&self) -> usize {
        self.state.machines.machines().first().map_or(0, |machine| machine.scaler().inputs())
    }

    fn file(
        &self,
        classes: Vec<String>,
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> ModelFile {
        let (unnamed, feature_names) = named(feature_names, self.inputs());
        let State { settings, machines, class_rows, .. } = self.state.clone();
        let training_rows = class_rows.iter().sum();
        let class_rows = Some(class_rows);
        ModelFile {
            classes,
            class_rows,
            label,
            unnamed,
            training_rows,
            settings,
            machines,
            feature_names,
        }
    }
}

fn of_model(model: &Model) -> Value {
    let signed = model.sample_weights().iter().zip(model.sample_positive());
    json!({
        "features": model.feature_indices(),
        "feature_weights": model.feature_weights(),
        "feature_deviations": model.feature_deviations(),
        "feature_losses": model.feature_losses(),
        "samples": model.sample_indices(),
        "sample_weights": Vec::from_iter(signed.map(|(w, positive)| if positive { *w } else { -w })),
        "bias": model.bias(),
    })
}

fn of_panel(panel: &Panel) -> Value {
    json!({
        "features": panel.feature_indices(),
        "feature_weights": panel.feature_weights(),
        "feature_deviations": panel.feature_deviations(),
        "importance": panel.importance(),
        "selection_frequencies": panel.selection_frequencies(),
        "short_list_suffices": panel.short_list_suffices(),
        "bias": panel.bias(),
    })
}
