//! Wilcoxon's signed-rank test of two methods on the same data sets.

use crate::distributions::normal_upper_tail;
use crate::error::{Error, all_finite, same_length};
use crate::ranks::middle_ranks;

/// Up to this many pairs the distribution is counted; 2^50 subsets are still exact in an f64.
const MOST_COUNTED: usize = 50;

/// What [`wilcoxon`] finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Sum of the ranks of pairs where the first value is larger.
    pub positive_rank_sum: f64,
    /// Sum of the ranks of pairs where the second value is larger.
    pub negative_rank_sum: f64,
    /// Pairs that differ and were ranked.
    pub pairs: usize,
    /// Pairs of equal values, which were left out.
    pub zeros: usize,
    /// The normal score behind the p value, negative if the second values are larger; `None` if
    /// the p value is exact.
    pub z: Option<f64>,
    /// Two-sided chance of rank sums at least as unequal if both methods are equally good.
    pub p_value: f64,
}

/// Tests whether `first[i] − second[i]` lies symmetrically around 0.
///
/// Pairs without a difference are left out (Wilcoxon's own rule; SciPy's `"wilcox"`), and equal
/// distances share the mean of their ranks. The p value is exact for up to 50 pairs if there are
/// no zeros and no ties. Otherwise it comes from the normal distribution, the variance reduced for
/// ties by Σ(t³−t)/48 and the rank sum moved by ½ towards its mean.
///
/// If no pair differs, the p value is 1, as an exact one.
///
/// # Errors
/// If the lists differ in length, or a difference is NaN or infinite.
pub fn wilcoxon(first: &[f64], second: &[f64]) -> Result<Wilcoxon, Error> {
    same_length("second values", second.len(), first.len())?;
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    all_finite("difference", &differences)?;
    let kept: Vec<f64> = differences.into_iter().filter(|&difference| difference != 0.0).collect();

    let ranks = middle_ranks(&kept.iter().map(|difference| difference.abs()).collect::<Vec<_>>());
    let signed = kept.iter().zip(&ranks);
    let positive: f64 = signed.filter(|&(&d, _)| d > 0.0).map(|(_, rank)| rank).sum();
    let n = kept.len() as f64;
    let negative = n * (n + 1.0) / 2.0 - positive;
    let zeros = first.len() - kept.len();

    let ties = tie_sum(&ranks);
    let (z, p_value) = if kept.is_empty() {
        (None, 1.0)
    } else if kept.len() <= MOST_COUNTED && zeros == 0 && ties == 0.0 {
        (None, exact(positive.min(negative), kept.len()))
    } else {
        let distance = positive - 0.5 * (positive + negative);
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
        // Rank sums move in steps of ½ or more, so this never passes the mean.
        let corrected = distance.signum() * (distance.abs() - 0.5).max(0.0);
        let z = corrected / variance.sqrt();
        (Some(z), (2.0 * normal_upper_tail(z.abs())).min(1.0))
    };
    let (positive_rank_sum, negative_rank_sum) = (positive, negative);
    Ok(Wilcoxon { positive_rank_sum, negative_rank_sum, pairs: kept.len(), zeros, z, p_value })
}

/// Σ(t³ − t) over groups of t equal ranks.
fn tie_sum(ranks: &[f64]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f64::total_cmp);
    let sizes = sorted.chunk_by(|a, b| a == b).map(|ties| ties.len() as f64);
    sizes.map(|size| size * size * size - size).sum()
}

/// Twice the share of the subsets of 1, …, n that sum to `smaller` or less.
fn exact(smaller: f64, n: usize) -> f64 {
    let largest = n * (n + 1) / 2;
    let mut subsets = vec![0u64; largest + 1];
    subsets[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=largest).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let tail: u64 = subsets[..=smaller as usize].iter().sum();
    (2.0 * tail as f64 / (1u64 << n) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_by_hand() {
        // Ranks 1, 2, 3, 4 with only 2 negative: sums of at most 2 are 0, 1, 2, so 2·3/16.
        let found = wilcoxon(&[1.0, 0.0, 3.0, 4.0], &[0.0, 2.0, 0.0, 0.0]).unwrap();
        assert_eq!((found.positive_rank_sum, found.negative_rank_sum), (8.0, 2.0));
        assert_eq!((found.p_value, found.z), (6.0 / 16.0, None));
    }

    #[test]
    fn equal_lists_do_not_differ() {
        let found = wilcoxon(&[0.3; 7], &[0.3; 7]).unwrap();
        assert_eq!((found.p_value, found.pairs, found.zeros), (1.0, 0, 7));
        assert_eq!(wilcoxon(&[], &[]).unwrap().p_value, 1.0);
    }

    #[test]
    fn balanced_ties_have_a_score_of_zero() {
        let found = wilcoxon(&[1.0, 0.0], &[0.0, 1.0]).unwrap();
        assert_eq!((found.z, found.p_value), (Some(0.0), 1.0));
    }

    /// With many pairs the exact p value is the normal one with Edgeworth's first term, where the
    /// fourth cumulant is −Σi⁴/8 over the squared variance, about −3.6/n.
    #[test]
    fn both_routes_meet() {
        let first: Vec<f64> =
            (1..=50).map(|i| f64::from(i) * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let counted = wilcoxon(&first, &[0.0; 50]).unwrap();
        assert_eq!(counted.z, None);
        let mut with_zero = first.clone();
        with_zero.push(0.0);
        let normal = wilcoxon(&with_zero, &[0.0; 51]).unwrap();
        assert!(normal.z.is_some() && normal.zeros == 1);
        let z = normal.z.unwrap();
        let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
        let term = 2.0 * density * (3.6 / 50.0) / 24.0 * (z * z * z - 3.0 * z);
        // The terms left out are of the order 1/n² times a density.
        let rest = counted.p_value - (normal.p_value - term);
        assert!(term > 5e-4 && rest.abs() < 5e-5, "{counted:?} {normal:?} {term}");
    }

    #[test]
    fn refusals() {
        assert!(matches!(wilcoxon(&[1.0], &[]), Err(Error::Length { .. })));
        let nan = wilcoxon(&[1.0, f64::NAN], &[0.0, 0.0]);
        assert!(matches!(nan, Err(Error::Value { at: 1, .. })));
        assert!(wilcoxon(&[f64::INFINITY], &[f64::INFINITY]).is_err());
        assert!(wilcoxon(&[f64::MAX], &[f64::MIN]).is_err());
    }
}
