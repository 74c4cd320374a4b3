//! Whether anything was found at all: a test at 5 % of "the features say nothing of the classes".
//!
//! Two tests, each at half the level, of which one is enough.
//!
//! - **The machine.** Each part of the rows is predicted by a fit on the others. Whether its decision
//!   values go along with the classes is a standard normal score for each part where there is
//!   nothing to find, whatever the method did on the other rows. The mean over the parts then has a
//!   spread of at most 1; on drawn noise with no more features than samples it was 0.55 to 0.80, and 0.8 is
//!   taken there.
//! - **The rows.** How features by themselves, and two at a time where the boundary may be curved, go
//!   along with the classes, compared with classes dealt out anew (`deals`).

use super::folds::Copies;
use super::held::Held;
use super::{Kind, Rows, deals};
use crate::algebra::upper_tail;

/// The level of the verdict.
pub(crate) const LEVEL: f64 = 0.05;
/// Spread of the mean score over parts where there is nothing to find, if there are no more features than
/// samples. With more of them the parts err alike more often, and the bound of 1 is taken.
const SPREAD: f64 = 0.8;
/// Where the machine alone is as sure as this, nothing is dealt.
const SURE: f64 = 1e-4;
/// Pairs are asked for only where the machine leans to the classes as far as this: where they say something that no
/// short list makes use of, no list was found. The level was measured with it (docs/research.md).
const LEANING: f64 = 0.2;

/// P(features that say nothing do as well), from both tests.
pub(crate) fn p_value(rows: &Rows, held: &[Held], kind: Kind) -> f64 {
    let many = rows.data.columns().features() > rows.copies.len();
    let machine = 2.0 * machine(rows.copies, held, if many { 1.0 } else { SPREAD });
    if machine <= SURE {
        return machine;
    }
    let in_pairs = kind == Kind::Curved && machine <= LEANING;
    machine.min(2.0 * deals::p_value(rows.data, rows.copies, rows.seed, in_pairs)).min(1.0)
}

fn machine(copies: &Copies, held: &[Held], spread: f64) -> f64 {
    let scores = held.iter().map(|fold| {
        let total: f64 = fold.copies.iter().map(|&i| copies.weights[i]).sum();
        let mean = |value: &dyn Fn(usize) -> f64| {
            let rows = fold.copies.iter().enumerate();
            rows.map(|(at, &i)| copies.weights[i] * value(at)).sum::<f64>() / total
        };
        let target = |at: usize| f64::from(copies.positive(fold.copies[at]));
        let (share, middle) = (mean(&target), mean(&|at| fold.decision[at]));
        let along = mean(&|at| (target(at) - share) * (fold.decision[at] - middle));
        let square = share * (1.0 - share) * mean(&|at| (fold.decision[at] - middle).powi(2));
        // The classes of a fold are dealt to its rows without putting back: n − 1.
        let n = fold.copies.len() as f64;
        if square > 0.0 { along * (n - 1.0).sqrt() / square.sqrt() } else { 0.0 }
    });
    upper_tail(scores.sum::<f64>() / held.len() as f64 / spread)
}
