//! What a fit learns from, and what it holds while it runs.

use crate::basis::Basis;
use crate::evidence::{Update, determined, update_features, update_samples};
use crate::linalg::Work;
use crate::posterior::{Laplace, Likelihood, Prior, step_features, step_samples};
use crate::settings::{PrecisionRule, Settings, Stage, Start, Truncation};
use crate::theory::least_divergence;
use crate::{Kernel, Matrix, screen};

/// Precision of the bias: fixed, wide.
const BIAS_PRECISION: f64 = 0.01;

/// The data as the fit sees them, which never change while it runs.
pub(crate) struct Problem {
    pub kernel: Kernel,
    pub truncation: Truncation,
    pub start: Start,
    /// Scaled samples, all varying features.
    pub x: Matrix,
    pub likelihood: Likelihood,
    /// Samples that may enter the basis.
    pub candidates: Vec<usize>,
    /// Whether each feature stands out on its own (see `screen`).
    pub prominent: Vec<bool>,
}

impl Problem {
    /// Smallest sample precision. For kernels that saturate, θ → 0 with w → ∞ would turn the
    /// machine into a linear one on two samples; the floor stops that. The linear kernel's scale
    /// is fixed by convention instead.
    fn sample_floor(&self) -> f64 {
        match self.kernel {
            Kernel::Linear => 1e-8,
            Kernel::Rbf | Kernel::Polynomial { .. } => 1e-2,
        }
    }

    pub fn new(
        x: Matrix,
        likelihood: Likelihood,
        candidates: Vec<usize>,
        settings: &Settings,
    ) -> Self {
        let prominent = screen::prominent(&x, &likelihood, settings.screen_level());
        Self {
            prominent,
            kernel: settings.kernel,
            truncation: settings.truncation,
            start: settings.start,
            x,
            likelihood,
            candidates,
        }
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
    fresh: bool,
}

/// What one iteration did.
pub(crate) struct Outcome {
    pub log_likelihood: f64,
    pub log_evidence: f64,
    pub sample_step: f64,
    pub feature_step: f64,
    /// Features and samples dropped (numbered as in `Problem`).
    pub dropped_features: Vec<usize>,
    pub dropped_samples: Vec<usize>,
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
        let x = problem.x.select_columns(&weights.features);
        let signs = weights.samples.iter().map(|&i| problem.likelihood.signs[i]).collect();
        let theta = weights.theta.clone();
        let basis = Basis::new(problem.kernel, x, &weights.samples, signs, theta, work);
        let f = basis.decision(&weights.w, work);
        let fresh = weights.w.iter().all(|w| *w == 0.0);
        Self { problem, weights, basis, f, fresh }
    }

