//! Two linear fits without selection, for features already chosen. They err in different ways, so
//! their mean is better than either: the equal machine leans on directions in which the data vary
//! most, the ridge does not.

use super::bias::{precisions, shared_precision, with_bias};
use super::member::{kernel, mean_square_sum, sample_columns};
use crate::Matrix;
use crate::algebra::{self, Work, moderated_all, sigmoid};
use crate::posterior::{Classes, Covariance, Laplace, Likelihood, Observed, Prior, covariance};
use serde::{Deserialize, Serialize};

/// Rounds of a precision and its weights.
const MAX_ROUNDS: usize = 100;
/// Newton steps per round.
const MAX_STEPS: usize = 10;
/// Sweeps over machines that share a row of probabilities.
const MAX_SWEEPS: usize = 30;
/// Step of the logarithm of a precision that is looked for.
const STRIDE: f64 = 1.2;
/// Settled when the log evidence moves by less than this, relatively.
const TOLERANCE: f64 = 1e-4;

/// f(x) = b + Σₖ vₖ xₖ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Linear {
    pub bias: f64,
    pub weights: Vec<f64>,
}

impl Linear {
    pub fn decision(&self, x: &Matrix) -> Vec<f64> {
        let mut f = algebra::times_vector(x, &self.weights, &Work::default());
        f.iter_mut().for_each(|f| *f += self.bias);
        f
    }

    /// σ(f).
    pub fn probability(&self, x: &Matrix) -> Vec<f64> {
        self.decision(x).iter().map(|f| sigmoid(*f)).collect()
    }
}

/// Weights of one machine, and the precision that they share.
type Settled = (Vec<f64>, f64);

/// One round after another: the mode of the u of every machine under a precision that all its weights
/// share, then the precisions by MacKay's rule, until the log evidence settles. The first `free`
/// weights may have any sign. Gives u and the precision of each machine.
fn settle(
    columns: &[&Matrix],
    classes: &Classes,
    free: usize,
    start: f64,
    work: &mut Work,
) -> Option<Vec<Settled>> {
    if columns.len() > 1 {
        return settle_together(columns, classes, free, start, work).map(|(_, machines)| machines);
    }
    let n = columns[0].cols() - 1;
    let mut machines = vec![(vec![0.0; n + 1], start); columns.len()];
    let mut f = vec![0.0; columns[0].rows() * columns.len()];
    let mut previous: Option<f64> = None;
    for _ in 0..MAX_ROUNDS {
        for (k, (u, shared)) in machines.iter_mut().enumerate() {
            let all = precisions(*shared, n);
            for _ in 0..MAX_STEPS {
                let prior = Prior::new(&all, free);
                if classes.step(k, (columns[k], 0.0), prior, u, &mut f, work)?.settled {
                    break;
                }
            }
        }
        let mut evidence = classes.log(&f);
        let mut posteriors = Vec::with_capacity(columns.len());
        for (k, (u, shared)) in machines.iter().enumerate() {
            let (all, c) = (precisions(*shared, n), classes.curvature_of(k, &f));
            let posterior = Laplace::at(columns[k], &c, u, &Prior::new(&all, free), work)?;
            evidence += posterior.log_evidence;
            posteriors.push(posterior);
        }
        if previous.is_some_and(|p| (evidence - p).abs() < TOLERANCE * p.abs().max(1.0)) {
            break;
        }
        previous = Some(evidence);
        for ((u, shared), posterior) in machines.iter_mut().zip(&posteriors) {
            *shared = shared_precision(u, *shared, posterior);
        }
    }
    Some(machines)
}

