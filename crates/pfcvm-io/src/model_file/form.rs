//! What the columns of the training data were, where they were not all numbers.

use crate::{Content, Levels, Variable};
use pfcvm::data::Columns;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The columns of a table that are not simply numbers, each a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct TableForm {
    variables: Vec<Variable>,
    columns: Columns,
}

/// A column as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredColumn {
    /// What it is called and holds.
    #[serde(flatten)]
    pub variable: Variable,
    /// The feature it belongs to, from 0.
    pub feature: usize,
}

impl TableForm {
    /// Of columns; nothing if they are numbers and features by themselves, for then names tell all.
    pub fn of(variables: &[Variable], columns: &Columns) -> Option<Self> {
        let number = |variable: &Variable| variable.content == Content::Number;
        let plain = columns.is_plain() && variables.iter().all(number);
        (!plain).then(|| Self { variables: variables.to_vec(), columns: columns.clone() })
    }

    /// What they are called and hold.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What they are for a fit.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// As it is stored.
    pub fn stored(&self) -> Vec<StoredColumn> {
        let column = |(at, variable): (usize, &Variable)| StoredColumn {
            variable: variable.clone(),
            feature: self.columns.feature_of(at),
        };
        self.variables.iter().enumerate().map(column).collect()
    }

    /// From what is stored.
    pub(super) fn restored(stored: Vec<StoredColumn>) -> Result<Self, String> {
        let feature_of: Vec<usize> = stored.iter().map(|column| column.feature).collect();
        let variables: Vec<Variable> = stored.into_iter().map(|column| column.variable).collect();
        variables.iter().filter_map(Variable::levels).try_for_each(check_levels)?;
        let columns = Columns::new(variables.iter().map(Variable::kind).collect());
        let columns = columns.grouped(&feature_of).map_err(|error| error.to_string())?;
        Ok(Self { variables, columns })
    }
}

fn check_levels(levels: &Levels) -> Result<(), String> {
    let mut seen = HashSet::new();
    match levels.names().iter().find(|name| !seen.insert(name.as_str())) {
        Some(name) => Err(format!("the level `{name}` comes twice")),
        None if levels.count() == 0 => Err("a column of words without a level".into()),
        None => Ok(()),
    }
}
