//! Two classifiers on one problem: McNemar's test on one test set, and Nadeau and Bengio's
//! corrected t test on resampled ones.

use crate::distributions::{
    binomial_half_lower_tail, chi_square_upper_tail, t_two_sided, t_two_sided_quantile,
};
use crate::error::{Error, all_finite, at_least, inside_unit};

/// What [`mcnemar`] finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// Two-sided chance of so uneven a division if both classifiers err equally often, from the
    /// binomial distribution.
    pub exact_p_value: f64,
    /// (|b − c| − 1)²/(b + c), with Edwards's correction for continuity; 0 if b = c.
    pub chi_square: f64,
    /// Its p value, from the chi-square distribution with one degree of freedom.
    pub chi_square_p_value: f64,
}

/// Tests whether two classifiers err equally often on the same rows, of which `only_first` are
/// right by the first classifier only and `only_second` by the second only. Rows that both get
/// right, or both wrong, say nothing.
///
/// Without rows that differ both p values are 1. Beyond 1e12 rows the exact one has fewer digits.
pub fn mcnemar(only_first: usize, only_second: usize) -> McNemar {
    let total = only_first as f64 + only_second as f64;
    let smaller = only_first.min(only_second) as f64;
    let distance = (only_first.abs_diff(only_second) as f64 - 1.0).max(0.0);
    let chi_square = if total > 0.0 { distance * distance / total } else { 0.0 };
    // P(X ≤ n/2) is above ½, whatever its digits.
    let exact_p_value = if only_first == only_second {
        1.0
    } else {
        (2.0 * binomial_half_lower_tail(smaller, total)).min(1.0)
    };
    McNemar {
        exact_p_value,
        chi_square,
        chi_square_p_value: chi_square_upper_tail(chi_square, 1.0),
    }
}

/// What [`corrected_resampled_t`] finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResampledT {
    /// Mean of the differences.
    pub mean: f64,
    /// Its standard error, with the correction for training sets that overlap.
    pub standard_error: f64,
    /// Mean over standard error; infinite if all differences are the same but not 0.
    pub t: f64,
    /// Differences − 1.
    pub degrees_of_freedom: usize,
    /// Two-sided chance of such a t if the methods are equally good.
    pub p_value: f64,
    /// Ends of the interval of the mean difference.
    pub interval: (f64, f64),
}

