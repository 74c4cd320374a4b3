//! A matrix of `f64`, stored by columns.

use crate::error::Error;
use crate::sparse::{Cells, Sparse};
use crate::stored::{Checked, checked_when_read, numbers};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::sync::Arc;

/// A matrix, stored by columns: one row per sample, one column per feature. One that was made from
/// [written cells](Matrix::from_written) stays as small as these are until somebody looks at a whole column.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Matrix {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    values: Values,
}

/// All cells, or the written ones.
#[derive(Clone, Debug)]
enum Values {
    Plain(Vec<f64>),
    Sparse(Arc<Sparse>),
}

impl Values {
    fn plain(&self) -> &[f64] {
        match self {
            Values::Plain(values) => values,
            Values::Sparse(sparse) => sparse.plain(),
        }
    }

    /// To be changed: plain from now on.
    fn plain_mut(&mut self) -> &mut Vec<f64> {
        if let Values::Sparse(sparse) = self {
            *self = Values::Plain(sparse.plain().to_vec());
        }
        match self {
            Values::Plain(values) => values,
            Values::Sparse(_) => unreachable!("it was made plain above"),
        }
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.plain().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Values::Plain)
    }
}

impl PartialEq for Matrix {
    fn eq(&self, other: &Self) -> bool {
        (self.rows, self.cols) == (other.rows, other.cols) && self.as_slice() == other.as_slice()
    }
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, values: Values::Plain(vec![0.0; rows * cols]) }
    }

    /// Builds a matrix from a function of row and column.
    pub fn from_fn(rows: usize, cols: usize, mut value: impl FnMut(usize, usize) -> f64) -> Self {
        let mut values = Vec::with_capacity(rows * cols);
        for j in 0..cols {
            values.extend((0..rows).map(|i| value(i, j)));
        }
        Self { rows, cols, values: Values::Plain(values) }
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
        Self { rows, cols, values: Values::Plain(values) }
    }

    /// A matrix of zeros but for some cells, given column after column: where those of each column begin, and
    /// where the last ones end; their rows, which ascend; and what they hold. It stays sparse if few are
    /// written.
    ///
    /// # Errors
    /// If the lists do not go together.
    pub fn from_written(
        rows: usize,
        starts: Vec<usize>,
        places: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self, Error> {
        let wrong = |problem| Err(Error::Written { problem });
        if starts.first() != Some(&0) || !starts.is_sorted() {
            return wrong("where its columns begin does not ascend from 0");
        }
        if starts.last() != Some(&values.len()) || places.len() != values.len() {
            return wrong("there are more or fewer rows or values than its columns say");
        }
        for column in starts.windows(2) {
            let places = &places[column[0]..column[1]];
            if !places.is_sorted_by(|row, next| row < next) {
                return wrong("the rows of a column do not ascend, or one is there twice");
            }
            if places.last().is_some_and(|last| *last as usize >= rows) {
                return wrong("a cell lies beyond its last row");
            }
        }
        let cols = starts.len() - 1;
        let stays = Self::stays_sparse(rows, cols, values.len());
        let sparse = Self::of_sparse(rows, Sparse::new(rows, starts, places, values));
        Ok(match stays {
            true => sparse,
            false => Self::from_column_major(rows, cols, sparse.as_slice().to_vec()),
        })
    }

    /// Whether so many written cells are few enough for a matrix to [stay sparse](Matrix::from_written).
    pub fn stays_sparse(rows: usize, cols: usize, written: usize) -> bool {
        Sparse::pays(rows, cols, written)
    }

    /// The written cells of a column: all of them unless the matrix is sparse.
    pub fn written(&self, j: usize) -> &[f64] {
        self.cells(j).written
    }

    pub(crate) fn of_sparse(rows: usize, sparse: Sparse) -> Self {
        Self { rows, cols: sparse.cols(), values: Values::Sparse(Arc::new(sparse)) }
    }

    /// The written cells, where these are all there is.
    pub(crate) fn sparse(&self) -> Option<&Sparse> {
        match &self.values {
            Values::Plain(_) => None,
            Values::Sparse(sparse) => Some(sparse),
        }
    }

    /// Whether nothing but the written cells is held.
    pub fn is_sparse(&self) -> bool {
        self.sparse().is_some()
    }

    /// The cells of one column, as they are held.
    pub(crate) fn cells(&self, j: usize) -> Cells<'_> {
        match self.sparse() {
            Some(sparse) => sparse.cells(j),
            None => Cells::all(self.column(j)),
        }
    }

    /// One column, without the others being made plain for it.
    pub fn one_column(&self, j: usize) -> Cow<'_, [f64]> {
        match self.sparse() {
            Some(sparse) => {
                let mut column = Vec::with_capacity(self.rows);
                sparse.append_column(j, &mut column);
                Cow::Owned(column)
            }
            None => Cow::Borrowed(self.column(j)),
        }
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
        &self.as_slice()[j * self.rows..(j + 1) * self.rows]
    }

    /// One column, to be changed.
    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        let range = j * self.rows..(j + 1) * self.rows;
        &mut self.values.plain_mut()[range]
    }

    /// One entry.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        match &self.values {
            Values::Plain(values) => values[i + j * self.rows],
            Values::Sparse(sparse) => sparse.get(i, j),
        }
    }

    /// Changes one entry.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        let at = i + j * self.rows;
        self.values.plain_mut()[at] = value;
    }

    /// All values, column after column.
    pub fn as_slice(&self) -> &[f64] {
        self.values.plain()
    }

    /// All values, column after column, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        self.values.plain_mut()
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
        if let Some(sparse) = self.sparse() {
            return Self::of_sparse(rows.len(), sparse.select_rows(rows));
        }
        let mut values = Vec::with_capacity(rows.len() * self.cols);
        for column in self.columns() {
            values.extend(rows.iter().map(|&i| column[i]));
        }
        Self::from_column_major(rows.len(), self.cols, values)
    }

    /// The given columns, in the given order; plain unless they are many, and few of their cells written.
    pub fn select_columns(&self, cols: &[usize]) -> Self {
        if let Some(some) = self.sparse().and_then(|sparse| sparse.select_columns(cols)) {
            return Self::of_sparse(self.rows, some);
        }
        let mut values = Vec::with_capacity(self.rows * cols.len());
        for &j in cols {
            match self.sparse() {
                Some(sparse) => sparse.append_column(j, &mut values),
                None => values.extend_from_slice(self.column(j)),
            }
        }
        Self::from_column_major(self.rows, cols.len(), values)
    }

    /// Rows `start..end`.
    pub fn row_range(&self, start: usize, end: usize) -> Self {
        if let Some(sparse) = self.sparse() {
            return Self::of_sparse(end - start, sparse.row_range(start, end));
        }
        let mut values = Vec::with_capacity((end - start) * self.cols);
        for column in self.columns() {
            values.extend_from_slice(&column[start..end]);
        }
        Self::from_column_major(end - start, self.cols, values)
    }

    /// Puts the columns of `right` behind those of `self`.
    pub fn append_columns(mut self, right: &Matrix) -> Self {
        assert_eq!(self.rows, right.rows, "matrices of different heights");
        self.values.plain_mut().extend_from_slice(right.as_slice());
        self.cols += right.cols;
        self
    }
}

checked_when_read!(Matrix);

impl Matrix {
    fn check(&self) -> Checked {
        let values = self.as_slice();
        if self.rows.checked_mul(self.cols) != Some(values.len()) {
            let (rows, cols, found) = (self.rows, self.cols, values.len());
            return Err(format!("a matrix of {rows} x {cols} with {found} values"));
        }
        numbers("matrix", values, f64::MIN)
    }
}
