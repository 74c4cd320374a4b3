//! H = JᵀCJ + diag(a) and its inverse, each in the smaller of two spaces.

use crate::Matrix;
use crate::algebra::{self, Cholesky, Work};
use crate::basis::Basis;
use crate::stored::{Checked, checked_when_read, length, numbers};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The matrix J of H = JᵀCJ + diag(a): Φ or D.
pub trait Columns {
    /// Rows of J.
    fn rows(&self) -> usize;
    /// Those of some columns whose products with each other can be had.
    fn known(&self, free: Vec<usize>) -> Vec<usize> {
        free
    }
    /// The lower triangle of JᵀCJ over some columns.
    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix;
    /// √C J, some columns.
    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix;
    /// J u.
    fn times(&self, u: &[f64], work: &mut Work) -> Vec<f64>;
    /// Jᵀ r.
    fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64>;
    /// H over the columns `free`, whose prior part is `diagonal`. Nothing if H holds a value that is not finite.
    fn precision(
        &self,
        c: &[f64],
        free: &[usize],
        diagonal: Vec<f64>,
        work: &mut Work,
    ) -> Option<Cow<'_, Precision>>
    where
        Self: Sized,
    {
        Precision::new(self, c, free, diagonal, work).map(Cow::Owned)
    }
}

impl Columns for Basis {
    fn rows(&self) -> usize {
        Basis::rows(self)
    }

    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        Basis::gram(self, c, free, work)
    }

    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        self.scaled_columns(c, free, work)
    }

    fn times(&self, u: &[f64], work: &mut Work) -> Vec<f64> {
        self.decision(u, work)
    }

    fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64> {
        Basis::transpose_times(self, r, work)
    }
}

impl Columns for Matrix {
    fn rows(&self) -> usize {
        Matrix::rows(self)
    }

    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        if let Some(sparse) = self.sparse() {
            return Matrix::from_column_major(free.len(), free.len(), sparse.gram(c, free));
        }
        let mut gram = Matrix::zeros(free.len(), free.len());
        algebra::add_gram(&mut gram, &self.scaled(c, free, work), work);
        gram
    }

    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        let roots: Vec<f64> = c.iter().map(|c| c.sqrt()).collect();
        let mut out = Matrix::zeros(Matrix::rows(self), free.len());
        algebra::for_columns(&mut out, work, |column, target| match self.sparse() {
            Some(sparse) => {
                sparse.copy_column(free[column], target);
                target.iter_mut().zip(&roots).for_each(|(t, r)| *t *= r);
            }
            None => algebra::fill_scaled(target, self.column(free[column]), &roots, 1.0),
        });
        out
    }

    fn times(&self, u: &[f64], work: &mut Work) -> Vec<f64> {
        algebra::times_vector(self, u, work)
    }

    fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64> {
        algebra::transpose_times_vector(self, r, work)
    }
}

/// H = JᵀCJ + diag(a), factored in the smaller of its two spaces.
#[derive(Clone)]
pub enum Precision {
    /// S H S = I + S JᵀCJ S with S = diag(a)^-½: k × k.
    Dense {
        /// Of S H S.
        factor: Cholesky,
        /// The diagonal of S.
        scale: Vec<f64>,
    },
    /// I + V Vᵀ with V = √C J S: N × N (Woodbury).
    Woodbury {
        /// Of I + V Vᵀ.
        factor: Cholesky,
        /// V.
        scaled: Matrix,
        /// The diagonal of S.
        scale: Vec<f64>,
    },
}

impl Precision {
    /// Factors H over the columns `free`, whose prior part is `diagonal`. Nothing if H holds a
    /// value that is not finite.
    pub fn new(
        columns: &impl Columns,
        c: &[f64],
        free: &[usize],
        diagonal: Vec<f64>,
        work: &mut Work,
    ) -> Option<Self> {
        if free.len() <= columns.rows() {
            Self::dense(columns.gram(c, free, work), &diagonal, work)
        } else {
            Self::woodbury(columns.scaled(c, free, work), &diagonal, work)
        }
    }

