//! `pfcvm inspect`: what a model file holds.

use crate::account::Summary;
use crate::args::Inspect;
use crate::failure::Outcome;
use crate::{multiclass, output, words};
use pfcvm_io::StoredModel;
use std::io::Write;

/// Runs the command.
pub fn run(options: &Inspect) -> Outcome {
    let file = match StoredModel::read(&options.model)? {
        StoredModel::TwoClasses(file) => file,
        StoredModel::Multiclass(file) => return multiclass::inspect(&file, options.json),
    };
    let summary = Summary::of(&file);
    if options.json {
        return output::print_json(&summary);
    }
    let mut out = anstream::stdout().lock();
    words::model(&mut out, &summary)?;
    Ok(out.flush()?)
}
