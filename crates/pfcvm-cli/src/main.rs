//! The program `pfcvm`.

mod args;
mod demo;
mod report;

use args::{Args, Command};
use clap::Parser;
use std::io::ErrorKind;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Demo(options) => demo::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if reader_left(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether output stopped because whoever read it (`head`, a pager) had seen enough.
fn reader_left(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
}
