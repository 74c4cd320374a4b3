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
//! A model for accuracy is one graph: the machine of all features adds to `decision`, and takes all columns
//! that vary.

mod classes;
mod graph;
mod inputs;
mod machine;
mod protobuf;
mod scaling;

use crate::{Fitted, ModelFile};
use graph::{Builder, LEARNING};
use inputs::Inputs;
use machine::Shared;
use pfcvm::Matrix;
use pfcvm::panel::Panel;

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
    let (mut said, mut shared) = (Vec::new(), Shared::default());
    for machine in file.machines.machines() {
        said.push(match &machine.fitted {
            Fitted::Model(model) => machine::latent(&mut graph, &inputs, model, &mut shared),
            Fitted::Panel(panel) => {
                let values = of_any_row(panel).ok_or(Error::Panel)?;
                machine::the_same_everywhere(&mut graph, &inputs, values)
            }
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

/// The decision value of a panel without features, which is that of any row. Its members all say the same,
/// but for rounding.
fn of_any_row(panel: &Panel) -> Option<[f64; 2]> {
    if !panel.selected_features().is_empty() {
        return None;
    }
    let any = panel.predict(&Matrix::zeros(1, panel.scaler().inputs())).ok()?;
    Some([any.decision[0], 0.0])
}
