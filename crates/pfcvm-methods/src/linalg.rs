//! The core's algebra on one thread, which is all that a fit of this crate uses.

use crate::stop;
use pfcvm::Matrix;
use pfcvm::algebra;

/// A B.
pub(crate) fn product(a: &Matrix, b: &Matrix) -> Matrix {
    algebra::product(a, b, &mut stop::work())
}

/// A Bᵀ.
pub(crate) fn product_nt(a: &Matrix, b: &Matrix) -> Matrix {
    algebra::product_nt(a, b, &mut stop::work())
}

/// Aᵀ B.
pub(crate) fn product_tn(a: &Matrix, b: &Matrix) -> Matrix {
    algebra::product_tn(a, b, &mut stop::work())
}

/// The lower triangle of A Aᵀ.
pub(crate) fn outer_gram(a: &Matrix) -> Matrix {
    algebra::outer_gram(a, &mut stop::work())
}

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix; nothing where the iteration
/// does not settle.
pub(crate) fn eigen(matrix: &Matrix) -> Option<(Vec<f64>, Matrix)> {
    stop::check();
    algebra::eigen(matrix)
}

/// ‖a − b‖² for each row a of the one and b of the other.
pub(crate) fn squared_distances(a: &Matrix, b: &Matrix) -> Matrix {
    let (first, second) = (squared_norms(a), squared_norms(b));
    let mut distances = product_nt(a, b);
    for (j, second) in second.iter().enumerate() {
        let column = distances.column_mut(j).iter_mut();
        column.zip(&first).for_each(|(d, first)| *d = (first + second - 2.0 * *d).max(0.0));
    }
    distances
}

fn squared_norms(x: &Matrix) -> Vec<f64> {
    let mut norms = vec![0.0; x.rows()];
    for column in x.columns() {
        norms.iter_mut().zip(column).for_each(|(norm, value)| *norm += value * value);
    }
    norms
}

/// The lower Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky(algebra::Cholesky);

impl Cholesky {
    /// Factors a matrix given by its lower triangle; nothing where that cannot be done.
    pub fn new(matrix: &Matrix) -> Option<Self> {
        algebra::Cholesky::new(matrix.clone(), &mut stop::work()).map(Self)
    }

    /// Solves L Lᵀ X = B.
    pub fn solve(&self, b: &Matrix) -> Matrix {
        self.half_solve_transposed(&self.half_solve(b))
    }

    /// L⁻¹ B.
    pub fn half_solve(&self, b: &Matrix) -> Matrix {
        self.0.half_solve(b, &mut stop::work())
    }

    /// L⁻ᵀ B.
    pub fn half_solve_transposed(&self, b: &Matrix) -> Matrix {
        self.0.half_solve_transposed(b, &mut stop::work())
    }

    /// Column j of L; what stands above the diagonal is not part of it.
    pub fn column(&self, j: usize) -> &[f64] {
        self.0.lower().column(j)
    }
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
        let x = Cholesky::new(&s).unwrap().solve(&a);
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
