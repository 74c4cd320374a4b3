//! Which methods differ, once the Friedman test says that some do: the critical difference of
//! average ranks (Demšar 2006), and the groups that a critical-difference plot joins by a bar.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::distributions::{
    SMALLEST_TAIL, normal_upper_quantile, studentized_range_upper_quantile,
};
use crate::error::{Error, all_finite, at_least, inside_unit};

/// Which comparisons the level is to hold for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostHoc {
    /// Every method with every other.
    Nemenyi,
    /// One method, chosen beforehand, with each of the others; more powerful for that.
    BonferroniDunn,
}

/// The factor q of the critical difference for `methods` methods at level `alpha`: the quantile of
/// the studentized range over √2 (Nemenyi), or the normal quantile at alpha/(2(methods − 1))
/// (Bonferroni–Dunn). With two methods the two are the same.
///
/// # Errors
/// For fewer than two methods, or if `alpha` is not inside (0, 1), or below 1e-250.
pub fn critical_value(post_hoc: PostHoc, methods: usize, alpha: f64) -> Result<f64, Error> {
    at_least("methods", methods, 2)?;
    inside_unit("alpha", alpha)?;
    if alpha < SMALLEST_TAIL {
        return Err(Error::Range { name: "alpha", value: alpha, allowed: "1e-250 or more" });
    }
    Ok(match post_hoc {
        PostHoc::Nemenyi => studentized_range_upper_quantile(alpha, methods) * FRAC_1_SQRT_2,
        PostHoc::BonferroniDunn => normal_upper_quantile(alpha / (2.0 * (methods - 1) as f64)),
    })
}

/// How far the average ranks of two methods must lie apart on `data_sets` data sets to differ at
/// level `alpha`: q √(k(k+1)/(6N)) with the q of [`critical_value`].
///
/// # Errors
/// As [`critical_value`], and without data sets.
pub fn critical_difference(
    post_hoc: PostHoc,
    methods: usize,
    data_sets: usize,
    alpha: f64,
) -> Result<f64, Error> {
    at_least("data sets", data_sets, 1)?;
    let (k, n) = (methods as f64, data_sets as f64);
    Ok(critical_value(post_hoc, methods, alpha)? * (k * (k + 1.0) / (6.0 * n)).sqrt())
}

/// The largest groups of two or more methods whose average ranks all lie less than `difference`
/// apart. A group lists its methods from the best on; groups may overlap, and come in the order
/// of their best method. Equal ranks keep the order of the methods.
///
/// # Errors
/// If an average rank is not finite, or `difference` is negative or NaN.
pub fn indistinct_groups(average_ranks: &[f64], difference: f64) -> Result<Vec<Vec<usize>>, Error> {
    all_finite("average rank", average_ranks)?;
    if difference.is_nan() || difference < 0.0 {
        let allowed = "0 or more";
        return Err(Error::Range { name: "difference", value: difference, allowed });
    }
    let mut order: Vec<usize> = (0..average_ranks.len()).collect();
    order.sort_by(|&a, &b| average_ranks[a].total_cmp(&average_ranks[b]));

    let mut groups = Vec::new();
    let mut reached = 0;
    for (first, &best) in order.iter().enumerate() {
        let near = |&method: &usize| average_ranks[method] - average_ranks[best] < difference;
        let end = first + order[first..].partition_point(near);
        // A group that ends where an earlier one does is part of it.
        if end > reached && end - first >= 2 {
            groups.push(order[first..end].to_vec());
        }
        reached = reached.max(end);
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Demšar (2006), Table 5, three decimals.
    #[test]
    fn printed_critical_values() {
        let nemenyi = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let dunn = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773];
        for methods in 2..=10 {
            let found = critical_value(PostHoc::Nemenyi, methods, 0.05).unwrap();
            assert!((found - nemenyi[methods - 2]).abs() < 1e-3, "{methods}: {found}");
            let found = critical_value(PostHoc::BonferroniDunn, methods, 0.05).unwrap();
            // 2.724 is a misprint there: the quantile at 0.05/16 is 2.734.
            let printed = if methods == 9 { 2.734 } else { dunn[methods - 2] };
            assert!((found - printed).abs() < 1e-3, "{methods}: {found}");
        }
    }

    #[test]
    fn any_number_of_methods_and_any_level() {
        for methods in [2, 3, 1000, usize::MAX] {
            for alpha in [1e-250, 1e-9, 0.5, 1.0 - 1e-9] {
                let nemenyi = critical_value(PostHoc::Nemenyi, methods, alpha).unwrap();
                let dunn = critical_value(PostHoc::BonferroniDunn, methods, alpha).unwrap();
                assert!(0.0 < nemenyi && nemenyi < 40.0, "{methods}, {alpha}: {nemenyi}");
                assert!(0.0 < dunn && dunn < 40.0, "{methods}, {alpha}: {dunn}");
                assert!(methods > 2 || (nemenyi - dunn).abs() < 1e-14 * dunn);
            }
        }
    }

    #[test]
    fn groups_by_hand() {
        let ranks = [3.0, 1.0, 1.5, 4.4, 2.4];
        let groups = |difference| indistinct_groups(&ranks, difference).unwrap();
        assert_eq!(groups(1.0), [vec![1, 2], vec![2, 4], vec![4, 0]]);
        // 3.0 and 1.5 lie exactly as far apart as needed, so they differ.
        assert_eq!(groups(1.5), [vec![1, 2, 4], vec![4, 0], vec![0, 3]]);
        assert_eq!(groups(10.0), [vec![1, 2, 4, 0, 3]]);
        assert!(groups(0.0).is_empty());
    }

    #[test]
    fn refusals() {
        for post_hoc in [PostHoc::Nemenyi, PostHoc::BonferroniDunn] {
            assert!(matches!(
                critical_difference(post_hoc, 1, 9, 0.05),
                Err(Error::TooFew { what: "methods", .. })
            ));
            assert!(matches!(
                critical_difference(post_hoc, 3, 0, 0.05),
                Err(Error::TooFew { what: "data sets", .. })
            ));
            for alpha in [0.0, 1.0, -0.1, f64::NAN, f64::MIN_POSITIVE] {
                let found = critical_difference(post_hoc, 3, 9, alpha);
                assert!(matches!(found, Err(Error::Range { name: "alpha", .. })));
            }
        }
        assert!(indistinct_groups(&[1.0, f64::NAN], 1.0).is_err());
        assert!(indistinct_groups(&[1.0, 2.0], f64::NAN).is_err());
        assert!(indistinct_groups(&[1.0, 2.0], -1.0).is_err());
        assert_eq!(indistinct_groups(&[], 1.0), Ok(vec![]));
    }
}
