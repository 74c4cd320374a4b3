//! Named features and class labels, before anyone has said which two classes matter.

use crate::Error;
use pfcvm::{Dataset, Matrix};

/// Rows of numeric features, each with an integer class label.
#[derive(Debug, Clone)]
pub struct Table {
    feature_names: Vec<String>,
    x: Matrix,
    labels: Vec<i64>,
}

impl Table {
    /// The caller guarantees one name per column and one label per row.
    pub(crate) fn new(feature_names: Vec<String>, x: Matrix, labels: Vec<i64>) -> Self {
        debug_assert_eq!(feature_names.len(), x.cols());
        debug_assert_eq!(labels.len(), x.rows());
        Self { feature_names, x, labels }
    }

    /// The features' names, in column order.
    pub fn feature_names(&self) -> &[String] {
        &self.feature_names
    }

    /// The features, one row per sample.
    pub fn x(&self) -> &Matrix {
        &self.x
    }

    /// The class label of every row.
    pub fn labels(&self) -> &[i64] {
        &self.labels
    }

    /// Every row of the two classes, in the order of the table; other classes are left out.
    pub fn two_classes(&self, negative: i64, positive: i64) -> Result<Dataset, Error> {
        for label in [negative, positive] {
            if !self.labels.contains(&label) {
                return Err(Error::MissingClass { label });
            }
        }
        let rows: Vec<usize> = (0..self.labels.len())
            .filter(|&row| self.labels[row] == negative || self.labels[row] == positive)
            .collect();
        self.rows(&rows, negative, positive)
    }

    /// The rows given (counted from 0), all of which must belong to one of the two classes.
    pub fn rows(&self, rows: &[usize], negative: i64, positive: i64) -> Result<Dataset, Error> {
        let positives = rows
            .iter()
            .map(|&row| match self.labels.get(row) {
                None => Err(Error::NoSuchRow { row, rows: self.labels.len() }),
                Some(&label) if label == positive => Ok(true),
                Some(&label) if label == negative => Ok(false),
                Some(&label) => Err(Error::OtherClass { row, label, negative, positive }),
            })
            .collect::<Result<Vec<bool>, Error>>()?;
        Ok(Dataset::new(self.x.select_rows(rows), positives)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_classes() -> Table {
        let x = Matrix::from_fn(6, 2, |i, j| (10 * i + j) as f64);
        Table::new(vec!["a".into(), "b".into()], x, vec![0, 1, 2, 0, 1, 2])
    }

    #[test]
    fn two_classes_keep_the_order_and_leave_the_third_out() {
        let data = three_classes().two_classes(2, 0).unwrap();
        assert_eq!(data.positive(), [true, false, true, false]);
        assert_eq!(data.x().column(0), [0.0, 20.0, 30.0, 50.0]);
    }

    #[test]
    fn an_absent_class_is_named() {
        let error = three_classes().two_classes(0, 9).unwrap_err();
        assert_eq!(error.to_string(), "no row has the label 9");
    }

    #[test]
    fn rows_outside_the_two_classes_or_the_table_are_refused() {
        let table = three_classes();
        let error = table.rows(&[0, 1, 2], 0, 1).unwrap_err();
        assert_eq!(error.to_string(), "row 2 has the label 2, which is neither 0 nor 1");
        let error = table.rows(&[0, 6], 0, 1).unwrap_err();
        assert_eq!(error.to_string(), "row 6 was asked for, but there are only 6 rows");
    }
}