/// As [`settle`], for machines that share a row of probabilities: one precision for all of them, where
/// the log evidence is largest. MacKay's rule would end at ten times as much: it takes the curvature of
/// the likelihood as given, which falls as weights grow (`docs/research.md`).
fn settle_together(
    columns: &[&Matrix],
    classes: &Classes,
    free: usize,
    start: f64,
    work: &mut Work,
) -> Option<(f64, Vec<Settled>)> {
    let n = columns[0].cols() - 1;
    let mut u = vec![vec![0.0; n + 1]; columns.len()];
    let mut f = vec![0.0; columns[0].rows() * columns.len()];
    let mut at = |log_precision: f64, work: &mut Work| -> Option<(f64, Vec<Vec<f64>>)> {
        let all = precisions(log_precision.exp(), n);
        for _ in 0..MAX_SWEEPS {
            let mut settled = true;
            for (k, u) in u.iter_mut().enumerate() {
                let prior = Prior::new(&all, free);
                settled &= classes.step(k, (columns[k], 0.0), prior, u, &mut f, work)?.settled;
            }
            if settled {
                break;
            }
        }
        let mut parts = 0.0;
        for (k, u) in u.iter().enumerate() {
            let c = classes.curvature_of(k, &f);
            let prior = Prior::new(&all, free);
            let posterior = Laplace::at(columns[k], &c, u, &prior, work)?;
            // One class follows from the others: its determinant is not one more.
            let determinant = posterior.log_evidence - prior.log(u);
            let share = (columns.len() - 1) as f64 / columns.len() as f64;
            parts += prior.log(u) + share * determinant;
        }
        Some((classes.log(&f) + parts, u.clone()))
    };
    // Downhill by large steps, then once more between the best and its neighbours.
    let mut best = (start.ln(), at(start.ln(), work)?);
    let mut sides = [f64::NEG_INFINITY; 2];
    for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
        let mut moved = false;
        for _ in 0..MAX_STEPS {
            let next = best.0 + sign * STRIDE;
            let found = at(next, work)?;
            if found.0 <= best.1.0 {
                sides[side] = found.0;
                break;
            }
            sides[1 - side] = best.1.0;
            best = (next, found);
            moved = true;
        }
        if moved {
            break;
        }
    }
    let [below, above] = sides;
    let bend = below - 2.0 * best.1.0 + above;
    if bend.is_finite() && bend < 0.0 {
        let between = best.0 + 0.5 * STRIDE * (below - above) / bend;
        let found = at(between, work)?;
        if found.0 > best.1.0 {
            best = (between, found);
        }
    }
    let precision = best.0.exp();
    let (evidence, u) = best.1;
    Some((evidence, u.into_iter().map(|u| (u, precision)).collect()))
}

/// What ridges of several classes leave open at their mode, machine after machine: ρ(t − p), and the log
/// evidence. Their weights are Xᵀ of it over the precision that they share.
pub(super) fn left_open(x: &Matrix, classes: &Classes, work: &mut Work) -> Option<(Vec<f64>, f64)> {
    let columns = with_bias(x);
    let each = vec![&columns; classes.machines.len()];
    let (evidence, machines) =
        settle_together(&each, classes, x.cols() + 1, x.cols() as f64, work)?;
    let decision = |(u, _): &Settled| algebra::times_vector(&columns, u, work);
    let f: Vec<f64> = machines.iter().flat_map(decision).collect();
    Some((classes.residual(&f), evidence))
}

/// The machines with equal feature weights θ = 1/K: w ≥ 0 over all samples, vₖ = Σᵢ wᵢyᵢxᵢₖ / K.
pub(super) fn equal(x: &Matrix, classes: &Classes, work: &mut Work) -> Vec<Linear> {
    let share = 1.0 / x.cols() as f64;
    let values = kernel(x, &vec![share; x.cols()], work);
    let phi: Vec<Matrix> =
        classes.machines.iter().map(|own| sample_columns(&values, &own.signs)).collect();
    let columns: Vec<&Matrix> = phi.iter().collect();
    let Some(machines) = settle(&columns, classes, 1, mean_square_sum(&values), work) else {
        return bias_only(classes, x.cols());
    };
    let linear = |((w, _), own): (&Settled, &Likelihood)| {
        let signed: Vec<f64> = w[1..].iter().zip(&own.signs).map(|(w, y)| share * w * y).collect();
        Linear { bias: w[0], weights: algebra::transpose_times_vector(x, &signed, work) }
    };
    machines.iter().zip(&classes.machines).map(linear).collect()
}

