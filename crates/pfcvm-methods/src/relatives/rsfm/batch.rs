//! RSFM: both halves in turns, all weights of a half at once.

use super::blocks::Blocks;
use super::model::{Found, Weights};
use crate::relatives::engine::Mode;
use crate::relatives::machine::Step;
use crate::stop::wanted;
use pfcvm::algebra::Work;
use pfcvm::posterior::Likelihood;
use pfcvm::{Matrix, Termination};

/// Precision of the bias: fixed, wide.
const BIAS_PRECISION: f64 = 0.01;
/// A weight goes when its γ is below this share of the mean γ.
const LEAST_SHARE: f64 = 0.01;
const PRECISIONS: [f64; 2] = [1e-10, 1e12];
/// Relative change of the evidence that counts as none.
const SETTLED: f64 = 1e-4;

/// Mode, covariance, α = γ/w², and the drop of what is not determined. `phi` holds the bias and
/// one column for each weight. Returns the half as it is then, the bias and the log evidence
/// before α changed.
fn update(
    half: &Weights,
    phi: &Matrix,
    bias: f64,
    likelihood: &Likelihood,
    work: &mut Work,
) -> Option<(Weights, f64, f64)> {
    let with = |first: f64, rest: &[f64]| [&[first], rest].concat();
    let alpha = with(BIAS_PRECISION, &half.alpha);
    let mode = Mode::find(phi, likelihood, &alpha, with(bias, &half.weights), work)?;
    let variances = mode.precision.covariance(work).variances();
    let determined: Vec<f64> =
        alpha.iter().zip(&variances).map(|(a, v)| (1.0 - a * v).clamp(0.0, 1.0)).collect();
    let count = half.active.len();
    let mean = determined[1..].iter().sum::<f64>() / count.max(1) as f64;
    let [least, most] = PRECISIONS;
    let mut next = Weights::default();
    for j in 0..count {
        let (gamma, w) = (determined[j + 1], mode.w[j + 1]);
        if gamma > LEAST_SHARE * mean && w != 0.0 {
            next.active.push(half.active[j]);
            next.weights.push(w);
            next.alpha.push((gamma / (w * w)).clamp(least, most));
        }
    }
    Some((next, mode.w[0], mode.log_evidence(&alpha)))
}

pub(super) fn fit(
    blocks: &Blocks,
    likelihood: &Likelihood,
    max_rounds: usize,
    work: &mut Work,
) -> Option<Found> {
    let all = |count: usize, weight: f64, alpha: f64| Weights {
        active: (0..count).collect(),
        weights: vec![weight; count],
        alpha: vec![alpha; count],
    };
    let mut features = all(blocks.features(), 1.0, blocks.features() as f64);
    let mut samples = all(blocks.samples(), 0.0, 1.0);
    let mut bias = 0.0;
    let mut calm = 0;
    let mut trace: Vec<Step> = Vec::new();
    let mut termination = Termination::MaxIterations;
    for _ in wanted(0..max_rounds) {
        let phi = blocks.sample_columns(&samples.active, features.parts());
        let Some(half) = update(&samples, &phi, bias, likelihood, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let objective;
        (samples, bias, objective) = half;
        let now =
            Step { objective, samples: samples.active.len(), features: features.active.len() };
        let settled = |last: &Step| {
            let change = (now.objective - last.objective).abs();
            (last.samples, last.features) == (now.samples, now.features)
                && change < SETTLED * now.objective.abs().max(1.0)
        };
        calm = if trace.last().is_some_and(settled) { calm + 1 } else { 0 };
        trace.push(now);
        if calm >= 2 || samples.active.is_empty() {
            termination = Termination::Converged;
            break;
        }
        let phi = blocks.feature_columns(&features.active, samples.parts());
        let Some(half) = update(&features, &phi, bias, likelihood, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        if half.0.active.is_empty() {
            termination = Termination::Converged;
            break;
        }
        (features, bias, _) = half;
        let largest = features.scale_to_one();
        samples.scale(largest);
    }
    let bias = Some(BIAS_PRECISION);
    (!trace.is_empty()).then_some(Found { bias, samples, features, trace, termination })
}
