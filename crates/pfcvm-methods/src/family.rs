//! What the sparse Bayesian family has in common.

use crate::{Error, Fitted, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Matrix, Termination};
use pfcvm_family::{Fit, Inputs};

pub(crate) const KERNEL: Setting =
    Setting { key: "kernel", default: "rbf", about: "rbf, linear, or poly:P of degree P" };
pub(crate) const GAMMA: Setting = Setting {
    key: "gamma",
    default: "auto",
    about: "weight of every feature in the kernel: a number, auto for 1 / features, or auto:FACTOR",
};
pub(crate) const STANDARDISE: Setting = Setting {
    key: "standardise",
    default: "yes",
    about: "whether features are shifted and scaled first, on the training rows: yes or no",
};
pub(crate) const MAX_BASIS: Setting = Setting {
    key: "max_basis",
    default: "2000",
    about: "up to this many samples all are candidates",
};
pub(crate) const SEED: Setting = Setting {
    key: "seed",
    default: "0",
    about: "of the draw of candidates among more than max_basis samples",
};

/// The settings above, read.
pub(crate) fn inputs(values: &Values) -> Result<Inputs, Error> {
    let inputs = Inputs {
        kernel: values.get("kernel")?,
        width: values.get("gamma")?,
        standardise: values.flag("standardise")?,
        max_basis: values.get("max_basis")?,
        seed: values.get("seed")?,
    };
    inputs.check().map_err(|error| values.out_of_range(error))?;
    Ok(inputs)
}

/// A machine of the family, and whether it weighs features.
pub(crate) struct Fitting {
    pub fit: Fit,
    pub weighs_features: bool,
}

impl Fitted for Fitting {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        let prediction = self.fit.model.predict(x)?;
        Ok(Prediction {
            decision: prediction.decision,
            probability: Some(prediction.probability),
            variance: Some(prediction.variance),
        })
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        self.weighs_features.then(|| self.fit.model.feature_indices())
    }

    fn kept_samples(&self) -> Option<usize> {
        Some(self.fit.model.sample_indices().len())
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.fit.model.sample_indices().to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        self.weighs_features.then(|| self.fit.model.feature_weights().to_vec())
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.fit.termination, self.fit.trace.len()))
    }

    fn stored(&self) -> Stored {
        Stored::Machine { fit: Box::new(self.fit.clone()), weighs_features: self.weighs_features }
    }
}