    /// From the lower triangle of JᵀCJ.
    pub fn dense(mut gram: Matrix, diagonal: &[f64], work: &mut Work) -> Option<Self> {
        let scale: Vec<f64> = diagonal.iter().map(|a| 1.0 / a.sqrt()).collect();
        algebra::for_columns(&mut gram, work, |j, column| {
            let column = &mut column[j..];
            column.iter_mut().zip(&scale[j..]).for_each(|(h, s)| *h *= s * scale[j]);
            column[0] += 1.0;
        });
        Cholesky::new(gram, work).map(|factor| Self::Dense { factor, scale })
    }

    /// From √C J.
    pub fn woodbury(mut scaled: Matrix, diagonal: &[f64], work: &mut Work) -> Option<Self> {
        let scale: Vec<f64> = diagonal.iter().map(|a| 1.0 / a.sqrt()).collect();
        scale_columns(&mut scaled, &scale, work);
        let mut inner = algebra::outer_gram(&scaled, work);
        for i in 0..inner.rows() {
            inner.set(i, i, inner.get(i, i) + 1.0);
        }
        let factor = Cholesky::new(inner, work)?;
        Some(Self::Woodbury { factor, scaled, scale })
    }

    /// H⁻¹ g.
    pub fn solve(&self, g: &[f64], work: &Work) -> Vec<f64> {
        match self {
            Self::Dense { factor, scale } => {
                let scaled: Vec<f64> = g.iter().zip(scale).map(|(g, s)| g * s).collect();
                factor.solve(&scaled).iter().zip(scale).map(|(x, s)| x * s).collect()
            }
            Self::Woodbury { factor, scaled, scale } => {
                let x: Vec<f64> = g.iter().zip(scale).map(|(g, s)| g * s).collect();
                let inner = factor.solve(&algebra::times_vector(scaled, &x, work));
                let back = algebra::transpose_times_vector(scaled, &inner, work);
                x.iter().zip(back).zip(scale).map(|((x, b), s)| (x - b) * s).collect()
            }
        }
    }

    /// log|H|.
    pub fn log_det(&self) -> f64 {
        let (Self::Dense { factor, scale } | Self::Woodbury { factor, scale, .. }) = self;
        factor.log_det() - 2.0 * scale.iter().map(|s| s.ln()).sum::<f64>()
    }

    /// H⁻¹ = S (I + ...)⁻¹ S.
    pub fn covariance(&self, work: &mut Work) -> Covariance {
        let (mut root, prior, scale) = match self {
            Self::Dense { factor, scale } => (factor.inverse_factor(work), None, scale),
            Self::Woodbury { factor, scaled, scale } => {
                let prior = scale.iter().map(|s| s * s).collect();
                (factor.half_solve(scaled, work), Some(prior), scale)
            }
        };
        scale_columns(&mut root, scale, work);
        Covariance { prior, root, free: Vec::new() }
    }
}

fn scale_columns(matrix: &mut Matrix, scale: &[f64], work: &Work) {
    algebra::for_columns(matrix, work, |j, column| column.iter_mut().for_each(|v| *v *= scale[j]));
}

/// A covariance in the smaller of its two spaces: RᵀR, or diag(prior) − RᵀR, plus free directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Covariance {
    pub(crate) prior: Option<Vec<f64>>,
    pub(crate) root: Matrix,
    /// Directions g that add ggᵀ.
    pub(crate) free: Vec<Vec<f64>>,
}

impl Covariance {
    /// Of so many weights that are known exactly.
    pub(crate) fn none(weights: usize) -> Self {
        Self { prior: None, root: Matrix::zeros(0, weights), free: Vec::new() }
    }

    /// Of the same weights, all multiplied by a factor.
    pub(crate) fn scale(&mut self, factor: f64) {
        let prior = self.prior.iter_mut().flatten();
        prior.for_each(|variance| *variance *= factor * factor);
        self.root.as_mut_slice().iter_mut().for_each(|value| *value *= factor);
        self.free.iter_mut().flatten().for_each(|value| *value *= factor);
    }

