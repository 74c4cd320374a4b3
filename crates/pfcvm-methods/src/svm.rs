//! Support vector machine.

use crate::catalogue::Made;
use crate::margin::{CLASS_WEIGHTS, GAMMA, PROBABILITY, STANDARDISE, above_0, kernel, predicted};
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix};
use pfcvm_baselines::{Svm, SvmSettings};

pub(crate) static ENTRY: Entry = Entry {
    name: "svm",
    about: "support vector machine, on all features (LIBSVM's algorithm)",
    settings: &[
        Setting { key: "kernel", default: "rbf", about: "rbf or linear" },
        Setting { key: "c", default: "1", about: "price of a margin not kept, above 0" },
        GAMMA,
        CLASS_WEIGHTS,
        STANDARDISE,
        PROBABILITY,
        Setting { key: "seed", default: "0", about: "of the folds that probabilities come from" },
    ],
    grid: &[("c", &["0.1", "1", "10", "100"]), ("gamma", &["scale:0.1", "scale", "scale:10"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = SvmSettings {
        kernel: kernel(values)?,
        c: above_0(values, "c")?,
        class_weights: values.get("class_weights")?,
        standardise: values.flag("standardise")?,
        probability: values.get("probability")?,
        seed: values.get("seed")?,
        ..SvmSettings::default()
    };
    Ok(Made::Learner(Box::new(Machine(settings))))
}

#[derive(Debug)]
struct Machine(SvmSettings);

impl Learner for Machine {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Svm::fit(data, &self.0)?))
    }
}

impl Fitted for Svm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(predicted(self.decide(x)?, self.calibration()))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        None
    }

    fn kept_samples(&self) -> Option<usize> {
        Some(self.support().len())
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.support().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::Svm(Box::new(self.clone()))
    }
}
