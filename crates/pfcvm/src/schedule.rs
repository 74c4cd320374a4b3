//! Which stages a fit goes through, for each algorithm, kernel and setting of the two dials.

use crate::error::Error;
use crate::kernel::Kernel;
use crate::settings::{
    Algorithm, Hyperprior, PrecisionRule, Pruning, Readmission, SamplePolicy, Settings, Stage,
    Truncation,
};

impl Settings {
    /// The stages that a fit with these settings goes through. Refuses the smoothed truncation under
    /// stages that rely on weights of exactly 0; a fit does so before it starts.
    pub fn stages_of_fit(&self) -> Result<Vec<Stage>, Error> {
        let mut stages = self.planned_stages()?;
        for stage in &mut stages {
            stage.max_iterations = self.max_iterations.unwrap_or(stage.max_iterations);
            stage.tolerance = self.tolerance.unwrap_or(stage.tolerance);
        }
        Ok(stages)
    }

    fn planned_stages(&self) -> Result<Vec<Stage>, Error> {
        if let Some(stages) = &self.stages {
            return Ok(stages.clone());
        }
        if self.algorithm == Algorithm::Paper {
            return Ok(vec![paper()]);
        }
        if self.truncation != Truncation::Exact {
            return Err(Error::Setting {
                name: "truncation",
                value: self.truncation.to_string(),
                allowed: "exact, unless the algorithm is the paper's (algorithm = paper)",
            });
        }
        let hyperprior = Hyperprior::from_false_positive_rate(self.false_positive_rate);
        Ok(match self.kernel {
            Kernel::Linear => linear(hyperprior, self.samples),
            Kernel::Rbf | Kernel::Polynomial { .. } => {
                curved(self.false_positive_rate, self.samples)
            }
        })
    }
}

/// Level of the test that says which features stand out on their own: the square of the
/// false-positive rate. Nothing where no stage asks for it, as with the linear kernel, where
/// thousands would.
pub(crate) fn screen_level(settings: &Settings, stages: &[Stage]) -> Option<f64> {
    let asked = stages.iter().any(|stage| stage.common_weight);
    asked.then(|| settings.false_positive_rate.powi(2))
}

/// Operations that an iteration of a linear fit may cost for its features.
const FEATURE_FLOPS: f64 = 2e9;

/// How many features a fit of so many rows begins with at most: for a linear one so many that an iteration costs
/// no more than is allowed in the smaller of its two spaces, N²M or NM². Others begin with all.
pub(crate) fn most_features(settings: &Settings, rows: usize) -> usize {
    if settings.kernel != Kernel::Linear || !is_usual(settings) {
        return usize::MAX;
    }
    let rows = rows as f64;
    let wide = FEATURE_FLOPS / (rows * rows);
    (if wide >= rows { wide } else { (FEATURE_FLOPS / rows).sqrt() }) as usize
}

/// How many samples may be candidates: in the linear kernel more of them than features span nothing more.
pub(crate) fn most_candidates(settings: &Settings, rows: usize, features: usize) -> usize {
    let begins = settings.features_to_begin_with(rows, features);
    begins.map_or(settings.max_basis, |begins| begins.min(settings.max_basis))
}

impl Settings {
    /// How many features a fit of so many rows begins with, where that is fewer than there are: those that go along
    /// with the classes best, each by itself. Only linear fits of many rows and features leave some out.
    pub fn features_to_begin_with(&self, rows: usize, features: usize) -> Option<usize> {
        Some(most_features(self, rows).max(1)).filter(|most| *most < features)
    }
}

/// Whether the stages are those of this project. Others get all candidates that may enter the basis.
pub(crate) fn is_usual(settings: &Settings) -> bool {
    settings.stages.is_none() && settings.algorithm == Algorithm::Mended
}

/// Whether what all samples say is said with few in the end. In the linear kernel samples are thinned out
/// by a stage of their own.
pub(crate) fn projects(settings: &Settings) -> bool {
    is_usual(settings)
        && settings.samples == SamplePolicy::Frozen
        && settings.kernel != Kernel::Linear
}

/// Algorithm 1 of the paper (`alg:1`).
fn paper() -> Stage {
    Stage {
        name: "the paper's algorithm".into(),
        feature_damping: 1.0,
        pruning: Pruning::Precision { samples: 1e4, features: 1e4 },
        max_iterations: 200,
        ..Stage::new(PrecisionRule::MacKay, Hyperprior::default())
    }
}

const JUDGING: &str = "judging features";
const THINNING: &str = "thinning samples";

/// How much stricter the bar is for features that do not stand out on their own.
const STRICTER: f64 = 10.0;

/// How far a sample precision goes towards MacKay's value while features are judged: the full
/// step removes the samples before the features can be told apart.
const PATIENT_STEP: f64 = 0.3;

/// Iterations for stages that end with few samples: each is cheap by then, and where the classes
/// hardly overlap the last precisions creep (by 2 to 3 % less with every iteration), so that 100 left
/// fits unsettled that 200 settle.
const PATIENT: usize = 300;

/// By how much the log evidence may still creep where features are judged: what it gains by then
/// goes to the precisions of the samples.
const NEARLY: f64 = 5e-4;

/// Features are judged while samples go slowly (or stay, under one precision), then samples are
/// thinned out by MacKay's full rule.
fn curved(false_positive_rate: f64, samples: SamplePolicy) -> Vec<Stage> {
    let hyperprior = Hyperprior::from_false_positive_rate(false_positive_rate);
    let strict_hyperprior = Hyperprior::from_false_positive_rate(false_positive_rate / STRICTER);
    let stage =
        |rule| Stage { common_weight: true, strict_hyperprior, ..Stage::new(rule, hyperprior) };
    let judge = |rule| Stage {
        name: JUDGING.into(),
        max_iterations: 60,
        readmission: Some(Readmission::default()),
        patience: Some(10),
        tolerance: NEARLY,
        sample_damping: PATIENT_STEP,
        ..stage(rule)
    };
    let thin =
        Stage { name: THINNING.into(), max_iterations: PATIENT, ..stage(PrecisionRule::MacKay) };
    match samples {
        SamplePolicy::Few => vec![judge(PrecisionRule::MacKay), Stage { restart: true, ..thin }],
        SamplePolicy::Frozen | SamplePolicy::Dense => vec![judge(PrecisionRule::Shared)],
    }
}

/// EM collapses against the open scale of the linear kernel: MacKay's rule from the start, and
/// no re-admission, because with M ≫ N something always scores high.
fn linear(hyperprior: Hyperprior, samples: SamplePolicy) -> Vec<Stage> {
    let joint = Stage {
        name: "judging features and samples".into(),
        max_iterations: PATIENT,
        ..Stage::new(PrecisionRule::MacKay, hyperprior)
    };
    match samples {
        SamplePolicy::Few => vec![joint],
        SamplePolicy::Frozen => {
            let thin = Stage {
                name: THINNING.into(),
                feature_rule: PrecisionRule::Fixed,
                restart: true,
                max_iterations: PATIENT,
                ..Stage::new(PrecisionRule::MacKay, hyperprior)
            };
            vec![joint, thin]
        }
        SamplePolicy::Dense => vec![joint, dense(hyperprior)],
    }
}

/// All samples under one precision, features as they are.
fn dense(hyperprior: Hyperprior) -> Stage {
    Stage {
        name: "weighing all samples".into(),
        feature_rule: PrecisionRule::Fixed,
        restart: true,
        pruning: Pruning::default(),
        ..Stage::new(PrecisionRule::Shared, hyperprior)
    }
}
