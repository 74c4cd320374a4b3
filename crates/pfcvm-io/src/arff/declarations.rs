//! The declarations at the top of an ARFF file.

use super::{fields, quoted, uncommented};
use crate::Error;
use crate::chunks::Chunks;
use crate::error::shown;
use crate::kinds::{Said, SaidKind};
use std::collections::HashSet;

/// One declared column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a column is declared to hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Numeric,
    Nominal(Vec<String>),
    /// Text, dates and whatever else there may be, by its name.
    Other(String),
}

impl Attribute {
    /// What the file says of the column.
    pub(crate) fn said(&self) -> Said {
        let kind = match &self.kind {
            Kind::Numeric => SaidKind::Number,
            Kind::Other(kind) if kind.eq_ignore_ascii_case("date") => SaidKind::Date,
            Kind::Nominal(_) | Kind::Other(_) => SaidKind::Words,
        };
        Said { kind, by_user: false }
    }

    /// The words that are declared, of which none is a gap.
    pub(crate) fn declared(&self) -> HashSet<Box<[u8]>> {
        match &self.kind {
            Kind::Nominal(values) => values.iter().map(|value| value.as_bytes().into()).collect(),
            _ => HashSet::new(),
        }
    }

    /// What a sparse row means by leaving the column out.
    pub(super) fn absent(&self) -> &[u8] {
        match &self.kind {
            Kind::Numeric => b"0",
            Kind::Nominal(values) => values.first().map_or(b"?", |value| value.as_bytes()),
            Kind::Other(_) => b"?",
        }
    }
}

/// Reads the declarations, up to and with `@data`.
pub(crate) fn header(chunks: &mut Chunks) -> Result<Vec<Attribute>, Error> {
    let mut attributes = Vec::new();
    while let Some((record, line)) = chunks.record()? {
        let text = uncommented(&record).trim_ascii();
        if text.is_empty() {
            continue;
        }
        let bad = |problem: String| Error::BadLine { line, problem };
        let Ok(text) = std::str::from_utf8(text) else {
            return Err(bad("the text is not UTF-8; save the file as UTF-8".into()));
        };
        let split = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (keyword, rest) = text.split_at(split);
        if keyword.eq_ignore_ascii_case("@data") {
            return Ok(attributes);
        } else if keyword.eq_ignore_ascii_case("@attribute") {
            attributes.push(attribute(rest.trim()).map_err(bad)?);
        } else if !keyword.eq_ignore_ascii_case("@relation") {
            let shown = shown(text.as_bytes());
            return Err(bad(format!(
                "`{shown}` is neither @attribute nor @data, as expected here"
            )));
        }
    }
    Err(if attributes.is_empty() { Error::Empty } else { Error::HeaderOnly })
}

/// `name type`, the name perhaps in quotes.
fn attribute(text: &str) -> Result<Attribute, String> {
    let wrong = || format!("`{}` is not a name and a type", shown(text.as_bytes()));
    let bytes = text.as_bytes();
    let (name, used) = match bytes.first() {
        Some(quote @ (b'\'' | b'"')) => quoted(bytes, *quote).ok_or_else(wrong)?,
        _ => {
            let end = text.find(|c: char| c.is_ascii_whitespace() || c == '{').ok_or_else(wrong)?;
            (bytes[..end].to_vec(), end)
        }
    };
    let name = String::from_utf8(name).map_err(|_| wrong())?;
    let kind = text[used..].trim();
    if kind.is_empty() {
        return Err(wrong());
    }
    let kind = match kind.strip_prefix('{') {
        Some(list) => Kind::Nominal(nominal(list).ok_or_else(|| {
            format!("the values of `{}` have no closing brace", shown(name.as_bytes()))
        })?),
        None => {
            let word = kind.split_ascii_whitespace().next().unwrap_or_default();
            let numeric = ["numeric", "real", "integer"];
            if numeric.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                Kind::Numeric
            } else {
                Kind::Other(word.into())
            }
        }
    };
    Ok(Attribute { name, kind })
}

/// The values between braces.
fn nominal(list: &str) -> Option<Vec<String>> {
    let list = list.trim_end().strip_suffix('}')?;
    let values = fields(list.as_bytes(), b',')?;
    values.into_iter().map(|value| String::from_utf8(value.into_owned()).ok()).collect()
}
