//! NumPy arrays as data sets, and predictions as arrays: one copy, straight from the caller's
//! memory, whatever its order.

use crate::refusal::{raised, refused};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pfcvm::Matrix;
use pfcvm_bridge::{Described, Texts};
use pyo3::prelude::*;

/// Rows of this many values are turned over at a time, so that both sides stay in the cache.
const BLOCK: usize = 64;

type Table<'py> = Bound<'py, PyArray2<f64>>;
/// The place of each row's class among all, the probability of each class or what stands in for it,
/// and the decision value and its variance of each machine.
pub type Said<'py> = (Bound<'py, PyArray1<i64>>, Table<'py>, Table<'py>, Table<'py>);

/// A matrix of either precision, in any order, or the written cells of a sparse one.
#[derive(FromPyObject)]
pub enum Rows<'py> {
    /// Of float64.
    Double(PyReadonlyArray2<'py, f64>),
    /// Of float32.
    Single(PyReadonlyArray2<'py, f32>),
    /// Column after column: how many rows there are, where each column begins, rows and values.
    Written(usize, Numbers<'py>, Numbers<'py>, PyReadonlyArray1<'py, f64>),
}

type Numbers<'py> = PyReadonlyArray1<'py, i64>;

impl Rows<'_> {
    /// The columns as they are.
    pub fn matrix(&self) -> PyResult<Matrix> {
        let places = Vec::from_iter(0..self.columns());
        Ok(match self {
            Rows::Double(array) => copied(array.as_array(), &places, places.len()),
            Rows::Single(array) => copied(array.as_array(), &places, places.len()),
            Rows::Written(rows, starts, places, values) => {
                // What is no place at all lies beyond all of them.
                let start = |at: &i64| usize::try_from(*at).unwrap_or(usize::MAX);
                let place = |row: &i64| u32::try_from(*row).unwrap_or(u32::MAX);
                let starts = starts.as_array().iter().map(start).collect();
                let places = places.as_array().iter().map(place).collect();
                let values = values.as_array().to_vec();
                Matrix::from_written(*rows, starts, places, values).map_err(refused)?
            }
        })
    }

    /// The columns as the given ones of so many; the others are 0.
    pub fn among(&self, places: &[usize], all: usize) -> PyResult<Matrix> {
        let found = self.columns();
        if found != places.len() {
            let (what, expected) = ("columns to predict from", places.len());
            return Err(refused(pfcvm::Error::Length { what, found, expected }));
        }
        Ok(match self {
            Rows::Double(array) => copied(array.as_array(), places, all),
            Rows::Single(array) => copied(array.as_array(), places, all),
            Rows::Written(..) => self.matrix()?,
        })
    }

    fn columns(&self) -> usize {
        match self {
            Rows::Double(array) => array.as_array().ncols(),
            Rows::Single(array) => array.as_array().ncols(),
            Rows::Written(_, starts, ..) => starts.as_array().len().saturating_sub(1),
        }
    }
}

fn copied<T: Copy + Into<f64>>(array: ArrayView2<T>, places: &[usize], all: usize) -> Matrix {
    let rows = array.nrows();
    let mut out = Matrix::zeros(rows, all);
    let values = out.as_mut_slice();
    for start in (0..rows).step_by(BLOCK) {
        let end = (start + BLOCK).min(rows);
        for (column, &place) in places.iter().enumerate() {
            let target = &mut values[place * rows + start..place * rows + end];
            for (i, value) in target.iter_mut().enumerate() {
                *value = array[(start + i, column)].into();
            }
        }
    }
    out
}

/// What Python says of columns: which hold words, which hold dates (as days since 1970), and
/// the name of the feature that each belongs to, where some are grouped.
#[derive(FromPyObject)]
pub struct Columns(Texts, Vec<usize>, Option<Vec<String>>);

impl Columns {
    /// As the bridge has it.
    pub fn described(self) -> Described {
        let Columns(words, dates, groups) = self;
        Described { words, dates, groups }
    }
}

/// What Python hands over to learn from: rows, their classes as places among the names (-1: none), these names,
/// and, if there are any, weights of rows, names of columns, and what these hold beside numbers.
#[derive(FromPyObject)]
pub struct Samples<'py>(
    Rows<'py>,
    PyReadonlyArray1<'py, i64>,
    Vec<String>,
    Option<PyReadonlyArray1<'py, f64>>,
    Option<Vec<String>>,
    Option<Columns>,
);

impl Samples<'_> {
    /// Copied out of Python's memory.
    pub fn copied(self) -> PyResult<pfcvm_bridge::Samples> {
        let Samples(x, codes, classes, weights, names, columns) = self;
        let samples = pfcvm_bridge::Samples {
            x: x.matrix()?,
            codes: Vec::new(),
            classes,
            weights: weights.map(|weights| weights.as_array().to_vec()),
            names,
            described: columns.map(Columns::described).unwrap_or_default(),
            origin: None,
        };
        samples.with_codes(&codes.as_array().to_vec()).map_err(raised)
    }
}

/// A prediction as arrays; the variance of a method that estimates a point is 0.
pub fn said<'py>(
    py: Python<'py>,
    class: &[usize],
    score: &Matrix,
    decision: &Matrix,
    variance: Option<&Matrix>,
) -> Said<'py> {
    let table = |values: &Matrix| {
        let of = |(i, j)| values.get(i, j);
        PyArray2::from_owned_array(py, Array2::from_shape_fn((values.rows(), values.cols()), of))
    };
    let codes = PyArray1::from_vec(py, class.iter().map(|class| *class as i64).collect());
    let certain = || PyArray2::zeros(py, [decision.rows(), decision.cols()], false);
    (codes, table(score), table(decision), variance.map_or_else(certain, table))
}
