//! One projected Newton step in w or in θ.

use super::{Columns, Likelihood, Precision, Prior};
use crate::basis::Basis;
use crate::linalg::{self, Work};

/// Halvings of a step before it is given up.
const HALVINGS: usize = 25;
/// A step may lose this much of the objective to rounding.
const ROUNDING: f64 = 1e-12;

/// How a step went: its length (1 for a full Newton step, 0 for none) and whether the objective
/// still moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub length: f64,
    pub settled: bool,
}

/// The Newton direction over the coordinates that may move.
fn direction(
    columns: &impl Columns,
    likelihood: &Likelihood,
    f: &[f64],
    u: &[f64],
    mut gradient: Vec<f64>,
    prior: &Prior,
    work: &mut Work,
) -> Option<(Vec<usize>, Vec<f64>)> {
    prior.add_gradient(&mut gradient, u);
    let free = prior.free_to_move(u, &gradient);
    let c = likelihood.curvature(f);
    let precision = Precision::new(columns, &c, &free, prior.diagonal(u, &free), work)?;
    let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
    let d = precision.solve(&g, work);
    d.iter().all(|d| d.is_finite()).then_some((free, d))
}

/// Halves the step until the objective `value` does not fall. `attempt` gives the objective at
/// a length with whatever belongs to it.
fn line_search<T>(start: f64, mut attempt: impl FnMut(f64) -> (f64, T)) -> (Step, Option<T>) {
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        let (value, result) = attempt(length);
        if value.is_finite() && value >= start - ROUNDING {
            let settled = (value - start).abs() < 1e-6 * start.abs();
            return (Step { length, settled }, Some(result));
        }
        length /= 2.0;
    }
    (Step { length: 0.0, settled: true }, None)
}

/// One projected Newton step in w: Φᵀ(t−σ) − A w and ΦᵀCΦ + A (Equations 10 and 11 of the paper,
/// solved instead of iterated). `f` is Φ w before and after.
pub(crate) fn step_samples(
    basis: &Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let gradient = basis.transpose_times(&likelihood.residual(f), work);
    let Some((free, d)) = direction(basis, likelihood, f, w, gradient, prior, work) else {
        return Step { length: 0.0, settled: true };
    };
    let start = likelihood.log(f) + prior.log(w);
    let (step, found) = line_search(start, |length| {
        let moved = prior.moved(w, &d, &free, length);
        let values = basis.decision(&moved, work);
        (likelihood.log(&values) + prior.log(&moved), (moved, values))
    });
    if let Some((moved, values)) = found {
        (*w, *f) = (moved, values);
    }
    step
}

/// One projected Newton step in θ: Dᵀ(t−σ) − B θ and DᵀCD + B (Equations 7 and 8 of the paper,
/// without the term E). Moves the basis along.
pub(crate) fn step_features(
    basis: &mut Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &[f64],
    theta: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let slopes = basis.derivative(w, work);
    let gradient = linalg::transpose_times_vector(&slopes, &likelihood.residual(f), work);
    let Some((free, d)) = direction(&slopes, likelihood, f, theta, gradient, prior, work) else {
        return Step { length: 0.0, settled: true };
    };
    let start = likelihood.log(f) + prior.log(theta);
    let (step, found) = line_search(start, |length| {
        let moved = prior.moved(theta, &d, &free, length);
        let at = basis.with_theta(&moved, work);
        let values = basis.decision_at(&at, w, work);
        (likelihood.log(&values) + prior.log(&moved), (moved, at, values))
    });
    if let Some((moved, at, values)) = found {
        (*theta, *f) = (moved, values);
        basis.adopt(at);
    }
    step
}
