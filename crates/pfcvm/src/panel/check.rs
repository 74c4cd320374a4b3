//! Whether a short list is the right tool at all.
//!
//! Each half makes a list of its own, without a look at the other half, and fits that list; the
//! other half says how good it is. The same is done with all features. Both see only half of the
//! samples, so both are worse than the finished panel; what counts is which is better.

use super::plain::{Ridge, equal};
use super::rounds::best;
use crate::Matrix;
use crate::algebra::{self, Cholesky, Work, softmax_columns};
use crate::posterior::Classes;
use crate::spans::Inputs;
use crate::stored::nan_as_nothing;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How well the halves predict each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct HalfScore {
    /// Mean of −log p of the true class, over the rows of the other half.
    #[serde(with = "nan_as_nothing")]
    pub log_loss: f64,
    /// Share of those rows put into the right class.
    #[serde(with = "nan_as_nothing")]
    pub accuracy: f64,
}

impl HalfScore {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { log_loss: f64::NAN, accuracy: f64::NAN };
}

/// Mean of the two plain fits on `rows`, for the rows `others`: one probability each for the positive
/// one of two classes; of more, a list for each, from the ridges.
fn predict(
    x: &Matrix,
    classes: &Classes,
    (rows, others): (&[usize], &[usize]),
    mut work: Work,
) -> Vec<Vec<f64>> {
    let (here, there) = (x.select_rows(rows), x.select_rows(others));
    let classes = classes.select(rows);
    let ridges = Ridge::fit(&here, &classes, &mut work);
    if let [only] = &ridges[..] {
        let ridge = only.probability(&there);
        let equal = equal(&here, &classes, &mut work)[0].probability(&there);
        return vec![ridge.iter().zip(&equal).map(|(a, b)| 0.5 * (a + b)).collect()];
    }
    let decisions: Vec<Vec<f64>> = ridges.iter().map(|r| r.linear.decision(&there)).collect();
    softmax_columns(&decisions)
}

/// Sums of weight, weighted −log p and weighted hits over the rows of one half.
fn sums(probability: &[Vec<f64>], classes: &Classes, rows: &[usize]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (place, &i) in rows.iter().enumerate() {
        let (right, hit) = match (probability, &classes.machines[..]) {
            ([p], [only]) => {
                let positive = only.signs[i] > 0.0;
                let right = if positive { p[place] } else { 1.0 - p[place] };
                (right, (p[place] >= 0.5) == positive)
            }
            (all, machines) => {
                let own = machines.iter().position(|own| own.signs[i] > 0.0).unwrap_or(0);
                let right = all[own][place];
                // Of equals the last is called.
                let beaten = |(k, p): (usize, &Vec<f64>)| {
                    k == own || p[place] < right || (p[place] == right && k < own)
                };
                (right, all.iter().enumerate().all(beaten))
            }
        };
        let weight = classes.weights()[i];
        sums[0] += weight;
        sums[1] -= weight * right.max(1e-15).ln();
        sums[2] += weight * f64::from(hit);
    }
    sums
}

/// Scores every half on the other one of its pair; `columns` says what half `b` may look at.
fn score(
    x: &Matrix,
    classes: &Classes,
    halves: &[Vec<usize>],
    columns: impl Fn(usize) -> Option<Vec<usize>> + Sync,
    work: &Work,
) -> HalfScore {
    let one = |b: usize| {
        let pair = (&*halves[b], &*halves[b ^ 1]);
        let probability = match columns(b) {
            Some(columns) => predict(&x.select_columns(&columns), classes, pair, work.alone()),
            None => predict(x, classes, pair, work.alone()),
        };
        sums(&probability, classes, pair.1)
    };
    let parts: Vec<[f64; 3]> = if work.parallel {
        (0..halves.len()).into_par_iter().map(one).collect()
    } else {
        (0..halves.len()).map(one).collect()
    };
    let total = |j: usize| parts.iter().map(|part| part[j]).sum::<f64>();
    HalfScore { log_loss: total(1) / total(0), accuracy: total(2) / total(0) }
}

/// The list of every half on its own: the features that weigh most in its member.
pub(super) fn own_lists(sizes: &[Vec<f64>], size: usize) -> Vec<Vec<usize>> {
    sizes.iter().map(|sizes| best(sizes, size)).collect()
}

/// The halves with a list each: the features that weigh most in its member after the first step,
/// when the members do not know of each other yet (`sizes`, over all features of `x`).
pub(super) fn score_lists(
    x: &Inputs,
    classes: &Classes,
    halves: &[Vec<usize>],
    sizes: &[Vec<f64>],
    size: usize,
    work: &Work,
) -> HalfScore {
    let lists = own_lists(sizes, size);
    let list = |b: usize| if lists[b].is_empty() { &[0][..] } else { &lists[b] };
    let columns = |b: usize| Some(x.spans.columns_of(list(b)).into_owned());
    score(&x.values, classes, halves, columns, work)
}

/// The halves with all features, given as `condensed`.
pub(super) fn score_all(
    condensed: &Matrix,
    classes: &Classes,
    halves: &[Vec<usize>],
    work: &Work,
) -> HalfScore {
    score(condensed, classes, halves, |_| None, work)
}

/// N columns with the same inner products between rows as the M > N columns of `x`, scaled so
/// that their mean is the same: for linear fits that treat features alike they are the same data.
/// With L Lᵀ = X Xᵀ N/M the result is L. `x` itself where that saves nothing or cannot be had.
pub(super) fn condense(x: &Matrix, work: &mut Work) -> Matrix {
    let n = x.rows();
    if x.cols() <= n {
        return x.clone();
    }
    let mut gram = algebra::product_nt(x, x, work);
    let share = n as f64 / x.cols() as f64;
    gram.as_mut_slice().iter_mut().for_each(|g| *g *= share);
    match Cholesky::new(gram.clone(), work) {
        // L = G L⁻ᵀ.
        Some(factor) => algebra::product_nt(&gram, &factor.inverse_factor(work), work),
        None => x.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posterior::Likelihood;

    #[test]
    fn condensed_rows_keep_their_inner_products() {
        let x = Matrix::from_fn(5, 40, |i, k| ((i + 1) as f64 * (k as f64 + 0.3)).sin());
        let mut work = Work::default();
        let condensed = condense(&x, &mut work);
        assert_eq!((condensed.rows(), condensed.cols()), (5, 5));
        let (a, b) = (
            algebra::product_nt(&x, &x, &mut work),
            algebra::product_nt(&condensed, &condensed, &mut work),
        );
        for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
            assert!((a / 40.0 - b / 5.0).abs() < 1e-10);
        }
    }

    #[test]
    fn scores_are_weighted_means() {
        let likelihood = Likelihood { signs: vec![1.0, -1.0], weights: vec![3.0, 1.0] };
        let [weight, loss, hits] = sums(&[vec![0.8, 0.6]], &likelihood.into(), &[0, 1]);
        assert_eq!((weight, hits), (4.0, 3.0));
        assert!((loss + 3.0 * 0.8f64.ln() + 0.4f64.ln()).abs() < 1e-12);
    }
}
