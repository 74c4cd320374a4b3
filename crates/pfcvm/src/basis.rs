//! The basis matrix Φ = [1, k_θ(xᵢ, xⱼ) yⱼ] (`eq:df`) and the products the fit needs of it.
//!
//! Only the kernel values are held; the bias column and the label signs are applied on the way.
//! Where even those would be too large they are computed anew, block of rows by block of rows,
//! for every product, so that memory stays at block × n whatever the number of rows.
//!
//! Products of the linear kernel need none of them: Φ w = b + X(θ ∘ Zᵀv), and X stays sparse where it is.
//!
//! Several machines that share θ have a basis each. As long as they lean on the same samples they
//! share the values: what is done to one is done to the others through [`Done`], once.

use crate::Matrix;
use crate::algebra::{self, Work};
use crate::kernel::Kernel;
use crate::spans::{Inputs, Spans};
use std::borrow::Cow;
use std::sync::Arc;

/// Kernel values up to this many bytes are kept between products.
pub(crate) const STORED_BYTES: usize = 256 << 20;
/// Rows per block otherwise, and in every product that needs a scaled copy.
pub(crate) const BLOCK_ROWS: usize = 4096;
/// The same where rows are sparse: what is held of their kernel values should not outweigh them.
const SPARSE_BLOCK_ROWS: usize = 256;
/// Numbers in a matrix of absent features that are looked at together: there may be many more of them
/// than samples, and each is set against all that are kept.
pub(crate) const ABSENT_NUMBERS: usize = 1 << 22;

/// Columns y_j k_θ(·, x_j) for the kept samples over all rows, after a column of ones.
pub(crate) struct Basis {
    kernel: Kernel,
    /// All rows, kept features.
    x: Arc<Matrix>,
    /// Kept samples, kept features.
    z: Arc<Matrix>,
    /// The columns of each kept feature in `x` and `z`.
    spans: Spans,
    /// ±1 for each kept sample.
    signs: Vec<f64>,
    /// One for each kept feature.
    theta: Vec<f64>,
    /// k(xᵢ, zⱼ), where it is kept.
    stored: Option<Arc<Matrix>>,
    /// Up to how many bytes it is.
    most_bytes: usize,
}

/// What was done to a matrix before: for those who share it.
#[derive(Default)]
pub(crate) struct Done(Vec<(Arc<Matrix>, Arc<Matrix>)>);

impl Done {
    /// What becomes of a matrix, made once.
    fn once(&mut self, old: &Arc<Matrix>, make: impl FnOnce() -> Matrix) -> Arc<Matrix> {
        if let Some((_, new)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, old)) {
            return new.clone();
        }
        let new = Arc::new(make());
        self.0.push((old.clone(), new.clone()));
        new
    }
}

impl Basis {
    /// With up to `most_bytes` of kernel values kept.
    pub fn new(
        most_bytes: usize,
        kernel: Kernel,
        x: Inputs,
        samples: &[usize],
        (signs, theta): (Vec<f64>, Vec<f64>),
        work: &mut Work,
    ) -> Self {
        let Inputs { values: x, spans } = x;
        let (z, x) = (Arc::new(x.select_rows(samples)), Arc::new(x));
        let mut basis = Self { kernel, x, z, spans, signs, theta, stored: None, most_bytes };
        basis.store(&mut Done::default(), work);
        basis
    }

    /// The same samples with other signs.
    pub fn with_signs(&self, signs: Vec<f64>) -> Self {
        Self {
            signs,
            x: self.x.clone(),
            z: self.z.clone(),
            spans: self.spans.clone(),
            theta: self.theta.clone(),
            stored: self.stored.clone(),
            ..*self
        }
    }

    /// The same rows and features with other samples.
    pub fn with_samples(&self, samples: &[usize], signs: Vec<f64>, work: &mut Work) -> Self {
        let z = Arc::new(self.x.select_rows(samples));
        let mut other = Self { z, stored: None, ..self.with_signs(signs) };
        other.store(&mut Done::default(), work);
        other
    }

