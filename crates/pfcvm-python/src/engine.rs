//! PFCVM_LP and panels of any number of classes: fitted, described, predicting, in model files.

use crate::arrays::{Known, Rows, Said, Samples, said};
use crate::background::{Caller, interruptible, pool, pool_of};
use crate::columns::{Texts, known};
use crate::refusal::{memory_limit, not_fitted, not_written, refused};
use numpy::PyReadonlyArray1;
use pfcvm::multiclass::{self, Dataset, Machines, Scheme, Share, Task};
use pfcvm::theory::BoundSettings;
use pfcvm_io::onnx::Input;
use pfcvm_io::{
    FitSettings, FittedMachine, ModelFile, Staged, Summary, TableForm, Unnamed, Variable, overlay,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Fitted models or panels, one for each two-class problem, as a model file has them.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Engine {
    file: ModelFile,
    /// Iterations or rounds of each machine; a file has none.
    traces: Vec<Value>,
    /// What predicts from the needed columns alone.
    predictor: Machines<FittedMachine>,
    /// What these are called and hold.
    needed: Vec<Variable>,
}

/// What a pickle holds: a model file whose names stand beside it, because a pickle may have names
/// that no file can.
#[derive(Serialize, Deserialize)]
struct Pickled {
    model: String,
    classes: Vec<String>,
    feature_names: Vec<String>,
    traces: Vec<Value>,
}

/// How Python wants a fit to be done, whatever its settings: within so many MiB, on several threads,
/// with a line for each iteration.
#[derive(FromPyObject)]
pub struct Way(Option<usize>, bool, bool);

#[pymethods]
impl Engine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        let Pickled { model, classes, feature_names, traces } =
            serde_json::from_slice(state).map_err(refused)?;
        let mut file = ModelFile::read_from(model.as_bytes()).map_err(refused)?;
        if (classes.len(), feature_names.len()) != (file.classes.len(), file.feature_names.len()) {
            return Err(refused("the state of a classifier is damaged"));
        }
        (file.classes, file.feature_names) = (classes, feature_names);
        Ok(Self::of(file, traces))
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let numbered = |count: usize| (0..count).map(|at| at.to_string()).collect();
        let plain = ModelFile {
            classes: numbered(self.file.classes.len()),
            feature_names: numbered(self.file.feature_names.len()),
            ..self.file.clone()
        };
        let mut model = Vec::new();
        plain.write(&mut model).map_err(refused)?;
        let state = Pickled {
            model: String::from_utf8(model).map_err(refused)?,
            classes: self.file.classes.clone(),
            feature_names: self.file.feature_names.clone(),
            traces: self.traces.clone(),
        };
        Ok((PyBytes::new(py, &serde_json::to_vec(&state).map_err(refused)?),))
    }

    /// Fits a model for each two-class problem of the scheme, or for all classes at once.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, way))]
    fn fit(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: &str,
        settings: &str,
        way: Way,
    ) -> PyResult<Self> {
        let scheme: Scheme = scheme.parse().map_err(refused)?;
        let (data, known) = samples.data()?;
        let (mut settings, data) = overlay::single(settings, data).map_err(refused)?;
        let Way(limit, parallel, verbose) = way;
        settings.memory_limit_mib = memory_limit(limit);
        settings.parallel = parallel;
        let pool = pool_of(parallel)?;
        let (fitted, data) = interruptible(py, move |caller| {
            settings.stop = Some(caller.stop().clone());
            let watch = |task: Task, iteration: &pfcvm::Iteration| {
                let (samples, features) = (iteration.samples, iteration.features);
                let text = format!("{samples} samples, {features} features");
                let at = (iteration.fold, iteration.number);
                // Machines that learn together have the same iterations.
                let task = (scheme != Scheme::Joint).then_some(task);
                tell(caller, verbose, &data, task, at, &text, iteration.log_evidence);
                caller.wants_more()
            };
            let fit = || multiclass::fit_choosing(&data, scheme, &settings, &watch);
            (pool.install(fit), data)
        })?;
        let (fitted, settings, choice) = fitted.map_err(not_fitted)?;
        let traces = fitted.machines().iter().map(|fit| json!(fit.trace)).collect();
        let machines = fitted.map(|fit| FittedMachine::of_fit(fit, |row| row));
        let settings = FitSettings::Single(Box::new(settings));
        let file = ModelFile { choice, ..file(&data, known, settings, machines) };
        Ok(Self::of(file, traces))
    }

    /// Fits a panel for each two-class problem of the scheme.
    #[staticmethod]
    #[pyo3(signature = (samples, scheme, settings, way))]
    fn fit_panel(
        py: Python<'_>,
        samples: Samples<'_>,
        scheme: &str,
        settings: &str,
        way: Way,
    ) -> PyResult<Self> {
        let scheme: Scheme = scheme.parse().map_err(refused)?;
        let (data, known) = samples.data()?;
        let (mut settings, data) = overlay::panel(settings, data).map_err(refused)?;
        let Way(limit, parallel, verbose) = way;
        settings.memory_limit_mib = memory_limit(limit);
        settings.parallel = parallel;
        let pool = pool_of(parallel)?;
        let (fitted, data, settings) = interruptible(py, move |caller| {
            settings.stop = Some(caller.stop().clone());
            let watch = |task: Task, round: &pfcvm::panel::PanelRound| {
                let text = format!("{} features", round.features);
                let at = (round.fold, round.number);
                let task = (scheme != Scheme::Joint).then_some(task);
                tell(caller, verbose, &data, task, at, &text, round.log_evidence);
                caller.wants_more()
            };
            let fit = || multiclass::fit_panel_with(&data, scheme, &settings, &watch);
            (pool.install(fit), data, settings)
        })?;
        let fitted = fitted.map_err(not_fitted)?;
        let traces = fitted.machines().iter().map(|panel| json!(panel.rounds())).collect();
        let settings = FitSettings::Panel(Box::new(settings));
        Ok(Self::of(file(&data, known, settings, fitted.map(FittedMachine::of_panel)), traces))
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
        let mut x = x.matrix();
        let unknown = known(&mut x, &words, &self.needed)?;
        let pool = pool()?;
        let found = py.detach(|| pool.install(|| self.predictor.predict(&x))).map_err(refused)?;
        let (decision, variance) = (&found.decision, found.variance.as_ref());
        Ok((said(py, &found.class, &found.probability, decision, variance), unknown))
    }

    /// Everything that is known of the fit, as JSON: the program's, with iterations, and with the
    /// coefficients of machines that are linear in the features as they are given.
    fn describe(&self) -> PyResult<String> {
        let mut about = serde_json::to_value(Summary::of(&self.file)).map_err(refused)?;
        about["shares"] = shares(&self.file.machines.feature_shares());
        about["needed_columns"] = json!(self.file.machines.needed_columns());
        about["feature_names"] = json!(self.file.feature_names);
        about["columns"] = json!(self.file.form.as_ref().map(TableForm::stored));
        about["n_columns"] = json!(self.file.columns().inputs());
        let machines = about["machines"].as_array_mut().into_iter().flatten();
        for (at, (of_one, machine)) in machines.zip(self.file.machines.machines()).enumerate() {
            of_one["trace"] = self.traces.get(at).cloned().unwrap_or_default();
            let linear = machine.model().and_then(pfcvm::Model::linear_form);
            of_one["linear"] =
                json!(linear.map(|form| (form.features, form.coefficients, form.constant)));
        }
        Ok(about.to_string())
    }

    /// The same in words.
    fn summary(&self) -> String {
        pfcvm_report::model_text(&Summary::of(&self.file).with_effects(&self.file))
    }

    /// What the features of each machine do, as JSON: a list of the program's `effects`.
    fn effects(&self, py: Python<'_>) -> PyResult<String> {
        let pool = pool()?;
        let summary =
            py.detach(|| pool.install(|| Summary::of(&self.file).with_effects(&self.file)));
        let machines = summary.machines.into_iter().map(|machine| machine.found.effects);
        serde_json::to_string(&Vec::from_iter(machines)).map_err(refused)
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
        let [machine] = self.file.machines.machines() else {
            return Err(refused("the bound is for two classes"));
        };
        let Some(model) = machine.model() else {
            return Err(refused("a panel has no bound: it is the mean of several machines"));
        };
        if model.broad().is_some() {
            return Err(refused(
                "a model for accuracy has no bound: a machine of all features votes with it; \
                 goal=\"list\" has one",
            ));
        }
        let (delta, margin, ratio, floor) = parameters;
        let settings = BoundSettings { delta, margin, ratio, floor, ..Default::default() };
        let mut x = x.matrix();
        known(&mut x, &words, &self.file.variables())?;
        let data = pfcvm::Dataset::new(x, positive.as_array().to_vec());
        let data = data.and_then(|data| data.with_columns(self.file.columns())).map_err(refused)?;
        let pool = pool()?;
        let bound = py.detach(|| pool.install(|| model.generalization_bound(&data, &settings)));
        serde_json::to_string(&bound.map_err(refused)?).map_err(refused)
    }

    /// Writes a model file, the program's own.
    #[pyo3(signature = (path, label, labels_are_text))]
    fn write(&self, path: PathBuf, label: Option<String>, labels_are_text: bool) -> PyResult<()> {
        let failed = |error| not_written(&path, error);
        let mut bytes = Vec::new();
        let file = ModelFile { label, labels_are_text, ..self.file.clone() };
        file.write(&mut bytes).map_err(failed)?;
        // Names that no program could read back are refused before anything is written.
        ModelFile::read_from(&bytes[..]).map_err(refused)?;
        let mut staged = Staged::create(&path).map_err(failed)?;
        std::io::Write::write_all(&mut staged, &bytes).map_err(failed)?;
        staged.finish().map_err(failed)
    }

    /// The machines as the bytes of an ONNX file.
    #[pyo3(signature = (float32))]
    fn onnx<'py>(&self, py: Python<'py>, float32: bool) -> PyResult<Bound<'py, PyBytes>> {
        let input = if float32 { Input::Single } else { Input::Double };
        let bytes = pfcvm_io::onnx::export(&self.file, input).map_err(refused)?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl Engine {
    fn of(file: ModelFile, traces: Vec<Value>) -> Self {
        let (predictor, needed) = (file.predictor(), file.needed_columns());
        Self { file, traces, predictor, needed }
    }
}

