//! One basis function at a time (Tipping & Faul 2003).
//!
//! How the evidence depends on one precision is known in closed form through two numbers of its
//! column φ, the sparsity s and the quality q: with S = φᵀCφ − φᵀCΦΣΦᵀCφ and Q = φᵀ(t−σ) for the
//! model as it is, s = αS/(α−S) and q = αQ/(α−S) for a column in it, s = S and q = Q outside. The
//! best precision is s²/(q²−s) where q² > s, and infinite otherwise. Of all such changes the one
//! that gains most evidence is made; a column that should go goes first.
//!
//! At the mode S = α − α²Σⱼⱼ and Q = αwⱼ for a column in the model, so that s = γ/Σⱼⱼ and q = wⱼ/Σⱼⱼ
//! cost nothing; only the columns outside need an N × B × m product. Between additions S changes
//! little: it is then computed anew only for columns that would be the best choice if S were half
//! of what it last was, and for all before the algorithm ends.

mod outside;
#[cfg(test)]
mod tests;

use super::mode::Mode;
use super::{Selection, normalise};
use crate::stop::wanted;
use pfcvm::algebra::{Work, transpose_times_vector};
use pfcvm::posterior::Covariance;
use pfcvm::posterior::Likelihood;
use pfcvm::{Matrix, Termination};

/// A column whose q² − s is below this has no finite best precision.
const LEAST_FACTOR: f64 = 1e-12;
/// Unit columns with a larger inner product count as the same.
const ALIGNED: f64 = 1.0 - 1e-3;
/// Bounds of the first precision.
const FIRST_PRECISION: [f64; 2] = [1e-3, 1e3];
/// log(1.9/0.1): the first weight aims at outputs of 0.95 and 0.05.
const FIRST_OUTPUT: f64 = 2.944_438_979_166_440_4;
/// After so many iterations without any gain in evidence nothing more is to be expected.
pub(crate) const PATIENCE: usize = 200;

/// What a selection is held to.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub max_iterations: usize,
    /// Ends when the best change is a re-estimate that moves log α by less.
    pub tolerance: f64,
    /// Ends when the evidence has not risen for so many iterations.
    pub patience: usize,
    /// The sign that the weight of each column must have; 0: either. Nothing: either for all.
    pub signs: Option<Vec<f64>>,
}

/// Columns to begin with, as an earlier selection among much the same columns left them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start {
    pub active: Vec<usize>,
    pub weights: Vec<f64>,
    pub precisions: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Reestimate { at: usize, alpha: f64 },
    Delete { at: usize },
    Add { column: usize, alpha: f64 },
}

struct Model<'a> {
    columns: &'a Matrix,
    likelihood: &'a Likelihood,
    rules: &'a Rules,
    active: Vec<usize>,
    alpha: Vec<f64>,
    phi: Matrix,
    mode: Mode,
    covariance: Covariance,
    /// Σⱼⱼ.
    variances: Vec<f64>,
    /// S of the columns outside, as last computed.
    sparsity: Vec<f64>,
    /// Whether a column was added since S was computed for all.
    outdated: bool,
    /// (outside, inside): the first was not added because the second is nearly the same.
    aligned: Vec<(usize, usize)>,
    /// Went because their mode was on the wrong side; they stay out until the evidence rises.
    refused: Vec<usize>,
}

/// Selects columns, beginning with the one most like the labels. Nothing if not even that can be
/// put in.
pub(crate) fn select(
    columns: Matrix,
    likelihood: &Likelihood,
    rules: &Rules,
    work: &mut Work,
) -> Option<Selection> {
    select_from(&Start::default(), columns, likelihood, rules, work)
}

