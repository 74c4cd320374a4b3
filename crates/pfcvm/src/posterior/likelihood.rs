//! The likelihood and the priors: what the modes balance.

use crate::algebra::{curvatures, log_likelihoods, residuals};
use crate::data::Dataset;
use crate::settings::{ClassWeights, Truncation};

/// The weighted Bernoulli likelihood (`eq:likelihood`).
#[derive(Clone, Debug)]
pub struct Likelihood {
    /// ±1 per row.
    pub signs: Vec<f64>,
    /// Weight per row.
    pub weights: Vec<f64>,
}

impl Likelihood {
    /// Of some samples; the factors of their classes multiply their weights.
    pub fn new(data: &Dataset, class_weights: ClassWeights) -> Self {
        Self::of_class(data, 1, &data.factors(class_weights))
    }

    /// Of one class against all others.
    pub(crate) fn of_class(data: &Dataset, class: usize, factors: &[f64]) -> Self {
        let samples = data.class().iter().zip(data.sample_weights());
        Self {
            signs: data.class().iter().map(|c| if *c == class { 1.0 } else { -1.0 }).collect(),
            weights: samples.map(|(c, w)| w * factors[*c]).collect(),
        }
    }

    /// Of some of the rows.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            signs: rows.iter().map(|&i| self.signs[i]).collect(),
            weights: rows.iter().map(|&i| self.weights[i]).collect(),
        }
    }

    /// ℓ(f) = Σ ρᵢ log σ(yᵢ fᵢ).
    pub fn log(&self, f: &[f64]) -> f64 {
        log_likelihoods(f, &self.signs, &self.weights).iter().sum()
    }

    /// ρᵢ (tᵢ − σᵢ), the derivative of ℓ.
    pub fn residual(&self, f: &[f64]) -> Vec<f64> {
        residuals(f, &self.signs, &self.weights)
    }

    /// The diagonal of C: ρᵢ σᵢ(1 − σᵢ).
    pub fn curvature(&self, f: &[f64]) -> Vec<f64> {
        curvatures(f, &self.weights)
    }
}

/// Independent truncated Gaussians with the given precisions (`eq:weight_prior`,
/// `eq:feature_prior`); coordinates before `first` are not truncated (the bias, `eq:bias_prior`).
#[derive(Clone, Copy, Debug)]
pub struct Prior<'a> {
    /// One for each coordinate.
    pub precisions: &'a [f64],
    /// Where the weights are drawn to; empty: 0.
    pub means: &'a [f64],
    /// How u ≥ 0 is kept.
    pub truncation: Truncation,
    /// The first coordinate that is truncated.
    pub first: usize,
}

impl<'a> Prior<'a> {
    /// Drawn to 0, and not negative from the coordinate `first` on.
    pub fn new(precisions: &'a [f64], first: usize) -> Self {
        Self { precisions, means: &[], truncation: Truncation::Exact, first }
    }

    /// log of the density up to a constant that does not depend on u.
    pub fn log(&self, u: &[f64]) -> f64 {
        let quadratic: f64 =
            (0..u.len()).map(|i| self.precisions[i] * (u[i] - self.mean(i)).powi(2)).sum();
        let indicator: f64 = u[self.first..].iter().map(|u| self.truncation.log(*u)).sum();
        indicator - 0.5 * quadratic
    }

    fn mean(&self, i: usize) -> f64 {
        if self.means.is_empty() { 0.0 } else { self.means[i] }
    }

    pub(super) fn add_gradient(&self, gradient: &mut [f64], u: &[f64]) {
        for (i, g) in gradient.iter_mut().enumerate() {
            let push = if i < self.first { 0.0 } else { self.truncation.gradient(u[i]) };
            *g += push - self.precisions[i] * (u[i] - self.mean(i));
        }
    }

    /// The prior's part of H for the coordinates `free`.
    pub(super) fn diagonal(&self, u: &[f64], free: &[usize]) -> Vec<f64> {
        let bend = |i: usize| if i < self.first { 0.0 } else { self.truncation.curvature(u[i]) };
        free.iter().map(|&i| self.precisions[i] + bend(i)).collect()
    }

    /// Coordinates that may move: not those at the bound with the gradient pointing outwards.
    pub(super) fn free_to_move(&self, u: &[f64], gradient: &[f64]) -> Vec<usize> {
        let held = |i: usize| {
            i >= self.first && self.truncation.is_exact() && u[i] <= 0.0 && gradient[i] <= 0.0
        };
        (0..u.len()).filter(|&i| !held(i)).collect()
    }

    /// Coordinates inside the constraint: the Laplace approximation is taken over these.
    pub fn interior(&self, u: &[f64]) -> Vec<usize> {
        let inside = |i: usize| i < self.first || !self.truncation.is_exact() || u[i] > 0.0;
        (0..u.len()).filter(|&i| inside(i)).collect()
    }

    /// How far each of the coordinates `free` may fall.
    pub(super) fn room(&self, u: &[f64], free: &[usize]) -> Vec<f64> {
        let bounded = |i: usize| i >= self.first && self.truncation.is_exact();
        free.iter().map(|&i| if bounded(i) { u[i] } else { f64::INFINITY }).collect()
    }

    pub(super) fn moved(
        &self,
        u: &[f64],
        direction: &[f64],
        free: &[usize],
        length: f64,
    ) -> Vec<f64> {
        let mut moved = u.to_vec();
        for (&i, d) in free.iter().zip(direction) {
            moved[i] += length * d;
            if i >= self.first && self.truncation.is_exact() {
                moved[i] = moved[i].max(0.0);
            }
        }
        moved
    }
}
