//! One Newton step of the model's two halves, w and θ.

use super::{Columns, Likelihood, Objective, Observed, Prior, Step};
use crate::Matrix;
use crate::algebra::Work;
use crate::basis::{Basis, Done};

/// Where the algebra breaks down nothing moves.
const NONE: Step = Step { length: 0.0, settled: true };

/// One step in w of one machine: the gradient is Φᵀ(t−σ) − A w (`s_means` sets it to 0; here it is
/// solved, not iterated), the negative Hessian ΦᵀCΦ + A (`s_covariance`). `f` is Φ w + `offset` before
/// and after; no offset is 0.
pub(crate) fn step_samples(
    columns: &impl Columns,
    likelihood: &Likelihood,
    prior: &Prior,
    (w, f): (&mut Vec<f64>, &mut Vec<f64>),
    offset: &[f64],
    work: &mut Work,
) -> Step {
    let objective = Objective { likelihood, prior: *prior };
    let attempt = |w: &[f64], work: &mut Work| {
        let mut f = columns.times(w, work);
        f.iter_mut().zip(offset).for_each(|(f, offset)| *f += offset);
        (f, ())
    };
    objective.step(columns, w, f, attempt, work).map_or(NONE, |(step, _)| step)
}

/// One step in θ, which all machines share: the gradient is Dᵀ(t−σ) − B θ (`f_means`), the negative
/// Hessian DᵀCD + B (`eq:covariance2`, which is `f_covariance` without the term E). `w` are the weights
/// of each machine, `f` their decision values one after the other. Moves the bases along, and gives back the slopes at the
/// place where it began.
pub(crate) fn step_features(
    bases: &mut [Basis],
    likelihood: &impl Observed,
    prior: &Prior,
    w: &[&[f64]],
    (theta, f): (&mut Vec<f64>, &mut Vec<f64>),
    work: &mut Work,
) -> (Step, Matrix) {
    let objective = Objective { likelihood, prior: *prior };
    let slopes = slopes(bases, likelihood, w, f, work);
    let attempt = |theta: &[f64], work: &mut Work| {
        let mut done = Done::default();
        let at: Vec<_> =
            bases.iter().map(|basis| basis.with_theta(theta, &mut done, work)).collect();
        let machines = bases.iter().zip(&at).zip(w);
        let f = machines.flat_map(|((basis, at), w)| basis.decision_at(at, w, work)).collect();
        (f, at)
    };
    let Some((step, taken)) = objective.step(&slopes, theta, f, attempt, work) else {
        return (NONE, slopes);
    };
    if let Some(at) = taken {
        bases.iter_mut().zip(at).for_each(|(basis, at)| basis.adopt(at));
    }
    (step, slopes)
}

/// How the decision values of all machines change with θ, as the curvature wants it.
pub(crate) fn slopes(
    bases: &[Basis],
    likelihood: &impl Observed,
    w: &[&[f64]],
    f: &[f64],
    work: &mut Work,
) -> Matrix {
    let own = work.each(bases.len(), |k, work| bases[k].derivative(w[k], work));
    likelihood.centred(own, f, work)
}
