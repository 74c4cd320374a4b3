//! Options of the commands that try methods on data.

use super::{Reading, whole};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Subcommand, ValueEnum, ValueHint};
use pfcvm::Kernel;
use pfcvm::multiclass::Scheme;
use pfcvm_study::Cv;
use std::path::PathBuf;

/// How methods are tried.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Trying")]
pub struct Trial {
    /// What trains and what tests: `loo`, `kfold:K[xR]` (K folds, R times), `holdout:PERCLASS[xR]`
    /// (so many rows of each class train), `bootstrap:R`, `groups:COLUMN` (each group is tested by a
    /// model of the others), or `splits:FILE` (JSON with the rows that train and test).
    #[arg(long, value_name = "PROTOCOL", default_value = "kfold:5", value_parser = protocol)]
    pub cv: Cv,
    /// Choose settings inside each training part, by cross-validation over the method's grid.
    #[arg(long)]
    pub nested: bool,
    /// Values to choose among, as in `kernel=rbf,linear`; may be given several times, and stands
    /// in for the method's own grid.
    #[arg(long, value_name = "KEY=V,V", requires = "nested")]
    pub grid: Vec<String>,
    /// Which values are taken.
    #[arg(long, value_name = "RULE", default_value = "errors", requires = "nested")]
    pub choose: Choose,
    /// How more than two classes are told apart: `joint` (one model for all, with one list),
    /// `one-vs-one` (a machine for every pair) or `one-vs-rest` (one for every class). What only tells
    /// two classes apart does it pair by pair unless told otherwise.
    #[arg(long, visible_alias = "multiclass", value_name = "SCHEME", default_value = "joint")]
    pub scheme: Scheme,
    /// Seed of the splits.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Folder for finished folds: a run that was stopped goes on from there [default: a folder of
    /// the user's cache, removed in the end].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub results: Option<PathBuf>,
    /// Begin anew, whatever the results folder holds.
    #[arg(long)]
    pub fresh: bool,
    /// Threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = whole::<1>)]
    pub threads: Option<u32>,
    /// Folder with data sets that are asked for by name [default: PFCVM_DATA, or the user's data
    /// folder].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub data_folder: Option<PathBuf>,
}

/// Which of the values to choose among are taken.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Choose {
    /// Those with the fewest errors on the inner test rows.
    Errors,
    /// Of those within one standard error of that, the ones with the shortest list of features.
    Shortest,
}

/// Options of `evaluate`.
#[derive(Debug, clap::Args)]
pub struct Evaluate {
    /// Labelled data: a file as for `fit`, or the name of a data set that `pfcvm data` lists.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// The method: `NAME[/key=value…]`, or `FIRST+SECOND` for the second on the features that the
    /// first selects; `pfcvm methods` lists them.
    #[arg(long, value_name = "METHOD", default_value = "pfcvm-lp")]
    pub method: String,
    /// A setting of the method; may be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    /// Where to write a report with pictures.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Where to write what was said about each test row of each fold.
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
    pub predictions: Option<PathBuf>,
    /// Put an apostrophe in front of labels that a spreadsheet would take for formulas.
    #[arg(long, requires = "predictions")]
    pub safe_csv: bool,
    /// Where to write the measures and the selection of each fold.
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
    pub folds: Option<PathBuf>,
    #[command(flatten)]
    pub trial: Trial,
    #[command(flatten)]
    pub reading: Reading,
}

/// Options of `compare`.
#[derive(Debug, clap::Args)]
pub struct Compare {
    /// Labelled data, one or more: files as for `fit`, or names of data sets that `pfcvm data`
    /// lists.
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    pub data: Vec<PathBuf>,
    /// The methods, with commas between them, each as for `evaluate`.
    #[arg(long, value_name = "A,B,…", required = true)]
    pub methods: Vec<String>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    /// Where to write a report with pictures.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Where to write the figures, a row for each method on each data set.
    #[arg(long, value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
    pub csv: Option<PathBuf>,
    #[command(flatten)]
    pub trial: Trial,
    #[command(flatten)]
    pub reading: Reading,
}

