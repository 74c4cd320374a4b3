//! The command line: every flag with its own documentation.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use pfcvm::multiclass::{ClassFactors, Scheme};
use pfcvm::settings::{Algorithm, CertaintyPolicy, Truncation};
use pfcvm::{ClassWeights, Goal, Kernel, SamplePolicy};
use pfcvm_io::{ColumnKind, Groups};
use std::path::PathBuf;
use std::str::FromStr;

mod studies;

pub use studies::*;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Cyan.on_default().bold())
    .usage(AnsiColor::Cyan.on_default().bold())
    .literal(clap::builder::styling::Style::new().bold());

const EXIT_CODES: &str = "\
Results go to standard output, everything else to standard error.

Exit codes:
  0    done
  1    an error inside pfcvm itself
  2    wrong usage: an unknown option, or a value out of its range
  3    the data cannot be used
  4    the model file cannot be used
  5    a result cannot be written
  130  interrupted (Ctrl-C); nothing half-written is left behind";

/// Sparse Bayesian classification that tells which features and which samples matter.
#[derive(Debug, Parser)]
#[command(name = "pfcvm", version, about, styles = STYLES, after_help = EXIT_CODES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fit artificial waveforms, test the fit on fresh ones, and write a report about it.
    Demo(Demo),
    /// Learn a model from a file of labelled rows.
    Fit(Box<Fit>),
    /// Open a page in the browser: drop a table, see what matters in it. Nothing leaves this machine.
    App(App),
    /// What the columns of a file hold: kinds, gaps, values, and which could be the label.
    Columns(Columns),
    /// Class, probability, decision value and variance for every row of a file; of more than two
    /// classes, class and probabilities.
    Predict(Predict),
    /// What a model file holds: features, samples, how the fit ended.
    Inspect(Inspect),
    /// Write a model in a form that other programs run.
    Export(Export),
    /// Write artificial data to try things on.
    Generate(Generate),
    /// Try a method on data by cross-validation: how good, how sure, how stable.
    Evaluate(Box<Evaluate>),
    /// Try several methods on the same splits of one data set or more, with tests.
    Compare(Box<Compare>),
    /// What a short list costs, length by length, or with `--rows` what more rows would bring.
    Price(Box<Price>),
    /// Do an experiment of the paper again, its figures beside ours.
    Experiment(Experiment),
    /// The methods there are, with their settings.
    Methods(Methods),
    /// Data sets to try methods on: which there are, where they lie, how to get them.
    #[command(subcommand)]
    Data(Data),
    /// Compare methods by a table of scores: average ranks, Friedman's test, critical differences.
    Rank(Rank),
    /// Print the script that completes commands in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write those of all commands into a folder.
    Man {
        /// Folder for `pfcvm.1`, `pfcvm-fit.1` and so on.
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        out: Option<PathBuf>,
    },
}

/// Options of `demo`.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Folder for the report, the model and the data; made if it is not there.
    #[arg(long, value_name = "DIR", default_value = "pfcvm-demo", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Draw other waveforms: the same seed gives the same data everywhere.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
}

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

