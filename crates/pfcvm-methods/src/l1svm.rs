//! Support vector machine with the ℓ₁ norm.

use crate::catalogue::Made;
use crate::margin::{CLASS_WEIGHTS, PROBABILITY, STANDARDISE, above_0, predicted};
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix};
use pfcvm_baselines::{L1Svm, L1SvmSettings};

pub(crate) static ENTRY: Entry = Entry {
    name: "l1svm",
    about: "linear support vector machine on few features, by the sum of weights (Bradley 1998)",
    settings: &[
        Setting { key: "c", default: "1", about: "price of a margin not kept, above 0" },
        CLASS_WEIGHTS,
        STANDARDISE,
        PROBABILITY,
        Setting { key: "seed", default: "0", about: "of the folds that probabilities come from" },
    ],
    grid: &[("c", &["0.03", "0.1", "0.3", "1", "3"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = L1SvmSettings {
        c: above_0(values, "c")?,
        class_weights: values.get("class_weights")?,
        standardise: values.flag("standardise")?,
        probability: values.get("probability")?,
        seed: values.get("seed")?,
    };
    Ok(Made::Learner(Box::new(Machine(settings))))
}

#[derive(Debug)]
struct Machine(L1SvmSettings);

impl Learner for Machine {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(L1Svm::fit(data, &self.0)?))
    }
}

impl Fitted for L1Svm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(predicted(self.decide(x)?, self.calibration()))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.features())
    }

    fn kept_samples(&self) -> Option<usize> {
        None
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.weights().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::L1Svm(Box::new(self.clone()))
    }
}
