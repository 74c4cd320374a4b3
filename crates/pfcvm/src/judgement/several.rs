//! What held-out rows say of machines that share a row of probabilities.
//!
//! - **Calibration.** One slope b for all machines: fₖ becomes b fₖ + (1 − b) sₖ with sₖ the logarithm of
//!   the share of class k, so that at b = 0 the shares are left. b is what suits the held-out rows best,
//!   ln b under the same Cauchy distribution as with two classes.
//! - **Verdict.** Each class against the rest is asked as with two classes, on what its machine sees:
//!   the log odds of its class. Of K answers the best counts, K times as likely to be chance.
//! - **Features.** z is the score test of the whole likelihood: with h the change of the decision values
//!   when the feature comes in and p what the others say, Σᵢ ρᵢ Σₖ hᵢₖ (tᵢₖ − pᵢₖ) over the root of
//!   Σᵢ ρᵢ² (Σₖ pᵢₖ hᵢₖ² − (Σₖ pᵢₖ hᵢₖ)²), h without what goes along with the others' decision values.
//!   Importance is the rise of −log p without the feature: for all classes; of "this class or not",
//!   for each; and of "this class or that", for each pair. Decision values with the feature and without
//!   it are each taken at the slope that suits them best.

use super::calibration::{Calibration, slope_cost, steepness};
use super::score::Score;
use super::{Dial, Held, Kind, Listed, Pooled, Rows, Without, alarm::false_alarms, verdict};
use crate::algebra::{
    last_largest, log_sigmoid, moderated_softmax, softmax_columns as probabilities,
};
use crate::certainty::{Certainty, FeatureCertainty, SharedCertainty, SharedFeature};

/// Pairs of classes are looked at where there are no more classes than this.
const MOST_PAIRED: usize = 20;

/// What the rows say of every machine.
pub(crate) fn judge_several(
    rows: &Rows,
    held: &[Vec<Held>],
    listed: &Listed,
    dial: Dial,
) -> Vec<Certainty> {
    let pooled = Together::of(rows, held);
    let machines = held[0].len();
    let shares = rows.data.log_shares(rows.class_weights);
    let slope = pooled.slope(&shares, listed.candidates);
    let offset = |k: usize| (1.0 - slope) * shares[k];
    let seen: Vec<Seen> = (0..machines)
        .map(|k| Seen::of(rows, held, k, &|k, f| slope * f + offset(k), slope))
        .collect();
    let p_values: Vec<f64> = seen.iter().map(|one| one.p_value(rows, listed.kind)).collect();
    let least = p_values.iter().copied().fold(1.0, f64::min) * machines as f64;
    let nothing = (least > verdict::LEVEL).then_some(least.min(1.0));
    let with = pooled.at_best_slope(&pooled.settled, &shares);
    let scores: Vec<(Score, f64)> =
        listed.features.iter().map(|feature| pooled.score(*feature, held)).collect();
    let worths: Vec<Worth> = listed
        .features
        .iter()
        .map(|feature| pooled.worth(&with, &without(held, *feature), &shares))
        .collect();
    let alarms = false_alarms(listed, &scores, rows, (dial, nothing));
    let one = |(k, seen): (usize, &Seen)| {
        let features = alarms.iter().map(|alarm| seen.importance(*alarm)).collect();
        let folds = held.len();
        let identity = Calibration { offset: 0.0, slope: 1.0 };
        let certainty =
            seen.pooled.certainty(least.min(1.0), (identity, features), folds, (listed, dial));
        let features = worths.iter().map(|worth| worth.seen_by(k)).collect();
        let shared = Some(pooled.shared(slope, &shares, features));
        Certainty { slope, offset: offset(k), shared, ..certainty }
    };
    seen.iter().enumerate().map(one).collect()
}