/// Options of `fit`.
#[derive(Debug, clap::Args)]
pub struct Fit {
    /// Training data: CSV, TSV, LIBSVM, ARFF, .npy or .npz, packed or not, and, where they were built, a
    /// spreadsheet, Parquet or Arrow; `-` for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// Where to write the model.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub model: Option<PathBuf>,
    /// Where to write a report with pictures.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Labelled data to test the model on.
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    pub test: Option<PathBuf>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub reading: Reading,
    /// Form of the boundary: `rbf` (curved), `linear` (many more features than samples),
    /// `poly:P` (of degree P), or `auto`: linear where there are more features than rows or where it is
    /// clearly better on held-out rows, else rbf; with five times as many features as rows a panel of 20,
    /// unless --samples or --features say otherwise.
    #[arg(long, value_name = "KERNEL", default_value = "auto", help_heading = "Fitting")]
    pub kernel: Told<Kernel>,
    /// How likely a feature of pure noise is to be called certain, above 0 and below 0.5; smaller
    /// gives shorter, steadier lists.
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = rate,
          help_heading = "Fitting")]
    pub false_positive_rate: f64,
    /// Call so many features certain that at most K of them are expected to be false [default: as
    /// the false-positive rate has it].
    #[arg(long, value_name = "K", value_parser = above_zero, help_heading = "Fitting")]
    pub max_false: Option<f64>,
    /// Whether rows that did not train are asked how sure all is: `on`, `insist` (list features
    /// even where none does better than chance), or `off`, which takes about a quarter of the time.
    /// The paper's algorithm is not asked.
    #[arg(long, value_name = "POLICY", help_heading = "Fitting")]
    pub certainty: Option<CertaintyPolicy>,
    /// What the model is for: `list` (prediction needs the listed features alone) or `accuracy` (a
    /// machine of all features stands beside the list, and prediction needs them all).
    #[arg(long, value_name = "GOAL", default_value = "list", help_heading = "Fitting")]
    pub goal: Goal,
    /// How many samples to remember: `few`, `frozen` (few that say what all say, once the features are
    /// settled), `dense` (all stay candidates), or `auto`: frozen up to 2000 rows, few beyond and with the
    /// linear kernel; dense with --goal accuracy.
    #[arg(long, value_name = "POLICY", default_value = "auto", help_heading = "Fitting")]
    pub samples: Told<SamplePolicy>,
    /// List at most K features that hold across halves of the samples: for many more features
    /// than samples, with linear machines on ranks.
    #[arg(long, value_name = "K", value_parser = whole::<1>,
          conflicts_with_all = ["kernel", "samples", "algorithm", "truncation", "max_basis",
                                "max_iterations", "tolerance"],
          help_heading = "Fitting")]
    pub panel: Option<u32>,
    /// List at most K features, chosen on a way from all that the fit keeps: for any kernel and any
    /// number of classes. `pfcvm price` says what that costs [default: all that it keeps].
    #[arg(long, value_name = "K", value_parser = whole::<1>, conflicts_with = "panel",
          help_heading = "Fitting")]
    pub features: Option<u32>,
    /// Which algorithm is run: `mended`, or `paper`, the published one to the letter.
    #[arg(long, value_name = "WHICH", default_value = "mended", help_heading = "Fitting")]
    pub algorithm: Algorithm,
    /// How weights are kept from below 0: `exact`, or, with the paper's algorithm,
    /// `sigmoid:LAMBDA` [default: as the algorithm has it].
    #[arg(long, value_name = "HOW", help_heading = "Fitting")]
    pub truncation: Option<Truncation>,
    /// How the classes count: `equal`, `balanced`, or a factor for each as in `1,2.5`.
    #[arg(long, value_name = "WEIGHTS", default_value = "equal", value_parser = class_factors,
          help_heading = "Fitting")]
    pub class_weights: ClassFactors,
    /// How more than two classes are told apart: `joint` (one model for all, with one list),
    /// `one-vs-one` (a machine for every pair) or `one-vs-rest` (one for every class). What only tells
    /// two classes apart does it pair by pair unless told otherwise.
    #[arg(
        long,
        visible_alias = "multiclass",
        value_name = "SCHEME",
        default_value = "joint",
        help_heading = "Fitting"
    )]
    pub scheme: Scheme,
    /// Use features as they are, without shifting and scaling them first.
    #[arg(long, help_heading = "Fitting")]
    pub no_standardise: bool,
    /// Samples that are candidates, at most: of more than 500, two for each feature or a quarter of this (whichever is most), a stratified draw.
    #[arg(long, value_name = "N", default_value_t = 2000, help_heading = "Fitting",
          value_parser = whole::<2>)]
    pub max_basis: u32,
    /// At most this many iterations in each stage of the fit [default: as the stages have it].
    #[arg(long, value_name = "N", value_parser = whole::<1>, help_heading = "Fitting")]
    pub max_iterations: Option<u32>,
    /// A stage has settled when the log evidence moves by less than this, relatively, twice
    /// [default: as the stages have it].
    #[arg(long, value_name = "T", help_heading = "Fitting")]
    pub tolerance: Option<f64>,
    /// Seed of everything drawn.
    #[arg(long, value_name = "S", default_value_t = 0, help_heading = "Fitting")]
    pub seed: u64,
    /// Threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = whole::<1>,
          help_heading = "Fitting")]
    pub threads: Option<u32>,
    /// Refuse data or a fit that need more memory than this [default: what the system has free and
    /// its limits leave, 16384 where it does not tell].
    #[arg(long, value_name = "MIB", help_heading = "Fitting",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,
    /// Read the file again and again, part by part, instead of holding it: for files larger than memory.
    /// Done by itself where a table would take more than the memory limit. With --model, the same command goes on
    /// where it was interrupted or killed.
    #[arg(long, conflicts_with = "panel", help_heading = "Fitting")]
    pub stream: bool,
}

