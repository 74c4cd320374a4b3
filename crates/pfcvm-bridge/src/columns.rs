//! What columns hold beside numbers: words as places among their texts, dates, groups.

use crate::{Error, Outcome};
use pfcvm::Matrix;
use pfcvm::data::Columns;
use pfcvm_io::{Content, DateOrder, Levels, StoredColumn, TableForm, Variable};
use serde::Deserialize;
use std::collections::HashMap;

/// Columns of words, by place: the different texts of each. Its cells are places among these, or NaN.
pub type Texts = Vec<(usize, Vec<String>)>;

/// What is said of columns.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Described {
    /// Which hold words.
    pub words: Texts,
    /// Which hold dates, as days since 1970.
    pub dates: Vec<usize>,
    /// The name of the feature that each belongs to, where some are grouped.
    pub groups: Option<Vec<String>>,
}

/// The columns of a training table.
#[derive(Debug)]
pub struct Form {
    /// What they are called and hold.
    pub variables: Vec<Variable>,
    /// What they are for a fit.
    pub columns: Columns,
    /// Names of the features: of groups, and of columns that are in none.
    pub features: Vec<String>,
}

impl Form {
    /// Of columns with these names; gives every word of `x` the code of its level. Rows count as their
    /// weights say.
    pub fn found(
        names: Vec<String>,
        described: Described,
        x: &mut Matrix,
        weights: Option<&[f64]>,
    ) -> Outcome<Self> {
        let rows = |(column, texts): &(usize, Vec<String>)| match *column < x.cols() {
            true => rows_of(x.column(*column), texts.len(), weights),
            false => Vec::new(),
        };
        let rows: Vec<Vec<usize>> = described.words.iter().map(rows).collect();
        let words = described.words.clone();
        let form = Self::of(names, described, &rows)?;
        for (column, texts) in words {
            let codes = form.variables[column].levels().map(|levels| levels.codes(&texts));
            let codes = codes.unwrap_or_default().into_iter();
            recode(x.column_mut(column), &Vec::from_iter(codes.map(|c| c.unwrap_or(f64::NAN))));
        }
        Ok(form)
    }

    /// Of columns with these names, given in how many rows each of their texts stands.
    pub fn of(names: Vec<String>, described: Described, rows: &[Vec<usize>]) -> Outcome<Self> {
        let Described { words, dates, groups } = described;
        let mut variables = Vec::from_iter(names.iter().map(Variable::number));
        for ((column, texts), rows) in words.iter().zip(rows) {
            let place = || Error::refused(format!("there is no column {column}"));
            let variable = variables.get_mut(*column).ok_or_else(place)?;
            let (levels, _) = Levels::of_texts(texts, rows);
            // Without a word nothing says that it holds words.
            if levels.count() > 0 {
                variable.content = Content::Words(levels);
            }
        }
        for column in dates {
            // As the program has it for dates that begin with the year.
            let content = Content::Date { order: DateOrder::DayFirst };
            let place = || Error::refused(format!("there is no column {column}"));
            variables.get_mut(column).ok_or_else(place)?.content = content;
        }
        let columns = Columns::new(variables.iter().map(Variable::kind).collect());
        let (columns, features) = match groups {
            None => (columns, names),
            Some(groups) => {
                let (feature_of, features) = numbered(groups);
                (columns.grouped(&feature_of).map_err(Error::refused)?, features)
            }
        };
        Ok(Self { variables, columns, features })
    }

    /// As it is stored; nothing where all columns are numbers and features by themselves.
    pub fn stored(&self) -> Option<TableForm> {
        TableForm::of(&self.variables, &self.columns)
    }
}

/// What stored columns are for a fit.
pub fn columns_of(stored: &[StoredColumn]) -> Outcome<Columns> {
    let feature_of = Vec::from_iter(stored.iter().map(|column| column.feature));
    let kinds = stored.iter().map(|column| column.variable.kind()).collect();
    Columns::new(kinds).grouped(&feature_of).map_err(Error::refused)
}

/// Gives every word the code of its level among those that are known. Others are gaps; how many cells
/// there are of these, for each column of words.
pub fn known(x: &mut Matrix, words: &Texts, variables: &[Variable]) -> Outcome<Vec<usize>> {
    let mut unknown = Vec::with_capacity(words.len());
    for (column, texts) in words {
        let levels = variables.get(*column).and_then(Variable::levels);
        let Some(levels) = levels else {
            return Err(Error::refused(format!(
                "column {column} holds words, but no level is known"
            )));
        };
        let codes = levels.codes(texts);
        let rows = rows_of(x.column(*column), texts.len(), None);
        unknown
            .push(codes.iter().zip(rows).filter(|(code, _)| code.is_none()).map(|(_, n)| n).sum());
        let codes = Vec::from_iter(codes.into_iter().map(|code| code.unwrap_or(f64::NAN)));
        recode(x.column_mut(*column), &codes);
    }
    Ok(unknown)
}

/// In how many rows each text stands.
fn rows_of(cells: &[f64], texts: usize, weights: Option<&[f64]>) -> Vec<usize> {
    let mut sums = vec![0.0; texts];
    for (row, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_nan()) {
        if let Some(sum) = sums.get_mut(*cell as usize) {
            *sum += weights.and_then(|weights| weights.get(row)).copied().unwrap_or(1.0);
        }
    }
    // A row of little weight is there all the same.
    sums.into_iter().map(|sum| sum.ceil() as usize).collect()
}

/// Places of texts become codes; a gap stays one.
fn recode(cells: &mut [f64], codes: &[f64]) {
    for cell in cells.iter_mut().filter(|cell| !cell.is_nan()) {
        *cell = codes.get(*cell as usize).copied().unwrap_or(f64::NAN);
    }
}

/// Features numbered in the order of their first columns, and their names.
fn numbered(groups: Vec<String>) -> (Vec<usize>, Vec<String>) {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut feature_of = Vec::with_capacity(groups.len());
    for group in groups {
        let place = *places.entry(group.clone()).or_insert(names.len());
        if place == names.len() {
            names.push(group);
        }
        feature_of.push(place);
    }
    (feature_of, names)
}
