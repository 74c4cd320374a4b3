//! What a parser takes out of each row, and how cells become numbers.

use crate::collected::{Collected, Misfit, text};
use crate::columns::Columns;
use crate::dates::{DateOrder, days};
use crate::field::{Commas, Gaps, is_infinite, number, number_with_commas, refuse, refuse_label};
use crate::levels::Lookup;
use crate::{Content, Error, Place, Wanted};
use std::collections::HashSet;

/// How the cells of a column become numbers.
pub(crate) enum Reader {
    /// As numbers; what is none is a gap, and counted.
    Number,
    /// As days since 1970; what is no date is a gap, and counted.
    Date(DateOrder),
    /// As places of words that are known; others are gaps, and counted.
    Known(Box<Lookup>),
    /// As numbers or words, as they come: the end of the column decides.
    Find,
    /// As words, whatever they look like. Declared ones are no gaps.
    Words(HashSet<Box<[u8]>>),
}

impl Reader {
    /// For a column of which is known what it holds.
    pub(crate) fn of(content: &Content) -> Self {
        match content {
            Content::Number => Reader::Number,
            Content::Date { order } => Reader::Date(*order),
            Content::Words(levels) => Reader::Known(Box::new(levels.lookup())),
        }
    }
}

/// What a parser has to take out of each row.
pub(crate) struct Plan<'a> {
    pub(crate) columns: &'a Columns,
    /// The column that names do not count, which may be known without being wanted.
    pub(crate) unnumbered: Option<usize>,
    /// How many features are wanted.
    pub(crate) width: usize,
    /// Wanted columns in file order, with what each is wanted for.
    pub(crate) targets: Vec<Target>,
    /// How many columns are copied as they are.
    pub(crate) kept: usize,
    /// How each feature is read.
    pub(crate) readers: Vec<Reader>,
    /// Classes that are declared, of which none is a gap.
    pub(crate) declared_classes: HashSet<Box<[u8]>>,
    /// Whether a model is to be learned: infinite numbers are then refused.
    pub(crate) training: bool,
    pub(crate) gaps: Gaps,
    pub(crate) commas: Commas,
}

/// One column to be taken.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) column: usize,
    pub(crate) role: Role,
}

/// What a column is wanted for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// A feature, at this place among the wanted ones.
    Feature(usize),
    Label,
    /// Copied as it is, at this place among such columns.
    Kept(usize),
}

impl<'a> Plan<'a> {
    pub(crate) fn new(
        columns: &'a Columns,
        wanted: &Wanted,
        label: Option<usize>,
        unnumbered: Option<usize>,
    ) -> Self {
        let features = wanted.features.iter().enumerate();
        let kept = wanted.keep.iter().enumerate();
        let mut targets: Vec<Target> =
            features.map(|(at, &column)| Target { column, role: Role::Feature(at) }).collect();
        targets.extend(kept.map(|(at, &column)| Target { column, role: Role::Kept(at) }));
        targets.extend(label.map(|column| Target { column, role: Role::Label }));
        targets.sort_by_key(|target| target.column);
        let content = |at: usize| wanted.contents.get(at).unwrap_or(&Content::Number);
        Self {
            columns,
            unnumbered,
            width: wanted.features.len(),
            targets,
            kept: wanted.keep.len(),
            readers: (0..wanted.features.len()).map(|at| Reader::of(content(at))).collect(),
            declared_classes: HashSet::new(),
            training: false,
            gaps: Gaps::default(),
            commas: Commas::No,
        }
    }

    /// Where a field stands in a text.
    pub(crate) fn place(&self, line: u64, column: usize) -> Place {
        let name = self.columns.name(column, self.unnumbered);
        Place { unit: "line", number: line, column: column + 1, name }
    }

    /// Takes one field, already trimmed, into the row that is being collected.
    pub(crate) fn take(
        &self,
        target: Target,
        field: &[u8],
        rows: &mut Collected,
    ) -> Result<(), Misfit> {
        match target.role {
            Role::Feature(at) => {
                let cell = self.feature(target.column, at, field, rows)?;
                rows.row_mut()[at] = cell;
            }
            Role::Label => self.take_label(field, rows)?,
            Role::Kept(at) => rows.kept[at].push(text(field)?.into()),
        }
        Ok(())
    }

    /// The cell that a field, already trimmed, makes in a column of features.
    #[inline]
    pub(crate) fn feature(
        &self,
        column: usize,
        at: usize,
        field: &[u8],
        rows: &mut Collected,
    ) -> Result<f64, Misfit> {
        let number = match self.readers[at] {
            Reader::Number | Reader::Find => number(field),
            _ => None,
        };
        match number {
            Some(number) => Ok(self.gaps.in_place_of(number)),
            None => self.cell(column, at, field, rows),
        }
    }

    /// Takes a label, or notes that there is none.
    pub(crate) fn take_label(&self, field: &[u8], rows: &mut Collected) -> Result<(), Misfit> {
        if self.gaps.has(field) && !self.declared_classes.contains(field) {
            rows.labels.push_none();
        } else if is_infinite(field) {
            return Err(Misfit);
        } else {
            rows.labels.push(text(field)?);
        }
        Ok(())
    }

    /// A cell that is not simply a number in a column of numbers.
    fn cell(
        &self,
        column: usize,
        at: usize,
        field: &[u8],
        rows: &mut Collected,
    ) -> Result<f64, Misfit> {
        let gap = || self.gaps.has(field);
        let fitting = match &self.readers[at] {
            Reader::Words(declared) if !declared.contains(field) && gap() => Some(f64::NAN),
            Reader::Words(_) => Some(rows.word(at, field)?),
            Reader::Known(known) => match known.code(field) {
                None if gap() => Some(f64::NAN),
                None => known.other(),
                code => code,
            },
            _ if gap() => Some(f64::NAN),
            Reader::Date(order) => {
                let date = std::str::from_utf8(field).ok().and_then(|text| days(text, *order));
                date.or_else(|| number(field))
            }
            reader => match number_with_commas(field, self.commas) {
                Some(number) => {
                    rows.commas = true;
                    Some(self.gaps.in_place_of(number))
                }
                None if self.training && is_infinite(field) => {
                    rows.fault(column, field);
                    Some(f64::NAN)
                }
                None if matches!(reader, Reader::Find) => Some(rows.word(at, field)?),
                None => None,
            },
        };
        Ok(fitting.unwrap_or_else(|| {
            rows.strange(at);
            f64::NAN
        }))
    }

    /// A number of an array as a cell of its column.
    pub(crate) fn number(&self, at: usize, value: f64) -> f64 {
        match &self.readers[at] {
            _ if value.is_nan() => f64::NAN,
            Reader::Known(known) => {
                let code = known.code(value.to_string().as_bytes());
                code.or(known.other()).unwrap_or(f64::NAN)
            }
            _ => self.gaps.in_place_of(value),
        }
    }

    /// The cell of a zero that is not written.
    pub(crate) fn absent(&self, at: usize) -> f64 {
        match &self.readers[at] {
            Reader::Known(_) => self.number(at, 0.0),
            _ => 0.0,
        }
    }

    /// The words for a field that [`Plan::take`] refused.
    pub(crate) fn explain(&self, line: u64, column: usize, field: &[u8]) -> Error {
        let is_label = |target: &Target| target.column == column && target.role == Role::Label;
        match self.targets.iter().any(is_label) {
            true => refuse_label(self.place(line, column), field),
            false => refuse(self.place(line, column), field),
        }
    }
}
