//! Options of the commands for few labels and new labels.

use super::{NewRows, above_zero, whole};
use clap::ValueHint;
use std::path::PathBuf;

/// Options of `suggest`.
#[derive(Debug, clap::Args)]
pub struct Suggest {
    /// A model file that `fit` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Read a model file that was changed on purpose: its checksum is not looked at, all else is.
    #[arg(long)]
    pub unchecked: bool,
    /// Rows without labels to choose from: columns are found by name; `-` for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub pool: PathBuf,
    /// How many rows to suggest.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = whole::<1>)]
    pub count: u32,
    /// Where to write the suggestions [default: standard output].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// One JSON object per suggested row instead of CSV.
    #[arg(long)]
    pub json: bool,
    /// Columns to copy in front of the suggestions, such as identifiers; may be given several times.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Put an apostrophe in front of texts that a spreadsheet would take for formulas.
    #[arg(long)]
    pub safe_csv: bool,
    #[command(flatten)]
    pub reading: NewRows,
    /// Threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = whole::<1>)]
    pub threads: Option<u32>,
}

/// Options of `update`.
#[derive(Debug, clap::Args)]
pub struct Update {
    /// A model file that `fit --keep-rows` or `update` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// New labelled rows, with the columns of the training data; `-` for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// Where to write the model that has learned from them; may be the old one.
    #[arg(long = "model", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub next: PathBuf,
    /// Forget: what was seen counts half after so many rows have been seen since.
    #[arg(long, value_name = "ROWS", value_parser = above_zero)]
    pub half_life: Option<f64>,
    /// Learn labels that the model does not know as new classes, instead of refusing them.
    #[arg(long)]
    pub new_classes: bool,
    /// Where to write a report with pictures.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    /// Label column, where it is not the one of the training data: its name, or its position from 1.
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true, help_heading = "Reading data")]
    pub label: Option<String>,
    #[command(flatten)]
    pub reading: NewRows,
    /// Threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = whole::<1>)]
    pub threads: Option<u32>,
    /// Refuse data or a fit that need more memory than this [default: what the system has free and
    /// its limits leave, 16384 where it does not tell].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,
}
