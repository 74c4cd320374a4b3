//! One method on the features that another selects.

use crate::{Fitted, Learner, Prediction, Refusal, Selector, Stored};
use pfcvm::{Dataset, Matrix, Termination};

/// A learner as a selector: it takes what it selects.
#[derive(Debug)]
pub(crate) struct BySelection(pub Box<dyn Learner>);

impl Selector for BySelection {
    fn select(&self, data: &Dataset) -> Result<Vec<usize>, Refusal> {
        let selected = self.0.fit(data)?.selected_features();
        Ok(selected.unwrap_or_else(|| (0..data.columns().features()).collect()))
    }
}

/// A learner behind a selector.
#[derive(Debug)]
pub(crate) struct Chain {
    pub selector: Box<dyn Selector>,
    pub learner: Box<dyn Learner>,
}

impl Learner for Chain {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        let mut features = self.selector.select(data)?;
        features.sort_unstable();
        if features.is_empty() {
            return Err("no feature was selected; there is nothing to classify by".into());
        }
        let (narrow, columns) = data.select_features(&features);
        let inner = self.learner.fit(&narrow)?;
        Ok(Box::new(OnColumns { inputs: data.x().cols(), columns, features, inner }))
    }
}

/// A model of some features.
pub(crate) struct OnColumns {
    pub inputs: usize,
    /// The columns of the features.
    pub columns: Vec<usize>,
    pub features: Vec<usize>,
    pub inner: Box<dyn Fitted>,
}

impl Fitted for OnColumns {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        if x.cols() != self.inputs {
            let (found, expected) = (x.cols(), self.inputs);
            return Err(pfcvm::Error::Length { what: "columns", found, expected }.into());
        }
        self.inner.predict(&x.select_columns(&self.columns))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        let inner = self.inner.selected_features();
        Some(match inner {
            Some(selected) => selected.iter().map(|&at| self.features[at]).collect(),
            None => self.features.clone(),
        })
    }

    fn gives_probabilities(&self) -> bool {
        self.inner.gives_probabilities()
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        self.inner.selected_samples()
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        self.inner.renumber_samples(rows);
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        self.inner.feature_weights()
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        self.inner.ending()
    }

    fn stored(&self) -> Stored {
        let inner = Box::new(self.inner.stored());
        let (columns, features) = (self.columns.clone(), self.features.clone());
        Stored::OnColumns { inputs: self.inputs, columns, features, inner }
    }
}
