//! What rows that did not train say of a machine that was learned from sums.
//!
//! −log p of each held-out row, with all features, without each of them (the sample weights settled again, on the
//! rows that were drawn, as those that it is compared with are), and for who knows the shares of the classes alone. Sums of these and of their squares
//! are means and standard errors. With so many rows the means are normal: a feature that says nothing has a rise
//! of 0 on rows that had no part in its choice, and its p-value is the tail of a normal distribution.

use crate::algebra::{Work, log_sigmoid, upper_tail};
use crate::certainty::{Certainty, FeatureCertainty, SharedCertainty, SharedFeature, certain};
use crate::error::Error;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::multiclass::Machines;
use crate::posterior::Classes;
use crate::settings::Settings;
use crate::sums::{Point, plus};
use serde::{Deserialize, Serialize};

/// Pairs of classes are looked at where there are no more classes than this.
const MOST_PAIRED: usize = 20;
/// Level of the test that says whether anything was found.
const LEVEL: f64 = 0.05;

/// What held-out rows are asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// What predicts, for the columns that are asked for.
    pub machines: Machines<Model>,
    /// Where the feature weights are, and the sample weights settled on the rows that were drawn: with all features, and
    /// without each.
    pub point: Point,
    pub without: Vec<Weights>,
    /// Logarithms of the shares of the classes.
    pub shares: Vec<f64>,
}

/// The weights of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Weights {
    pub theta: Vec<f64>,
    pub w: Vec<Vec<f64>>,
}

/// Sums of a weighted value and of its square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Moments {
    sums: [f64; 5],
}

impl Moments {
    fn push(&mut self, value: f64, weight: f64) {
        let square = weight * weight;
        let terms = [weight, weight * value, square, square * value, square * value * value];
        plus(&mut self.sums, &terms);
    }

    fn mean(&self) -> f64 {
        self.sums[1] / self.sums[0].max(f64::MIN_POSITIVE)
    }

    /// The standard error of the mean: √(Σ ρ² (v − v̄)²) / Σ ρ.
    fn error(&self) -> f64 {
        let ([weight, _, squares, first, second], mean) = (self.sums, self.mean());
        let sum = second - 2.0 * mean * first + mean * mean * squares;
        sum.max(0.0).sqrt() / weight.max(f64::MIN_POSITIVE)
    }

    /// How likely a mean of 0 would be as high.
    fn p_value(&self) -> f64 {
        let (mean, error) = (self.mean(), self.error());
        if error > 0.0 { upper_tail(mean / error).clamp(0.0, 1.0) } else { 1.0 }
    }
}

/// What is seen of a question with an answer: of all classes, or of one against the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct View {
    loss: Moments,
    right: Moments,
    base: Moments,
    gain: Moments,
    features: Vec<Moments>,
}

/// What some held-out rows say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// All classes first; then, where they are more than two, each against the rest.
    views: Vec<View>,
    /// Feature by feature, the rise for each [pair](pairs) of more than two classes.
    pairs: Vec<Vec<Moments>>,
}

/// Pairs of classes, where there are more than two and not too many to look at.
fn pairs(classes: usize) -> Vec<(usize, usize)> {
    if !(3..=MOST_PAIRED).contains(&classes) {
        return Vec::new();
    }
    (0..classes).flat_map(|k| (k + 1..classes).map(move |l| (k, l))).collect()
}

impl Seen {
    /// Adds what other rows say; not if they were asked of another machine.
    #[must_use]
    pub fn add(&mut self, other: &Seen) -> bool {
        let shape = |seen: &Seen| (seen.views.len(), seen.views[0].features.len());
        if shape(self) != shape(other) {
            return false;
        }
        for (own, more) in self.views.iter_mut().zip(&other.views) {
            let mut more = more.clone();
            let pairs = own.moments().into_iter().zip(more.moments());
            pairs.for_each(|(own, more)| plus(&mut own.sums, &more.sums));
        }
        let of_pairs = self.pairs.iter_mut().flatten().zip(other.pairs.iter().flatten());
        of_pairs.for_each(|(own, more)| plus(&mut own.sums, &more.sums));
        true
    }
}

impl View {
    fn of(features: usize) -> Self {
        let none = Moments::default();
        Self { loss: none, right: none, base: none, gain: none, features: vec![none; features] }
    }

