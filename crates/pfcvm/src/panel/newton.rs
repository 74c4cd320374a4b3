//! One projected Newton step, shared by everything the panel fits.

use crate::Matrix;
use crate::linalg::{self, Work};
use crate::posterior::{Likelihood, Precision, Prior};

/// Halvings of a step before it is given up.
const HALVINGS: usize = 20;
/// A step may lose this much of the objective to rounding.
const ROUNDING: f64 = 1e-12;

/// What a step maximises: Q(u) = ℓ(offset + J u) + log p(u).
pub(super) struct Objective<'a> {
    /// J.
    pub columns: &'a Matrix,
    pub offset: f64,
    pub likelihood: &'a Likelihood,
    pub prior: Prior<'a>,
}

impl Objective<'_> {
    /// offset + J u.
    pub fn decision(&self, u: &[f64], work: &Work) -> Vec<f64> {
        let mut f = linalg::times_vector(self.columns, u, work);
        f.iter_mut().for_each(|f| *f += self.offset);
        f
    }

    fn value(&self, u: &[f64], f: &[f64]) -> f64 {
        self.likelihood.log(f) + self.prior.log(u)
    }

    /// Moves u along H⁻¹ g over the coordinates that may move, H = JᵀCJ + A, halving the step
    /// until Q does not fall. True when Q has settled. Nothing when the algebra broke down.
    pub fn step(&self, u: &mut Vec<f64>, work: &mut Work) -> Option<bool> {
        let f = self.decision(u, work);
        let residual = self.likelihood.residual(&f);
        let mut gradient = linalg::transpose_times_vector(self.columns, &residual, work);
        for (i, g) in gradient.iter_mut().enumerate() {
            *g -= self.prior.precisions[i] * u[i];
        }
        let held = |i: usize| i >= self.prior.first && u[i] <= 0.0 && gradient[i] <= 0.0;
        let free: Vec<usize> = (0..u.len()).filter(|&i| !held(i)).collect();
        let diagonal = free.iter().map(|&i| self.prior.precisions[i]).collect();
        let c = self.likelihood.curvature(&f);
        let precision = Precision::new(self.columns, &c, &free, diagonal, work)?;
        let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
        let direction = precision.solve(&g, work);
        if !direction.iter().all(|d| d.is_finite()) {
            return None;
        }
        let start = self.value(u, &f);
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let moved = self.moved(u, &free, &direction, length);
            let value = self.value(&moved, &self.decision(&moved, work));
            if value >= start - ROUNDING {
                *u = moved;
                return Some((value - start).abs() < 1e-6 * start.abs());
            }
            length /= 2.0;
        }
        Some(true)
    }

    fn moved(&self, u: &[f64], free: &[usize], direction: &[f64], length: f64) -> Vec<f64> {
        let mut moved = u.to_vec();
        for (&i, d) in free.iter().zip(direction) {
            moved[i] += length * d;
            if i >= self.prior.first {
                moved[i] = moved[i].max(0.0);
            }
        }
        moved
    }
}
