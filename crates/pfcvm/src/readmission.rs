//! Dropped features come back when a score test says so.
//!
//! Permanent pruning loses features that matter only together. For each absent feature the score
//! q = Dₖᵀ(t−σ) is compared with its standard deviation: zₖ = qₖ/√sₖ, sₖ = DₖᵀCDₖ less what the free
//! weights already explain. The best few with zₖ above a bound are tried ([`Trial`]): the stage is
//! done again with them, and what comes out is kept if the log evidence gains at least
//! ½(z² − 1 − ln z²) for every feature more, z² = 1 + 4c + 2√(2c(1+2c)) being the square at which
//! the hyperprior lets a feature live. A refusal of several is followed by a trial of the best alone.

use crate::algebra::{self, Work};
use crate::basis::ABSENT_NUMBERS;
use crate::common;
use crate::matrix::Matrix;
use crate::posterior::{Columns, Covariance, Observed, Precision};
use crate::run::{Course, Run};
use crate::settings::{Hyperprior, Readmission, Stage};
use crate::state::{Leaning, State, Weights};
use crate::trace::Trial;

/// Samples a trial starts from, at most (more if more are kept).
const TRIAL_BASIS: usize = 500;
/// However few features come back, the evidence gains at least this.
const LEAST_GAIN: f64 = 1e-2;
/// Times a feature may come back in place.
const TIMES: usize = 2;

/// Tries the best absent features a few at a time, until none is worth it.
pub(crate) fn readmit<'p>(
    run: &mut Run,
    mut course: Course<'p>,
    stage: &Stage,
    settings: Readmission,
) -> Course<'p> {
    let in_place = !stage.prunes_samples();
    let mut times = vec![0; course.state.problem.x.features()];
    let mut at_once = settings.at_once;
    for _ in 0..settings.rounds {
        if run.stopped.is_some() {
            break;
        }
        let banned = |k: usize| in_place && times[k] >= TIMES;
        let chosen = best_absent(&course.state, at_once, settings.least_z, &banned, &mut run.work);
        if chosen.is_empty() {
            break;
        }
        chosen.iter().for_each(|&k| times[k] += 1);
        run.trial = Some(run.trials.len());
        let (next, trial) = match in_place {
            true => join(run, course, stage, chosen),
            false => {
                let (other, trial) = try_anew(run, &course, stage, chosen);
                (if trial.accepted { other } else { course }, trial)
            }
        };
        course = next;
        run.trial = None;
        let was_accepted = trial.accepted;
        run.trials.push(trial);
        match (was_accepted, at_once > 1) {
            (true, _) => at_once = settings.at_once,
            (false, true) => at_once = 1,
            (false, false) => break,
        }
    }
    if let Some(why) = run.stopped {
        course.termination = why;
    }
    course
}

/// A fit of its own from all samples with the chosen features among the kept ones, accepted if the
/// evidence gains more than the features cost.
fn try_anew<'p>(
    run: &mut Run,
    course: &Course<'p>,
    stage: &Stage,
    chosen: Vec<usize>,
) -> (Course<'p>, Trial) {
    let state = &course.state;
    let Weights { features, theta, .. } = joined(&state.weights, &chosen);
    let samples = trial_basis(state, run.joined);
    let start = State::start(state.problem, samples, features, Some(theta), &mut run.work);
    let trial = run.stage(course.branch(start), stage);
    let (before, after) = (&state.weights.features, &trial.state.weights.features);
    let extra = after.len() as f64 - before.len() as f64;
    let gain = trial.log_evidence() - course.log_evidence();
    let hyperprior = common::hyperprior_beside(stage, &state.problem.prominent);
    let price = (price(hyperprior) * extra).max(LEAST_GAIN);
    let accepted = trial.is_over() && before != after && gain >= price;
    (trial, Trial { features: chosen, gain, price, accepted, anew: false, joined: 0 })
}

/// While no sample is dropped there is nothing to start anew: the chosen features join the weights
/// as they are, and pruning judges them. Always accepted.
fn join<'p>(
    run: &mut Run,
    course: Course<'p>,
    stage: &Stage,
    chosen: Vec<usize>,
) -> (Course<'p>, Trial) {
    let weights = joined(&course.state.weights, &chosen);
    let before = course.log_evidence();
    let state = State::resume(course.state.problem, weights, &mut run.work);
    let next = run.stage(Course { state, ..course }, stage);
    let gain = next.log_evidence() - before;
    (next, Trial { features: chosen, gain, price: 0.0, accepted: true, anew: false, joined: 0 })
}