/// All held-out rows, with the decision values of every machine.
struct Together {
    /// Machine after machine.
    decision: Vec<Vec<f64>>,
    variance: Vec<Vec<f64>>,
    settled: Vec<Vec<f64>>,
    class: Vec<usize>,
    weights: Vec<f64>,
}

impl Together {
    fn of(rows: &Rows, held: &[Vec<Held>]) -> Self {
        let machines = held[0].len();
        let all = |values: &dyn Fn(&Held) -> &Vec<f64>| -> Vec<Vec<f64>> {
            let one = |k: usize| held.iter().flat_map(|fold| values(&fold[k]).clone()).collect();
            (0..machines).map(one).collect()
        };
        let factors = rows.data.factors(rows.class_weights);
        let order: Vec<usize> = held.iter().flat_map(|fold| fold[0].copies.clone()).collect();
        let copies = rows.copies;
        Self {
            decision: all(&|held| &held.decision),
            variance: all(&|held| &held.variance),
            settled: all(&|held| &held.settled),
            class: order.iter().map(|&i| copies.class[i]).collect(),
            weights: order.iter().map(|&i| copies.weights[i] * factors[copies.class[i]]).collect(),
        }
    }

    /// −log p of all rows under one slope.
    fn loss(&self, slope: f64, shares: &[f64]) -> f64 {
        let machines = self.decision.len();
        let (mut f, mut v) = (vec![0.0; machines], vec![0.0; machines]);
        let mut sum = 0.0;
        for (i, &class) in self.class.iter().enumerate() {
            for k in 0..machines {
                f[k] = slope * self.decision[k][i] + (1.0 - slope) * shares[k];
                v[k] = slope * slope * self.variance[k][i];
            }
            sum -= self.weights[i] * moderated_softmax(&f, &v)[class].max(1e-300).ln();
        }
        sum
    }

    fn slope(&self, shares: &[f64], features: usize) -> f64 {
        let rows = self.class.len();
        steepness(|log_slope| {
            self.loss(log_slope.exp(), shares) + slope_cost(log_slope, features, rows)
        })
    }

    fn mean(&self, values: impl Iterator<Item = f64>) -> f64 {
        let sum: f64 = values.zip(&self.weights).map(|(v, w)| v * w).sum();
        sum / self.weights.iter().sum::<f64>()
    }

    /// What is known of all machines together, under the slope.
    fn shared(&self, slope: f64, shares: &[f64], features: Vec<SharedFeature>) -> SharedCertainty {
        let said = |i: usize| {
            let machines = 0..self.decision.len();
            let f = |k: usize| slope * self.decision[k][i] + (1.0 - slope) * shares[k];
            let v = |k: usize| slope * slope * self.variance[k][i];
            let (f, v): (Vec<f64>, Vec<f64>) = machines.map(|k| (f(k), v(k))).unzip();
            moderated_softmax(&f, &v)
        };
        let all: Vec<Vec<f64>> = (0..self.class.len()).map(said).collect();
        let rows = || all.iter().zip(&self.class);
        let right = |(p, class): (&Vec<f64>, &usize)| f64::from(last_largest(p) == *class);
        SharedCertainty {
            accuracy: self.mean(rows().map(right)),
            log_loss: self.mean(rows().map(|(p, class)| -p[*class].max(1e-300).ln())),
            baseline_log_loss: self.mean(self.class.iter().map(|class| -shares[*class])),
            features,
        }
    }

    /// Decision values at the slope that suits the rows best, the shares being left at a slope of 0.
    fn at_best_slope(&self, f: &[Vec<f64>], shares: &[f64]) -> Vec<Vec<f64>> {
        let at = |slope: f64| -> Vec<Vec<f64>> {
            let of = |(f, share): (&Vec<f64>, &f64)| {
                f.iter().map(|f| slope * f + (1.0 - slope) * share).collect()
            };
            f.iter().zip(shares).map(of).collect()
        };
        let loss = |log_slope: f64| {
            let p = probabilities(&at(log_slope.exp()));
            let rows = self.class.iter().zip(&self.weights).enumerate();
            rows.map(|(i, (class, w))| -w * p[*class][i].max(1e-300).ln()).sum::<f64>()
        };
        at(steepness(loss))
    }

