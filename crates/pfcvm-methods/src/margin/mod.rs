//! Classifiers that keep a margin.
//!
//! | method | norm | selects |
//! |---|---|---|
//! | [`Svm`] | ‖w‖² | samples |
//! | [`L1Svm`] | ‖w‖₁, linear | features |
//! | [`Wsvm`] | ‖w‖² with a weight for each feature in the kernel | features and samples |

pub(crate) mod kernel;
pub mod l1svm;
pub mod svm;
pub mod wsvm;

pub use kernel::{Gamma, MarginKernel};
pub use l1svm::{L1Svm, L1SvmSettings};
pub use svm::{Svm, SvmSettings};
pub use wsvm::{Wsvm, WsvmSettings};

use crate::catalogue::Takes::{self, Word};
use crate::error::out_of_range;
use crate::probability::Probability;
use crate::{Error, Setting, Values, settings};
use pfcvm::ClassWeights;

pub(crate) const KERNEL: Setting = Setting {
    key: "kernel",
    default: "rbf",
    takes: &[Word("rbf"), Word("linear")],
    about: "rbf or linear",
};

const C: Setting = Setting {
    key: "c",
    default: "1",
    takes: &[Takes::ABOVE_0],
    about: "price of a margin not kept, above 0",
};

/// Refuses what is not above 0.
fn above_0(name: &'static str, value: f64) -> Result<(), Error> {
    match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(out_of_range(name, value, "finite, above 0")),
    }
}

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

/// The settings of a method with a kernel, by the one that says what its width is.
const fn kernel_settings(gamma: Setting) -> [Setting; 7] {
    let [c, class_weights, standardise, probability, seed] = COMMON;
    [KERNEL, c, gamma, class_weights, standardise, probability, seed]
}

/// The settings that all these methods have.
const COMMON: [Setting; 5] = [
    C,
    settings::CLASS_WEIGHTS,
    settings::STANDARDISE,
    settings::PROBABILITY,
    settings::SEED_OF_FOLDS,
];

/// Their values.
struct Common {
    c: f64,
    class_weights: ClassWeights,
    standardise: bool,
    probability: Probability,
    seed: u64,
}

impl Common {
    fn of(values: &Values) -> Result<Self, Error> {
        Ok(Self {
            c: values.number("c")?,
            class_weights: values.class_weights()?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        })
    }
}