/// What predicts, whether labels are text, names of columns.
type Read = (Engine, bool, Option<Vec<String>>);

/// A model file: what predicts, whether labels that look like something else are text, and the names
/// of the columns, where they had any. `checked`: its checksum must fit.
#[pyfunction]
#[pyo3(signature = (path, checked))]
pub fn read_model(path: PathBuf, checked: bool) -> PyResult<Read> {
    let read = if checked { ModelFile::read(&path) } else { ModelFile::read_unchecked(&path) };
    let file = read.map_err(refused)?;
    let names = || file.variables().into_iter().map(|variable| variable.name).collect();
    let names = file.unnamed.is_none().then(names);
    let labels_are_text = file.labels_are_text;
    Ok((Engine::of(file, Vec::new()), labels_are_text, names))
}

/// Features with their shares, as JSON.
pub fn shares(of: &[Share]) -> Value {
    json!(Vec::from_iter(of.iter().map(|one| (one.index, one.share))))
}

/// A fit as it is stored.
fn file(
    data: &Dataset,
    Known { named, form }: Known,
    settings: FitSettings,
    machines: Machines<FittedMachine>,
) -> ModelFile {
    let inputs = data.x().cols();
    ModelFile {
        classes: data.class_names().to_vec(),
        labels_are_text: false,
        class_rows: Some(data.class_counts()),
        label: None,
        unnamed: (!named).then_some(Unnamed { columns: inputs + 1, label: inputs }),
        training_rows: data.len(),
        settings,
        machines,
        form: form.stored(),
        feature_names: form.features,
        missing: Vec::new(),
        choice: None,
    }
}

/// A line about an iteration, with its machine where there are several, and the part of the rows that
/// it does without, if it does.
fn tell(
    caller: &Caller<'_>,
    verbose: bool,
    data: &Dataset,
    task: Option<Task>,
    (part, number): (Option<usize>, usize),
    text: &str,
    log_evidence: f64,
) {
    if verbose {
        let classes = data.class_names();
        let whose = task.filter(|_| classes.len() > 2);
        let whose = whose.map(|task| task.name(classes) + ", ").unwrap_or_default();
        let without = part.map(|part| format!("part {part} held out, ")).unwrap_or_default();
        let about = format!("{text}, log evidence {log_evidence:.4}");
        caller.say(format!("{whose}{without}iteration {number}: {about}"));
    }
}
