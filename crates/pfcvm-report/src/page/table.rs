//! Tables whose first column names the rows.

use crate::charts::Tone;
use serde::Serialize;

/// A table whose first column names the rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// What it shows, for screen readers.
    pub caption: String,
    /// The head.
    pub columns: Vec<Column>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// A line below, such as how many rows are not shown.
    pub remark: Option<String>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    pub(super) name: String,
    pub(super) numeric: bool,
}

impl Column {
    /// A column of text.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), numeric: false }
    }

    /// A column of numbers, which are set flush right.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), numeric: true }
    }

    /// A column of text, and columns of numbers after it.
    pub fn numbers(first: &str, others: &[&str]) -> Vec<Self> {
        let others = others.iter().map(|name| Self::number(*name));
        std::iter::once(Self::text(first)).chain(others).collect()
    }
}

/// One cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Cell {
    pub(super) text: String,
    pub(super) remark: Option<String>,
    tone: Option<Tone>,
    pub(super) mark: Option<Mark>,
}

/// What sets a cell apart from the others of its row or column. The remark of the table should
/// say what is compared and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The best: in bold, with `*` in plain text.
    Best,
    /// Not worse than the best: with a raised dot, `·` in plain text.
    Near,
}

impl Cell {
    /// A cell with a smaller second line.
    pub fn with_remark(text: impl Into<String>, remark: impl Into<String>) -> Self {
        Self { text: text.into(), remark: Some(remark.into()), ..Self::default() }
    }

    /// The same cell, tinted.
    pub fn tinted(self, tone: Tone) -> Self {
        Self { tone: Some(tone), ..self }
    }

    /// The same cell, set apart.
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark: Some(mark), ..self }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}
