//! One pass of Algorithm 1 (`alg:1`).

use crate::algebra::Work;
use crate::evidence::{Update, determined, update_features, update_samples};
use crate::kernel::Kernel;
use crate::matrix::Matrix;
use crate::posterior::{
    Laplace, Lasting, Observed, Prior, Step, WithLasting, slopes, step_features, step_samples,
};
use crate::settings::{PrecisionRule, Stage};
use crate::state::{Leaning, State, Weights};
use crate::{common, pruning};

/// Newton steps, in turns for samples and features, in which all weights settle, at most: a turn that gains less
/// than [`LITTLE`], or than this share of what was gained before, is the last.
pub(crate) const STEPS_TO_SETTLE: usize = 4;
const LITTLE: f64 = 0.1;
const LITTLE_OF_ALL: f64 = 0.01;

/// Slopes last where no feature weight has moved by more than this share of the largest.
const HARDLY: f64 = 0.2;

/// What one iteration did.
pub(crate) struct Outcome {
    pub log_likelihood: f64,
    pub log_evidence: f64,
    pub sample_step: f64,
    pub feature_step: f64,
    /// Features and samples dropped (numbered as in `Problem`).
    pub dropped_features: Vec<usize>,
    pub dropped_samples: Vec<usize>,
    /// Whether anything was dropped, be it a sample that another machine still leans on.
    pub dropped_any: bool,
}

