//! Whether anything was found at all: a test at 5 % of "the features say nothing of the classes".
//!
//! Two tests, each at half the level, of which one is enough.
//!
//! - **The machine.** Each part of the rows is predicted by a fit on the others. Whether its decision
//!   values go along with the classes is a standard normal score for each part where there is
//!   nothing to find, whatever the method did on the other rows. The mean over the parts then has a
//!   spread of at most 1; on drawn noise it was 0.55 to 0.80, and 0.8 is taken.
//! - **One feature at a time.** χ² of (x, x²) with the class for each feature (see `association` for
//!   features of several columns); the largest of them, the sum of
//!   the five largest and that of all are compared with what they are for classes dealt out anew to
//!   the same rows, which is exact for any data. Of the three the most telling counts, for the
//!   dealt classes as well.

use super::Rows;
use super::folds::Copies;
use super::held::Held;
use crate::algebra::{self, Work, upper_tail};
use crate::association::Directions;
use crate::data::{Dataset, Scaler};
use crate::matrix::Matrix;
use crate::spans::Inputs;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The level of the verdict.
pub(crate) const LEVEL: f64 = 0.05;
/// Spread of the mean score over parts where there is nothing to find.
const SPREAD: f64 = 0.8;
/// How often classes are dealt out anew.
const DEALS: usize = 399;
/// Where the machine alone is as sure as this, nothing is dealt.
const SURE: f64 = 1e-4;
/// How many features make few.
const FEW: usize = 5;
/// Features looked at at a time.
const BLOCK: usize = 128;

/// P(features that say nothing do as well), from both tests.
pub(crate) fn p_value(rows: &Rows, held: &[Held]) -> f64 {
    let machine = 2.0 * machine(rows.copies, held);
    if machine <= SURE {
        return machine;
    }
    machine.min(2.0 * one_at_a_time(rows.data, rows.copies, rows.seed)).min(1.0)
}

fn machine(copies: &Copies, held: &[Held]) -> f64 {
    let scores = held.iter().map(|fold| {
        let total: f64 = fold.copies.iter().map(|&i| copies.weights[i]).sum();
        let mean = |value: &dyn Fn(usize) -> f64| {
            let rows = fold.copies.iter().enumerate();
            rows.map(|(at, &i)| copies.weights[i] * value(at)).sum::<f64>() / total
        };
        let target = |at: usize| f64::from(copies.positive(fold.copies[at]));
        let (share, middle) = (mean(&target), mean(&|at| fold.decision[at]));
        let along = mean(&|at| (target(at) - share) * (fold.decision[at] - middle));
        let spread = share * (1.0 - share) * mean(&|at| (fold.decision[at] - middle).powi(2));
        // The classes of a fold are dealt to its rows without putting back: n − 1.
        let n = fold.copies.len() as f64;
        if spread > 0.0 { along * (n - 1.0).sqrt() / spread.sqrt() } else { 0.0 }
    });
    upper_tail(scores.sum::<f64>() / held.len() as f64 / SPREAD)
}

