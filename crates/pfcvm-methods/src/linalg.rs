//! Dense linear algebra on one thread: the only module that names the backend.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::{evd, matmul, triangular_solve};
use faer::{Accum, MatMut, MatRef, Par};
use pfcvm::Matrix;

fn view(a: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(a.as_slice(), a.rows(), a.cols())
}

fn view_mut(a: &mut Matrix) -> MatMut<'_, f64> {
    let (rows, cols) = (a.rows(), a.cols());
    MatMut::from_column_major_slice_mut(a.as_mut_slice(), rows, cols)
}

fn multiply(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Matrix {
    let mut out = Matrix::zeros(a.nrows(), b.ncols());
    matmul::matmul(view_mut(&mut out), Accum::Replace, a, b, 1.0, Par::Seq);
    out
}

/// A B.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    multiply(view(a), view(b))
}

/// A Bᵀ.
pub(crate) fn product_nt(a: &Matrix, b: &Matrix) -> Matrix {
    multiply(view(a), view(b).transpose())
}

/// Aᵀ B.
pub(crate) fn product_tn(a: &Matrix, b: &Matrix) -> Matrix {
    multiply(view(a).transpose(), view(b))
}

/// The lower triangle of A Aᵀ.
pub(crate) fn outer_gram(a: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(a.rows(), a.rows());
    triangular::matmul(
        view_mut(&mut out),
        BlockStructure::TriangularLower,
        Accum::Replace,
        view(a),
        BlockStructure::Rectangular,
        view(a).transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
    out
}

/// The lower Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// Factors a matrix given by its lower triangle. Where rounding has made it indefinite, a
    /// growing multiple of the mean diagonal is added. Nothing if it holds a value that is not
    /// finite, or is far from positive definite.
    pub fn new(matrix: &Matrix) -> Option<Self> {
        let n = matrix.rows();
        let mean = (0..n).map(|i| matrix.get(i, i)).sum::<f64>() / n.max(1) as f64;
        let jitters = std::iter::once(0.0).chain((0..5).map(|step| 1e-14 * 100f64.powi(step)));
        if !mean.is_finite() {
            return None;
        }
        for jitter in jitters {
            let mut lower = matrix.clone();
            (0..n).for_each(|i| lower.set(i, i, matrix.get(i, i) + jitter * mean));
            if factor(&mut lower) {
                return Some(Self(lower));
            }
        }
        None
    }

    /// Solves L Lᵀ X = B.
    pub fn solve(&self, b: &Matrix) -> Matrix {
        let mut x = b.clone();
        let lower = view(&self.0);
        triangular_solve::solve_lower_triangular_in_place(lower, view_mut(&mut x), Par::Seq);
        let upper = lower.transpose();
        triangular_solve::solve_upper_triangular_in_place(upper, view_mut(&mut x), Par::Seq);
        x
    }

    /// L⁻¹ B.
    pub fn half_solve(&self, b: &Matrix) -> Matrix {
        let mut x = b.clone();
        let lower = view(&self.0);
        triangular_solve::solve_lower_triangular_in_place(lower, view_mut(&mut x), Par::Seq);
        x
    }

    /// L⁻ᵀ B.
    pub fn half_solve_transposed(&self, b: &Matrix) -> Matrix {
        let mut x = b.clone();
        let upper = view(&self.0).transpose();
        triangular_solve::solve_upper_triangular_in_place(upper, view_mut(&mut x), Par::Seq);
        x
    }

    /// Column j of L; what stands above the diagonal is not part of it.
    pub fn column(&self, j: usize) -> &[f64] {
        self.0.column(j)
    }
}

fn factor(lower: &mut Matrix) -> bool {
    let n = lower.rows();
    let need = cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    let target = view_mut(lower);
    cholesky_in_place(target, Default::default(), Par::Seq, stack, Default::default()).is_ok()
        && (0..n).all(|i| lower.get(i, i).is_finite())
}

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix; nothing where the iteration
/// does not settle.
pub(crate) fn eigen(matrix: &Matrix) -> Option<(Vec<f64>, Matrix)> {
    let n = matrix.rows();
    let (mut values, mut vectors) = (vec![0.0; n], Matrix::zeros(n, n));
    let wanted = evd::ComputeEigenvectors::Yes;
    let need = evd::self_adjoint_evd_scratch::<f64>(n, wanted, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(need);
    let done = evd::self_adjoint_evd(
        view(matrix),
        DiagMut::from_slice_mut(&mut values),
        Some(view_mut(&mut vectors)),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    );
    done.ok().map(|()| (values, vectors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_eigenvectors_give_the_matrix_back() {
        let a = Matrix::from_fn(4, 6, |i, j| ((3 * i + 5 * j) % 7) as f64 - 2.0);
        let s = product_nt(&a, &a);
        assert_eq!(product_tn(&s, &a), product(&s, &a));
        (0..4).for_each(|i| assert_eq!(outer_gram(&a).get(3, i), s.get(3, i)));
        let factor = Cholesky::new(&s).unwrap();
        let x = factor.half_solve_transposed(&factor.half_solve(&a));
        assert_eq!(x, factor.solve(&a));
        let back = product(&s, &x);
        let (values, vectors) = eigen(&s).unwrap();
        let scaled = Matrix::from_fn(4, 4, |i, j| vectors.get(i, j) * values[j]);
        let again = product_nt(&scaled, &vectors);
        for i in 0..4 {
            (0..6).for_each(|j| assert!((back.get(i, j) - a.get(i, j)).abs() < 1e-9));
            (0..4).for_each(|j| assert!((again.get(i, j) - s.get(i, j)).abs() < 1e-10));
        }
        assert!(values.is_sorted());
        let singular = Matrix::from_fn(3, 3, |_, _| 1.0);
        assert!(Cholesky::new(&singular).is_some());
        assert!(Cholesky::new(&Matrix::from_fn(2, 2, |_, _| f64::NAN)).is_none());
        assert!(Cholesky::new(&Matrix::from_fn(2, 2, |i, j| i as f64 - j as f64)).is_none());
    }
}
