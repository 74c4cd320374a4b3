//! RSFM and IRSFM.

use crate::catalogue::Made;
use crate::family::{KERNEL, MAX_BASIS, SEED, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix, Termination};
use pfcvm_family::Fit;
use pfcvm_family::rsfm::{Separable, Settings, fit};

const GAMMA: Setting = Setting {
    key: "gamma",
    default: "auto",
    about: "width of the kernel of each single feature: a number, or auto for 1 (auto:FACTOR: FACTOR)",
};
const SETTINGS: &[Setting] = &[KERNEL, GAMMA, STANDARDISE, MAX_BASIS, SEED];
const GRID: &[(&str, &[&str])] = &[("gamma", &["0.1", "0.3", "1", "3"])];

pub(crate) static RSFM: Entry = Entry {
    name: "rsfm",
    about: "relevance sample-feature machine: a sum over few samples and features, all at once \
            (Mohsenzadeh 2013, reconstructed)",
    settings: SETTINGS,
    grid: GRID,
    make: |values| make(values, Settings::batch()),
};

pub(crate) static IRSFM: Entry = Entry {
    name: "irsfm",
    about: "relevance sample-feature machine, one sample or feature at a time \
            (Mohsenzadeh 2015, reconstructed)",
    settings: SETTINGS,
    grid: GRID,
    make: |values| make(values, Settings::incremental()),
};

fn make(values: &Values, base: Settings) -> Result<Made, Error> {
    let settings = Settings { inputs: inputs(values)?, ..base };
    Ok(Made::Learner(Box::new(SampleFeature(settings))))
}

#[derive(Debug)]
struct SampleFeature(Settings);

impl Learner for SampleFeature {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(fit(data, &self.0)?))
    }
}

impl Fitted for Fit<Separable> {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        let prediction = self.model.predict(x)?;
        Ok(Prediction {
            decision: prediction.decision,
            probability: Some(prediction.probability),
            variance: Some(prediction.variance),
        })
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.model.feature_indices())
    }

    fn kept_samples(&self) -> Option<usize> {
        Some(self.model.sample_indices().len())
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.model.sample_indices().to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.model.feature_weights().to_vec())
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.termination, self.trace.len()))
    }

    fn stored(&self) -> Stored {
        Stored::Separable(Box::new(self.clone()))
    }
}
