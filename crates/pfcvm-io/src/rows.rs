//! Rows of any format, block by block.

use crate::arff::{self, Attribute};
use crate::array::Layout;
use crate::cells::Dictionaries;
use crate::chunks::Chunks;
use crate::collected::{Fault, Parsed};
#[cfg(feature = "parquet")]
use crate::columnar::Typed;
use crate::columns::Columns;
#[cfg(feature = "parquet")]
use crate::error::shown;
use crate::input::{self, Source};
use crate::kinds::{Said, SaidKind};
use crate::labels::Labels;
use crate::npz::{self, Archive};
use crate::plan::Reader;
use crate::{ColumnKind, Content, Error, Format, Input, ReadOptions, delimited, detect};
use pfcvm::Matrix;
use std::io::{Cursor, Read};

/// An opened input: its format is known and its header is read, its rows are not.
///
/// Columns without names are x1, x2, … in the order of the file. Where
/// [`ReadOptions::label`] says which column is the label, that column is not counted, so that
/// x1, x2, … are the features wherever the label stands.
pub struct Rows {
    pub(crate) name: String,
    format: Format,
    pub(crate) columns: Columns,
    notes: Vec<String>,
    /// The column of row numbers that some program wrote, if there is one.
    index: Option<usize>,
    size: Option<u64>,
    pub(crate) options: ReadOptions,
    pub(crate) body: Body,
}

/// What is left to be read.
pub(crate) enum Body {
    Delimited(Chunks, u8),
    Libsvm(Chunks),
    Arff(Chunks, Vec<Attribute>),
    Npy(Source, Layout),
    Npz(Archive, Layout),
    #[cfg(feature = "parquet")]
    Typed(Typed),
}

/// What is said of features, and how they are read for that.
type Told = (Vec<Option<Said>>, Vec<Reader>);

/// Which columns [`Rows::for_each`] is to give.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Positions of the features, from 0, in the order in which they are to come.
    pub features: Vec<usize>,
    /// Whether the label is wanted too.
    pub label: bool,
    /// Positions of columns to be copied as they are, of CSV, TSV and ARFF.
    pub keep: Vec<usize>,
    /// What each of them holds; nothing if all hold numbers.
    pub contents: Vec<Content>,
}

/// Some rows, one after the other.
#[derive(Debug)]
pub struct Block {
    /// Number of the first row, from 0, counting rows of data only.
    pub first_row: usize,
    /// The wanted features.
    pub x: Matrix,
    /// A label per row, or none if they were not wanted.
    pub labels: Labels,
    /// For each column to be copied, its texts.
    pub kept: Vec<Vec<String>>,
    /// For each feature, how many of its cells hold what the column should not: words that are not
    /// known, or no numbers. They count as gaps. Nothing if all fit.
    pub strange: Vec<usize>,
    pub(crate) words: Dictionaries,
    pub(crate) faults: Vec<Fault>,
    pub(crate) commas: bool,
}

impl Block {
    pub(crate) fn of(first_row: usize, parsed: Parsed) -> Self {
        let Parsed { x, labels, kept, strange, words, faults, commas, .. } = parsed;
        Self { first_row, x, labels, kept, strange, words, faults, commas }
    }
}

impl Rows {
    /// Opens a file or standard input.
    pub fn open(input: &Input, options: &ReadOptions) -> Result<Self, Error> {
        let name = input.to_string();
        let outcome = match input {
            Input::Stdin => Self::read(std::io::stdin(), name.clone(), false, options, None),
            Input::File(path) => input::open(path).and_then(|file| {
                let size = file.metadata().ok().filter(|about| about.is_file());
                let extension = path.with_extension("");
                let packed = path.extension().is_some_and(|end| {
                    end.eq_ignore_ascii_case("gz") || end.eq_ignore_ascii_case("zst")
                });
                let plain = if packed { &extension } else { path };
                let tsv = plain.extension().is_some_and(|end| {
                    end.eq_ignore_ascii_case("tsv") || end.eq_ignore_ascii_case("tab")
                });
                let size = size.map(|about| about.len());
                // A pipe by name can be opened, and read, only once.
                let again = size.is_some().then_some(path.as_path());
                let rows = Self::read(file, name.clone(), tsv, options, again)?;
                Ok(Self { size, ..rows })
            }),
        };
        outcome.map_err(|error| error.within(&name))
    }

    /// Takes rows from any stream; `name` is what errors call it.
    pub fn from_reader(
        reader: impl Read + Send + 'static,
        name: &str,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        Self::read(reader, name.into(), false, options, None).map_err(|error| error.within(name))
    }