/// Options of `price`.
#[derive(Debug, clap::Args)]
pub struct Price {
    /// Labelled data: a file as for `fit`, or the name of a data set that `pfcvm data` lists.
    #[arg(value_hint = ValueHint::FilePath)]
    pub data: PathBuf,
    /// What more rows would bring instead: learned from all rows of each training part, from half of
    /// them and so on.
    #[arg(long)]
    pub rows: bool,
    /// Lengths to try, as in `1,2,5,10` [default: 1, 2, 3, 5, 8, 12, 20, 30 and so on, below what a fit
    /// on all rows keeps]. 0 and all that is kept are always there.
    #[arg(long, value_name = "K,K", value_delimiter = ',', value_parser = whole::<1>,
          conflicts_with = "rows")]
    pub sizes: Vec<u32>,
    /// The method: pfcvm-lp or pfcvm-panel; with `--rows` any that `pfcvm methods` lists.
    #[arg(long, value_name = "METHOD", default_value = "pfcvm-lp")]
    pub method: String,
    /// A setting of the method; may be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Short for `--set kernel=KERNEL` [default: found out in each training part, as `fit` does; so are the
    /// samples].
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<Kernel>,
    /// Short for `--method pfcvm-panel`: for many more features than samples. Its longest list has 20
    /// features unless `--set size=K` says otherwise.
    #[arg(long, conflicts_with_all = ["method", "kernel"])]
    pub panel: bool,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
    /// Where to write a report with pictures.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub trial: Trial,
    #[command(flatten)]
    pub reading: Reading,
}

/// Options of `experiment`.
#[derive(Debug, clap::Args)]
pub struct Experiment {
    /// Which.
    #[arg(value_parser = experiments())]
    pub name: String,
    /// Fewer splits, methods and settings, in minutes.
    #[arg(long)]
    pub quick: bool,
    /// Folder for the page, the figures and finished folds; made if it is not there. The same
    /// command goes on from what is there.
    #[arg(long, value_name = "DIR", default_value = "pfcvm-experiment",
          value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Folder with the data sets [default: PFCVM_DATA, or the user's data folder]; what is not
    /// there is drawn, and said to be.
    #[arg(long, alias = "data", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub data_folder: Option<PathBuf>,
    /// Seed of splits and drawn data.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Begin anew, whatever the folder holds.
    #[arg(long)]
    pub fresh: bool,
    /// Threads to use; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = whole::<1>)]
    pub threads: Option<u32>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
}

/// The experiments there are, in the order of the paper, and all of them.
fn experiments() -> PossibleValuesParser {
    let one = |experiment: &pfcvm_experiments::Experiment| {
        PossibleValue::new(experiment.name()).help(experiment.heading())
    };
    let all = PossibleValue::new("all").help("All of these in one page");
    PossibleValuesParser::new(pfcvm_experiments::Experiment::ALL.iter().map(one).chain([all]))
}

/// Options of `methods`.
#[derive(Debug, clap::Args)]
pub struct Methods {
    /// Only this one.
    pub name: Option<String>,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
}

/// What `data` can do.
#[derive(Debug, Subcommand)]
pub enum Data {
    /// All data sets in short, or one of them in full.
    List {
        /// Only this one, with origin, licence and how to get it.
        name: Option<String>,
        /// Print one JSON object instead.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        at: DataFolder,
    },
    /// Print where a data set's file lies.
    Path {
        /// The data set.
        name: String,
        #[command(flatten)]
        at: DataFolder,
    },
    /// Download a data set, check its bytes, and print where its file lies; what was cut off goes
    /// on where it was.
    Fetch {
        /// The data set.
        name: String,
        /// Take the files from a copy of the data folder at this address instead.
        #[arg(long, value_name = "URL")]
        mirror: Option<String>,
        #[command(flatten)]
        at: DataFolder,
    },
}

/// Where data sets lie.
#[derive(Debug, clap::Args)]
pub struct DataFolder {
    /// The folder with the data sets [default: PFCVM_DATA, or the user's data folder].
    #[arg(long, alias = "data", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub data_folder: Option<PathBuf>,
}

fn protocol(text: &str) -> Result<Cv, String> {
    text.parse().map_err(|error: pfcvm_study::Error| error.to_string())
}
