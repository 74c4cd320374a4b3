//! What kept features do: the effect of each on the log odds over its range, the two that act most
//! together, and what moved the prediction of a row.
//!
//! A model knows little of the rows it learned from: how each column was scaled. From that,
//! typical rows (`typical.rs`) are drawn, each column by itself. The **effect** of a value is the decision
//! value f with the value put into all typical rows, on their mean, less the same at the column's
//! centre: its mean if it is a number, and for words the mean over all of them, each as often as it
//! occurred. This is partial dependence at rows that the model makes up; beside that at the training
//! rows it is off by less than a tenth, where f with all else at the centre is off by a quarter and
//! more, for f is flatter where rows are far from all samples.
//!
//! The **deviation** of an effect is the posterior standard deviation of this difference, from w and θ
//! together; of a panel, over its members.

mod explain;
mod of_model;
mod pair;
mod shape;
mod typical;

pub(crate) use explain::explain;
pub use explain::{Alike, Explanation};
pub use pair::Pair;
pub use shape::Shape;

use crate::data::Scaler;
use crate::matrix::Matrix;
use rayon::prelude::*;
use std::borrow::Cow;
use typical::{Known, Typical};

/// Places at which a column of numbers is looked at, so that its mean is in the middle.
const PLACES: usize = 21;
/// They reach so many deviations to both sides of the mean.
const REACH: f64 = 2.0;
/// Typical rows, where they cost little.
const ROWS: usize = 100;
/// Typical rows whatever they cost.
const LEAST_ROWS: usize = 8;
/// At most about this many operations are spent, as long as the rows do not get too few.
const MOST_FLOPS: f64 = 4e9;
/// So many features have effects, the heaviest ones; all others would take too long.
const MOST_FEATURES: usize = 100;

/// What the kept features of a machine do.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Effects {
    /// Of each column of each kept feature, in the order of the machine's features. Of more than 100
    /// features, the heaviest 100.
    pub columns: Vec<Effect>,
    /// The two columns of different features whose joint effect is farthest from the sum of both;
    /// nothing where no two act together.
    pub pair: Option<Pair>,
}

/// What the values of one column do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Effect {
    /// The feature.
    pub feature: usize,
    /// The column of the input.
    pub column: usize,
    /// Which way it goes.
    pub shape: Shape,
    /// Ascending for numbers, a gap last; words in their order.
    pub points: Vec<Point>,
}

/// What one value does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Point {
    /// The value.
    pub place: Place,
    /// How it changes the log odds, beside the centre of the column.
    pub effect: f64,
    /// Standard deviation of the effect.
    pub deviation: f64,
}

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A number.
    Number(f64),
    /// Some words that are taken together, by their places in the list of the column.
    Words {
        /// Their places, ascending; none where it is a gap alone.
        words: Vec<usize>,
        /// Whether a gap is one of them.
        gap: bool,
    },
    /// All other words of the column; of numbers with gaps that are otherwise all the same, any.
    Rest,
}

impl Effect {
    /// The smallest and the largest effect.
    pub fn range(&self) -> (f64, f64) {
        let effects = self.points.iter().map(|point| point.effect);
        effects.fold((0.0, 0.0), |(low, high): (f64, f64), e| (low.min(e), high.max(e)))
    }

    /// How far apart they are.
    pub fn size(&self) -> f64 {
        let (low, high) = self.range();
        high - low
    }
}

/// A machine whose decision value can be looked at anywhere.
pub(crate) trait Surface: Sync + Sized {
    fn scaler(&self) -> &Scaler;

    /// The features that decision values depend on, as positions among those of the scaler.
    fn positions(&self) -> Cow<'_, [usize]>;

    /// Those that are listed, which all are unless a machine of all features stands beside the list:
    /// positions among those of the scaler, numbers in the input, weights up to the sign.
    fn listed(&self) -> (&[usize], &[usize], Cow<'_, [f64]>);

    /// All that decision values depend on, as numbered in the input.
    fn features(&self) -> Cow<'_, [usize]> {
        let (all, (listed, features, _)) = (self.positions(), self.listed());
        if *all == *listed {
            return features.into();
        }
        let numbers = self.scaler().features();
        all.iter().map(|&position| numbers[position]).collect()
    }

