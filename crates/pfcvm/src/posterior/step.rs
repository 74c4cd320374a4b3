//! One Newton step of the model's two halves, w and θ.

use super::{Likelihood, Objective, Prior, Step};
use crate::algebra::Work;
use crate::basis::Basis;

/// Where the algebra breaks down nothing moves.
const NONE: Step = Step { length: 0.0, settled: true };

/// One step in w: the gradient is Φᵀ(t−σ) − A w (`s_means` sets it to 0; here it is solved, not
/// iterated), the negative Hessian ΦᵀCΦ + A (`s_covariance`). `f` is Φ w before and after.
pub(crate) fn step_samples(
    basis: &Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let objective = Objective { likelihood, prior: *prior };
    objective.linear_step(basis, 0.0, w, f, work).unwrap_or(NONE)
}

/// One step in θ: the gradient is Dᵀ(t−σ) − B θ (`f_means`), the negative Hessian DᵀCD + B
/// (`eq:covariance2`, which is `f_covariance` without the term E). Moves the basis along.
pub(crate) fn step_features(
    basis: &mut Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &[f64],
    theta: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let objective = Objective { likelihood, prior: *prior };
    let slopes = basis.derivative(w, work);
    let attempt = |theta: &[f64], work: &mut Work| {
        let at = basis.with_theta(theta, work);
        (basis.decision_at(&at, w, work), at)
    };
    let Some((step, taken)) = objective.step(&slopes, theta, f, attempt, work) else {
        return NONE;
    };
    if let Some(at) = taken {
        basis.adopt(at);
    }
    step
}
