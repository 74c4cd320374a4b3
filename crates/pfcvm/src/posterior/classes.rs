//! The likelihood of one machine, or of several that share a row of probabilities.
//!
//! With K > 2 classes there is a machine for each, and pₖ = exp fₖ / Σⱼ exp fⱼ. Decision values stand
//! one machine after the other: f = (f₁, …, f_K), N each. What follows needs no more than sums over K
//! problems of the size of one:
//!
//! - Seen from one machine with the others held fast, pₖ = σ(fₖ + oₖ) with oₖ = −log Σ_{j≠k} exp fⱼ: the
//!   likelihood of two classes with an offset, exactly.
//! - Seen from weights that all machines share, with slopes Dₖ = ∂fₖ/∂θ, the curvature is
//!   Σₖ Dₖᵀ diag(ρ pₖ) Dₖ − D̄ᵀ diag(ρ) D̄ with D̄ = Σₖ pₖ Dₖ, which is Σₖ (Dₖ−D̄)ᵀ diag(ρ pₖ) (Dₖ−D̄):
//!   a plain Gram matrix of the centred slopes, one machine below the other; and because residuals
//!   sum to 0 over the machines, centring leaves the gradient as it is.
//!
//! One machine (two classes) is the plain logistic likelihood.

use super::{Likelihood, Objective, Prior, Step};
use crate::algebra::{Work, for_columns};
use crate::data::Dataset;
use crate::matrix::Matrix;
use crate::settings::ClassWeights;

/// What decision values say of the classes, and what a mode needs of it.
pub trait Observed {
    /// ℓ(f).
    fn log(&self, f: &[f64]) -> f64;
    /// The derivative of ℓ.
    fn residual(&self, f: &[f64]) -> Vec<f64>;
    /// The diagonal of the curvature C that goes with columns from [`Observed::centred`].
    fn curvature(&self, f: &[f64]) -> Vec<f64>;
    /// The slopes of all machines as one matrix J, such that JᵀCJ is the whole curvature.
    fn centred(&self, slopes: Vec<Matrix>, f: &[f64], work: &Work) -> Matrix;
}

impl Observed for Likelihood {
    fn log(&self, f: &[f64]) -> f64 {
        Likelihood::log(self, f)
    }

    fn residual(&self, f: &[f64]) -> Vec<f64> {
        Likelihood::residual(self, f)
    }

    fn curvature(&self, f: &[f64]) -> Vec<f64> {
        Likelihood::curvature(self, f)
    }

    fn centred(&self, slopes: Vec<Matrix>, _: &[f64], _: &Work) -> Matrix {
        slopes.into_iter().next().unwrap_or_else(|| Matrix::zeros(0, 0))
    }
}

/// The likelihood of one machine beside others that are held fast: oₖ is added to its decision values.
/// No offset is 0.
pub(crate) struct Beside<'a> {
    pub own: &'a Likelihood,
    pub offset: &'a [f64],
}

impl Beside<'_> {
    fn seen(&self, f: &[f64]) -> Vec<f64> {
        let mut seen = f.to_vec();
        seen.iter_mut().zip(self.offset).for_each(|(f, offset)| *f += offset);
        seen
    }
}

impl Observed for Beside<'_> {
    fn log(&self, f: &[f64]) -> f64 {
        self.own.log(&self.seen(f))
    }

    fn residual(&self, f: &[f64]) -> Vec<f64> {
        self.own.residual(&self.seen(f))
    }

    fn curvature(&self, f: &[f64]) -> Vec<f64> {
        self.own.curvature(&self.seen(f))
    }

    fn centred(&self, slopes: Vec<Matrix>, f: &[f64], work: &Work) -> Matrix {
        self.own.centred(slopes, f, work)
    }
}

/// The likelihood of all machines.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// What each machine tells apart: one for two classes, one for each of more.
    pub machines: Vec<Likelihood>,
}

/// The smallest probability that a curvature is taken at.
const LEAST: f64 = 1e-10;

impl From<Likelihood> for Classes {
    fn from(only: Likelihood) -> Self {
        Self { machines: vec![only] }
    }
}

impl Classes {
    /// Of some samples: one machine for two classes, one for each of more.
    pub fn new(data: &Dataset, class_weights: ClassWeights) -> Self {
        let factors = data.factors(class_weights);
        let tasks = if data.classes() == 2 { 1..2 } else { 0..data.classes() };
        Self { machines: tasks.map(|k| Likelihood::of_class(data, k, &factors)).collect() }
    }

    pub fn rows(&self) -> usize {
        self.machines[0].signs.len()
    }

    /// The weight of each row, the same for all machines.
    pub fn weights(&self) -> &[f64] {
        &self.machines[0].weights
    }

