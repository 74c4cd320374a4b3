//! Ranks of several methods on several data sets, and the tests whether they differ at all:
//! Friedman's and Iman and Davenport's. A table holds one row per data set and one column per
//! method. Equal scores share the mean of their ranks; scores that differ by rounding are not equal.

use crate::distributions::{chi_square_upper_tail, f_upper_tail};
use crate::error::{Error, at_least, same_length};

/// Which scores are good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Accuracy, AUC: the highest score has rank 1.
    Higher,
    /// Error rate, log loss: the lowest score has rank 1.
    Lower,
}

/// What [`friedman`] finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// Mean rank of each method; 1 is best.
    pub average_ranks: Vec<f64>,
    /// Friedman's statistic, corrected for ties.
    pub chi_square: f64,
    /// Degrees of freedom of the statistic: methods − 1.
    pub degrees_of_freedom: usize,
    /// Chance of such a statistic if the methods do not differ, from the chi-square distribution.
    pub p_value: f64,
    /// The less conservative test from the same ranks.
    pub iman_davenport: ImanDavenport,
}

/// Iman and Davenport's (1980) form of the Friedman test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImanDavenport {
    /// (N−1)χ² / (N(k−1) − χ²) for k methods on N data sets. Infinite, with a p value of 0, if
    /// all data sets rank the methods alike: then the denominator is 0.
    pub f: f64,
    /// Degrees of freedom: k − 1 and (k − 1)(N − 1).
    pub degrees_of_freedom: (usize, usize),
    /// Chance of such an f if the methods do not differ.
    pub p_value: f64,
}

/// Ranks of each row from 1, equal scores sharing the mean of theirs. Scores may be infinite.
///
/// # Errors
/// If rows differ in length or a score is NaN.
pub fn ranks(scores: &[Vec<f64>], better: Better) -> Result<Vec<Vec<f64>>, Error> {
    let methods = scores.first().map_or(0, Vec::len);
    let of_row = |(data_set, row): (usize, &Vec<f64>)| {
        same_length("scores of a data set", row.len(), methods)?;
        if let Some(method) = row.iter().position(|score| score.is_nan()) {
            return Err(Error::Score { data_set, method });
        }
        let sign = if better == Better::Lower { 1.0 } else { -1.0 };
        Ok(middle_ranks(&row.iter().map(|score| sign * score).collect::<Vec<_>>()))
    };
    scores.iter().enumerate().map(of_row).collect()
}

/// Mean over the data sets of the [`ranks`] of each method.
///
/// # Errors
/// As [`ranks`], and without data sets or methods.
pub fn average_ranks(scores: &[Vec<f64>], better: Better) -> Result<Vec<f64>, Error> {
    at_least("data sets", scores.len(), 1)?;
    let ranks = ranks(scores, better)?;
    at_least("methods", ranks[0].len(), 1)?;
    Ok(rank_sums(&ranks).iter().map(|sum| sum / scores.len() as f64).collect())
}

/// Tests whether all methods are equally good, from their ranks alone.
///
/// If every data set ties all methods, both statistics are 0 and both p values 1.
///
/// # Errors
/// As [`ranks`], and for fewer than two data sets or methods.
pub fn friedman(scores: &[Vec<f64>], better: Better) -> Result<Friedman, Error> {
    at_least("data sets", scores.len(), 2)?;
    let ranks = ranks(scores, better)?;
    at_least("methods", ranks[0].len(), 2)?;
    let (data_sets, methods) = (scores.len(), ranks[0].len());
    let (n, k) = (data_sets as f64, methods as f64);

    // Twice a rank is a whole number, so these sums are exact and zeros are zeros.
    let sums = rank_sums(&ranks);
    let squares: f64 = ranks.iter().flatten().map(|rank| rank * rank).sum();
    let squared_sums: f64 = sums.iter().map(|sum| sum * sum).sum();
    let by_chance = n * k * (k + 1.0) * (k + 1.0) / 4.0;
    let total = squares - by_chance;
    let between = squared_sums - n * by_chance;
    let within = n * squares - squared_sums;

    // χ² = (k−1) between/total is 12/(nk(k+1)) Σ R² − 3n(k+1), divided by the correction for ties.
    let chi_square = if total > 0.0 { (k - 1.0) * between / total } else { 0.0 };
    // n(k−1) − χ² = (k−1) within/total.
    let f = match (between > 0.0, within > 0.0) {
        (false, _) => 0.0,
        (true, true) => (n - 1.0) * between / within,
        (true, false) => f64::INFINITY,
    };
    let degrees = (methods - 1, (methods - 1) * (data_sets - 1));
    Ok(Friedman {
        average_ranks: sums.iter().map(|sum| sum / n).collect(),
        chi_square,
        degrees_of_freedom: degrees.0,
        p_value: chi_square_upper_tail(chi_square, k - 1.0),
        iman_davenport: ImanDavenport {
            f,
            degrees_of_freedom: degrees,
            p_value: f_upper_tail(f, degrees.0 as f64, degrees.1 as f64),
        },
    })
}

