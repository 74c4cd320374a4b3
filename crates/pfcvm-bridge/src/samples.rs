//! What another language hands over to learn from, as a data set.

use crate::columns::{Described, Form, Texts, known};
use crate::{Error, Outcome};
use pfcvm::Matrix;
use pfcvm::multiclass::Dataset;

/// Rows with their classes.
#[derive(Debug)]
pub struct Samples {
    /// A number or NaN for each cell. Rows behind those that have classes are without one.
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
    /// Where rows were left out or moved: which rows of the caller's these are, and how many it has.
    pub origin: Option<(Vec<usize>, usize)>,
}

/// What is known of rows and columns beside the data.
#[derive(Debug)]
pub struct Known {
    /// Whether columns had names.
    pub named: bool,
    /// What they are called and hold.
    pub form: Form,
    /// Where rows were left out or moved: which rows of the caller's these are, and how many it has.
    pub origin: Option<(Vec<usize>, usize)>,
    /// Rows without a class, in these columns.
    pub unlabelled: Option<Matrix>,
}

impl Known {
    /// Refuses rows without a class, for what cannot use them.
    pub fn all_labelled(&self, what: &str) -> Outcome<()> {
        match self.unlabelled {
            Some(_) => Err(Error::refused(format!("{what} takes no rows without a label"))),
            None => Ok(()),
        }
    }
}

impl Samples {
    /// With classes as other languages number them: a negative number is no class. Rows without one go
    /// behind the others, and where there are any, those that count for nothing are left out.
    pub fn with_codes(mut self, codes: &[i64]) -> Outcome<Self> {
        let found = codes.len();
        let length = |what, expected| pfcvm::Error::Length { what, found, expected };
        if found != self.x.rows() {
            return Err(Error::refused(length("classes of rows", self.x.rows())));
        }
        if let Some(expected) = self.weights.as_ref().map(Vec::len).filter(|of| *of != found) {
            return Err(Error::refused(length("classes of rows with weights", expected)));
        }
        if codes.iter().all(|code| *code >= 0) {
            self.codes = codes.iter().map(|code| *code as usize).collect();
            return Ok(self);
        }
        let counts = |row: &usize| self.weights.as_ref().is_none_or(|weights| weights[*row] > 0.0);
        let (labelled, others): (Vec<usize>, Vec<usize>) =
            (0..found).filter(counts).partition(|&row| codes[row] >= 0);
        self.codes = labelled.iter().map(|&row| codes[row] as usize).collect();
        self.weights =
            self.weights.map(|weights| labelled.iter().map(|&row| weights[row]).collect());
        let rows = [labelled, others].concat();
        self.x = self.x.select_rows(&rows);
        let (of, total) = self.origin.unwrap_or_else(|| ((0..found).collect(), found));
        let of_caller = |row: &usize| of.get(*row).copied().unwrap_or(*row);
        self.origin = Some((rows.iter().map(of_caller).collect(), total));
        Ok(self)
    }

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
        let rows = self.x.rows();
        // What columns hold is told by the rows that have a class.
        let others = (rows > codes.len()).then(|| self.x.row_range(codes.len(), rows));
        if others.is_some() {
            self.x = self.x.row_range(0, codes.len());
        }
        let words = self.described.words.clone();
        let (x, form) = self.cells()?;
        let unlabelled = match others {
            Some(mut others) => {
                let holds_words = |at: usize| form.variables[at].levels().is_some();
                let (words, gaps): (Texts, Texts) =
                    words.into_iter().partition(|(at, _)| holds_words(*at));
                known(&mut others, &words, &form.variables)?;
                gaps.iter().for_each(|(at, _)| others.column_mut(*at).fill(f64::NAN));
                Some(others)
            }
            None => None,
        };
        if let Some((of, _)) = origin.as_ref().filter(|(of, _)| of.len() != rows) {
            let (found, expected) = (of.len(), rows);
            let what = "numbers of rows";
            return Err(Error::refused(pfcvm::Error::Length { what, found, expected }));
        }
        let data = Dataset::new(x, codes, classes).map_err(Error::refused)?;
        let data = data.with_columns(form.columns.clone()).map_err(Error::refused)?;
        let data = match weights {
            Some(weights) => data.with_sample_weights(weights),
            None => Ok(data),
        };
        Ok((data.map_err(Error::refused)?, Known { named, form, origin, unlabelled }))
    }
}
