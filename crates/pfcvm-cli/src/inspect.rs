//! `pfcvm inspect`: what a model file holds.

use crate::account::Summary;
use crate::args::Inspect;
use crate::failure::{Failure, Outcome};
use crate::{bound, multiclass, output, words};
use pfcvm_io::StoredModel;
use serde::Serialize;
use std::io::Write;

/// Runs the command.
pub fn run(options: &Inspect) -> Outcome {
    let file = match StoredModel::read(&options.model)? {
        StoredModel::TwoClasses(file) => file,
        StoredModel::Multiclass(_) if options.bound.bound.is_some() => {
            return Err(Failure::Data(
                "the bound is one for two classes; fit two of them with --classes to have it"
                    .into(),
            ));
        }
        StoredModel::Multiclass(file) => return multiclass::inspect(&file, options.json),
    };
    let bound = bound::of(&file, &options.bound)?;
    let summary = Summary::of(&file);
    if options.json {
        return output::print_json(&Inspected { summary, bound });
    }
    let mut out = anstream::stdout().lock();
    words::model(&mut out, &summary)?;
    if let Some(bound) = bound {
        bound.tell(&mut out)?;
    }
    Ok(out.flush()?)
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Inspected {
    #[serde(flatten)]
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<bound::Told>,
}
