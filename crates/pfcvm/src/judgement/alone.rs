//! Listed features looked at without a machine: how each goes along with the classes by itself
//! or in a product with another one, and with the feature that is most like it.

use super::Rows;
use super::folds::Copies;
use crate::algebra::{self, Work};
use crate::association::{Directions, of_one_direction};
use crate::data::Scaler;
use crate::matrix::Matrix;
use std::ops::Range;

/// Features looked at at a time.
const BLOCK: usize = 128;

/// How each of some features goes along with the classes: the root of the χ² of two degrees of freedom that
/// is as unlikely by chance; with more than two classes for the one that it tells best from the rest. In
/// pairs, its product with another feature counts where that tells more.
pub(super) fn associations(rows: &Rows, features: &[usize], in_pairs: bool) -> Vec<f64> {
    let (classes, copies) = (rows.data.classes(), rows.copies);
    let Ok(scaler) = Scaler::fit(rows.data, true) else { return vec![0.0; features.len()] };
    let (spans, varying) = (scaler.spans(), scaler.features());
    let ones = vec![1.0; copies.len()];
    let asked: Vec<usize> = if classes == 2 { vec![1] } else { (0..classes).collect() };
    let targets: Vec<Target> = asked.iter().map(|&class| Target::of(copies, class)).collect();
    let all = in_pairs.then(|| scaler.apply(rows.data.x()).select_rows(&copies.rows));
    let of_feature = |feature: &usize| {
        let position = varying.iter().position(|other| other == feature)?;
        let own = spans.of(position);
        let columns: Vec<usize> = own.clone().collect();
        let x = scaler.apply_columns(rows.data.x(), &columns).select_rows(&copies.rows);
        let directions = Directions::of(x.columns(), &ones);
        let of_target = |target: &Target| {
            let pairs = all.as_ref().map_or(0.0, |all| target.in_pairs(all, own.clone()));
            target.alone(&directions).max(pairs)
        };
        let best = targets.iter().map(of_target).fold(0.0, f64::max);
        // Of several answers the best counts, as many times as likely to be chance.
        Some((best - 2.0 * (asked.len() as f64).ln()).max(0.0).sqrt())
    };
    features.iter().map(|feature| of_feature(feature).unwrap_or(0.0)).collect()
}

/// Whether a row belongs to a class, less the share of the class.
struct Target {
    values: Vec<f64>,
    variance: f64,
}

impl Target {
    fn of(copies: &Copies, class: usize) -> Self {
        let is_it: Vec<f64> = copies.class.iter().map(|c| f64::from(*c == class)).collect();
        let share = is_it.iter().sum::<f64>() / is_it.len() as f64;
        let values = is_it.into_iter().map(|value| value - share).collect();
        Self { values, variance: share * (1.0 - share) }
    }

    fn alone(&self, directions: &Directions) -> f64 {
        let along = |d: &Vec<f64>| -> f64 { d.iter().zip(&self.values).map(|(d, t)| d * t).sum() };
        let q: f64 = directions.vectors.iter().map(|d| along(d).powi(2)).sum();
        if self.variance > 0.0 { directions.comparable(q / self.variance) } else { 0.0 }
    }

    /// The largest χ² of a product of one of its own columns with another one, the best of so many being as
    /// many times as likely to be chance.
    fn in_pairs(&self, x: &Matrix, own: Range<usize>) -> f64 {
        let others = || (0..x.cols()).filter(|k| !own.contains(k));
        let n = x.rows() as f64;
        let mut largest = 0.0f64;
        for (a, b) in own.clone().flat_map(|a| others().map(move |b| (a, b))) {
            let (mut sum, mut squares, mut along) = (0.0, 0.0, 0.0);
            for ((a, b), t) in x.column(a).iter().zip(x.column(b)).zip(&self.values) {
                let product = a * b;
                sum += product;
                squares += product * product;
                along += product * t;
            }
            let left = squares - sum * sum / n;
            if left > 1e-9 * squares {
                largest = largest.max(along * along / left);
            }
        }
        if self.variance <= 0.0 || largest <= 0.0 {
            return 0.0;
        }
        let pairs = (own.len() * others().count()) as f64;
        of_one_direction(largest / self.variance) - 2.0 * pairs.ln()
    }
}

