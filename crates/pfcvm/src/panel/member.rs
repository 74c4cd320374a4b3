//! One member of a panel: a linear machine on half of the rows, f(x) = b + Σᵢ wᵢyᵢ Σₖ θₖ xᵢₖ xₖ.

use super::newton::Objective;
use crate::Matrix;
use crate::linalg::{self, Work};
use crate::posterior::{Laplace, Likelihood, Prior};
use crate::settings::Truncation;

/// Precision of the bias: fixed, wide.
pub(super) const BIAS_PRECISION: f64 = 0.01;

/// The weights of one member.
#[derive(Clone)]
pub(super) struct Member {
    /// Rows of the training data.
    pub rows: Vec<usize>,
    /// Bias first.
    pub w: Vec<f64>,
    pub theta: Vec<f64>,
    /// The one precision of all sample weights; nothing before the first round.
    pub alpha: Option<f64>,
}

/// What one round tells about a member.
pub(super) struct Judgement {
    /// γₖ = 1 − βₖ Σₖₖ; 1 where θₖ is held at 0.
    pub determined: Vec<f64>,
    pub log_evidence: f64,
}

/// Non-negative Gaussian weights behind `first` free ones.
pub(super) fn prior(precisions: &[f64], first: usize) -> Prior<'_> {
    Prior { precisions, means: &[], truncation: Truncation::Exact, first }
}

/// A copy with column k multiplied by `factors[k]`.
pub(super) fn scale_columns(x: &Matrix, factors: &[f64]) -> Matrix {
    let mut out = x.clone();
    for (k, factor) in factors.iter().enumerate() {
        out.column_mut(k).iter_mut().for_each(|v| *v *= factor);
    }
    out
}

/// Φ = [1, K diag(y)] with K = X diag(θ) Xᵀ.
pub(super) fn sample_columns(kernel: &Matrix, signs: &[f64]) -> Matrix {
    let ones = Matrix::from_fn(kernel.rows(), 1, |_, _| 1.0);
    ones.append_columns(&scale_columns(kernel, signs))
}

pub(super) fn kernel(x: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
    linalg::product_nt(&scale_columns(x, theta), x, work)
}

/// Mean over rows of Σⱼ K², the starting precision of the sample weights.
pub(super) fn mean_square_sum(kernel: &Matrix) -> f64 {
    let total: f64 = kernel.as_slice().iter().map(|k| k * k).sum();
    (total / kernel.rows().max(1) as f64).max(1e-6)
}

/// The precisions of bias and sample weights.
pub(super) fn sample_precisions(alpha: f64, n: usize) -> Vec<f64> {
    let mut precisions = vec![alpha; n + 1];
    precisions[0] = BIAS_PRECISION;
    precisions
}

/// MacKay's rule for one shared precision: α = Σγ / Σw².
pub(super) fn shared_precision(w: &[f64], alpha: f64, posterior: &Laplace) -> f64 {
    let inside = (1..w.len()).filter(|&i| posterior.interior[i]);
    let determined: f64 = inside.map(|i| 1.0 - alpha * posterior.variances[i]).sum();
    let squares: f64 = w[1..].iter().map(|w| w * w).sum();
    (determined.max(1e-3) / squares.max(1e-12)).clamp(1e-8, 1e12)
}

impl Member {
    pub fn new(rows: Vec<usize>, features: usize) -> Self {
        let w = vec![0.0; rows.len() + 1];
        Self { rows, w, theta: vec![1.0 / features as f64; features], alpha: None }
    }

    /// sₖ = Σᵢ wᵢ yᵢ xᵢₖ; the effective linear weights are vₖ = θₖ sₖ.
    pub fn slopes(&self, x: &Matrix, signs: &[f64], work: &Work) -> Vec<f64> {
        let signed: Vec<f64> = self.w[1..].iter().zip(signs).map(|(w, y)| w * y).collect();
        linalg::transpose_times_vector(x, &signed, work)
    }

    /// One Newton step in w, one in θ, and what the Laplace evidence says at the new place. `x`
    /// and `likelihood` are the member's own rows.
    pub fn advance(
        &mut self,
        x: &Matrix,
        likelihood: &Likelihood,
        beta: &[f64],
        work: &mut Work,
    ) -> Option<Judgement> {
        let n = self.rows.len();
        let kernel_now = kernel(x, &self.theta, work);
        let steps = if self.alpha.is_none() { 3 } else { 1 };
        let alpha = self.alpha.unwrap_or_else(|| mean_square_sum(&kernel_now));
        let alphas = sample_precisions(alpha, n);
        let phi = sample_columns(&kernel_now, &likelihood.signs);
        let in_samples =
            Objective { columns: &phi, offset: 0.0, likelihood, prior: prior(&alphas, 1) };
        for _ in 0..steps {
            in_samples.step(&mut self.w, work)?;
        }

        let d = scale_columns(x, &self.slopes(x, &likelihood.signs, work));
        let in_features =
            Objective { columns: &d, offset: self.w[0], likelihood, prior: prior(beta, 0) };
        in_features.step(&mut self.theta, work)?;

        let f = in_features.decision(&self.theta, work);
        let c = likelihood.curvature(&f);
        let phi = sample_columns(&kernel(x, &self.theta, work), &likelihood.signs);
        let samples = Laplace::at(&phi, &c, &self.w, &prior(&alphas, 1), work)?;
        let features = Laplace::at(&d, &c, &self.theta, &prior(beta, 0), work)?;
        self.alpha = Some(shared_precision(&self.w, alpha, &samples));
        let determined = (0..beta.len())
            .map(|k| (1.0 - beta[k] * features.variances[k]).clamp(0.0, 1.0))
            .collect();
        let log_evidence = likelihood.log(&f) + samples.log_evidence + features.log_evidence;
        Some(Judgement { determined, log_evidence })
    }

    /// Moves a factor from θ to w, which leaves f as it is.
    pub fn rescale(&mut self, factor: f64) {
        self.theta.iter_mut().for_each(|t| *t /= factor);
        self.w[1..].iter_mut().for_each(|w| *w *= factor);
        self.alpha = self.alpha.map(|a| a / (factor * factor));
    }
}