    /// What a feature is worth: `with` are decision values at their best slope, `without` those
    /// without the feature.
    fn worth(&self, with: &[Vec<f64>], without: &[Vec<f64>], shares: &[f64]) -> Worth {
        let without = self.at_best_slope(without, shares);
        let (p, p0) = (probabilities(with), probabilities(&without));
        let loss = |p: &[Vec<f64>], i: usize| -p[self.class[i]][i].max(1e-300).ln();
        let rises: Vec<f64> = (0..self.class.len()).map(|i| loss(&p0, i) - loss(&p, i)).collect();
        let importance = self.mean(rises.iter().copied());
        let total: f64 = self.weights.iter().sum();
        let squares = rises.iter().zip(&self.weights);
        let square: f64 = squares.map(|(r, w)| w * w * (r - importance).powi(2)).sum();
        let machines = with.len();
        let mut pairs = Vec::new();
        if machines <= MOST_PAIRED {
            pairs = vec![vec![0.0; machines]; machines];
            let (mut sums, mut weights) = (pairs.clone(), pairs.clone());
            for (i, (&own, &weight)) in self.class.iter().zip(&self.weights).enumerate() {
                for other in (0..machines).filter(|other| *other != own) {
                    let loss = |f: &[Vec<f64>]| -log_sigmoid(f[own][i] - f[other][i]);
                    sums[own][other] += weight * (loss(&without) - loss(with));
                    weights[own][other] += weight;
                }
            }
            for (a, b) in (0..machines).flat_map(|a| (0..machines).map(move |b| (a, b))) {
                let weight = weights[a][b] + weights[b][a];
                if weight > 0.0 {
                    pairs[a][b] = (sums[a][b] + sums[b][a]) / weight;
                }
            }
        }
        Worth { importance, error: square.sqrt() / total, pairs }
    }

    /// What the rows say of a feature, and the share of the fits that keep it.
    fn score(&self, feature: usize, held: &[Vec<Held>]) -> (Score, f64) {
        let machines = self.settled.len();
        let without = without(held, feature);
        let p = probabilities(&without);
        let change = |k: usize, i: usize| self.settled[k][i] - without[k][i];
        // Products under the curvature of the likelihood: diag(p) − ppᵀ in each row.
        let product =
            |a: &dyn Fn(usize, usize) -> f64, b: &dyn Fn(usize, usize) -> f64, squared: bool| {
                let row = |i: usize| {
                    let (mut ab, mut ma, mut mb) = (0.0, 0.0, 0.0);
                    for k in 0..machines {
                        ab += p[k][i] * a(k, i) * b(k, i);
                        ma += p[k][i] * a(k, i);
                        mb += p[k][i] * b(k, i);
                    }
                    let weight = self.weights[i];
                    (if squared { weight * weight } else { weight }) * (ab - ma * mb)
                };
                (0..self.class.len()).map(row).sum::<f64>()
            };
        let others = |k: usize, i: usize| without[k][i];
        let square = product(&others, &others, false);
        let along = if square > 0.0 { product(&change, &others, false) / square } else { 0.0 };
        let left = |k: usize, i: usize| change(k, i) - along * others(k, i);
        let variance = product(&left, &left, true);
        let gain = |i: usize| {
            let mean: f64 = (0..machines).map(|k| p[k][i] * left(k, i)).sum();
            self.weights[i] * (left(self.class[i], i) - mean)
        };
        let sum: f64 = (0..self.class.len()).map(gain).sum();
        let z = if variance > 0.0 { sum / variance.sqrt() } else { 0.0 };
        let keeping = held.iter().filter(|fold| fold[0].kept.contains(&feature)).count();
        let score = Score { z: if z.is_finite() { z } else { 0.0 }, importance: 0.0, error: 0.0 };
        (score, keeping as f64 / held.len() as f64)
    }
}

