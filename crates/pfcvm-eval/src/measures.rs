//! Measures of predictions against the truth. `positive[i]` says whether row i is of the positive
//! class; all slices of a call have the same length, and an empty one gives NaN.

use serde::Serialize;

/// Probabilities are kept this far from 0 and 1, so that one certain error costs 34.5, not ∞.
pub(crate) const CLIP: f64 = 1e-15;

/// Share of rows on the right side of ½; exactly ½ counts as positive.
///
/// # Panics
/// If the slices differ in length.
pub fn accuracy(positive: &[bool], probability: &[f64]) -> f64 {
    mean(positive, probability, |truth, p| f64::from((p >= 0.5) == truth))
}

/// Mean of −ln p(truth), in nats, with probabilities clipped to [1e-15, 1 − 1e-15].
///
/// # Panics
/// If the slices differ in length.
pub fn log_loss(positive: &[bool], probability: &[f64]) -> f64 {
    mean(positive, probability, |truth, p| {
        let of_truth = if truth { p } else { 1.0 - p };
        -of_truth.clamp(CLIP, 1.0 - CLIP).ln()
    })
}

/// Mean of (p − truth)², the truth being 0 or 1: 0 is perfect, always saying ½ gives ¼.
///
/// # Panics
/// If the slices differ in length.
pub fn brier_score(positive: &[bool], probability: &[f64]) -> f64 {
    mean(positive, probability, |truth, p| (p - f64::from(truth)).powi(2))
}

/// How many rows of each class were called what, a probability of ½ or more meaning positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// Positive rows that were called positive.
    pub true_positives: usize,
    /// Negative rows that were called positive.
    pub false_positives: usize,
    /// Negative rows that were called negative.
    pub true_negatives: usize,
    /// Positive rows that were called negative.
    pub false_negatives: usize,
}

/// Counts right and wrong calls in both classes.
///
/// # Panics
/// If the slices differ in length.
pub fn confusion(positive: &[bool], probability: &[f64]) -> Confusion {
    assert_eq!(positive.len(), probability.len(), "one probability per truth");
    let mut counts = Confusion::default();
    for (&truth, &p) in positive.iter().zip(probability) {
        let count = match (truth, p >= 0.5) {
            (true, true) => &mut counts.true_positives,
            (false, true) => &mut counts.false_positives,
            (false, false) => &mut counts.true_negatives,
            (true, false) => &mut counts.false_negatives,
        };
        *count += 1;
    }
    counts
}

fn mean(positive: &[bool], probability: &[f64], of_row: impl Fn(bool, f64) -> f64) -> f64 {
    assert_eq!(positive.len(), probability.len(), "one probability per truth");
    let rows = positive.iter().zip(probability);
    let sum: f64 = rows.map(|(&truth, &p)| of_row(truth, p)).sum();
    sum / positive.len() as f64
}

/// Area under the ROC curve: the chance that a random positive row scores above a random negative
/// one, a tie counting one half. `None` unless both classes occur.
///
/// # Panics
/// If the slices differ in length, or a score is NaN.
pub fn auc(positive: &[bool], score: &[f64]) -> Option<f64> {
    assert_eq!(positive.len(), score.len(), "one score per truth");
    assert!(score.iter().all(|s| !s.is_nan()), "a score is NaN");
    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|&a, &b| score[a].total_cmp(&score[b]));

    // Walk up the scores, one group of ties at a time.
    let (mut negatives_below, mut won) = (0.0, 0.0);
    for ties in order.chunk_by(|&a, &b| score[a] == score[b]) {
        let positives = ties.iter().filter(|&&row| positive[row]).count() as f64;
        let negatives = ties.len() as f64 - positives;
        won += positives * (negatives_below + 0.5 * negatives);
        negatives_below += negatives;
    }
    let positives = positive.len() as f64 - negatives_below;
    let pairs = positives * negatives_below;
    (pairs > 0.0).then(|| won / pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_counts_one_half_as_positive() {
        let truth = [true, true, false, false];
        assert_eq!(accuracy(&truth, &[0.5, 0.49, 0.49, 0.5]), 0.5);
        assert_eq!(accuracy(&truth, &[1.0, 0.5, 0.0, 0.1]), 1.0);
        assert!(accuracy(&[], &[]).is_nan());
    }

    #[test]
    fn log_loss_by_hand() {
        // −(ln 0.9 + ln 0.8 + ln 0.4)/3 = (0.105361 + 0.223144 + 0.916291)/3
        let found = log_loss(&[true, false, true], &[0.9, 0.2, 0.4]);
        assert!((found - 0.414_931_6).abs() < 1e-7, "{found}");
        assert!((log_loss(&[true, false], &[0.5, 0.5]) - 2f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn a_certain_error_is_dear_but_finite() {
        let found = log_loss(&[true], &[0.0]);
        assert!((found - 34.538_776).abs() < 1e-6, "{found}"); // −ln 1e-15
        assert!(log_loss(&[true], &[1.0]) < 2e-15);
    }

    #[test]
    fn brier_by_hand() {
        // (0.01 + 0.04 + 0.36)/3
        let found = brier_score(&[true, false, true], &[0.9, 0.2, 0.4]);
        assert!((found - 0.41 / 3.0).abs() < 1e-15, "{found}");
        assert_eq!(brier_score(&[true, false], &[0.5, 0.5]), 0.25);
        assert!(brier_score(&[], &[]).is_nan());
    }

    #[test]
    fn confusion_by_hand() {
        let truth = [true, true, true, false, false, false];
        let found = confusion(&truth, &[0.5, 0.9, 0.1, 0.5, 0.2, 0.3]);
        let (true_positives, false_positives) = (2, 1);
        let (true_negatives, false_negatives) = (2, 1);
        let expected =
            Confusion { true_positives, false_positives, true_negatives, false_negatives };
        assert_eq!(found, expected);
    }

    #[test]
    fn auc_by_hand() {
        // Positives 0.8, 0.4; negatives 0.6, 0.4, 0.1: pairs won 3 + 1½ of 6.
        let truth = [true, false, true, false, false];
        let found = auc(&truth, &[0.8, 0.6, 0.4, 0.4, 0.1]).unwrap();
        assert_eq!(found, 4.5 / 6.0);
        assert_eq!(auc(&[true, false], &[2.0, 2.0]), Some(0.5));
        assert_eq!(auc(&[true, false], &[-1.0, 3.0]), Some(0.0));
        assert_eq!(auc(&[true, true], &[1.0, 2.0]), None);
    }

    /// Zero and minus zero are the same score, although they sort apart.
    #[test]
    fn auc_ties_the_two_zeros() {
        assert_eq!(auc(&[true, false], &[-0.0, 0.0]), Some(0.5));
    }
}
