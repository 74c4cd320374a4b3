//! Everything a fit can be told. Two dials are meant to be turned; the rest has defaults that
//! nobody needs to touch, and exists for study and for reproducing the paper.

use crate::special::{log_sigmoid, normal_upper_quantile, sigmoid};
use crate::{Error, Kernel};
use serde::{Deserialize, Serialize};

/// How many samples the decision function may lean on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SamplePolicy {
    /// As few as the evidence allows; features are judged again while samples go.
    #[default]
    Few,
    /// Samples are thinned out after the features are settled.
    Frozen,
    /// All samples stay candidates, under one shared precision.
    Dense,
}

/// How the constraint u ≥ 0 on the weights is kept.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Truncation {
    /// As a constraint: weights at 0 are held there.
    #[default]
    Exact,
    /// The paper's: the indicator is replaced by σ(λ u), which pushes every weight away from 0.
    Sigmoid {
        /// The steepness λ (the paper: 5).
        lambda: f64,
    },
}

impl Truncation {
    pub(crate) fn is_exact(self) -> bool {
        self == Truncation::Exact
    }

    /// log σ(λ u); 0 for the exact constraint.
    pub(crate) fn log(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => log_sigmoid(lambda * u),
        }
    }

    /// k = λ (1 − σ(λ u)).
    pub(crate) fn gradient(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => lambda * sigmoid(-lambda * u),
        }
    }

    /// O = λ² σ(λ u) (1 − σ(λ u)).
    pub(crate) fn curvature(self, u: f64) -> f64 {
        match self {
            Truncation::Exact => 0.0,
            Truncation::Sigmoid { lambda } => {
                lambda * lambda * sigmoid(lambda * u) * sigmoid(-lambda * u)
            }
        }
    }
}

/// How the classes count in the likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ClassWeights {
    /// Every sample counts once.
    #[default]
    Equal,
    /// Both classes count as much in sum: N / (2 N_class) per sample.
    Balanced,
    /// A factor for each class.
    Given {
        /// Factor of the negative class.
        negative: f64,
        /// Factor of the positive class.
        positive: f64,
    },
}

/// How a precision follows from a posterior (Section 3.2 of the paper; γ = 1 − a Σ).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrecisionRule {
    /// a = (γ + 2c) / (u² + 2d): fast, not monotone.
    MacKay,
    /// a = (1 + 2c) / (u² + Σ + 2d): slow, safe.
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

/// Where a fit starts. Nothing: as the defaults say.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Start {
    /// Feature weight θ (default 1/M).
    pub feature_weight: Option<f64>,
    /// Feature precision β (default M).
    pub feature_precision: Option<f64>,
    /// Sample precision α (default: mean over rows of Σⱼ k²).
    pub sample_precision: Option<f64>,
    /// β₀ of a prior: each feature precision starts where the divergence of the posterior from that
    /// prior is least for the feature's weight, as Section 5 proposes. Gives way to
    /// `feature_precision`.
    #[serde(default)]
    pub divergence_from: Option<f64>,
}

/// All settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The kernel.
    pub kernel: Kernel,
    /// First dial: how likely a feature of pure noise is to be kept, in (0, 0.5). Smaller gives
    /// shorter, more stable lists; above 0.158 it has no further effect.
    pub false_positive_rate: f64,
    /// Second dial: how many samples are kept.
    pub samples: SamplePolicy,
    /// Whether features are standardised on the training data, as part of the model.
    pub standardise: bool,
    /// How the classes count.
    pub class_weights: ClassWeights,
    /// How the constraint is kept.
    pub truncation: Truncation,
    /// Up to this many samples all are candidates for the basis (default 2000). Of N more, a
    /// class-stratified draw of √(max_basis³ / N), at least 500, so that an iteration costs the
    /// same whatever N. The likelihood always uses every row.
    pub max_basis: usize,
    /// Refuse a fit that needs more memory than this (MiB).
    #[serde(skip)]
    pub memory_limit_mib: Option<usize>,
    /// Seed of the draw of basis candidates.
    pub seed: u64,
    /// Whether large products may use several threads (the result does not depend on it).
    #[serde(skip, default = "several_threads")]
    pub parallel: bool,
    /// Where the fit starts.
    pub start: Start,
    /// The stages of the fit; nothing: those that belong to the kernel and the dials.
    pub stages: Option<Vec<Stage>>,
}

