//! The relevance vector machine.

use crate::catalogue::Made;
use crate::family::{Fitting, GAMMA, KERNEL, MAX_BASIS, SEED, STANDARDISE, inputs};
use crate::{Entry, Error, Fitted, Learner, Refusal, Setting, Values};
use pfcvm::Dataset;
use pfcvm_family::rvm::{Algorithm, Settings, fit};

pub(crate) static ENTRY: Entry = Entry {
    name: "rvm",
    about: "relevance vector machine: few samples, all features (Tipping 2001, Tipping & Faul 2003)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "algorithm",
            default: "fast",
            about: "how the precisions are found: fast, one at a time, or batch, all at once",
        },
        Setting {
            key: "bias",
            default: "yes",
            about: "whether a constant is among the basis functions: yes or no",
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
    let algorithm = match algorithm.as_str() {
        "fast" => Algorithm::Fast,
        "batch" => Algorithm::Batch,
        other => {
            return Err(values.bad("algorithm", format!("`{other}` is neither fast nor batch")));
        }
    };
    let bias = values.flag("bias")?;
    let settings = Settings { inputs: inputs(values)?, algorithm, bias, ..Settings::default() };
    Ok(Made::Learner(Box::new(Rvm(settings))))
}

#[derive(Debug)]
struct Rvm(Settings);

impl Learner for Rvm {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Fitting { fit: fit(data, &self.0)?, weighs_features: false }))
    }
}
