//! Dropped features come back when a score test says so.
//!
//! Permanent pruning loses features that matter only together. For each absent feature the score
//! q = Dₖᵀ(t−σ) is compared with its standard deviation: s = DₖᵀCDₖ less what the free weights
//! already explain.

use crate::Matrix;
use crate::fit::Run;
use crate::linalg::{self, Work};
use crate::posterior::{Columns, Precision};
use crate::settings::{Hyperprior, Readmission, Stage};
use crate::state::{State, Weights};

/// Samples a trial starts from, at most (more if more are kept).
const TRIAL_BASIS: usize = 500;

/// Tries the best absent features a few at a time; each try is a fit of its own from all samples,
/// and is kept if the evidence gains more than the features cost.
pub(crate) fn readmit<'p>(
    run: &mut Run,
    mut state: State<'p>,
    stage: &Stage,
    settings: Readmission,
) -> State<'p> {
    if !stage.prunes_samples() {
        return readmit_in_place(run, state, stage, settings);
    }
    let mut evidence = run.log_evidence();
    let mut at_once = settings.at_once;
    for _ in 0..settings.rounds {
        let chosen = best_absent(&state, at_once, settings.least_z, &|_| false, &mut run.work);
        if chosen.is_empty() || run.stopped() {
            break;
        }
        let Weights { features, theta, .. } = joined(&state.weights, &chosen);
        let samples = trial_basis(&state);
        let trial = State::start(state.problem, samples, features, Some(theta), &mut run.work);
        let trial = run.stage(trial, stage);
        let (before, after) = (&state.weights.features, &trial.weights.features);
        let extra = after.len() as f64 - before.len() as f64;
        let gain = run.log_evidence() - evidence;
        let price = price(stage.hyperprior_beside(&state.problem.prominent));
        if before != after && gain >= (price * extra).max(1e-2) {
            (state, evidence, at_once) = (trial, run.log_evidence(), settings.at_once);
        } else if at_once > 1 {
            at_once = 1;
        } else {
            break;
        }
    }
    state
}

/// The samples a trial starts from: the kept ones, and of the other candidates every k-th, so
/// that with many samples a trial costs a fraction of the first fit.
fn trial_basis(state: &State) -> Vec<usize> {
    let kept = &state.weights.samples;
    let candidates = &state.problem.candidates;
    let room = TRIAL_BASIS.saturating_sub(kept.len());
    let absent: Vec<usize> =
        candidates.iter().copied().filter(|j| kept.binary_search(j).is_err()).collect();
    if absent.len() <= room {
        return candidates.clone();
    }
    let mut all: Vec<usize> = kept.clone();
    all.extend((0..room).map(|i| absent[i * absent.len() / room]));
    all.sort_unstable();
    all
}

/// While no sample is dropped there is nothing to start anew: the best absent features join the
/// weights as they are, each at most twice, and pruning judges them.
fn readmit_in_place<'p>(
    run: &mut Run,
    mut state: State<'p>,
    stage: &Stage,
    settings: Readmission,
) -> State<'p> {
    let mut times = vec![0; state.problem.x.cols()];
    for _ in 0..settings.rounds {
        let banned = |k: usize| times[k] >= 2;
        let chosen =
            best_absent(&state, settings.at_once, settings.least_z, &banned, &mut run.work);
        if chosen.is_empty() || run.stopped() {
            break;
        }
        for &k in &chosen {
            times[k] += 1;
        }
        let weights = joined(&state.weights, &chosen);
        let next = State::resume(state.problem, weights, &mut run.work);
        state = run.stage(next, stage);
    }
    state
}

