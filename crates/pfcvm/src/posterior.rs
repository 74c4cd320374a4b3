//! Modes and Laplace covariances of the sample weights w and the feature weights θ.
//!
//! Both halves of the model are the same problem: maximise
//! Q(u) = ℓ(f(u)) − ½ Σ aᵢuᵢ² + Σ log 1(uᵢ ≥ 0), with f linear (w) or linearised (θ), so that the
//! negative Hessian is H = JᵀCJ + diag(a) with J = Φ or J = D.

use crate::Matrix;
use crate::basis::Basis;
use crate::linalg::{self, Cholesky, Work};
use crate::settings::Truncation;
use crate::special::{log_sigmoid, sigmoid};

/// Halvings of a step before it is given up.
const HALVINGS: usize = 25;
/// Smallest curvature σ(1−σ) of the likelihood, so that certain samples do not make C singular.
const LEAST_CURVATURE: f64 = 1e-10;
/// A step may lose this much of the objective to rounding.
const ROUNDING: f64 = 1e-12;

/// The weighted Bernoulli likelihood.
pub(crate) struct Likelihood {
    /// ±1 per row.
    pub signs: Vec<f64>,
    /// Weight per row.
    pub weights: Vec<f64>,
}

impl Likelihood {
    /// ℓ(f) = Σ ρᵢ log σ(yᵢ fᵢ).
    pub fn log(&self, f: &[f64]) -> f64 {
        let terms = f.iter().zip(&self.signs).zip(&self.weights);
        terms.map(|((f, y), weight)| weight * log_sigmoid(y * f)).sum()
    }

    /// ρᵢ (tᵢ − σᵢ), the derivative of ℓ.
    pub fn residual(&self, f: &[f64]) -> Vec<f64> {
        let terms = f.iter().zip(&self.signs).zip(&self.weights);
        terms.map(|((f, y), weight)| weight * y * sigmoid(-y * f)).collect()
    }

    /// The diagonal of C: ρᵢ σᵢ(1 − σᵢ).
    pub fn curvature(&self, f: &[f64]) -> Vec<f64> {
        let curve = |f: f64| (sigmoid(f) * sigmoid(-f)).max(LEAST_CURVATURE);
        f.iter().zip(&self.weights).map(|(f, weight)| weight * curve(*f)).collect()
    }
}

/// Independent truncated Gaussians with the given precisions; coordinates before `first` are
/// not truncated (the bias).
pub(crate) struct Prior<'a> {
    pub precisions: &'a [f64],
    /// Where the weights are drawn to; empty: 0.
    pub means: &'a [f64],
    pub truncation: Truncation,
    pub first: usize,
}

impl Prior<'_> {
    /// log of the density up to a constant that does not depend on u.
    pub fn log(&self, u: &[f64]) -> f64 {
        let quadratic: f64 =
            (0..u.len()).map(|i| self.precisions[i] * (u[i] - self.mean(i)).powi(2)).sum();
        let indicator: f64 = u[self.first..].iter().map(|u| self.truncation.log(*u)).sum();
        indicator - 0.5 * quadratic
    }

    fn mean(&self, i: usize) -> f64 {
        if self.means.is_empty() { 0.0 } else { self.means[i] }
    }

    fn add_gradient(&self, gradient: &mut [f64], u: &[f64]) {
        for (i, g) in gradient.iter_mut().enumerate() {
            let push = if i < self.first { 0.0 } else { self.truncation.gradient(u[i]) };
            *g += push - self.precisions[i] * (u[i] - self.mean(i));
        }
    }

    /// The prior's part of H for the coordinates `free`.
    fn diagonal(&self, u: &[f64], free: &[usize]) -> Vec<f64> {
        let bend = |i: usize| if i < self.first { 0.0 } else { self.truncation.curvature(u[i]) };
        free.iter().map(|&i| self.precisions[i] + bend(i)).collect()
    }

    /// Coordinates that may move: not those at the bound with the gradient pointing outwards.
    fn free_to_move(&self, u: &[f64], gradient: &[f64]) -> Vec<usize> {
        let held = |i: usize| {
            i >= self.first && self.truncation.is_exact() && u[i] <= 0.0 && gradient[i] <= 0.0
        };
        (0..u.len()).filter(|&i| !held(i)).collect()
    }

    /// Coordinates inside the constraint: the Laplace approximation is taken over these.
    pub fn interior(&self, u: &[f64]) -> Vec<usize> {
        let inside = |i: usize| i < self.first || !self.truncation.is_exact() || u[i] > 0.0;
        (0..u.len()).filter(|&i| inside(i)).collect()
    }

    fn moved(&self, u: &[f64], direction: &[f64], free: &[usize], length: f64) -> Vec<f64> {
        let mut moved = u.to_vec();
        for (&i, d) in free.iter().zip(direction) {
            moved[i] += length * d;
            if i >= self.first && self.truncation.is_exact() {
                moved[i] = moved[i].max(0.0);
            }
        }
        moved
    }
}

