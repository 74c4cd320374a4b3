//! Columns by name and position: the label, what is ignored, what a model asks for.

use crate::error::shown;
use crate::kinds::{Said, SaidKind};
use crate::{ColumnKind, Error, ReadOptions};
use std::collections::HashMap;

/// Names, or a number of columns that have none.
#[derive(Debug, Clone)]
pub(crate) enum Columns {
    /// From a header.
    Named(Vec<String>),
    /// As many columns without names.
    Numbered(usize),
    /// LIBSVM: as many as the largest index, which only the end of the file tells.
    Open,
}

impl Columns {
    pub(crate) fn len(&self) -> usize {
        match self {
            Columns::Named(names) => names.len(),
            Columns::Numbered(count) => *count,
            Columns::Open => usize::MAX,
        }
    }

    /// Refuses names that occur twice.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Columns::Named(names) = self else { return Ok(()) };
        let mut seen = HashMap::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = seen.insert(name, at) {
                let name = shown(name.as_bytes());
                return Err(Error::DuplicateColumn { name, first: first + 1, second: at + 1 });
            }
        }
        Ok(())
    }

    /// The name of a feature. Columns without names are x1, x2, … counted without the label.
    pub(crate) fn name(&self, at: usize, label: Option<usize>) -> String {
        match self {
            Columns::Named(names) => names[at].clone(),
            _ if label == Some(at) => "label".into(),
            _ => format!("x{}", at + 1 - usize::from(label.is_some_and(|label| label < at))),
        }
    }

    /// The columns with the given names; `label` is where features are not counted.
    pub(crate) fn find(&self, asked: &[String], label: Option<usize>) -> Vec<Option<usize>> {
        match self {
            Columns::Named(names) => {
                let places: HashMap<&str, usize> =
                    names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
                asked.iter().map(|name| places.get(name.as_str()).copied()).collect()
            }
            _ => asked.iter().map(|name| self.numbered(name, label)).collect(),
        }
    }

    /// The column that `x12` means.
    fn numbered(&self, name: &str, label: Option<usize>) -> Option<usize> {
        let digits = name.strip_prefix('x')?;
        if digits.starts_with(['0', '+']) {
            return None;
        }
        let at = digits.parse::<usize>().ok()?.checked_sub(1)?;
        let at = at.checked_add(usize::from(label.is_some_and(|label| label <= at)))?;
        (at < self.len()).then_some(at)
    }

    /// The label column of `options`; none given is the last that is not ignored.
    pub(crate) fn label(&self, options: &ReadOptions) -> Result<usize, Error> {
        let columns = self.len();
        let Some(asked) = &options.label else {
            let ignored = self.find(&options.ignored(), None);
            let last = (0..columns).rev().find(|&at| !ignored.contains(&Some(at)));
            return last.ok_or(Error::NoFeatures);
        };
        if let Some(at) = self.find(std::slice::from_ref(asked), None)[0] {
            return Ok(at);
        }
        let Ok(position) = asked.trim().parse::<i64>() else {
            return Err(self.unknown(&[asked], "take the label from"));
        };
        let at = match position {
            1.. => usize::try_from(position - 1).ok(),
            0 => None,
            _ => usize::try_from(position.unsigned_abs())
                .ok()
                .and_then(|back| columns.checked_sub(back)),
        };
        at.filter(|&at| at < columns).ok_or(Error::NoSuchPosition { position, columns })
    }

    /// Feature columns: all but the label, row numbers and what is ignored.
    pub(crate) fn features(
        &self,
        label: Option<usize>,
        index: Option<usize>,
        options: &ReadOptions,
    ) -> Result<Vec<usize>, Error> {
        let mut ignored = Vec::from_iter(index.filter(|_| label != index));
        let asked = options.ignored();
        let found = self.all_found(&asked, label, "ignore")?;
        for (name, at) in asked.iter().zip(found) {
            if label == Some(at) {
                return Err(Error::LabelIgnored { name: shown(name.as_bytes()) });
            }
            ignored.push(at);
        }
        ignored.sort_unstable();
        let kept = |at: &usize| Some(*at) != label && ignored.binary_search(at).is_err();
        let features: Vec<usize> = (0..self.len()).filter(kept).collect();
        match self {
            Columns::Named(names) if names.len() == 1 => {
                Err(Error::OneColumn { line: shown(names[0].as_bytes()) })
            }
            _ if features.is_empty() => Err(Error::NoFeatures),
            _ => Ok(features),
        }
    }

    /// What a user says that columns hold, by column.
    pub(crate) fn said(
        &self,
        label: Option<usize>,
        options: &ReadOptions,
    ) -> Result<HashMap<usize, Said>, Error> {
        let mut said = HashMap::new();
        let names: Vec<String> = options.kinds.iter().map(|(name, _)| name.clone()).collect();
        let found = self.all_found(&names, label, "read in another way")?;
        for ((_, kind), at) in options.kinds.iter().zip(found) {
            let kind = match kind {
                ColumnKind::Number => SaidKind::Number,
                ColumnKind::Words => SaidKind::Words,
                ColumnKind::Date => SaidKind::Date,
                ColumnKind::Ignore => continue,
            };
            said.insert(at, Said { kind, by_user: true });
        }
        Ok(said)
    }

    /// Where all of some columns are; an error names every one that is not there.
    fn all_found(
        &self,
        names: &[String],
        label: Option<usize>,
        purpose: &'static str,
    ) -> Result<Vec<usize>, Error> {
        let found = self.find(names, label);
        let missing = names.iter().zip(&found).filter(|(_, at)| at.is_none());
        let mut missing: Vec<&str> = missing.map(|(name, _)| name.as_str()).collect();
        missing.dedup();
        match missing.is_empty() {
            true => Ok(found.into_iter().flatten().collect()),
            false => Err(self.unknown(&missing, purpose)),
        }
    }

    /// The error for names that are not there, with the names that are nearest to the first of them.
    fn unknown(&self, missing: &[&str], purpose: &'static str) -> Error {
        let known = match self {
            Columns::Named(names) => nearest(missing[0], names),
            Columns::Numbered(1) => "the only column is x1".into(),
            Columns::Numbered(count) => format!("the columns have no names and are x1 to x{count}"),
            Columns::Open => "the columns are x1, x2 and so on".into(),
        };
        match missing {
            [name] => Error::NoSuchColumn { name: shown(name.as_bytes()), purpose, known },
            several => {
                let names = several.iter().map(|name| format!("`{}`", shown(name.as_bytes())));
                let names = Vec::from_iter(names).join(", ");
                Error::NoSuchColumns { names, purpose, known }
            }
        }
    }
}

/// A name spelt almost alike, or else the first few.
fn nearest(name: &str, names: &[String]) -> String {
    const LISTED: usize = 5;
    const SEARCHED: usize = 10_000; // a list of genes may be long, and the answer is a courtesy
    let close = |known: &&String| {
        let allowed = 1 + name.chars().count() / 4;
        known.eq_ignore_ascii_case(name) || distance(name, known, allowed) <= allowed
    };
    if let Some(close) = names.iter().take(SEARCHED).find(close) {
        return format!("the nearest name is `{}`", shown(close.as_bytes()));
    }
    let first: Vec<String> =
        names.iter().take(LISTED).map(|name| format!("`{}`", shown(name.as_bytes()))).collect();
    let more = names.len().saturating_sub(LISTED);
    if more == 0 {
        format!("the columns are {}", first.join(", "))
    } else {
        format!("the columns are {} and {more} more", first.join(", "))
    }
}

/// Edits between two words; anything above `allowed` when their lengths alone differ by more.
fn distance(a: &str, b: &str, allowed: usize) -> usize {
    if b.len().abs_diff(a.len()) > 4 * allowed || a.len() > 100 || b.len() > 100 {
        return allowed + 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
