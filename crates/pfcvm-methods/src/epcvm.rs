//! EPCVM.

use crate::catalogue::Made;
use crate::family::{Fitting, GAMMA, KERNEL, MAX_BASIS, SEED, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Refusal, Setting, Values};
use pfcvm::Dataset;
use pfcvm_family::epcvm::{Algorithm, Settings, fit};

pub(crate) static ENTRY: Entry = Entry {
    name: "epcvm",
    about: "efficient PCVM: few samples, each for its own class, by Laplace's approximation \
            (Chen 2014)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "algorithm",
            default: "batch",
            about: "batch, all samples at once, or incremental, one at a time (reconstructed)",
        },
        Setting {
            key: "truncation",
            default: "exact",
            about: "how batch keeps weights from below 0: exact, or smoothed by sigmoid:LAMBDA",
        },
        STANDARDISE,
        MAX_BASIS,
        SEED,
    ],
    grid: &[("gamma", &["auto", "0.001", "0.01", "0.1", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let algorithm: String = values.get("algorithm")?;
    let truncation = values.get("truncation")?;
    let algorithm = match algorithm.as_str() {
        "batch" => Algorithm::Batch(truncation),
        "incremental" => Algorithm::Incremental,
        other => {
            let reason = format!("`{other}` is neither batch nor incremental");
            return Err(values.bad("algorithm", reason));
        }
    };
    let settings = Settings { inputs: inputs(values)?, algorithm, ..Settings::default() };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(Epcvm(settings))))
}

#[derive(Debug)]
struct Epcvm(Settings);

impl Learner for Epcvm {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Fitting { fit: fit(data, &self.0)?, weighs_features: false }))
    }
}
