//! The probabilistic classification vector machine.

use crate::catalogue::Made;
use crate::family::{Fitting, GAMMA, KERNEL, MAX_BASIS, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Refusal, Setting, Values};
use pfcvm::Dataset;
use pfcvm_family::pcvm::{Settings, fit};

pub(crate) static ENTRY: Entry = Entry {
    name: "pcvm",
    about: "probabilistic classification vector machine: few samples, each for its own class, \
            all features (Chen 2009)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "learn_width",
            default: "yes",
            about: "whether gamma is only the start and the width of the rbf is learned: yes or no",
        },
        Setting { key: "restarts", default: "3", about: "random starts, of which one is kept" },
        STANDARDISE,
        MAX_BASIS,
        Setting { key: "seed", default: "0", about: "of the random start" },
    ],
    grid: &[("gamma", &["auto", "0.01", "0.1", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = Settings {
        inputs: inputs(values)?,
        learn_width: values.flag("learn_width")?,
        restarts: values.get("restarts")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(Pcvm(settings))))
}

#[derive(Debug)]
struct Pcvm(Settings);

impl Learner for Pcvm {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Fitting { fit: fit(data, &self.0)?, weighs_features: false }))
    }
}
