//! What a shorter list, or fewer rows, cost: losses of several models on the same rows.

use serde::Serialize;

/// Lengths that are tried, as far as there are features.
const LENGTHS: [usize; 18] =
    [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000];

/// The lengths to try below the number of features that a fit keeps.
pub fn price_lengths(kept: usize) -> Vec<usize> {
    LENGTHS.into_iter().take_while(|length| *length < kept).collect()
}

/// A mean over rows with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// The same, as it speaks of models that are learned from other rows: training parts overlap, and what
    /// they teach is no more different than their rows. After Nadeau and Bengio the variance is larger by
    /// the rows that were tested over those that a part learns from.
    pub fn for_other_rows(self, tested: f64, trained: f64) -> Self {
        Self { error: self.error * (1.0 + tested / trained).sqrt(), ..self }
    }

    /// Where the mean lies with 95 % confidence.
    pub fn interval(&self) -> [f64; 2] {
        let half = 1.96 * self.error;
        [self.mean - half, self.mean + half]
    }
}

/// The mean of a value of each row, and how far off it may be. Rows of one group (a patient, say) count
/// as one that was seen several times: with C groups the error is √(C/(C−1) Σ_c (Σ_{i∈c} (vᵢ − v̄))²) / N,
/// and without groups each row is its own. Of one group alone nothing is known: the error is infinite.
///
/// # Panics
/// If there are groups, and fewer than rows.
pub fn estimate(values: &[f64], groups: Option<&[usize]>) -> Estimate {
    let rows = values.len() as f64;
    let mean = values.iter().sum::<f64>() / rows;
    let off = values.iter().map(|value| value - mean);
    let sums: Vec<f64> = match groups {
        None => off.collect(),
        Some(groups) => {
            let mut sums = std::collections::BTreeMap::<usize, f64>::new();
            off.enumerate().for_each(|(row, off)| *sums.entry(groups[row]).or_default() += off);
            sums.into_values().collect()
        }
    };
    let count = sums.len() as f64;
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let error = match sums.len() {
        0 | 1 => f64::INFINITY,
        _ => (count / (count - 1.0) * squares).sqrt() / rows,
    };
    Estimate { mean, error }
}

/// Which of several models, the simplest first, is simple enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortest {
    /// The place of the one with the least mean loss; of equal ones the simplest.
    pub best: usize,
    /// The place of the simplest whose loss is above the best one's by at most one standard error of
    /// the difference, row by row.
    pub suggested: usize,
    /// The loss of each less that of the best.
    pub differences: Vec<Estimate>,
}

/// Compares losses of the same rows under several models, the simplest first. Nothing without models or
/// without rows.
///
/// ```
/// let losses = [vec![0.7, 0.7, 0.7, 0.7], vec![0.2, 0.4, 0.3, 0.3], vec![0.1, 0.5, 0.2, 0.3]];
/// let found = pfcvm_eval::shortest(&losses, None).unwrap();
/// assert_eq!((found.best, found.suggested), (2, 1));
/// ```
///
/// # Panics
/// If the models were not tried on the same rows.
pub fn shortest(losses: &[Vec<f64>], groups: Option<&[usize]>) -> Option<Shortest> {
    let rows = losses.first()?.len();
    assert!(losses.iter().all(|of_one| of_one.len() == rows), "losses of the same rows");
    if rows == 0 {
        return None;
    }
    let mean = |at: usize| losses[at].iter().sum::<f64>() / rows as f64;
    let best = (0..losses.len()).min_by(|&a, &b| mean(a).total_cmp(&mean(b)))?;
    let against = |of_one: &Vec<f64>| {
        let pairs = of_one.iter().zip(&losses[best]);
        estimate(&Vec::from_iter(pairs.map(|(own, least)| own - least)), groups)
    };
    let differences: Vec<Estimate> = losses.iter().map(against).collect();
    let near = |difference: &Estimate| difference.mean <= difference.error;
    let suggested = differences.iter().position(near).unwrap_or(best).min(best);
    Some(Shortest { best, suggested, differences })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_stay_below_what_is_kept() {
        assert_eq!(price_lengths(0), [0; 0]);
        assert_eq!(price_lengths(8), [1, 2, 3, 5]);
        assert_eq!(price_lengths(9), [1, 2, 3, 5, 8]);
    }

    #[test]
    fn an_error_is_that_of_a_mean() {
        // Deviation 1 with the divisor 3 is √(4/3); over √4.
        let found = estimate(&[1.0, 3.0, 1.0, 3.0], None);
        assert!((found.mean - 2.0).abs() < 1e-15);
        assert!((found.error - (4.0f64 / 3.0).sqrt() / 2.0).abs() < 1e-15);
        assert_eq!(estimate(&[5.0], None).error, f64::INFINITY);
    }

    /// Five folds: every row is tested, four fifths learn; the corrected test over folds has 1/5 + 1/4 where
    /// the plain one has 1/5.
    #[test]
    fn other_rows_are_as_in_the_corrected_test() {
        let plain = Estimate { mean: 0.3, error: 0.02 };
        let other = plain.for_other_rows(200.0, 160.0);
        assert!((other.error - 0.02 * ((0.2f64 + 0.25) / 0.2).sqrt()).abs() < 1e-15);
    }

    /// Rows that come four times say no more than once; groups of one are rows.
    #[test]
    fn copies_in_a_group_say_nothing_new() {
        let (once, groups) = ([0.3, 0.9, 0.1, 0.5, 0.2], [0, 1, 2, 3, 4]);
        let four: Vec<f64> = once.iter().flat_map(|v| [*v; 4]).collect();
        let of: Vec<usize> = groups.iter().flat_map(|g| [*g; 4]).collect();
        let (plain, grouped) = (estimate(&once, None), estimate(&four, Some(&of)));
        assert!((plain.error - grouped.error).abs() < 1e-15, "{plain:?} {grouped:?}");
        assert_eq!(plain, estimate(&once, Some(&groups)));
        assert!(estimate(&four, None).error < 0.6 * plain.error);
    }

    #[test]
    fn equal_models_are_the_simplest_one() {
        let same = vec![vec![0.4, 0.6, 0.2]; 3];
        let found = shortest(&same, None).unwrap();
        assert_eq!((found.best, found.suggested), (0, 0));
        assert_eq!(shortest(&[], None), None);
        assert_eq!(shortest(&[vec![]], None), None);
    }

    /// A loss above by a constant has a difference without error: nothing but the best is near.
    #[test]
    fn a_sure_difference_is_no_chance() {
        let losses = [vec![0.51, 0.31, 0.71], vec![0.5, 0.3, 0.7]];
        let found = shortest(&losses, None).unwrap();
        assert_eq!((found.best, found.suggested), (1, 1));
    }
}
