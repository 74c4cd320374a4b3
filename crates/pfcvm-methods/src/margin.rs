//! What the margin and minimax methods have in common: settings and their reading.

use crate::{Error, Prediction, Setting, Values};
use pfcvm_baselines::{Calibration, Gamma, MarginKernel};

pub(crate) const STANDARDISE: Setting = Setting {
    key: "standardise",
    default: "yes",
    about: "whether features are shifted and scaled first, on the training rows: yes or no",
};

pub(crate) const CLASS_WEIGHTS: Setting = Setting {
    key: "class_weights",
    default: "equal",
    about: "how the classes count: equal, balanced, or two factors as in 1,2.5",
};

pub(crate) const GAMMA: Setting = Setting {
    key: "gamma",
    default: "scale",
    about: "of exp(-gamma d²): a number, scale (1 over the variance and the number of features), or \
            scale:FACTOR",
};

pub(crate) const PROBABILITY: Setting = Setting {
    key: "probability",
    default: "platt",
    about: "how probabilities are learned, by five more fits: platt (a sigmoid), isotonic (any rising \
            function; for thousands of samples), or no",
};

/// The kernel, with its width where it has one.
pub(crate) fn kernel(values: &Values) -> Result<MarginKernel, Error> {
    let gamma: Gamma = values.get("gamma")?;
    let kernel: String = values.get("kernel")?;
    match kernel.as_str() {
        "linear" => Ok(MarginKernel::Linear),
        "rbf" => Ok(MarginKernel::Rbf(gamma)),
        other => Err(values.bad("kernel", format!("`{other}` is neither rbf nor linear"))),
    }
}

/// A number above 0.
pub(crate) fn above_0(values: &Values, key: &str) -> Result<f64, Error> {
    match values.get::<f64>(key)? {
        number if number > 0.0 && number.is_finite() => Ok(number),
        other => Err(values.bad(key, format!("`{other}` is not a finite number above 0"))),
    }
}

/// Decisions with their probabilities, if there is a way from the ones to the others.
pub(crate) fn predicted(decision: Vec<f64>, calibration: Option<&Calibration>) -> Prediction {
    let probability = calibration.map(|calibration| calibration.probabilities(&decision));
    Prediction { decision, probability, variance: None }
}
