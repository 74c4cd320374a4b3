//! The precision–recall curve and its average precision. Unlike ROC they change with the share of
//! positive rows, which is what one wants to see when positives are rare.

use crate::error::{Error, at_least, same_length};

/// One point of the curve: what happens if rows that score at least `threshold` are called
/// positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrecisionRecallPoint {
    /// Share of the rows called positive that are positive; 1 at the first point, where none is.
    pub precision: f64,
    /// Share of the positive rows that are called positive.
    pub recall: f64,
    /// The score from which on a row is called positive; infinite at the first point.
    pub threshold: f64,
}

/// The curve from recall 0 to recall 1 and on, one point for each distinct score after a first
/// point with precision 1 and recall 0.
///
/// # Errors
/// If the slices differ in length, a score is NaN, or no row is positive.
pub fn precision_recall_curve(
    positive: &[bool],
    score: &[f64],
) -> Result<Vec<PrecisionRecallPoint>, Error> {
    same_length("scores", score.len(), positive.len())?;
    if let Some(at) = score.iter().position(|s| s.is_nan()) {
        return Err(Error::Value { what: "score", at, value: score[at] });
    }
    let positives = positive.iter().filter(|&&truth| truth).count();
    at_least("positive rows", positives, 1)?;

    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|&a, &b| score[b].total_cmp(&score[a]));
    let (mut hits, mut called) = (0, 0);
    let mut points =
        vec![PrecisionRecallPoint { precision: 1.0, recall: 0.0, threshold: f64::INFINITY }];
    for ties in order.chunk_by(|&a, &b| score[a] == score[b]) {
        hits += ties.iter().filter(|&&row| positive[row]).count();
        called += ties.len();
        points.push(PrecisionRecallPoint {
            precision: hits as f64 / called as f64,
            recall: hits as f64 / positives as f64,
            threshold: score[ties[0]],
        });
    }
    Ok(points)
}

/// Mean of the precision over the positive rows: the sum over the points of
/// [`precision_recall_curve`] of the gain in recall times the precision, without interpolation.
///
/// A classifier that knows nothing reaches the share of positive rows, a perfect one 1.
///
/// # Errors
/// As [`precision_recall_curve`].
pub fn average_precision(positive: &[bool], score: &[f64]) -> Result<f64, Error> {
    let points = precision_recall_curve(positive, score)?;
    let gain =
        |pair: &[PrecisionRecallPoint]| (pair[1].recall - pair[0].recall) * pair[1].precision;
    let sum: f64 = points.windows(2).map(gain).sum();
    Ok(sum.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Descending: 0.8 +, 0.6 −, 0.4 + and − together, 0.1 −.
        let truth = [true, false, true, false, false];
        let score = [0.8, 0.6, 0.4, 0.4, 0.1];
        let points = precision_recall_curve(&truth, &score).unwrap();
        let found: Vec<_> = points.iter().map(|p| (p.precision, p.recall)).collect();
        assert_eq!(found, [(1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.4, 1.0)]);
        assert_eq!(points[3].threshold, 0.4);
        assert_eq!(average_precision(&truth, &score), Ok(0.5 + 0.25));
    }

    #[test]
    fn ends() {
        assert_eq!(average_precision(&[true, true], &[0.3, 0.2]), Ok(1.0));
        // All alike: the share of positives.
        assert_eq!(average_precision(&[true, false, false, false], &[7.0; 4]), Ok(0.25));
        // The two zeros are one score.
        assert_eq!(average_precision(&[false, true], &[0.0, -0.0]), Ok(0.5));
    }

    #[test]
    fn refusals() {
        let few = Error::TooFew { what: "positive rows", found: 0, needed: 1 };
        assert_eq!(average_precision(&[false], &[0.1]), Err(few.clone()));
        assert_eq!(average_precision(&[], &[]), Err(few));
        let length = Error::Length { what: "scores", found: 1, expected: 2 };
        assert_eq!(average_precision(&[false, true], &[0.1]), Err(length));
        let nan = average_precision(&[false, true], &[0.1, f64::NAN]);
        assert!(matches!(nan, Err(Error::Value { what: "score", at: 1, .. })));
    }
}
