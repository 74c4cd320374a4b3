//! Feature filters: they order features without fitting a classifier.
//!
//! | function | looks at | features together? | classes? |
//! |---|---|---|---|
//! | [`fisher`] | distance of class means over spread within | no | yes |
//! | [`laplacian`] | smoothness over a graph of neighbours | through the graph | if asked |
//! | [`mrmr`] | mutual information with the class and with those chosen before | yes | yes |
//! | [`trace_ratio`] | sum of between over sum of within scatter of a whole subset | yes | yes |
//! | [`fsnm`] | rows of a robust sparse regression on the classes | yes | yes |
//!
//! Samples of weight 0 are left out; what other weights do stands with each function. Columns
//! that do not vary are never ranked.

pub(crate) mod fisher;
pub(crate) mod fsnm;
pub(crate) mod laplacian;
pub(crate) mod mrmr;
mod scatter;
mod sums;
pub(crate) mod trace_ratio;

pub use fisher::fisher;
pub use fsnm::{FsnmRanking, FsnmSettings, fsnm};
pub use laplacian::{LaplacianSettings, laplacian};
pub use mrmr::{MrmrScheme, mrmr};
pub use trace_ratio::{TraceRatioRanking, trace_ratio};

use crate::catalogue::{Made, Takes};
use crate::{Error, Refusal, Selector, Setting, Values};
use pfcvm::Dataset;
use std::cmp::Ordering;

/// Features in the order of their worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Columns of the data, best first.
    pub features: Vec<usize>,
    /// The score of each of them, in the same order; its sense stands with the function.
    pub scores: Vec<f64>,
}

impl Ranking {
    /// Orders `columns` by their scores, largest first; the lower column of two alike.
    fn descending(columns: &[usize], scores: &[f64]) -> Self {
        Self::ordered(columns, scores, |a, b| b.total_cmp(&a))
    }

    /// The `count` positions with the largest scores, ordered as [`Ranking::descending`] does, but
    /// only these.
    fn largest(scores: &[f64], count: usize) -> Self {
        let mut order = Vec::from_iter(0..scores.len());
        let by = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
        if count < order.len() {
            order.select_nth_unstable_by(count, by);
            order.truncate(count);
        }
        order.sort_unstable_by(by);
        let scores = order.iter().map(|&at| scores[at]).collect();
        Self { features: order, scores }
    }

    /// Orders `columns` by their scores, smallest first; the lower column of two alike.
    fn ascending(columns: &[usize], scores: &[f64]) -> Self {
        Self::ordered(columns, scores, |a, b| a.total_cmp(&b))
    }

    fn ordered(columns: &[usize], scores: &[f64], by: impl Fn(f64, f64) -> Ordering) -> Self {
        let mut order = Vec::from_iter(0..columns.len());
        order.sort_by(|&a, &b| by(scores[a], scores[b]));
        Self {
            features: order.iter().map(|&at| columns[at]).collect(),
            scores: order.iter().map(|&at| scores[at]).collect(),
        }
    }

    /// Keeps the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.features.truncate(count);
        self.scores.truncate(count);
    }
}

const FEATURES: Setting = Setting {
    key: "features",
    default: "20",
    takes: &[Takes::Whole { least: 1 }],
    about: "how many features are taken",
};

const GRID: &[(&str, &[&str])] = &[("features", &["5", "10", "20", "40", "80"])];

/// The first features of a ranking. `rank` is told how many are asked for; it may give more.
fn first_of(
    values: &Values,
    rank: impl Fn(&Dataset, usize) -> Result<Ranking, Error> + Send + Sync + 'static,
) -> Result<Made, Error> {
    let count = values.count("features")?;
    Ok(Made::Selector(Box::new(First { count, rank })))
}

struct First<R> {
    count: usize,
    rank: R,
}

impl<R> std::fmt::Debug for First<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the first {}", self.count)
    }
}

impl<R> Selector for First<R>
where
    R: Fn(&Dataset, usize) -> Result<Ranking, Error> + Send + Sync,
{
    fn select(&self, data: &Dataset) -> Result<Vec<usize>, Refusal> {
        let mut ranking = (self.rank)(data, self.count)?;
        ranking.truncate(self.count);
        Ok(ranking.features)
    }
}