/// As [`select`], beginning with those of `start` if there are any.
pub(crate) fn select_from(
    start: &Start,
    mut columns: Matrix,
    likelihood: &Likelihood,
    rules: &Rules,
    work: &mut Work,
) -> Option<Selection> {
    let lengths = normalise(&mut columns);
    let start = start.scaled(&columns, &lengths);
    let start = match start.active.is_empty() {
        true => first(&columns, likelihood, rules, work),
        false => start,
    };
    let mut model = Model::at(start, &columns, likelihood, rules, work)?;
    let mut trace = vec![(model.mode.log_evidence(&model.alpha), model.active.len())];
    let (mut best, mut best_at) = (trace[0].0, 0);
    let mut termination = Termination::MaxIterations;
    for iteration in wanted(1..=rules.max_iterations) {
        let action = model.best_action(work);
        let Some(action) = action.filter(|_| iteration - best_at <= rules.patience) else {
            termination = Termination::Converged;
            break;
        };
        if !model.apply(action, work) {
            termination = Termination::NumericalBreakdown;
            break;
        }
        let evidence = model.mode.log_evidence(&model.alpha);
        trace.push((evidence, model.active.len()));
        if evidence > best + 1e-9 * best.abs() {
            (best, best_at) = (evidence, iteration);
            model.refused.clear();
        }
    }
    let Model { active, alpha, phi, mode, .. } = model;
    mode.into_selection(&phi, (&active, &alpha), &lengths, (trace, termination), work)
}

impl Start {
    /// In terms of the columns at unit length; without those that have become 0.
    fn scaled(&self, columns: &Matrix, lengths: &[f64]) -> Self {
        let mut scaled = Self::default();
        for ((&j, w), alpha) in self.active.iter().zip(&self.weights).zip(&self.precisions) {
            if columns.column(j).iter().any(|v| *v != 0.0) {
                scaled.active.push(j);
                scaled.weights.push(w * lengths[j]);
                scaled.precisions.push(alpha / lengths[j].powi(2));
            }
        }
        scaled
    }
}

/// The column most like the labels.
fn first(columns: &Matrix, likelihood: &Likelihood, rules: &Rules, work: &mut Work) -> Start {
    let labels: Vec<f64> =
        likelihood.signs.iter().zip(&likelihood.weights).map(|(y, rho)| y * rho).collect();
    let likeness = transpose_times_vector(columns, &labels, work);
    let size = |j: usize| if rules.allows(j, likeness[j]) { likeness[j].abs() } else { -1.0 };
    let mut first = 0;
    for j in 1..columns.cols() {
        if size(j) > size(first) {
            first = j;
        }
    }
    let w = FIRST_OUTPUT * likeness[first];
    let [low, high] = FIRST_PRECISION;
    let alpha = (1.0 / (w * w)).clamp(low, high);
    Start { active: vec![first], weights: vec![w], precisions: vec![alpha] }
}

impl<'a> Model<'a> {
    /// The model with these columns, which have unit length.
    fn at(
        start: Start,
        columns: &'a Matrix,
        likelihood: &'a Likelihood,
        rules: &'a Rules,
        work: &mut Work,
    ) -> Option<Self> {
        let Start { active, weights, precisions: alpha } = start;
        let phi = columns.select_columns(&active);
        let mode = Mode::find(&phi, likelihood, &alpha, weights, work)?;
        let covariance = mode.precision.covariance(work);
        Some(Self {
            columns,
            likelihood,
            rules,
            active,
            alpha,
            phi,
            mode,
            variances: covariance.variances(),
            covariance,
            sparsity: vec![0.0; columns.cols()],
            outdated: true,
            aligned: Vec::new(),
            refused: Vec::new(),
        })
    }

    /// The change that gains most evidence, if any gains some and is more than a settled
    /// re-estimate. Deletions go before everything else.
    fn best_action(&mut self, work: &mut Work) -> Option<Action> {
        let inside = (0..self.active.len()).map(|at| self.inside(at));
        let (deletions, reestimates): (Vec<_>, Vec<_>) =
            inside.partition(|(_, action)| matches!(action, Action::Delete { .. }));
        if self.active.len() > 1 && !deletions.is_empty() {
            return self.best_of(deletions);
        }
        let all = self.outdated;
        let found = self.best_with_additions(&reestimates, all, work);
        if found.is_some() || all {
            found
        } else {
            self.best_with_additions(&reestimates, true, work)
        }
    }

    /// The best of the re-estimates and of the additions, judged by S of `all` columns outside as
    /// it is now or only of those that seem worth it.
    fn best_with_additions(
        &mut self,
        reestimates: &[(f64, Action)],
        all: bool,
        work: &mut Work,
    ) -> Option<Action> {
        let least = reestimates.iter().fold(0.0f64, |most, (gain, _)| most.max(*gain));
        let mut changes = reestimates.to_vec();
        changes.extend(self.additions(if all { None } else { Some(least) }, work));
        self.best_of(changes).filter(|action| !self.is_settled(action))
    }

