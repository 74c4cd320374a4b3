//! Models as ONNX graphs: label, probability, decision value and variance from plain operators, so
//! that any runtime predicts what [`ModelFile::predictor`] does.
//!
//! A graph of a table of numbers has one input, `X`, a row for each sample with all columns of the
//! training data. Where there are words, dates or groups of columns, each column that the model needs is
//! an input of its own, N × 1, under its name: words as texts, dates as days since 1970. A gap is NaN; among
//! words, a text that was not learned. These are the outputs:
//!
//! | name | type | what |
//! |---|---|---|
//! | `label` | int64 if all classes are whole numbers, else string; N | the class |
//! | `probabilities` | double, N × K | of the K classes, averaged over the posterior |
//! | `decision` | double, N | f at the mode |
//! | `variance` | double, N | its posterior variance |
//!
//! With more than two classes `decision` and `variance` have a column for each machine. Where no feature
//! does better than chance, every row gets the shares of the classes; a panel can be exported then, too.

mod classes;
mod graph;
mod inputs;
mod machine;
mod protobuf;

use crate::{FittedMachine, ModelFile};
use graph::{Builder, LEARNING};
use inputs::Inputs;
use pfcvm::Matrix;
use pfcvm::multiclass::{Machine, Sparse};

/// The first set of operators with all that is used here in double precision.
const OPERATORS: i64 = 13;
/// The same for operators of machine learning.
const LEARNING_OPERATORS: i64 = 2;
/// The version of the format that belongs to it.
const FORMAT: i64 = 8;

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

/// A model of any number of classes as the bytes of an ONNX file.
pub fn export(file: &ModelFile, input: Input) -> Result<Vec<u8>, Error> {
    let mut graph = Builder::new("pfcvm");
    let inputs = Inputs::new(&mut graph, file, input);
    let mut said = Vec::new();
    for machine in file.machines.machines() {
        said.push(match (constant(machine), machine.model()) {
            (Some(values), _) => machine::the_same_everywhere(&mut graph, &inputs, values),
            (None, Some(model)) => machine::latent(&mut graph, &inputs, model),
            (None, None) => return Err(Error::Panel),
        });
    }
    classes::outputs(&mut graph, &file.classes, file.machines.scheme(), said);
    let about = [("features", &file.feature_names), ("classes", &file.classes)];
    let file = protobuf::Model {
        ir_version: FORMAT,
        producer_name: "pfcvm".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        graph: graph.finish(),
        operators: match file.form {
            Some(_) => vec![("", OPERATORS), (LEARNING, LEARNING_OPERATORS)],
            None => vec![("", OPERATORS)],
        },
        metadata: about.map(|(key, names)| (key.into(), names.join("\n"))).to_vec(),
    };
    Ok(file.encode())
}

/// The decision value and its variance of a machine without features, which are those of any row.
fn constant(machine: &FittedMachine) -> Option<[f64; 2]> {
    if !machine.selected_features().is_empty() {
        return None;
    }
    let any = machine.answer(&Matrix::zeros(1, machine.scaler().inputs())).ok()?;
    // The members of a panel without features all say the same, but for rounding.
    let variance = match machine.model() {
        Some(_) => any.variance.map_or(0.0, |variance| variance[0]),
        None => 0.0,
    };
    Some([any.decision[0], variance])
}
