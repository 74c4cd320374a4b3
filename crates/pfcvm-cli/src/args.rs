//! The command line.

use clap::{Parser, Subcommand};

/// Sparse Bayesian classification that selects features and samples together.
#[derive(Debug, Parser)]
#[command(name = "pfcvm", version, about)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fit artificial waveforms, test the fit on fresh ones, and say what came out.
    Demo(DemoOptions),
}

/// Options of `demo`.
#[derive(Debug, clap::Args)]
pub struct DemoOptions {
    /// Draw other waveforms: the same seed gives the same data everywhere.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object instead of the account in words.
    #[arg(long)]
    pub json: bool,
}
