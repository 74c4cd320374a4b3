//! Options of `fit`.

use super::{Reading, whole};
use clap::ValueHint;
use pfcvm::multiclass::{ClassFactors, Scheme};
use pfcvm::settings::{Algorithm, CertaintyPolicy, Truncation};
use pfcvm::{ClassWeights, Goal, Kernel, SamplePolicy};
use std::path::PathBuf;
use std::str::FromStr;

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
    /// Find out what shorter lists would cost, as `pfcvm price` does with the same settings: the fit is done again
    /// with lists of every length, inside each of five training parts. The curve and the suggested length are a
    /// part of report, account and JSON.
    #[arg(long, conflicts_with_all = ["unlabelled", "max_iterations", "tolerance"])]
    pub price: bool,
    /// Rows without labels that may help (those of the file that have a label are passed over, so that it
    /// may be the training data themselves): the fit compares what held-out labelled rows say of it with
    /// and without them, and keeps the better.
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath, conflicts_with = "panel")]
    pub unlabelled: Option<PathBuf>,
    /// Keep at most N training rows, in all columns, in the model file, so that `update` can learn on
    /// from them. Do not give such a file to those who may not see these rows.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5000",
          value_parser = whole::<10>, requires = "model")]
    pub keep_rows: Option<u32>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub reading: Reading,
    /// Form of the boundary: `rbf` (curved), `linear` (many more features than samples),
    /// `poly:P` (of degree P), or `auto`: rbf, or linear where that is clearly better on held-out rows; with
    /// more features than rows a panel of 20, unless rbf is clearly better, or --samples or --features say
    /// otherwise.
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
    /// even where none does better than chance), or `off`, which takes about a tenth of the time.
    /// The paper's algorithm is not asked.
    #[arg(long, value_name = "POLICY", help_heading = "Fitting")]
    pub certainty: Option<CertaintyPolicy>,
    /// What the model is for: `list` (prediction needs the listed features alone) or `accuracy` (a
    /// machine of all features stands beside the list, and prediction needs them all).
    #[arg(long, value_name = "GOAL", default_value = "list", help_heading = "Fitting")]
    pub goal: Goal,
    /// How many samples to remember: `few`, `frozen` (few that say what all say, once the features are
    /// settled), `dense` (all stay candidates), or `auto`: frozen, but few with the linear
    /// kernel and by sums; dense with --goal accuracy.
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
    /// number of classes. `--price` says what that costs [default: all that it keeps].
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
    /// Samples that may be candidates, at most. A curved fit takes a third of them in if it needs them, a linear one as
    /// many as there are features, 120 to 300; of more samples a stratified draw.
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
    #[arg(long, conflicts_with_all = ["panel", "unlabelled", "keep_rows"], help_heading = "Fitting")]
    pub stream: bool,
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

pub(super) fn above_zero(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number above 0 is wanted".into()),
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