    fn best_of(&mut self, mut changes: Vec<(f64, Action)>) -> Option<Action> {
        loop {
            let mut best: Option<(f64, Action)> = None;
            for &(gain, action) in &changes {
                if gain > best.map_or(0.0, |(most, _)| most) {
                    best = Some((gain, action));
                }
            }
            let (_, action) = best?;
            if !self.is_aligned(&action) {
                return Some(action);
            }
            changes.retain(|(_, other)| *other != action);
        }
    }

    /// The best precision of a column in the model, and what it gains.
    fn inside(&self, at: usize) -> (f64, Action) {
        let (alpha, variance, w) = (self.alpha[at], self.variances[at], self.mode.w[at]);
        let determined = (1.0 - alpha * variance).max(0.0);
        let (s, q) = (determined / variance, w / variance);
        let factor = q * q - s;
        if factor <= LEAST_FACTOR || !self.rules.allows(self.active[at], w) {
            let gain = -0.5 * (q * q / (s + alpha) - (s / alpha).ln_1p());
            // A column on the wrong side goes whatever that costs.
            let gain = if factor <= LEAST_FACTOR { gain } else { f64::MAX };
            return (gain, Action::Delete { at });
        }
        let best = s * s / factor;
        let (big_s, big_q) = (alpha * determined, alpha * w);
        let change = 1.0 / best - 1.0 / alpha;
        let spread = change * big_s;
        let gain = 0.5 * (change * big_q * big_q / (spread + 1.0) - spread.ln_1p());
        (gain, Action::Reestimate { at, alpha: best })
    }

    /// Whether the best change is no change to speak of.
    fn is_settled(&self, action: &Action) -> bool {
        match *action {
            Action::Reestimate { at, alpha } => {
                (alpha / self.alpha[at]).ln().abs() < self.rules.tolerance
            }
            _ => false,
        }
    }

    /// Whether the column to be added is nearly one that is there; it is then left out until that
    /// one goes.
    fn is_aligned(&mut self, action: &Action) -> bool {
        let Action::Add { column, .. } = *action else { return false };
        let own = self.columns.column(column);
        let like = |j: &&usize| {
            let other = self.columns.column(**j);
            own.iter().zip(other).map(|(a, b)| a * b).sum::<f64>() > ALIGNED
        };
        let twins: Vec<usize> = self.active.iter().filter(like).copied().collect();
        self.aligned.extend(twins.iter().map(|&twin| (column, twin)));
        !twins.is_empty()
    }

    /// Makes the change and moves to the new mode. False: the algebra broke down, and nothing was
    /// changed.
    fn apply(&mut self, action: Action, work: &mut Work) -> bool {
        let (mut active, mut alpha) = (self.active.clone(), self.alpha.clone());
        let mut w = self.mode.w.clone();
        let mut phi = None;
        match action {
            Action::Reestimate { at, alpha: best } => alpha[at] = best,
            Action::Delete { at } => {
                active.remove(at);
                alpha.remove(at);
                w.remove(at);
                phi = Some(self.columns.select_columns(&active));
            }
            Action::Add { column, alpha: best } => {
                active.push(column);
                alpha.push(best);
                w.push(0.0);
                phi = Some(self.columns.select_columns(&active));
            }
        }
        let at = phi.as_ref().unwrap_or(&self.phi);
        let Some(mode) = Mode::find(at, self.likelihood, &alpha, w, work) else { return false };
        self.covariance = mode.precision.covariance(work);
        self.variances = self.covariance.variances();
        self.outdated |= matches!(action, Action::Add { .. });
        if let Action::Delete { at } = action {
            let gone = self.active[at];
            self.aligned.retain(|(_, inside)| *inside != gone);
            if !self.rules.allows(gone, self.mode.w[at]) {
                self.refused.push(gone);
            }
        }
        (self.active, self.alpha, self.mode) = (active, alpha, mode);
        self.phi = phi.unwrap_or_else(|| std::mem::replace(&mut self.phi, Matrix::zeros(0, 0)));
        true
    }
}

impl Rules {
    /// Whether a column may have a weight of this sign.
    fn allows(&self, column: usize, weight: f64) -> bool {
        let allows = |sign: f64| sign == 0.0 || sign * weight > 0.0;
        self.signs.as_ref().is_none_or(|signs| allows(signs[column]))
    }
}
