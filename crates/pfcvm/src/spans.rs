//! Which scaled columns belong to each feature.
//!
//! A feature of several columns has one weight: θ is spread over the columns before a kernel sees it,
//! and a derivative by columns is summed up over those of a feature (∂/∂θₖ = Σ over its columns).

use crate::matrix::Matrix;
use std::borrow::Cow;
use std::ops::Range;

/// Columns in a row for each of some features.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spans {
    /// Where each feature begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Spans {
    /// Features of so many columns each, none of them 0.
    pub fn of_widths(widths: impl IntoIterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(widths.into_iter().map(|width| {
            end += width;
            end
        }));
        Self { starts }
    }

    /// Features of one column each.
    pub fn single(features: usize) -> Self {
        Self { starts: (0..=features).collect() }
    }

    pub fn features(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn columns(&self) -> usize {
        self.starts[self.features()]
    }

    /// Whether every feature is one column.
    fn is_single(&self) -> bool {
        self.features() == self.columns()
    }

    /// The columns of one feature.
    pub fn of(&self, feature: usize) -> Range<usize> {
        self.starts[feature]..self.starts[feature + 1]
    }

    /// The columns of some features, one after the other.
    pub fn columns_of<'a>(&self, features: &'a [usize]) -> Cow<'a, [usize]> {
        match self.is_single() {
            true => Cow::Borrowed(features),
            false => features.iter().flat_map(|&feature| self.of(feature)).collect(),
        }
    }

    /// The spans of some features alone.
    pub fn select(&self, features: &[usize]) -> Self {
        Self::of_widths(features.iter().map(|&feature| self.of(feature).len()))
    }

    /// One value for each feature, as one for each column.
    pub fn spread<'a>(&self, values: &'a [f64]) -> Cow<'a, [f64]> {
        if self.is_single() {
            return Cow::Borrowed(values);
        }
        let spread = (0..self.features()).flat_map(|k| vec![values[k]; self.of(k).len()]);
        spread.collect()
    }

    /// Columns summed up over those of each feature.
    pub fn sum(&self, columns: Matrix) -> Matrix {
        if self.is_single() {
            return columns;
        }
        let mut sums = Matrix::zeros(columns.rows(), self.features());
        for k in 0..self.features() {
            for column in self.of(k) {
                let terms = sums.column_mut(k).iter_mut().zip(columns.column(column));
                terms.for_each(|(sum, v)| *sum += v);
            }
        }
        sums
    }

    /// The feature of each column.
    pub fn owners(&self) -> impl Iterator<Item = usize> {
        (0..self.features()).flat_map(|k| self.of(k).map(move |_| k))
    }
}

/// Scaled rows with what their columns belong to.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub values: Matrix,
    pub spans: Spans,
}

impl From<Matrix> for Inputs {
    /// Every column is a feature.
    fn from(values: Matrix) -> Self {
        Self { spans: Spans::single(values.cols()), values }
    }
}

impl Inputs {
    pub fn rows(&self) -> usize {
        self.values.rows()
    }

    pub fn features(&self) -> usize {
        self.spans.features()
    }

    /// Some features alone.
    pub fn select(&self, features: &[usize]) -> Self {
        let values = self.values.select_columns(&self.spans.columns_of(features));
        Self { values, spans: self.spans.select(features) }
    }

    /// The columns of one feature.
    pub fn of(&self, feature: usize) -> impl Iterator<Item = &[f64]> {
        self.spans.of(feature).map(|column| self.values.column(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_spread_and_derivatives_summed_up() {
        let spans = Spans::of_widths([1, 3, 2]);
        assert_eq!((spans.features(), spans.columns()), (3, 6));
        assert_eq!(spans.spread(&[1.0, 2.0, 3.0])[..], [1.0, 2.0, 2.0, 2.0, 3.0, 3.0]);
        let columns = Matrix::from_fn(2, 6, |i, j| (10 * i + j) as f64);
        let sums = spans.sum(columns);
        assert_eq!(sums.as_slice(), [0.0, 10.0, 6.0, 36.0, 9.0, 29.0]);
        assert_eq!(spans.columns_of(&[2, 0])[..], [4, 5, 0]);
        assert_eq!(spans.select(&[2, 0]), Spans::of_widths([2, 1]));
        assert_eq!(Vec::from_iter(spans.owners()), [0, 1, 1, 1, 2, 2]);
    }
}
