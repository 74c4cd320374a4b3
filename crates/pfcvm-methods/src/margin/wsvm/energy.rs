//! J(p), its gradient, and the projection that keeps p allowed.

use crate::linalg::product;
use crate::margin::kernel::Kernel;
use crate::margin::svm::{Dual, Solution};
use pfcvm::Matrix;

/// How far the dual's optimality conditions may be missed: J is compared between steps, so that
/// it is asked for more exactly than for a decision.
const TOLERANCE: f64 = 1e-5;

/// What J is made of besides the weights.
pub(super) struct Energy<'a> {
    /// Scaled samples.
    pub x: &'a Matrix,
    pub positive: &'a [bool],
    pub copies: &'a [usize],
    pub bounds: [f64; 2],
    /// Linear, or RBF with γ = 1: the weights carry the scale.
    pub kernel: Kernel,
}

/// The machine at some weights.
pub(super) struct Place {
    pub solution: Solution,
    /// Samples in the features of weight above 0, times the roots of the weights.
    pub weighted: Matrix,
    gram: Matrix,
}

impl Energy<'_> {
    /// The machine, and with it J, at these weights; the search for it begins at a machine nearby
    /// if there is one.
    pub fn at(&self, weights: &[f64], near: Option<&Place>) -> Place {
        let kept = Vec::from_iter((0..weights.len()).filter(|&j| weights[j] > 0.0));
        let mut weighted = self.x.select_columns(&kept);
        for (at, &j) in kept.iter().enumerate() {
            let root = weights[j].sqrt();
            weighted.column_mut(at).iter_mut().for_each(|value| *value *= root);
        }
        let gram = self.kernel.gram(&weighted);
        let dual = Dual {
            gram: &gram,
            positive: self.positive,
            copies: self.copies,
            bounds: self.bounds,
            tolerance: TOLERANCE,
        };
        let every = Vec::from_iter(0..self.x.rows());
        let start = near.map(|place| place.solution.coefficients.as_slice());
        let solution = dual.solve_from(&every, start);
        Place { solution, weighted, gram }
    }

    /// ∂J/∂pⱼ = −½ βᵀ(∂K/∂pⱼ)β with β = yα: for the linear kernel −½ (Σ βᵢxᵢⱼ)², for the RBF
    /// ½ Σ βₐβ_bK(xₐⱼ − x_bⱼ)² = gᵀxⱼ² − xⱼᵀGxⱼ, G = ββᵀ∘K, g = G1.
    pub fn slopes(&self, weights: &[f64], place: &Place) -> Vec<f64> {
        let beta = &place.solution.coefficients;
        let inner = |column: &[f64]| column.iter().zip(beta).map(|(x, b)| x * b).sum::<f64>();
        if self.kernel == Kernel::Linear {
            return self.x.columns().map(|column| -0.5 * inner(column).powi(2)).collect();
        }
        let support = Vec::from_iter((0..beta.len()).filter(|&i| beta[i] != 0.0));
        let count = support.len();
        let weighted = Matrix::from_fn(count, count, |a, b| {
            let (a, b) = (support[a], support[b]);
            beta[a] * beta[b] * place.gram.get(a, b)
        });
        let sums = Vec::from_iter((0..count).map(|a| weighted.column(a).iter().sum::<f64>()));
        let x = self.x.select_rows(&support);
        let turned = product(&weighted, &x);
        let slope = |j: usize| {
            let (x, turned) = (x.column(j), turned.column(j));
            (0..count).map(|a| x[a] * (sums[a] * x[a] - turned[a])).sum::<f64>()
        };
        (0..weights.len()).map(slope).collect()
    }
}

/// The nearest point with pⱼ ≥ 0 and Σ pⱼ ≤ total (for the sum: Held, Wolfe & Crowder 1974).
pub(super) fn project(point: &[f64], total: f64) -> Vec<f64> {
    let sum: f64 = point.iter().map(|value| value.max(0.0)).sum();
    let mut shift = 0.0;
    if sum > total {
        let mut sorted = point.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let mut partial = 0.0;
        for (at, value) in sorted.iter().enumerate() {
            partial += value;
            let candidate = (partial - total) / (at + 1) as f64;
            if candidate < *value {
                shift = candidate;
            }
        }
    }
    point.iter().map(|value| (value - shift).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projections_are_nearest() {
        assert_eq!(project(&[0.2, -1.0, 0.3], 1.0), [0.2, 0.0, 0.3]);
        let point = [0.9, 0.1, 0.6, -0.5];
        let found = project(&point, 1.0);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let distance = |p: &[f64]| p.iter().zip(point).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        // All allowed points on a grid.
        for code in 0..21usize.pow(4) {
            let other = [1, 21, 441, 9261].map(|place| (code / place % 21) as f64 / 20.0);
            if other.iter().sum::<f64>() <= 1.0 + 1e-12 {
                assert!(distance(&other) >= distance(&found) - 1e-12);
            }
        }
    }

    #[test]
    fn slopes_are_differences_and_an_error_of_a_hundredth_shows() {
        let x = Matrix::from_fn(30, 4, |i, j| {
            ((i * (2 * j + 3)) as f64 * 0.37).sin() + if j == 0 { (i % 2) as f64 } else { 0.0 }
        });
        let positive = Vec::from_iter((0..30).map(|i| i % 2 == 1));
        for kernel in [Kernel::Linear, Kernel::Rbf(1.0)] {
            let energy =
                Energy { x: &x, positive: &positive, copies: &[1; 30], bounds: [0.8, 1.5], kernel };
            let weights = [0.4, 0.2, 0.3, 0.6];
            let slopes = energy.slopes(&weights, &energy.at(&weights, None));
            let apart = |factor: f64| {
                let scale = slopes.iter().fold(0.0f64, |most, slope| most.max(slope.abs()));
                let error = |j: usize| {
                    let at = |step: f64| {
                        let mut moved = weights;
                        moved[j] += step;
                        energy.at(&moved, None).solution.objective
                    };
                    let difference = (at(1e-2) - at(-1e-2)) / 2e-2;
                    (difference - factor * slopes[j]).abs() / scale
                };
                (0..4).map(error).fold(0.0, f64::max)
            };
            // J to about 1e-6, over a step of 2e-2, and the third derivative over 1e-4.
            assert!(apart(1.0) < 4e-3, "{}", apart(1.0));
            assert!(apart(1.01) > 6e-3, "{}", apart(1.01));
        }
    }
}
