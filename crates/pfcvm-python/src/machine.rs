//! Every other method, by its text in the catalogue, for any number of classes.

use crate::arrays::{Rows, Said, Samples, said};
use crate::background::{interruptible, pool};
use crate::refusal::{raised, refused, too_large};
use pfcvm::data::Columns;
use pfcvm::multiclass::{Machines, Scheme, Task};
use pfcvm_bridge::{Texts, columns_of, known, memory_limit, shares};
use pfcvm_io::{StoredColumn, TableForm, Variable};
use pfcvm_methods::{
    Entry, Fitted, FittedClasses, Role, Setting, Spec, Stored, Takes, catalogue, during,
    fit_classes,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

/// A fitted method of the catalogue.
#[pyclass(frozen, module = "pfcvm._pfcvm")]
pub struct Machine {
    fitted: FittedClasses,
    classes: Vec<String>,
    /// Names of the features of the training data.
    features: Vec<String>,
    /// What its columns were, where they were not all numbers and features by themselves.
    stored: Option<Vec<StoredColumn>>,
    /// The same for a fit.
    columns: Columns,
}

/// What a pickle holds.
type State = (Machines<Stored>, Vec<String>, Vec<String>, Option<Vec<StoredColumn>>);

#[pymethods]
impl Machine {
    /// From the state that a pickle holds.
    #[new]
    fn new(state: &[u8]) -> PyResult<Self> {
        let (machines, classes, features, stored): State =
            serde_json::from_slice(state).map_err(refused)?;
        let columns = match &stored {
            Some(stored) => columns_of(stored).map_err(raised)?,
            None => Columns::numbers(features.len()),
        };
        if classes.len() != machines.classes() || columns.features() != features.len() {
            return Err(refused("the state of a classifier is damaged"));
        }
        Ok(Self { fitted: machines.into(), classes, features, stored, columns })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        let state = (self.fitted.stored(), &self.classes, &self.features, &self.stored);
        Ok((PyBytes::new(py, &serde_json::to_vec(&state).map_err(refused)?),))
    }

    /// Fits a method, `NAME[/key=value…]`, for each two-class problem of the scheme.
    #[staticmethod]
    #[pyo3(signature = (method, samples, scheme))]
    fn fit(py: Python<'_>, method: &str, samples: Samples<'_>, scheme: &str) -> PyResult<Self> {
        let scheme: Scheme = scheme.parse().map_err(refused)?;
        let spec: Spec = method.parse().map_err(refused)?;
        let (data, known) = samples.copied()?.data().map_err(raised)?;
        let (classes, columns) = (data.class_names().to_vec(), data.columns().clone());
        let pool = pool()?;
        let at_once = scheme.of_two().tasks(classes.len()).len().min(pool.current_num_threads());
        if let Some(limit) = memory_limit(None) {
            let size = (data.len(), columns.inputs());
            spec.check_memory(size, at_once, limit).map_err(too_large)?;
        }
        let fitted = interruptible(py, move |caller| {
            pool.install(|| fit_classes(&spec, &data, scheme, caller.stop()))
        })?;
        let fitted = fitted.map_err(refused)?;
        let stored = known.form.stored().as_ref().map(TableForm::stored);
        Ok(Self { fitted, classes, features: known.form.features, stored, columns })
    }

    /// What the machines say about rows that hold nothing but the needed columns, ascending, and how
    /// many cells of each column of words hold one that is not known.
    #[pyo3(signature = (x, words))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        x: Rows<'_>,
        mut words: Texts,
    ) -> PyResult<(Said<'py>, Vec<usize>)> {
        let mut x = match self.needed_columns() {
            Some(needed) => {
                words.iter_mut().for_each(|(column, _)| *column = needed[*column]);
                x.among(&needed, self.columns.inputs())?
            }
            None => x.matrix()?,
        };
        let unknown = known(&mut x, &words, &self.variables()).map_err(raised)?;
        let pool = pool()?;
        let found = py.detach(|| pool.install(|| self.fitted.predict(&x))).map_err(refused)?;
        let variance = found.variance.as_ref();
        Ok((said(py, &found.class, &found.score, &found.decision, variance), unknown))
    }

    /// What is known of the fit, as JSON.
    fn describe(&self) -> String {
        let machines = self.fitted.machines().map(|(task, machine)| self.about(task, machine));
        let machines = Value::Array(machines.collect());
        let shares = self.fitted.feature_shares().map(|all| shares(&all));
        json!({
            "classes": self.classes, "machines": machines, "shares": shares,
            "columns": self.stored, "feature_names": self.features,
            "needed_columns": self.needed_columns(),
        })
        .to_string()
    }
}