/// Tests whether the mean of `differences` between two methods, one for each random division into
/// training and test rows (or each fold), is 0. `test_to_train` is the number of test rows over
/// that of training rows, 1/9 for tenfold cross-validation.
///
/// The variance of the mean is taken as (1/J + test/train) s² (Nadeau and Bengio 2003): the plain
/// s²/J is too small, since training sets overlap.
///
/// If all J differences are the same number, s is 0: t is 0 with a p value of 1 if that number is
/// 0, and infinite with a p value of 0 otherwise; the interval is the number itself.
///
/// # Errors
/// For fewer than two differences, one that is not finite, a ratio that is negative or not finite,
/// and if `confidence` is not inside (0, 1).
pub fn corrected_resampled_t(
    differences: &[f64],
    test_to_train: f64,
    confidence: f64,
) -> Result<ResampledT, Error> {
    inside_unit("confidence", confidence)?;
    if !(0.0..f64::INFINITY).contains(&test_to_train) {
        let allowed = "0 or more, and finite";
        return Err(Error::Range { name: "test_to_train", value: test_to_train, allowed });
    }
    at_least("differences", differences.len(), 2)?;
    all_finite("difference", differences)?;

    let count = differences.len() as f64;
    let degrees_of_freedom = differences.len() - 1;
    // Scaled to at most 1, so that no square overflows or vanishes.
    let scale = differences.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
    if differences.iter().all(|&d| d == differences[0]) {
        let mean = differences[0];
        let (t, p_value) = if mean == 0.0 { (0.0, 1.0) } else { (mean * f64::INFINITY, 0.0) };
        let interval = (mean, mean);
        return Ok(ResampledT {
            mean,
            standard_error: 0.0,
            t,
            degrees_of_freedom,
            p_value,
            interval,
        });
    }
    let scaled: Vec<f64> = differences.iter().map(|d| d / scale).collect();
    let mean = scaled.iter().sum::<f64>() / count;
    let variance = scaled.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = ((1.0 / count + test_to_train) * variance).sqrt();
    let t = mean / error;
    let df = count - 1.0;
    let half = t_two_sided_quantile(1.0 - confidence, df) * error;
    Ok(ResampledT {
        mean: scale * mean,
        standard_error: scale * error,
        t,
        degrees_of_freedom,
        p_value: t_two_sided(t, df),
        interval: (scale * (mean - half), scale * (mean + half)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcnemar_by_hand() {
        // 2·(1 + 10 + 45)/1024, and (|8 − 2| − 1)²/10.
        let found = mcnemar(8, 2);
        assert!((found.exact_p_value - 112.0 / 1024.0).abs() < 1e-15);
        assert_eq!(found.chi_square, 2.5);
        assert_eq!(mcnemar(2, 8), found);
    }

    #[test]
    fn equal_errors_do_not_differ() {
        for count in [0, 1, 5, 1_000_000, usize::MAX] {
            let found = mcnemar(count, count);
            assert_eq!((found.exact_p_value, found.chi_square_p_value), (1.0, 1.0), "{count}");
        }
        let found = mcnemar(usize::MAX, 0);
        assert_eq!((found.exact_p_value, found.chi_square_p_value), (0.0, 0.0));
    }

    #[test]
    fn t_by_hand() {
        // Mean 2, s² = 1: the standard error is √(1/3 + 1/6).
        let found = corrected_resampled_t(&[1.0, 2.0, 3.0], 1.0 / 6.0, 0.95).unwrap();
        assert!((found.mean - 2.0).abs() < 1e-15);
        assert!((found.t - 2.0 * 2f64.sqrt()).abs() < 1e-14);
        assert_eq!(found.degrees_of_freedom, 2);
        // With two degrees of freedom the quantile at α is (1−α) √(2/(α(2−α))).
        let half = 0.95 * (2.0f64 / (0.05 * 1.95)).sqrt() * 0.5f64.sqrt();
        assert!((found.interval.0 - (2.0 - half)).abs() < 1e-13);
        assert!((found.interval.1 - (2.0 + half)).abs() < 1e-13);
    }

    #[test]
    fn constant_differences() {
        let zero = corrected_resampled_t(&[0.0, -0.0, 0.0], 0.1, 0.95).unwrap();
        assert_eq!((zero.t, zero.p_value, zero.interval), (0.0, 1.0, (0.0, 0.0)));
        let same = corrected_resampled_t(&[-0.1; 7], 0.1, 0.95).unwrap();
        assert_eq!((same.t, same.p_value), (f64::NEG_INFINITY, 0.0));
        assert_eq!((same.mean, same.interval), (-0.1, (-0.1, -0.1)));
    }

    #[test]
    fn sizes_do_not_matter() {
        let plain = corrected_resampled_t(&[1.0, 2.0, 4.0], 0.1, 0.95).unwrap();
        for scale in [1e-200, 1e200] {
            let differences = [scale, 2.0 * scale, 4.0 * scale];
            let found = corrected_resampled_t(&differences, 0.1, 0.95).unwrap();
            assert!((found.t / plain.t - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn refusals() {
        let refused = |differences: &[f64], ratio, confidence| {
            corrected_resampled_t(differences, ratio, confidence).unwrap_err()
        };
        assert!(matches!(refused(&[1.0], 0.1, 0.95), Error::TooFew { .. }));
        assert!(matches!(refused(&[1.0, f64::NAN], 0.1, 0.95), Error::Value { at: 1, .. }));
        assert!(matches!(refused(&[1.0, 2.0], -0.1, 0.95), Error::Range { .. }));
        assert!(matches!(refused(&[1.0, 2.0], f64::NAN, 0.95), Error::Range { .. }));
        assert!(matches!(refused(&[1.0, 2.0], 0.1, 1.0), Error::Range { .. }));
    }
}
