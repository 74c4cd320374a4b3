//! Which stages a fit goes through, for each kernel and setting of the two dials.

use crate::Kernel;
use crate::settings::{
    Hyperprior, PrecisionRule, Pruning, Readmission, SamplePolicy, Settings, Stage, Truncation,
};

/// The stages of a fit.
pub(crate) fn stages(settings: &Settings) -> Vec<Stage> {
    if let Some(stages) = &settings.stages {
        return stages.clone();
    }
    if let Truncation::Sigmoid { .. } = settings.truncation {
        return Settings::paper(settings.kernel).stages.unwrap_or_default();
    }
    let hyperprior = Hyperprior::from_false_positive_rate(settings.false_positive_rate);
    match settings.kernel {
        Kernel::Linear => linear(hyperprior, settings.samples),
        Kernel::Rbf | Kernel::Polynomial { .. } => {
            curved(settings.false_positive_rate, settings.samples)
        }
    }
}

/// How much stricter the bar is for features that do not stand out on their own.
const STRICTER: f64 = 10.0;

/// How far a sample precision goes towards MacKay's value while features are judged: the full
/// step removes the samples before the features can be told apart.
const PATIENT_STEP: f64 = 0.3;

/// Features are judged while samples go slowly (or stay, under one precision), then samples are
/// thinned out by MacKay's full rule.
fn curved(false_positive_rate: f64, samples: SamplePolicy) -> Vec<Stage> {
    let hyperprior = Hyperprior::from_false_positive_rate(false_positive_rate);
    let strict_hyperprior = Hyperprior::from_false_positive_rate(false_positive_rate / STRICTER);
    let stage =
        |rule| Stage { common_weight: true, strict_hyperprior, ..Stage::new(rule, hyperprior) };
    let judge = |rule| Stage {
        max_iterations: 60,
        readmission: Some(Readmission::default()),
        patience: Some(20),
        sample_damping: PATIENT_STEP,
        ..stage(rule)
    };
    let thin = stage(PrecisionRule::MacKay);
    match samples {
        SamplePolicy::Few => vec![judge(PrecisionRule::MacKay), Stage { restart: true, ..thin }],
        SamplePolicy::Frozen => {
            let thin = Stage { feature_rule: PrecisionRule::Fixed, ..thin };
            vec![judge(PrecisionRule::Shared), thin]
        }
        SamplePolicy::Dense => vec![judge(PrecisionRule::Shared)],
    }
}

/// EM collapses against the open scale of the linear kernel: MacKay's rule from the start, and
/// no re-admission, because with M ≫ N something always scores high.
fn linear(hyperprior: Hyperprior, samples: SamplePolicy) -> Vec<Stage> {
    let joint = Stage { max_iterations: 300, ..Stage::new(PrecisionRule::MacKay, hyperprior) };
    match samples {
        SamplePolicy::Few => vec![joint],
        SamplePolicy::Frozen => {
            let thin = Stage {
                feature_rule: PrecisionRule::Fixed,
                restart: true,
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
        feature_rule: PrecisionRule::Fixed,
        restart: true,
        pruning: Pruning::default(),
        ..Stage::new(PrecisionRule::Shared, hyperprior)
    }
}
