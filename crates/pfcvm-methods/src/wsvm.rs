//! Support vector machine with weights of features.

use crate::catalogue::Made;
use crate::margin::{CLASS_WEIGHTS, GAMMA, PROBABILITY, STANDARDISE, above_0, kernel, predicted};
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix};
use pfcvm_baselines::{Wsvm, WsvmSettings};

pub(crate) static ENTRY: Entry = Entry {
    name: "wsvm",
    about: "support vector machine with a weight of each feature in its kernel (a reconstruction \
            of Nguyen 2010)",
    settings: &[
        Setting { key: "kernel", default: "rbf", about: "rbf or linear" },
        Setting { key: "c", default: "1", about: "price of a margin not kept, above 0" },
        Setting {
            about: "starting weight of each feature, and the budget: weights sum to at most gamma \
                 times their number (rbf); a number, scale, or scale:FACTOR",
            ..GAMMA
        },
        CLASS_WEIGHTS,
        STANDARDISE,
        PROBABILITY,
        Setting { key: "seed", default: "0", about: "of the folds that probabilities come from" },
    ],
    grid: &[("c", &["0.1", "1", "10", "100"]), ("gamma", &["scale:0.1", "scale", "scale:3"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = WsvmSettings {
        kernel: kernel(values)?,
        c: above_0(values, "c")?,
        class_weights: values.get("class_weights")?,
        standardise: values.flag("standardise")?,
        probability: values.get("probability")?,
        seed: values.get("seed")?,
        ..WsvmSettings::default()
    };
    Ok(Made::Learner(Box::new(Machine(settings))))
}

#[derive(Debug)]
struct Machine(WsvmSettings);

impl Learner for Machine {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Wsvm::fit(data, &self.0)?))
    }
}

impl Fitted for Wsvm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(predicted(self.decide(x)?, self.calibration()))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.features())
    }

    fn kept_samples(&self) -> Option<usize> {
        Some(self.support().len())
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.support().to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.weights().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::Wsvm(Box::new(self.clone()))
    }
}
