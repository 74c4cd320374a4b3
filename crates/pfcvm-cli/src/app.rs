//! `pfcvm app`: the page of this machine.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{note, program};
use pfcvm_app::{App, Limits, Options};
use std::io::Write;
use std::sync::Arc;

/// Runs the command.
pub fn run(options: &args::App) -> Outcome {
    let internal = |error| Failure::Internal(format!("the program does not find itself ({error})"));
    let app = App::start(Options {
        program: std::env::current_exe().map_err(internal)?,
        port: options.port,
        parent: std::env::temp_dir(),
        version: program(),
        formats: formats(),
        limits: Limits::default(),
    });
    let app = app.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::Usage(format!("port {} is taken; name another with --port", options.port))
        }
        _ => Failure::Output(format!("the page cannot be offered ({error})")),
    })?;
    let app = Arc::new(app);
    let tidy = app.clone();
    interrupt::at_end(move || tidy.end());
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", app.address())?;
    out.flush()?;
    if !options.no_browser && !pfcvm_app::open(&app.address_for_once()) {
        note("no browser could be started: open this address in one");
    }
    note(
        "the page is for this machine alone; close it, or press Ctrl-C, to end and remove all files",
    );
    app.wait();
    Ok(())
}

/// What files may be, as this program was built.
fn formats() -> String {
    let mut names = vec!["CSV", "TSV", "ARFF", "LIBSVM", "NumPy"];
    if cfg!(feature = "excel") {
        names.push("Excel");
    }
    if cfg!(feature = "parquet") {
        names.extend(["Parquet", "Arrow"]);
    }
    names.join(", ")
}
