//! How alike the feature subsets of repeated fits are. A subset holds distinct feature numbers,
//! counted from 0, in any order. Both means run over all pairs of two different fits and are
//! `None` for fewer than two. [`selection_stability`] has an interval, too.

use crate::distributions::normal_upper_quantile;
use crate::error::{Error, at_least, inside_unit};

/// Stability of a selection with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stability {
    /// 1 if all subsets are equal, about 0 if they are drawn at random, never below −1/(M−1) for
    /// M subsets.
    pub stability: f64,
    /// Its large-sample standard error.
    pub standard_error: f64,
    /// Ends of the normal interval around it, cut at the least and the largest value there can be.
    pub interval: (f64, f64),
}

/// The measure of Nogueira, Sechidis and Brown ("On the stability of feature selection
/// algorithms", 2018): 1 − mean variance of the indicators of the features over what it would be
/// if subsets of the same mean size were drawn at random, with an interval that covers with
/// probability `confidence`. For subsets of equal size it is [`mean_pearson`].
///
/// If all subsets are empty, or all are full, it is 0/0; by definition here such subsets are
/// perfectly stable: 1 with a standard error of 0, as for [`mean_pearson`].
///
/// # Errors
/// For fewer than two subsets or no features, for a feature number that is not below `features`
/// or occurs twice in a subset, and if `confidence` is not inside (0, 1).
pub fn selection_stability(
    subsets: &[Vec<usize>],
    features: usize,
    confidence: f64,
) -> Result<Stability, Error> {
    inside_unit("confidence", confidence)?;
    at_least("subsets", subsets.len(), 2)?;
    at_least("features", features, 1)?;
    let counts = checked_counts(subsets, features)?;
    let (m, d) = (subsets.len() as f64, features as f64);
    let selected: usize = counts.iter().sum();
    if selected == 0 || selected == features * subsets.len() {
        return Ok(Stability { stability: 1.0, standard_error: 0.0, interval: (1.0, 1.0) });
    }

    // Their Definition 4: s² = M/(M−1) p(1−p), averaged over the features.
    let share = |feature: usize| counts[feature] as f64 / m;
    let mean_share = selected as f64 / (m * d);
    let by_chance = mean_share * (1.0 - mean_share);
    let variances: f64 = (0..features).map(|f| share(f) * (1.0 - share(f))).sum();
    // Rounding must not leave the range of its values.
    let least = -1.0 / (m - 1.0);
    let stability = (1.0 - m / (m - 1.0) * variances / d / by_chance).clamp(least, 1.0);

    // Their asymptotic variance: from the influence of each subset.
    let influence = |subset: &Vec<usize>| {
        let size = subset.len() as f64 / d;
        let common: f64 = subset.iter().map(|&feature| share(feature)).sum();
        let sizes = 2.0 * size * mean_share - size - mean_share + 1.0;
        (common / d - size * mean_share + 0.5 * stability * sizes) / by_chance
    };
    let influences: Vec<f64> = subsets.iter().map(influence).collect();
    let mean = influences.iter().sum::<f64>() / m;
    let spread: f64 = influences.iter().map(|value| (value - mean).powi(2)).sum();
    let standard_error = 2.0 / m * spread.sqrt();
    let half = normal_upper_quantile(0.5 * (1.0 - confidence)) * standard_error;
    let interval = ((stability - half).max(least), (stability + half).min(1.0));
    Ok(Stability { stability, standard_error, interval })
}

/// How many subsets hold each feature, each subset being checked.
fn checked_counts(subsets: &[Vec<usize>], features: usize) -> Result<Vec<usize>, Error> {
    let mut counts = vec![0; features];
    let mut last_seen = vec![usize::MAX; features];
    for (subset, members) in subsets.iter().enumerate() {
        for &feature in members {
            if feature >= features {
                return Err(Error::UnknownFeature { subset, feature, features });
            }
            if last_seen[feature] == subset {
                return Err(Error::RepeatedFeature { subset, feature });
            }
            last_seen[feature] = subset;
            counts[feature] += 1;
        }
    }
    Ok(counts)
}

/// Mean over pairs of |A ∩ B| / |A ∪ B|. Two empty subsets are equal: 1.
pub fn mean_jaccard(subsets: &[Vec<usize>]) -> Option<f64> {
    mean_over_pairs(subsets, |a, b| {
        let common = common(a, b);
        let union = a.len() + b.len() - common;
        if union == 0 { 1.0 } else { common as f64 / union as f64 }
    })
}

/// Mean over pairs of the Pearson correlation of the two 0/1 indicator vectors over `features`
/// features (the phi coefficient).
///
/// An empty or full subset has a constant indicator and no correlation. By definition here such a
/// pair counts 1 if the two subsets are equal and 0 otherwise.
pub fn mean_pearson(subsets: &[Vec<usize>], features: usize) -> Option<f64> {
    mean_over_pairs(subsets, |a, b| {
        let m = features as f64;
        let (in_a, in_b, in_both) = (a.len() as f64, b.len() as f64, common(a, b) as f64);
        let spread = (in_a * (m - in_a) * in_b * (m - in_b)).sqrt();
        if spread > 0.0 {
            (m * in_both - in_a * in_b) / spread
        } else {
            // Equal means both empty or both full here, so the sizes decide.
            f64::from(a.len() == b.len())
        }
    })
}

