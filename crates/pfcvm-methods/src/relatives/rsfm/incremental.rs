//! IRSFM: both halves in turns, one weight at a time, over all candidates of a half.

use super::blocks::Blocks;
use super::model::{Found, Weights};
use crate::relatives::engine::{Rules, Selection, Start, select_from};
use crate::relatives::machine::Step;
use crate::stop::wanted;
use pfcvm::Termination;
use pfcvm::algebra::Work;
use pfcvm::posterior::Likelihood;

/// Steps of one half at most.
const STEPS: usize = 2000;
/// Relative change of the evidence that counts as none.
const SETTLED: f64 = 1e-3;
/// Steps of one half without a gain in evidence: near-duplicates could be exchanged for long, and the
/// next round looks again.
const PATIENCE: usize = 20;

/// One half as a selection left it: the precision of the bias, if it was kept, and the weights
/// behind it.
#[derive(Clone, Default)]
struct Half {
    bias: Option<f64>,
    rest: Weights,
}

impl From<Selection> for Half {
    fn from(selection: Selection) -> Self {
        let Selection { mut active, mut weights, precisions: mut alpha, .. } = selection;
        let mut bias = None;
        if active.first() == Some(&0) {
            active.remove(0);
            weights.remove(0);
            bias = Some(alpha.remove(0));
        }
        active.iter_mut().for_each(|j| *j -= 1);
        Self { bias, rest: Weights { active, weights, alpha } }
    }
}

impl Half {
    /// Where its next selection begins.
    fn start(&self) -> Start {
        let Self { bias, rest } = self;
        let bias = *bias;
        Start {
            active: bias.iter().map(|_| 0).chain(rest.active.iter().map(|j| j + 1)).collect(),
            weights: bias.iter().map(|_| 0.0).chain(rest.weights.iter().copied()).collect(),
            precisions: bias.into_iter().chain(rest.alpha.iter().copied()).collect(),
        }
    }
}

pub(super) fn fit(
    blocks: &Blocks,
    likelihood: &Likelihood,
    max_rounds: usize,
    work: &mut Work,
) -> Option<Found> {
    let rules = Rules { max_iterations: STEPS, tolerance: 1e-3, patience: PATIENCE, signs: None };
    let every_sample: Vec<usize> = (0..blocks.samples()).collect();
    let every_feature: Vec<usize> = (0..blocks.features()).collect();
    let count = every_feature.len();
    let mut features = Weights {
        active: every_feature.clone(),
        weights: vec![1.0; count],
        alpha: vec![count as f64; count],
    };
    let (mut sample_half, mut feature_half) = (Half::default(), Half::default());
    let mut found: Option<Found> = None;
    let mut trace: Vec<Step> = Vec::new();
    let mut termination = Termination::MaxIterations;
    for _ in wanted(0..max_rounds) {
        let columns = blocks.sample_columns(&every_sample, features.parts());
        let selection = select_from(&sample_half.start(), columns, likelihood, &rules, work);
        let Some(selection) = selection else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let objective = selection.trace.last().map_or(f64::NEG_INFINITY, |step| step.0);
        sample_half = selection.into();
        let samples = &sample_half.rest;
        let last = trace.last().map_or(f64::NEG_INFINITY, |step| step.objective);
        let kept = (samples.active.len(), features.active.len());
        trace.push(Step { objective, samples: kept.0, features: kept.1 });
        found = Some(Found {
            bias: sample_half.bias,
            samples: samples.clone(),
            features: features.clone(),
            trace: Vec::new(),
            termination,
        });
        let settled = (objective - last).abs() < SETTLED * objective.abs().max(1.0);
        if samples.active.is_empty() || settled {
            termination = Termination::Converged;
            break;
        }
        let columns = blocks.feature_columns(&every_feature, samples.parts());
        let selection = select_from(&feature_half.start(), columns, likelihood, &rules, work);
        let Some(selection) = selection else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        feature_half = selection.into();
        if feature_half.rest.active.is_empty() {
            termination = Termination::Converged;
            break;
        }
        let largest = feature_half.rest.scale_to_one();
        sample_half.rest.scale(largest);
        features = feature_half.rest.clone();
    }
    found.map(|found| Found { trace, termination, ..found })
}