/// The matrix J of H = JᵀCJ + diag(a): Φ or D.
pub(crate) trait Columns {
    fn rows(&self) -> usize;
    /// The lower triangle of JᵀCJ over some columns.
    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix;
    /// √C J, some columns.
    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix;
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
}

impl Columns for Matrix {
    fn rows(&self) -> usize {
        Matrix::rows(self)
    }

    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        let mut gram = Matrix::zeros(free.len(), free.len());
        linalg::add_gram(&mut gram, &self.scaled(c, free, work), work);
        gram
    }

    fn scaled(&self, c: &[f64], free: &[usize], _: &mut Work) -> Matrix {
        let roots: Vec<f64> = c.iter().map(|c| c.sqrt()).collect();
        let mut out = Matrix::zeros(Matrix::rows(self), free.len());
        for (column, &j) in free.iter().enumerate() {
            let source = self.column(j).iter().zip(&roots);
            out.column_mut(column).iter_mut().zip(source).for_each(|(t, (v, r))| *t = v * r);
        }
        out
    }
}

/// H = JᵀCJ + diag(a), factored in the smaller of its two spaces.
pub(crate) enum Precision {
    /// S H S = I + S JᵀCJ S with S = diag(a)^-½: k × k.
    Dense { factor: Cholesky, scale: Vec<f64> },
    /// I + V Vᵀ with V = √C J S: N × N (Woodbury).
    Woodbury { factor: Cholesky, scaled: Matrix, scale: Vec<f64> },
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
        for j in 0..gram.cols() {
            let column = &mut gram.column_mut(j)[j..];
            column.iter_mut().zip(&scale[j..]).for_each(|(h, s)| *h *= s * scale[j]);
            column[0] += 1.0;
        }
        Cholesky::new(gram, work).map(|factor| Self::Dense { factor, scale })
    }

    /// From √C J.
    pub fn woodbury(mut scaled: Matrix, diagonal: &[f64], work: &mut Work) -> Option<Self> {
        let scale: Vec<f64> = diagonal.iter().map(|a| 1.0 / a.sqrt()).collect();
        scale_columns(&mut scaled, &scale);
        let mut inner = linalg::outer_gram(&scaled, work);
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
                let inner = factor.solve(&linalg::times_vector(scaled, &x, work));
                let back = linalg::transpose_times_vector(scaled, &inner, work);
                x.iter().zip(back).zip(scale).map(|((x, b), s)| (x - b) * s).collect()
            }
        }
    }

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
        scale_columns(&mut root, scale);
        Covariance { prior, root }
    }
}

fn scale_columns(matrix: &mut Matrix, scale: &[f64]) {
    for (j, s) in scale.iter().enumerate() {
        matrix.column_mut(j).iter_mut().for_each(|v| *v *= s);
    }
}

/// A covariance in the smaller of its two spaces: RᵀR, or diag(prior) − RᵀR.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariance {
    pub(crate) prior: Option<Vec<f64>>,
    pub(crate) root: Matrix,
}

impl Covariance {
    /// The diagonal.
    pub fn variances(&self) -> Vec<f64> {
        let squares = self.root.columns().map(|c| c.iter().map(|v| v * v).sum::<f64>());
        match &self.prior {
            None => squares.collect(),
            Some(prior) => prior.iter().zip(squares).map(|(p, s)| (p - s).max(0.0)).collect(),
        }
    }

    /// rᵀ Σ r for every row r of `rows`.
    pub(crate) fn variance_along(&self, rows: &Matrix, work: &mut Work) -> Vec<f64> {
        let projected = linalg::product_nt(rows, &self.root, work);
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
        sums
    }
}

/// The Laplace approximation of one half of the model.
pub(crate) struct Laplace {
    /// Posterior variance of each coordinate, 0 for those at the bound.
    pub variances: Vec<f64>,
    /// Whether each coordinate is inside the constraint.
    pub interior: Vec<bool>,
    /// Its part of the log evidence: log p(u) + ½ log|A| − ½ log|H|.
    pub log_evidence: f64,
}