    /// What these weigh, up to the sign; 0 for those that are not listed, of which nothing is told.
    fn weights(&self) -> Vec<f64> {
        let (all, (listed, _, of_listed)) = (self.positions(), self.listed());
        let mut weights = vec![0.0; self.scaler().features().len()];
        listed.iter().zip(of_listed.iter()).for_each(|(&k, weight)| weights[k] = *weight);
        all.iter().map(|&position| weights[position]).collect()
    }

    /// The columns of the input that they are made from, ascending.
    fn inputs(&self) -> Vec<usize> {
        self.scaler().inputs_of(&self.positions())
    }

    /// The same machine for rows of nothing but these columns.
    fn narrow(&self) -> Self;

    /// Decision values.
    fn decisions(&self, x: &Matrix) -> Vec<f64>;

    /// Of places that have so many rows each, one after the other: the decision value on the mean
    /// over their rows less the mean over all places, of these shares; and its deviation.
    fn contrasts(&self, x: &Matrix, rows: usize, shares: &[f64]) -> Vec<(f64, f64)>;

    /// Scaled values of the samples that a column is compared with, if there are some.
    fn sample_values(&self, scaled: usize) -> Option<&[f64]>;

    /// Operations that a row costs.
    fn flops(&self) -> f64;

    /// The samples that each row is most like.
    fn alike(&self, _x: &Matrix) -> Vec<Vec<Alike>> {
        Vec::new()
    }
}

/// What the kept features of a machine do.
pub(crate) fn effects(machine: &impl Surface) -> Effects {
    let (narrow, inputs) = (machine.narrow(), machine.inputs());
    let known = typical::known(&narrow);
    let weights = machine.weights();
    let mut heaviest: Vec<usize> = (0..weights.len()).filter(|&k| weights[k] != 0.0).collect();
    heaviest.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    heaviest.truncate(MOST_FEATURES);
    let shown: Vec<&Known> =
        known.iter().filter(|known| heaviest.contains(&known.feature)).collect();
    let places: usize = shown.iter().map(|known| known.values(PLACES, REACH).len()).sum();
    let affordable = MOST_FLOPS / (narrow.flops() * places.max(1) as f64);
    let rows = (affordable as usize).clamp(LEAST_ROWS, ROWS);
    let typical = Typical::of(&known, rows);
    let one = |known: &&Known| {
        let points = curve(&narrow, &typical, known);
        let feature = machine.features()[known.feature];
        Effect { feature, column: inputs[known.column], shape: Shape::of(&points), points }
    };
    let columns: Vec<Effect> = shown.par_iter().map(one).collect();
    let sizes: Vec<f64> = columns.iter().map(Effect::size).collect();
    let pair = pair::strongest(&narrow, &typical, &shown, &sizes).map(|pair| Pair {
        features: pair.features.map(|feature| machine.features()[feature]),
        columns: pair.columns.map(|column| inputs[column]),
        ..pair
    });
    Effects { columns, pair }
}

/// The effects of the values of one column.
fn curve(narrow: &impl Surface, typical: &Typical, known: &Known) -> Vec<Point> {
    let values = known.values(PLACES, REACH);
    let cells: Vec<f64> = values.iter().map(|value| value.cell).collect();
    let x = typical.with(known.column, &cells);
    let shares: Vec<f64> = values.iter().map(|value| value.reference).collect();
    let found = narrow.contrasts(&x, typical.rows(), &shares);
    let pairs = values.into_iter().zip(found);
    pairs
        .map(|(value, (effect, deviation))| Point { place: value.place, effect, deviation })
        .collect()
}

/// Means over the rows of each place, less those over all places by their shares, column by column.
pub(crate) fn block_contrasts(all: &Matrix, rows: usize, shares: &[f64]) -> Matrix {
    let mut means = Matrix::zeros(shares.len(), all.cols());
    for (j, column) in all.columns().enumerate() {
        let target = means.column_mut(j);
        for (mean, block) in target.iter_mut().zip(column.chunks(rows)) {
            *mean = block.iter().sum::<f64>() / rows as f64;
        }
        let centre: f64 = target.iter().zip(shares).map(|(mean, share)| mean * share).sum();
        target.iter_mut().for_each(|mean| *mean -= centre);
    }
    means
}