    /// Variances of the prior, where the covariance is diag(prior) − RᵀR; nothing where it is RᵀR.
    pub fn prior_variances(&self) -> Option<&[f64]> {
        self.prior.as_deref()
    }

    /// R.
    pub fn root(&self) -> &Matrix {
        &self.root
    }

    /// Directions g, each of which adds ggᵀ.
    pub fn directions(&self) -> &[Vec<f64>] {
        &self.free
    }

    /// The diagonal.
    pub fn variances(&self) -> Vec<f64> {
        let squares = self.root.columns().map(|c| c.iter().map(|v| v * v).sum::<f64>());
        let mut variances: Vec<f64> = match &self.prior {
            None => squares.collect(),
            Some(prior) => prior.iter().zip(squares).map(|(p, s)| (p - s).max(0.0)).collect(),
        };
        for g in &self.free {
            variances.iter_mut().zip(g).for_each(|(v, g)| *v += g * g);
        }
        variances
    }

    /// All of Σ.
    pub(crate) fn dense(&self, work: &mut Work) -> Matrix {
        let mut all = algebra::product_tn(&self.root, &self.root, work);
        if let Some(prior) = &self.prior {
            all.as_mut_slice().iter_mut().for_each(|v| *v = -*v);
            for (i, p) in prior.iter().enumerate() {
                all.set(i, i, all.get(i, i) + p);
            }
        }
        for g in &self.free {
            for (j, along) in g.iter().enumerate() {
                algebra::add_scaled(all.column_mut(j), g, *along);
            }
        }
        all
    }

    /// J with J Jᵀ = r Σ rᵀ over all pairs of rows r of `rows`.
    pub(crate) fn unknown_along(&self, rows: &Matrix, work: &mut Work) -> Matrix {
        let mut found = match &self.prior {
            None => algebra::product_nt(rows, &self.root, work),
            Some(prior) => {
                // What is known may leave nothing of some direction, which a factor needs a trace of.
                let mut all = self.dense(work);
                let least = 1e-9 * prior.iter().copied().fold(0.0, f64::max);
                (0..all.rows()).for_each(|i| all.set(i, i, all.get(i, i) + least));
                match Cholesky::new(all, work) {
                    Some(factor) => {
                        let lower = factor.lower();
                        let below = |i: usize, j: usize| if i < j { 0.0 } else { lower.get(i, j) };
                        let lower = Matrix::from_fn(lower.rows(), lower.cols(), below);
                        algebra::product(rows, &lower, work)
                    }
                    None => Matrix::zeros(rows.rows(), 0),
                }
            }
        };
        if self.prior.is_none() {
            for g in &self.free {
                let along = algebra::times_vector(rows, g, work);
                found = found.append_columns(&Matrix::from_column_major(rows.rows(), 1, along));
            }
        }
        found
    }

    /// rᵀ Σ r for every row r of `rows`.
    pub fn variance_along(&self, rows: &Matrix, work: &mut Work) -> Vec<f64> {
        let projected = algebra::product_nt(rows, &self.root, work);
        let mut sums = vec![0.0; rows.rows()];
        for column in projected.columns() {
            sums.iter_mut().zip(column).for_each(|(sum, v)| *sum += v * v);
        }
        if let Some(prior) = &self.prior {
            sums.iter_mut().for_each(|sum| *sum = -*sum);
            for (column, p) in rows.columns().zip(prior) {
                sums.iter_mut().zip(column).for_each(|(sum, v)| *sum += p * v * v);
            }
            sums.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        }
        for g in &self.free {
            let along = algebra::times_vector(rows, g, work);
            sums.iter_mut().zip(along).for_each(|(sum, a)| *sum += a * a);
        }
        sums
    }
}

checked_when_read!(Covariance);

impl Covariance {
    fn check(&self) -> Checked {
        let size = self.root.cols;
        if let Some(prior) = &self.prior {
            length("prior variances", prior.len(), size)?;
            numbers("prior variance", prior, 0.0)?;
        }
        for direction in &self.free {
            length("values of a direction", direction.len(), size)?;
            numbers("direction", direction, f64::MIN)?;
        }
        Ok(())
    }
}
