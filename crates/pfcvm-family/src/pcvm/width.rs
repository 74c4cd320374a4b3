//! The width of the RBF: k = exp(−u‖x−z‖²) with u = ϑ², a Gaussian prior on u, and the M step as a
//! search for the u that minimises Σ ρ (Z − b − Kv)² + T u².

use crate::em::State;
use pfcvm::Matrix;
use pfcvm::parts::{Likelihood, Work, exp_of_distances, product_nt, times_vector};

/// Both parameters of the hyperprior.
const HYPERPRIOR: f64 = 1e-5;
/// The search goes this far to both sides, as a factor.
const REACH: f64 = 9.0;
/// Evaluations; each narrows the bracket by 0.618.
const EVALUATIONS: usize = 14;
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// u stays within these.
const BOUNDS: [f64; 2] = [1e-12, 1e12];

/// log p(u) with its precision integrated out.
pub(super) fn log_prior(u: f64) -> f64 {
    -0.5 * (0.5 + HYPERPRIOR) * (u * u + HYPERPRIOR).ln()
}

/// ‖x − z‖² for every pair.
pub(super) fn squared_distances(x: &Matrix, z: &Matrix, work: &mut Work) -> Matrix {
    let squares = |a: &Matrix| {
        let mut sums = vec![0.0; a.rows()];
        for column in a.columns() {
            sums.iter_mut().zip(column).for_each(|(sum, v)| *sum += v * v);
        }
        sums
    };
    let (a, b) = (squares(x), squares(z));
    let mut out = product_nt(x, z, work);
    for (j, b) in b.iter().enumerate() {
        let column = out.column_mut(j).iter_mut();
        column.zip(&a).for_each(|(g, a)| *g = (a + b - 2.0 * *g).max(0.0));
    }
    out
}

/// exp(−u d).
fn values_at(distances: &Matrix, u: f64) -> Matrix {
    let mut values = distances.clone();
    values.as_mut_slice().iter_mut().for_each(|d| *d *= -0.5 * u);
    let zeros = vec![0.0; values.rows()];
    (0..values.cols()).for_each(|j| exp_of_distances(values.column_mut(j), &zeros, 0.0));
    values
}

/// Moves u, the kernel values and the decision values to where the objective is lower, if that is
/// found.
pub(super) fn learn(
    u: &mut f64,
    values: &mut Matrix,
    distances: &Matrix,
    state: &mut State,
    z: &[f64],
    likelihood: &Likelihood,
    work: &mut Work,
) {
    let precision = (0.5 + HYPERPRIOR) / (*u * *u + HYPERPRIOR);
    let objective = |u: f64, h: &[f64]| {
        let rows = z.iter().zip(h).zip(&likelihood.weights);
        rows.map(|((z, h), r)| r * (z - h).powi(2)).sum::<f64>() + precision * u * u
    };
    let attempt = |log_u: f64| {
        let u = log_u.exp();
        let values = values_at(distances, u);
        let f = times_vector(&values, &state.v, work);
        let h: Vec<f64> = f.iter().map(|f| f + state.bias).collect();
        (objective(u, &h), u, values, h)
    };
    let reach = REACH.ln();
    let [least, most] = BOUNDS.map(f64::ln);
    let (mut low, mut high) = ((u.ln() - reach).max(least), (u.ln() + reach).min(most));
    let mut left = attempt(high - GOLDEN * (high - low));
    let mut right = attempt(low + GOLDEN * (high - low));
    for _ in 2..EVALUATIONS {
        if left.0 < right.0 {
            high = right.1.ln();
            right = left;
            left = attempt(high - GOLDEN * (high - low));
        } else {
            low = left.1.ln();
            left = right;
            right = attempt(low + GOLDEN * (high - low));
        }
    }
    let found = if left.0 < right.0 { left } else { right };
    if found.0 < objective(*u, &state.h) {
        (*u, *values, state.h) = (found.1, found.2, found.3);
    }
}
