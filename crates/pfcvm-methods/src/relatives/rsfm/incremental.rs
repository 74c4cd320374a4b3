//! IRSFM: both halves in turns, one weight at a time, over all candidates of a half.

use super::blocks::Blocks;
use super::model::{Found, Weights};
use crate::relatives::engine::{Rules, Selection, select};
use crate::relatives::machine::Step;
use pfcvm::Termination;
use pfcvm::algebra::Work;
use pfcvm::posterior::Likelihood;

/// Steps of one half at most.
const STEPS: usize = 2000;
/// Relative change of the evidence that counts as none.
const SETTLED: f64 = 1e-3;

/// The precision of the bias, if it was kept, and the weights behind it.
fn apart(selection: Selection) -> (Option<f64>, Weights) {
    let Selection { mut active, mut weights, precisions: mut alpha, .. } = selection;
    let mut bias = None;
    if active.first() == Some(&0) {
        active.remove(0);
        weights.remove(0);
        bias = Some(alpha.remove(0));
    }
    active.iter_mut().for_each(|j| *j -= 1);
    (bias, Weights { active, weights, alpha })
}

pub(super) fn fit(
    blocks: &Blocks,
    likelihood: &Likelihood,
    max_rounds: usize,
    work: &mut Work,
) -> Option<Found> {
    let rules = Rules { max_iterations: STEPS, tolerance: 1e-3, signs: None };
    let every_sample: Vec<usize> = (0..blocks.samples()).collect();
    let every_feature: Vec<usize> = (0..blocks.features()).collect();
    let count = every_feature.len();
    let mut features = Weights {
        active: every_feature.clone(),
        weights: vec![1.0; count],
        alpha: vec![count as f64; count],
    };
    let mut found: Option<Found> = None;
    let mut trace: Vec<Step> = Vec::new();
    let mut termination = Termination::MaxIterations;
    for _ in 0..max_rounds {
        let columns = blocks.sample_columns(&every_sample, features.parts(), work);
        let Some(selection) = select(columns, likelihood, &rules, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let objective = selection.trace.last().map_or(f64::NEG_INFINITY, |step| step.0);
        let (bias, samples) = apart(selection);
        let last = trace.last().map_or(f64::NEG_INFINITY, |step| step.objective);
        let kept = (samples.active.len(), features.active.len());
        trace.push(Step { objective, samples: kept.0, features: kept.1 });
        found = Some(Found {
            bias,
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
        let columns = blocks.feature_columns(&every_feature, samples.parts(), work);
        let Some(selection) = select(columns, likelihood, &rules, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let (_, next) = apart(selection);
        if next.active.is_empty() {
            termination = Termination::Converged;
            break;
        }
        features = next;
        features.scale_to_one();
    }
    found.map(|found| Found { trace, termination, ..found })
}
