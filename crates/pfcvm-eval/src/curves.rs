//! Curves that show where probabilities are good or bad: ROC and calibration. As everywhere in
//! this crate, `positive[i]` says whether row i is of the positive class.

use serde::Serialize;

/// Half the width of a 95 % interval, in standard deviations of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// One point of the ROC curve: what happens if rows that score at least `threshold` are called
/// positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RocPoint {
    /// Share of the negative rows that are called positive.
    pub false_positive_rate: f64,
    /// Share of the positive rows that are called positive.
    pub true_positive_rate: f64,
    /// The score from which on a row is called positive; infinite at the first point.
    pub threshold: f64,
}

/// The ROC curve from (0, 0) to (1, 1), one point for each distinct score: rows of equal score
/// cannot be told apart, so they make one slanted piece. `None` unless both classes occur.
///
/// # Panics
/// If the slices differ in length, or a score is NaN.
pub fn roc_curve(positive: &[bool], score: &[f64]) -> Option<Vec<RocPoint>> {
    assert_eq!(positive.len(), score.len(), "one score per truth");
    assert!(score.iter().all(|s| !s.is_nan()), "a score is NaN");
    let positives = positive.iter().filter(|&&truth| truth).count();
    let negatives = positive.len() - positives;
    if positives == 0 || negatives == 0 {
        return None;
    }
    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|&a, &b| score[b].total_cmp(&score[a]));

    let (mut hits, mut alarms) = (0, 0);
    let mut points = vec![RocPoint {
        false_positive_rate: 0.0,
        true_positive_rate: 0.0,
        threshold: f64::INFINITY,
    }];
    for ties in order.chunk_by(|&a, &b| score[a] == score[b]) {
        let found = ties.iter().filter(|&&row| positive[row]).count();
        hits += found;
        alarms += ties.len() - found;
        points.push(RocPoint {
            false_positive_rate: alarms as f64 / negatives as f64,
            true_positive_rate: hits as f64 / positives as f64,
            threshold: score[ties[0]],
        });
    }
    Some(points)
}

/// Rows whose probability lies in one bin of the calibration curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationBin {
    /// Mean of the predicted probabilities.
    pub predicted: f64,
    /// Share of the rows that are positive.
    pub observed: f64,
    /// Ends of the 95 % interval of that share, after Wilson.
    pub interval: (f64, f64),
    /// How many rows.
    pub count: usize,
}

/// Predicted against observed shares, in `bins` bins of equal width on [0, 1], empty ones left
/// out. A bin holds its upper end; the first one holds 0 too.
///
/// The bins have equal width, not equal counts, because they then mean the same on every data
/// set and never split rows of equal probability; how many rows stand behind a bin is in its
/// interval.
///
/// # Panics
/// If the slices differ in length, `bins` is 0 or a probability is outside [0, 1].
pub fn calibration_curve(
    positive: &[bool],
    probability: &[f64],
    bins: usize,
) -> Vec<CalibrationBin> {
    assert_eq!(positive.len(), probability.len(), "one probability per truth");
    assert!(bins > 0, "at least one bin");
    let inside = |p: &f64| (0.0..=1.0).contains(p);
    assert!(probability.iter().all(inside), "a probability is outside [0, 1]");
    let ends: Vec<f64> = (1..bins).map(|k| k as f64 / bins as f64).collect();

    let mut sums = vec![(0, 0, 0.0); bins];
    for (&truth, &p) in positive.iter().zip(probability) {
        let (count, positives, sum) = &mut sums[ends.partition_point(|&end| end < p)];
        *count += 1;
        *positives += usize::from(truth);
        *sum += p;
    }
    let filled = sums.into_iter().filter(|&(count, ..)| count > 0);
    filled
        .map(|(count, positives, sum)| CalibrationBin {
            predicted: sum / count as f64,
            observed: positives as f64 / count as f64,
            interval: wilson_interval(positives, count),
            count,
        })
        .collect()
}

/// How many bins so many rows allow: ten, fewer where a bin would hold less than 15 rows, at least
/// three.
pub fn calibration_bins(rows: usize) -> usize {
    (rows / 15).clamp(3, 10)
}

/// Mean distance between predicted and observed share over the bins of [`calibration_curve`],
/// each bin counting with its rows: 0 for perfect calibration, NaN without rows.
///
/// # Panics
/// As [`calibration_curve`].
pub fn calibration_error(positive: &[bool], probability: &[f64], bins: usize) -> f64 {
    mean_distance(&calibration_curve(positive, probability, bins), positive.len())
}

pub(crate) fn mean_distance(curve: &[CalibrationBin], rows: usize) -> f64 {
    let distance = |bin: &CalibrationBin| bin.count as f64 * (bin.predicted - bin.observed).abs();
    curve.iter().map(distance).sum::<f64>() / rows as f64
}

/// The 95 % interval of a share of which `count` of `total` were seen, after Wilson (1927): it
/// stays inside [0, 1] and is sensible for small totals. (0, 1) if nothing was seen.
///
/// # Panics
/// If `count` is above `total`.
pub fn wilson_interval(count: usize, total: usize) -> (f64, f64) {
    assert!(count <= total, "more seen than there are");
    if total == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (total as f64, NORMAL_95);
    let share = count as f64 / n;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // Rounding must not move an end that is 0 or 1 by the formula.
    let low = if count == 0 { 0.0 } else { (middle - half) / scale };
    let high = if count == total { 1.0 } else { (middle + half) / scale };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roc_by_hand() {
        // Descending: 0.8 +, 0.6 −, 0.4 + and − together, 0.1 −.
        let truth = [true, false, true, false, false];
        let points = roc_curve(&truth, &[0.8, 0.6, 0.4, 0.4, 0.1]).unwrap();
        let found: Vec<_> = points
            .iter()
            .map(|p| (3.0 * p.false_positive_rate, 2.0 * p.true_positive_rate))
            .collect();
        assert_eq!(found, [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 2.0), (3.0, 2.0)]);
        assert_eq!(points[3].threshold, 0.4);
        assert_eq!(roc_curve(&[true, true], &[0.1, 0.2]), None);
        assert_eq!(roc_curve(&[], &[]), None);
    }

    #[test]
    fn calibration_by_hand() {
        let truth = [false, true, true, true];
        let bins = calibration_curve(&truth, &[0.0, 0.2, 0.5, 0.9], 2);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[0].count, bins[1].count), (3, 1)); // ½ belongs to the lower bin.
        assert!((bins[0].predicted - 0.7 / 3.0).abs() < 1e-15);
        assert!((bins[0].observed - 2.0 / 3.0).abs() < 1e-15);
        // (3·|0.7/3 − 2/3| + |0.9 − 1|)/4
        let error = calibration_error(&truth, &[0.0, 0.2, 0.5, 0.9], 2);
        assert!((error - (1.3 + 0.1) / 4.0).abs() < 1e-15, "{error}");
    }

    #[test]
    fn empty_bins_are_left_out() {
        assert_eq!(calibration_curve(&[true], &[1.0], 10).len(), 1);
        assert!(calibration_curve(&[], &[], 10).is_empty());
        assert!(calibration_error(&[], &[], 10).is_nan());
    }

    #[test]
    fn an_interval_ends_at_certainty() {
        assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
        assert_eq!(wilson_interval(0, 7).0, 0.0);
        assert_eq!(wilson_interval(7, 7).1, 1.0);
        let (low, high) = wilson_interval(3, 7);
        assert!(0.0 < low && low < 3.0 / 7.0 && 3.0 / 7.0 < high && high < 1.0);
    }
}
