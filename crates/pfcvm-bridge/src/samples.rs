//! What another language hands over to learn from, as a data set.

use crate::columns::{Described, Form};
use crate::{Error, Outcome};
use pfcvm::Matrix;
use pfcvm::multiclass::Dataset;

/// Rows with their classes.
#[derive(Debug)]
pub struct Samples {
    /// A number or NaN for each cell.
    pub x: Matrix,
    /// The place of each row's class among the names.
    pub codes: Vec<usize>,
    /// These names.
    pub classes: Vec<String>,
    /// How many samples each row counts for.
    pub weights: Option<Vec<f64>>,
    /// Names of columns. Those without are x1, x2, …
    pub names: Option<Vec<String>>,
    /// What columns hold beside numbers.
    pub described: Described,
    /// Where rows were left out: which rows of the caller's these are, and how many it has.
    pub origin: Option<(Vec<usize>, usize)>,
}

/// What is known of rows and columns beside the data.
#[derive(Debug)]
pub struct Known {
    /// Whether columns had names.
    pub named: bool,
    /// What they are called and hold.
    pub form: Form,
    /// Where rows were left out: which rows of the caller's these are, and how many it has.
    pub origin: Option<(Vec<usize>, usize)>,
}

impl Samples {
    /// The cells, words as codes of their levels, and what the columns are called and hold.
    pub fn cells(self) -> Outcome<(Matrix, Form)> {
        let Samples { mut x, weights, names, described, .. } = self;
        let numbered = || (1..=x.cols()).map(|at| format!("x{at}")).collect();
        let names = names.unwrap_or_else(numbered);
        if names.len() != x.cols() {
            let (found, expected) = (names.len(), x.cols());
            let what = "names of columns";
            return Err(Error::refused(pfcvm::Error::Length { what, found, expected }));
        }
        let form = Form::found(names, described, &mut x, weights.as_deref())?;
        Ok((x, form))
    }

    /// The data, and what is known beside them.
    pub fn data(mut self) -> Outcome<(Dataset, Known)> {
        let named = self.names.is_some();
        let (codes, classes) = (std::mem::take(&mut self.codes), std::mem::take(&mut self.classes));
        let (weights, origin) = (self.weights.clone(), self.origin.take());
        let (x, form) = self.cells()?;
        if let Some((rows, _)) = origin.as_ref().filter(|(rows, _)| rows.len() != x.rows()) {
            let (found, expected) = (rows.len(), x.rows());
            let what = "numbers of rows";
            return Err(Error::refused(pfcvm::Error::Length { what, found, expected }));
        }
        let data = Dataset::new(x, codes, classes).map_err(Error::refused)?;
        let data = data.with_columns(form.columns.clone()).map_err(Error::refused)?;
        let data = match weights {
            Some(weights) => data.with_sample_weights(weights),
            None => Ok(data),
        };
        Ok((data.map_err(Error::refused)?, Known { named, form, origin }))
    }
}
