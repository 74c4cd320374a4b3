//! What a graph of nearest neighbours says of rows without labels (Zhou and others 2004):
//!
//! ```text
//! F = (1 − a) (I − a S)⁻¹ Y,  S = D^-½ W D^-½,
//! ```
//!
//! with Y the known labels and W the joins; the rows of F, divided by their sums, are what the graph says.

use crate::Matrix;
use rayon::prelude::*;

/// Neighbours that a row is joined to.
const NEIGHBOURS: usize = 10;
/// a: how far labels spread.
const SPREAD: f64 = 0.8;
/// Rounds after which F has settled: what is left is below a^80 < 1e-7.
const ROUNDS: usize = 80;

/// What the graph says of the classes of all rows, of which the first have labels.
pub(super) fn spread(x: &Matrix, codes: &[usize], classes: usize) -> Matrix {
    let joins = joins(x);
    let root: Vec<f64> = joins.iter().map(|of| (of.len() as f64).max(1.0).sqrt()).collect();
    let rows: Vec<Vec<f64>> = (0..x.rows())
        .map(|i| (0..classes).map(|k| f64::from(codes.get(i) == Some(&k))).collect())
        .collect();
    let mut f = rows.clone();
    for _ in 0..ROUNDS {
        let next = |i: usize| -> Vec<f64> {
            let from =
                |k: usize| joins[i].iter().map(|&j| f[j][k] / root[j]).sum::<f64>() / root[i];
            (0..classes).map(|k| SPREAD * from(k) + (1.0 - SPREAD) * rows[i][k]).collect()
        };
        f = (0..x.rows()).map(next).collect();
    }
    Matrix::from_fn(x.rows(), classes, |i, k| {
        let sum: f64 = f[i].iter().sum();
        if sum > 0.0 { f[i][k] / sum } else { 1.0 / classes as f64 }
    })
}

/// The rows that each row is joined to: its nearest ones, and those it is one of the nearest of.
fn joins(x: &Matrix) -> Vec<Vec<usize>> {
    let rows: Vec<Vec<f64>> =
        (0..x.rows()).map(|i| x.columns().map(|column| column[i]).collect()).collect();
    let nearest = |i: usize| -> Vec<usize> {
        let distance = |j: usize| -> f64 {
            rows[i].iter().zip(&rows[j]).map(|(a, b)| (a - b) * (a - b)).sum()
        };
        let others = (0..rows.len()).filter(|&j| j != i);
        let mut others: Vec<(f64, usize)> = others.map(|j| (distance(j), j)).collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(NEIGHBOURS).map(|(_, j)| j).collect()
    };
    let mut joins: Vec<Vec<usize>> = (0..rows.len()).into_par_iter().map(nearest).collect();
    for (i, near) in joins.clone().into_iter().enumerate() {
        near.into_iter().for_each(|j| joins[j].push(i));
    }
    for of in &mut joins {
        of.sort_unstable();
        of.dedup();
    }
    joins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Cholesky, Work};

    /// Two groups of rows apart from each other, one labelled row in each.
    fn groups() -> Matrix {
        let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
        Matrix::from_fn(60, 2, |i, k| spread(i, k) + if i % 2 == 0 { 0.0 } else { 3.0 })
    }

    #[test]
    fn labels_spread_within_groups() {
        let said = spread(&groups(), &[0, 1], 2);
        for i in 0..60 {
            assert!(said.get(i, i % 2) > 0.9, "{i}: {}", said.get(i, i % 2));
        }
    }

    /// The rounds end where the linear system has its solution.
    #[test]
    fn rounds_solve_the_system() {
        let x = Matrix::from_fn(25, 2, |i, k| ((i * (3 + k)) as f64 * 0.377).sin());
        let codes = [0, 1, 1, 0];
        let joins = joins(&x);
        let degree = |i: usize| joins[i].len() as f64;
        let system = Matrix::from_fn(25, 25, |i, j| {
            let joined = f64::from(joins[i].contains(&j));
            f64::from(i == j) - SPREAD * joined / (degree(i) * degree(j)).sqrt()
        });
        let factor = Cholesky::new(system, &mut Work::new(false)).unwrap();
        let solve = |class: usize| {
            let y: Vec<f64> = (0..25).map(|i| f64::from(codes.get(i) == Some(&class))).collect();
            factor.solve(&y)
        };
        let (first, second) = (solve(0), solve(1));
        let said = spread(&x, &codes, 2);
        for i in 0..25 {
            let expected = second[i] / (first[i] + second[i]);
            assert!((said.get(i, 1) - expected).abs() < 1e-5, "{i}");
        }
    }

    #[test]
    fn a_row_that_nothing_reaches_is_of_any_class() {
        let far = Matrix::from_rows(&[vec![0.0], vec![1.0]]);
        assert_eq!(spread(&far, &[], 3).as_slice(), [1.0 / 3.0; 6]);
    }
}
