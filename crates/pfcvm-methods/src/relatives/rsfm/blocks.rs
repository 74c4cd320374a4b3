//! Sums over the kernel values κ(xᵢₖ, zⱼₖ) of all rows, samples and features, without ever holding
//! more than a block of them.

use pfcvm::algebra::{Work, times_vector};
use pfcvm::{Kernel, Matrix};

/// Samples per block: a block of one feature then stays in the cache for about a thousand rows.
const BLOCK: usize = 64;

/// Rows and candidate samples, feature by feature.
pub(super) struct Blocks {
    kernel: Kernel,
    width: [f64; 1],
    /// One column each.
    x: Vec<Matrix>,
    z: Matrix,
    rows: usize,
}

impl Blocks {
    pub fn new(x: &Matrix, z: &Matrix, kernel: Kernel, width: f64) -> Self {
        let column = |k: usize| Matrix::from_column_major(x.rows(), 1, x.column(k).to_vec());
        let columns = (0..x.cols()).map(column).collect();
        Self { kernel, width: [width], x: columns, z: z.clone(), rows: x.rows() }
    }

    pub fn samples(&self) -> usize {
        self.z.rows()
    }

    pub fn features(&self) -> usize {
        self.x.len()
    }

    /// κ(xᵢₖ, zⱼₖ) for all rows i and some samples j.
    fn block(&self, k: usize, samples: &[usize], work: &mut Work) -> Matrix {
        let z: Vec<f64> = samples.iter().map(|&j| self.z.get(j, k)).collect();
        let z = Matrix::from_column_major(samples.len(), 1, z);
        self.kernel.values(&self.x[k], &z, &self.width, work)
    }

    /// A column of ones, then Σₖ λₖ κ(xᵢₖ, zⱼₖ) over `features` for each of the `samples`.
    pub fn sample_columns(
        &self,
        samples: &[usize],
        (features, lambda): (&[usize], &[f64]),
        work: &mut Work,
    ) -> Matrix {
        let mut out = with_ones(self.rows, samples.len());
        for (start, chunk) in samples.chunks(BLOCK).enumerate() {
            let from = (1 + start * BLOCK) * self.rows;
            let target = &mut out.as_mut_slice()[from..from + chunk.len() * self.rows];
            for (&k, lambda) in features.iter().zip(lambda) {
                let block = self.block(k, chunk, work);
                target.iter_mut().zip(block.as_slice()).for_each(|(t, v)| *t += lambda * v);
            }
        }
        out
    }

    /// A column of ones, then Σⱼ wⱼ κ(xᵢₖ, zⱼₖ) over `samples` for each of the `features`.
    pub fn feature_columns(
        &self,
        features: &[usize],
        (samples, w): (&[usize], &[f64]),
        work: &mut Work,
    ) -> Matrix {
        let mut out = with_ones(self.rows, features.len());
        for (chunk, w) in samples.chunks(BLOCK).zip(w.chunks(BLOCK)) {
            for (at, &k) in features.iter().enumerate() {
                let sums = times_vector(&self.block(k, chunk, work), w, work);
                out.column_mut(at + 1).iter_mut().zip(sums).for_each(|(t, s)| *t += s);
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

    /// Both sums against four nested loops, over more samples than a block.
    #[test]
    fn sums_are_those_of_plain_loops() {
        let value = |i: usize, k: usize| ((i * 7 + k * 13 + i * i) % 17) as f64 / 8.0 - 1.0;
        let (x, z) = (Matrix::from_fn(9, 4, value), Matrix::from_fn(90, 4, |j, k| value(j + 3, k)));
        let kappa =
            |i: usize, j: usize, k: usize| (-0.7 * (x.get(i, k) - z.get(j, k)).powi(2)).exp();
        let blocks = Blocks::new(&x, &z, Kernel::Rbf, 0.7);
        let mut work = Work::new(false);
        let samples: Vec<usize> = (0..90).filter(|j| j % 11 != 5).collect();
        let (features, lambda) = ([0, 2, 3], [0.5, -1.5, 2.0]);
        let w: Vec<f64> = samples.iter().map(|&j| value(j, 9)).collect();
        let by_samples = blocks.sample_columns(&samples, (&features, &lambda), &mut work);
        let by_features = blocks.feature_columns(&features, (&samples, &w), &mut work);
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
