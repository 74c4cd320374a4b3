//! Rows that count: what weights and repetitions of rows mean.
//!
//! A row that comes twice and a row of weight 2 are the same thing to every method, to the bit, and
//! so is the order of weighted rows: rows that are equal in all features and in their class become
//! one row with the sum of their weights, in an order that depends on their values alone. Data
//! without weights and repetitions stay as they are, and give the model that the program gives.

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
    /// Takes up samples with their classes and, if there are any, weights.
    pub fn new(x: Matrix, positive: Vec<bool>, weights: Option<Vec<f64>>) -> Result<Self, Error> {
        let given = Dataset::new(x, positive)?;
        let given = match weights {
            Some(weights) => given.with_sample_weights(weights)?,
            None => given,
        };
        let given_rows = given.len();
        let positive = given.positive().iter().filter(|positive| **positive).count();
        let class_rows = [given_rows - positive, positive];
        let plain = given.sample_weights().iter().all(|weight| *weight == 1.0);
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
        let data = given.select(&rows)?.with_sample_weights(weights)?;
        Ok(Self { data, rows: Some(rows), given_rows, class_rows })
    }

    /// Rows of the data set as they were given, ascending.
    pub fn as_given(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().map(|&row| self.rows.as_ref().map_or(row, |given| given[row])).collect()
    }
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
