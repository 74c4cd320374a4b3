//! The rounds in which the halves judge the features together.
//!
//! Every member has its own w, θ ≥ 0 and α, but βₖ, the precision of feature k, is one for all: it
//! follows from the sum of the members' Laplace evidences. A member with θₖ = 0 counts as fully
//! determined there and pushes βₖ up, so a feature has to pay in most halves.

use super::member::{Judgement, Member};
use crate::algebra::Work;
use crate::posterior::Likelihood;
use crate::settings::Hyperprior;
use crate::spans::{Inputs, Spans};
use rayon::prelude::*;

/// A feature is dropped once β max θ² exceeds this.
const DROP_RATIO: f64 = 1e4;
/// Bounds of β.
const BETA_RANGE: (f64, f64) = (1e-8, 1e14);

/// The members with what they share.
pub(super) struct Rounds<'a> {
    likelihood: &'a Likelihood,
    /// Shape of the hyperprior on β.
    shape: f64,
    /// What members may use.
    work: Work,
    /// All rows, kept features.
    x: Inputs,
    /// Kept features, as numbered at the start.
    pub features: Vec<usize>,
    beta: Vec<f64>,
    pub members: Vec<Member>,
}

impl<'a> Rounds<'a> {
    /// Starts all members on all columns of `x` with θ = 1/M and β = M.
    pub fn new(
        x: Inputs,
        likelihood: &'a Likelihood,
        halves: &[Vec<usize>],
        shape: f64,
        work: Work,
    ) -> Self {
        let m = x.features();
        let members = halves.iter().map(|rows| Member::new(rows.clone(), m)).collect();
        let (features, beta) = ((0..m).collect(), vec![m as f64; m]);
        Self { likelihood, shape, work, x, features, beta, members }
    }

    /// Moves every member; each gathers its rows once. Nothing, with the members as they were,
    /// when the algebra of one broke down.
    pub fn advance(&mut self) -> Option<(Vec<Judgement>, f64)> {
        let advance = |member: &mut Member| {
            // Members fill the threads; products within one stay on its own.
            let mut work = self.work.alone();
            let (x, likelihood) =
                (self.x.values.select_rows(&member.rows), self.likelihood.select(&member.rows));
            let x = Inputs { values: x, spans: self.x.spans.clone() };
            let judgement = member.advance(&x, &likelihood, &self.beta, &mut work)?;
            Some((judgement, work.jitter))
        };
        let mut moved = self.members.clone();
        let results: Option<Vec<(Judgement, f64)>> = if self.work.parallel {
            moved.par_iter_mut().map(advance).collect()
        } else {
            moved.iter_mut().map(advance).collect()
        };
        let results = results?;
        self.members = moved;
        let jitter = results.iter().fold(0.0f64, |m, (_, j)| m.max(*j));
        Some((results.into_iter().map(|(judgement, _)| judgement).collect(), jitter))
    }

    /// Draws the consequences: precisions, features dropped, scale. Sums run over the members in
    /// their order.
    pub fn settle(&mut self, judgements: &[Judgement]) {
        self.balance();
        let squares = self.mean_over_members(|member, k| member.theta[k].powi(2));
        self.update_precisions(judgements, &squares);
        self.drop_features(&squares);
        self.fix_scale();
    }

    fn mean_over_members(&self, value: impl Fn(&Member, usize) -> f64) -> Vec<f64> {
        let count = self.members.len() as f64;
        let sum = |k| self.members.iter().map(|member| value(member, k)).sum::<f64>();
        (0..self.features.len()).map(|k| sum(k) / count).collect()
    }

    /// The scale between θ and w is free in each member: make Σ βθ² equal, so that means over
    /// members mean something.
    fn balance(&mut self) {
        let weighted = |member: &Member| -> f64 {
            let terms = member.theta.iter().zip(&self.beta);
            terms.map(|(t, b)| b * t * t).sum::<f64>().max(1e-300)
        };
        let sums: Vec<f64> = self.members.iter().map(weighted).collect();
        let mean = sums.iter().sum::<f64>() / sums.len() as f64;
        for (member, sum) in self.members.iter_mut().zip(&sums) {
            member.rescale((sum / mean).sqrt());
        }
    }

    /// βₖ ← √(βₖ (mean γₖ + 2c) / mean θₖ²): MacKay's rule for the sum of the evidences, half-way
    /// in the logarithm.
    fn update_precisions(&mut self, judgements: &[Judgement], squares: &[f64]) {
        let count = judgements.len() as f64;
        for (k, beta) in self.beta.iter_mut().enumerate() {
            let gamma = judgements.iter().map(|j| j.determined[k]).sum::<f64>() / count;
            let shape = match self.shape > 0.0 {
                true => {
                    Hyperprior { c: self.shape, d: 0.0 }.in_directions(self.x.spans.of(k).len()).c
                }
                false => 0.0,
            };
            let proposal = ((gamma + 2.0 * shape) / squares[k].max(1e-300)).min(1e280);
            *beta = (*beta * proposal).sqrt().clamp(BETA_RANGE.0, BETA_RANGE.1);
        }
    }