/// Options of `app`.
#[derive(Debug, clap::Args)]
pub struct App {
    /// Print the address only.
    #[arg(long)]
    pub no_browser: bool,
    /// Port of this machine to listen on [default: any that is free].
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
}

/// Options of `columns`.
#[derive(Debug, clap::Args)]
pub struct Columns {
    /// Data, as for `fit`.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}

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
    /// Form of the data [default: found out from the first bytes].
    #[arg(long, value_enum, help_heading = "Reading data")]
    pub format: Option<Format>,
    /// Whether the first line of CSV, TSV or a sheet holds names; `auto` decides by what stands in
    /// it.
    #[arg(long, value_enum, default_value_t = Header::Auto, help_heading = "Reading data")]
    pub header: Header,
    /// Sheet of a spreadsheet: its name, or its position counted from 1 [default: the first].
    #[arg(long, value_name = "NAME", help_heading = "Reading data")]
    pub sheet: Option<String>,
    /// A text that stands for no value, beside those of the training data; may be given several
    /// times.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Reading data")]
    pub missing: Vec<String>,
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

/// Options of `rank`.
#[derive(Debug, clap::Args)]
pub struct Rank {
    /// A table of scores: names of data sets in the first column, then a column for each method;
    /// `-` for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    pub table: PathBuf,
    /// Scores are errors or losses: small ones are good.
    #[arg(long)]
    pub lower_is_better: bool,
    /// Level of the critical differences, above 0 and below 1.
    #[arg(long, value_name = "A", default_value_t = 0.05, value_parser = level)]
    pub alpha: f64,
    /// Where to write the critical-difference picture (Nemenyi).
    #[arg(long, value_name = "FILE.svg", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
}

/// Options of `generate`.
#[derive(Debug, clap::Args)]
pub struct Generate {
    /// What to draw.
    #[arg(value_enum)]
    pub what: Generator,
    /// Number of rows, the classes taking turns.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = whole::<1>)]
    pub n: u32,
    /// The same seed gives the same data everywhere.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// File to write, as CSV [default: standard output].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Print one JSON object about what was written.
    #[arg(long, requires = "out")]
    pub json: bool,
}

/// Data with a known truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Generator {
    /// Two of Breiman's three waves as in UCI's file: 21 features carry them, 19 are noise.
    Waveform,
    /// The same with the waves numbered as in the textbook, which is easier.
    WaveformTextbook,
    /// All three waves of UCI's file.
    WaveformThree,
    /// 62 channels in 5 bands, of which 36 features matter, by a rule that is not linear.
    EegLike,
    /// Two shifted normals in 20 dimensions.
    Twonorm,
    /// A wide normal around a narrow one, in 20 dimensions.
    Ringnorm,
}

fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number above 0 is wanted".into()),
    }
}

/// What is told, or found out from the data where it is `auto`.
#[derive(Clone, Copy, Debug)]
pub struct Told<T>(pub Option<T>);

impl<T: FromStr> FromStr for Told<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text == "auto" { Ok(Self(None)) } else { text.parse().map(|told| Self(Some(told))) }
    }
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate < 0.5 => Ok(rate),
        Ok(_) => Err("it must be above 0 and below 0.5".into()),
        Err(_) => Err("it must be a number above 0 and below 0.5".into()),
    }
}

/// How the classes count. What cannot be read is refused in the words for two classes, which most
/// data have.
fn class_factors(text: &str) -> Result<ClassFactors, String> {
    text.parse().map_err(|words| text.parse::<ClassWeights>().err().unwrap_or(words))
}

/// A whole number that is at least `LEAST`.
fn whole<const LEAST: u32>(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (LEAST..=100_000_000).contains(&number) => Ok(number),
        _ => Err(format!("it must be a whole number from {LEAST} to 100000000")),
    }
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 1e-12 && level < 1.0 => Ok(level),
        _ => Err("it must be a number above 0 and below 1".into()),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