    fn moments(&mut self) -> Vec<&mut Moments> {
        let Self { loss, right, base, gain, features } = self;
        [loss, right, base, gain].into_iter().chain(features).collect()
    }
}

/// −log p of the class of each row, and of "its class or not" for each class, from decision values.
struct Losses {
    views: Vec<Vec<f64>>,
    /// Decision values, machine after machine.
    f: Vec<f64>,
}

impl Losses {
    /// −log p of "this class or that" of a row of one of the two.
    fn of_pair(&self, row: usize, own: usize, other: usize) -> f64 {
        let n = self.views[0].len();
        -log_sigmoid(self.f[own * n + row] - self.f[other * n + row])
    }
}

impl Losses {
    fn of(classes: &Classes, f: Vec<f64>) -> Self {
        let n = classes.rows();
        if let [only] = &classes.machines[..] {
            let rows = f.iter().zip(&only.signs);
            let only = rows.map(|(f, sign)| -log_sigmoid(sign * f)).collect();
            return Self { views: vec![only], f };
        }
        let mut views = vec![vec![0.0; n]; classes.machines.len() + 1];
        for (k, machine) in classes.machines.iter().enumerate() {
            let seen = classes.seen_by(k, &f);
            for (i, (f, sign)) in seen.iter().zip(&machine.signs).enumerate() {
                views[k + 1][i] = -log_sigmoid(sign * f);
                if *sign > 0.0 {
                    views[0][i] = views[k + 1][i];
                }
            }
        }
        Self { views, f }
    }
}

impl Asked {
    /// What some held-out rows say.
    pub fn seen(&self, x: &Matrix, classes: &Classes, work: &mut Work) -> Result<Seen, Error> {
        let several = classes.machines.len() > 1;
        let views = if several { classes.machines.len() + 1 } else { 1 };
        let of_pairs = vec![Moments::default(); pairs(self.shares.len()).len()];
        let mut seen = Seen {
            views: vec![View::of(self.without.len()); views],
            pairs: vec![of_pairs; self.without.len()],
        };
        if x.rows() == 0 {
            return Ok(seen);
        }
        let said = self.machines.predict(x)?;
        let class_of = |i: usize| match several {
            false => usize::from(classes.machines[0].signs[i] > 0.0),
            true => classes.machines.iter().position(|m| m.signs[i] > 0.0).unwrap_or(0),
        };
        let loss = |p: f64| -p.max(1e-300).ln();
        for (i, &weight) in classes.weights().iter().enumerate() {
            let (class, p) = (class_of(i), said.row(i));
            for (at, view) in seen.views.iter_mut().enumerate() {
                // The first view is of all classes, the others of one against the rest.
                let own = at.checked_sub(1);
                let of = |p: &dyn Fn(usize) -> f64| match own {
                    None => p(class),
                    Some(own) if own == class => p(own),
                    Some(own) => 1.0 - p(own),
                };
                let (with, base) = (loss(of(&|k| p[k])), loss(of(&|k| self.shares[k].exp())));
                let right = match own {
                    None => said.class[i] == class,
                    Some(own) => (p[own] >= 0.5) == (own == class),
                };
                view.loss.push(with, weight);
                view.right.push(f64::from(right), weight);
                view.base.push(base, weight);
                view.gain.push(base - with, weight);
            }
        }
        self.features(x, classes, &mut seen, work);
        Ok(seen)
    }

    fn features(&self, x: &Matrix, classes: &Classes, seen: &mut Seen, work: &mut Work) {
        let inputs = self.point.scaler.inputs_from(x);
        let losses = |point: &Point, work: &mut Work| {
            let theta = inputs.spans.spread(&point.theta);
            Losses::of(classes, point.decision(&inputs.values, &theta, work))
        };
        let with = losses(&self.point, work);
        for (k, weights) in self.without.iter().enumerate() {
            let mut point = self.point.clone();
            point.theta.clone_from(&weights.theta);
            for (stand, w) in point.machines.iter_mut().zip(&weights.w) {
                stand.w.clone_from(w);
            }
            let without = losses(&point, work);
            for (at, view) in seen.views.iter_mut().enumerate() {
                let rows = without.views[at].iter().zip(&with.views[at]).zip(classes.weights());
                rows.for_each(|((without, with), weight)| {
                    view.features[k].push(without - with, *weight);
                });
            }
            for (&(a, b), moments) in pairs(self.shares.len()).iter().zip(&mut seen.pairs[k]) {
                for (row, &weight) in classes.weights().iter().enumerate() {
                    let is = |class: usize| classes.machines[class].signs[row] > 0.0;
                    let (own, other) = if is(a) { (a, b) } else { (b, a) };
                    if is(own) {
                        let rise = without.of_pair(row, own, other) - with.of_pair(row, own, other);
                        moments.push(rise, weight);
                    }
                }
            }
        }
    }
}

