//! Models as ONNX graphs: label, probability, decision value and variance from plain operators, so
//! that any runtime predicts what [`pfcvm::Model::predict`] does.
//!
//! The graph has one input, `X`, a row for each sample with all columns of the training data, and
//! these outputs:
//!
//! | name | type | what |
//! |---|---|---|
//! | `label` | int64 if both classes are whole numbers, else string; N | the class |
//! | `probabilities` | double, N × 2 | of both classes, averaged over the posterior |
//! | `decision` | double, N | f at the mode |
//! | `variance` | double, N | its posterior variance |

mod graph;
mod protobuf;
mod single;

use pfcvm_io::{Fitted, ModelFile};
use prost::Message;

/// What a graph takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// Rows of double precision.
    #[default]
    Double,
    /// Rows of single precision; the graph computes in double precision all the same.
    Single,
}

/// Why a model cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A panel is no single kernel machine.
    #[error("a panel cannot be written as ONNX; fit a single model on the features that it lists")]
    Panel,
}

/// The model as the bytes of an ONNX file.
pub fn export(file: &ModelFile, input: Input) -> Result<Vec<u8>, Error> {
    match &file.fitted {
        Fitted::Single(single) => Ok(single::model(file, &single.model, input).encode_to_vec()),
        Fitted::Panel(_) => Err(Error::Panel),
    }
}
