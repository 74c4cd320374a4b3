//! What the sums say near their point, and what follows from it without another look at a row.

use super::Sums;
use crate::algebra::Work;
use crate::evidence::{Update, determined, update_features, update_samples};
use crate::matrix::Matrix;
use crate::posterior::{Covariance, Laplace, Precision};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Times that precisions are learned from one set of sums.
const ROUNDS: usize = 60;
/// Steps to the mode of a quadratic within its bounds.
const STEPS: usize = 60;
/// Halvings of a step before it is given up.
const HALVINGS: usize = 30;
/// A mode is found where a step promises less.
const CLOSE: f64 = 1e-9;
/// Precisions are settled where none moves by more, in its logarithm.
const SETTLED: f64 = 1e-3;
/// Least γ of a sample, largest β max θ² of a feature: as in any other fit.
const SAMPLE_GAMMA: f64 = 1e-3;
const FEATURE_RATIO: f64 = 1e4;

/// Which coordinate is what: biases and sample weights machine by machine, then features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Layout {
    /// Weights of each machine, with its bias.
    pub machines: Vec<usize>,
    pub features: usize,
}

impl Layout {
    /// The coordinates of each machine.
    pub fn machines(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.machines.iter().scan(0, |end, size| {
            *end += size;
            Some(*end - size..*end)
        })
    }

    /// The coordinates of the features.
    pub fn features(&self) -> Range<usize> {
        let first = self.machines.iter().sum();
        first..first + self.features
    }

    /// Whether each coordinate must not be negative.
    fn bounded(&self) -> Vec<bool> {
        let mut bounded = vec![true; self.features().end];
        self.machines().for_each(|machine| bounded[machine.start] = false);
        bounded
    }
}

/// How precisions are learned.
pub(crate) struct Rules<'a> {
    pub samples: Update,
    pub features: Update,
    /// Smallest sample precision.
    pub floor: f64,
    /// In how many directions noise raises the weight of a feature.
    pub directions: &'a dyn Fn(usize) -> usize,
    /// Whether weights of samples and features can be traded for each other, so that one is held fast.
    pub scale_free: bool,
    /// Whether features stay as they are: f is then linear in all that moves, however far it goes.
    pub features_stay: bool,
}

/// Where the weights want to go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Proposal {
    pub u: Vec<f64>,
    pub precisions: Vec<f64>,
    /// The log evidence there, as the quadratic has it.
    pub log_evidence: f64,
    /// How far it is, in posterior standard deviations, squared.
    pub distance: f64,
    /// gᵀδ and δᵀGδ: how ℓ changes on the way, as the quadratic has it.
    slope: f64,
    bend: f64,
}

impl Proposal {
    /// What the quadratic says ℓ gains on the way.
    pub fn promise(&self) -> f64 {
        self.slope - 0.5 * self.bend
    }
}

/// ℓ near a point u₀: ℓ₀ + gᵀδ − ½ δᵀGδ, δ = u − u₀.
pub(crate) struct Quadratic<'a> {
    pub layout: &'a Layout,
    pub at: &'a [f64],
    pub sums: &'a Sums,
    /// G, both triangles.
    gram: Matrix,
    /// What is added to its diagonal on the way, so that steps stay where the quadratic holds.
    damping: Vec<f64>,
}

impl<'a> Quadratic<'a> {
    pub fn new(layout: &'a Layout, at: &'a [f64], sums: &'a Sums) -> Self {
        let gram = Matrix::from_fn(at.len(), at.len(), |i, j| sums.gram.get(i.max(j), i.min(j)));
        Self { layout, at, sums, gram, damping: vec![0.0; at.len()] }
    }

    /// With steps held back: a share of the curvature itself is added to it (Levenberg and Marquardt).
    pub fn damped(mut self, share: f64) -> Self {
        self.damping = (0..self.at.len()).map(|i| share * self.gram.get(i, i)).collect();
        self
    }

