//! How far decision values can be believed, from rows that did not train.
//!
//! p = σ((a + b f) / √(1 + π b² v / 8)): offset a and slope b under which decision values f of rows
//! that were held out, with their posterior variances v, are most likely. Features were chosen to
//! fit the training rows, which makes f too large; b is what is left of it. At b = 0 the shares of
//! the classes are left: a = (1 − b) s + d with s their log odds. ln b and d have Cauchy
//! distributions of width 0.1 around 0, so that small misfits, which are noise, change little, and
//! large ones are mended. With M features for N < M samples the width below 0 is
//! 0.1 M/N: there it is to be expected that decision values are far too large.

use crate::algebra::{log_odds, sigmoid};
use crate::certainty::Certainty;
use std::f64::consts::PI;

/// Width of the distributions of ln b and of d.
const WIDTH: f64 = 0.1;
/// Turns of slope and offset, at most.
const TURNS: usize = 6;
/// Bounds of ln b.
const RANGE: (f64, f64) = (-7.0, 1.0);

/// Offset and slope of decision values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calibration {
    pub offset: f64,
    pub slope: f64,
}

impl Calibration {
    /// That of a machine which was judged.
    pub fn of(certainty: &Certainty) -> Self {
        Self { offset: certainty.offset, slope: certainty.slope }
    }
}

/// Rows that were held out: what was said of them, and what they are.
pub(crate) struct Said<'a> {
    pub decision: &'a [f64],
    pub variance: &'a [f64],
    pub positive: &'a [bool],
    pub weights: &'a [f64],
}

impl Said<'_> {
    /// Log odds of the classes' shares.
    pub fn share(&self) -> f64 {
        let of = |class: bool| -> f64 {
            let rows = self.positive.iter().zip(self.weights).filter(|(p, _)| **p == class);
            rows.map(|(_, w)| w).sum()
        };
        log_odds(of(true) / (of(true) + of(false)))
    }

    /// −log p under a calibration, row by row.
    pub fn losses(&self, calibration: Calibration) -> Vec<f64> {
        let Calibration { offset, slope } = calibration;
        let loss = |i: usize| {
            let z = (offset + slope * self.decision[i])
                / (1.0 + PI / 8.0 * slope * slope * self.variance[i]).sqrt();
            let z = if self.positive[i] { z } else { -z };
            (-z.abs()).exp().ln_1p() + (-z).max(0.0)
        };
        (0..self.decision.len()).map(loss).collect()
    }

    fn total_loss(&self, calibration: Calibration) -> f64 {
        self.losses(calibration).iter().zip(self.weights).map(|(l, w)| l * w).sum()
    }

    /// The most likely calibration: slope and offset in turns, until a turn brings next to nothing.
    pub fn calibrate(&self, features: usize) -> Calibration {
        let share = self.share();
        let rows = self.decision.len();
        let at = |log_slope: f64, d: f64| {
            let slope = log_slope.exp();
            Calibration { offset: (1.0 - slope) * share + d, slope }
        };
        let cost = |log_slope: f64, d: f64| {
            let unlikely = slope_cost(log_slope, features, rows) + cauchy(d / WIDTH);
            self.total_loss(at(log_slope, d)) + unlikely
        };
        let (mut log_slope, mut d) = (0.0, 0.0);
        let mut before = cost(log_slope, d);
        for _ in 0..TURNS {
            (log_slope, _) = least(|log_slope| cost(log_slope, d), RANGE, 24);
            let now;
            (d, now) = least(|d| cost(log_slope, d), (-1.0, 1.0), 8);
            if before - now < 1e-3 {
                break;
            }
            before = now;
        }
        at(log_slope, d)
    }
}

/// −log of the density of ln b with so many features for so many rows, up to a constant.
pub(crate) fn slope_cost(log_slope: f64, features: usize, rows: usize) -> f64 {
    let downwards = WIDTH * (features as f64 / rows as f64).max(1.0);
    cauchy(log_slope / if log_slope < 0.0 { downwards } else { WIDTH })
}

/// The slope whose logarithm costs the least.
pub(crate) fn steepness(cost: impl Fn(f64) -> f64) -> f64 {
    least(cost, RANGE, 24).0.exp()
}

/// −log of a Cauchy density of width 1, up to a constant.
fn cauchy(value: f64) -> f64 {
    value.powi(2).ln_1p()
}

/// Where a function is least between two bounds, and its value: a grid of `points`, then golden
/// sections between the neighbours of the best, because the function need not have one valley.
fn least(f: impl Fn(f64) -> f64, (from, to): (f64, f64), points: usize) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let step = (to - from) / points as f64;
    let grid = (0..=points).map(|i| from + i as f64 * step);
    let mut best = (0.0, f64::INFINITY);
    for x in grid.chain([0.0]) {
        let value = f(x);
        if value < best.1 {
            best = (x, value);
        }
    }
    let (mut low, mut high) = ((best.0 - step).max(from), (best.0 + step).min(to));
    while high - low > 1e-3 * (to - from) {
        let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let (at_a, at_b) = (f(a), f(b));
        (low, high) = if at_a <= at_b { (low, b) } else { (a, high) };
        for (x, value) in [(a, at_a), (b, at_b)] {
            if value < best.1 {
                best = (x, value);
            }
        }
    }
    best
}

/// Offset and slope of the most likely straight line a + b x for the log odds, with what it leaves:
/// the probability of each row. A little ridge keeps separable rows finite.
pub(crate) fn straight_line(x: &[f64], positive: &[bool], weights: &[f64]) -> Vec<f64> {
    const RIDGE: f64 = 1e-3;
    let total: f64 = weights.iter().sum();
    let mean = x.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>() / total;
    let square = x.iter().zip(weights).map(|(x, w)| w * (x - mean).powi(2)).sum::<f64>() / total;
    let scale = if square > 0.0 { square.sqrt() } else { 1.0 };
    let z: Vec<f64> = x.iter().map(|x| (x - mean) / scale).collect();
    let positives = positive.iter().zip(weights).filter(|(p, _)| **p).map(|(_, w)| w).sum::<f64>();
    let (mut a, mut b) = (log_odds(positives / total), 0.0);
    for _ in 0..30 {
        let (mut ga, mut gb, mut haa, mut hab, mut hbb) = (0.0, -RIDGE * b, 1e-9, 0.0, RIDGE);
        for i in 0..z.len() {
            let p = sigmoid(a + b * z[i]);
            let r = weights[i] * (f64::from(positive[i]) - p);
            let c = weights[i] * (p * (1.0 - p)).max(1e-12);
            ga += r;
            gb += r * z[i];
            haa += c;
            hab += c * z[i];
            hbb += c * z[i] * z[i];
        }
        let det = (haa * hbb - hab * hab).max(1e-300);
        let (da, db) = ((hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det);
        let size = da.abs().max(db.abs());
        let damping = if size > 2.0 { 2.0 / size } else { 1.0 };
        a += damping * da;
        b += damping * db;
        if size < 1e-9 || !size.is_finite() {
            break;
        }
    }
    z.iter().map(|z| sigmoid(a + b * z)).collect()
}
