//! Everything a fit can be told. Two dials are meant to be turned; the rest has defaults that
//! nobody needs to touch, and exists for study and for reproducing the paper.

mod stage;
mod truncation;

pub use stage::{Hyperprior, PrecisionRule, Pruning, Readmission, Stage};
pub use truncation::Truncation;

use crate::algebra::Work;
use crate::error::Error;
use crate::kernel::Kernel;
use crate::stop::Stop;
use serde::{Deserialize, Serialize};

/// Which algorithm a fit runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Algorithm {
    /// This project's: features judged first, samples thinned out after (`docs/deviations.md`).
    #[default]
    Mended,
    /// The paper's Algorithm 1 to the letter, with its smoothed truncation.
    Paper,
}

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

/// Whether a fit asks rows that did not train how sure it can be of what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum CertaintyPolicy {
    /// It does; where nothing was found, no feature is listed and the shares of the classes are
    /// predicted.
    #[default]
    On,
    /// It does, and lists what it has even where nothing was found.
    Insist,
    /// It does not, which takes about a tenth of the time: nothing is said of false alarms, and
    /// probabilities are what the training rows make of them.
    Off,
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Goal {
    /// A list of features: prediction needs these and no others.
    #[default]
    List,
    /// Predictions that are as good as can be: a machine of all features stands beside the list, and
    /// prediction needs all features.
    Accuracy,
}

impl Goal {
    /// How many samples suit it where nobody says otherwise. Few are part of what is asked for with a
    /// list: projected from all where boundaries are curved, which predicts better.
    pub fn samples(self, kernel: Kernel) -> SamplePolicy {
        match self {
            Goal::Accuracy => SamplePolicy::Dense,
            Goal::List if kernel == Kernel::Linear => SamplePolicy::Few,
            Goal::List => SamplePolicy::Frozen,
        }
    }
}

/// What is found out from the data instead of being told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auto {
    /// The kernel.
    pub kernel: bool,
    /// How many samples are kept.
    pub samples: bool,
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
    /// prior is least for the feature's weight, as `sec:RCB` proposes. Gives way to
    /// `feature_precision`.
    #[serde(default)]
    pub divergence_from: Option<f64>,
}

