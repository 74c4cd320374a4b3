//! How alike the feature subsets of repeated fits are. A subset holds distinct feature numbers,
//! counted from 0, in any order. Both means run over all pairs of two different fits and are
//! `None` for fewer than two.

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
}
