//! Kernels of the margin and minimax classifiers.

use crate::Error;
use crate::error::out_of_range;
use crate::linalg::outer_gram;
use crate::stop;
use pfcvm::Matrix;
use pfcvm::algebra::exp_of_distances;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// Rows that are predicted at a time.
const BLOCK: usize = 256;
/// More samples than this make a matrix of several gigabytes.
const MOST_SAMPLES: usize = 20_000;

/// What two samples are compared by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarginKernel {
    /// xᵀz.
    Linear,
    /// exp(−γ‖x − z‖²).
    Rbf(Gamma),
}

/// γ of the RBF kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gamma {
    /// A multiple of 1 / (M v), v the variance of all values of the (scaled) data and M the
    /// number of features: scikit-learn's `scale`, times the factor.
    Scale(f64),
    /// Itself.
    Given(f64),
}

impl FromStr for Gamma {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.parse::<f64>() {
            Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
            _ => Err(format!("`{text}` is neither a number above 0 nor scale nor scale:FACTOR")),
        };
        match text.split_once(':') {
            None if text == "scale" => Ok(Gamma::Scale(1.0)),
            Some(("scale", factor)) => Ok(Gamma::Scale(number(factor)?)),
            _ => Ok(Gamma::Given(number(text)?)),
        }
    }
}

impl Display for Gamma {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Gamma::Scale(1.0) => out.write_str("scale"),
            Gamma::Scale(factor) => write!(out, "scale:{factor}"),
            Gamma::Given(value) => value.fmt(out),
        }
    }
}

impl MarginKernel {
    /// The function for these (scaled) training data.
    pub(crate) fn on(self, x: &Matrix) -> Result<Kernel, Error> {
        if x.rows() > MOST_SAMPLES {
            return Err(Error::TooManySamples { rows: x.rows(), limit: MOST_SAMPLES });
        }
        let gamma = match self {
            MarginKernel::Linear => return Ok(Kernel::Linear),
            MarginKernel::Rbf(Gamma::Given(gamma)) => gamma,
            MarginKernel::Rbf(Gamma::Scale(factor)) => {
                let count = (x.rows() * x.cols()) as f64;
                let mean = x.as_slice().iter().sum::<f64>() / count;
                let square = x.as_slice().iter().map(|v| (v - mean).powi(2)).sum::<f64>();
                factor * count / square / x.cols() as f64
            }
        };
        match gamma > 0.0 && gamma.is_finite() {
            true => Ok(Kernel::Rbf(gamma)),
            false => Err(out_of_range("gamma", gamma, "finite, above 0")),
        }
    }
}

/// A kernel whose parameters are known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kernel {
    Linear,
    Rbf(f64),
}

impl Kernel {
    /// k between each row of the one and each of the other.
    pub fn between(self, a: &Matrix, b: &Matrix) -> Matrix {
        let (kernel, weight) = match self {
            Kernel::Linear => (pfcvm::Kernel::Linear, 1.0),
            Kernel::Rbf(gamma) => (pfcvm::Kernel::Rbf, gamma),
        };
        kernel.values(a, b, &vec![weight; a.cols()], &mut stop::work())
    }

    /// k between each two rows: half the work of [`Kernel::between`], and symmetric to the last bit.
    pub fn gram(self, x: &Matrix) -> Matrix {
        let rows = x.rows();
        let mut values = outer_gram(x);
        if let Kernel::Rbf(gamma) = self {
            let norms = Vec::from_iter((0..rows).map(|i| values.get(i, i)));
            let zeros = vec![0.0; rows];
            for j in 0..rows {
                let column = &mut values.column_mut(j)[j..];
                for (value, norm) in column.iter_mut().zip(&norms[j..]) {
                    *value = -0.5 * gamma * (norms[j] + norm - 2.0 * *value).max(0.0);
                }
                exp_of_distances(column, &zeros[j..], 0.0);
            }
        }
        mirror(&mut values);
        values
    }

    /// Σⱼ cⱼ k(x, xⱼ) for each row x, over the rows xⱼ of `basis`.
    pub fn expansion(self, x: &Matrix, basis: &Matrix, coefficients: &[f64]) -> Vec<f64> {
        let mut sums = Vec::with_capacity(x.rows());
        for start in (0..x.rows()).step_by(BLOCK) {
            let end = (start + BLOCK).min(x.rows());
            let values = self.between(&x.row_range(start, end), basis);
            let mut part = vec![0.0; end - start];
            for (column, coefficient) in values.columns().zip(coefficients) {
                part.iter_mut().zip(column).for_each(|(sum, k)| *sum += coefficient * k);
            }
            sums.extend(part);
        }
        sums
    }
}

/// Copies the lower triangle to the upper one, in squares that stay near the processor.
fn mirror(square: &mut Matrix) {
    const SIDE: usize = 32;
    let rows = square.rows();
    for from in (0..rows).step_by(SIDE) {
        for first in (from..rows).step_by(SIDE) {
            for j in first..(first + SIDE).min(rows) {
                for i in from..(from + SIDE).min(j) {
                    let value = square.get(j, i);
                    square.set(i, j, value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in ["scale", "scale:0.25", "0.5", "12"] {
            assert_eq!(text.parse::<Gamma>().unwrap().to_string(), text);
        }
        for text in ["", "scales", "scale:", "scale:-1", "0", "inf", "nan"] {
            assert!(text.parse::<Gamma>().unwrap_err().contains("above 0"), "{text}");
        }
    }

    #[test]
    fn two_routes_to_the_values_between_samples() {
        let x = Matrix::from_fn(70, 5, |i, j| ((i * 7 + j * 5) as f64 * 0.7).sin());
        for kernel in [Kernel::Linear, Kernel::Rbf(0.7)] {
            let (gram, full) = (kernel.gram(&x), kernel.between(&x, &x));
            for i in 0..70 {
                for j in 0..70 {
                    assert!((gram.get(i, j) - full.get(i, j)).abs() < 1e-13);
                    assert_eq!(gram.get(i, j), gram.get(j, i));
                }
            }
        }
    }

    #[test]
    fn expansions_in_blocks_are_plain_sums() {
        let x = Matrix::from_fn(600, 3, |i, j| ((i * 7 + j * 5) % 13) as f64 / 6.0);
        let basis = x.row_range(2, 6);
        let coefficients = [0.5, -1.0, 2.0, 0.25];
        for kernel in [Kernel::Linear, Kernel::Rbf(0.7)] {
            let found = kernel.expansion(&x, &basis, &coefficients);
            for i in [0, 255, 256, 599] {
                let k = |j: usize| {
                    let pairs = (0..3).map(|c| (x.get(i, c), basis.get(j, c)));
                    match kernel {
                        Kernel::Linear => pairs.map(|(a, b)| a * b).sum::<f64>(),
                        Kernel::Rbf(g) => {
                            (-g * pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>()).exp()
                        }
                    }
                };
                let plain: f64 = (0..4).map(|j| coefficients[j] * k(j)).sum();
                assert!((found[i] - plain).abs() < 1e-13);
            }
        }
    }
}