fn rank_sums(ranks: &[Vec<f64>]) -> Vec<f64> {
    let mut sums = vec![0.0; ranks[0].len()];
    for row in ranks {
        for (sum, rank) in sums.iter_mut().zip(row) {
            *sum += rank;
        }
    }
    sums
}

/// Ascending ranks from 1 of numbers without NaN, ties sharing their mean.
pub(crate) fn middle_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for ties in order.chunk_by(|&a, &b| values[a] == values[b]) {
        for &at in ties {
            ranks[at] = below as f64 + 0.5 * (ties.len() + 1) as f64;
        }
        below += ties.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_hand() {
        let scores = [vec![3.0, 1.0, 3.0, f64::INFINITY], vec![0.0, -0.0, 0.0, 5.0]];
        let expected = [vec![2.5, 1.0, 2.5, 4.0], vec![2.0, 2.0, 2.0, 4.0]];
        assert_eq!(ranks(&scores, Better::Lower).unwrap(), expected);
        let expected = [vec![2.5, 4.0, 2.5, 1.0], vec![3.0, 3.0, 3.0, 1.0]];
        assert_eq!(ranks(&scores, Better::Higher).unwrap(), expected);
        assert_eq!(average_ranks(&scores, Better::Higher).unwrap(), [2.75, 3.5, 2.75, 1.0]);
    }

    #[test]
    fn perfect_agreement_has_an_infinite_f() {
        let found = friedman(&vec![vec![0.1, 0.2, 0.3]; 5], Better::Lower).unwrap();
        assert_eq!(found.chi_square, 10.0); // N(k−1)
        assert_eq!((found.iman_davenport.f, found.iman_davenport.p_value), (f64::INFINITY, 0.0));
        assert_eq!(found.iman_davenport.degrees_of_freedom, (2, 8));
    }

    #[test]
    fn equal_columns_do_not_differ() {
        let found = friedman(&vec![vec![0.4; 4]; 3], Better::Lower).unwrap();
        assert_eq!((found.chi_square, found.p_value), (0.0, 1.0));
        assert_eq!((found.iman_davenport.f, found.iman_davenport.p_value), (0.0, 1.0));
    }

    #[test]
    fn refusals() {
        let refused = |scores: &[Vec<f64>]| friedman(scores, Better::Lower).unwrap_err();
        let few = |what, found| Error::TooFew { what, found, needed: 2 };
        assert_eq!(refused(&[]), few("data sets", 0));
        assert_eq!(refused(&[vec![1.0, 2.0]]), few("data sets", 1));
        assert_eq!(refused(&[vec![1.0], vec![2.0]]), few("methods", 1));
        assert_eq!(refused(&[vec![], vec![]]), few("methods", 0));
        let nan = [vec![1.0, 2.0], vec![2.0, f64::NAN]];
        assert_eq!(refused(&nan), Error::Score { data_set: 1, method: 1 });
        assert!(matches!(refused(&[vec![1.0, 2.0], vec![2.0]]), Error::Length { .. }));
        assert!(average_ranks(&[], Better::Lower).is_err());
        assert!(average_ranks(&[vec![]], Better::Lower).is_err());
    }
}
