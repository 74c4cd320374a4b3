//! Draws from a Gaussian of which some coordinates must not be negative, by exact Hamiltonian
//! dynamics (Pakman and Paninski 2014).
//!
//! Without walls x − μ = a cos t + b sin t is the motion of a particle whose energy is the
//! Gaussian's, with a fresh velocity b ~ N(0, Σ) each time; after a quarter turn a is an independent
//! draw. At a wall xᵢ = 0 the velocity is mirrored, b ← b − 2 (bᵢ/Σᵢᵢ) Σ·ᵢ. Every step is in closed
//! form: there is no step size and nothing is rejected.

use crate::algebra::{self, Cholesky, Work, normal_upper_quantile};
use crate::{Error, Matrix};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Quarter turns before the first draw.
const WARM_UP: usize = 50;
/// Walls met in one quarter turn, for each coordinate, after which it ends where it is.
const MOST_BOUNCES: usize = 200;
/// A wall just left is not met again within this angle.
const LEAST_ANGLE: f64 = 1e-10;

/// A chain of draws.
pub(crate) struct Sampler {
    mean: Vec<f64>,
    covariance: Matrix,
    /// L with Σ = LLᵀ.
    factor: Cholesky,
    /// Whether each coordinate has a wall at 0.
    walled: Vec<bool>,
    /// x − μ.
    a: Vec<f64>,
    rng: ChaCha8Rng,
}

impl Sampler {
    /// A chain that starts at the mean, whose walled coordinates must not be negative.
    pub fn new(
        mean: Vec<f64>,
        covariance: Matrix,
        walled: Vec<bool>,
        rng: ChaCha8Rng,
        work: &mut Work,
    ) -> Result<Self, Error> {
        let factor = Cholesky::new(covariance.clone(), work).ok_or(Error::NumericalBreakdown)?;
        let a = vec![0.0; mean.len()];
        let mut sampler = Self { mean, covariance, factor, walled, a, rng };
        (0..WARM_UP).for_each(|_| sampler.turn());
        Ok(sampler)
    }

    /// The next draw.
    pub fn draw(&mut self) -> Vec<f64> {
        self.turn();
        self.a.iter().zip(&self.mean).map(|(a, m)| a + m).collect()
    }

    fn turn(&mut self) {
        let noise = Vec::from_iter(self.a.iter().map(|_| normal(&mut self.rng)));
        let mut b = self.factor.times(&noise);
        let mut left = FRAC_PI_2;
        let mut last = None;
        for _ in 0..MOST_BOUNCES * self.a.len().max(1) {
            let Some((wall, angle)) = self.next_wall(&b, left, last) else { break };
            self.rotate(&mut b, angle);
            left -= angle;
            self.a[wall] = -self.mean[wall];
            let column = self.covariance.column(wall);
            let push = 2.0 * b[wall] / column[wall];
            algebra::add_scaled(&mut b, column, -push);
            last = Some(wall);
        }
        self.rotate(&mut b, left);
        // Rounding must not leave a draw on the wrong side.
        let walls = self.a.iter_mut().zip(&self.mean).zip(&self.walled);
        walls.filter(|(_, walled)| **walled).for_each(|((a, m), _)| *a = a.max(-m));
    }

    /// a cos t + b sin t, and its derivative.
    fn rotate(&mut self, b: &mut [f64], angle: f64) {
        let (sin, cos) = angle.sin_cos();
        for (a, b) in self.a.iter_mut().zip(b) {
            (*a, *b) = (*a * cos + *b * sin, *b * cos - *a * sin);
        }
    }

    /// The first wall on the way, and the angle to it.
    fn next_wall(&self, b: &[f64], left: f64, last: Option<usize>) -> Option<(usize, f64)> {
        let mut first = None;
        let mut nearest = left;
        for (i, (a, b)) in self.a.iter().zip(b).enumerate() {
            let reach = a.hypot(*b);
            if !self.walled[i] || reach <= self.mean[i] {
                continue;
            }
            // reach · cos(t − phase) = −μᵢ on the way down.
            let angle = (b.atan2(*a) + (-self.mean[i] / reach).acos()).rem_euclid(TAU);
            let near = !(LEAST_ANGLE..=TAU - LEAST_ANGLE).contains(&angle);
            let again = last == Some(i) && near;
            if angle < nearest && !again {
                (nearest, first) = (angle, Some(i));
            }
        }
        first.map(|i| (i, nearest))
    }
}

/// A standard normal number.
pub(crate) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    // 53 random bits, moved off 0 and 1 by half a step.
    let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    normal_upper_quantile(uniform)
}
