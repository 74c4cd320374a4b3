//! One pass of Algorithm 1 (`alg:1`).

use crate::algebra::Work;
use crate::evidence::{Update, determined, update_features, update_samples};
use crate::kernel::Kernel;
use crate::posterior::{Laplace, Prior, step_features, step_samples};
use crate::settings::{PrecisionRule, Stage};
use crate::state::{State, Weights};
use crate::{common, pruning};

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

impl State<'_> {
    /// One pass of Algorithm 1: modes, covariances, evidence, precisions, pruning. Nothing when
    /// the algebra broke down, with the weights as they were.
    pub fn iterate(&mut self, stage: &Stage, work: &mut Work) -> Option<Outcome> {
        let mut dropped_samples = Vec::new();
        let sample_step = self.move_samples(work);
        if stage.prunes_samples() && self.problem.truncation.is_exact() {
            dropped_samples = pruning::drop_samples_at_zero(self, work);
        }
        let features_move = stage.feature_rule != PrecisionRule::Fixed;
        let feature_step = if features_move { self.move_features(work) } else { 0.0 };
        let mut dropped_features = Vec::new();
        if features_move && self.problem.truncation.is_exact() {
            dropped_features = pruning::drop_features_at_zero(self, work);
        }

        let c = self.problem.likelihood.curvature(&self.f);
        let slopes = self.basis.derivative(&self.weights.w, work);
        let samples = Laplace::at(&self.basis, &c, &self.weights.w, &self.sample_prior(), work)?;
        let features = Laplace::at(&slopes, &c, &self.weights.theta, &self.feature_prior(), work)?;
        let log_likelihood = self.problem.likelihood.log(&self.f);
        let log_evidence = log_likelihood + samples.log_evidence + features.log_evidence;

        let gamma = self.sample_gamma(&samples);
        self.update_precisions(stage, &samples, &features);
        dropped_features.extend(pruning::prune_features(self, stage, work));
        if stage.prunes_samples() {
            dropped_samples.extend(pruning::prune_samples(self, stage, &gamma, work));
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

    /// Newton's step for the sample weights; three for fresh ones.
    pub fn move_samples(&mut self, work: &mut Work) -> f64 {
        let steps = if self.fresh { 3 } else { 1 };
        self.fresh = false;
        let mut length = 0.0;
        for _ in 0..steps {
            let Weights { w, alpha, .. } = &mut self.weights;
            let prior = Prior { truncation: self.problem.truncation, ..Prior::new(alpha, 1) };
            let likelihood = &self.problem.likelihood;
            let step = step_samples(&self.basis, likelihood, &prior, w, &mut self.f, work);
            length = step.length;
            if step.settled {
                break;
            }
        }
        length
    }

    /// Newton's step for the feature weights.
    pub fn move_features(&mut self, work: &mut Work) -> f64 {
        let Weights { w, theta, beta, centre, .. } = &mut self.weights;
        let truncation = self.problem.truncation;
        let prior = Prior { means: centre, truncation, ..Prior::new(beta, 0) };
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
                hyperprior: common::hyperprior_beside(stage, &self.problem.prominent),
                damping: stage.feature_damping,
            };
            let Weights { theta, beta, .. } = &mut self.weights;
            let (kernel, spans) = (self.problem.kernel, self.basis.spans());
            // In the linear kernel a feature has as many coefficients as columns: the classes enter
            // through each of them, and its one weight is raised by all.
            let directions =
                |k: usize| if kernel == Kernel::Linear { spans.of(k).len() } else { 1 };
            update_features(beta, theta, features, &update, directions);
            if stage.common_weight {
                let group = self.group();
                let Weights { theta, beta, centre, common_precision, .. } = &mut self.weights;
                let drawn = (&mut centre[..], &mut beta[..]);
                common::update(&group, theta, &features.variances, common_precision, drawn);
            }
        }
    }

    /// The features that stand out and are not at 0.
    fn group(&self) -> Vec<usize> {
        let Weights { features, theta, .. } = &self.weights;
        let belongs = |k: &usize| self.problem.prominent[features[*k]] && theta[*k] > 0.0;
        (0..theta.len()).filter(belongs).collect()
    }
}