/// What stored settings say about threads, which are no part of a result.
pub(crate) fn several_threads() -> bool {
    true
}

impl Default for Settings {
    fn default() -> Self {
        Self::new(Kernel::Rbf)
    }
}

impl Settings {
    /// The defaults for a kernel.
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            false_positive_rate: 0.05,
            samples: SamplePolicy::default(),
            standardise: true,
            class_weights: ClassWeights::default(),
            truncation: Truncation::default(),
            max_basis: 2000,
            memory_limit_mib: None,
            seed: 0,
            parallel: true,
            start: Start::default(),
            stages: None,
        }
    }

    /// The paper to the letter: the smoothed truncation σ(5u), flat hyperpriors, undamped MacKay
    /// updates for both, thresholds on the precisions. See `docs/deviations.md` for what it does.
    pub fn paper(kernel: Kernel) -> Self {
        let start =
            Start { feature_precision: Some(1.0), sample_precision: Some(1.0), ..Start::default() };
        let stage = Stage {
            feature_damping: 1.0,
            feature_hyperprior: Hyperprior::default(),
            pruning: Pruning::Precision { samples: 1e4, features: 1e4 },
            max_iterations: 200,
            ..Stage::new(PrecisionRule::MacKay, Hyperprior::default())
        };
        Self {
            truncation: Truncation::Sigmoid { lambda: 5.0 },
            start,
            stages: Some(vec![stage]),
            ..Self::new(kernel)
        }
    }

    /// Level of the test that says which features stand out on their own: the square of the
    /// false-positive rate. Nothing for the linear kernel, where thousands would, and where no
    /// stage asks for it.
    pub(crate) fn screen_level(&self) -> Option<f64> {
        let asked = crate::schedule::stages(self).iter().any(|stage| stage.common_weight);
        asked.then(|| self.false_positive_rate.powi(2))
    }

    /// Refuses settings outside their range; a fit does so before it starts.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |name, value: String, allowed| Err(Error::Setting { name, value, allowed });
        if !(self.false_positive_rate > 0.0 && self.false_positive_rate < 0.5) {
            let value = self.false_positive_rate.to_string();
            return bad("false_positive_rate", value, "above 0 and below 0.5");
        }
        if let Truncation::Sigmoid { lambda } = self.truncation
            && !(lambda > 0.0 && lambda <= 1e3)
        {
            return bad("lambda", lambda.to_string(), "above 0, at most 1000");
        }
        if let Kernel::Polynomial { degree } = self.kernel
            && !(1..=10).contains(&degree)
        {
            return bad("degree", degree.to_string(), "1 to 10");
        }
        if let ClassWeights::Given { negative, positive } = self.class_weights
            && !(negative > 0.0 && positive > 0.0 && negative.is_finite() && positive.is_finite())
        {
            return bad("class weights", format!("{negative}, {positive}"), "finite, above 0");
        }
        if self.max_basis < 2 {
            return bad("max_basis", self.max_basis.to_string(), "at least 2");
        }
        let Start { feature_weight, feature_precision, sample_precision, divergence_from } =
            self.start;
        let start = [feature_weight, feature_precision, sample_precision, divergence_from];
        if let Some(value) = start.iter().flatten().find(|v| !(**v > 0.0 && v.is_finite())) {
            return bad("start", value.to_string(), "finite, above 0");
        }
        if self.stages.as_ref().is_some_and(Vec::is_empty) {
            return bad("stages", "none".into(), "at least one");
        }
        for stage in self.stages.iter().flatten() {
            if stage.max_iterations == 0 {
                return bad("max_iterations", "0".into(), "at least 1");
            }
            for damping in [stage.sample_damping, stage.feature_damping] {
                if !(damping > 0.0 && damping <= 3.0) {
                    return bad("damping", damping.to_string(), "above 0, at most 3");
                }
            }
            let hyperpriors =
                [stage.sample_hyperprior, stage.feature_hyperprior, stage.strict_hyperprior];
            for value in hyperpriors.iter().flat_map(|h| [h.c, h.d]) {
                if !(value >= 0.0 && value.is_finite()) {
                    return bad("hyperprior", value.to_string(), "finite and not negative");
                }
            }
        }
        Ok(())
    }
}

impl Stage {
    /// A stage with the given rule for samples, damped MacKay for features, and the usual pruning.
    pub fn new(sample_rule: PrecisionRule, feature_hyperprior: Hyperprior) -> Self {
        Self {
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
}
