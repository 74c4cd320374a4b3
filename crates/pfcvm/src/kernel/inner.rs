//! The kernels of the weighted inner product: linear, Σ θₖ xₖ zₖ, and polynomial,
//! (1 + Σ θₖ xₖ zₖ)^P.

use crate::Matrix;
use crate::algebra::{Work, for_columns, product, product_nt, transpose_times_vector};
use crate::sparse::Sparse;

/// Σ θₖ xₖ zₖ.
pub(super) fn products(x: &Matrix, z: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
    if let Some(sparse) = x.sparse() {
        return of_written(sparse, z, theta);
    }
    let kept: Vec<usize> = (0..theta.len()).filter(|&k| theta[k] != 0.0).collect();
    if 5 * kept.len() < 4 * theta.len() {
        // Leaving out the features of weight 0 pays for the copies.
        let theta: Vec<f64> = kept.iter().map(|&k| theta[k]).collect();
        return products(&x.select_columns(&kept), &z.select_columns(&kept), &theta, work);
    }
    let mut weighted = z.clone();
    for (k, t) in theta.iter().enumerate() {
        weighted.column_mut(k).iter_mut().for_each(|v| *v *= t);
    }
    product_nt(x, &weighted, work)
}

/// Σ θₖ xₖ zₖ from the written cells of x, and of z where that is sparse too.
fn of_written(x: &Sparse, z: &Matrix, theta: &[f64]) -> Matrix {
    let values = match z.sparse().filter(|z| x.goes_with(z)) {
        Some(other) => x.inner_products(other, theta),
        None => {
            let weighted = |j: usize| theta.iter().enumerate().map(move |(k, t)| t * z.get(j, k));
            (0..z.rows()).flat_map(|j| x.times(&Vec::from_iter(weighted(j)))).collect()
        }
    };
    Matrix::from_column_major(x.rows(), z.rows(), values)
}

/// (1 + Σ θₖ xₖ zₖ)^P.
pub(super) fn polynomial(
    x: &Matrix,
    z: &Matrix,
    theta: &[f64],
    degree: u32,
    work: &mut Work,
) -> Matrix {
    let mut k = products(x, z, theta, work);
    k.as_mut_slice().iter_mut().for_each(|v| *v = (1.0 + *v).powi(degree as i32));
    k
}

/// Dᵢₖ = xᵢₖ Σⱼ vⱼ zⱼₖ: every row has the same factor, so one matrix-vector product is enough.
pub(super) fn linear_derivative(x: &Matrix, z: &Matrix, v: &[f64], work: &Work) -> Matrix {
    let factor = transpose_times_vector(z, v, work);
    if let Some(sparse) = x.sparse() {
        let times = |k: usize| {
            let factor = factor[k];
            move |value: f64| value * factor
        };
        return Matrix::of_sparse(x.rows(), sparse.made(&Vec::from_iter(0..x.cols()), times));
    }
    let mut d = Matrix::zeros(x.rows(), x.cols());
    for_columns(&mut d, work, |k, d| {
        d.iter_mut().zip(x.column(k)).for_each(|(d, x)| *d = x * factor[k]);
    });
    d
}

/// P base^(P−1), where base = 1 + Σ θₖ xₖ zₖ. The base is computed again because an even power
/// has lost its sign.
pub(super) fn polynomial_slopes(
    x: &Matrix,
    z: &Matrix,
    theta: &[f64],
    degree: u32,
    work: &mut Work,
) -> Matrix {
    let mut slopes = products(x, z, theta, work);
    let order = f64::from(degree);
    let slope = |base: f64| order * (1.0 + base).powi(degree as i32 - 1);
    slopes.as_mut_slice().iter_mut().for_each(|base| *base = slope(*base));
    slopes
}

/// Dᵢₖ = xᵢₖ Σⱼ slopeᵢⱼ vⱼ zⱼₖ.
///
/// The paper writes base^(P−1) as φ^((P−1)/P) with the label's sign inside φ, which is not real
/// for negative labels; the sign belongs in v.
pub(super) fn polynomial_derivative(
    x: &Matrix,
    z: &Matrix,
    slopes: &Matrix,
    v: &[f64],
    work: &mut Work,
) -> Matrix {
    let right = Matrix::from_fn(z.rows(), z.cols(), |j, k| v[j] * z.get(j, k));
    let mut d = product(slopes, &right, work);
    for k in 0..d.cols() {
        for (d, x) in d.column_mut(k).iter_mut().zip(x.column(k)) {
            *d *= x;
        }
    }
    d
}
