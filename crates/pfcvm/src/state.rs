//! What a fit learns from, and what it holds while it runs.

use crate::algebra::Work;
use crate::basis::{Basis, Done, STORED_BYTES};
use crate::kernel::Kernel;
use crate::posterior::{BIAS_PRECISION, Classes, Lasting, Prior};
use crate::settings::{Settings, Start, Truncation};
use crate::spans::Inputs;
use crate::truncated::least_divergence;

/// From so many rows on a Hessian lasts for a step.
const LASTING_FROM: usize = 200;

/// The data as the fit sees them, which never change while it runs.
pub(crate) struct Problem {
    pub kernel: Kernel,
    pub truncation: Truncation,
    pub start: Start,
    /// Scaled samples, all varying features.
    pub x: Inputs,
    pub likelihood: Classes,
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

    /// Whether a Newton step may lean on the Hessian of the iteration before ([`Lasting`]): where it takes
    /// long to make. The scale of the linear kernel is fixed anew after every iteration.
    pub fn hessians_last(&self) -> bool {
        self.x.rows() > LASTING_FROM && !self.kernel.is_scale_free() && self.truncation.is_exact()
    }

    /// The candidates that take part first, so many of them, ascending: in turns from all classes, and from
    /// all over their order.
    pub fn first_candidates(&self, count: usize) -> Vec<usize> {
        let all = &self.candidates;
        if count >= all.len() {
            return all.clone();
        }
        let class = |row: usize| self.likelihood.machines.iter().position(|m| m.signs[row] > 0.0);
        let mut by_class = all.clone();
        by_class.sort_by_key(|&row| class(row));
        // 0, ½, ¼, ¾, ⅛ … of all: numbers whose bits are read backwards.
        let unused = (all.len() - 1).leading_zeros();
        let places = (0..=usize::MAX >> unused).map(|at| at.reverse_bits() >> unused);
        let mut first: Vec<usize> =
            places.filter(|at| *at < all.len()).take(count).map(|at| by_class[at]).collect();
        first.sort_unstable();
        first
    }

    /// Of scaled rows; `prominent` says which features stand out on their own.
    pub fn new(
        x: Inputs,
        likelihood: impl Into<Classes>,
        candidates: Vec<usize>,
        prominent: Vec<bool>,
        settings: &Settings,
    ) -> Self {
        let Settings { kernel, truncation, start, .. } = *settings;
        let likelihood = likelihood.into();
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
    /// What each machine leans on: one for two classes, one for each of more.
    pub machines: Vec<Leaning>,
}

/// The samples that one machine leans on.
#[derive(Clone)]
pub(crate) struct Leaning {
    /// Kept samples, as rows of `Problem::x`.
    pub samples: Vec<usize>,
    /// Bias first.
    pub w: Vec<f64>,
    /// Bias first.
    pub alpha: Vec<f64>,
}

impl Leaning {
    pub fn prior(&self, truncation: Truncation) -> Prior<'_> {
        Prior { truncation, ..Prior::new(&self.alpha, 1) }
    }

    /// Without samples of weight 0.
    pub fn without_idle(&self) -> Self {
        let leaning: Vec<usize> =
            (0..self.samples.len()).filter(|&at| self.w[at + 1] > 0.0).collect();
        let with_bias = |values: &[f64]| {
            let own = leaning.iter().map(|&at| values[at + 1]);
            std::iter::once(values[0]).chain(own).collect()
        };
        Self {
            samples: leaning.iter().map(|&at| self.samples[at]).collect(),
            w: with_bias(&self.w),
            alpha: with_bias(&self.alpha),
        }
    }
}

impl Weights {
    /// The sample weights of each machine.
    pub fn w(&self) -> Vec<&[f64]> {
        self.machines.iter().map(|machine| &machine.w[..]).collect()
    }

    /// How many weights of features and samples there are.
    pub fn size(&self) -> usize {
        self.features.len()
            + self.machines.iter().map(|machine| machine.samples.len()).sum::<usize>()
    }

    /// The samples that any machine leans on, ascending.
    pub fn samples(&self) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.machines.iter().flat_map(|machine| machine.samples.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A fit on its way: the weights, and what follows from them.
pub(crate) struct State<'p> {
    pub problem: &'p Problem,
    pub weights: Weights,
    /// One for each machine.
    pub bases: Vec<Basis>,
    /// Decision value of every row, one machine after the other.
    pub f: Vec<f64>,
    /// No w step was taken yet.
    pub fresh: bool,
    /// What the last iteration leaves to the next of each machine's Hessian, if it does.
    pub lasting: Vec<Option<Lasting>>,
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
        let (w, alpha) = (vec![0.0; n + 1], vec![BIAS_PRECISION; n + 1]);
        let machine = Leaning { samples, w, alpha };
        let weights = Weights {
            features,
            theta,
            beta,
            centre: vec![0.0; m],
            common_precision: None,
            machines: vec![machine; problem.likelihood.machines.len()],
        };
        let mut state = Self::resume(problem, weights, work);
        let precision =
            start.sample_precision.unwrap_or_else(|| state.bases[0].mean_square_sum(work));
        state.weights.machines.iter_mut().for_each(|machine| machine.alpha[1..].fill(precision));
        state
    }

    /// Goes on from given weights.
    pub fn resume(problem: &'p Problem, weights: Weights, work: &mut Work) -> Self {
        let mut bases: Vec<Basis> = Vec::with_capacity(weights.machines.len());
        for (k, Leaning { samples, .. }) in weights.machines.iter().enumerate() {
            let signs = &problem.likelihood.machines[k].signs;
            let signs = samples.iter().map(|&i| signs[i]).collect();
            let same = weights.machines[..k].iter().position(|other| other.samples == *samples);
            bases.push(match (same, bases.first()) {
                (Some(same), _) => bases[same].with_signs(signs),
                (None, Some(other)) => other.with_samples(samples, signs, work),
                (None, None) => {
                    let (x, theta) = (problem.x.select(&weights.features), weights.theta.clone());
                    let most = STORED_BYTES / weights.machines.len();
                    Basis::new(most, problem.kernel, x, samples, (signs, theta), work)
                }
            });
        }
        let fresh = weights.w().concat().iter().all(|w| *w == 0.0);
        let lasting = vec![None; bases.len()];
        let mut state = Self { problem, weights, bases, f: Vec::new(), fresh, lasting };
        state.decide(work);
        state
    }

    /// Decision values as the weights have them.
    pub fn decide(&mut self, work: &mut Work) {
        let machines = self.bases.iter().zip(&self.weights.machines);
        self.f = machines.flat_map(|(basis, machine)| basis.decision(&machine.w, work)).collect();
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
        for machine in &mut weights.machines {
            machine.w[1..].iter_mut().for_each(|w| *w *= s);
            machine.alpha[1..].iter_mut().for_each(|a| *a /= s * s);
        }
        let mut done = Done::default();
        self.bases.iter_mut().for_each(|basis| basis.rescale(s, &mut done));
    }
}
