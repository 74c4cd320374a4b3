//! Parquet and Arrow: files that hold typed columns, read in batches of rows.

mod arrow;
mod pages;
mod parquet;
mod parse;
mod recent;
mod stored;
mod values;

pub(crate) use parse::parse;

use crate::columns::Columns;
use crate::error::shown;
use crate::guard::guarded;
use crate::input::Source;
use crate::kinds::{Said, SaidKind};
use crate::pipeline::Pieces;
use crate::plan::Plan;
use crate::{Error, ReadOptions};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, SchemaRef};
use std::fs::File;

/// An opened file of typed columns.
pub(crate) struct Typed {
    schema: SchemaRef,
    origin: Origin,
}

enum Origin {
    Parquet(parquet::Opened),
    Arrow(Box<arrow::Messages>),
}

impl Typed {
    /// Reads the end of a Parquet file, where its columns are described.
    pub(crate) fn parquet(
        source: Source,
        file: Option<File>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        guarded(parquet::WHAT, || {
            let (schema, opened) = parquet::open(source, file, options)?;
            Ok(Self { schema, origin: Origin::Parquet(opened) })
        })
    }

    /// Reads the end of an Arrow file, or the beginning of a stream, where its columns are described.
    pub(crate) fn arrow(
        source: Source,
        file: Option<File>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        guarded(arrow::WHAT, || {
            let messages = arrow::Messages::open(source, file, options)?;
            Ok(Self { schema: messages.schema(), origin: Origin::Arrow(Box::new(messages)) })
        })
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns::Named(self.schema.fields().iter().map(|field| field.name().clone()).collect())
    }

    /// How many rows there are, where the file tells.
    pub(crate) fn rows(&self) -> Option<u64> {
        match &self.origin {
            Origin::Parquet(opened) => Some(opened.rows()),
            Origin::Arrow(_) => None,
        }
    }

    /// The columns that pandas wrote for the index of a frame: they name rows.
    pub(crate) fn index(&self) -> Vec<String> {
        let told = self.schema.metadata().get("pandas");
        let told: Option<serde_json::Value> = told.and_then(|text| serde_json::from_str(text).ok());
        let names = told.as_ref().and_then(|told| told["index_columns"].as_array());
        let names = names.into_iter().flatten().filter_map(|name| name.as_str());
        let there = |name: &&str| self.schema.fields().iter().any(|field| field.name() == name);
        names.filter(there).map(str::to_string).collect()
    }

    /// What the file says of a column.
    pub(crate) fn said(&self, at: usize) -> Option<Said> {
        let kind = match self.schema.field(at).data_type() {
            DataType::Boolean | DataType::Dictionary(..) => SaidKind::Words,
            kind if values::is_date(kind) => SaidKind::Date,
            _ => return None,
        };
        Some(Said { kind, by_user: false })
    }

    /// Whether a column holds dates by its type.
    pub(crate) fn is_date(&self, at: usize) -> bool {
        values::is_date(self.schema.field(at).data_type())
    }

    /// The wanted columns in batches of rows; refuses columns that are no columns of values, all at
    /// once.
    pub(crate) fn batches(self, plan: &Plan, options: &ReadOptions) -> Result<Batches, Error> {
        let mut wanted: Vec<usize> = plan.targets.iter().map(|target| target.column).collect();
        wanted.dedup();
        self.refuse_others(&wanted)?;
        // Rows of a batch: as many as a piece of text would hold, but not more than what is made of
        // them needs little memory for.
        let bytes = size_of::<f64>() * wanted.len().max(1);
        let most = (options.chunk_bytes / bytes).clamp(1, 1 << 14);
        let steps = match self.origin {
            Origin::Parquet(opened) => {
                let decoders = || opened.decoders(&wanted, most, options);
                Steps::Parquet(guarded(parquet::WHAT, decoders)?)
            }
            Origin::Arrow(messages) => Steps::Arrow(messages),
        };
        Ok(Batches { wanted, most, steps, held: None, next_row: 0 })
    }

    fn refuse_others(&self, wanted: &[usize]) -> Result<(), Error> {
        const LISTED: usize = 5;
        let fields = wanted.iter().map(|&at| self.schema.field(at));
        let others: Vec<_> =
            fields.filter(|field| !values::can_be_read(field.data_type())).collect();
        let Some(first) = others.first() else { return Ok(()) };
        let quoted = |name: &String| format!("`{}`", shown(name.as_bytes()));
        let names: Vec<String> =
            others.iter().take(LISTED).map(|field| quoted(field.name())).collect();
        let more = others.len().saturating_sub(LISTED);
        let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (noun, verb, them) =
            if others.len() == 1 { ("column", "holds", "it") } else { ("columns", "hold", "them") };
        Err(Error::Typed(format!(
            "the {noun} {}{and_more} {verb} {}, of which no feature can be made; leave {them} out \
             with --ignore or save {them} as numbers or words",
            names.join(", "),
            values::in_words(first.data_type()),
        )))
    }
}

/// Rows of the wanted columns.
pub(crate) struct Batch {
    /// Positions of the columns in the file, ascending.
    wanted: Vec<usize>,
    /// The arrays of each.
    columns: Vec<ArrayRef>,
    rows: usize,
    first_row: u64,
    /// Bytes of the input read when the batch was complete.
    read: u64,
}

/// Columns of the same length as they come out of a decoder.
struct Step {
    columns: Vec<ArrayRef>,
    rows: usize,
    read: u64,
}

enum Steps {
    Parquet(parquet::Decoders),
    Arrow(Box<arrow::Messages>),
}

/// Gives a file in batches.
pub(crate) struct Batches {
    wanted: Vec<usize>,
    /// Rows that a batch has at most.
    most: usize,
    steps: Steps,
    /// What was decoded, and how many of its rows have been given.
    held: Option<(Step, usize)>,
    next_row: u64,
}

impl Pieces for Batches {
    type Piece = Batch;

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        loop {
            if let Some((step, given)) = &mut self.held
                && *given < step.rows
            {
                let rows = self.most.min(step.rows - *given);
                let columns = step.columns.iter().map(|array| array.slice(*given, rows)).collect();
                let batch = Batch {
                    wanted: self.wanted.clone(),
                    columns,
                    rows,
                    first_row: self.next_row,
                    read: step.read,
                };
                (*given, self.next_row) = (*given + rows, self.next_row + rows as u64);
                return Ok(Some(batch));
            }
            let step = match &mut self.steps {
                Steps::Parquet(decoders) => decoders.next()?,
                Steps::Arrow(messages) => guarded(arrow::WHAT, || messages.next(&self.wanted))?,
            };
            match step {
                Some(step) => self.held = Some((step, 0)),
                None => return Ok(None),
            }
        }
    }
}
