//! Samples of any number of classes.

use super::Task;
use crate::data::{Columns, check_finite};
use crate::{Error, Matrix};

/// Samples with any number of classes and a weight each, checked once: every value is finite
/// or a gap (NaN), every length agrees, every class has a name of its own.
#[derive(Clone, Debug)]
pub struct Dataset {
    x: Matrix,
    columns: Columns,
    codes: Vec<usize>,
    class_names: Vec<String>,
    weights: Vec<f64>,
}

impl Dataset {
    /// Checks and takes over the samples `x` (one row each), the class of each as a place among
    /// `class_names`, and these. A class may be without samples until something is fitted.
    pub fn new(x: Matrix, codes: Vec<usize>, class_names: Vec<String>) -> Result<Self, Error> {
        if x.rows() == 0 || x.cols() == 0 {
            return Err(Error::Empty { rows: x.rows(), cols: x.cols() });
        }
        if codes.len() != x.rows() {
            let (found, expected) = (codes.len(), x.rows());
            return Err(Error::Length { what: "labels", found, expected });
        }
        let classes = class_names.len();
        if classes < 2 {
            return Err(Error::FewClasses { classes });
        }
        for (at, name) in class_names.iter().enumerate() {
            if class_names[..at].contains(name) {
                return Err(Error::SameClass { name: name.clone() });
            }
        }
        if let Some(row) = codes.iter().position(|code| *code >= classes) {
            return Err(Error::UnknownClass { row, code: codes[row], classes });
        }
        check_finite(&x)?;
        let (columns, weights) = (Columns::numbers(x.cols()), vec![1.0; x.rows()]);
        Ok(Self { x, columns, codes, class_names, weights })
    }

    /// Says what the columns are, where they are not all numbers and features of their own.
    pub fn with_columns(mut self, columns: Columns) -> Result<Self, Error> {
        columns.check(&self.x)?;
        self.columns = columns;
        Ok(self)
    }

    /// What the columns are.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Gives every sample a weight in the likelihood: 2 counts like two copies, 0 leaves it out.
    pub fn with_sample_weights(mut self, weights: Vec<f64>) -> Result<Self, Error> {
        if weights.len() != self.x.rows() {
            let (found, expected) = (weights.len(), self.x.rows());
            return Err(Error::Length { what: "sample weights", found, expected });
        }
        if let Some(bad) = weights.iter().find(|w| !(**w >= 0.0 && w.is_finite())) {
            let (name, value) = ("sample weight", bad.to_string());
            return Err(Error::Setting { name, value, allowed: "finite and not negative" });
        }
        self.weights = weights;
        Ok(self)
    }

    /// Multiplies the weight of every sample by the factor of its class. Classes that should count
    /// alike in each machine need no factors: [`ClassWeights::Balanced`](crate::ClassWeights) does
    /// it machine by machine.
    pub fn with_class_factors(mut self, factors: &[f64]) -> Result<Self, Error> {
        if factors.len() != self.class_names.len() {
            let (found, expected) = (factors.len(), self.class_names.len());
            return Err(Error::Length { what: "class weights", found, expected });
        }
        if let Some(bad) = factors.iter().find(|factor| !(1e-6..=1e6).contains(*factor)) {
            let (name, value) = ("class weight", bad.to_string());
            return Err(Error::Setting { name, value, allowed: "from 1e-6 to 1e6" });
        }
        for (weight, &code) in self.weights.iter_mut().zip(&self.codes) {
            *weight *= factors[code];
        }
        Ok(self)
    }

    /// The samples, one row each.
    pub fn x(&self) -> &Matrix {
        &self.x
    }

    /// The class of each sample, as a place among the names.
    pub fn codes(&self) -> &[usize] {
        &self.codes
    }

    /// The names of the classes.
    pub fn class_names(&self) -> &[String] {
        &self.class_names
    }

    /// The likelihood weight of each sample.
    pub fn sample_weights(&self) -> &[f64] {
        &self.weights
    }

    /// Samples of each class.
    pub fn class_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.class_names.len()];
        self.codes.iter().for_each(|&code| counts[code] += 1);
        counts
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.x.rows()
    }

    /// Whether there is no sample (never true for a checked data set).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The given rows as a data set of their own, with all classes.
    pub fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        let codes = rows.iter().map(|&i| self.codes[i]).collect();
        let weights = rows.iter().map(|&i| self.weights[i]).collect();
        let columns = self.columns.clone();
        let selected = Self::new(self.x.select_rows(rows), codes, self.class_names.clone())?;
        Ok(Self { columns, weights, ..selected })
    }

    /// The samples that take part in a two-class problem, ascending.
    pub fn task_rows(&self, task: Task) -> Vec<usize> {
        (0..self.len()).filter(|&row| task.concerns(self.codes[row])).collect()
    }

    /// The two-class problem itself.
    pub fn task_data(&self, task: Task) -> Result<crate::Dataset, Error> {
        let rows = self.task_rows(task);
        let positive = rows.iter().map(|&i| self.codes[i] == task.positive).collect();
        let weights = rows.iter().map(|&i| self.weights[i]).collect();
        crate::Dataset::new(self.x.select_rows(&rows), positive)?
            .with_columns(self.columns.clone())?
            .with_sample_weights(weights)
    }

    /// Refuses data from which some class cannot be learned.
    pub(crate) fn check_classes(&self) -> Result<(), Error> {
        let mut present = vec![false; self.class_names.len()];
        for (&code, &weight) in self.codes.iter().zip(&self.weights) {
            present[code] |= weight > 0.0;
        }
        match present.iter().position(|present| !present) {
            Some(code) => Err(Error::EmptyClass { name: self.class_names[code].clone() }),
            None => Ok(()),
        }
    }
}
