//! The dual of the support vector machine, solved by LIBSVM's algorithm on a matrix of kernel
//! values.

use libsvm_rs::cache::Qfloat;
use libsvm_rs::qmatrix::QMatrix;
use libsvm_rs::solver::{Solver, SolverVariant};
use pfcvm::Matrix;

/// What the dual is made of.
pub(crate) struct Dual<'a> {
    /// Kernel values between all samples.
    pub gram: &'a Matrix,
    pub positive: &'a [bool],
    /// How often each sample counts.
    pub copies: &'a [usize],
    /// The bound C for the negative and for the positive class.
    pub bounds: [f64; 2],
    pub tolerance: f64,
}

/// f(x) = Σ coefficient k(x, xᵢ) + offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solution {
    /// yᵢ αᵢ, beside the samples of the matrix.
    pub coefficients: Vec<f64>,
    pub offset: f64,
    /// ½ ‖w‖² + Σ C hinge at its least: minus the objective of the dual.
    pub objective: f64,
}

impl Dual<'_> {
    /// Solves for the samples `rows` alone, which must hold both classes; coefficients of the
    /// others are 0.
    pub fn solve(&self, rows: &[usize]) -> Solution {
        libsvm_rs::set_quiet(true);
        // The order of scikit-learn: the negative class first, and it is the one of sign +1 in
        // LIBSVM's eyes. Another order stops at another point within the tolerance.
        let of_class = |class| rows.iter().copied().filter(move |&row| self.positive[row] == class);
        let ordered = of_class(false).chain(of_class(true));
        let order =
            Vec::from_iter(ordered.flat_map(|row| std::iter::repeat_n(row, self.copies[row])));
        let signs =
            Vec::from_iter(order.iter().map(|&row| if self.positive[row] { -1i8 } else { 1 }));
        // In the solver's single precision, as the other values: else the distance of a sample from
        // its copy, a sum of three of them, is not 0, and the steps may go round in circles.
        let single = |row: usize| f64::from(self.gram.get(row, row) as Qfloat);
        let diagonal = order.iter().map(|&row| single(row)).collect();
        let matrix = Signed {
            gram: self.gram,
            order: order.clone(),
            signs: signs.clone(),
            diagonal,
            row: Vec::new(),
        };
        let mut alpha = vec![0.0; order.len()];
        let [negative, positive] = self.bounds;
        let end = Solver::solve(
            SolverVariant::Standard,
            order.len(),
            Box::new(matrix),
            &vec![-1.0; order.len()],
            &signs,
            &mut alpha,
            negative,
            positive,
            self.tolerance,
            true,
        );
        let mut coefficients = vec![0.0; self.gram.rows()];
        for ((&row, &sign), alpha) in order.iter().zip(&signs).zip(alpha) {
            coefficients[row] -= f64::from(sign) * alpha;
        }
        Solution { coefficients, offset: end.rho, objective: -end.obj }
    }
}

/// Q = yᵢ yⱼ k(xᵢ, xⱼ), in an order that the solver changes.
struct Signed<'a> {
    gram: &'a Matrix,
    order: Vec<usize>,
    signs: Vec<i8>,
    diagonal: Vec<f64>,
    row: Vec<Qfloat>,
}

impl QMatrix for Signed<'_> {
    fn get_q(&mut self, i: usize, len: usize) -> &[Qfloat] {
        let column = self.gram.column(self.order[i]);
        let sign = self.signs[i];
        self.row.clear();
        let others = self.order[..len].iter().zip(&self.signs);
        self.row
            .extend(others.map(|(&row, &other)| (f64::from(sign * other) * column[row]) as Qfloat));
        &self.row
    }

    fn get_qd(&self) -> &[f64] {
        &self.diagonal
    }

    fn swap_index(&mut self, i: usize, j: usize) {
        self.order.swap(i, j);
        self.signs.swap(i, j);
        self.diagonal.swap(i, j);
    }
}