impl Machine {
    /// The columns of the selected features, ascending; nothing: all are needed.
    fn needed_columns(&self) -> Option<Vec<usize>> {
        let features = self.fitted.selected_features()?;
        let of = |feature: usize| self.columns.columns_of(feature);
        let mut needed: Vec<usize> = features.into_iter().flat_map(of).collect();
        needed.sort_unstable();
        Some(needed)
    }

    /// What the columns hold; nothing where all are numbers.
    fn variables(&self) -> Vec<Variable> {
        let stored = self.stored.iter().flatten();
        stored.map(|column| column.variable.clone()).collect()
    }

    fn about(&self, task: Task, machine: &dyn Fitted) -> Value {
        let weights = machine.feature_weights();
        let weight = |at: usize| weights.as_ref().map(|all| all[at]);
        let feature = |(at, index)| json!({ "index": index, "weight": weight(at) });
        let features: Option<Vec<usize>> = machine.selected_features();
        let features = features.map(|all| Vec::from_iter(all.into_iter().enumerate().map(feature)));
        let sample = |index: usize| json!({ "index": index });
        let samples = machine.selected_samples();
        let ending = machine.ending();
        json!({
            "positive": self.classes[task.positive],
            "negative": task.negative.map(|class| &self.classes[class]),
            "selected_features": features,
            "selected_samples": samples.map(|all| Vec::from_iter(all.into_iter().map(sample))),
            "termination": ending.map(|(termination, _)| termination),
            "iterations": ending.map(|(_, iterations)| iterations),
        })
    }
}

/// The features that a method selects, best first where it ranks them.
#[pyfunction]
#[pyo3(signature = (method, samples))]
pub fn select(py: Python<'_>, method: &str, samples: Samples<'_>) -> PyResult<Vec<usize>> {
    let selector = Spec::of_selector(method).and_then(|spec| spec.selector()).map_err(refused)?;
    let (data, _) = samples.copied()?.data().map_err(raised)?;
    let task = Scheme::OneVsOne.tasks(2)[0];
    let data = data.task_data(task).map_err(refused)?;
    interruptible(py, move |caller| during(caller.stop(), || selector.select(&data)))?
        .map_err(refused)
}

/// Every method with its settings, as JSON.
#[pyfunction]
pub fn methods() -> String {
    Value::Array(catalogue().iter().map(|entry| listed(entry)).collect()).to_string()
}

fn listed(entry: &Entry) -> Value {
    let (role, features, samples) = match entry.role {
        Role::Classifier { selects_features, selects_samples } => {
            ("classifier", selects_features, selects_samples)
        }
        Role::Filter => ("filter", true, false),
    };
    json!({
        "name": entry.name, "about": entry.about, "role": role,
        "selects_features": features, "selects_samples": samples,
        "settings": Vec::from_iter(entry.settings.iter().map(setting)),
    })
}

/// A setting: the words it takes, texts of a form, and numbers of a kind.
fn setting(setting: &Setting) -> Value {
    let mut words = Vec::new();
    let mut forms = Vec::new();
    let mut numbers = None;
    for takes in setting.takes {
        match takes {
            Takes::Word(word) => words.push(word),
            Takes::Form(form) => forms.push(form),
            Takes::Whole { .. } => numbers = Some("whole"),
            Takes::Number { .. } => numbers = Some("number"),
        }
    }
    json!({
        "key": setting.key, "default": setting.default, "about": setting.about,
        "takes": Vec::from_iter(setting.takes.iter().map(|takes| takes.to_string())),
        "words": words, "forms": forms, "numbers": numbers,
    })
}
