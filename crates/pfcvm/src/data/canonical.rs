//! One order for rows that say the same.

use super::Dataset;
use super::scaler::LARGEST_PLAIN;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::sparse::Sparse;
use std::cmp::Ordering;

/// The rows of a data set in the one form that a fit sees, whatever their order and however often
/// each is given: what [`Dataset::canonical`] gives.
#[derive(Clone, Debug)]
pub struct CanonicalRows {
    /// The rows.
    pub data: Dataset,
    /// The earliest row of the original that each row stands for.
    pub first: Vec<usize>,
}

impl Dataset {
    /// Rows of weight 0 left out, equal rows of one class merged with their weights added, and the
    /// rest sorted: by their values from the first column on, then by class. Two data sets that
    /// differ only in the order of rows, in copies instead of weights, or in rows that do not count
    /// give the same bits. Empty when nothing counts.
    pub fn canonical(&self) -> CanonicalRows {
        let weighted = |i: &usize| self.weights[*i] > 0.0;
        let mut order: Vec<usize> = (0..self.len()).filter(weighted).collect();
        let written = self.x.sparse().map(Sparse::by_rows);
        let compare = |a: usize, b: usize| match &written {
            Some(rows) => written_order(&rows[a], &rows[b]).then(self.class[a].cmp(&self.class[b])),
            None => self.compare(a, b),
        };
        order.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
        let groups: Vec<&[usize]> =
            order.chunk_by(|&a, &b| compare(a, b) == Ordering::Equal).collect();
        let first: Vec<usize> = groups.iter().map(|group| group[0]).collect();
        let weights = groups.iter().map(|group| self.sum_of_weights(group)).collect();
        let mut data = self.weighted(&first, weights);
        match data.x.sparse() {
            Some(sparse) => {
                let all: Vec<usize> = (0..sparse.cols()).collect();
                data.x = Matrix::of_sparse(data.len(), sparse.made(&all, |_| one_form));
            }
            None => data.x.as_mut_slice().iter_mut().for_each(|v| *v = one_form(*v)),
        }
        CanonicalRows { data, first }
    }

    fn compare(&self, a: usize, b: usize) -> Ordering {
        let value = |column: &[f64], i: usize| one_form(column[i]);
        let by_value = |column: &[f64]| value(column, a).total_cmp(&value(column, b));
        let different = self.x.columns().map(by_value).find(|order| order.is_ne());
        different.unwrap_or_else(|| self.class[a].cmp(&self.class[b]))
    }

    /// Added in the order of their size, so that the sum does not depend on that of the rows.
    fn sum_of_weights(&self, rows: &[usize]) -> f64 {
        let mut weights: Vec<f64> = rows.iter().map(|&i| self.weights[i]).collect();
        weights.sort_unstable_by(f64::total_cmp);
        weights.iter().sum()
    }
}

impl CanonicalRows {
    /// What is known of each canonical row, for every row of the original: `other` for rows that
    /// stand for nothing, because they do not count or because an earlier row is the same.
    pub(crate) fn to_original<T: Clone>(&self, values: &[T], rows: usize, other: T) -> Vec<T> {
        let mut all = vec![other; rows];
        self.first.iter().zip(values).for_each(|(&i, value)| all[i] = value.clone());
        all
    }

    /// An error about the canonical rows, about those of the original: the earliest it is true of.
    pub(crate) fn trace_back(&self, error: Error) -> Error {
        let Error::TooLargeValue { row, col, value } = error else { return error };
        let column = self.data.x.one_column(col);
        let large = (0..column.len()).filter(|&i| column[i].abs() > LARGEST_PLAIN);
        match large.min_by_key(|&i| self.first[i]) {
            Some(i) => Error::TooLargeValue { row: self.first[i], col, value: column[i] },
            None => Error::TooLargeValue { row, col, value },
        }
    }
}

/// The order of two rows by their values from the first column on, given those that were written; the others
/// are 0.
fn written_order(a: &[(u32, f64)], b: &[(u32, f64)]) -> Ordering {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let column = match (a.peek(), b.peek()) {
            (Some((a, _)), Some((b, _))) => *a.min(b),
            (Some((column, _)), None) | (None, Some((column, _))) => *column,
            (None, None) => return Ordering::Equal,
        };
        let value = |cell: Option<&(u32, f64)>| one_form(cell.map_or(0.0, |(_, value)| *value));
        let own = value(a.next_if(|(at, _)| *at == column));
        let order = own.total_cmp(&value(b.next_if(|(at, _)| *at == column)));
        if order.is_ne() {
            return order;
        }
    }
}

/// 0 for −0, which is the same number, and one NaN for all.
fn one_form(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value + 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_merged_sorted_and_traced_back() {
        let x = Matrix::from_rows(&[
            vec![2.0, 1.0],
            vec![0.0, 5.0],
            vec![2.0, 1.0],
            vec![-0.0, 5.0],
            vec![9.0, 9.0],
            vec![2.0, 1.0],
            vec![-1.0, 0.0],
        ]);
        let positive = vec![true, false, false, false, true, true, true];
        let weights = vec![1.0, 0.5, 1.0, 2.0, 0.0, 3.0, 1.0];
        let data = Dataset::new(x, positive).unwrap().with_sample_weights(weights).unwrap();
        let rows = data.canonical();
        assert_eq!(rows.first, [6, 1, 2, 0]);
        assert_eq!(rows.data.positive, [true, false, false, true]);
        assert_eq!(rows.data.weights, [1.0, 2.5, 1.0, 4.0]);
        assert_eq!(rows.data.x.column(0), [-1.0, 0.0, 2.0, 2.0]);
        assert_eq!(
            rows.to_original(&['a', 'b', 'c', 'd'], 7, '-')[..],
            ['d', 'b', 'c', '-', '-', '-', 'a']
        );
        let again = rows.data.canonical();
        assert_eq!(again.first, [0, 1, 2, 3]);
        assert_eq!(again.data.x, rows.data.x);
    }

    #[test]
    fn nothing_that_counts_is_no_rows() {
        let data = Dataset::new(Matrix::zeros(2, 1), vec![true, false]).unwrap();
        let rows = data.with_sample_weights(vec![0.0; 2]).unwrap().canonical();
        assert!(rows.first.is_empty() && rows.data.check_classes(1).is_err());
    }
}