impl Laplace {
    /// At the mode u, with curvature `c` of the likelihood.
    pub fn at(
        columns: &impl Columns,
        c: &[f64],
        u: &[f64],
        prior: &Prior,
        work: &mut Work,
    ) -> Option<Self> {
        let free = prior.interior(u);
        let precision = Precision::new(columns, c, &free, prior.diagonal(u, &free), work)?;
        let mut variances = vec![0.0; u.len()];
        let mut interior = vec![false; u.len()];
        for (&i, v) in free.iter().zip(precision.covariance(work).variances()) {
            variances[i] = v;
            interior[i] = true;
        }
        let log_det_prior: f64 = free.iter().map(|&i| prior.precisions[i].ln()).sum();
        let log_evidence = prior.log(u) + 0.5 * (log_det_prior - precision.log_det());
        Some(Self { variances, interior, log_evidence })
    }
}

/// The covariance over the interior coordinates, for prediction.
pub(crate) fn covariance(
    columns: &impl Columns,
    c: &[f64],
    u: &[f64],
    prior: &Prior,
    work: &mut Work,
) -> Option<Covariance> {
    let free = prior.interior(u);
    let precision = Precision::new(columns, c, &free, prior.diagonal(u, &free), work)?;
    Some(precision.covariance(work))
}

/// How a step went: its length (1 for a full Newton step, 0 for none) and whether the objective
/// still moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub length: f64,
    pub settled: bool,
}

/// The Newton direction over the coordinates that may move.
fn direction(
    columns: &impl Columns,
    likelihood: &Likelihood,
    f: &[f64],
    u: &[f64],
    mut gradient: Vec<f64>,
    prior: &Prior,
    work: &mut Work,
) -> Option<(Vec<usize>, Vec<f64>)> {
    prior.add_gradient(&mut gradient, u);
    let free = prior.free_to_move(u, &gradient);
    let c = likelihood.curvature(f);
    let precision = Precision::new(columns, &c, &free, prior.diagonal(u, &free), work)?;
    let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
    let d = precision.solve(&g, work);
    d.iter().all(|d| d.is_finite()).then_some((free, d))
}

/// Halves the step until the objective `value` does not fall. `attempt` gives the objective at
/// a length with whatever belongs to it.
fn line_search<T>(start: f64, mut attempt: impl FnMut(f64) -> (f64, T)) -> (Step, Option<T>) {
    let mut length = 1.0;
    for _ in 0..HALVINGS {
        let (value, result) = attempt(length);
        if value.is_finite() && value >= start - ROUNDING {
            let settled = (value - start).abs() < 1e-6 * start.abs();
            return (Step { length, settled }, Some(result));
        }
        length /= 2.0;
    }
    (Step { length: 0.0, settled: true }, None)
}

/// One projected Newton step in w: Φᵀ(t−σ) − A w and ΦᵀCΦ + A (Equations 10 and 11 of the paper,
/// solved instead of iterated). `f` is Φ w before and after.
pub(crate) fn step_samples(
    basis: &Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let gradient = basis.transpose_times(&likelihood.residual(f), work);
    let Some((free, d)) = direction(basis, likelihood, f, w, gradient, prior, work) else {
        return Step { length: 0.0, settled: true };
    };
    let start = likelihood.log(f) + prior.log(w);
    let (step, found) = line_search(start, |length| {
        let moved = prior.moved(w, &d, &free, length);
        let values = basis.decision(&moved, work);
        (likelihood.log(&values) + prior.log(&moved), (moved, values))
    });
    if let Some((moved, values)) = found {
        (*w, *f) = (moved, values);
    }
    step
}

/// One projected Newton step in θ: Dᵀ(t−σ) − B θ and DᵀCD + B (Equations 7 and 8 of the paper,
/// without the term E). Moves the basis along.
pub(crate) fn step_features(
    basis: &mut Basis,
    likelihood: &Likelihood,
    prior: &Prior,
    w: &[f64],
    theta: &mut Vec<f64>,
    f: &mut Vec<f64>,
    work: &mut Work,
) -> Step {
    let slopes = basis.derivative(w, work);
    let gradient = linalg::transpose_times_vector(&slopes, &likelihood.residual(f), work);
    let Some((free, d)) = direction(&slopes, likelihood, f, theta, gradient, prior, work) else {
        return Step { length: 0.0, settled: true };
    };
    let start = likelihood.log(f) + prior.log(theta);
    let (step, found) = line_search(start, |length| {
        let moved = prior.moved(theta, &d, &free, length);
        let at = basis.with_theta(&moved, work);
        let values = basis.decision_at(&at, w, work);
        (likelihood.log(&values) + prior.log(&moved), (moved, at, values))
    });
    if let Some((moved, at, values)) = found {
        (*theta, *f) = (moved, values);
        basis.adopt(at);
    }
    step
}
