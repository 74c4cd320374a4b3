//! One member of a panel: a linear machine on half of the rows, f(x) = b + Σᵢ wᵢyᵢ Σₖ θₖ xᵢₖ xₖ.

use super::bias::{precisions, shared_precision, with_bias};
use crate::Matrix;
use crate::algebra::{self, Work};
use crate::posterior::{Laplace, Likelihood, Objective, Prior, decision};
use crate::spans::Inputs;

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

/// A copy with column k multiplied by `factors[k]`.
fn scale_columns(x: &Matrix, factors: &[f64]) -> Matrix {
    let mut out = x.clone();
    for (k, factor) in factors.iter().enumerate() {
        out.column_mut(k).iter_mut().for_each(|v| *v *= factor);
    }
    out
}

/// Φ = [1, K diag(y)].
pub(super) fn sample_columns(kernel: &Matrix, signs: &[f64]) -> Matrix {
    with_bias(&scale_columns(kernel, signs))
}

/// K = X diag(θ) Xᵀ.
pub(super) fn kernel(x: &Matrix, theta: &[f64], work: &mut Work) -> Matrix {
    algebra::product_nt(&scale_columns(x, theta), x, work)
}

/// Mean over rows of Σⱼ K², the starting precision of the sample weights.
pub(super) fn mean_square_sum(kernel: &Matrix) -> f64 {
    let total: f64 = kernel.as_slice().iter().map(|k| k * k).sum();
    (total / kernel.rows().max(1) as f64).max(1e-6)
}

impl Member {
    pub fn new(rows: Vec<usize>, features: usize) -> Self {
        let w = vec![0.0; rows.len() + 1];
        Self { rows, w, theta: vec![1.0 / features as f64; features], alpha: None }
    }

    /// sₖ = Σᵢ wᵢ yᵢ xᵢₖ for each column; the effective linear weights are vₖ = θₖ sₖ.
    pub fn slopes(&self, x: &Matrix, signs: &[f64], work: &Work) -> Vec<f64> {
        let signed: Vec<f64> = self.w[1..].iter().zip(signs).map(|(w, y)| w * y).collect();
        algebra::transpose_times_vector(x, &signed, work)
    }

    /// vₖ = θₖ sₖ, the effective linear weights, with θ of the feature that a column belongs to.
    pub fn weights(&self, x: &Inputs, signs: &[f64], work: &Work) -> Vec<f64> {
        let theta = x.spans.spread(&self.theta);
        self.slopes(&x.values, signs, work).iter().zip(&*theta).map(|(s, t)| s * t).collect()
    }

    /// One Newton step in w (three in the first round), one in θ, and what the Laplace evidence
    /// says at the new place. `x` and `likelihood` are the member's own rows. Nothing when the
    /// algebra broke down.
    pub fn advance(
        &mut self,
        x: &Inputs,
        likelihood: &Likelihood,
        beta: &[f64],
        work: &mut Work,
    ) -> Option<Judgement> {
        let Inputs { values: x, spans } = x;
        let values = kernel(x, &spans.spread(&self.theta), work);
        let steps = if self.alpha.is_none() { 3 } else { 1 };
        let alpha = self.alpha.unwrap_or_else(|| mean_square_sum(&values));
        let alphas = precisions(alpha, self.rows.len());
        let phi = sample_columns(&values, &likelihood.signs);
        let objective = Objective { likelihood, prior: Prior::new(&alphas, 1) };
        let mut f = decision(&phi, 0.0, &self.w, work);
        for _ in 0..steps {
            objective.linear_step(&phi, 0.0, &mut self.w, &mut f, work)?;
        }

        // f = b + D θ with D = X diag(s), summed up over the columns of each feature.
        let d = spans.sum(scale_columns(x, &self.slopes(x, &likelihood.signs, work)));
        let objective = Objective { likelihood, prior: Prior::new(beta, 0) };
        let mut f = decision(&d, self.w[0], &self.theta, work);
        objective.linear_step(&d, self.w[0], &mut self.theta, &mut f, work)?;

        let c = likelihood.curvature(&f);
        let phi = kernel(x, &spans.spread(&self.theta), work);
        let phi = sample_columns(&phi, &likelihood.signs);
        let samples = Laplace::at(&phi, &c, &self.w, &Prior::new(&alphas, 1), work)?;
        let features = Laplace::at(&d, &c, &self.theta, &Prior::new(beta, 0), work)?;
        self.alpha = Some(shared_precision(&self.w, alpha, &samples));
        let gamma = |(b, v): (&f64, &f64)| (1.0 - b * v).clamp(0.0, 1.0);
        let determined = beta.iter().zip(&features.variances).map(gamma).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_factor_leaves_the_linear_weights() {
        let x = Matrix::from_fn(4, 3, |i, k| ((i * 3 + k) as f64).sin()).into();
        let signs = [1.0, -1.0, 1.0, -1.0];
        let mut member = Member::new((0..4).collect(), 3);
        member.w = vec![0.2, 0.5, 0.0, 1.5, 0.7];
        member.alpha = Some(2.0);
        let before = member.weights(&x, &signs, &Work::default());
        member.rescale(3.0);
        let after = member.weights(&x, &signs, &Work::default());
        assert!(before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
