//! Dense linear algebra: the only module that names the backend.
//!
//! Every product gives the same bits for any number of threads: the backend splits the output,
//! never a sum (`tests/threads.rs` holds it to that).

use crate::Matrix;
use crate::stop::Stop;
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::{evd, matmul, triangular_inverse, triangular_solve};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Products below this many operations are faster on one thread.
const PARALLEL_FROM: f64 = 4e7;
/// Results narrower than this are not worth sharing out.
const SHARED_FROM: usize = 128;
/// Rows (or columns) a thread takes at a time in a matrix-vector product.
const VECTOR_CHUNK: usize = 256;

/// What the algebra of one fit may use, and what it has used.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Whether large products may use several threads.
    pub parallel: bool,
    /// Floating-point operations in matrix products and factorisations.
    pub flops: f64,
    /// Largest relative jitter that a factorisation needed.
    pub jitter: f64,
    /// What ends it: looked at before everything that may take long.
    pub stop: Option<Stop>,
}

impl Work {
    /// Nothing used yet.
    pub fn new(parallel: bool) -> Self {
        Self { parallel, ..Self::default() }
    }

    /// The same on one thread, nothing used yet.
    pub(crate) fn alone(&self) -> Self {
        Self { stop: self.stop.clone(), ..Self::default() }
    }

    /// Does something for each of several machines, side by side where threads may be used: each then
    /// works alone.
    pub(crate) fn each<T: Send>(
        &mut self,
        count: usize,
        task: impl Fn(usize, &mut Work) -> T + Sync,
    ) -> Vec<T> {
        if count == 1 || !self.parallel {
            return (0..count).map(|at| task(at, self)).collect();
        }
        let one = |at: usize| {
            let mut own = self.alone();
            let done = task(at, &mut own);
            (done, own.flops, own.jitter)
        };
        let done: Vec<(T, f64, f64)> =
            (0..count).into_par_iter().with_max_len(1).map(one).collect();
        done.into_iter()
            .map(|(done, flops, jitter)| {
                self.flops += flops;
                self.jitter = self.jitter.max(jitter);
                done
            })
            .collect()
    }

    /// Leaves if nobody wants the work any more.
    fn check(&self) {
        if let Some(stop) = &self.stop {
            stop.check();
        }
    }

    /// Counts the operations and decides how they are run. `width` is the smaller side of the
    /// result, which is what threads share out.
    fn run(&mut self, flops: f64, width: usize) -> Par {
        self.check();
        self.flops += flops;
        if self.threads_pay(flops) && width >= SHARED_FROM { Par::rayon(0) } else { Par::Seq }
    }

    pub(crate) fn threads_pay(&self, flops: f64) -> bool {
        self.parallel && flops >= PARALLEL_FROM
    }
}

fn view(a: &Matrix) -> MatRef<'_, f64> {
    MatRef::from_column_major_slice(a.as_slice(), a.rows(), a.cols())
}

fn view_mut(a: &mut Matrix) -> MatMut<'_, f64> {
    let (rows, cols) = (a.rows(), a.cols());
    MatMut::from_column_major_slice_mut(a.as_mut_slice(), rows, cols)
}

fn product_flops(m: usize, n: usize, k: usize) -> f64 {
    2.0 * m as f64 * n as f64 * k as f64
}

/// The row of a matrix twice, if it has but one, for products whose bits do not depend on the rows
/// beside a row: a single one would go through another part of the backend, which rounds differently.
fn single_row_twice(a: &Matrix) -> Option<Matrix> {
    (a.rows() == 1).then(|| a.select_rows(&[0, 0]))
}

/// A B. A row of A has the same bits whatever rows are beside it.
pub fn product(a: &Matrix, b: &Matrix, work: &mut Work) -> Matrix {
    if let Some(twice) = single_row_twice(a) {
        return product(&twice, b, work).row_range(0, 1);
    }
    let mut out = Matrix::zeros(a.rows(), b.cols());
    let par = work.run(product_flops(a.rows(), b.cols(), a.cols()), a.rows().min(b.cols()));
    matmul::matmul(view_mut(&mut out), Accum::Replace, view(a), view(b), 1.0, par);
    out
}

/// A Bᵀ. A row of A has the same bits whatever rows are beside it.
pub fn product_nt(a: &Matrix, b: &Matrix, work: &mut Work) -> Matrix {
    if let Some(twice) = single_row_twice(a) {
        return product_nt(&twice, b, work).row_range(0, 1);
    }
    let mut out = Matrix::zeros(a.rows(), b.rows());
    let par = work.run(product_flops(a.rows(), b.rows(), a.cols()), a.rows().min(b.rows()));
    matmul::matmul(view_mut(&mut out), Accum::Replace, view(a), view(b).transpose(), 1.0, par);
    out
}

