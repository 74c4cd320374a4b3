//! A list that is asked to be no longer than so many features.
//!
//! The features that a fit keeps go a few at a time, those first without which the training rows lose
//! least likelihood once everything else has settled again; what is left in the end is learned anew from
//! all samples. So the list of K features is the end of a path, and not the head of a list that was made
//! for more: of two features that say the same, one goes, and the other is then worth what both were.
//!
//! It happens before anything is asked of rows that did not train: what they say of a short list they
//! say of the whole way to it.

use crate::algebra::Work;
use crate::posterior::Observed;
use crate::projection::project;
use crate::run::{Course, Run};
use crate::settings::Stage;
use crate::stages::through;
use crate::state::{State, Weights};

/// Lengths on the way, about a fifth less each time. They are the same from wherever a way begins: shorter
/// lists that are among them are parts of longer ones.
const LADDER: [usize; 18] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 65, 80, 100];

/// The course as it goes on with at most `size` features.
pub(crate) fn shorten<'p>(
    run: &mut Run,
    course: Course<'p>,
    stages: &[Stage],
    size: usize,
) -> Course<'p> {
    if course.state.weights.features.len() <= size || run.stopped.is_some() {
        return course;
    }
    let state = down_to(size, &course.state, &mut run.work);
    let Weights { features, theta, .. } = state.weights.clone();
    let start = run.start(state.problem, features, Some(theta));
    // What has gone stays gone.
    let without = |stage: &Stage| Stage { readmission: None, ..stage.clone() };
    let next = through(run, course.branch(start), &Vec::from_iter(stages.iter().map(without)));
    match next.reached {
        Some(_) => next,
        // Without an iteration what is left of the weights is worth more than a start.
        None => Course { state, termination: next.termination, ..course },
    }
}

/// The state with at most so many features, settled; on few samples, so that it costs little to take
/// features out one by one.
fn down_to<'p>(size: usize, state: &State<'p>, work: &mut Work) -> State<'p> {
    let same = State::resume(state.problem, state.weights.clone(), work);
    let mut weights = project(same, work).weights;
    loop {
        let mut state = State::resume(state.problem, weights, work);
        state.settle(work);
        let now = state.weights.features.len();
        if now <= size {
            return state;
        }
        let kept = worth_most(&state, next_length(now, size), work);
        weights = only(&state.weights, &kept);
    }
}

/// How many features are kept at the next step: on the ladder, or above it four fifths of those there are.
fn next_length(now: usize, size: usize) -> usize {
    let below = LADDER.into_iter().rev().find(|length| *length < now).unwrap_or(1);
    let top = LADDER[LADDER.len() - 1];
    let next = if now > top { (now * 4 / 5).max(top) } else { below };
    next.max(size)
}

/// The places of the features that the training rows miss most, ascending.
fn worth_most(state: &State, count: usize, work: &mut Work) -> Vec<usize> {
    let weights = &state.weights;
    let losses: Vec<f64> =
        (0..weights.features.len()).map(|at| -likelihood_without(state, at, work)).collect();
    let mut order: Vec<usize> = (0..losses.len()).collect();
    order.sort_by(|&a, &b| losses[b].total_cmp(&losses[a]).then(a.cmp(&b)));
    order.truncate(count);
    order.sort_unstable();
    order
}

/// The log likelihood of the training rows without a feature, once everything else has settled.
fn likelihood_without(state: &State, at: usize, work: &mut Work) -> f64 {
    let others: Vec<usize> = (0..state.weights.features.len()).filter(|k| *k != at).collect();
    let mut other = State::resume(state.problem, only(&state.weights, &others), work);
    other.settle(work);
    other.problem.likelihood.log(&other.f)
}

/// The weights with the features at some places only.
fn only(weights: &Weights, places: &[usize]) -> Weights {
    let pick = |values: &[f64]| places.iter().map(|&k| values[k]).collect();
    Weights {
        features: places.iter().map(|&k| weights.features[k]).collect(),
        theta: pick(&weights.theta),
        beta: pick(&weights.beta),
        centre: pick(&weights.centre),
        ..weights.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_goes_down_to_what_was_asked_for() {
        let way = |from: usize, size: usize| {
            let mut way = vec![from];
            while way[way.len() - 1] > size {
                way.push(next_length(way[way.len() - 1], size));
            }
            way
        };
        assert_eq!(way(9, 1), [9, 8, 6, 5, 4, 3, 2, 1]);
        assert_eq!(way(9, 7), [9, 8, 7]);
        assert_eq!(way(2, 1), [2, 1]);
        assert_eq!(way(130, 90), [130, 104, 100, 90]);
    }
}