    /// Drops features that no member uses and those with β max θ² above the bound; the heaviest
    /// always stays.
    fn drop_features(&mut self, squares: &[f64]) {
        let heaviest =
            (0..squares.len()).fold(0, |a, b| if squares[b] > squares[a] { b } else { a });
        let largest = squares[heaviest];
        let stays = |k: &usize| {
            *k == heaviest || (squares[*k] > 0.0 && self.beta[*k] * largest < DROP_RATIO)
        };
        let kept: Vec<usize> = (0..squares.len()).filter(stays).collect();
        if kept.len() == squares.len() {
            return;
        }
        let pick = |values: &[f64]| kept.iter().map(|&k| values[k]).collect::<Vec<f64>>();
        self.x = self.x.select(&kept);
        self.beta = pick(&self.beta);
        self.features = kept.iter().map(|&k| self.features[k]).collect();
        for member in &mut self.members {
            member.theta = pick(&member.theta);
        }
    }

    /// The scale that is left: max over features of mean θ² is 1.
    fn fix_scale(&mut self) {
        let squares = self.mean_over_members(|member, k| member.theta[k].powi(2));
        let scale = squares.iter().fold(0.0f64, |m, s| m.max(*s)).sqrt();
        if scale > 0.0 && scale.is_finite() {
            self.members.iter_mut().for_each(|member| member.rescale(scale));
            self.beta.iter_mut().for_each(|b| *b *= scale * scale);
        }
    }

    /// Effective linear weights of every member over the columns of the kept features.
    pub fn weights(&self) -> Vec<Vec<f64>> {
        let weights = |member: &Member| {
            let signs: Vec<f64> = member.rows.iter().map(|&i| self.likelihood.signs[i]).collect();
            let x = self.x.values.select_rows(&member.rows);
            member.weights(
                &Inputs { values: x, spans: self.x.spans.clone() },
                &signs,
                &self.work.alone(),
            )
        };
        if self.work.parallel {
            self.members.par_iter().map(weights).collect()
        } else {
            self.members.iter().map(weights).collect()
        }
    }
}

impl Rounds<'_> {
    /// The size of the weights of every member, feature by feature.
    pub fn sizes(&self) -> Vec<Vec<f64>> {
        self.weights().iter().map(|v| sizes(v, &self.x.spans)).collect()
    }
}

/// The length of the weights over the columns of each feature.
fn sizes(weights: &[f64], spans: &Spans) -> Vec<f64> {
    let size = |k: usize| match &weights[spans.of(k)] {
        [only] => only.abs(),
        several => several.iter().map(|v| v * v).sum::<f64>().sqrt(),
    };
    (0..spans.features()).map(size).collect()
}

/// The consensus on each feature: the median over members of |vₖ| / ‖v‖ (of an even number, the
/// upper one), so a feature that half of the members do without may still count.
pub(super) fn consensus(weights: &[Vec<f64>]) -> Vec<f64> {
    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let norms: Vec<f64> = weights.iter().map(|v| norm(v)).collect();
    let features = weights.first().map_or(0, Vec::len);
    let median = |k: usize| {
        let share =
            |(v, norm): (&Vec<f64>, &f64)| if *norm > 0.0 { v[k].abs() / norm } else { 0.0 };
        let mut shares: Vec<f64> = weights.iter().zip(&norms).map(share).collect();
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    };
    (0..features).map(median).collect()
}

/// The features with the largest positive scores, best first, at most `size`; ties in their
/// order.
pub(super) fn best(scores: &[f64], size: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&k| scores[k] > 0.0).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    order.truncate(size);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::tests::common::{assert_close, golden, indices, numbers, table};

    #[test]
    fn the_consensus_is_a_median_of_shares() {
        let weights = vec![vec![3.0, -4.0, 0.0], vec![0.0, 10.0, 0.0], vec![-8.0, 0.0, 6.0]];
        assert_eq!(consensus(&weights), [0.6, 0.8, 0.0]);
        assert_eq!(best(&consensus(&weights), 5), [1, 0]);
        assert_eq!(best(&[1.0, 2.0, 2.0], 2), [1, 2]);
        assert_eq!(consensus(&[vec![0.0, 0.0]]), [0.0, 0.0]);
    }

    /// Three rounds against `reference/make_golden_panel.py`, on the same halves.
    #[test]
    fn three_rounds_agree_with_the_slow_reference() {
        let file = golden("panel_rounds.json");
        let likelihood = Likelihood { signs: numbers(&file["y"]), weights: vec![1.0; 16] };
        let halves: Vec<Vec<usize>> =
            file["halves"].as_array().unwrap().iter().map(indices).collect();
        let x = Matrix::from_rows(&table(&file["x"])).into();
        let shape = file["shape"].as_f64().unwrap();
        let mut rounds = Rounds::new(x, &likelihood, &halves, shape, Work::new(false));
        for expected in numbers(&file["log_evidence"]) {
            let (judgements, _) = rounds.advance().unwrap();
            let evidence: f64 = judgements.iter().map(|j| j.log_evidence).sum();
            assert!((evidence - expected).abs() < 1e-7, "{evidence} instead of {expected}");
            rounds.settle(&judgements);
        }
        assert_eq!(rounds.features, indices(&file["kept"]));
        assert_close("beta", &rounds.beta, &numbers(&file["beta"]), 1e-7);
        let of =
            |value: &dyn Fn(&Member) -> f64| rounds.members.iter().map(value).collect::<Vec<_>>();
        assert_close("bias", &of(&|member| member.w[0]), &numbers(&file["bias"]), 1e-7);
        assert_close("alpha", &of(&|m| m.alpha.unwrap()), &numbers(&file["alpha"]), 1e-7);
        for (found, expected) in rounds.weights().iter().zip(table(&file["weights"])) {
            assert_close("weights", found, &expected, 1e-7);
        }
    }
}