    fn read(
        reader: impl Read + Send + 'static,
        name: String,
        tsv: bool,
        options: &ReadOptions,
        path: Option<&std::path::Path>,
    ) -> Result<Self, Error> {
        let mut source = Source::new(reader);
        if source.start.is_empty()
            && let Some(error) = source.failed.take()
        {
            return Err(error);
        }
        let format = match options.format {
            Some(format) => format,
            None => detect::detect(&source.start, tsv)?,
        };
        let (mut notes, mut index) = (Vec::new(), None);
        #[cfg_attr(not(feature = "parquet"), expect(unused_mut))] // only frames have an index
        let mut options = options.clone();
        let (columns, body) = match format {
            Format::Csv | Format::Tsv => {
                let opened = delimited::open(source, format, &options)?;
                (notes, index) = (opened.notes, opened.index);
                (opened.columns, Body::Delimited(opened.chunks, opened.separator))
            }
            Format::Libsvm => (Columns::Open, Body::Libsvm(Chunks::new(source, None, &options))),
            Format::Arff => {
                let mut chunks = Chunks::new(source, None, &options);
                let attributes = arff::header(&mut chunks)?;
                let names = attributes.iter().map(|attribute| attribute.name.clone()).collect();
                let columns = Columns::Named(names);
                columns.check()?;
                (columns, Body::Arff(chunks, attributes))
            }
            Format::Npy => {
                let layout = Layout::new(npz::header(&mut source)?, &options)?;
                let first = layout.first_row(&mut source)?;
                source.start.splice(..0, first);
                (layout.columns(), Body::Npy(source, layout))
            }
            Format::Npz => {
                // A file can be read in any order; what came through a pipe must be held.
                let seekable: Box<dyn npz::Seekable> = match path {
                    Some(path) if !source.is_packed() => Box::new(input::open(path)?),
                    _ => Box::new(Cursor::new(source.into_bytes(&options)?)),
                };
                let (archive, layout) = npz::open(seekable, &options)?;
                (layout.columns(), Body::Npz(archive, layout))
            }
            Format::Excel => {
                let (text, told) = sheet(source, &options)?;
                let opened = delimited::open(text, format, &options)?;
                (notes, index) = ([told, opened.notes].concat(), opened.index);
                (opened.columns, Body::Delimited(opened.chunks, opened.separator))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet | Format::Arrow => {
                let file = path.filter(|_| !source.is_packed());
                let file = file.map(input::open).transpose()?;
                let typed = match format {
                    Format::Arrow => Typed::arrow(source, file, &options)?,
                    _ => Typed::parquet(source, file, &options)?,
                };
                for name in typed.index() {
                    let shown = shown(name.as_bytes());
                    notes.push(format!("`{shown}` was the index of a frame and is no feature"));
                    options.ignore.push(name);
                }
                let columns = typed.columns();
                columns.check()?;
                (columns, Body::Typed(typed))
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet | Format::Arrow => {
                let parquet = format == Format::Parquet;
                let what = if parquet { "a Parquet file" } else { "an Arrow file" };
                return Err(Error::NotBuilt { what, feature: "parquet" });
            }
        };
        if format == Format::Libsvm && options.label.is_some() {
            notes.push(
                "LIBSVM files have the label first; the label column asked for was not used".into(),
            );
        }
        if format != Format::Excel && options.sheet.is_some() {
            notes.push("only spreadsheets have sheets; the one asked for was not used".into());
        }
        Ok(Self { name, format, columns, notes, index, size: None, options, body })
    }

    /// The names of all columns, the label among them; none for LIBSVM, whose columns x1, x2, …
    /// are only known at the end of the file.
    pub fn columns(&self) -> Vec<String> {
        match &self.columns {
            Columns::Open => Vec::new(),
            columns => {
                let label = self.unnumbered();
                (0..columns.len()).map(|at| columns.name(at, label)).collect()
            }
        }
    }

    /// Position of the label column, from 0; none where labels are kept apart from the columns
    /// (LIBSVM, .npz). An error if the options ask for one that is not there.
    pub fn label_column(&self) -> Result<Option<usize>, Error> {
        self.label().map_err(|error| error.within(&self.name))
    }

    fn label(&self) -> Result<Option<usize>, Error> {
        match &self.body {
            Body::Libsvm(_) => Ok(None),
            Body::Npz(archive, _) if archive.has_labels() => Ok(None),
            _ => self.columns.label(&self.options).map(Some),
        }
    }

    /// The column that is not counted in x1, x2, …: a label that was asked for.
    pub(crate) fn unnumbered(&self) -> Option<usize> {
        self.options.label.as_ref().and_then(|_| self.label().ok().flatten())
    }

    /// The number of columns, where they have no names of their own; nothing for LIBSVM, whose
    /// columns are numbered by the format.
    pub fn unnamed_columns(&self) -> Option<usize> {
        match self.columns {
            Columns::Numbered(count) => Some(count),
            _ => None,
        }
    }

    /// Says which column, from 0, is the label: in data without names it is not counted in
    /// x1, x2, …
    pub fn set_label(&mut self, position: usize) {
        self.options.label = Some((position + 1).to_string());
    }

    /// Says that all columns beside the label hold numbers: what is none is a gap.
    pub fn expect_numbers(&mut self) {
        let label = self.label().ok().flatten();
        let columns = self.columns().into_iter().enumerate();
        let beside = columns.filter(|(at, _)| Some(*at) != label);
        self.options.kinds = beside.map(|(_, name)| (name, ColumnKind::Number)).collect();
    }

    /// What was decided without being asked, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The format that was found or asked for.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Size of the file, where it is one, for progress reports.
    pub fn size_bytes(&self) -> Option<u64> {
        self.size
    }

    /// Positions of the columns with the given names.
    pub fn find(&self, names: &[String]) -> Result<Vec<usize>, Error> {
        const LISTED: usize = 5;
        let found = self.columns.find(names, self.unnumbered());
        let missing: Vec<&String> =
            names.iter().zip(&found).filter(|(_, at)| at.is_none()).map(|(name, _)| name).collect();
        if missing.is_empty() {
            return Ok(found.into_iter().flatten().collect());
        }
        let more = missing.len().saturating_sub(LISTED);
        let names = missing.into_iter().take(LISTED).cloned().collect();
        Err(Error::MissingColumns { names, more }.within(&self.name))
    }

    /// Positions and names of the features of a table with all columns.
    pub(crate) fn table_columns(&self) -> Result<(Vec<usize>, Vec<String>), Error> {
        let label = self.label_column()?;
        let features = self.columns.features(label, self.index, &self.options);
        let features = features.map_err(|error| error.within(&self.name))?;
        let names = features.iter().map(|&at| self.columns.name(at, label)).collect();
        Ok((features, names))
    }

    /// What is said of features, by the user or the file, and how they are read for that.
    pub(crate) fn said(&self, features: &[usize]) -> Result<Told, Error> {
        let label = self.label_column()?;
        let by_user = self.columns.said(label, &self.options);
        let by_user = by_user.map_err(|error| error.within(&self.name))?;
        let by_file = |at: usize| match &self.body {
            Body::Arff(_, attributes) => Some(attributes[at].said()),
            #[cfg(feature = "parquet")]
            Body::Typed(typed) => typed.said(at),
            _ => None,
        };
        let attribute = |at: usize| match &self.body {
            Body::Arff(_, attributes) => Some(&attributes[at]),
            _ => None,
        };
        let of_one = |&at: &usize| {
            let said = by_user.get(&at).copied().or_else(|| by_file(at));
            let reader = match said.map(|said| said.kind) {
                None => Reader::Find,
                Some(SaidKind::Number) => Reader::Number,
                #[cfg(feature = "parquet")]
                Some(SaidKind::Date) if matches!(&self.body, Body::Typed(typed) if typed.is_date(at)) => {
                    Reader::Date(crate::DateOrder::default())
                }
                Some(SaidKind::Words | SaidKind::Date) => {
                    let declared = attribute(at).map(Attribute::declared);
                    Reader::Words(declared.unwrap_or_default())
                }
            };
            (said, reader)
        };
        Ok(features.iter().map(of_one).unzip())
    }

    /// How many rows there are, where the header tells.
    pub(crate) fn declared_rows(&self) -> Option<u64> {
        match &self.body {
            Body::Npy(_, layout) | Body::Npz(_, layout) => Some(layout.rows),
            #[cfg(feature = "parquet")]
            Body::Typed(typed) => typed.rows(),
            _ => None,
        }
    }
}

/// The text of a spreadsheet, and what was decided for it.
#[cfg(feature = "excel")]
fn sheet(source: Source, options: &ReadOptions) -> Result<(Source, Vec<String>), Error> {
    let bytes = source.into_bytes(options)?;
    let size = bytes.len() as u64;
    let (text, notes) = crate::excel::text(bytes, options)?;
    Ok((Source::of_text(text, size), notes))
}

#[cfg(not(feature = "excel"))]
fn sheet(_: Source, _: &ReadOptions) -> Result<(Source, Vec<String>), Error> {
    Err(Error::NotBuilt { what: "a spreadsheet", feature: "excel" })
}