/// For each of `features` features, the share of subsets that hold it (NaN without subsets).
///
/// # Panics
/// If a subset holds a number that is not below `features`.
pub fn selection_frequencies(subsets: &[Vec<usize>], features: usize) -> Vec<f64> {
    let mut counts = vec![0.0; features];
    for &feature in subsets.iter().flatten() {
        counts[feature] += 1.0;
    }
    counts.iter().map(|count| count / subsets.len() as f64).collect()
}

fn common(a: &[usize], b: &[usize]) -> usize {
    a.iter().filter(|feature| b.contains(feature)).count()
}

fn mean_over_pairs(
    subsets: &[Vec<usize>],
    likeness: impl Fn(&[usize], &[usize]) -> f64,
) -> Option<f64> {
    let mut sum = 0.0;
    let mut pairs = 0;
    for (at, a) in subsets.iter().enumerate() {
        for b in &subsets[at + 1..] {
            sum += likeness(a, b);
            pairs += 1;
        }
    }
    (pairs > 0).then(|| sum / f64::from(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("there are pairs");
        assert!((found - expected).abs() < 1e-12, "{found} for {expected}");
    }

    #[test]
    fn jaccard_by_hand() {
        // 2/4, 1/4, 1/4
        let subsets = [vec![0, 1, 2], vec![2, 1, 3], vec![0, 3]];
        close(mean_jaccard(&subsets), (0.5 + 0.25 + 0.25) / 3.0);
        close(mean_jaccard(&[vec![], vec![]]), 1.0);
        close(mean_jaccard(&[vec![], vec![4]]), 0.0);
        assert_eq!(mean_jaccard(&[vec![1]]), None);
    }

    #[test]
    fn pearson_by_hand() {
        // Indicators over five features: 11100 and 01110.
        // (5·2 − 3·3)/√(3·2·3·2) = 1/6
        close(mean_pearson(&[vec![0, 1, 2], vec![1, 2, 3]], 5), 1.0 / 6.0);
        close(mean_pearson(&[vec![0, 1], vec![1, 0]], 5), 1.0);
        close(mean_pearson(&[vec![0, 1], vec![2, 3]], 4), -1.0);
    }

    /// The same number from the definition with means and sums.
    #[test]
    fn pearson_is_the_correlation_of_indicators() {
        let (a, b) = (vec![0, 3, 4, 8], vec![3, 8, 9]);
        let indicator = |s: &[usize]| -> Vec<f64> {
            (0..12).map(|k| f64::from(u8::from(s.contains(&k)))).collect()
        };
        let (u, v) = (indicator(&a), indicator(&b));
        let mean = |x: &[f64]| x.iter().sum::<f64>() / 12.0;
        let centred = |x: &[f64]| x.iter().map(|value| value - mean(x)).collect::<Vec<_>>();
        let (u, v) = (centred(&u), centred(&v));
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(p, q)| p * q).sum::<f64>();
        let expected = dot(&u, &v) / (dot(&u, &u) * dot(&v, &v)).sqrt();
        close(mean_pearson(&[a, b], 12), expected);
    }

    #[test]
    fn constant_indicators_agree_only_with_their_equals() {
        let full = vec![0, 1, 2];
        close(mean_pearson(&[vec![], vec![]], 3), 1.0);
        close(mean_pearson(&[full.clone(), full.clone()], 3), 1.0);
        close(mean_pearson(&[vec![], full], 3), 0.0);
        close(mean_pearson(&[vec![], vec![1]], 3), 0.0);
    }

    #[test]
    fn frequencies_are_shares_of_the_fits() {
        let subsets = [vec![0, 2], vec![2], vec![], vec![2, 3]];
        assert_eq!(selection_frequencies(&subsets, 4), [0.25, 0.0, 0.75, 0.25]);
    }

    #[test]
    fn stability_by_hand() {
        // Shares 1, ½, ½, 0: variances 2·(0 + ¼ + ¼ + 0)/4 over ½·½.
        let found = selection_stability(&[vec![0, 1], vec![2, 0]], 4, 0.95).unwrap();
        assert!(found.stability.abs() < 1e-15 && found.standard_error.abs() < 1e-15);
        let opposite = selection_stability(&[vec![0, 1], vec![2, 3]], 4, 0.95).unwrap();
        assert!((opposite.stability + 1.0).abs() < 1e-15);
        let equal = selection_stability(&[vec![3, 1], vec![1, 3], vec![1, 3]], 4, 0.95).unwrap();
        assert_eq!(equal.stability, 1.0);
    }

    #[test]
    fn constant_subsets_are_stable() {
        for subset in [vec![], vec![0, 1, 2]] {
            let found = selection_stability(&vec![subset; 4], 3, 0.95).unwrap();
            assert_eq!((found.stability, found.interval), (1.0, (1.0, 1.0)));
        }
    }

    #[test]
    fn refusals() {
        let refused = |subsets: &[Vec<usize>], features, confidence| {
            selection_stability(subsets, features, confidence).unwrap_err()
        };
        let two = [vec![0], vec![1]];
        assert!(matches!(refused(&two[..1], 2, 0.95), Error::TooFew { what: "subsets", .. }));
        assert!(matches!(refused(&two, 0, 0.95), Error::TooFew { what: "features", .. }));
        assert!(matches!(refused(&two, 2, f64::NAN), Error::Range { .. }));
        let unknown = Error::UnknownFeature { subset: 1, feature: 1, features: 1 };
        assert_eq!(refused(&two, 1, 0.95), unknown);
        let repeated = Error::RepeatedFeature { subset: 0, feature: 2 };
        assert_eq!(refused(&[vec![2, 0, 2], vec![]], 3, 0.95), repeated);
    }
}
