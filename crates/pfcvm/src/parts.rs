//! Old names of what `algebra`, `posterior`, `kernel`, `data` and `Model` now hold. To be removed.

pub use crate::algebra::{
    Cholesky, Work, add_gram, exp_of_distances, log_sigmoid, moderated_all, normal_tails,
    outer_gram, product, product_nt, product_tn, sigmoid, times_vector, transpose_times_vector,
};
pub use crate::posterior::{Columns, Likelihood, Precision};

use crate::{Covariance, Dataset, Error, Kernel, Matrix, Model, Scaler, data};

/// What a model predicts with, for those who write it down in another language.
pub struct Inside<'a> {
    /// The kept samples in the kept features, scaled.
    pub sample_values: &'a Matrix,
    /// ±1 for the class of each.
    pub sample_signs: &'a [f64],
    /// Of the bias and the sample weights.
    pub sample_covariance: Spread<'a>,
    /// Of the feature weights.
    pub feature_covariance: Spread<'a>,
    /// What is subtracted from each kept feature.
    pub centre: Vec<f64>,
    /// What each is then divided by.
    pub scale: Vec<f64>,
    /// Scaled values beyond this are taken as this.
    pub largest: f64,
}

/// A covariance RᵀR, or diag(prior) − RᵀR, plus ggᵀ for every direction g.
pub struct Spread<'a> {
    /// Variances of the prior, if the covariance is less than it.
    pub prior: Option<&'a [f64]>,
    /// R.
    pub root: &'a Matrix,
    /// Every g.
    pub directions: &'a [Vec<f64>],
}

impl<'a> Inside<'a> {
    /// Of a model.
    pub fn of(model: &'a Model) -> Self {
        let spread = |covariance: &'a Covariance| Spread {
            prior: covariance.prior.as_deref(),
            root: &covariance.root,
            directions: &covariance.free,
        };
        let kept = |values: &[f64]| model.positions.iter().map(|&k| values[k]).collect();
        Self {
            sample_values: &model.z,
            sample_signs: &model.signs,
            sample_covariance: spread(&model.sample_covariance),
            feature_covariance: spread(&model.feature_covariance),
            centre: kept(&model.scaler.centre),
            scale: kept(&model.scaler.scale),
            largest: data::LARGEST_SCALED,
        }
    }
}

/// [`Model::in_rows`].
pub fn in_rows(model: Model, rows: &[usize]) -> Model {
    model.in_rows(rows)
}

/// [`Kernel::values`].
pub fn kernel_values(
    kernel: Kernel,
    x: &Matrix,
    z: &Matrix,
    theta: &[f64],
    work: &mut Work,
) -> Matrix {
    kernel.values(x, z, theta, work)
}

/// [`Kernel::derivative`] with [`Kernel::slopes`].
pub fn kernel_derivative(
    kernel: Kernel,
    (x, z): (&Matrix, &Matrix),
    theta: &[f64],
    values: &Matrix,
    v: &[f64],
    work: &mut Work,
) -> Matrix {
    let slopes = kernel.slopes(x, z, theta, values, work);
    kernel.derivative(x, z, &slopes, v, work)
}

/// [`Scaler::fit`].
pub fn fit_scaler(x: &Matrix, standardise: bool) -> Result<Scaler, Error> {
    Scaler::fit(x, standardise)
}

/// [`Scaler::apply_columns`].
pub fn apply_scaler(scaler: &Scaler, x: &Matrix, positions: &[usize]) -> Matrix {
    scaler.apply_columns(x, positions)
}

/// [`Scaler::check_rows`].
pub fn check_rows(scaler: &Scaler, x: &Matrix) -> Result<(), Error> {
    scaler.check_rows(x)
}

/// [`Dataset::check_classes`].
pub fn check_classes(data: &Dataset, needed: usize) -> Result<(), Error> {
    data.check_classes(needed)
}

/// [`Dataset::basis_candidates`].
pub fn basis_candidates(data: &Dataset, max_basis: usize, seed: u64) -> Vec<usize> {
    data.basis_candidates(max_basis, seed)
}