    /// ℓ and its gradient at another place, less what holds steps back.
    fn likelihood(&self, u: &[f64]) -> (f64, Vec<f64>) {
        let mut gradient = self.sums.gradient[..u.len()].to_vec();
        let mut value = self.sums.log_likelihood;
        for (j, column) in self.gram.columns().enumerate() {
            let delta = u[j] - self.at[j];
            if delta != 0.0 {
                value += delta * self.sums.gradient[j];
                gradient.iter_mut().zip(column).for_each(|(g, h)| *g -= h * delta);
                gradient[j] -= self.damping[j] * delta;
            }
        }
        // ½ δᵀ(g₀ − g) is what the curvature takes away.
        let bend: f64 =
            (0..u.len()).map(|j| (u[j] - self.at[j]) * (self.sums.gradient[j] - gradient[j])).sum();
        (value - 0.5 * bend, gradient)
    }

    fn precision(&self, free: &[usize], a: &[f64], work: &mut Work) -> Option<Precision> {
        let gram = self.gram.select_columns(free).select_rows(free);
        let diagonal: Vec<f64> = free.iter().map(|&i| a[i]).collect();
        Precision::dense(gram, &diagonal, work)
    }

    /// The mode under Gaussians of these precisions, from `u` on; `held` coordinates stay where they are.
    fn mode(&self, a: &[f64], mut u: Vec<f64>, held: &[bool], work: &mut Work) -> Option<Vec<f64>> {
        let bounded = self.layout.bounded();
        let prior = |u: &[f64]| -0.5 * u.iter().zip(a).map(|(u, a)| a * u * u).sum::<f64>();
        let (value, mut gradient) = self.likelihood(&u);
        let mut value = value + prior(&u);
        for _ in 0..STEPS {
            gradient.iter_mut().zip(u.iter().zip(a)).for_each(|(g, (u, a))| *g -= a * u);
            let stays = |i: usize| held[i] || (bounded[i] && u[i] <= 0.0 && gradient[i] <= 0.0);
            let free: Vec<usize> = (0..u.len()).filter(|&i| !stays(i)).collect();
            let g: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
            let held_back: Vec<f64> = a.iter().zip(&self.damping).map(|(a, d)| a + d).collect();
            let step = self.precision(&free, &held_back, work)?.solve(&g, work);
            let promise: f64 = g.iter().zip(&step).map(|(g, s)| g * s).sum();
            if !promise.is_finite() {
                return None;
            }
            if promise < CLOSE {
                return Some(u);
            }
            let mut length = 1.0;
            let mut taken = None;
            for _ in 0..HALVINGS {
                let mut moved = u.clone();
                for (&i, step) in free.iter().zip(&step) {
                    moved[i] += length * step;
                    if bounded[i] {
                        moved[i] = moved[i].max(0.0);
                    }
                }
                let (there, slope) = self.likelihood(&moved);
                let there = there + prior(&moved);
                if there > value {
                    taken = Some((moved, there, slope));
                    break;
                }
                length /= 2.0;
            }
            let Some((moved, there, slope)) = taken else { return Some(u) };
            (u, value, gradient) = (moved, there, slope);
        }
        Some(u)
    }

    /// The Gaussian around some coordinates.
    fn around(
        &self,
        range: Range<usize>,
        u: &[f64],
        a: &[f64],
        work: &mut Work,
    ) -> Option<Laplace> {
        let bounded = self.layout.bounded();
        let free: Vec<usize> = range.clone().filter(|&i| !bounded[i] || u[i] > 0.0).collect();
        let precision = self.precision(&free, a, work)?;
        let mut laplace = Laplace {
            variances: vec![0.0; range.len()],
            interior: vec![false; range.len()],
            log_evidence: 0.0,
        };
        for (&i, variance) in free.iter().zip(precision.covariance(work).variances()) {
            laplace.variances[i - range.start] = variance;
            laplace.interior[i - range.start] = true;
        }
        let prior: f64 = free.iter().map(|&i| a[i].ln() - a[i] * u[i] * u[i]).sum();
        laplace.log_evidence = 0.5 * (prior - precision.log_det());
        Some(laplace)
    }

