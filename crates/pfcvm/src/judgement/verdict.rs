//! Whether anything was found at all: a test at 5 % of "the features say nothing of the classes".
//!
//! Two tests, each at half the level, of which one is enough.
//!
//! - **The machine.** Each part of the rows is predicted by a fit on the others. Whether its decision
//!   values go along with the classes is a standard normal score for each part where there is
//!   nothing to find, whatever the method did on the other rows. The mean over the parts then has a
//!   spread of at most 1; on drawn noise it was 0.55 to 0.80, and 0.8 is taken.
//! - **One feature at a time.** χ² of (x, x²) with the class for each feature; the largest of them, the sum of
//!   the five largest and that of all are compared with what they are for classes dealt out anew to
//!   the same rows, which is exact for any data. Of the three the most telling counts, for the
//!   dealt classes as well.

use super::Rows;
use super::folds::Copies;
use super::held::Held;
use crate::algebra::{self, Work};
use crate::data::Dataset;
use crate::matrix::Matrix;
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

/// The upper tail of the standard normal.
pub(crate) fn upper_tail(z: f64) -> f64 {
    0.5 * pxfm::f_erfc(z / std::f64::consts::SQRT_2)
}

fn machine(copies: &Copies, held: &[Held]) -> f64 {
    let scores = held.iter().map(|fold| {
        let total: f64 = fold.copies.iter().map(|&i| copies.weights[i]).sum();
        let mean = |value: &dyn Fn(usize) -> f64| {
            let rows = fold.copies.iter().enumerate();
            rows.map(|(at, &i)| copies.weights[i] * value(at)).sum::<f64>() / total
        };
        let target = |at: usize| f64::from(copies.positive[fold.copies[at]]);
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
    let share = copies.positive.iter().filter(|p| **p).count() as f64 / n as f64;
    // A column for the classes as they are, then one for each deal.
    let mut dealt = Matrix::zeros(n, DEALS + 1);
    let mut order = copies.positive.clone();
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
    for start in (0..rows.x().cols()).step_by(BLOCK) {
        let end = (start + BLOCK).min(rows.x().cols());
        let columns: Vec<Powers> =
            (start..end).filter_map(|k| Powers::of(rows.x().column(k), copies)).collect();
        let stack = |pick: fn(&Powers) -> &Vec<f64>| {
            let values = columns.iter().flat_map(|c| pick(c).iter().copied()).collect();
            Matrix::from_column_major(n, columns.len(), values)
        };
        let first = algebra::product_tn(&stack(|c| &c.first), &dealt, &mut work);
        let second = algebra::product_tn(&stack(|c| &c.second), &dealt, &mut work);
        for deal in 0..=DEALS {
            for (a, b) in first.column(deal).iter().zip(second.column(deal)) {
                let square = a * a + b * b;
                sums[deal] += square;
                insert(&mut largest[deal], square);
            }
        }
    }
    let first: Vec<f64> = largest.iter().map(|few| few[0]).collect();
    let few: Vec<f64> = largest.iter().map(|few| few.iter().sum()).collect();
    let most_telling = [first, few, sums].map(|values| ranks(&values));
    let best = |deal: usize| most_telling.iter().map(|p| p[deal]).fold(1.0, f64::min);
    (0..=DEALS).filter(|&deal| best(deal) <= best(0)).count() as f64 / (DEALS + 1) as f64
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

/// x and what it leaves of x², each with mean 0 and length 1 over the copies.
struct Powers {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Powers {
    /// Nothing for a column that does not vary.
    fn of(column: &[f64], copies: &Copies) -> Option<Self> {
        let (mean, deviation) = crate::data::moments(column)?;
        let x: Vec<f64> = copies.rows.iter().map(|&i| (column[i] - mean) / deviation).collect();
        let first = unit(x.clone())?;
        let mut square: Vec<f64> = x.iter().map(|v| v * v).collect();
        centre(&mut square);
        let along: f64 = square.iter().zip(&first).map(|(a, b)| a * b).sum();
        let whole: f64 = square.iter().map(|v| v * v).sum();
        square.iter_mut().zip(&first).for_each(|(s, f)| *s -= along * f);
        let left: f64 = square.iter().map(|v| v * v).sum();
        // Two values only: x² says what x says.
        let second = if left > 1e-9 * whole { unit(square) } else { None };
        Some(Self { second: second.unwrap_or_else(|| vec![0.0; first.len()]), first })
    }
}

fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|v| *v -= mean);
}

fn unit(mut values: Vec<f64>) -> Option<Vec<f64>> {
    centre(&mut values);
    let length = values.iter().map(|v| v * v).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| values.iter().map(|v| v / length).collect())
}