/// What is known of each machine.
pub(super) fn certainties(
    seen: &Seen,
    features: &[usize],
    candidates: usize,
    settings: &Settings,
) -> Vec<Certainty> {
    let all = &seen.views[0];
    let p_values: Vec<f64> = all.features.iter().map(Moments::p_value).collect();
    let alarms = false_alarms(&p_values);
    let (rate, max_false) = (settings.false_positive_rate, settings.max_false);
    let sure = certain(&alarms, rate, max_false, candidates);
    let p_value = all.gain.p_value();
    let classes = seen.views.len() - 1;
    let of_pairs = |k: usize, machine: usize| -> Vec<f64> {
        let mut rises = vec![0.0; if seen.pairs[k].is_empty() { 0 } else { classes }];
        for (&(a, b), moments) in pairs(classes).iter().zip(&seen.pairs[k]) {
            let other = if a == machine { b } else { a };
            if a == machine || b == machine {
                rises[other] = moments.mean();
            }
        }
        rises
    };
    let shared = |machine: usize| SharedCertainty {
        accuracy: all.right.mean().clamp(0.0, 1.0),
        log_loss: all.loss.mean(),
        baseline_log_loss: all.base.mean(),
        features: (all.features.iter().enumerate())
            .map(|(k, of)| SharedFeature {
                importance: of.mean(),
                importance_error: of.error(),
                pairs: of_pairs(k, machine),
            })
            .collect(),
    };
    let several = seen.views.len() > 1;
    let one = |(machine, view): (usize, &View)| Certainty {
        nothing_found: p_value > LEVEL,
        p_value,
        folds: 1,
        accuracy: view.right.mean().clamp(0.0, 1.0),
        log_loss: view.loss.mean(),
        baseline_log_loss: view.base.mean(),
        slope: 1.0,
        offset: 0.0,
        rate,
        candidates,
        max_false,
        features: (0..features.len())
            .map(|k| FeatureCertainty {
                feature: features[k],
                p_value: p_values[k],
                false_alarm: alarms[k],
                certain: sure[k],
                importance: view.features[k].mean(),
                importance_error: view.features[k].error(),
                share: 1.0,
            })
            .collect(),
        shared: several.then(|| shared(machine)),
        goals: None,
    };
    seen.views[usize::from(several)..].iter().enumerate().map(one).collect()
}

/// The share of false features to expect among all that are at least as sure as each (Benjamini and
/// Hochberg): tests of rows that had no part in the choice are as many as there are listed features.
fn false_alarms(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[b].total_cmp(&p_values[a]));
    let (mut alarms, mut least) = (vec![1.0; p_values.len()], 1.0f64);
    for (place, &k) in order.iter().enumerate() {
        let as_sure = (p_values.len() - place) as f64;
        least = least.min(p_values[k] * p_values.len() as f64 / as_sure);
        alarms[k] = least;
    }
    alarms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_that_of_a_weighted_mean() {
        let mut moments = Moments::default();
        for (value, weight) in [(1.0, 1.0), (3.0, 1.0), (5.0, 2.0)] {
            moments.push(value, weight);
        }
        assert_eq!(moments.mean(), 3.5);
        // √(2.5² + 0.5² + 4 · 1.5²) / 4
        assert!((moments.error() - 15.5f64.sqrt() / 4.0).abs() < 1e-12);
    }

    #[test]
    fn alarms_are_those_of_benjamini_and_hochberg() {
        let alarms = false_alarms(&[0.01, 0.5, 0.02, 0.9]);
        for (found, expected) in alarms.iter().zip([0.04, 2.0 / 3.0, 0.04, 0.9]) {
            assert!((found - expected).abs() < 1e-12, "{alarms:?}");
        }
    }
}
