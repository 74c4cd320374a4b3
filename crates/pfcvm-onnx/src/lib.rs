//! Models as ONNX graphs: label, probability, decision value and variance from plain operators, so
//! that any runtime predicts what [`pfcvm::Model::predict`] does.
//!
//! The graph has one input, `X`, a row for each sample with all columns of the training data, and
//! these outputs:
//!
//! | name | type | what |
//! |---|---|---|
//! | `label` | int64 if all classes are whole numbers, else string; N | the class |
//! | `probabilities` | double, N × K | of the K classes, averaged over the posterior |
//! | `decision` | double, N | f at the mode |
//! | `variance` | double, N | its posterior variance |
//!
//! With more than two classes `decision` and `variance` have a column for each machine.

mod graph;
mod protobuf;
mod several;
mod single;

use pfcvm_io::{Fitted, ModelFile, MulticlassFile, MulticlassFitted, StoredModel};
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

/// Models of more than two classes as the bytes of an ONNX file.
pub fn export_multiclass(file: &MulticlassFile, input: Input) -> Result<Vec<u8>, Error> {
    match &file.fitted {
        MulticlassFitted::Models { machines, .. } => {
            Ok(several::models(file, machines, input).encode_to_vec())
        }
        MulticlassFitted::Panels { .. } => Err(Error::Panel),
    }
}

/// What a model file holds, as the bytes of an ONNX file.
pub fn export_stored(stored: &StoredModel, input: Input) -> Result<Vec<u8>, Error> {
    match stored {
        StoredModel::TwoClasses(file) => export(file, input),
        StoredModel::Multiclass(file) => export_multiclass(file, input),
    }
}
