//! PFCVM_EM.

use crate::catalogue::Made;
use crate::family::{Fitting, GAMMA, KERNEL, MAX_BASIS, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Refusal, Setting, Values};
use pfcvm::Dataset;
use pfcvm_family::pfcvm_em::{Settings, fit};

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-em",
    about: "features and samples selected together, by EM (Li & Chen 2014, reconstructed)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "shape",
            default: "0",
            about: "shape of the hyperprior on feature precisions, at least 0: larger keeps fewer",
        },
        Setting {
            key: "rate",
            default: "0",
            about: "rate of that hyperprior, in squares of gamma, at least 0: above 0 fewer go",
        },
        STANDARDISE,
        MAX_BASIS,
        Setting { key: "seed", default: "0", about: "of the random start" },
    ],
    // The start of the feature weights decides most (the paper chose starting points too).
    grid: &[("gamma", &["auto:0.1", "auto:0.3", "auto"]), ("shape", &["0.3", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = Settings {
        inputs: inputs(values)?,
        shape: values.get("shape")?,
        rate: values.get("rate")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(PfcvmEm(settings))))
}

#[derive(Debug)]
struct PfcvmEm(Settings);

impl Learner for PfcvmEm {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Fitting { fit: fit(data, &self.0)?, weighs_features: true }))
    }
}