    /// Of some of the rows.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self { machines: self.machines.iter().map(|machine| machine.select(rows)).collect() }
    }

    /// With rows that count a share of what they do.
    pub fn counting(&self, shares: &[f64]) -> Self {
        let mut machines = self.machines.clone();
        for machine in &mut machines {
            machine.weights.iter_mut().zip(shares).for_each(|(weight, share)| *weight *= share);
        }
        Self { machines }
    }

    /// The decision values of one machine.
    pub fn of<'f>(&self, machine: usize, f: &'f [f64]) -> &'f [f64] {
        &f[machine * self.rows()..(machine + 1) * self.rows()]
    }

    /// What one machine adds to its decision values to see the others: oₖ. Nothing where it is alone.
    pub fn offset(&self, machine: usize, f: &[f64]) -> Vec<f64> {
        let (n, count) = (self.rows(), self.machines.len());
        if count == 1 {
            return Vec::new();
        }
        let others = || (0..count).filter(|other| *other != machine);
        let of_row = |i: usize| {
            let largest = others().map(|k| f[k * n + i]).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = others().map(|k| (f[k * n + i] - largest).exp()).sum();
            -(largest + sum.ln())
        };
        (0..n).map(of_row).collect()
    }

    /// Decision values of one machine with what it sees of the others.
    pub fn seen_by(&self, machine: usize, f: &[f64]) -> Vec<f64> {
        let mut own = self.of(machine, f).to_vec();
        own.iter_mut().zip(self.offset(machine, f)).for_each(|(f, offset)| *f += offset);
        own
    }

    /// One step of one machine whose decision values are offset + Ju, the others being held fast; `f`
    /// are those of all machines.
    pub fn step(
        &self,
        machine: usize,
        (columns, offset): (&Matrix, f64),
        prior: Prior,
        u: &mut Vec<f64>,
        f: &mut [f64],
        work: &mut Work,
    ) -> Option<Step> {
        let mut own = self.of(machine, f).to_vec();
        let others = self.offset(machine, f);
        let likelihood = &Beside { own: &self.machines[machine], offset: &others };
        let objective = Objective { likelihood, prior };
        let step = objective.linear_step(columns, offset, u, &mut own, work)?;
        f[machine * self.rows()..(machine + 1) * self.rows()].copy_from_slice(&own);
        Some(step)
    }

    /// The curvature seen by one machine: ρ pₖ (1 − pₖ).
    pub fn curvature_of(&self, machine: usize, f: &[f64]) -> Vec<f64> {
        self.machines[machine].curvature(&self.seen_by(machine, f))
    }

    /// Probabilities, one machine after the other, and the logarithm of Σ exp f of each row.
    fn softmax(&self, f: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (n, count) = (self.rows(), self.machines.len());
        let mut logs = vec![f64::NEG_INFINITY; n];
        for own in f.chunks(n.max(1)) {
            logs.iter_mut().zip(own).for_each(|(log, f)| *log = log.max(*f));
        }
        let mut sums = vec![0.0; n];
        for own in f.chunks(n.max(1)) {
            sums.iter_mut().zip(own.iter().zip(&logs)).for_each(|(s, (f, l))| *s += (f - l).exp());
        }
        logs.iter_mut().zip(&sums).for_each(|(log, sum)| *log += sum.ln());
        let p = (0..count * n).map(|at| (f[at] - logs[at % n]).exp()).collect();
        (p, logs)
    }
}

impl Observed for Classes {
    /// Σ ρᵢ log p of the class of row i.
    fn log(&self, f: &[f64]) -> f64 {
        if let [only] = &self.machines[..] {
            return only.log(f);
        }
        let (_, logs) = self.softmax(f);
        let own = |(k, machine): (usize, &Likelihood)| -> f64 {
            let rows = machine.signs.iter().zip(&machine.weights).zip(self.of(k, f)).zip(&logs);
            rows.filter(|(((sign, _), _), _)| **sign > 0.0)
                .map(|(((_, w), f), l)| w * (f - l))
                .sum()
        };
        self.machines.iter().enumerate().map(own).sum()
    }

    /// ρᵢ (tᵢₖ − pᵢₖ).
    fn residual(&self, f: &[f64]) -> Vec<f64> {
        if let [only] = &self.machines[..] {
            return only.residual(f);
        }
        let (p, _) = self.softmax(f);
        let rows =
            self.machines.iter().flat_map(|machine| machine.signs.iter().zip(&machine.weights));
        rows.zip(p).map(|((sign, w), p)| w * (if *sign > 0.0 { 1.0 - p } else { -p })).collect()
    }

    fn curvature(&self, f: &[f64]) -> Vec<f64> {
        if let [only] = &self.machines[..] {
            return only.curvature(f);
        }
        let (p, _) = self.softmax(f);
        p.iter()
            .enumerate()
            .map(|(at, p)| self.weights()[at % self.rows()] * p.max(LEAST))
            .collect()
    }

    fn centred(&self, slopes: Vec<Matrix>, f: &[f64], work: &Work) -> Matrix {
        if let [only] = &self.machines[..] {
            return only.centred(slopes, f, work);
        }
        let (p, _) = self.softmax(f);
        let n = self.rows();
        let mut stacked = Matrix::zeros(n * slopes.len(), slopes[0].cols());
        for_columns(&mut stacked, work, |column, target| {
            let mut mean = vec![0.0; n];
            for (k, slopes) in slopes.iter().enumerate() {
                let terms = mean.iter_mut().zip(slopes.column(column)).zip(&p[k * n..]);
                terms.for_each(|((mean, d), p)| *mean += p * d);
            }
            for (slopes, part) in slopes.iter().zip(target.chunks_mut(n.max(1))) {
                let terms = part.iter_mut().zip(slopes.column(column)).zip(&mean);
                terms.for_each(|((target, d), mean)| *target = d - mean);
            }
        });
        stacked
    }
}
