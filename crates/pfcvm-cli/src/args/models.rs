//! Options of the commands that take a model file.

use super::{NewRows, whole};
use clap::ValueHint;
use std::path::PathBuf;

/// Options of `predict`.
#[derive(Debug, clap::Args)]
pub struct Predict {
    /// A model file that `fit` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Read a model file that was changed on purpose: its checksum is not looked at, all else is.
    #[arg(long)]
    pub unchecked: bool,
    /// Rows to predict: columns are found by name, those that the model does not need are not looked
    /// at; `-` for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// Where to write the predictions [default: standard output].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// One JSON object per row instead of CSV.
    #[arg(long)]
    pub json: bool,
    /// Say of each row how far each kept feature moved its log odds (`moved:FEATURE`: the decision
    /// value less that with the feature at its mean), and which three kept samples it is most like.
    #[arg(long)]
    pub explain: bool,
    /// Columns to copy in front of the predictions, such as identifiers; may be given several
    /// times.
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

/// Options of `inspect`.
#[derive(Debug, clap::Args)]
pub struct Inspect {
    /// A model file that `fit` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Read a model file that was changed on purpose: its checksum is not looked at, all else is.
    #[arg(long)]
    pub unchecked: bool,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    /// The bound on errors.
    #[command(flatten)]
    pub bound: BoundOptions,
}

/// The bound on errors.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Theory")]
pub struct BoundOptions {
    /// Also tell the paper's bound on errors, from the data that the model was fitted on.
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub bound: Option<PathBuf>,
    /// How often the bound may fail, above 0 and below 1.
    #[arg(long, requires = "bound", default_value_t = 0.05, allow_negative_numbers = true)]
    pub delta: f64,
    /// The margin c below which a vote counts as an error in part, above 0.
    #[arg(long, requires = "bound", default_value_t = 1.0, allow_negative_numbers = true)]
    pub margin: f64,
    /// The ratio r of complexities that are told apart, above 1.
    #[arg(long, requires = "bound", default_value_t = 1.1, allow_negative_numbers = true)]
    pub ratio: f64,
    /// The least complexity g, above 0.
    #[arg(long, requires = "bound", default_value_t = 1.0, allow_negative_numbers = true)]
    pub floor: f64,
}

/// Options of `export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// A model file that `fit` wrote.
    #[arg(value_hint = ValueHint::FilePath)]
    pub model: PathBuf,
    /// Read a model file that was changed on purpose: its checksum is not looked at, all else is.
    #[arg(long)]
    pub unchecked: bool,
    /// Where to write it as ONNX: label, probabilities, decision and variance from the columns of
    /// the training data.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub onnx: PathBuf,
    /// Rows come in single precision (they are computed in double precision all the same).
    #[arg(long)]
    pub float32: bool,
}