impl State<'_> {
    /// One pass of Algorithm 1: modes, covariances, evidence, precisions, pruning. Nothing when
    /// the algebra broke down, with the weights as they were.
    pub fn iterate(&mut self, stage: &Stage, work: &mut Work) -> Option<Outcome> {
        let before = self.weights.size();
        let mut dropped_samples = Vec::new();
        let sample_step = self.move_samples(work);
        if stage.prunes_samples() && self.problem.truncation.is_exact() {
            dropped_samples = pruning::drop_samples_at_zero(self, work);
        }
        let features_move = stage.feature_rule != PrecisionRule::Fixed;
        let features_before = self.weights.features.clone();
        let (feature_step, slopes) =
            if features_move { self.move_features(work) } else { (0.0, None) };
        let mut dropped_features = Vec::new();
        if features_move && self.problem.truncation.is_exact() {
            dropped_features = pruning::drop_features_at_zero(self, work);
        }

        let samples = self.around_samples(work)?;
        let slopes = slopes.map(|slopes| match dropped_features.is_empty() {
            true => slopes,
            false => {
                let kept = &self.weights.features;
                let left = (0..features_before.len())
                    .filter(|&at| kept.binary_search(&features_before[at]).is_ok());
                slopes.select_columns(&Vec::from_iter(left))
            }
        });
        let features = self.around_features(slopes, work)?;
        let log_likelihood = self.problem.likelihood.log(&self.f);
        let of_samples: f64 = samples.iter().map(|machine| machine.log_evidence).sum();
        let log_evidence = log_likelihood + of_samples + features.log_evidence;

        let gamma: Vec<Vec<f64>> = (self.weights.machines.iter().zip(&samples))
            .map(|(machine, posterior)| determined_of(machine, posterior))
            .collect();
        self.update_precisions(stage, &samples, &features);
        dropped_features.extend(pruning::prune_features(self, stage, work));
        if stage.prunes_samples() {
            dropped_samples.extend(pruning::prune_samples(self, stage, &gamma, work));
        }
        if self.problem.kernel.is_scale_free() && self.problem.truncation.is_exact() {
            self.rescale();
        }
        let dropped_any = self.weights.size() < before;
        if dropped_any {
            self.decide(work);
        }
        Some(Outcome {
            log_likelihood,
            log_evidence,
            sample_step,
            feature_step,
            dropped_features,
            dropped_samples,
            dropped_any,
        })
    }

    /// The Gaussians around the sample weights of each machine. Between machines they have no part:
    /// |H| ≤ Π |H_kk| (Fischer), so that the evidence is not above what the whole Hessian would give,
    /// for K factorisations of the size of one.
    fn around_samples(&mut self, work: &mut Work) -> Option<Vec<Laplace>> {
        let lasts = self.problem.hessians_last();
        let around = |k: usize, work: &mut Work| {
            let (machine, basis) = (&self.weights.machines[k], &self.bases[k]);
            let likelihood = &self.problem.likelihood;
            let seen = likelihood.seen_by(k, &self.f);
            let own = &likelihood.machines[k];
            let (c, w, prior) =
                (own.curvature(&seen), &machine.w, machine.prior(self.problem.truncation));
            if !lasts {
                return (Laplace::at(basis, &c, w, &prior, work), None);
            }
            let lasting = Lasting::at(basis, (&c, &own.residual(&seen)), w, &prior, work);
            let columns = WithLasting { basis, lasting: &lasting };
            (Laplace::at(&columns, &c, w, &prior, work), Some(lasting))
        };
        let (around, lasting): (Vec<_>, Vec<_>) =
            work.each(self.bases.len(), around).into_iter().unzip();
        self.lasting = lasting;
        around.into_iter().collect()
    }

    /// The Gaussian around the feature weights, which all machines share, with slopes of a moment ago if
    /// there are any.
    fn around_features(&self, lasting: Option<Matrix>, work: &mut Work) -> Option<Laplace> {
        let Self { weights, problem, .. } = self;
        let c = problem.likelihood.curvature(&self.f);
        let slopes = lasting.unwrap_or_else(|| {
            slopes(&self.bases, &problem.likelihood, &weights.w(), &self.f, work)
        });
        Laplace::at(&slopes, &c, &weights.theta, &self.feature_prior(), work)
    }

    /// Moves all weights to where the precisions want them, as after a feature was taken out.
    pub fn settle(&mut self, work: &mut Work) {
        let start = self.log_posterior();
        let mut before = start;
        for _ in 0..STEPS_TO_SETTLE {
            self.move_samples(work);
            self.move_features(work);
            let now = self.log_posterior();
            if now - before < LITTLE.max(LITTLE_OF_ALL * (now - start)) {
                break;
            }
            before = now;
        }
    }

    /// What the weights settle at the largest value of: ℓ + log p(w) + log p(θ).
    fn log_posterior(&self) -> f64 {
        let Self { weights, problem, .. } = self;
        let of_samples = weights.machines.iter().map(|machine| {
            let prior = machine.prior(problem.truncation);
            prior.log(&machine.w)
        });
        let of_samples: f64 = of_samples.sum();
        problem.likelihood.log(&self.f) + of_samples + self.feature_prior().log(&weights.theta)
    }

    /// Newton's step for the sample weights of one machine after the other; three for fresh ones.
    /// How long the shortest was.
    pub fn move_samples(&mut self, work: &mut Work) -> f64 {
        let steps = if self.fresh { 3 } else { 1 };
        self.fresh = false;
        let mut length = 0.0;
        for _ in 0..steps {
            let mut settled = true;
            length = 1.0f64;
            for k in 0..self.bases.len() {
                let step = self.move_samples_of(k, work);
                length = length.min(step.length);
                settled &= step.settled;
            }
            if settled {
                break;
            }
        }
        length
    }

    fn move_samples_of(&mut self, k: usize, work: &mut Work) -> Step {
        let classes = &self.problem.likelihood;
        let offset = classes.offset(k, &self.f);
        let mut f = classes.seen_by(k, &self.f);
        let Leaning { w, alpha, .. } = &mut self.weights.machines[k];
        let prior = Prior { truncation: self.problem.truncation, ..Prior::new(alpha, 1) };
        let (basis, likelihood) = (&self.bases[k], &classes.machines[k]);
        let moving = (w, &mut f);
        let step = match self.lasting[k].take() {
            Some(lasting) => {
                let columns = WithLasting { basis, lasting: &lasting };
                step_samples(&columns, likelihood, &prior, moving, &offset, work)
            }
            None => step_samples(basis, likelihood, &prior, moving, &offset, work),
        };
        f.iter_mut().zip(&offset).for_each(|(f, offset)| *f -= offset);
        self.f[k * f.len()..][..f.len()].copy_from_slice(&f);
        step
    }

    /// Newton's step for the feature weights: how long it was, and the slopes it was taken along where they are
    /// hardly others at its end.
    pub fn move_features(&mut self, work: &mut Work) -> (f64, Option<Matrix>) {
        let Weights { theta, beta, centre, machines, .. } = &mut self.weights;
        let truncation = self.problem.truncation;
        let prior = Prior { means: centre, truncation, ..Prior::new(beta, 0) };
        let likelihood = &self.problem.likelihood;
        let w: Vec<&[f64]> = machines.iter().map(|machine| &machine.w[..]).collect();
        let before = theta.clone();
        let moving = (&mut *theta, &mut self.f);
        let (step, slopes) = step_features(&mut self.bases, likelihood, &prior, &w, moving, work);
        let far = before.iter().zip(&*theta).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let largest = theta.iter().copied().fold(0.0, f64::max);
        let last = self.problem.truncation.is_exact() && far <= HARDLY * largest;
        (step.length, last.then_some(slopes))
    }

    fn update_precisions(&mut self, stage: &Stage, samples: &[Laplace], features: &Laplace) {
        let update = Update {
            rule: stage.sample_rule,
            hyperprior: stage.sample_hyperprior,
            damping: stage.sample_damping,
        };
        let floor = self.problem.sample_floor();
        for (machine, posterior) in self.weights.machines.iter_mut().zip(samples) {
            update_samples(&mut machine.alpha, &machine.w, posterior, &update, floor);
        }
        if stage.feature_rule != PrecisionRule::Fixed {
            let update = Update {
                rule: stage.feature_rule,
                hyperprior: common::hyperprior_beside(stage, &self.problem.prominent),
                damping: stage.feature_damping,
            };
            let Weights { theta, beta, .. } = &mut self.weights;
            let (kernel, spans) = (self.problem.kernel, self.bases[0].spans());
            // In the linear kernel a feature has as many coefficients as columns, for each class that
            // is free: the classes enter through each of them, and its one weight is raised by all.
            let classes = free_classes(self.bases.len());
            let directions =
                |k: usize| if kernel == Kernel::Linear { classes * spans.of(k).len() } else { 1 };
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

/// How many of the machines' decision values are free: what all have in common says nothing.
pub(crate) fn free_classes(machines: usize) -> usize {
    (machines - 1).max(1)
}

/// γ of each weight of a machine.
fn determined_of(machine: &Leaning, posterior: &Laplace) -> Vec<f64> {
    machine.alpha.iter().zip(&posterior.variances).map(|(a, v)| determined(*a, *v)).collect()
}
