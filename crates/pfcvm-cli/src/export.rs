//! `pfcvm export`: a model for other programs.

use crate::args::Export;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs};
use pfcvm_io::StoredModel;
use pfcvm_onnx::Input;
use std::io::Write;

/// Runs the command.
pub fn run(options: &Export) -> Outcome {
    output::check(&[Some(&options.onnx)], &[Some(&options.model)])?;
    let stored = StoredModel::read(&options.model)?;
    let input = if options.float32 { Input::Single } else { Input::Double };
    let bytes = pfcvm_onnx::export_stored(&stored, input)
        .map_err(|error| Failure::Model(error.to_string()))?;
    let mut outputs = Outputs::default();
    outputs.add(&options.onnx, |staged| staged.write_all(&bytes))?;
    outputs.finish()
}