/// Of each of some features, the largest correlation of a column of it with one of another feature,
/// listed or not.
pub(super) fn likeness(rows: &Rows, features: &[usize]) -> Vec<f64> {
    let Ok(scaler) = Scaler::fit(rows.data, true) else { return vec![0.0; features.len()] };
    let (spans, varying) = (scaler.spans(), scaler.features());
    let standard = |positions: &[usize]| {
        let columns = spans.columns_of(positions);
        let x = scaler.apply_columns(rows.data.x(), &columns).select_rows(&rows.copies.rows);
        of_length_one(x)
    };
    let owners: Vec<usize> = spans.owners().collect();
    let place = |feature: &usize| varying.iter().position(|other| other == feature);
    let listed: Vec<Option<usize>> = features.iter().map(place).collect();
    let own: Vec<usize> = listed.iter().copied().flatten().collect();
    let (own_x, own_owners) = (standard(&own), spans.columns_of(&own).into_owned());
    let mut largest = vec![0.0f64; spans.features()];
    let mut work = Work::new(false);
    let all: Vec<usize> = (0..spans.features()).collect();
    for block in all.chunks(BLOCK) {
        let along = algebra::product_tn(&own_x, &standard(block), &mut work);
        for (column, &other) in spans.columns_of(block).iter().enumerate() {
            for (value, &mine) in along.column(column).iter().zip(&own_owners) {
                let (mine, other) = (owners[mine], owners[other]);
                if mine != other {
                    largest[mine] = largest[mine].max(value.abs());
                }
            }
        }
    }
    listed.iter().map(|place| place.map_or(0.0, |at| largest[at].min(1.0))).collect()
}

/// Every column without its mean, of length 1; 0 where nothing is left of it.
pub(super) fn of_length_one(mut x: Matrix) -> Matrix {
    for k in 0..x.cols() {
        let column = x.column_mut(k);
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let before: f64 = column.iter().map(|v| v * v).sum();
        column.iter_mut().for_each(|v| *v -= mean);
        let square: f64 = column.iter().map(|v| v * v).sum();
        let factor = if square > 1e-9 * before { 1.0 / square.sqrt() } else { 0.0 };
        column.iter_mut().for_each(|v| *v *= factor);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dataset;
    use crate::settings::ClassWeights;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// The class is the sign of the product of columns 1 and 4; column 5 is nearly column 0.
    fn drawn() -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut x = Matrix::from_fn(200, 6, |_, _| rng.random::<f64>() - 0.5);
        for i in 0..200 {
            x.set(i, 5, x.get(i, 0) + 0.2 * x.get(i, 5));
        }
        let positive = (0..200).map(|i| x.get(i, 1) * x.get(i, 4) > 0.0).collect();
        Dataset::new(x, positive).unwrap()
    }

    fn looked_at<T>(look: impl Fn(&Rows) -> T) -> T {
        let data = drawn();
        let copies = Copies::of(&data);
        let class_weights = ClassWeights::default();
        look(&Rows { data: &data, copies: &copies, class_weights, seed: 0 })
    }

    #[test]
    fn a_product_counts_where_it_tells_more() {
        let all = [0, 1, 2, 3, 4, 5];
        let alone = looked_at(|rows| associations(rows, &all, false));
        let pairs = looked_at(|rows| associations(rows, &all, true));
        assert!(alone.iter().all(|chi| *chi < 3.5), "{alone:?}");
        for (k, (alone, pairs)) in alone.iter().zip(&pairs).enumerate() {
            assert!(pairs >= alone);
            assert_eq!(*pairs > 6.0, [1, 4].contains(&k), "{k}: {pairs}");
        }
    }

    /// A second route: the correlation by its definition.
    #[test]
    fn likeness_is_the_largest_correlation() {
        let data = drawn();
        let correlation = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|k| {
                let column = data.x().column(k);
                let mean = column.iter().sum::<f64>() / 200.0;
                column.iter().map(|v| v - mean).collect::<Vec<f64>>()
            });
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            (dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).abs()
        };
        let found = looked_at(|rows| likeness(rows, &[5, 2]));
        for (found, own) in found.iter().zip([5usize, 2]) {
            let others = (0..6).filter(|k| *k != own);
            let largest = others.map(|other| correlation(own, other)).fold(0.0, f64::max);
            assert!((found - largest).abs() < 1e-12, "{own}: {found} {largest}");
        }
        assert!(found[0] > 0.9 && found[1] < 0.3);
    }
}
