//! `pfcvm inspect`: what a model file holds.

use crate::args::Inspect;
use crate::failure::Outcome;
use crate::threads::use_threads;
use crate::{bound, output, reading};
use pfcvm_io::Summary;
use serde::Serialize;

/// Runs the command.
pub fn run(options: &Inspect) -> Outcome {
    use_threads(None)?;
    let file = reading::model(&options.model, options.unchecked)?;
    let bound = bound::of(&file, &options.bound)?;
    let summary = Summary::of(&file).with_effects(&file);
    if options.json {
        return output::print_json(&Inspected { summary, bound });
    }
    let told = bound.map_or_else(String::new, |bound| format!("\n{bound}"));
    output::print(&(pfcvm_report::model_text(&summary) + &told))
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Inspected {
    #[serde(flatten)]
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<bound::BoundAccount>,
}