/// What a feature is worth to all machines, and for each pair of classes.
struct Worth {
    importance: f64,
    error: f64,
    pairs: Vec<Vec<f64>>,
}

impl Worth {
    fn seen_by(&self, machine: usize) -> SharedFeature {
        SharedFeature {
            importance: self.importance,
            importance_error: self.error,
            pairs: self.pairs.get(machine).cloned().unwrap_or_default(),
        }
    }
}

/// Decision values of all machines without a feature, for all held-out rows.
fn without(held: &[Vec<Held>], feature: usize) -> Vec<Vec<f64>> {
    let of = |k: usize| held.iter().flat_map(move |fold| of_feature(&fold[k], feature).to_vec());
    (0..held[0].len()).map(|k| of(k).collect()).collect()
}

/// Decision values without a feature; those with it where it is not kept, or nobody asked.
fn of_feature(held: &Held, feature: usize) -> &[f64] {
    let without = held.without.iter().find(|without| without.feature == feature);
    without.map_or(&held.settled, |without| &without.decision)
}

/// Log odds of one class against the rest.
fn odds_of(k: usize, p: &[Vec<f64>]) -> Vec<f64> {
    let rest = |i: usize| -> f64 { (0..p.len()).filter(|j| *j != k).map(|j| p[j][i]).sum() };
    (0..p[k].len()).map(|i| (p[k][i].max(1e-300) / rest(i).max(1e-300)).ln()).collect()
}

/// What one machine says of its class against all others.
struct Seen {
    held: Vec<Held>,
    pooled: Pooled,
    straight: Vec<f64>,
    copies: super::Copies,
    data: crate::Dataset,
}

impl Seen {
    fn of(
        rows: &Rows,
        held: &[Vec<Held>],
        k: usize,
        calibrated: &dyn Fn(usize, f64) -> f64,
        slope: f64,
    ) -> Self {
        let odds = |values: Vec<Vec<f64>>| odds_of(k, &probabilities(&values));
        let one = |fold: &Vec<Held>| {
            let of = |values: &dyn Fn(&Held) -> Vec<f64>| odds(fold.iter().map(values).collect());
            let said = fold.iter().enumerate().map(|(k, held)| {
                held.decision.iter().map(|f| calibrated(k, *f)).collect::<Vec<f64>>()
            });
            let without = fold[k].without.iter().map(|Without { feature, .. }| Without {
                feature: *feature,
                decision: of(&|held| of_feature(held, *feature).to_vec()),
            });
            let variance = fold[k].variance.iter().map(|v| slope * slope * v).collect();
            Held {
                copies: fold[k].copies.clone(),
                decision: odds(said.collect()),
                variance,
                settled: of(&|held| held.settled.clone()),
                kept: fold[k].kept.clone(),
                without: without.collect(),
                broad: Vec::new(),
            }
        };
        let held: Vec<Held> = held.iter().map(one).collect();
        let copies = rows.copies.one_against_rest(k);
        let data = rows.data.one_against_rest(k);
        let task = Rows { data: &data, copies: &copies, ..*rows };
        let pooled = Pooled::of(&task, &held);
        Self { straight: pooled.straight_losses(), pooled, held, copies, data }
    }

    fn p_value(&self, rows: &Rows, kind: Kind) -> f64 {
        let own = Rows { data: &self.data, copies: &self.copies, ..*rows };
        verdict::p_value(&own, &self.held, kind)
    }

    /// What is known of a feature, with what it is worth for this class.
    fn importance(&self, known: FeatureCertainty) -> FeatureCertainty {
        let (score, _) = self.pooled.score(known.feature, &self.held, &self.straight);
        FeatureCertainty { importance: score.importance, importance_error: score.error, ..known }
    }
}
