//! `pfcvm inspect`: what a model file holds.

use crate::account::Summary;
use crate::args::Inspect;
use crate::failure::Outcome;
use crate::{output, words};
use pfcvm_io::ModelFile;
use std::io::Write;

/// Runs the command.
pub fn run(options: &Inspect) -> Outcome {
    let summary = Summary::of(&ModelFile::read(&options.model)?);
    if options.json {
        return output::print_json(&summary);
    }
    let mut out = anstream::stdout().lock();
    words::model(&mut out, &summary)?;
    Ok(out.flush()?)
}
