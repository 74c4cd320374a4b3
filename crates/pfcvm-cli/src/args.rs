//! The command line: every flag with its own documentation.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;

mod fit;
mod learning;
mod models;
mod reading;
mod studies;

pub use fit::*;
pub use learning::*;
pub use models::*;
pub use reading::*;
pub use studies::*;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Cyan.on_default().bold())
    .usage(AnsiColor::Cyan.on_default().bold())
    .literal(clap::builder::styling::Style::new().bold());

const EXIT_CODES: &str = "\
`pfcvm help` lists topics that are explained in short: certainty, tables, goals, price and more.

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
#[command(name = "pfcvm", version, about, styles = STYLES, after_help = EXIT_CODES,
          disable_help_subcommand = true)]
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
    /// Which rows of a pool without labels to label next: those whose labels would tell a model most.
    Suggest(Suggest),
    /// Learn on: a model that kept rows (`fit --keep-rows`) takes in new ones.
    Update(Update),
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
    /// What a topic or a command is about; without a name, all of them.
    Help {
        /// A topic (such as certainty, tables, goals, price), or a command.
        topic: Vec<String>,
    },
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