/// Aᵀ B.
pub fn product_tn(a: &Matrix, b: &Matrix, work: &mut Work) -> Matrix {
    let mut out = Matrix::zeros(a.cols(), b.cols());
    let par = work.run(product_flops(a.cols(), b.cols(), a.rows()), a.cols().min(b.cols()));
    matmul::matmul(view_mut(&mut out), Accum::Replace, view(a).transpose(), view(b), 1.0, par);
    out
}

/// Adds AᵀA to the lower triangle of `target`.
pub fn add_gram(target: &mut Matrix, a: &Matrix, work: &mut Work) {
    let par = work.run(product_flops(a.cols(), a.cols(), a.rows()) / 2.0, a.cols());
    triangular::matmul(
        view_mut(target),
        BlockStructure::TriangularLower,
        Accum::Add,
        view(a).transpose(),
        BlockStructure::Rectangular,
        view(a),
        BlockStructure::Rectangular,
        1.0,
        par,
    );
}

/// The lower triangle of A Aᵀ.
pub fn outer_gram(a: &Matrix, work: &mut Work) -> Matrix {
    let mut out = Matrix::zeros(a.rows(), a.rows());
    let par = work.run(product_flops(a.rows(), a.rows(), a.cols()) / 2.0, a.rows());
    triangular::matmul(
        view_mut(&mut out),
        BlockStructure::TriangularLower,
        Accum::Replace,
        view(a),
        BlockStructure::Rectangular,
        view(a).transpose(),
        BlockStructure::Rectangular,
        1.0,
        par,
    );
    out
}

/// A v. Rows are dealt out in fixed chunks, so the bits do not depend on the threads.
pub fn times_vector(a: &Matrix, v: &[f64], work: &Work) -> Vec<f64> {
    if let Some(sparse) = a.sparse() {
        return sparse.times(v);
    }
    let mut out = vec![0.0; a.rows()];
    let chunk = |(c, out): (usize, &mut [f64])| {
        let start = c * VECTOR_CHUNK;
        let part = view(a).subrows(start, out.len());
        let vector = MatRef::from_column_major_slice(v, v.len(), 1);
        let len = out.len();
        let target = MatMut::from_column_major_slice_mut(out, len, 1);
        matmul::matmul(target, Accum::Replace, part, vector, 1.0, Par::Seq);
    };
    for_chunks(&mut out, a, work, chunk);
    out
}

/// Aᵀ v.
pub fn transpose_times_vector(a: &Matrix, v: &[f64], work: &Work) -> Vec<f64> {
    if let Some(sparse) = a.sparse() {
        return sparse.transpose_times(v);
    }
    let mut out = vec![0.0; a.cols()];
    let chunk = |(c, out): (usize, &mut [f64])| {
        let start = c * VECTOR_CHUNK;
        let part = view(a).subcols(start, out.len());
        let vector = MatRef::from_column_major_slice(v, v.len(), 1);
        let len = out.len();
        let target = MatMut::from_column_major_slice_mut(out, len, 1);
        matmul::matmul(target, Accum::Replace, part.transpose(), vector, 1.0, Par::Seq);
    };
    for_chunks(&mut out, a, work, chunk);
    out
}

fn for_chunks(
    out: &mut [f64],
    a: &Matrix,
    work: &Work,
    chunk: impl Fn((usize, &mut [f64])) + Sync + Send,
) {
    work.check();
    // A matrix-vector product is bound by memory: threads pay later than for matrix products.
    if work.threads_pay(40.0 * a.rows() as f64 * a.cols() as f64) {
        out.par_chunks_mut(VECTOR_CHUNK).enumerate().for_each(chunk);
    } else {
        out.chunks_mut(VECTOR_CHUNK).enumerate().for_each(chunk);
    }
}

/// Does something to every column, on several threads where that pays.
pub fn for_columns(
    matrix: &mut Matrix,
    work: &Work,
    column: impl Fn(usize, &mut [f64]) + Sync + Send,
) {
    work.check();
    let rows = matrix.rows().max(1);
    // About 25 operations' worth of time for each value that comes from memory and goes back.
    let pays = work.threads_pay(25.0 * (rows * matrix.cols()) as f64);
    let values = matrix.as_mut_slice();
    if pays {
        values.par_chunks_mut(rows).enumerate().for_each(|(j, values)| column(j, values));
    } else {
        values.chunks_mut(rows).enumerate().for_each(|(j, values)| column(j, values));
    }
}

/// target + factor · column.
pub fn add_scaled(target: &mut [f64], column: &[f64], factor: f64) {
    target.iter_mut().zip(column).for_each(|(t, v)| *t += factor * v);
}

