//! JCFO.

use crate::catalogue::Made;
use crate::family::{Fitting, GAMMA, KERNEL, MAX_BASIS, SEED, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Refusal, Setting, Values};
use pfcvm::Dataset;
use pfcvm_family::jcfo::{Settings, fit};

pub(crate) static ENTRY: Entry = Entry {
    name: "jcfo",
    about: "joint classifier and feature optimisation: Laplacian priors on samples and features, \
            rates to be chosen (Krishnapuram 2004)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "sample_rate",
            default: "0.5",
            about: "rate of the prior on sample weights, above 0: larger keeps fewer",
        },
        Setting {
            key: "feature_rate",
            default: "1",
            about: "rate of the prior on feature weights, above 0: larger keeps fewer; 1: as much as \
                    one unit of log likelihood for every sample",
        },
        STANDARDISE,
        MAX_BASIS,
        SEED,
    ],
    grid: &[("sample_rate", &["0.1", "0.5", "2"]), ("feature_rate", &["0.2", "1", "4"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = Settings {
        inputs: inputs(values)?,
        sample_rate: values.get("sample_rate")?,
        feature_rate: values.get("feature_rate")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(Jcfo(settings))))
}

#[derive(Debug)]
struct Jcfo(Settings);

impl Learner for Jcfo {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Fitting { fit: fit(data, &self.0)?, weighs_features: true }))
    }
}
