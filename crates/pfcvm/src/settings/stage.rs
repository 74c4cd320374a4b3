//! The rules of one stage of a fit.

use crate::algebra::{chi_square_at, normal_upper_quantile};
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// How a precision follows from a posterior, with γ = 1 − a Σ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrecisionRule {
    /// a = (γ + 2c) / (u² + 2d) (`eq:hyperup1`): fast, not monotone.
    MacKay,
    /// a = (1 + 2c) / (u² + Σ + 2d) (`eq:hyperup`): slow, safe.
    Em,
    /// One precision for all: Σγ / Σu².
    Shared,
    /// Left as it is, and so are the weights under it where these are features.
    Fixed,
}

/// The Gamma hyperprior on a precision; 0, 0 is flat.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Hyperprior {
    /// Shape.
    pub c: f64,
    /// Rate.
    pub d: f64,
}

impl Hyperprior {
    /// The hyperprior under which a weight that is pure noise survives with probability `p`.
    ///
    /// For one Gaussian parameter a θ² = γ + 2c has a solution only if its squared z-score exceeds
    /// 1 + 4c + 2√(2c(1+2c)). Solved for c: (z²−1)²/(8z²) with z the upper p quantile. The flat
    /// hyperprior asks only |z| > 1, which noise passes with probability 0.159.
    pub fn from_false_positive_rate(p: f64) -> Self {
        let z = normal_upper_quantile(p);
        let c = if z > 1.0 { (z * z - 1.0).powi(2) / (8.0 * z * z) } else { 0.0 };
        Self { c, d: 0.0 }
    }

    /// The same for a weight that noise can raise in several directions at once, as it can that of a
    /// feature of several columns in the linear kernel: its squared z-score is then χ² with as many
    /// degrees of freedom, and the bar stands where such noise passes as often.
    pub(crate) fn in_directions(self, count: usize) -> Self {
        if count < 2 {
            return self;
        }
        let c = self.c;
        let square = 1.0 + 4.0 * c + 2.0 * (2.0 * c * (1.0 + 2.0 * c)).sqrt();
        let bar = chi_square_at(square.sqrt(), count as f64);
        Self { c: self.c.max((bar - 1.0).powi(2) / (8.0 * bar)), ..self }
    }
}

/// When a weight is dropped for good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pruning {
    /// Weights at 0; samples whose γ is below `sample_gamma`; features with
    /// β max θ² above `feature_ratio`. None of these depends on the scale of the data.
    ScaleFree {
        /// Least γ of a sample.
        sample_gamma: f64,
        /// Largest β max θ² of a feature.
        feature_ratio: f64,
    },
    /// The paper's: precisions above a bound, and weights at or below 0.
    Precision {
        /// Largest sample precision.
        samples: f64,
        /// Largest feature precision.
        features: f64,
    },
}

impl Default for Pruning {
    fn default() -> Self {
        Self::ScaleFree { sample_gamma: 1e-3, feature_ratio: 1e4 }
    }
}

/// Score tests that let dropped features back in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Readmission {
    /// At most this many rounds.
    pub rounds: usize,
    /// Features tried at once.
    pub at_once: usize,
    /// Least z-score.
    pub least_z: f64,
}

impl Default for Readmission {
    fn default() -> Self {
        Self { rounds: 10, at_once: 5, least_z: 3.0 }
    }
}

/// One stage of a fit: Algorithm 1 under one choice of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// What it does, in a few words: iterations carry it.
    #[serde(default = "unnamed")]
    pub name: String,
    /// Rule for the sample precisions α.
    pub sample_rule: PrecisionRule,
    /// Hyperprior of the sample precisions.
    pub sample_hyperprior: Hyperprior,
    /// Exponent of the step in log α: 1 is the full step.
    pub sample_damping: f64,
    /// Rule for the feature precisions β.
    pub feature_rule: PrecisionRule,
    /// Hyperprior of the feature precisions.
    pub feature_hyperprior: Hyperprior,
    /// Exponent of the step in log β.
    pub feature_damping: f64,
    /// Hyperprior of the precisions of features that do not stand out on their own, where others
    /// do and `common_weight` is set.
    pub strict_hyperprior: Hyperprior,
    /// Whether features that stand out on their own are drawn to a common weight, not to 0.
    pub common_weight: bool,
    /// What is dropped.
    pub pruning: Pruning,
    /// Whether all candidate samples come back, with weight 0, before the stage.
    pub restart: bool,
    /// Whether dropped features may come back after the stage.
    pub readmission: Option<Readmission>,
    /// Settled, too, when no feature was dropped for this many iterations.
    pub patience: Option<usize>,
    /// At most this many iterations.
    pub max_iterations: usize,
    /// Settled when the log evidence moves by less than this, relatively, twice.
    pub tolerance: f64,
}

impl Stage {
    /// A stage with the given rule for samples, damped MacKay for features, and the usual pruning.
    pub fn new(sample_rule: PrecisionRule, feature_hyperprior: Hyperprior) -> Self {
        Self {
            name: unnamed(),
            sample_rule,
            sample_hyperprior: Hyperprior::default(),
            sample_damping: 1.0,
            feature_rule: PrecisionRule::MacKay,
            feature_hyperprior,
            feature_damping: 0.5,
            strict_hyperprior: feature_hyperprior,
            common_weight: false,
            pruning: Pruning::default(),
            restart: false,
            readmission: None,
            patience: None,
            max_iterations: 100,
            tolerance: 1e-4,
        }
    }
    /// Samples are only dropped while each has a precision of its own.
    pub(crate) fn prunes_samples(&self) -> bool {
        matches!(self.sample_rule, PrecisionRule::MacKay | PrecisionRule::Em)
    }

    /// Refuses rules outside their range.
    pub(super) fn check(&self) -> Result<(), Error> {
        let bad = |name, value: String, allowed| Err(Error::Setting { name, value, allowed });
        if self.max_iterations == 0 {
            return bad("max_iterations", "0".into(), "at least 1");
        }
        for damping in [self.sample_damping, self.feature_damping] {
            if !(damping > 0.0 && damping <= 3.0) {
                return bad("damping", damping.to_string(), "above 0, at most 3");
            }
        }
        let hyperpriors = [self.sample_hyperprior, self.feature_hyperprior, self.strict_hyperprior];
        for value in hyperpriors.iter().flat_map(|h| [h.c, h.d]) {
            if !(value >= 0.0 && value.is_finite()) {
                return bad("hyperprior", value.to_string(), "finite and not negative");
            }
        }
        Ok(())
    }
}

/// The name of a stage that was given none.
fn unnamed() -> String {
    "fit".into()
}
