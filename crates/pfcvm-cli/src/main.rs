//! The program `pfcvm`.

mod app;
mod args;
mod bound;
mod columns;
mod compare;
mod data;
mod demo;
mod evaluate;
mod experiment;
mod export;
mod failure;
mod fit;
mod generate;
mod help;
mod inspect;
mod interrupt;
mod learn;
mod manual;
mod methods;
mod output;
mod predict;
mod price;
mod progress;
mod rank;
mod reading;
mod stream;
mod suggest;
mod threads;
mod trial;
mod unlabelled;
mod update;

use args::{Args, Command};
use clap::Parser;
use failure::{Failure, Outcome};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Args::try_parse() {
        Ok(args) => run(args.command),
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        Err(help) => help.print().and_then(|()| std::io::stdout().flush()).map_err(Failure::from),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Outcome {
    interrupt::watch()?;
    match command {
        Command::Demo(options) => demo::run(&options),
        Command::Fit(options) => fit::run(&options),
        Command::App(options) => app::run(&options),
        Command::Columns(options) => columns::run(&options),
        Command::Predict(options) => predict::run(&options),
        Command::Suggest(options) => suggest::run(&options),
        Command::Update(options) => update::run(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Generate(options) => generate::run(&options),
        Command::Evaluate(options) => evaluate::run(&options),
        Command::Compare(options) => compare::run(&options),
        Command::Price(options) => price::run(&options),
        Command::Experiment(options) => experiment::run(&options),
        Command::Methods(options) => methods::run(&options),
        Command::Data(options) => data::run(&options),
        Command::Rank(options) => rank::run(&options),
        Command::Help { topic } => help::run(&topic),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { out } => manual::pages(out.as_deref()),
    }
}
