//! NumPy arrays as matrices: one copy, straight from the caller's memory, whatever its order.

use crate::refusal::refused;
use numpy::PyReadonlyArray2;
use numpy::ndarray::ArrayView2;
use pfcvm::Matrix;
use pyo3::prelude::*;

/// Rows of this many values are turned over at a time, so that both sides stay in the cache.
const BLOCK: usize = 64;

/// A matrix of either precision, in any order.
#[derive(FromPyObject)]
pub enum Rows<'py> {
    /// Of float64.
    Double(PyReadonlyArray2<'py, f64>),
    /// Of float32.
    Single(PyReadonlyArray2<'py, f32>),
}

impl Rows<'_> {
    /// All columns.
    pub fn matrix(&self) -> Matrix {
        match self {
            Rows::Double(array) => copied(array.as_array(), None),
            Rows::Single(array) => copied(array.as_array(), None),
        }
    }

    /// Some columns, in the given order, of a matrix that must have `inputs` of them.
    pub fn columns(&self, columns: &[usize], inputs: usize) -> PyResult<Matrix> {
        let found = match self {
            Rows::Double(array) => array.as_array().ncols(),
            Rows::Single(array) => array.as_array().ncols(),
        };
        if found != inputs {
            let what = "columns to predict from";
            return Err(refused(pfcvm::Error::Length { what, found, expected: inputs }));
        }
        Ok(match self {
            Rows::Double(array) => copied(array.as_array(), Some(columns)),
            Rows::Single(array) => copied(array.as_array(), Some(columns)),
        })
    }
}

fn copied<T: Copy + Into<f64>>(array: ArrayView2<T>, columns: Option<&[usize]>) -> Matrix {
    let rows = array.nrows();
    let all: Vec<usize>;
    let columns = match columns {
        Some(columns) => columns,
        None => {
            all = (0..array.ncols()).collect();
            &all
        }
    };
    let mut out = Matrix::zeros(rows, columns.len());
    let values = out.as_mut_slice();
    for start in (0..rows).step_by(BLOCK) {
        let end = (start + BLOCK).min(rows);
        for (at, &column) in columns.iter().enumerate() {
            let target = &mut values[at * rows + start..at * rows + end];
            for (i, value) in target.iter_mut().enumerate() {
                *value = array[(start + i, column)].into();
            }
        }
    }
    out
}
