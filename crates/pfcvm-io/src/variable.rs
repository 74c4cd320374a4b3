//! What a column of a table is called and what it holds.

use crate::dates::DateOrder;
use crate::levels::Levels;
use pfcvm::data::Kind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds.
    #[serde(flatten)]
    pub content: Content,
}

/// What the cells of a column are. A gap is NaN in each.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// Numbers.
    #[default]
    Number,
    /// Dates, as days since 1970.
    Date {
        /// What comes first where it is not the year.
        order: DateOrder,
    },
    /// Words, each as its place among the levels.
    Words(Levels),
}

impl Variable {
    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), content: Content::Number }
    }

    /// How a fit reads the column.
    pub fn kind(&self) -> Kind {
        match &self.content {
            Content::Number | Content::Date { .. } => Kind::Number,
            Content::Words(levels) => Kind::Words { levels: levels.count() },
        }
    }

    /// The levels of a column of words.
    pub fn levels(&self) -> Option<&Levels> {
        match &self.content {
            Content::Words(levels) => Some(levels),
            _ => None,
        }
    }
}

/// What a user says a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers; anything else is a gap.
    Number,
    /// Words, even if they look like numbers.
    Words,
    /// Dates; anything else is a gap.
    Date,
    /// Nothing of interest.
    Ignore,
}

impl FromStr for ColumnKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "number" => Ok(ColumnKind::Number),
            "words" => Ok(ColumnKind::Words),
            "date" => Ok(ColumnKind::Date),
            "ignore" => Ok(ColumnKind::Ignore),
            _ => Err(format!("`{text}` is no kind; it must be number, words, date or ignore")),
        }
    }
}

impl fmt::Display for ColumnKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ColumnKind::Number => "number",
            ColumnKind::Words => "words",
            ColumnKind::Date => "date",
            ColumnKind::Ignore => "ignore",
        })
    }
}