    fn fits(&self) -> bool {
        let small = self.x.rows() * self.z.rows() * size_of::<f64>() <= self.most_bytes;
        small && !(self.is_linear() && self.x.is_sparse())
    }

    /// Whether products can do without kernel values.
    fn is_linear(&self) -> bool {
        self.kernel == Kernel::Linear
    }

    fn store(&mut self, done: &mut Done, work: &mut Work) {
        let values = || self.values(&self.x, &self.z, &self.theta, work);
        self.stored = self.fits().then(|| done.once(&self.z, values));
    }

    /// k(xᵢ, zⱼ) under some feature weights.
    fn values(&self, x: &Matrix, z: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
        self.kernel.values(x, z, &self.spans.spread(theta), work)
    }

    /// The same samples and features with other feature weights.
    pub fn with_theta(&self, theta: &[f64], done: &mut Done, work: &mut Work) -> BasisAt {
        let values = || self.values(&self.x, &self.z, theta, work);
        let values = self.stored.is_some().then(|| done.once(&self.z, values));
        BasisAt { theta: theta.to_vec(), values }
    }

    /// Moves to feature weights that were tried with [`Basis::with_theta`].
    pub fn adopt(&mut self, at: BasisAt) {
        self.theta = at.theta;
        self.stored = at.values;
    }

    /// Divides every feature weight by `s`, and with it every value of a kernel that is linear in
    /// them.
    pub fn rescale(&mut self, s: f64, done: &mut Done) {
        self.theta.iter_mut().for_each(|t| *t /= s);
        let Some(values) = &mut self.stored else { return };
        let divide = |values: &mut Matrix| values.as_mut_slice().iter_mut().for_each(|v| *v /= s);
        match Arc::get_mut(values) {
            Some(own) => divide(own),
            None => {
                *values = done.once(values, || {
                    let mut copy = Matrix::clone(values);
                    divide(&mut copy);
                    copy
                });
            }
        }
    }

    /// Keeps only the samples at these positions.
    pub fn keep_samples(&mut self, positions: &[usize], work: &mut Work) {
        self.z = Arc::new(self.z.select_rows(positions));
        self.signs = positions.iter().map(|&j| self.signs[j]).collect();
        match &self.stored {
            Some(values) => self.stored = Some(Arc::new(values.select_columns(positions))),
            None => self.store(&mut Done::default(), work),
        }
    }

    /// Keeps only the features at these positions, with their weights as given.
    pub fn keep_features(
        &mut self,
        positions: &[usize],
        theta: &[f64],
        (inputs, values): (&mut Done, &mut Done),
        work: &mut Work,
    ) {
        // A feature of weight 0 has no part in the kernel values: they stay as they are.
        let mut expected = vec![0.0; self.theta.len()];
        for (&k, &t) in positions.iter().zip(theta) {
            expected[k] = t;
        }
        let unchanged = expected == self.theta;
        let columns = self.spans.columns_of(positions);
        self.x = inputs.once(&self.x, || self.x.select_columns(&columns));
        self.z = inputs.once(&self.z, || self.z.select_columns(&columns));
        self.spans = self.spans.select(positions);
        self.theta = theta.to_vec();
        if !unchanged || self.stored.is_none() {
            self.store(values, work);
        }
    }

    pub fn rows(&self) -> usize {
        self.x.rows()
    }

    /// Kept samples, kept features.
    pub fn z(&self) -> &Matrix {
        &self.z
    }

