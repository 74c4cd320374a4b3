//! What a fit learns from, and what it holds while it runs.

use crate::algebra::Work;
use crate::basis::Basis;
use crate::kernel::Kernel;
use crate::posterior::{BIAS_PRECISION, Likelihood, Prior};
use crate::settings::{Settings, Start, Truncation};
use crate::spans::Inputs;
use crate::truncated::least_divergence;

/// The data as the fit sees them, which never change while it runs.
pub(crate) struct Problem {
    pub kernel: Kernel,
    pub truncation: Truncation,
    pub start: Start,
    /// Scaled samples, all varying features.
    pub x: Inputs,
    pub likelihood: Likelihood,
    /// Samples that may enter the basis.
    pub candidates: Vec<usize>,
    /// Whether each feature stands out on its own (see `common`).
    pub prominent: Vec<bool>,
}

impl Problem {
    /// Smallest sample precision. For kernels that saturate, θ → 0 with w → ∞ would turn the
    /// machine into a linear one on two samples; the floor stops that. The linear kernel's scale
    /// is fixed by convention instead.
    pub fn sample_floor(&self) -> f64 {
        match self.kernel {
            Kernel::Linear => 1e-8,
            Kernel::Rbf | Kernel::Polynomial { .. } => 1e-2,
        }
    }

    /// Of scaled rows; `prominent` says which features stand out on their own.
    pub fn new(
        x: Inputs,
        likelihood: Likelihood,
        candidates: Vec<usize>,
        prominent: Vec<bool>,
        settings: &Settings,
    ) -> Self {
        let Settings { kernel, truncation, start, .. } = *settings;
        Self { kernel, truncation, start, x, likelihood, candidates, prominent }
    }
}

/// The kept features and samples, with their weights and precisions.
#[derive(Clone)]
pub(crate) struct Weights {
    /// Kept features, ascending, as numbered in `Problem::x`.
    pub features: Vec<usize>,
    pub theta: Vec<f64>,
    pub beta: Vec<f64>,
    /// What the feature weights are drawn to: 0, or a common weight.
    pub centre: Vec<f64>,
    /// The precision that prominent features share, once it is known.
    pub common_precision: Option<f64>,
    /// Kept samples, as rows of `Problem::x`.
    pub samples: Vec<usize>,
    /// Bias first.
    pub w: Vec<f64>,
    /// Bias first.
    pub alpha: Vec<f64>,
}

/// A fit on its way: the weights, and what follows from them.
pub(crate) struct State<'p> {
    pub problem: &'p Problem,
    pub weights: Weights,
    pub basis: Basis,
    /// Decision value of every row.
    pub f: Vec<f64>,
    /// No w step was taken yet.
    pub fresh: bool,
}

impl<'p> State<'p> {
    /// Starts from the given samples (with weight 0) and features (with weights, or at the default
    /// weight).
    pub fn start(
        problem: &'p Problem,
        samples: Vec<usize>,
        features: Vec<usize>,
        theta: Option<Vec<f64>>,
        work: &mut Work,
    ) -> Self {
        let m = features.len();
        let start = &problem.start;
        let theta =
            theta.unwrap_or_else(|| vec![start.feature_weight.unwrap_or(1.0 / m as f64); m]);
        let beta = match (start.feature_precision, start.divergence_from) {
            (Some(precision), _) => vec![precision; m],
            (None, Some(prior)) => theta.iter().map(|t| least_divergence(*t, prior)).collect(),
            (None, None) => vec![m as f64; m],
        };
        let n = samples.len();
        let weights = Weights {
            features,
            theta,
            beta,
            centre: vec![0.0; m],
            common_precision: None,
            samples,
            w: vec![0.0; n + 1],
            alpha: vec![BIAS_PRECISION; n + 1],
        };
        let mut state = Self::resume(problem, weights, work);
        let precision = start.sample_precision.unwrap_or_else(|| state.basis.mean_square_sum(work));
        state.weights.alpha[1..].fill(precision);
        state
    }

    /// Goes on from given weights.
    pub fn resume(problem: &'p Problem, weights: Weights, work: &mut Work) -> Self {
        let x = problem.x.select(&weights.features);
        let signs = weights.samples.iter().map(|&i| problem.likelihood.signs[i]).collect();
        let theta = weights.theta.clone();
        let basis = Basis::new(problem.kernel, x, &weights.samples, signs, theta, work);
        let f = basis.decision(&weights.w, work);
        let fresh = weights.w.iter().all(|w| *w == 0.0);
        Self { problem, weights, basis, f, fresh }
    }

    pub fn sample_prior(&self) -> Prior<'_> {
        Prior { truncation: self.problem.truncation, ..Prior::new(&self.weights.alpha, 1) }
    }

    pub fn feature_prior(&self) -> Prior<'_> {
        let (means, truncation) = (&self.weights.centre, self.problem.truncation);
        Prior { means, truncation, ..Prior::new(&self.weights.beta, 0) }
    }

    /// Fixes the scale that the linear kernel leaves open: max θ = 1, with all that depends on it
    /// carried along.
    pub fn rescale(&mut self) {
        let weights = &mut self.weights;
        let s = weights.theta.iter().fold(0.0f64, |m, t| m.max(*t));
        if !(s > 0.0 && s.is_finite()) {
            return;
        }
        weights.theta.iter_mut().for_each(|t| *t /= s);
        weights.beta.iter_mut().for_each(|b| *b *= s * s);
        weights.centre.iter_mut().for_each(|c| *c /= s);
        weights.common_precision = weights.common_precision.map(|b| b * s * s);
        weights.w[1..].iter_mut().for_each(|w| *w *= s);
        weights.alpha[1..].iter_mut().for_each(|a| *a /= s * s);
        self.basis.rescale(s);
    }
}
