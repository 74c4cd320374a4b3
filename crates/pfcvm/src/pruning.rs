//! What is dropped, and how the rest moves together. Each function returns what it dropped, numbered
//! as in the problem.

use crate::algebra::Work;
use crate::basis::Done;
use crate::settings::{PrecisionRule, Pruning, Stage};
use crate::state::{Leaning, State, Weights};

/// Drops the samples whose weight is 0.
pub(crate) fn drop_samples_at_zero(state: &mut State, work: &mut Work) -> Vec<usize> {
    keep_samples(state, |_, machine| machine.w[1..].iter().map(|w| *w > 0.0).collect(), work)
}

/// Drops the features whose weight is 0.
pub(crate) fn drop_features_at_zero(state: &mut State, work: &mut Work) -> Vec<usize> {
    let keep: Vec<bool> = state.weights.theta.iter().map(|t| *t > 0.0).collect();
    keep_features(state, keep, work)
}

/// Drops the samples that the data hardly determine.
pub(crate) fn prune_samples(
    state: &mut State,
    stage: &Stage,
    gamma: &[Vec<f64>],
    work: &mut Work,
) -> Vec<usize> {
    let keep = |k: usize, Leaning { w, alpha, .. }: &Leaning| {
        let determined = |j: usize| match stage.pruning {
            Pruning::ScaleFree { sample_gamma, .. } => gamma[k][j] >= sample_gamma,
            Pruning::Precision { samples, .. } => alpha[j] < samples,
        };
        (1..w.len()).map(|j| w[j] > 0.0 && determined(j)).collect()
    };
    keep_samples(state, keep, work)
}

/// Drops the features that are drawn to 0 too strongly.
pub(crate) fn prune_features(state: &mut State, stage: &Stage, work: &mut Work) -> Vec<usize> {
    if stage.feature_rule == PrecisionRule::Fixed {
        return Vec::new();
    }
    let Weights { theta, beta, centre, .. } = &state.weights;
    let largest = theta.iter().fold(0.0f64, |m, t| m.max(*t));
    let keep = (0..theta.len()).map(|k| match stage.pruning {
        // What is drawn to a common weight is not drawn to 0: its precision says nothing.
        Pruning::ScaleFree { .. } if centre[k] > 0.0 => theta[k] > 0.0,
        Pruning::ScaleFree { feature_ratio, .. } => {
            theta[k] > 0.0 && beta[k] * largest * largest <= feature_ratio
        }
        Pruning::Precision { features, .. } => theta[k] > 1e-6 && beta[k] < features,
    });
    let keep = keep.collect();
    keep_features(state, keep, work)
}

/// Keeps the samples that `keep` marks for each machine (at least the heaviest), and returns those that
/// no machine leans on any more.
fn keep_samples(
    state: &mut State,
    keep: impl Fn(usize, &Leaning) -> Vec<bool>,
    work: &mut Work,
) -> Vec<usize> {
    let before = state.weights.samples();
    let mut any = false;
    for (k, machine) in state.weights.machines.iter_mut().enumerate() {
        let mut keep = keep(k, machine);
        keep_the_largest(&mut keep, &machine.w[1..]);
        let (kept, dropped) = partition(&keep);
        if dropped.is_empty() {
            continue;
        }
        any = true;
        state.bases[k].keep_samples(&kept, work);
        if let Some(lasting) = &mut state.lasting[k] {
            lasting.keep_samples(&kept);
        }
        machine.samples = pick(&machine.samples, &kept);
        let shifted: Vec<usize> = std::iter::once(0).chain(kept.iter().map(|j| j + 1)).collect();
        machine.w = pick(&machine.w, &shifted);
        machine.alpha = pick(&machine.alpha, &shifted);
    }
    if !any {
        return Vec::new();
    }
    let after = state.weights.samples();
    before.into_iter().filter(|j| after.binary_search(j).is_err()).collect()
}

/// Keeps the marked features (at least the heaviest) and returns the others.
fn keep_features(state: &mut State, mut keep: Vec<bool>, work: &mut Work) -> Vec<usize> {
    keep_the_largest(&mut keep, &state.weights.theta);
    let (kept, dropped) = partition(&keep);
    if dropped.is_empty() {
        return dropped;
    }
    let weights = &mut state.weights;
    let dropped = dropped.iter().map(|&k| weights.features[k]).collect();
    weights.features = pick(&weights.features, &kept);
    weights.theta = pick(&weights.theta, &kept);
    weights.beta = pick(&weights.beta, &kept);
    weights.centre = pick(&weights.centre, &kept);
    let (mut inputs, mut values) = (Done::default(), Done::default());
    for basis in &mut state.bases {
        basis.keep_features(&kept, &state.weights.theta, (&mut inputs, &mut values), work);
    }
    dropped
}

fn keep_the_largest(keep: &mut [bool], weights: &[f64]) {
    if keep.iter().any(|k| *k) {
        return;
    }
    let largest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
    if let Some(largest) = largest {
        keep[largest] = true;
    }
}

fn partition(keep: &[bool]) -> (Vec<usize>, Vec<usize>) {
    (0..keep.len()).partition(|&i| keep[i])
}

fn pick<T: Copy>(values: &[T], positions: &[usize]) -> Vec<T> {
    positions.iter().map(|&i| values[i]).collect()
}