/// What is left when a fit broke down: the shares of the classes.
fn bias_only(classes: &Classes, features: usize) -> Vec<Linear> {
    let alone = classes.machines.len() == 1;
    let of_machine = |own: &Likelihood| {
        let total = |sign: f64| -> f64 {
            let rows = own.signs.iter().zip(&own.weights);
            rows.filter(|(y, _)| **y == sign).map(|(_, w)| w).sum()
        };
        let (positive, negative) = (total(1.0), total(-1.0));
        let others = if alone { negative } else { positive + negative };
        Linear { bias: (positive / others).ln(), weights: vec![0.0; features] }
    };
    classes.machines.iter().map(of_machine).collect()
}

/// Gaussian weights v under one precision, with their covariance (bias first).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Ridge {
    pub linear: Linear,
    pub covariance: Option<Covariance>,
}

impl Ridge {
    /// One for each machine.
    pub fn fit(x: &Matrix, classes: &Classes, work: &mut Work) -> Vec<Self> {
        let k = x.cols();
        let columns = with_bias(x);
        let each = vec![&columns; classes.machines.len()];
        let Some(machines) = settle(&each, classes, k + 1, k as f64, work) else {
            let shares = bias_only(classes, k).into_iter();
            return shares.map(|linear| Self { linear, covariance: None }).collect();
        };
        let linear = |u: &[f64]| Linear { bias: u[0], weights: u[1..].to_vec() };
        let f: Vec<f64> = machines.iter().flat_map(|(u, _)| linear(u).decision(x)).collect();
        let one = |(machine, (u, shared)): (usize, &Settled)| {
            let all = precisions(*shared, k);
            let c = classes.curvature_of(machine, &f);
            let covariance = covariance(&columns, &c, u, &Prior::new(&all, k + 1), work);
            Self { linear: linear(u), covariance }
        };
        machines.iter().enumerate().map(one).collect()
    }

    /// The logistic function averaged over the posterior of f.
    pub fn probability(&self, x: &Matrix) -> Vec<f64> {
        let f = self.linear.decision(x);
        let Some(covariance) = &self.covariance else {
            return f.iter().map(|f| sigmoid(*f)).collect();
        };
        let variance = covariance.variance_along(&with_bias(x), &mut Work::default());
        moderated_all(&f, &variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Matrix, Classes) {
        let x = Matrix::from_fn(12, 3, |i, k| ((7 * i + 5 * k) as f64).sin());
        let signs = (0..12).map(|i| if x.get(i, 0) + 0.3 * x.get(i, 1) > 0.1 { 1.0 } else { -1.0 });
        let signs = signs.collect();
        (x, Likelihood { signs, weights: vec![1.0; 12] }.into())
    }

    /// At the mode of the ridge, Xᵀ(t−σ) = λ v, so both point the same way.
    #[test]
    fn the_ridge_is_at_its_mode() {
        let (x, likelihood) = example();
        let mut work = Work::default();
        let ridge = Ridge::fit(&x, &likelihood, &mut work).remove(0);
        let residual = likelihood.residual(&ridge.linear.decision(&x));
        let pull = algebra::transpose_times_vector(&x, &residual, &work);
        let ratio = pull[0] / ridge.linear.weights[0];
        assert!(ratio > 0.0);
        for (p, v) in pull.iter().zip(&ridge.linear.weights) {
            assert!((p - ratio * v).abs() < 1e-3 * (ratio * v).abs().max(1e-3), "{p} {v} {ratio}");
        }
    }

    #[test]
    fn both_fits_learn_and_uncertainty_draws_to_one_half() {
        let (x, likelihood) = example();
        let mut work = Work::default();
        let ridge = Ridge::fit(&x, &likelihood, &mut work).remove(0);
        let equal = equal(&x, &likelihood, &mut work).remove(0);
        let (mean, mode) = (ridge.probability(&x), ridge.linear.probability(&x));
        for (p, q) in mean.iter().zip(&mode) {
            assert!((p - 0.5).abs() <= (q - 0.5).abs() && (*p >= 0.5) == (*q >= 0.5));
        }
        assert!(likelihood.log(&equal.decision(&x)) > 12.0 * 0.5f64.ln());
        assert!(likelihood.log(&ridge.linear.decision(&x)) > 12.0 * 0.5f64.ln());
    }
}
