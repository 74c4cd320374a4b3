//! `pfcvm export`: a model for other programs.

use crate::args::Export;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs};
use crate::reading;
use pfcvm_io::onnx::{self, Input};
use std::io::Write;

/// Runs the command.
pub fn run(options: &Export) -> Outcome {
    output::check(&[Some(&options.onnx)], &[Some(&options.model)])?;
    let file = reading::model(&options.model, options.unchecked)?;
    let input = if options.float32 { Input::Single } else { Input::Double };
    let bytes = onnx::export(&file, input).map_err(|error| Failure::Model(error.to_string()))?;
    let mut outputs = Outputs::default();
    outputs.add(&options.onnx, |staged| staged.write_all(&bytes))?;
    outputs.finish()
}
