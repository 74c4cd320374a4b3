//! The program `pfcvm`.

mod args;
mod bound;
mod compare;
mod data;
mod demo;
mod evaluate;
mod experiment;
mod export;
mod failure;
mod fit;
mod generate;
mod inspect;
mod interrupt;
mod learn;
mod manual;
mod methods;
mod output;
mod predict;
mod progress;
mod rank;
mod reading;
mod trial;

use args::{Args, Command};
use clap::Parser;
use failure::Outcome;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Outcome {
    interrupt::watch()?;
    match command {
        Command::Demo(options) => demo::run(&options),
        Command::Fit(options) => fit::run(&options),
        Command::Predict(options) => predict::run(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Evaluate(options) => evaluate::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Experiment(options) => experiment::run(&options),
        Command::Methods(options) => methods::run(&options),
        Command::Data(options) => data::run(&options),
        Command::Rank(options) => rank::run(&options),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { out } => manual::pages(out.as_deref()),
    }
}
