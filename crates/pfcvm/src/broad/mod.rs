//! A machine that uses all features under one weight.
//!
//! f(x) = b + Σⱼ cⱼ k(x, zⱼ), where every feature has the same weight θ in the kernel. Selection errs
//! where every feature carries a little; this machine errs where most carry nothing. Beside a sparse
//! machine, whose decision values are added to its own, it errs differently, and the two together do
//! better than either (`docs/research.md`).
//!
//! f has a Gaussian prior, w.r.t. which k is its covariance but for a factor s² (a Gaussian process); θ and
//! s² are those of the largest evidence (`learning`). A linear machine is kept as one sample: its slopes.

mod beside;
mod learning;

pub(crate) use beside::AllFeatures;
pub(crate) use learning::{Learned, Shape, learn, shape};
#[cfg(test)]
pub(crate) use learning::{Settled, Space, shape_rows, spread_out};

use crate::algebra::{self, Work};
use crate::stored::{Checked, checked_when_read, length, numbers};
use crate::{Kernel, Matrix};
use serde::{Deserialize, Serialize};

/// A machine that uses all features that vary, scaled as the sparse machine beside it scales them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Broad {
    pub(crate) kernel: Kernel,
    /// θ, the same for all features.
    pub(crate) feature_weight: f64,
    /// Scaled rows that new ones are compared with; of a linear machine the slopes of f.
    pub(crate) samples: Matrix,
    /// c.
    pub(crate) coefficients: Vec<f64>,
    /// b.
    pub(crate) bias: f64,
    /// The distance within which 99 of 100 training rows have one of the samples that is not themselves;
    /// nothing where the machine remembers none, was not asked, or was stored before this was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reach: Option<f64>,
}

impl Broad {
    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The weight that every feature has in the kernel.
    pub fn feature_weight(&self) -> f64 {
        self.feature_weight
    }

    /// The scaled rows that the kernel compares new ones with, all columns; one where the machine is
    /// linear: its slopes.
    pub fn samples(&self) -> &Matrix {
        &self.samples
    }

    /// What the kernel of each of them is multiplied by.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The bias.
    pub fn bias(&self) -> f64 {
        self.bias
    }

    /// Decision values of rows that are scaled, with all columns.
    pub(crate) fn decision(&self, x: &Matrix, work: &mut Work) -> Vec<f64> {
        let theta = vec![self.feature_weight; x.cols()];
        let values = self.kernel.values(x, &self.samples, &theta, work);
        let mut decision = algebra::times_vector(&values, &self.coefficients, work);
        decision.iter_mut().for_each(|f| *f += self.bias);
        decision
    }

    /// What a linear machine multiplies each scaled column by.
    pub(crate) fn slopes(&self) -> Vec<f64> {
        let of_column = |column: &[f64]| -> f64 {
            column.iter().zip(&self.coefficients).map(|(z, c)| z * c).sum()
        };
        let sums = self.samples.columns().map(of_column);
        sums.map(|sum| self.feature_weight * sum).collect()
    }

    /// Takes decision values f as slope · f from now on.
    pub(crate) fn scale(&mut self, slope: f64) {
        self.coefficients.iter_mut().for_each(|c| *c *= slope);
        self.bias *= slope;
    }

    /// Operations that a row costs.
    pub(crate) fn flops(&self) -> f64 {
        2.0 * self.samples.rows() as f64 * (self.samples.cols() + 1) as f64
    }

    /// The rows of `samples` in some columns, where the values of one may be compared with others.
    pub(crate) fn sample_values(&self, column: usize) -> Option<&[f64]> {
        (self.kernel != Kernel::Linear).then(|| self.samples.column(column))
    }
}

checked_when_read!(Broad);

impl Broad {
    fn check(&self) -> Checked {
        length("coefficients of all features", self.coefficients.len(), self.samples.rows)?;
        numbers("weight of all features", &[self.feature_weight], 0.0)?;
        numbers("coefficient of all features", &self.coefficients, f64::MIN)?;
        numbers("bias of all features", &[self.bias], f64::MIN)?;
        match self.reach {
            // Distances are divided by it.
            Some(reach) => numbers("reach of all features", &[reach], f64::MIN_POSITIVE),
            None => Ok(()),
        }
    }
}
