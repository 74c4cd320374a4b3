//! Sums over the kernel values κ(xᵢₖ, zⱼₖ) of all rows, samples and features, none of which is ever
//! held.

use crate::stop;
use pfcvm::{Kernel, Matrix};

/// Samples whose sums grow side by side, so that the rows of a feature are read once for all.
const TOGETHER: usize = 16;

/// Rows and candidate samples, feature by feature.
pub(super) struct Blocks<'a> {
    pub kernel: Kernel,
    pub width: f64,
    pub x: &'a Matrix,
    pub z: &'a Matrix,
}

impl Blocks<'_> {
    pub fn samples(&self) -> usize {
        self.z.rows()
    }

    pub fn features(&self) -> usize {
        self.x.cols()
    }

    /// Adds factor · κ(xᵢₖ, zⱼₖ) to the sum of each row i.
    fn add(&self, sums: &mut [f64], k: usize, j: usize, factor: f64) {
        let (x, z) = (self.x.column(k), self.z.get(j, k));
        self.kernel.add_of_feature(sums, x, z, self.width, factor);
    }

    /// A column of ones, then Σₖ λₖ κ(xᵢₖ, zⱼₖ) over `features` for each of the `samples`.
    pub fn sample_columns(
        &self,
        samples: &[usize],
        (features, lambda): (&[usize], &[f64]),
    ) -> Matrix {
        let rows = self.x.rows();
        let mut out = with_ones(rows, samples.len());
        let columns = out.as_mut_slice()[rows..].chunks_mut(TOGETHER * rows);
        for (columns, samples) in columns.zip(samples.chunks(TOGETHER)) {
            stop::check();
            for (&k, &lambda) in features.iter().zip(lambda) {
                for (column, &j) in columns.chunks_mut(rows).zip(samples) {
                    self.add(column, k, j, lambda);
                }
            }
        }
        out
    }

    /// A column of ones, then Σⱼ wⱼ κ(xᵢₖ, zⱼₖ) over `samples` for each of the `features`.
    pub fn feature_columns(&self, features: &[usize], (samples, w): (&[usize], &[f64])) -> Matrix {
        let mut out = with_ones(self.x.rows(), features.len());
        for (at, &k) in features.iter().enumerate() {
            stop::check();
            for (&j, &w) in samples.iter().zip(w) {
                self.add(out.column_mut(at + 1), k, j, w);
            }
        }
        out
    }
}

fn with_ones(rows: usize, columns: usize) -> Matrix {
    let mut out = Matrix::zeros(rows, columns + 1);
    out.column_mut(0).fill(1.0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sums against four nested loops, over more samples than grow side by side.
    #[test]
    fn sums_are_those_of_plain_loops() {
        let value = |i: usize, k: usize| ((i * 7 + k * 13 + i * i) % 17) as f64 / 8.0 - 1.0;
        let (x, z) = (Matrix::from_fn(9, 4, value), Matrix::from_fn(90, 4, |j, k| value(j + 3, k)));
        let kappa =
            |i: usize, j: usize, k: usize| (-0.7 * (x.get(i, k) - z.get(j, k)).powi(2)).exp();
        let blocks = Blocks { kernel: Kernel::Rbf, width: 0.7, x: &x, z: &z };
        let samples: Vec<usize> = (0..90).filter(|j| j % 11 != 5).collect();
        let (features, lambda) = ([0, 2, 3], [0.5, -1.5, 2.0]);
        let w: Vec<f64> = samples.iter().map(|&j| value(j, 9)).collect();
        let by_samples = blocks.sample_columns(&samples, (&features, &lambda));
        let by_features = blocks.feature_columns(&features, (&samples, &w));
        for i in 0..9 {
            assert_eq!((by_samples.get(i, 0), by_features.get(i, 0)), (1.0, 1.0));
            for (at, &j) in samples.iter().enumerate() {
                let sum: f64 = (0..3).map(|k| lambda[k] * kappa(i, j, features[k])).sum();
                assert!((by_samples.get(i, at + 1) - sum).abs() < 1e-12);
            }
            for (at, &k) in features.iter().enumerate() {
                let sum: f64 = samples.iter().zip(&w).map(|(&j, w)| w * kappa(i, j, k)).sum();
                assert!((by_features.get(i, at + 1) - sum).abs() < 1e-12);
            }
        }
    }
}
