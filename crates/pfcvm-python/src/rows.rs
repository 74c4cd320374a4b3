//! Rows that count: what weights and repetitions of rows mean.
//!
//! A row that comes twice and a row of weight 2 are the same thing to every method, to the bit, and
//! so is the order of weighted rows: rows that are equal in all features and in their class become
//! one row with the sum of their weights, in an order that depends on their values alone. Data
//! without weights and repetitions stay as they are, and give the model that the program gives.
//! Only where a class then has fewer rows than a method asks for, a row of weight 2 or more is
//! several rows again.

use pfcvm::{Dataset, Error, Matrix};
use std::cmp::Ordering;
use std::collections::HashSet;

/// A data set, and for each of its rows the row it was given as.
pub struct Counted {
    /// What to learn from.
    pub data: Dataset,
    /// Rows as they were given; nothing: the same.
    rows: Option<Vec<usize>>,
    /// How many rows were given.
    pub given_rows: usize,
    /// How many of them in the negative and the positive class.
    pub class_rows: [usize; 2],
}

impl Counted {
    /// Takes up samples with their classes and, if there are any, weights. The method asks for
    /// `needed` rows of each class.
    pub fn new(
        x: Matrix,
        positive: Vec<bool>,
        weights: Option<Vec<f64>>,
        needed: usize,
    ) -> Result<Self, Error> {
        let given = Dataset::new(x, positive)?;
        let given = match weights {
            Some(weights) => given.with_sample_weights(weights)?,
            None => given,
        };
        let plain = given.sample_weights().iter().all(|weight| *weight == 1.0);
        Self::of(given, plain, needed)
    }

    /// Takes up a data set. It is `plain` if its user gave no weights.
    pub fn of(given: Dataset, plain: bool, needed: usize) -> Result<Self, Error> {
        let given_rows = given.len();
        let positive = given.positive().iter().filter(|positive| **positive).count();
        let class_rows = [given_rows - positive, positive];
        if plain && !any_row_twice(&given) {
            return Ok(Self { data: given, rows: None, given_rows, class_rows });
        }
        let mut order: Vec<usize> =
            (0..given.len()).filter(|&row| given.sample_weights()[row] > 0.0).collect();
        order.sort_by(|&a, &b| compare(&given, a, b).then(a.cmp(&b)));
        let mut rows: Vec<usize> = Vec::new();
        let mut weights: Vec<f64> = Vec::new();
        for row in order {
            let weight = given.sample_weights()[row];
            match (rows.last(), weights.last_mut()) {
                (Some(&last), Some(sum)) if compare(&given, last, row).is_eq() => *sum += weight,
                _ => {
                    rows.push(row);
                    weights.push(weight);
                }
            }
        }
        for class in [false, true] {
            let of_class = |row: &usize| given.positive()[*row] == class;
            if rows.iter().filter(|row| of_class(row)).count() < needed {
                (rows, weights) = in_parts(&rows, &weights, of_class, needed);
            }
        }
        let data = given.select(&rows)?.with_sample_weights(weights)?;
        Ok(Self { data, rows: Some(rows), given_rows, class_rows })
    }

    /// Rows of the data set as they were given.
    pub fn as_given(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().map(|&row| self.rows.as_ref().map_or(row, |given| given[row])).collect()
    }
}

/// Rows of a class that count at least twice as several rows each.
fn in_parts(
    rows: &[usize],
    weights: &[f64],
    of_class: impl Fn(&usize) -> bool,
    parts: usize,
) -> (Vec<usize>, Vec<f64>) {
    let pairs = rows.iter().zip(weights).flat_map(|(row, weight)| {
        let parts = if of_class(row) && *weight >= 2.0 { parts } else { 1 };
        std::iter::repeat_n((*row, weight / parts as f64), parts)
    });
    pairs.unzip()
}

/// By values, column after column, then by class. -0 is 0.
fn compare(data: &Dataset, a: usize, b: usize) -> Ordering {
    let columns = data.x().columns();
    let differ = columns.map(|column| (column[a] + 0.0).total_cmp(&(column[b] + 0.0)));
    let classes = data.positive()[a].cmp(&data.positive()[b]);
    differ.chain([classes]).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether two rows are equal; told by hashes first, because that needs one pass.
fn any_row_twice(data: &Dataset) -> bool {
    let mut hashes = vec![0xcbf2_9ce4_8422_2325u64; data.len()];
    for column in data.x().columns() {
        for (hash, value) in hashes.iter_mut().zip(column) {
            *hash =
                (*hash ^ (value + 0.0).to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
    }
    let mut seen = HashSet::with_capacity(hashes.len());
    if hashes.iter().all(|hash| seen.insert(*hash)) {
        return false;
    }
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by(|&a, &b| compare(data, a, b));
    order.windows(2).any(|pair| compare(data, pair[0], pair[1]).is_eq())
}
