//! Words, gaps and groups for methods that know nothing but numbers.
//!
//! The table is unfolded, filled and scaled as PFCVM_LP sees it ([`Scaler`]), and the method is given
//! the scaled columns as numbers. What it selects are columns; told are the features these belong to.

use crate::{Fitted, Prediction, Refusal, Stored};
use pfcvm::data::Scaler;
use pfcvm::{Dataset, Matrix, Termination};

/// A table of numbers that says the same as one of words, gaps and groups; nothing where the table is
/// one of numbers already.
pub(crate) fn unfold(data: &Dataset) -> Result<Option<(Scaler, Dataset)>, Refusal> {
    let has_gaps = data.x().as_slice().iter().any(|value| value.is_nan());
    if data.columns().is_plain() && !has_gaps {
        return Ok(None);
    }
    let scaler = Scaler::fit(data, true)?;
    let plain = Dataset::new(scaler.apply(data.x()), data.positive().to_vec())?
        .with_sample_weights(data.sample_weights().to_vec())?;
    Ok(Some((scaler, plain)))
}

/// The features of some scaled columns, each once, where its first column stands.
pub(crate) fn features_of(scaler: &Scaler, columns: &[usize]) -> Vec<usize> {
    let mut features = Vec::new();
    for &column in columns {
        let feature = scaler.owners()[column];
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    features
}

/// A method on the scaled columns of a table.
pub(crate) struct Unfolded {
    pub scaler: Scaler,
    pub inner: Box<dyn Fitted>,
}

impl Unfolded {
    fn columns(&self) -> Option<Vec<usize>> {
        self.inner.selected_features()
    }
}

impl Fitted for Unfolded {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        self.scaler.check_rows(x)?;
        self.inner.predict(&self.scaler.apply(x))
    }

    fn gives_probabilities(&self) -> bool {
        self.inner.gives_probabilities()
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        self.columns().map(|columns| features_of(&self.scaler, &columns))
    }

    /// Of a feature of several columns, the length of their weights.
    fn feature_weights(&self) -> Option<Vec<f64>> {
        let (columns, weights) = (self.columns()?, self.inner.feature_weights()?);
        let of_feature = |feature: usize| {
            let own = columns.iter().zip(&weights);
            let own = own.filter(|(column, _)| self.scaler.owners()[**column] == feature);
            match Vec::from_iter(own.map(|(_, weight)| *weight)).as_slice() {
                [only] => *only,
                several => several.iter().map(|w| w * w).sum::<f64>().sqrt(),
            }
        };
        Some(features_of(&self.scaler, &columns).into_iter().map(of_feature).collect())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        self.inner.selected_samples()
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        self.inner.renumber_samples(rows);
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        self.inner.ending()
    }

    fn stored(&self) -> Stored {
        Stored::Unfolded { scaler: self.scaler.clone(), inner: Box::new(self.inner.stored()) }
    }
}
