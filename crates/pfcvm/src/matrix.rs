//! A dense matrix of `f64`, stored by columns.

use crate::stored::{Checked, checked_when_read, numbers};
use serde::{Deserialize, Serialize};

/// A dense matrix, stored by columns: one row per sample, one column per feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Matrix {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) values: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, values: vec![0.0; rows * cols] }
    }

    /// Builds a matrix from a function of row and column.
    pub fn from_fn(rows: usize, cols: usize, mut value: impl FnMut(usize, usize) -> f64) -> Self {
        let mut values = Vec::with_capacity(rows * cols);
        for j in 0..cols {
            values.extend((0..rows).map(|i| value(i, j)));
        }
        Self { rows, cols, values }
    }

    /// Builds a matrix from its rows.
    ///
    /// # Panics
    /// If the rows differ in length.
    pub fn from_rows(rows: &[Vec<f64>]) -> Self {
        let cols = rows.first().map_or(0, Vec::len);
        assert!(rows.iter().all(|row| row.len() == cols), "rows of different lengths");
        Self::from_fn(rows.len(), cols, |i, j| rows[i][j])
    }

    /// Takes over values that are already stored column after column.
    ///
    /// # Panics
    /// If `values` does not hold `rows * cols` numbers.
    pub fn from_column_major(rows: usize, cols: usize, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), rows * cols, "{rows} x {cols} values expected");
        Self { rows, cols, values }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// One column.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.values[j * self.rows..(j + 1) * self.rows]
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.values[j * self.rows..(j + 1) * self.rows]
    }

    /// One entry.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.values[i + j * self.rows]
    }

    /// Changes one entry.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.values[i + j * self.rows] = value;
    }

    /// All values, column after column.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// All values, column after column, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The columns one after another.
    pub fn columns(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.cols).map(|j| self.column(j))
    }

    /// The given rows, in the given order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        if rows.len() == self.rows && rows.iter().enumerate().all(|(i, r)| i == *r) {
            return self.clone();
        }
        let mut values = Vec::with_capacity(rows.len() * self.cols);
        for column in self.columns() {
            values.extend(rows.iter().map(|&i| column[i]));
        }
        Self { rows: rows.len(), cols: self.cols, values }
    }

    /// The given columns, in the given order.
    pub fn select_columns(&self, cols: &[usize]) -> Self {
        let mut values = Vec::with_capacity(self.rows * cols.len());
        for &j in cols {
            values.extend_from_slice(self.column(j));
        }
        Self { rows: self.rows, cols: cols.len(), values }
    }

    /// Rows `start..end`.
    pub fn row_range(&self, start: usize, end: usize) -> Self {
        let mut values = Vec::with_capacity((end - start) * self.cols);
        for column in self.columns() {
            values.extend_from_slice(&column[start..end]);
        }
        Self { rows: end - start, cols: self.cols, values }
    }

    /// Puts the columns of `right` behind those of `self`.
    pub fn append_columns(mut self, right: &Matrix) -> Self {
        assert_eq!(self.rows, right.rows, "matrices of different heights");
        self.values.extend_from_slice(&right.values);
        self.cols += right.cols;
        self
    }
}

checked_when_read!(Matrix);

impl Matrix {
    fn check(&self) -> Checked {
        if self.rows.checked_mul(self.cols) != Some(self.values.len()) {
            let (rows, cols, found) = (self.rows, self.cols, self.values.len());
            return Err(format!("a matrix of {rows} x {cols} with {found} values"));
        }
        numbers("matrix", &self.values, f64::MIN)
    }
}
