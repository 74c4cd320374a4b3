//! k(x, z) = exp(−Σ θₖ (xₖ − zₖ)²).

use crate::Matrix;
use crate::algebra::{
    Work, add_squares, exp_of_distances, fill_parabola, for_columns, product, product_nt,
};

/// Squared distances by one matrix product: Σ θₖ(xₖ−zₖ)² = Σ θₖxₖ² + Σ θₖzₖ² − 2 Σ θₖxₖzₖ.
pub(super) fn values(x: &Matrix, z: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
    let weighted = scale_columns(z, theta);
    let mut k = product_nt(x, &weighted, work);
    let a = weighted_squares(x, theta);
    let b = weighted_squares(z, theta);
    for_columns(&mut k, work, |j, column| exp_of_distances(column, &a, b[j]));
    k
}

/// Dᵢₖ = −Σⱼ vⱼ kᵢⱼ (xᵢₖ − zⱼₖ)², with P = K diag(v):
/// D = −[x² ∘ (P 1) − 2 x ∘ (P Z) + P Z²].
pub(super) fn derivative(
    x: &Matrix,
    z: &Matrix,
    values: &Matrix,
    v: &[f64],
    work: &mut Work,
) -> Matrix {
    let m = z.cols();
    // The weights go into the small factor: K [v, vZ, vZ²] in one product.
    let mut right = Matrix::zeros(z.rows(), 2 * m + 1);
    right.column_mut(0).copy_from_slice(v);
    for (k, z) in z.columns().enumerate() {
        right.column_mut(1 + k).iter_mut().zip(z).zip(v).for_each(|((r, z), v)| *r = v * z);
        right.column_mut(1 + m + k).iter_mut().zip(z).zip(v).for_each(|((r, z), v)| *r = v * z * z);
    }
    let pz = product(values, &right, work);
    let mut d = Matrix::zeros(x.rows(), m);
    let p1 = pz.column(0);
    for_columns(&mut d, work, |k, d| {
        fill_parabola(d, x.column(k), p1, pz.column(1 + k), pz.column(1 + m + k));
    });
    d
}

fn scale_columns(z: &Matrix, theta: &[f64]) -> Matrix {
    let mut out = z.clone();
    for (k, t) in theta.iter().enumerate() {
        out.column_mut(k).iter_mut().for_each(|v| *v *= t);
    }
    out
}

fn weighted_squares(x: &Matrix, theta: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; x.rows()];
    for (column, t) in x.columns().zip(theta) {
        add_squares(&mut sums, column, *t);
    }
    sums
}
