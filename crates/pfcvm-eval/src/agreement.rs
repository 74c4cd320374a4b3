//! Cohen's kappa: how much better than chance predictions agree with the truth.

use crate::distributions::normal_upper_quantile;
use crate::error::{Error, inside_unit, same_length};
use crate::measures::Confusion;

/// Kappa with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    /// (observed − expected) / (1 − expected): 1 for perfect agreement, 0 for chance.
    pub kappa: f64,
    /// Its large-sample standard error.
    pub standard_error: f64,
    /// Ends of the normal interval around kappa; not cut at 1.
    pub interval: (f64, f64),
    /// Share of rows that were called what they are.
    pub observed_agreement: f64,
    /// Share expected if calls were independent of the truth.
    pub expected_agreement: f64,
}

/// Kappa of two classes, with an interval that covers with probability `confidence`.
///
/// # Errors
/// As [`cohen_kappa_table`].
pub fn cohen_kappa(counts: &Confusion, confidence: f64) -> Result<Kappa, Error> {
    let negative = vec![counts.true_negatives, counts.false_positives];
    let positive = vec![counts.false_negatives, counts.true_positives];
    cohen_kappa_table(&[negative, positive], confidence)
}

/// Kappa of any number of classes: `table[i][j]` rows are of class i and were called j.
///
/// The standard error is that of Fleiss, Cohen and Everitt (1969), which holds for any kappa; the
/// simpler one of Cohen (1960) takes the margins for known. No rows or columns may be missing, but
/// a class may be empty.
///
/// # Errors
/// If the table is not square or empty of rows, if `confidence` is not inside (0, 1), or if truth
/// and calls are all of the same class, where kappa is 0/0.
pub fn cohen_kappa_table(table: &[Vec<usize>], confidence: f64) -> Result<Kappa, Error> {
    inside_unit("confidence", confidence)?;
    for row in table {
        same_length("columns of the table", row.len(), table.len())?;
    }
    let classes = 0..table.len();
    let total: f64 = table.iter().flatten().map(|&count| count as f64).sum();
    if total == 0.0 {
        return Err(Error::TooFew { what: "rows counted", found: 0, needed: 1 });
    }
    let share = |i: usize, j: usize| table[i][j] as f64 / total;
    let of_truth: Vec<f64> =
        classes.clone().map(|i| classes.clone().map(|j| share(i, j)).sum()).collect();
    let of_calls: Vec<f64> =
        classes.clone().map(|j| classes.clone().map(|i| share(i, j)).sum()).collect();
    if classes.clone().any(|i| table[i][i] as f64 == total) {
        return Err(Error::OneClass);
    }

    let observed: f64 = classes.clone().map(|i| share(i, i)).sum();
    let expected: f64 = classes.clone().map(|i| of_truth[i] * of_calls[i]).sum();
    let kappa = (observed - expected) / (1.0 - expected);

    // Fleiss, Cohen and Everitt (1969): the delta method on the shares of the cells.
    let mut sum = -(kappa - expected * (1.0 - kappa)).powi(2);
    for i in classes.clone() {
        for j in classes.clone() {
            let margins = (of_calls[i] + of_truth[j]) * (1.0 - kappa);
            let weight = if i == j { 1.0 - margins } else { margins };
            sum += share(i, j) * weight * weight;
        }
    }
    let standard_error = (sum.max(0.0) / total).sqrt() / (1.0 - expected);
    let half = normal_upper_quantile(0.5 * (1.0 - confidence)) * standard_error;
    Ok(Kappa {
        kappa,
        standard_error,
        interval: (kappa - half, kappa + half),
        observed_agreement: observed,
        expected_agreement: expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Agreement 0.7; margins ½, ½ and 0.7, 0.3: by chance 0.5.
        let table = [vec![45, 5], vec![25, 25]];
        let found = cohen_kappa_table(&table, 0.95).unwrap();
        assert!((found.observed_agreement - 0.7).abs() < 1e-15);
        assert!((found.expected_agreement - 0.5).abs() < 1e-15);
        assert!((found.kappa - 0.4).abs() < 1e-15);
        let width = found.interval.1 - found.interval.0;
        assert!((width / found.standard_error - 2.0 * 1.959_963_984_540_054).abs() < 1e-12);
    }

    #[test]
    fn perfect_and_opposite() {
        let found = cohen_kappa_table(&[vec![3, 0], vec![0, 9]], 0.9).unwrap();
        assert_eq!((found.kappa, found.interval), (1.0, (1.0, 1.0)));
        let found = cohen_kappa_table(&[vec![0, 4], vec![4, 0]], 0.9).unwrap();
        assert_eq!((found.kappa, found.standard_error), (-1.0, 0.0));
        // One call only: no better than chance, and known to be so.
        let found = cohen_kappa_table(&[vec![4, 0], vec![6, 0]], 0.9).unwrap();
        assert!(found.kappa.abs() < 1e-15 && found.standard_error < 1e-8);
    }

    #[test]
    fn both_entrances_agree() {
        let counts = Confusion {
            true_positives: 40,
            false_positives: 9,
            true_negatives: 31,
            false_negatives: 4,
        };
        let table = [vec![31, 9], vec![4, 40]];
        assert_eq!(cohen_kappa(&counts, 0.95), cohen_kappa_table(&table, 0.95));
    }

    #[test]
    fn refusals() {
        assert_eq!(cohen_kappa_table(&[vec![0, 0], vec![0, 5]], 0.95), Err(Error::OneClass));
        assert_eq!(cohen_kappa_table(&[vec![5]], 0.95), Err(Error::OneClass));
        assert!(matches!(cohen_kappa_table(&[], 0.95), Err(Error::TooFew { .. })));
        assert!(matches!(cohen_kappa(&Confusion::default(), 0.95), Err(Error::TooFew { .. })));
        assert!(matches!(cohen_kappa_table(&[vec![1, 2]], 0.95), Err(Error::Length { .. })));
        for confidence in [0.0, 1.0, -1.0, f64::NAN] {
            let found = cohen_kappa_table(&[vec![3, 0], vec![0, 9]], confidence);
            assert!(matches!(found, Err(Error::Range { name: "confidence", .. })));
        }
    }
}
