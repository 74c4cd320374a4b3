//! Kernels with one weight per feature (`eq:kernel`).
//!
//! Each kernel gives two things, both as matrix products: the values k_θ(x_i, z_j), and the
//! derivative D = ∂(K v)/∂θ of the decision values for given signed sample weights v.

mod inner;
mod rbf;

use crate::Matrix;
use crate::algebra::{Work, add_bells};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The basis function k_θ(x, z).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Kernel {
    /// exp(−Σ θₖ (xₖ − zₖ)²)
    Rbf,
    /// (1 + Σ θₖ xₖ zₖ)^P
    Polynomial {
        /// The order P, at least 1.
        degree: u32,
    },
    /// Σ θₖ xₖ zₖ
    Linear,
}

impl Kernel {
    /// k_θ(xᵢ, zⱼ) for every row of `x` and every row of `z`.
    pub fn values(self, x: &Matrix, z: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
        match self {
            Kernel::Rbf => rbf::values(x, z, theta, work),
            Kernel::Polynomial { degree } => inner::polynomial(x, z, theta, degree, work),
            Kernel::Linear => inner::products(x, z, theta, work),
        }
    }

    /// ∂k/∂a for every pair, where a is the kernel's argument: the weighted squared distance
    /// (RBF, up to the sign) or the weighted inner product. `values` is what [`Kernel::values`]
    /// gave for the same arguments.
    pub fn slopes<'a>(
        self,
        x: &Matrix,
        z: &Matrix,
        theta: &[f64],
        values: &'a Matrix,
        work: &mut Work,
    ) -> Cow<'a, Matrix> {
        match self {
            Kernel::Polynomial { degree } => {
                Cow::Owned(inner::polynomial_slopes(x, z, theta, degree, work))
            }
            Kernel::Rbf | Kernel::Linear => Cow::Borrowed(values),
        }
    }

    /// D = ∂(K v)/∂θ for the features in the columns of `x` and `z`: one row per row of `x`.
    /// `slopes` comes from the kept features, which may be others.
    pub fn derivative(
        self,
        x: &Matrix,
        z: &Matrix,
        slopes: &Matrix,
        v: &[f64],
        work: &mut Work,
    ) -> Matrix {
        match self {
            Kernel::Rbf => rbf::derivative(x, z, slopes, v, work),
            Kernel::Polynomial { .. } => inner::polynomial_derivative(x, z, slopes, v, work),
            Kernel::Linear => inner::linear_derivative(x, z, v, work),
        }
    }

    /// Adds factor · k(xᵢ, z) of one feature of weight `theta` to each sum.
    pub fn add_of_feature(self, sums: &mut [f64], x: &[f64], z: f64, theta: f64, factor: f64) {
        let pairs = sums.iter_mut().zip(x);
        match self {
            Kernel::Rbf => add_bells(sums, x, z, theta, factor),
            Kernel::Polynomial { degree } => {
                pairs.for_each(|(s, x)| *s += factor * (1.0 + theta * z * x).powi(degree as i32));
            }
            Kernel::Linear => pairs.for_each(|(s, x)| *s += factor * theta * z * x),
        }
    }

    /// Whether w → s w, θ → θ / s leaves the decision values as they are, so that the scale has
    /// to be fixed by convention.
    pub(crate) fn is_scale_free(self) -> bool {
        self == Kernel::Linear
    }
}
