//! Classes dealt out anew to the same rows: a test of "the features say nothing of the classes" that is
//! exact for any data.
//!
//! - **One feature at a time.** χ² of (x, x²) with the class for each feature (see `association` for
//!   features of several columns).
//! - **Two at a time**, where a machine can make something of it: χ² of the product of two standardised
//!   columns with the class. What two features say together neither need say by itself.
//!
//! Of either the largest, the sum of the five largest and the sum of all are compared with what they are
//! for the dealt classes. Of all these the most telling counts, for the dealt classes as well.

use super::alone::of_length_one;
use super::folds::Copies;
use crate::algebra::{self, Work};
use crate::association::Directions;
use crate::data::{Dataset, Scaler};
use crate::matrix::Matrix;
use crate::spans::Inputs;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// How often classes are dealt out anew.
const DEALS: usize = 399;
/// How many features make few.
const FEW: usize = 5;
/// Features or pairs looked at at a time.
const BLOCK: usize = 128;
/// Pairs are looked at where that takes no more multiplications than this, about half a second.
const MOST_MULTIPLICATIONS: f64 = 4e9;

/// P(features that say nothing do as well).
pub(super) fn p_value(rows: &Dataset, copies: &Copies, seed: u64, in_pairs: bool) -> f64 {
    let Ok(scaler) = Scaler::fit(rows, true) else { return 1.0 };
    let dealt = Dealt::of(copies, seed);
    let mut all = dealt.one_at_a_time(rows, copies, &scaler).telling().to_vec();
    let columns = scaler.spans().columns() as f64;
    let multiplications = 0.5 * columns * columns * (copies.len() * (DEALS + 1)) as f64;
    if in_pairs && multiplications <= MOST_MULTIPLICATIONS {
        all.extend(dealt.two_at_a_time(rows, copies, &scaler).telling());
    }
    let best = |deal: usize| all.iter().map(|of| of[deal]).fold(f64::MIN, f64::max);
    (0..=DEALS).filter(|&deal| best(deal) >= best(0)).count() as f64 / (DEALS + 1) as f64
}

/// The classes as they are, then as they were dealt: a column each, with mean 0.
struct Dealt {
    classes: Matrix,
    variance: f64,
}

impl Dealt {
    fn of(copies: &Copies, seed: u64) -> Self {
        let n = copies.len();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<bool> = (0..n).map(|i| copies.positive(i)).collect();
        let share = order.iter().filter(|p| **p).count() as f64 / n as f64;
        let mut classes = Matrix::zeros(n, DEALS + 1);
        for deal in 0..=DEALS {
            let column = classes.column_mut(deal);
            for (to, class) in column.iter_mut().zip(&order) {
                *to = f64::from(*class) - share;
            }
            order.shuffle(&mut rng);
        }
        Self { classes, variance: share * (1.0 - share) }
    }

    fn one_at_a_time(&self, rows: &Dataset, copies: &Copies, scaler: &Scaler) -> Scores {
        let (n, spans) = (copies.len(), scaler.spans());
        let mut work = Work::new(false);
        let mut scores = Scores::none();
        let features: Vec<usize> = (0..spans.features()).collect();
        for block in features.chunks(BLOCK) {
            let x =
                scaler.apply_columns(rows.x(), &spans.columns_of(block)).select_rows(&copies.rows);
            let x = Inputs { values: x, spans: spans.select(block) };
            let of_feature = |k: usize| Directions::of(x.of(k), &vec![1.0; n]);
            let directions: Vec<Directions> = (0..block.len()).map(of_feature).collect();
            let vectors: Vec<f64> = directions.iter().flat_map(|d| d.vectors.concat()).collect();
            let vectors = Matrix::from_column_major(n, vectors.len() / n, vectors);
            let along = algebra::product_tn(&vectors, &self.classes, &mut work);
            for deal in 0..=DEALS {
                let mut rest = along.column(deal);
                for of_feature in &directions {
                    let (own, others) = rest.split_at(of_feature.vectors.len());
                    rest = others;
                    let q = own.iter().map(|a| a * a).sum::<f64>() / self.variance;
                    scores.add(deal, of_feature.comparable(q));
                }
            }
        }
        scores
    }

