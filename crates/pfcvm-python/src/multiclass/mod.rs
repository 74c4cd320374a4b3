//! More than two classes: several machines that answer together, as [`pfcvm::Multiclass`] has it.

mod engine;
mod machine;

pub use engine::MulticlassEngine;
pub use machine::MulticlassMachine;

use crate::arrays::Rows;
use crate::engine::Engine;
use crate::refusal::refused;
use crate::rows::Counted;
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pfcvm::{Dataset, Error, Keeps, Matrix, MulticlassDataset, MulticlassPrediction, Scheme, Task};
use pfcvm_io::ModelFile;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

type Table<'py> = Bound<'py, PyArray2<f64>>;
/// Classes as places among all, and the probability of each class for each row.
type Called<'py> = (Bound<'py, PyArray1<i64>>, Table<'py>);

/// What predicts, labels, names of features, and whether they had names.
type Read = (Py<PyAny>, Vec<String>, Vec<String>, bool);

/// What Python hands over: rows, their classes as places among the names, these names, and, if there
/// are any, weights of rows and factors of classes.
#[derive(FromPyObject)]
pub struct Samples<'py>(
    Rows<'py>,
    PyReadonlyArray1<'py, i64>,
    Vec<String>,
    Option<PyReadonlyArray1<'py, f64>>,
    Option<Vec<f64>>,
);

/// Samples of several classes, ready for each machine to take its own.
pub struct Given {
    /// The samples, weighted.
    pub data: MulticlassDataset,
    /// Their weights without the factors of their classes.
    weights: Vec<f64>,
    /// Whether the user gave no weights of rows.
    plain: bool,
}

impl Samples<'_> {
    fn given(self) -> PyResult<Given> {
        let Samples(x, codes, names, weights, factors) = self;
        let codes: Result<Vec<usize>, _> =
            codes.as_array().iter().map(|code| usize::try_from(*code)).collect();
        let codes = codes.map_err(refused)?;
        let mut data = MulticlassDataset::new(x.matrix(), codes, names).map_err(refused)?;
        let mut plain = true;
        if let Some(weights) = weights {
            let weights = weights.as_array().to_vec();
            plain = weights.iter().all(|weight| *weight == 1.0);
            data = data.with_sample_weights(weights).map_err(refused)?;
        }
        let weights = data.sample_weights().to_vec();
        if let Some(factors) = factors {
            data = data.with_class_factors(&factors).map_err(refused)?;
        }
        Ok(Given { data, weights, plain })
    }
}

impl Given {
    /// What a machine learns from, and the rows of all data it stands for.
    fn of_machine(
        &self,
        task: Task,
        of_task: Dataset,
        needed: usize,
    ) -> Result<(Counted, Vec<usize>), Error> {
        let counted = Counted::of(of_task, self.plain, needed)?;
        let rows = self.data.task_rows(task);
        let places: Vec<usize> = (0..counted.data.len()).collect();
        let rows = counted.as_given(&places).into_iter().map(|row| rows[row]).collect();
        Ok((counted, rows))
    }
}

/// A scheme by scikit-learn's name for it.
fn scheme(text: &str) -> PyResult<Scheme> {
    match text {
        "ovo" => Ok(Scheme::OneVsOne),
        "ovr" => Ok(Scheme::OneVsRest),
        other => {
            Err(refused(format!("multi_class = {other:?} is out of range: \"ovo\" or \"ovr\"")))
        }
    }
}

/// The name of a scheme.
fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::OneVsOne => "ovo",
        Scheme::OneVsRest => "ovr",
    }
}

/// What all machines keep together, in the core's order, and how much of it.
fn overall<M: Keeps>(machines: &[M]) -> Value {
    let features: Vec<_> = machines.iter().map(Keeps::selected_features).collect();
    let samples: Vec<_> = machines.iter().map(Keeps::selected_samples).collect();
    together(&features, &samples)
}

fn together(features: &[Vec<(usize, f64)>], samples: &[Vec<(usize, f64)>]) -> Value {
    let features = pfcvm::overall(features);
    let mut rows: Vec<usize> = samples.iter().flatten().map(|(row, _)| *row).collect();
    rows.sort_unstable();
    rows.dedup();
    json!({
        "features": Vec::from_iter(features.iter().map(|kept| kept.index)),
        "feature_weights": Vec::from_iter(features.iter().map(|kept| kept.share)),
        "samples": rows,
    })
}

/// The two objects as one.
fn joined(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (first, _) => first,
    }
}

/// A matrix as an array.
fn table<'py>(py: Python<'py>, values: &Matrix) -> Table<'py> {
    let of = |(i, j)| values.get(i, j);
    PyArray2::from_owned_array(py, Array2::from_shape_fn((values.rows(), values.cols()), of))
}

fn called<'py>(py: Python<'py>, said: &MulticlassPrediction) -> Called<'py> {
    let classes = said.class.iter().map(|class| *class as i64).collect();
    (PyArray1::from_vec(py, classes), table(py, &said.probability))
}

/// A model file of either kind: what predicts, the labels of its classes, the names of the features,
/// and whether the columns had names.
#[pyfunction]
pub fn read_model(py: Python<'_>, path: PathBuf) -> PyResult<Read> {
    let file = ModelFile::read(&path).map_err(refused)?;
    let (classes, names) = (file.classes.clone(), file.feature_names.clone());
    let named = file.unnamed.is_none();
    let predicts = match Engine::of_file(file.clone()) {
        Some(engine) => Py::new(py, engine)?.into_any(),
        None => Py::new(py, MulticlassEngine::of_file(file))?.into_any(),
    };
    Ok((predicts, classes, names, named))
}
