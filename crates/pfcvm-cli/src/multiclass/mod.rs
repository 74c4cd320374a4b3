//! More than two classes: what the commands do then.

mod account;
mod evaluate;
mod fit;
mod page;
mod predict;
mod words;

pub use evaluate::evaluate;
pub use fit::fit;
pub use predict::ClassLines;

use crate::args;
use crate::failure::Outcome;
use crate::output;
use account::Summary;
use pfcvm_io::{MulticlassFile, Table};
use std::io::Write;

/// Whether there are more than two classes, and all are wanted.
pub fn concerns(table: &Table, reading: &args::Reading) -> bool {
    reading.classes.is_none() && table.class_names().len() > 2
}

/// What a model file of several classes holds.
pub fn inspect(file: &MulticlassFile, json: bool) -> Outcome {
    let summary = Summary::of(file);
    if json {
        return output::print_json(&summary);
    }
    let mut out = anstream::stdout().lock();
    words::model(&mut out, &summary)?;
    Ok(out.flush()?)
}