    fn two_at_a_time(&self, rows: &Dataset, copies: &Copies, scaler: &Scaler) -> Scores {
        let (n, spans) = (copies.len(), scaler.spans());
        let x = scaler.apply(rows.x()).select_rows(&copies.rows);
        let owners: Vec<usize> = spans.owners().collect();
        let later = |a: usize| (a + 1..owners.len()).map(move |b| (a, b));
        let pairs = (0..owners.len()).flat_map(later).filter(|(a, b)| owners[*a] != owners[*b]);
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let mut work = Work::new(false);
        let mut scores = Scores::none();
        for block in pairs.chunks(BLOCK) {
            let mut products = Vec::with_capacity(n * block.len());
            for &(a, b) in block {
                let product = x.column(a).iter().zip(x.column(b)).map(|(a, b)| a * b);
                products.extend(product);
            }
            let products = of_length_one(Matrix::from_column_major(n, block.len(), products));
            let along = algebra::product_tn(&products, &self.classes, &mut work);
            for deal in 0..=DEALS {
                along.column(deal).iter().for_each(|a| scores.add(deal, a * a / self.variance));
            }
        }
        scores
    }
}

/// Of each deal, the largest scores and their sum.
struct Scores {
    sums: Vec<f64>,
    /// The largest first.
    largest: Vec<[f64; FEW]>,
}

impl Scores {
    fn none() -> Self {
        Self { sums: vec![0.0; DEALS + 1], largest: vec![[0.0; FEW]; DEALS + 1] }
    }

    fn add(&mut self, deal: usize, mut score: f64) {
        self.sums[deal] += score;
        let largest = &mut self.largest[deal];
        if score <= largest[FEW - 1] {
            return;
        }
        for place in largest {
            if score > *place {
                std::mem::swap(place, &mut score);
            }
        }
    }

    /// The roots of the largest, of the few largest and of all, each in deviations from its mean over
    /// the deals.
    fn telling(&self) -> [Vec<f64>; 3] {
        let first = self.largest.iter().map(|few| few[0].sqrt()).collect();
        let few = self.largest.iter().map(|few| few.iter().sum::<f64>().sqrt()).collect();
        let all = self.sums.iter().map(|sum| sum.sqrt()).collect();
        [first, few, all].map(in_deviations)
    }
}

fn in_deviations(mut values: Vec<f64>) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
    let scale = if deviation > 1e-12 * mean.abs() { deviation.recip() } else { 0.0 };
    values.iter_mut().for_each(|v| *v = scale * (*v - mean));
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// The class is the sign of a product, so that neither feature tells anything by itself.
    fn product_of_two(seed: u64) -> Dataset {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let x = Matrix::from_fn(120, 6, |_, _| rng.random::<f64>() - 0.5);
        let positive = (0..120).map(|i| x.get(i, 1) * x.get(i, 4) > 0.0).collect();
        Dataset::new(x, positive).unwrap()
    }

    #[test]
    fn two_features_tell_what_neither_tells() {
        let mut by_chance = 0;
        for seed in 10..18 {
            let data = product_of_two(seed);
            let copies = Copies::of(&data);
            let [alone, in_pairs] = [false, true].map(|pairs| p_value(&data, &copies, 1, pairs));
            by_chance += usize::from(alone <= 0.05);
            assert_eq!(in_pairs, 1.0 / (DEALS + 1) as f64, "{seed}");
        }
        // More than 2 of 8 in 6 of 1000.
        assert!(by_chance <= 2, "{by_chance} of 8");
    }

    /// Exact: of classes that were dealt themselves at most a share p has a p-value of p or less.
    #[test]
    fn dealt_classes_are_what_was_dealt() {
        let low = (0..60).filter(|&seed| {
            let data = product_of_two(seed);
            let mut class = data.positive().to_vec();
            class.shuffle(&mut ChaCha8Rng::seed_from_u64(!seed));
            let data = Dataset::new(data.x().clone(), class).unwrap();
            p_value(&data, &Copies::of(&data), seed, true) <= 0.1
        });
        // 6 expected; more than 12 in 6 of 1000.
        let low = low.count();
        assert!((1..=12).contains(&low), "{low} of 60");
    }
}