fn one_at_a_time(rows: &Dataset, copies: &Copies, seed: u64) -> f64 {
    let n = copies.len();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<bool> = (0..n).map(|i| copies.positive(i)).collect();
    let share = order.iter().filter(|p| **p).count() as f64 / n as f64;
    // A column for the classes as they are, then one for each deal.
    let mut dealt = Matrix::zeros(n, DEALS + 1);
    for deal in 0..=DEALS {
        let column = dealt.column_mut(deal);
        for (to, class) in column.iter_mut().zip(&order) {
            *to = f64::from(*class) - share;
        }
        order.shuffle(&mut rng);
    }
    let mut sums = vec![0.0; DEALS + 1];
    // The largest first.
    let mut largest = vec![[0.0; FEW]; DEALS + 1];
    let mut work = Work::new(false);
    let Ok(scaler) = Scaler::fit(rows, true) else { return 1.0 };
    let (spans, variance) = (scaler.spans(), share * (1.0 - share));
    let features: Vec<usize> = (0..spans.features()).collect();
    for block in features.chunks(BLOCK) {
        let x = scaler.apply_columns(rows.x(), &spans.columns_of(block)).select_rows(&copies.rows);
        let x = Inputs { values: x, spans: spans.select(block) };
        let of_feature = |k: usize| Directions::of(x.of(k), &vec![1.0; n]);
        let directions: Vec<Directions> = (0..block.len()).map(of_feature).collect();
        let vectors: Vec<f64> = directions.iter().flat_map(|d| d.vectors.concat()).collect();
        let count = vectors.len() / n;
        let vectors = Matrix::from_column_major(n, count, vectors);
        let along = algebra::product_tn(&vectors, &dealt, &mut work);
        for deal in 0..=DEALS {
            let mut rest = along.column(deal);
            for of_feature in &directions {
                let (own, others) = rest.split_at(of_feature.vectors.len());
                rest = others;
                let score =
                    of_feature.comparable(own.iter().map(|a| a * a).sum::<f64>() / variance);
                sums[deal] += score;
                insert(&mut largest[deal], score);
            }
        }
    }
    let first: Vec<f64> = largest.iter().map(|few| few[0]).collect();
    let few: Vec<f64> = largest.iter().map(|few| few.iter().sum()).collect();
    let most_telling = [first, few, sums].map(|values| ranks(&values));
    let best = |deal: usize| most_telling.iter().map(|p| p[deal]).fold(1.0, f64::min);
    (0..=DEALS).filter(|&deal| best(deal) <= best(0)).count() as f64 / (DEALS + 1) as f64
}

/// How each of some features goes along with the classes: the root of the χ² of two degrees of freedom that
/// is as unlikely by chance; with more than two classes for the one that it tells best from the rest.
pub(super) fn associations(rows: &Rows, features: &[usize]) -> Vec<f64> {
    let (classes, copies) = (rows.data.classes(), rows.copies);
    let Ok(scaler) = Scaler::fit(rows.data, true) else { return vec![0.0; features.len()] };
    let (spans, varying) = (scaler.spans(), scaler.features());
    let ones = vec![1.0; copies.len()];
    let asked: Vec<usize> = if classes == 2 { vec![1] } else { (0..classes).collect() };
    let of_class = |directions: &Directions, class: usize| {
        let is_it: Vec<f64> = copies.class.iter().map(|c| f64::from(*c == class)).collect();
        let share = is_it.iter().sum::<f64>() / is_it.len() as f64;
        let along = |d: &Vec<f64>| -> f64 { d.iter().zip(&is_it).map(|(d, t)| d * t).sum() };
        let q: f64 = directions.vectors.iter().map(|d| along(d).powi(2)).sum();
        if share * (1.0 - share) > 0.0 {
            directions.comparable(q / (share * (1.0 - share)))
        } else {
            0.0
        }
    };
    let of_feature = |feature: &usize| {
        let position = varying.iter().position(|other| other == feature)?;
        let columns = spans.columns_of(&[position]).into_owned();
        let x = scaler.apply_columns(rows.data.x(), &columns).select_rows(&copies.rows);
        let directions = Directions::of(x.columns(), &ones);
        let best = asked.iter().map(|&class| of_class(&directions, class)).fold(0.0, f64::max);
        // Of several answers the best counts, as many times as likely to be chance.
        Some((best - 2.0 * (asked.len() as f64).ln()).max(0.0).sqrt())
    };
    features.iter().map(|feature| of_feature(feature).unwrap_or(0.0)).collect()
}

/// Puts a value among the largest, which descend.
fn insert(largest: &mut [f64; FEW], mut value: f64) {
    if value <= largest[FEW - 1] {
        return;
    }
    for place in largest {
        if value > *place {
            std::mem::swap(place, &mut value);
        }
    }
}

/// The share of values that are at least as large as each.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = values.len();
    let below = |v: &f64| sorted.partition_point(|other| other < v);
    values.iter().map(|v| (n - below(v)) as f64 / n as f64).collect()
}