/// The lower Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// Factors a matrix given by its lower triangle. Where rounding has made it indefinite, a
    /// growing multiple of the mean diagonal is added and reported in `work.jitter`. Nothing if
    /// the matrix holds a value that is not finite.
    pub fn new(mut matrix: Matrix, work: &mut Work) -> Option<Self> {
        let n = matrix.rows();
        let mean = (0..n).map(|i| matrix.get(i, i)).sum::<f64>() / n.max(1) as f64;
        if !mean.is_finite() {
            return None;
        }
        // What a factorisation that fails has written over.
        let mut given = Vec::with_capacity(n * (n + 1) / 2);
        (0..n).for_each(|j| given.extend_from_slice(&matrix.column(j)[j..]));
        let mut jitter = 0.0;
        loop {
            if factor(&mut matrix, work) {
                work.jitter = work.jitter.max(jitter);
                return Some(Self { lower: matrix });
            }
            jitter = if jitter == 0.0 { 1e-14 } else { jitter * 100.0 };
            if jitter >= 1.0 {
                return None;
            }
            let mut rest = &given[..];
            for j in 0..n {
                let (own, others) = rest.split_at(n - j);
                rest = others;
                let column = &mut matrix.column_mut(j)[j..];
                column.copy_from_slice(own);
                column[0] += jitter * mean;
            }
        }
    }

    /// log|L Lᵀ|.
    pub fn log_det(&self) -> f64 {
        2.0 * (0..self.lower.rows()).map(|i| self.lower.get(i, i).ln()).sum::<f64>()
    }

    /// L v.
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; v.len()];
        for (j, v) in v.iter().enumerate() {
            add_scaled(&mut out[j..], &self.lower.column(j)[j..], *v);
        }
        out
    }

    /// Solves L Lᵀ x = b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        self.backward(&self.forward(b))
    }

    /// L⁻¹ b.
    pub fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        let n = x.len();
        let target = MatMut::from_column_major_slice_mut(&mut x, n, 1);
        triangular_solve::solve_lower_triangular_in_place(view(&self.lower), target, Par::Seq);
        x
    }

    /// L⁻ᵀ b.
    pub fn backward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        let n = x.len();
        let target = MatMut::from_column_major_slice_mut(&mut x, n, 1);
        let upper = view(&self.lower).transpose();
        triangular_solve::solve_upper_triangular_in_place(upper, target, Par::Seq);
        x
    }

    /// L⁻¹ B.
    pub fn half_solve(&self, b: &Matrix, work: &mut Work) -> Matrix {
        let mut x = b.clone();
        let par = work.run(product_flops(b.rows(), b.cols(), b.rows()) / 2.0, b.rows());
        triangular_solve::solve_lower_triangular_in_place(view(&self.lower), view_mut(&mut x), par);
        x
    }

    /// A L⁻ᵀ in the place of A.
    pub fn half_solve_rows(&self, a: &mut Matrix, work: &mut Work) {
        let par = work.run(product_flops(a.rows(), a.cols(), a.cols()) / 2.0, a.cols());
        let target = view_mut(a).transpose_mut();
        triangular_solve::solve_lower_triangular_in_place(view(&self.lower), target, par);
    }

    /// L⁻ᵀ B.
    pub fn half_solve_transposed(&self, b: &Matrix, work: &mut Work) -> Matrix {
        let mut x = b.clone();
        let par = work.run(product_flops(b.rows(), b.cols(), b.rows()) / 2.0, b.rows());
        let upper = view(&self.lower).transpose();
        triangular_solve::solve_upper_triangular_in_place(upper, view_mut(&mut x), par);
        x
    }

    /// L; what stands above the diagonal is not part of it.
    pub fn lower(&self) -> &Matrix {
        &self.lower
    }

    /// L⁻¹ (lower triangular).
    pub fn inverse_factor(&self, work: &mut Work) -> Matrix {
        let n = self.lower.rows();
        let mut inverse = Matrix::zeros(n, n);
        let par = work.run((n as f64).powi(3) / 3.0, n);
        triangular_inverse::invert_lower_triangular(view_mut(&mut inverse), view(&self.lower), par);
        inverse
    }
}

/// Eigenvalues, ascending, and eigenvectors of a symmetric matrix, on one thread; nothing where the
/// iteration does not settle.
pub fn eigen(matrix: &Matrix) -> Option<(Vec<f64>, Matrix)> {
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

fn factor(lower: &mut Matrix, work: &mut Work) -> bool {
    let n = lower.rows();
    let par = work.run((n as f64).powi(3) / 3.0, n);
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(n, par, Default::default()));
    let stack = MemStack::new(&mut memory);
    let target = view_mut(lower);
    cholesky_in_place(target, Default::default(), par, stack, Default::default()).is_ok()
        && (0..n).all(|i| lower.get(i, i).is_finite())
}
