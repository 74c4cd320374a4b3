//! PFCVM_LP and panels of more than two classes.

use super::{Called, Samples, Table, called, joined, overall, scheme, table};
use crate::arrays::Rows;
use crate::background::{interruptible, pool, pool_of};
use crate::engine::{going, named, written};
use crate::overlay;
use crate::refusal::{not_fitted, refused};
use pfcvm::{Fit, Matrix, Model, Multiclass, MulticlassPrediction, Panel, Task, parts};
use pfcvm_io::{Ending, MulticlassFile, MulticlassFitted, StoredModel};
use pfcvm_onnx::Input;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Fitted models or panels, one for each two-class problem.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct MulticlassEngine {
    state: State,
    predictor: Predictor,
}

/// All there is to know about a fit.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    fitted: MulticlassFitted,
    endings: Vec<Ending>,
    class_rows: Vec<usize>,
    /// Iterations or rounds of each machine.
    traces: Vec<Value>,
}

/// Decision values and variances of each machine.
type Latent = Vec<(Vec<f64>, Vec<f64>)>;

/// What predicts from the needed features alone.
enum Predictor {
    Models(Multiclass<Model>),
    Panels(Multiclass<Panel>),
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
        let ending = |fit: &Fit| Ending {
            termination: fit.termination,
            iterations: fit.trace.len(),
            log_evidence: fit.log_evidence,
        };
        Ok(Self::of(State {
            endings: fitted.machines().iter().map(ending).collect(),
            class_rows,
            traces: fitted.machines().iter().map(|fit| json!(fit.trace)).collect(),
            fitted: MulticlassFitted::Models {
                settings: Box::new(settings),
                machines: fitted.into_models(),
            },
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
        let ending = |panel: &Panel| Ending {
            termination: panel.termination(),
            iterations: panel.rounds().len(),
            log_evidence: panel.rounds().last().map_or(0.0, |last| last.log_evidence),
        };
        Ok(Self::of(State {
            endings: machines.machines().iter().map(ending).collect(),
            class_rows,
            traces: machines.machines().iter().map(|panel| json!(panel.rounds())).collect(),
            fitted: MulticlassFitted::Panels { settings: Box::new(settings), machines },
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
        let parts = py.detach(|| pool.install(|| self.predictor.latent(&x))).map_err(refused)?;
        let (decision, variance): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let whole =
            |columns: Vec<Vec<f64>>| Matrix::from_fn(x.rows(), columns.len(), |i, j| columns[j][i]);
        Ok((table(py, &whole(decision)), table(py, &whole(variance))))
    }

    /// Everything that is known of the fit, as JSON.
    fn describe(&self) -> String {
        let State { fitted, endings, traces, .. } = &self.state;
        let (about, machines, tasks) = match fitted {
            MulticlassFitted::Models { settings, machines } => (
                joined(
                    overall(machines.machines()),
                    json!({"kind": "single", "settings": settings}),
                ),
                Vec::from_iter(machines.machines().iter().map(of_model)),
                (machines.scheme(), machines.tasks()),
            ),
            MulticlassFitted::Panels { settings, machines } => (
                joined(
                    overall(machines.machines()),
                    json!({"kind": "panel", "settings": settings}),
                ),
                Vec::from_iter(machines.machines().iter().map(of_panel)),
                (machines.scheme(), machines.tasks()),
            ),
        };
        let (scheme, tasks) = tasks;
        let no_trace = Value::Array(Vec::new());
        let machines = machines.into_iter().zip(tasks).zip(endings).enumerate().map(
            |(at, ((machine, task), ending))| {
                let end = json!({
                    "positive": task.positive, "negative": task.negative,
                    "termination": ending.termination, "ending": ending.termination.to_string(),
                    "iterations": ending.iterations, "log_evidence": ending.log_evidence,
                    "trace": traces.get(at).unwrap_or(&no_trace),
                });
                joined(machine, end)
            },
        );
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
        let file = self.file(classes, feature_names, label);
        written(&path, &StoredModel::Multiclass(Box::new(file)))
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
        Ok(PyBytes::new(py, &pfcvm_onnx::export_multiclass(&file, input).map_err(refused)?))
    }
}

impl MulticlassEngine {
    fn of(state: State) -> Self {
        let predictor = match &state.fitted {
            MulticlassFitted::Models { machines, .. } => Predictor::Models(machines.compact()),
            MulticlassFitted::Panels { machines, .. } => Predictor::Panels(machines.compact()),
        };
        Self { state, predictor }
    }

    /// What a model file holds.
    pub fn of_file(file: MulticlassFile) -> Self {
        let MulticlassFile { fitted, endings, class_rows, .. } = file;
        Self::of(State { fitted, endings, class_rows, traces: Vec::new() })
    }

    fn needed_columns(&self, x: Rows<'_>, kept_only: bool) -> PyResult<Matrix> {
        if kept_only {
            return Ok(x.matrix());
        }
        let needed = match &self.state.fitted {
            MulticlassFitted::Models { machines, .. } => machines.needed_features(),
            MulticlassFitted::Panels { machines, .. } => machines.needed_features(),
        };
        x.columns(&needed, self.inputs())
    }

    /// Columns of the training data; every machine has seen them all.
    fn inputs(&self) -> usize {
        match &self.state.fitted {
            MulticlassFitted::Models { machines, .. } => {
                machines.machines().first().map_or(0, |model| model.scaler().inputs())
            }
            MulticlassFitted::Panels { machines, .. } => {
                machines.machines().first().map_or(0, |panel| panel.scaler().inputs())
            }
        }
    }

    fn file(
        &self,
        classes: Vec<String>,
        feature_names: Option<Vec<String>>,
        label: Option<String>,
    ) -> MulticlassFile {
        let (unnamed, feature_names) = named(feature_names, self.inputs());
        let State { fitted, endings, class_rows, .. } = self.state.clone();
        MulticlassFile { classes, class_rows, label, unnamed, endings, fitted, feature_names }
    }
}

impl Predictor {
    fn predict(&self, x: &Matrix) -> Result<MulticlassPrediction, pfcvm::Error> {
        match self {
            Predictor::Models(machines) => machines.predict(x),
            Predictor::Panels(machines) => machines.predict(x),
        }
    }

    fn latent(&self, x: &Matrix) -> Result<Latent, pfcvm::Error> {
        match self {
            Predictor::Models(machines) => {
                let said = machines.machines().iter().map(|model| model.predict(x));
                said.map(|said| said.map(|said| (said.decision, said.variance))).collect()
            }
            Predictor::Panels(machines) => {
                let said = machines.machines().iter().map(|panel| panel.predict(x));
                said.map(|said| said.map(|said| (said.decision, said.variance))).collect()
            }
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