    /// The columns of each kept feature.
    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let rows = self.rows();
        let step = if self.x.is_sparse() { SPARSE_BLOCK_ROWS } else { BLOCK_ROWS };
        (0..rows).step_by(step).map(move |a| (a, (a + step).min(rows)))
    }

    /// Kernel values of rows `start..end`.
    fn block(&self, theta: &[f64], start: usize, end: usize, work: &mut Work) -> Matrix {
        self.values(&self.x.row_range(start, end), &self.z, theta, work)
    }

    fn signed(&self, w: &[f64]) -> Vec<f64> {
        w[1..].iter().zip(&self.signs).map(|(w, s)| w * s).collect()
    }

    /// Mean over rows of Σⱼ k(xᵢ, zⱼ)².
    pub fn mean_square_sum(&self, work: &mut Work) -> f64 {
        let squares = |values: &Matrix| values.as_slice().iter().map(|v| v * v).sum::<f64>();
        let sum = match &self.stored {
            Some(values) => squares(values),
            None => {
                let blocks = self.blocks();
                blocks.map(|(a, b)| squares(&self.block(&self.theta, a, b, work))).sum()
            }
        };
        sum / self.rows() as f64
    }

    /// f = Φ w (bias first in `w`).
    pub fn decision(&self, w: &[f64], work: &mut Work) -> Vec<f64> {
        self.decision_from(&self.theta, self.stored.as_deref(), w, work)
    }

    /// f = Φ w at feature weights that are being tried.
    pub fn decision_at(&self, at: &BasisAt, w: &[f64], work: &mut Work) -> Vec<f64> {
        self.decision_from(&at.theta, at.values.as_deref(), w, work)
    }

    fn decision_from(
        &self,
        theta: &[f64],
        values: Option<&Matrix>,
        w: &[f64],
        work: &mut Work,
    ) -> Vec<f64> {
        let v = self.signed(w);
        let mut f = match values {
            Some(values) => algebra::times_vector(values, &v, work),
            None if self.is_linear() => {
                let mut slopes = algebra::transpose_times_vector(&self.z, &v, work);
                times(&mut slopes, &self.spans.spread(theta));
                algebra::times_vector(&self.x, &slopes, work)
            }
            None => {
                let mut f = Vec::with_capacity(self.rows());
                for (start, end) in self.blocks() {
                    let block = self.block(theta, start, end, work);
                    f.extend(algebra::times_vector(&block, &v, work));
                }
                f
            }
        };
        f.iter_mut().for_each(|f| *f += w[0]);
        f
    }

    /// Φᵀ r (bias first).
    pub fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64> {
        let mut products = match &self.stored {
            Some(values) => algebra::transpose_times_vector(values, r, work),
            None if self.is_linear() => {
                let mut along = algebra::transpose_times_vector(&self.x, r, work);
                times(&mut along, &self.spans.spread(&self.theta));
                algebra::times_vector(&self.z, &along, work)
            }
            None => {
                let mut sums = vec![0.0; self.signs.len()];
                for (start, end) in self.blocks() {
                    let block = self.block(&self.theta, start, end, work);
                    let part = algebra::transpose_times_vector(&block, &r[start..end], work);
                    sums.iter_mut().zip(part).for_each(|(sum, p)| *sum += p);
                }
                sums
            }
        };
        products.iter_mut().zip(&self.signs).for_each(|(p, s)| *p *= s);
        products.insert(0, r.iter().sum());
        products
    }

    /// The columns `free` of √C Φ for rows `start..end` (column 0 is the bias).
    fn scaled_block(
        &self,
        c: &[f64],
        free: &[usize],
        (start, end): (usize, usize),
        work: &mut Work,
    ) -> Matrix {
        let roots: Vec<f64> = c[start..end].iter().map(|c| c.sqrt()).collect();
        let computed;
        let (values, offset) = match self.stored.as_deref() {
            Some(values) => (values, start),
            None => {
                computed = self.block(&self.theta, start, end, work);
                (&computed, 0)
            }
        };
        let mut out = Matrix::zeros(end - start, free.len());
        algebra::for_columns(&mut out, work, |column, target| {
            let j = free[column];
            if j == 0 {
                target.copy_from_slice(&roots);
                return;
            }
            let source = &values.column(j - 1)[offset..offset + roots.len()];
            let sign = self.signs[j - 1];
            algebra::fill_scaled(target, source, &roots, sign);
        });
        out
    }

    /// The columns `free` of √C Φ, all rows.
    pub fn scaled_columns(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        self.scaled_block(c, free, (0, self.rows()), work)
    }

    /// The lower triangle of ΦᵀCΦ over the columns `free`.
    pub fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        let mut gram = Matrix::zeros(free.len(), free.len());
        for block in self.blocks() {
            let scaled = self.scaled_block(c, free, block, work);
            algebra::add_gram(&mut gram, &scaled, work);
        }
        gram
    }

    /// D = ∂(Φ w)/∂θ for the kept features.
    pub fn derivative(&self, w: &[f64], work: &mut Work) -> Matrix {
        self.spans.sum(self.derivative_over(&self.x, &self.z, w, work))
    }

    /// ∂(Φ w)/∂θ for other features: `x` holds their values in all rows. A feature outside the
    /// basis has weight 0, so the kernel values are those of the kept features.
    pub fn derivative_of(
        &self,
        x: &Inputs,
        samples: &[usize],
        w: &[f64],
        work: &mut Work,
    ) -> Matrix {
        let z = x.values.select_rows(samples);
        x.spans.sum(self.derivative_over(&x.values, &z, w, work))
    }

    /// The derivative by each column as if it were a feature.
    fn derivative_over(&self, x: &Matrix, z: &Matrix, w: &[f64], work: &mut Work) -> Matrix {
        // Samples of weight 0 have no part in D.
        let active: Vec<usize> = (0..self.signs.len()).filter(|&j| w[j + 1] != 0.0).collect();
        let signed = self.signed(w);
        let v: Vec<f64> = active.iter().map(|&j| signed[j]).collect();
        let all = active.len() == self.signs.len();
        let pick = |z: &'_ Matrix| if all { None } else { Some(z.select_rows(&active)) };
        let (picked, own_picked) = (pick(z), pick(&self.z));
        let (z, own_z) = (picked.as_ref().unwrap_or(z), own_picked.as_ref().unwrap_or(&*self.z));
        if self.is_linear() {
            return self.kernel.derivative(x, z, &Matrix::zeros(0, 0), &v, work);
        }
        let Some(values) = self.stored.as_deref() else {
            return self.derivative_by_blocks(x, z, own_z, &v, work);
        };
        let values =
            if all { Cow::Borrowed(values) } else { Cow::Owned(values.select_columns(&active)) };
        let theta = self.spans.spread(&self.theta);
        let slopes = self.kernel.slopes(&self.x, own_z, &theta, &values, work);
        self.kernel.derivative(x, z, &slopes, &v, work)
    }

    fn derivative_by_blocks(
        &self,
        x: &Matrix,
        z: &Matrix,
        own_z: &Matrix,
        v: &[f64],
        work: &mut Work,
    ) -> Matrix {
        let mut d = Matrix::zeros(x.rows(), x.cols());
        for (start, end) in self.blocks() {
            let own_x = self.x.row_range(start, end);
            let theta = self.spans.spread(&self.theta);
            let values = self.kernel.values(&own_x, own_z, &theta, work);
            let slopes = self.kernel.slopes(&own_x, own_z, &theta, &values, work);
            let part = self.kernel.derivative(&x.row_range(start, end), z, &slopes, v, work);
            for k in 0..x.cols() {
                d.column_mut(k)[start..end].copy_from_slice(part.column(k));
            }
        }
        d
    }
}

fn times(values: &mut [f64], factors: &[f64]) {
    values.iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
}

/// Feature weights that are being tried, with the kernel values there where they are kept.
pub(crate) struct BasisAt {
    theta: Vec<f64>,
    values: Option<Arc<Matrix>>,
}