/// The samples a trial starts from: the kept ones, and of the other candidates every k-th, so
/// that with many samples a trial costs a fraction of the first fit.
fn trial_basis(state: &State, joined: usize) -> Vec<usize> {
    let kept = &state.weights.samples();
    let candidates = state.problem.first_candidates(joined);
    let room = TRIAL_BASIS.saturating_sub(kept.len());
    let absent: Vec<usize> =
        candidates.iter().copied().filter(|j| kept.binary_search(j).is_err()).collect();
    if absent.len() <= room {
        return candidates;
    }
    let mut all: Vec<usize> = kept.clone();
    all.extend((0..room).map(|i| absent[i * absent.len() / room]));
    all.sort_unstable();
    all
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
    let absent: Vec<usize> = (0..state.problem.x.features())
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

/// z-score of each absent feature at the current weights: what all machines say of it together.
fn scores(state: &State, absent: &[usize], work: &mut Work) -> Vec<f64> {
    let problem = state.problem;
    let classes = &problem.likelihood;
    let residual = classes.residual(&state.f);
    let machines = 0..state.bases.len();
    let explaining: Vec<Explaining> =
        machines.clone().map(|k| Explaining::at(state, k, work)).collect();
    let widest = explaining.iter().map(|one| one.joint.cols()).max().unwrap_or(0);
    let mut all = Vec::with_capacity(absent.len());
    for block in absent.chunks((ABSENT_NUMBERS / widest.max(1)).max(1)) {
        let x = problem.x.select(block);
        let (mut q, mut own) = (vec![0.0; block.len()], vec![0.0; block.len()]);
        for k in machines.clone() {
            let Leaning { samples, w, .. } = &state.weights.machines[k];
            let slopes = state.bases[k].derivative_of(&x, samples, w, work);
            let along = algebra::transpose_times_vector(&slopes, classes.of(k, &residual), work);
            let scaled = slopes.scaled(&explaining[k].c, &Vec::from_iter(0..block.len()), work);
            let explained = explaining[k].of(&scaled, work);
            for at in 0..block.len() {
                let total: f64 = scaled.column(at).iter().map(|v| v * v).sum();
                own[at] += (total - explained[at]).max(1e-3 * total);
                q[at] += along[at];
            }
        }
        let z = |(q, own): (f64, f64)| if own > 0.0 { q / own.sqrt() } else { f64::NEG_INFINITY };
        all.extend(q.into_iter().zip(own).map(z));
    }
    all
}

/// Of one machine: J, the free columns of √C [Φ, D], and the inverse of H = JᵀJ + prior.
struct Explaining {
    /// C.
    c: Vec<f64>,
    joint: Matrix,
    covariance: Option<Covariance>,
}

impl Explaining {
    fn at(state: &State, k: usize, work: &mut Work) -> Self {
        let Weights { theta, beta, machines, .. } = &state.weights;
        let (basis, machine) = (&state.bases[k], &machines[k]);
        let c = state.problem.likelihood.curvature_of(k, &state.f);
        let free_w = machine.prior(state.problem.truncation).interior(&machine.w);
        let free_theta = state.feature_prior().interior(theta);
        let d = basis.derivative(&machine.w, work).scaled(&c, &free_theta, work);
        let joint = basis.scaled_columns(&c, &free_w, work).append_columns(&d);
        let precisions = free_w.iter().map(|&j| machine.alpha[j]);
        let diagonal = precisions.chain(free_theta.iter().map(|&k| beta[k])).collect();
        let ones = vec![1.0; joint.rows()];
        let free: Vec<usize> = (0..joint.cols()).collect();
        let precision = Precision::new(&joint, &ones, &free, diagonal, work);
        Self { covariance: precision.map(|precision| precision.covariance(work)), joint, c }
    }

    /// vᵀ J H⁻¹ Jᵀ v for each column v.
    fn of(&self, columns: &Matrix, work: &mut Work) -> Vec<f64> {
        let Some(covariance) = &self.covariance else { return vec![0.0; columns.cols()] };
        let cross = algebra::product_tn(columns, &self.joint, work);
        covariance.variance_along(&cross, work)
    }
}
