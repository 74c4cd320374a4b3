//! Two features together.

use super::typical::{Known, Typical, Value};
use super::{Place, Surface};
use crate::matrix::Matrix;
use rayon::prelude::*;

/// Columns that are tried in pairs, those of the largest effects.
const MOST_TRIED: usize = 8;
/// Places and rows of a trial.
const TRIED: (usize, f64, usize) = (5, 1.5, 20);
/// Places and rows of what is told. The middle one is the centre.
const TOLD: (usize, f64, usize) = (15, 2.0, 50);
/// Two effects that are less than this share of the larger one away from their sum are apart.
const APART: f64 = 0.02;

/// Two columns of different features, and what they do together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pair {
    /// The features.
    pub features: [usize; 2],
    /// The columns of the input.
    pub columns: [usize; 2],
    /// Their values: 15 numbers, or up to 15 words, the most frequent ones.
    pub places: [Vec<Place>; 2],
    /// How each two values change the log odds together, beside both at their centres: a row for
    /// each value of the first.
    pub effects: Matrix,
    /// Root mean square of what is left of that when the sum of an effect of each is taken away.
    pub departure: f64,
}

/// The pair that is farthest from a sum; `sizes` are those of the single effects.
pub(super) fn strongest(
    narrow: &impl Surface,
    typical: &Typical,
    shown: &[&Known],
    sizes: &[f64],
) -> Option<Pair> {
    let mut order: Vec<usize> = (0..shown.len()).collect();
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    order.truncate(MOST_TRIED);
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for (at, &a) in order.iter().enumerate() {
        let others = order[at + 1..].iter().filter(|&&b| shown[b].feature != shown[a].feature);
        pairs.extend(others.map(|&b| [a.min(b), a.max(b)]));
    }
    let try_out = |pair: &[usize; 2]| {
        departure(&together(narrow, typical, pair.map(|at| shown[at]), TRIED).1)
    };
    let found: Vec<f64> = pairs.par_iter().map(try_out).collect();
    let (at, _) = found.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1))?;
    let pair = pairs[at];
    let ([first, second], mut effects) = together(narrow, typical, pair.map(|at| shown[at]), TOLD);
    let departure = departure(&effects);
    let size = sizes[pair[0]].max(sizes[pair[1]]);
    if departure.is_nan() || departure <= APART * size {
        return None;
    }
    let centre = mean(&effects, &first, &second);
    effects.as_mut_slice().iter_mut().for_each(|effect| *effect -= centre);
    let places = [first, second].map(|values| values.into_iter().map(|v| v.place).collect());
    Some(Pair {
        features: pair.map(|at| shown[at].feature),
        columns: pair.map(|at| shown[at].column),
        places,
        effects,
        departure,
    })
}

/// Decision values at each two values, on the mean over typical rows.
fn together(
    narrow: &impl Surface,
    typical: &Typical,
    pair: [&Known; 2],
    (places, reach, rows): (usize, f64, usize),
) -> ([Vec<Value>; 2], Matrix) {
    let typical = typical.some(rows);
    let values = pair.map(|known| {
        let mut values = known.values(places, reach);
        match known.mean() {
            Some(_) => values.truncate(places),
            None => {
                values.sort_by(|a, b| b.share.total_cmp(&a.share));
                values.truncate(places);
            }
        }
        values
    });
    let [first, second] = &values;
    let cells: Vec<[f64; 2]> =
        second.iter().flat_map(|b| first.iter().map(|a| [a.cell, b.cell])).collect();
    let x = typical.with_both(pair.map(|known| known.column), &cells);
    let decisions = narrow.decisions(&x);
    let means = decisions.chunks(typical.rows()).map(|f| f.iter().sum::<f64>() / f.len() as f64);
    let means = Matrix::from_column_major(first.len(), second.len(), means.collect());
    (values, means)
}

/// What both are at their centres.
fn mean(effects: &Matrix, first: &[Value], second: &[Value]) -> f64 {
    let total = |values: &[Value]| values.iter().map(|value| value.reference).sum::<f64>();
    let all = total(first) * total(second);
    let rows = first.iter().enumerate();
    let sum: f64 = rows
        .flat_map(|(i, a)| second.iter().enumerate().map(move |(j, b)| (i, j, a, b)))
        .map(|(i, j, a, b)| a.reference * b.reference * effects.get(i, j))
        .sum();
    sum / all
}

/// Root mean square of what no sum of a function of the row and one of the column explains.
fn departure(effects: &Matrix) -> f64 {
    let (rows, cols) = (effects.rows(), effects.cols());
    let of_columns: Vec<f64> =
        effects.columns().map(|column| column.iter().sum::<f64>() / rows as f64).collect();
    let of_row = |i: usize| (0..cols).map(|j| effects.get(i, j)).sum::<f64>() / cols as f64;
    let of_rows: Vec<f64> = (0..rows).map(of_row).collect();
    let all = of_columns.iter().sum::<f64>() / cols as f64;
    let left = |i: usize, j: usize| effects.get(i, j) - of_rows[i] - of_columns[j] + all;
    let squares = (0..cols).flat_map(|j| (0..rows).map(move |i| left(i, j).powi(2)));
    (squares.sum::<f64>() / (rows * cols) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depart_and_products_do() {
        let sum = Matrix::from_fn(5, 7, |i, j| (i * i) as f64 - 3.0 * j as f64);
        assert!(departure(&sum) < 1e-12);
        let signs = Matrix::from_fn(2, 2, |i, j| if i == j { 1.0 } else { -1.0 });
        assert_eq!(departure(&signs), 1.0);
    }
}
