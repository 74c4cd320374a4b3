//! The pieces that the other crates of this workspace build their methods from. Not part of the
//! interface: anything here may change with any version.

pub use crate::exp::{exp_of_distances, moderated_all};
pub use crate::linalg::{
    Cholesky, Work, add_gram, outer_gram, product, product_nt, product_tn, times_vector,
    transpose_times_vector,
};
pub use crate::normal::normal_tails;
pub use crate::posterior::{Columns, Likelihood, Precision};
pub use crate::special::{log_sigmoid, sigmoid};

use crate::{Covariance, Dataset, Error, Kernel, Matrix, Model, Scaler, candidates, data};

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

/// A model of some rows, with its samples numbered as rows of all data: sample i becomes `rows[i]`.
///
/// # Panics
/// If there are fewer rows than the model was fitted to.
pub fn in_rows(mut model: Model, rows: &[usize]) -> Model {
    model.samples.iter_mut().for_each(|sample| *sample = rows[*sample]);
    model
}

/// k_θ(xᵢ, zⱼ) for every row of `x` and every row of `z`.
pub fn kernel_values(
    kernel: Kernel,
    x: &Matrix,
    z: &Matrix,
    theta: &[f64],
    work: &mut Work,
) -> Matrix {
    kernel.values(x, z, theta, work)
}

/// Adds factor · k(xᵢ, z) of one feature of weight `theta` to each sum.
pub fn add_kernel_of_feature(
    kernel: Kernel,
    sums: &mut [f64],
    x: &[f64],
    z: f64,
    theta: f64,
    factor: f64,
) {
    kernel.add_of_feature(sums, x, z, theta, factor);
}

/// ∂(K v)/∂θ, one row per row of `x`; `values` is what [`kernel_values`] gave.
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

/// Learns which columns vary, and their mean and deviation.
pub fn fit_scaler(x: &Matrix, standardise: bool) -> Result<Scaler, Error> {
    Scaler::fit(x, standardise)
}

/// The varying columns with the given positions among them, shifted and scaled.
pub fn apply_scaler(scaler: &Scaler, x: &Matrix, positions: &[usize]) -> Matrix {
    scaler.apply_rows(x, positions, 0, x.rows())
}

/// Refuses rows that a model with this scaler cannot predict.
pub fn check_rows(scaler: &Scaler, x: &Matrix) -> Result<(), Error> {
    if x.cols() != scaler.inputs() {
        let (what, found) = ("columns to predict from", x.cols());
        return Err(Error::Length { what, found, expected: scaler.inputs() });
    }
    data::check_finite(x)
}

/// Refuses data with fewer than `needed` samples in a class.
pub fn check_classes(data: &Dataset, needed: usize) -> Result<(), Error> {
    data.check_classes(needed)
}

/// The samples that may enter the basis: all, or a draw of them.
pub fn basis_candidates(data: &Dataset, max_basis: usize, seed: u64) -> Vec<usize> {
    candidates::draw(data, max_basis, seed)
}
