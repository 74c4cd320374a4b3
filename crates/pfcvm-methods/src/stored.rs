//! What was learned, in a form that can be written and read back.

use crate::ascending;
use crate::chain::OnColumns;
use crate::margin::{L1Svm, Svm, Wsvm};
use crate::minimax::Minimax;
use crate::relatives::Fit;
use crate::relatives::rsfm::Separable;
use crate::unfolded::Unfolded;
use crate::{Fitted, Prediction, Refusal};
use pfcvm::data::Scaler;
use pfcvm::panel::Panel;
use pfcvm::{Matrix, Model};
use serde::{Deserialize, Serialize};

/// Any fitted method. The form may change with any version: for model files there is `pfcvm-io`.
#[derive(Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Stored {
    /// PFCVM_LP.
    Model(Box<Model>),
    /// A panel.
    Panel(Box<Panel>),
    /// One of the sparse Bayesian family.
    Machine(Box<Fit>),
    /// RSFM or IRSFM.
    Separable(Box<Fit<Separable>>),
    /// A support vector machine.
    Svm(Box<Svm>),
    /// One with the sum of weights as its norm.
    L1Svm(Box<L1Svm>),
    /// One with weights of features.
    Wsvm(Box<Wsvm>),
    /// A minimax probability machine.
    Minimax(Box<Minimax>),
    /// A method on some columns.
    OnColumns {
        /// Columns there are.
        inputs: usize,
        /// Columns it is given.
        columns: Vec<usize>,
        /// The features that these make up.
        features: Vec<usize>,
        /// The method.
        inner: Box<Stored>,
    },
    /// A method of numbers on a table of words, gaps or groups.
    Unfolded {
        /// How the table becomes numbers.
        scaler: Scaler,
        /// The method.
        inner: Box<Stored>,
    },
}

impl Stored {
    /// The fitted method, ready to predict.
    pub fn into_fitted(self) -> Box<dyn Fitted> {
        match self {
            Self::Model(model) => model,
            Self::Panel(panel) => panel,
            Self::Machine(fit) => fit,
            Self::Separable(fit) => fit,
            Self::Svm(machine) => machine,
            Self::L1Svm(machine) => machine,
            Self::Wsvm(machine) => machine,
            Self::Minimax(machine) => machine,
            Self::OnColumns { inputs, columns, features, inner } => {
                Box::new(OnColumns { inputs, columns, features, inner: inner.into_fitted() })
            }
            Self::Unfolded { scaler, inner } => {
                Box::new(Unfolded { scaler, inner: inner.into_fitted() })
            }
        }
    }
}

impl Fitted for Model {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        let pfcvm::Prediction { decision, probability, variance, .. } = Model::predict(self, x)?;
        Ok(Prediction::of_posterior(decision, probability, variance))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(Model::selected_features(self).to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(Model::feature_weights(self).to_vec())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(Model::selected_samples(self))
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        *self = self.clone().in_rows(rows);
    }

    fn stored(&self) -> Stored {
        Stored::Model(Box::new(self.clone()))
    }
}