    /// The weights and precisions that suit each other, from those given on: modes, then precisions from the evidence, in
    /// turns. What these sums leave at 0 stays there. Nothing if the algebra breaks down.
    pub fn settle(&self, mut a: Vec<f64>, rules: &Rules, work: &mut Work) -> Option<Proposal> {
        let features = self.layout.features();
        let mut held = vec![false; self.at.len()];
        if rules.scale_free {
            let largest = features.clone().max_by(|&i, &j| self.at[i].total_cmp(&self.at[j]));
            largest.into_iter().for_each(|i| held[i] = true);
        }
        if rules.features_stay {
            held[features.clone()].fill(true);
        }
        let mut u = self.at.to_vec();
        let mut log_evidence = 0.0;
        for _ in 0..ROUNDS {
            u = self.mode(&a, u, &held, work)?;
            let before = a.clone();
            log_evidence = self.likelihood(&u).0;
            let mut dropped = false;
            let mut drop = |i: usize, u: &mut Vec<f64>| {
                (u[i], held[i], dropped) = (0.0, true, true);
            };
            for machine in self.layout.machines() {
                let around = self.around(machine.clone(), &u, &a, work)?;
                log_evidence += around.log_evidence;
                for at in (1..machine.len()).filter(|&at| around.interior[at]) {
                    let i = machine.start + at;
                    if determined(a[i], around.variances[at]) < SAMPLE_GAMMA {
                        drop(i, &mut u);
                    }
                }
                let alpha = &mut a[machine.clone()];
                update_samples(alpha, &u[machine], &around, &rules.samples, rules.floor);
            }
            let around = self.around(features.clone(), &u, &a, work)?;
            log_evidence += around.log_evidence;
            let theta = &u[features.clone()];
            let largest = theta.iter().fold(0.0f64, |most, t| most.max(*t));
            if !rules.features_stay {
                let beta = &mut a[features.clone()];
                update_features(beta, theta, &around, &rules.features, rules.directions);
            }
            for at in 0..if rules.features_stay { 0 } else { features.len() } {
                let i = features.start + at;
                let gone = a[i] * largest * largest > FEATURE_RATIO;
                if gone && u[i] > 0.0 && u[i] < largest {
                    drop(i, &mut u);
                }
            }
            // What is at 0 and was free to leave it does not come back from these sums.
            let bounded = self.layout.bounded();
            (0..u.len()).for_each(|i| held[i] |= bounded[i] && u[i] == 0.0);
            let moved = (0..u.len())
                .filter(|&i| u[i] != 0.0 && a[i] > 0.0)
                .map(|i| (a[i] / before[i]).ln().abs())
                .fold(0.0, f64::max);
            if !dropped && moved < SETTLED {
                break;
            }
        }
        let delta: Vec<f64> = u.iter().zip(self.at).map(|(u, at)| u - at).collect();
        let slope = delta.iter().zip(&self.sums.gradient).map(|(d, g)| d * g).sum();
        let (mut bend, mut distance) = (0.0, 0.0);
        for (j, column) in self.gram.columns().enumerate() {
            let along: f64 = column.iter().zip(&delta).map(|(h, d)| h * d).sum();
            bend += delta[j] * along;
            // What falls to 0 is no longer where it was, however strongly it is drawn there.
            distance += delta[j] * (along + if u[j] == 0.0 { 0.0 } else { a[j] * delta[j] });
        }
        Some(Proposal { u, precisions: a, log_evidence, distance, slope, bend })
    }

    /// z-scores of the outer coordinates: q/√s with s what the free inner ones leave unexplained.
    pub fn scores(&self, a: &[f64], work: &mut Work) -> Option<Vec<f64>> {
        let free = self.interior();
        let covariance = self.precision(&free, a, work)?.covariance(work);
        let cross = self.sums.cross.select_rows(&free);
        let across = Matrix::from_fn(cross.cols(), cross.rows(), |i, j| cross.get(j, i));
        let explained = covariance.variance_along(&across, work);
        let score = |(k, explained): (usize, f64)| {
            let own = self.sums.squares[k];
            let left = (own - explained).max(1e-3 * own);
            let q = self.sums.gradient[self.at.len() + k];
            if left > 0.0 { q / left.sqrt() } else { f64::NEG_INFINITY }
        };
        Some(explained.into_iter().enumerate().map(score).collect())
    }

    /// The covariance of some coordinates when all others stay, over those inside their bounds.
    pub fn covariance(
        &self,
        range: Range<usize>,
        a: &[f64],
        work: &mut Work,
    ) -> Option<Covariance> {
        let inside = self.interior();
        let free: Vec<usize> = inside.into_iter().filter(|i| range.contains(i)).collect();
        Some(self.precision(&free, a, work)?.covariance(work))
    }

    fn interior(&self) -> Vec<usize> {
        let bounded = self.layout.bounded();
        (0..self.at.len()).filter(|&i| !bounded[i] || self.at[i] > 0.0).collect()
    }
}