    pub fn sample_prior(&self) -> Prior<'_> {
        let precisions = &self.weights.alpha;
        Prior { precisions, means: &[], truncation: self.problem.truncation, first: 1 }
    }

    pub fn feature_prior(&self) -> Prior<'_> {
        let precisions = &self.weights.beta;
        Prior {
            precisions,
            means: &self.weights.centre,
            truncation: self.problem.truncation,
            first: 0,
        }
    }

    /// One pass of Algorithm 1: modes, covariances, evidence, precisions, pruning. Nothing when
    /// the algebra broke down, with the weights as they were.
    pub fn iterate(&mut self, stage: &Stage, work: &mut Work) -> Option<Outcome> {
        let mut dropped_samples = Vec::new();
        let sample_step = self.move_samples(work);
        if stage.prunes_samples() && self.problem.truncation.is_exact() {
            dropped_samples = self.drop_samples_at_zero(work);
        }
        let feature_step = self.move_features(stage, work);
        let mut dropped_features = Vec::new();
        if stage.feature_rule != PrecisionRule::Fixed && self.problem.truncation.is_exact() {
            dropped_features = self.drop_features_at_zero(work);
        }

        let c = self.problem.likelihood.curvature(&self.f);
        let slopes = self.basis.derivative(&self.weights.w, work);
        let samples = Laplace::at(&self.basis, &c, &self.weights.w, &self.sample_prior(), work)?;
        let features = Laplace::at(&slopes, &c, &self.weights.theta, &self.feature_prior(), work)?;
        let log_likelihood = self.problem.likelihood.log(&self.f);
        let log_evidence = log_likelihood + samples.log_evidence + features.log_evidence;

        let gamma = self.sample_gamma(&samples);
        self.update_precisions(stage, &samples, &features);
        dropped_features.extend(self.prune_features(stage, work));
        if stage.prunes_samples() {
            dropped_samples.extend(self.prune_samples(stage, &gamma, work));
        }
        if self.problem.kernel.is_scale_free() && self.problem.truncation.is_exact() {
            self.rescale();
        }
        if !dropped_features.is_empty() || !dropped_samples.is_empty() {
            self.f = self.basis.decision(&self.weights.w, work);
        }
        Some(Outcome {
            log_likelihood,
            log_evidence,
            sample_step,
            feature_step,
            dropped_features,
            dropped_samples,
        })
    }

    fn move_samples(&mut self, work: &mut Work) -> f64 {
        let steps = if self.fresh { 3 } else { 1 };
        self.fresh = false;
        let mut length = 0.0;
        for _ in 0..steps {
            let prior = Prior {
                precisions: &self.weights.alpha,
                means: &[],
                truncation: self.problem.truncation,
                first: 1,
            };
            let likelihood = &self.problem.likelihood;
            let step = step_samples(
                &self.basis,
                likelihood,
                &prior,
                &mut self.weights.w,
                &mut self.f,
                work,
            );
            length = step.length;
            if step.settled {
                break;
            }
        }
        length
    }

    fn move_features(&mut self, stage: &Stage, work: &mut Work) -> f64 {
        if stage.feature_rule == PrecisionRule::Fixed {
            return 0.0;
        }
        let Weights { w, theta, beta, centre, .. } = &mut self.weights;
        let prior = Prior {
            precisions: beta,
            means: centre,
            truncation: self.problem.truncation,
            first: 0,
        };
        let likelihood = &self.problem.likelihood;
        step_features(&mut self.basis, likelihood, &prior, w, theta, &mut self.f, work).length
    }

    fn sample_gamma(&self, posterior: &Laplace) -> Vec<f64> {
        let pairs = self.weights.alpha.iter().zip(&posterior.variances);
        pairs.map(|(a, v)| determined(*a, *v)).collect()
    }

    fn update_precisions(&mut self, stage: &Stage, samples: &Laplace, features: &Laplace) {
        let update = Update {
            rule: stage.sample_rule,
            hyperprior: stage.sample_hyperprior,
            damping: stage.sample_damping,
        };
        let floor = self.problem.sample_floor();
        update_samples(&mut self.weights.alpha, &self.weights.w, samples, &update, floor);
        if stage.feature_rule != PrecisionRule::Fixed {
            let update = Update {
                rule: stage.feature_rule,
                hyperprior: stage.hyperprior_beside(&self.problem.prominent),
                damping: stage.feature_damping,
            };
            update_features(&mut self.weights.beta, &self.weights.theta, features, &update);
            if stage.common_weight {
                self.update_common(features);
            }
        }
    }

    /// Features that stand out on their own are drawn to a common weight instead of to 0: their
    /// prior is N_t(μ, 1/b) with μ their mean weight and b by MacKay's rule, damped,
    /// under a Gamma hyperprior that counts as much as the features themselves (c = (n+1)/2, and
    /// d so small, a distance of 3 % of μ, that it only keeps b finite).
    fn update_common(&mut self, posterior: &Laplace) {
        let weights = &mut self.weights;
        let stands_out = |k: &usize| self.problem.prominent[weights.features[*k]];
        let group: Vec<usize> = (0..weights.theta.len())
            .filter(stands_out)
            .filter(|&k| weights.theta[k] > 0.0)
            .collect();
        if group.len() < 2 {
            return;
        }
        let count = group.len() as f64;
        let mean = group.iter().map(|&k| weights.theta[k]).sum::<f64>() / count;
        let spread: f64 = group.iter().map(|&k| (weights.theta[k] - mean).powi(2)).sum();
        let old = weights.common_precision;
        let gamma = |k: &usize| 1.0 - old.map_or(0.0, |b| (b * posterior.variances[*k]).min(1.0));
        let determined: f64 = group.iter().map(gamma).sum();
        let proposal = (determined + count + 1.0) / (spread + 1e-3 * mean * mean);
        let precision = (old.unwrap_or(1.0 / (mean * mean)) * proposal).sqrt();
        weights.common_precision = Some(precision);
        for k in group {
            (weights.centre[k], weights.beta[k]) = (mean, precision);
        }
    }

    /// Fixes the scale that the linear kernel leaves open: max θ = 1, with w, α, β carried along.
    fn rescale(&mut self) {
        let weights = &mut self.weights;
        let s = weights.theta.iter().fold(0.0f64, |m, t| m.max(*t));
        if !(s > 0.0 && s.is_finite()) {
            return;
        }
        weights.theta.iter_mut().for_each(|t| *t /= s);
        weights.beta.iter_mut().for_each(|b| *b *= s * s);
        weights.w[1..].iter_mut().for_each(|w| *w *= s);
        weights.alpha[1..].iter_mut().for_each(|a| *a /= s * s);
        self.basis.rescale(s);
    }
}
