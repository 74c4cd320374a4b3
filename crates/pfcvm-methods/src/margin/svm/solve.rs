//! The dual of the support vector machine, solved by LIBSVM's algorithm on a matrix of kernel
//! values.

use crate::stop;
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
        self.solve_from(rows, None)
    }

    /// As [`Dual::solve`], starting from the coefficients of a dual with the same bounds. The end is
    /// the same within the tolerance.
    pub fn solve_from(&self, rows: &[usize], start: Option<&[f64]>) -> Solution {
        libsvm_rs::set_quiet(true);
        // The order of scikit-learn: the negative class first, and it is the one of sign +1 in
        // LIBSVM's eyes. Another order stops at another point within the tolerance.
        let of_class = |class| rows.iter().copied().filter(move |&row| self.positive[row] == class);
        let ordered = of_class(false).chain(of_class(true));
        let order =
            Vec::from_iter(ordered.flat_map(|row| std::iter::repeat_n(row, self.copies[row])));
        let signs =
            Vec::from_iter(order.iter().map(|&row| if self.positive[row] { -1i8 } else { 1 }));
        let [negative, positive] = self.bounds;
        let bound = |row: usize| if self.positive[row] { positive } else { negative };
        let share = |row: usize, start: &[f64]| {
            (start[row].abs() / self.copies[row] as f64).min(bound(row))
        };
        let first = |&row: &usize| start.map_or(0.0, |start| share(row, start));
        let mut alpha = Vec::from_iter(order.iter().map(first));
        let end = Solver::solve(
            SolverVariant::Standard,
            order.len(),
            Box::new(Signed::new(self.gram, order.clone(), signs.clone())),
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
    /// In the present order; empty until it is asked for.
    rows: Vec<Vec<Qfloat>>,
}

impl<'a> Signed<'a> {
    fn new(gram: &'a Matrix, order: Vec<usize>, signs: Vec<i8>) -> Self {
        // In the solver's single precision, as the other values: else the distance of a sample from
        // its copy, a sum of three of them, is not 0, and the steps may go round in circles.
        let single = |&row: &usize| f64::from(gram.get(row, row) as Qfloat);
        let diagonal = order.iter().map(single).collect();
        let rows = vec![Vec::new(); order.len()];
        Self { gram, order, signs, diagonal, rows }
    }
}

impl QMatrix for Signed<'_> {
    fn get_q(&mut self, i: usize, len: usize) -> &[Qfloat] {
        // The solver has no other way out.
        stop::check();
        if self.rows[i].is_empty() {
            let column = self.gram.column(self.order[i]);
            let sign = self.signs[i];
            let others = self.order.iter().zip(&self.signs);
            let value =
                |(&row, &other): (&usize, &i8)| (f64::from(sign * other) * column[row]) as Qfloat;
            self.rows[i] = others.map(value).collect();
        }
        &self.rows[i][..len]
    }

    fn get_qd(&self) -> &[f64] {
        &self.diagonal
    }

    fn swap_index(&mut self, i: usize, j: usize) {
        self.order.swap(i, j);
        self.signs.swap(i, j);
        self.diagonal.swap(i, j);
        self.rows.swap(i, j);
        self.rows.iter_mut().filter(|row| !row.is_empty()).for_each(|row| row.swap(i, j));
    }
}
