//! How far rows are from the samples that a model remembers.
//!
//! d(x) = min over samples j of √Σₖ θₖ (xₖ − zⱼₖ)², in the metric of the model itself: features that were
//! not kept have no part in it, because they have none in the prediction. How far is far is told by the
//! training rows: the *reach* of a model is the distance within which 99 of 100 of them (by weight) have
//! a remembered sample other than themselves.

use crate::algebra::nearest;
use crate::matrix::Matrix;

/// The share of the training rows that are within reach.
pub const WITHIN_REACH: f64 = 0.99;

/// At most this many training rows are looked at.
const MOST_ROWS: usize = 2000;

/// d² of every row; samples at distance 0 are passed over if `differing`, so that a training row is not
/// compared with itself. Infinite where no sample is left.
pub(crate) fn nearest_squared(x: &Matrix, z: &Matrix, theta: &[f64], differing: bool) -> Vec<f64> {
    if theta.is_empty() && z.rows() > 0 && !differing {
        return vec![0.0; x.rows()];
    }
    let columns: Vec<&[f64]> = x.columns().take(theta.len()).collect();
    let points: Vec<f64> =
        (0..z.rows()).flat_map(|j| (0..columns.len()).map(move |k| z.get(j, k))).collect();
    nearest(&columns, &points, theta, x.rows(), differing)
}

/// The reach over the training rows `x` (scaled, kept columns) with these weights; nothing where no row
/// has a sample that differs from it.
pub(crate) fn reach(x: &Matrix, z: &Matrix, theta: &[f64], weights: &[f64]) -> Option<f64> {
    let rows = looked_at(x.rows());
    let nearest = nearest_squared(&x.select_rows(&rows), z, theta, true);
    let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
    within(nearest.into_iter().map(f64::sqrt), &weights)
}

/// The training rows that are looked at.
pub(crate) fn looked_at(rows: usize) -> Vec<usize> {
    (0..rows).step_by(rows.div_ceil(MOST_ROWS).max(1)).collect()
}

/// The distance within which 99 of 100 of these are, by weight; infinite ones do not count.
pub(crate) fn within(distances: impl Iterator<Item = f64>, weights: &[f64]) -> Option<f64> {
    let known = distances.zip(weights).filter(|(distance, _)| distance.is_finite());
    let mut known: Vec<(f64, &f64)> = known.collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let inside = WITHIN_REACH * known.iter().map(|(_, weight)| *weight).sum::<f64>();
    let mut sum = 0.0;
    let at = known.iter().position(|(_, weight)| {
        sum += *weight;
        sum >= inside
    });
    known.get(at?).map(|(distance, _)| *distance).filter(|reach| *reach > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_measured_to_the_nearest_sample_and_not_to_themselves() {
        let x = Matrix::from_rows(&[vec![0.0, 0.0], vec![3.0, 0.0], vec![0.0, 5.0]]);
        let z = x.select_rows(&[0, 1]);
        let theta = [1.0, 0.25];
        assert_eq!(nearest_squared(&x, &z, &theta, false), [0.0, 0.0, 6.25]);
        assert_eq!(nearest_squared(&x, &z, &theta, true), [9.0, 9.0, 6.25]);
        assert_eq!(reach(&x, &z, &theta, &[1.0; 3]), Some(3.0));
        // A row that hardly counts is not what the reach depends on.
        assert_eq!(reach(&x, &z, &theta, &[1e-6, 1e-6, 1.0]), Some(2.5));
        assert_eq!(reach(&x, &z.select_rows(&[]), &theta, &[1.0; 3]), None);
        assert_eq!(reach(&x.select_rows(&[0]), &z.select_rows(&[0]), &theta, &[1.0]), None);
    }

    #[test]
    fn one_row_in_a_hundred_is_beyond_it() {
        let x = Matrix::from_fn(200, 1, |i, _| (i + 1) as f64);
        let z = Matrix::zeros(1, 1);
        assert_eq!(reach(&x, &z, &[4.0], &[1.0; 200]), Some(2.0 * 198.0));
    }
}
