//! Options of every command that reads data.

use clap::{ValueEnum, ValueHint};
use pfcvm_io::{ColumnKind, Groups};
use std::path::PathBuf;

/// How data are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading data")]
pub struct Reading {
    /// Label column: its name, or its position counted from 1 (from -1 at the end)
    /// [default: the last column; LIBSVM: the first value].
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub label: Option<String>,
    /// Columns to leave out, such as row names; may be given several times.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// What a column holds, `number`, `words`, `date` or `ignore`, where it is not to be found out;
    /// may be given several times.
    #[arg(long, value_name = "COLUMN=KIND", value_parser = column_kind)]
    pub kind: Vec<(String, ColumnKind)>,
    /// A text that stands for no value, beside the empty one, NA, NaN, null, None, N/A, #N/A and ?;
    /// may be given several times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub missing: Vec<String>,
    /// Columns that belong together and are one feature: a file with a column and its group on each
    /// line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          conflicts_with = "group_by")]
    pub groups: Option<PathBuf>,
    /// The same by names: columns are one feature where a regular expression captures the same in
    /// its parentheses, as in `^(.*)_`.
    #[arg(long, value_name = "PATTERN", value_parser = Groups::by_pattern,
          allow_hyphen_values = true)]
    pub group_by: Option<Groups>,
    /// Form of the data [default: found out from the first bytes].
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Whether the first line of CSV, TSV or a sheet holds names; `auto` decides by what stands in
    /// it.
    #[arg(long, value_enum, default_value_t = Header::Auto)]
    pub header: Header,
    /// Sheet of a spreadsheet: its name, or its position counted from 1 [default: the first].
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// Two classes to keep of several, or the order of the two there are: probabilities are those
    /// of the second [default: all there are, in order].
    #[arg(long, value_name = "A,B", value_parser = pair, allow_hyphen_values = true)]
    pub classes: Option<(String, String)>,
}

/// Forms of data, any of them packed by gzip or zstd or not.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
    /// Comma- or semicolon-separated text.
    Csv,
    /// Tab-separated text.
    Tsv,
    /// `label index:value …`.
    Libsvm,
    /// Weka's format.
    Arff,
    /// A NumPy array.
    Npy,
    /// A NumPy archive with the arrays X and y.
    Npz,
    /// A spreadsheet: .xlsx, .xlsb, .xls or .ods.
    Excel,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow: a file (Feather) or a stream.
    Arrow,
}

/// Whether there are column names.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Header {
    /// Unless the first line is all numbers, or half its words come again below it.
    Auto,
    /// The first line holds names.
    Yes,
    /// The first line is data.
    No,
}

fn column_kind(text: &str) -> Result<(String, ColumnKind), String> {
    match text.rsplit_once('=') {
        Some((column, kind)) => Ok((column.into(), kind.parse()?)),
        None => Err("a column and its kind are wanted, as in age=number".into()),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once(',') {
        Some((first, second)) if first.trim() == second.trim() => {
            Err("the two labels must differ".into())
        }
        Some((first, second)) => Ok((first.trim().into(), second.trim().into())),
        None => Err("name two labels with a comma between them".into()),
    }
}

/// How data are read whose columns a model knows.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading data")]
pub struct NewRows {
    /// Form of the data [default: found out from the first bytes].
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Whether the first line of CSV, TSV or a sheet holds names; `auto` decides by what stands in
    /// it.
    #[arg(long, value_enum, default_value_t = Header::Auto)]
    pub header: Header,
    /// Sheet of a spreadsheet: its name, or its position counted from 1 [default: the first].
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// A text that stands for no value, beside those of the training data; may be given several
    /// times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub missing: Vec<String>,
}
