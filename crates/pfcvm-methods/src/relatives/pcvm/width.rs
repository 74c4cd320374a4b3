//! The width of the RBF: k = exp(−u‖x−z‖²) with u = ϑ², a Gaussian prior on u, and the M step as a
//! search for the u that minimises Σ ρ (Z − b − Kv)² + T u².

use crate::relatives::em::State;
use pfcvm::Matrix;
use pfcvm::algebra::{Work, exp_of_distances, times_vector};
use pfcvm::posterior::Likelihood;

/// Both parameters of the hyperprior.
const HYPERPRIOR: f64 = 1e-5;
/// How far a search goes to both sides of log u: at first ln 9, then in keeping with the last move.
const REACH: [f64; 2] = [0.02, 2.197_224_577_336_219_4];
/// A search looks this many times further than the last one moved.
const FURTHER: f64 = 4.0;
/// A bracket of log u as narrow as this ends a search.
const NARROW: f64 = 0.014;
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// u stays within these.
const BOUNDS: [f64; 2] = [1e-12, 1e12];

/// log p(u) with its precision integrated out.
pub(super) fn log_prior(u: f64) -> f64 {
    -0.5 * (0.5 + HYPERPRIOR) * (u * u + HYPERPRIOR).ln()
}

/// exp(−u d).
fn values_at(distances: &Matrix, u: f64) -> Matrix {
    let mut values = distances.clone();
    values.as_mut_slice().iter_mut().for_each(|d| *d *= -0.5 * u);
    let zeros = vec![0.0; values.rows()];
    (0..values.cols()).for_each(|j| exp_of_distances(values.column_mut(j), &zeros, 0.0));
    values
}

/// The width, and how far the next search goes.
pub(super) struct Width {
    pub u: f64,
    reach: f64,
}

impl Width {
    pub fn new(u: f64) -> Self {
        Self { u, reach: REACH[1] }
    }

    /// Moves u, the kernel values and the decision values to where the objective is lower. False:
    /// no such place was found.
    pub fn learn(
        &mut self,
        values: &mut Matrix,
        distances: &Matrix,
        state: &mut State,
        z: &[f64],
        likelihood: &Likelihood,
        work: &mut Work,
    ) -> bool {
        let precision = (0.5 + HYPERPRIOR) / (self.u * self.u + HYPERPRIOR);
        let objective = |u: f64, h: &[f64]| {
            let rows = z.iter().zip(h).zip(&likelihood.weights);
            rows.map(|((z, h), r)| r * (z - h).powi(2)).sum::<f64>() + precision * u * u
        };
        let attempt = |log_u: f64| {
            let u = log_u.exp();
            let values = values_at(distances, u);
            let f = times_vector(&values, &state.v, work);
            let h: Vec<f64> = f.iter().map(|f| f + state.bias).collect();
            (objective(u, &h), log_u, values, h)
        };
        let now = self.u.ln();
        let [least, most] = BOUNDS.map(f64::ln);
        let (mut low, mut high) = ((now - self.reach).max(least), (now + self.reach).min(most));
        let mut left = attempt(high - GOLDEN * (high - low));
        let mut right = attempt(low + GOLDEN * (high - low));
        while high - low > NARROW {
            if left.0 < right.0 {
                high = right.1;
                right = left;
                left = attempt(high - GOLDEN * (high - low));
            } else {
                low = left.1;
                left = right;
                right = attempt(low + GOLDEN * (high - low));
            }
        }
        let found = if left.0 < right.0 { left } else { right };
        let lower = found.0 < objective(self.u, &state.h);
        let moved = if lower { (found.1 - now).abs() } else { 0.0 };
        self.reach = (FURTHER * moved).clamp(REACH[0], REACH[1]);
        if lower {
            (self.u, *values, state.h) = (found.1.exp(), found.2, found.3);
        }
        lower
    }
}