/// All settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The kernel.
    pub kernel: Kernel,
    /// The algorithm. To change it, start from [`Settings::of`]: it brings its truncation and its
    /// start along.
    #[serde(default)]
    pub algorithm: Algorithm,
    /// First dial: how likely a feature of pure noise is to be called certain, in (0, 0.5). Smaller
    /// gives shorter, more stable lists; above 0.158 it has no further effect on which features
    /// the model predicts with.
    pub false_positive_rate: f64,
    /// Expected number of false features among those that are called certain, at most; in place of
    /// the rate.
    #[serde(default)]
    pub max_false: Option<f64>,
    /// Whether rows that did not train are asked how certain all this is.
    #[serde(default)]
    pub certainty: CertaintyPolicy,
    /// Keep at most this many features; nothing: as many as the evidence asks for.
    #[serde(default)]
    pub size: Option<usize>,
    /// Second dial: how many samples are kept.
    pub samples: SamplePolicy,
    /// What the model is for.
    #[serde(default)]
    pub goal: Goal,
    /// What [`fit_choosing`](crate::multiclass::fit_choosing) finds out from the data; other fits take
    /// what is told.
    #[serde(skip)]
    pub auto: Auto,
    /// Whether features are standardised on the training data, as part of the model.
    pub standardise: bool,
    /// How the classes count.
    pub class_weights: ClassWeights,
    /// How the constraint is kept. Smoothed only under the paper's algorithm, or with stages of
    /// your own: the others rely on weights that are exactly 0.
    pub truncation: Truncation,
    /// Samples that may enter the basis at most (default 2000). Of a third of this a curved fit begins with 80
    /// and takes more where the log evidence gains by it; a linear one has as many candidates as features,
    /// 120 to 300. Of more samples they are a class-stratified draw, and no more than √(max_basis³ / N) or 500, so that an
    /// iteration costs the same whatever N. The likelihood always uses every row.
    pub max_basis: usize,
    /// Refuse a fit that needs more memory than this (MiB).
    #[serde(skip)]
    pub memory_limit_mib: Option<usize>,
    /// Seed of the draw of basis candidates.
    pub seed: u64,
    /// Whether large products may use several threads (the result does not depend on it).
    #[serde(skip, default = "several_threads")]
    pub parallel: bool,
    /// Ends the fit with [`Error::Stopped`] soon after it goes up.
    #[serde(skip)]
    pub stop: Option<Stop>,
    /// Where the fit starts.
    pub start: Start,
    /// The stages of the fit; nothing: those that belong to the algorithm, the kernel and the dials.
    pub stages: Option<Vec<Stage>>,
    /// At most this many iterations in each stage; nothing: as the stage has it.
    #[serde(default)]
    pub max_iterations: Option<usize>,
    /// A stage has settled when the log evidence moves by less than this, relatively, twice;
    /// nothing: as the stage has it.
    #[serde(default)]
    pub tolerance: Option<f64>,
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
            algorithm: Algorithm::default(),
            false_positive_rate: 0.05,
            max_false: None,
            certainty: CertaintyPolicy::default(),
            size: None,
            samples: SamplePolicy::default(),
            goal: Goal::default(),
            auto: Auto::default(),
            standardise: true,
            class_weights: ClassWeights::default(),
            truncation: Truncation::default(),
            max_basis: 2000,
            memory_limit_mib: None,
            seed: 0,
            parallel: true,
            stop: None,
            start: Start::default(),
            stages: None,
            max_iterations: None,
            tolerance: None,
        }
    }

    /// The defaults for a kernel under an algorithm: what every way to ask for one goes through.
    pub fn of(algorithm: Algorithm, kernel: Kernel) -> Self {
        match algorithm {
            Algorithm::Mended => Self::new(kernel),
            Algorithm::Paper => Self::paper(kernel),
        }
    }

    /// The paper to the letter: the smoothed truncation σ(5u), flat hyperpriors, undamped MacKay
    /// updates for both, thresholds on the precisions, nothing about certainty. See `docs/deviations.md` for what it does.
    pub fn paper(kernel: Kernel) -> Self {
        let start =
            Start { feature_precision: Some(1.0), sample_precision: Some(1.0), ..Start::default() };
        Self {
            algorithm: Algorithm::Paper,
            truncation: Truncation::Sigmoid { lambda: 5.0 },
            start,
            certainty: CertaintyPolicy::Off,
            ..Self::new(kernel)
        }
    }

    /// Whether long tails of numbers are made short before the kernel sees them. A straight boundary speaks of
    /// numbers as they are.
    pub(crate) fn bends(&self) -> bool {
        self.standardise && self.kernel != Kernel::Linear && self.algorithm != Algorithm::Paper
    }

    /// What the algebra of a fit may use.
    pub(crate) fn work(&self) -> Work {
        Work { stop: self.stop.clone(), ..Work::new(self.parallel) }
    }

    /// Refuses settings outside their range; a fit does so before it starts.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |name, value: String, allowed| Err(Error::Setting { name, value, allowed });
        if !(self.false_positive_rate > 0.0 && self.false_positive_rate < 0.5) {
            let value = self.false_positive_rate.to_string();
            return bad("false_positive_rate", value, "above 0 and below 0.5");
        }
        check_max_false(self.max_false)?;
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
        if self.size == Some(0) {
            return bad("size", "0".into(), "at least 1");
        }
        if let (Some(size), Goal::Accuracy) = (self.size, self.goal) {
            let allowed = "nothing where the goal is accuracy, which uses all features";
            return bad("size", size.to_string(), allowed);
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
        if self.max_iterations == Some(0) {
            return bad("max_iterations", "0".into(), "at least 1");
        }
        if let Some(tolerance) = self.tolerance
            && !(tolerance > 0.0 && tolerance < 1.0)
        {
            return bad("tolerance", tolerance.to_string(), "above 0 and below 1");
        }
        self.stages.iter().flatten().try_for_each(Stage::check)
    }
}

/// Refuses an expected number of false features that is none.
pub(crate) fn check_max_false(max_false: Option<f64>) -> Result<(), Error> {
    match max_false {
        Some(most) if !(most > 0.0 && most.is_finite()) => Err(Error::Setting {
            name: "max_false",
            value: most.to_string(),
            allowed: "finite, above 0",
        }),
        _ => Ok(()),
    }
}
