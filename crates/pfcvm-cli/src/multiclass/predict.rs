//! Predictions of more than two classes.

use crate::predict::{Lines, Trouble, quoted};
use pfcvm::{Matrix, Model, Multiclass, MulticlassPrediction, Panel};
use pfcvm_io::{Block, MulticlassFile, MulticlassFitted};

/// Fitted machines that ask for the needed features only, in their order.
pub enum Predictor {
    Models(Multiclass<Model>),
    Panels(Multiclass<Panel>),
}

impl Predictor {
    pub fn new(file: &MulticlassFile) -> Self {
        match &file.fitted {
            MulticlassFitted::Models { machines, .. } => Predictor::Models(machines.compact()),
            MulticlassFitted::Panels { machines, .. } => Predictor::Panels(machines.compact()),
        }
    }

    pub fn predict(&self, x: &Matrix) -> Result<MulticlassPrediction, pfcvm::Error> {
        match self {
            Predictor::Models(machines) => machines.predict(x),
            Predictor::Panels(machines) => machines.predict(x),
        }
    }
}

/// How predictions are written: the class, and the probability of each.
pub struct ClassLines {
    predictor: Predictor,
    json: bool,
    classes: Vec<String>,
    labels: Vec<String>,
}

impl ClassLines {
    pub fn new(file: &MulticlassFile, json: bool) -> Self {
        Self {
            predictor: Predictor::new(file),
            json,
            classes: file.classes.clone(),
            labels: file.classes.iter().map(|label| quoted(label, json)).collect(),
        }
    }
}

impl Lines for ClassLines {
    fn header(&self) -> String {
        if self.json {
            return String::new();
        }
        let columns =
            self.classes.iter().map(|class| quoted(&format!("probability_{class}"), false));
        format!("label,{}\n", Vec::from_iter(columns).join(","))
    }

    fn of(&self, block: &Block) -> Result<Vec<u8>, Trouble> {
        let said = self.predictor.predict(&block.x).map_err(|error| match error {
            pfcvm::Error::NoAnswer { row, .. } => Trouble::Predicting(format!(
                "row {} of the data: the prediction is not a finite number; its values are too \
                 far from the training data, or the model file was tampered with",
                block.first_row + row + 1
            )),
            other => Trouble::Predicting(other.to_string()),
        })?;
        let mut text = Vec::with_capacity(32 * (1 + self.labels.len()) * block.x.rows());
        let mut digits = zmij::Buffer::new();
        for row in 0..block.x.rows() {
            let label = &self.labels[said.class[row]];
            let probability = said.row(row);
            if self.json {
                text.extend_from_slice(
                    format!("{{\"label\":{label},\"probabilities\":{{").as_bytes(),
                );
                for (at, (label, p)) in self.labels.iter().zip(probability).enumerate() {
                    text.extend_from_slice(if at > 0 { b"," } else { b"" });
                    text.extend_from_slice(label.as_bytes());
                    text.push(b':');
                    text.extend_from_slice(digits.format_finite(p).as_bytes());
                }
                text.extend_from_slice(b"},\"decisions\":[");
                for machine in 0..said.decision.cols() {
                    text.extend_from_slice(if machine > 0 { b"," } else { b"" });
                    let f = said.decision.get(row, machine);
                    text.extend_from_slice(digits.format_finite(f).as_bytes());
                }
                text.extend_from_slice(b"]}");
            } else {
                text.extend_from_slice(label.as_bytes());
                for p in probability {
                    text.push(b',');
                    text.extend_from_slice(digits.format_finite(p).as_bytes());
                }
            }
            text.push(b'\n');
        }
        Ok(text)
    }
}