/// The weights with the chosen features among them. A precision that belongs to the common weight
/// says nothing of them: they start at the median of the others.
fn joined(old: &Weights, chosen: &[usize]) -> Weights {
    let own = (0..old.beta.len()).filter(|&k| old.centre[k] == 0.0).map(|k| old.beta[k]);
    let own: Vec<f64> = own.collect();
    let beta = if own.is_empty() { old.features.len() as f64 } else { median(&own) };
    let theta = median(&old.theta);
    let kept = old.features.iter().enumerate();
    let mut all: Vec<(usize, f64, f64, f64)> =
        kept.map(|(k, &feature)| (feature, old.theta[k], old.beta[k], old.centre[k])).collect();
    all.extend(chosen.iter().map(|&feature| (feature, theta, beta, 0.0)));
    all.sort_unstable_by_key(|(feature, ..)| *feature);
    Weights {
        features: all.iter().map(|entry| entry.0).collect(),
        theta: all.iter().map(|entry| entry.1).collect(),
        beta: all.iter().map(|entry| entry.2).collect(),
        centre: all.iter().map(|entry| entry.3).collect(),
        ..old.clone()
    }
}

/// What the evidence must gain for one more feature: the gain of a weight whose z-score is just
/// at the bound that the hyperprior sets, ½(z² − 1 − ln z²).
fn price(Hyperprior { c, .. }: Hyperprior) -> f64 {
    let z2 = 1.0 + 4.0 * c + 2.0 * (2.0 * c * (1.0 + 2.0 * c)).sqrt();
    0.5 * (z2 - 1.0 - z2.ln())
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2])
}

/// The absent features with the highest z-scores, at most `count`, each at least `least_z`.
fn best_absent(
    state: &State,
    count: usize,
    least_z: f64,
    banned: &dyn Fn(usize) -> bool,
    work: &mut Work,
) -> Vec<usize> {
    let kept = &state.weights.features;
    let absent: Vec<usize> = (0..state.problem.x.cols())
        .filter(|k| kept.binary_search(k).is_err() && !banned(*k))
        .collect();
    if absent.is_empty() {
        return absent;
    }
    let z = scores(state, &absent, work);
    let mut order: Vec<usize> = (0..absent.len()).filter(|&k| z[k] > least_z).collect();
    order.sort_by(|&a, &b| z[b].total_cmp(&z[a]));
    order.truncate(count);
    order.into_iter().map(|k| absent[k]).collect()
}

/// z-score of each absent feature at the current weights.
fn scores(state: &State, absent: &[usize], work: &mut Work) -> Vec<f64> {
    let problem = state.problem;
    let x = problem.x.select_columns(absent);
    let slopes = state.basis.derivative_of(&x, &state.weights.samples, &state.weights.w, work);
    let q = linalg::transpose_times_vector(&slopes, &problem.likelihood.residual(&state.f), work);
    let c = problem.likelihood.curvature(&state.f);
    let all: Vec<usize> = (0..absent.len()).collect();
    let scaled = slopes.scaled(&c, &all, work);
    let explained = explained(state, &c, &scaled, work);
    let z = |k: usize| {
        let total: f64 = scaled.column(k).iter().map(|v| v * v).sum();
        let own = (total - explained[k]).max(1e-3 * total);
        if own > 0.0 { q[k] / own.sqrt() } else { f64::NEG_INFINITY }
    };
    all.iter().map(|&k| z(k)).collect()
}

/// vᵀ J H⁻¹ Jᵀ v for each column v, with J the free columns of √C [Φ, D] and H = JᵀJ + prior.
fn explained(state: &State, c: &[f64], columns: &Matrix, work: &mut Work) -> Vec<f64> {
    let weights = &state.weights;
    let free_w = state.sample_prior().interior(&weights.w);
    let free_theta = state.feature_prior().interior(&weights.theta);
    let d = state.basis.derivative(&weights.w, work);
    let joint = state.basis.scaled_columns(c, &free_w, work).append_columns(&d.scaled(
        c,
        &free_theta,
        work,
    ));
    let precisions = free_w.iter().map(|&j| weights.alpha[j]);
    let diagonal: Vec<f64> =
        precisions.chain(free_theta.iter().map(|&k| weights.beta[k])).collect();
    let ones = vec![1.0; joint.rows()];
    let free: Vec<usize> = (0..joint.cols()).collect();
    let Some(precision) = Precision::new(&joint, &ones, &free, diagonal, work) else {
        return vec![0.0; columns.cols()];
    };
    let cross = linalg::product_tn(columns, &joint, work);
    precision.covariance(work).variance_along(&cross, work)
}
