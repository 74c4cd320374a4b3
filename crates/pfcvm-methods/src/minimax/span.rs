//! Coordinates of samples in their span, under a kernel.
//!
//! Where a kernel's matrix is K = USUᵀ, the rows of T = US^½ have its inner products, and a vector
//! g of these coordinates is the vector Σᵢ cᵢφ(xᵢ), c = US^−½g, of the kernel's space. Nothing
//! outside the span of the samples can lower a norm or move a mean.

use crate::Error;
use crate::linalg::{eigen, product, product_nt, product_tn};
use crate::margin::MarginKernel;
use crate::margin::kernel::Kernel;
use crate::prepared::all_scaled;
use pfcvm::Matrix;
use pfcvm::data::Scaler;
use serde::{Deserialize, Serialize};

/// Directions whose share of the largest is below this are rounding.
const ROUNDING: f64 = 1e-10;

/// Samples in coordinates, and the way from a vector of coordinates to a function of samples.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// One row of coordinates for each sample.
    pub coordinates: Matrix,
    kernel: Kernel,
    /// From coordinates to weights of features (linear) or of samples.
    back: Matrix,
    x: Matrix,
}

/// aᵀφ(x) as a function of x.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Direction {
    /// Weights of features.
    Features(Vec<f64>),
    /// Weights of training samples.
    Samples { kernel: Kernel, x: Matrix, weights: Vec<f64> },
}

impl Span {
    /// Of the (scaled) samples; at most `most` coordinates, those of the largest spread.
    pub fn new(x: &Matrix, kernel: MarginKernel, most: usize) -> Result<Self, Error> {
        let kernel = kernel.on(x)?;
        let few = x.cols() <= x.rows();
        if kernel == Kernel::Linear && few && x.cols() <= most {
            let back = Matrix::from_fn(x.cols(), x.cols(), |i, j| f64::from(u8::from(i == j)));
            return Ok(Self { coordinates: x.clone(), kernel, back, x: x.clone() });
        }
        let by_features = kernel == Kernel::Linear && few;
        let gram = if by_features { product_tn(x, x) } else { kernel.gram(x) };
        let (values, vectors) = eigen(&gram).ok_or(Error::Solver {
            method: "mpm",
            reason: "no eigenvectors of the kernel".into(),
        })?;
        let largest = values.last().copied().unwrap_or(0.0);
        let mut chosen = Vec::from_iter((0..values.len()).rev());
        chosen.retain(|&at| values[at] > ROUNDING * largest);
        chosen.truncate(most);
        let vectors = vectors.select_columns(&chosen);
        let scaled = |power: f64| {
            let factors = Vec::from_iter(chosen.iter().map(|&at| values[at].powf(power)));
            Matrix::from_fn(vectors.rows(), vectors.cols(), |i, j| vectors.get(i, j) * factors[j])
        };
        let (coordinates, back) = match (by_features, kernel) {
            (true, _) => (product(x, &vectors), vectors),
            (false, Kernel::Linear) => (scaled(0.5), product_tn(x, &scaled(-0.5))),
            (false, Kernel::Rbf(_)) => (scaled(0.5), scaled(-0.5)),
        };
        Ok(Self { coordinates, kernel, back, x: x.clone() })
    }

    /// The function that a vector of coordinates stands for.
    pub fn direction(&self, vector: &[f64]) -> Direction {
        let vector = Matrix::from_column_major(vector.len(), 1, vector.to_vec());
        let weights = product(&self.back, &vector).as_slice().to_vec();
        match self.kernel {
            Kernel::Linear => Direction::Features(weights),
            kernel => Direction::Samples { kernel, x: self.x.clone(), weights },
        }
    }
}

impl Direction {
    /// aᵀφ(x) − b for each row, as it comes.
    pub fn decisions(&self, scaler: &Scaler, x: &Matrix, offset: f64) -> Result<Vec<f64>, Error> {
        let mut decisions = self.values(&all_scaled(scaler, x)?);
        decisions.iter_mut().for_each(|f| *f -= offset);
        Ok(decisions)
    }

    /// aᵀφ(x) for each (scaled) row.
    pub fn values(&self, x: &Matrix) -> Vec<f64> {
        match self {
            Direction::Features(weights) => {
                let row = Matrix::from_column_major(1, weights.len(), weights.clone());
                product_nt(x, &row).as_slice().to_vec()
            }
            Direction::Samples { kernel, x: basis, weights } => kernel.expansion(x, basis, weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margin::Gamma;

    #[test]
    fn coordinates_have_the_kernels_inner_products_and_the_way_back_is_theirs() {
        let narrow = Matrix::from_fn(9, 4, |i, j| ((5 * i + 3 * j * j) % 11) as f64 / 4.0 - 1.0);
        let wide = Matrix::from_fn(5, 9, |i, j| narrow.get(j, i.min(3)) + (i * j % 3) as f64);
        for x in [&narrow, &wide] {
            for kernel in [MarginKernel::Linear, MarginKernel::Rbf(Gamma::Given(0.2))] {
                let span = Span::new(x, kernel, usize::MAX).unwrap();
                let gram = span.kernel.between(x, x);
                let again = product_nt(&span.coordinates, &span.coordinates);
                for (a, b) in gram.as_slice().iter().zip(again.as_slice()) {
                    assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()));
                }
                let rank = span.coordinates.cols();
                let vector = Vec::from_iter((0..rank).map(|j| (j as f64).sin()));
                let values = span.direction(&vector).values(x);
                for i in 0..x.rows() {
                    let inner = (0..rank).map(|j| span.coordinates.get(i, j) * vector[j]);
                    assert!((values[i] - inner.sum::<f64>()).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn a_cut_keeps_the_largest_spread() {
        let x = Matrix::from_fn(30, 6, |i, j| ((i * (j + 2)) % 7) as f64 * 3f64.powi(-(j as i32)));
        let whole = Span::new(&x, MarginKernel::Linear, 10).unwrap().coordinates;
        let cut = Span::new(&x, MarginKernel::Linear, 3).unwrap().coordinates;
        let square = |t: &Matrix| t.as_slice().iter().map(|v| v * v).sum::<f64>();
        assert_eq!((whole.cols(), cut.cols()), (6, 3));
        assert!(square(&cut) > 0.95 * square(&whole) && square(&cut) < square(&whole));
    }
}
