//! What probabilities among any number of classes look like, computed once for pages and programs.
//! One class at a time: it against the rest. Two classes have one such view, that of the second.

use crate::curves::{
    CalibrationBin, RocPoint, calibration_bins, calibration_curve, mean_distance, roc_curve,
};
use crate::measures::{Confusion, auc, confusion};
use serde::{Serialize, Serializer};

/// Points of a ROC curve that are written, at most.
const MOST_WRITTEN: usize = 200;

/// Everything that is drawn of probabilities among any number of classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassCurves {
    /// The second class where there are two; each class against the rest, in their order, where
    /// there are more.
    pub classes: Vec<ProbabilityCurves>,
    /// How far the largest probability of each row can be believed.
    pub top: TopCurve,
}

/// The largest probability of each row beside the share of rows whose class it names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TopCurve {
    /// How many bins the calibration has room for.
    pub bins: usize,
    /// [`calibration_curve`]: `observed` is the share of rows that are called what they are.
    pub calibration: Vec<CalibrationBin>,
    /// [`calibration_error`](crate::calibration_error).
    pub calibration_error: f64,
}

impl ClassCurves {
    /// Curves of the probabilities of some classes: `probability[row]` has one for each.
    ///
    /// # Panics
    /// If the slices differ in length, a row has too few probabilities or one that is no number.
    pub fn of(classes: usize, truth: &[usize], probability: &[Vec<f64>]) -> Self {
        assert_eq!(truth.len(), probability.len(), "probabilities for each truth");
        let of_class = |class: usize| {
            let belongs: Vec<bool> = truth.iter().map(|truth| *truth == class).collect();
            // Coupled probabilities may be past an end by a rounding error.
            let own: Vec<f64> = probability.iter().map(|p| p[class].clamp(0.0, 1.0)).collect();
            ProbabilityCurves::of(&belongs, &own)
        };
        let first = if classes == 2 { 1 } else { 0 };
        Self {
            classes: (first..classes).map(of_class).collect(),
            top: TopCurve::of(truth, probability),
        }
    }

    /// Of two classes the error of the second one's probability, of more that of the largest one.
    pub fn calibration_error(&self) -> f64 {
        match self.classes.as_slice() {
            [second] => second.calibration_error,
            _ => self.top.calibration_error,
        }
    }
}

impl TopCurve {
    fn of(truth: &[usize], probability: &[Vec<f64>]) -> Self {
        let rows = truth.iter().zip(probability).map(|(truth, p)| {
            // Of equals the last is called, as everywhere.
            let top = (0..p.len()).fold(0, |best, k| if p[k] >= p[best] { k } else { best });
            (top == *truth, p[top].clamp(0.0, 1.0))
        });
        let (right, largest): (Vec<bool>, Vec<f64>) = rows.unzip();
        let bins = calibration_bins(truth.len());
        let calibration = calibration_curve(&right, &largest, bins);
        Self { bins, calibration_error: mean_distance(&calibration, truth.len()), calibration }
    }
}

/// Everything that is drawn of the probability of one class, which is called the positive one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProbabilityCurves {
    /// Rows of the negative and of the positive class, in twenty equal ranges of the probability.
    pub histogram: [[usize; 20]; 2],
    /// How many bins the calibration has room for.
    pub bins: usize,
    /// [`calibration_curve`].
    pub calibration: Vec<CalibrationBin>,
    /// [`calibration_error`](crate::calibration_error).
    pub calibration_error: f64,
    /// [`roc_curve`]; of a long one some points are written.
    #[serde(serialize_with = "some_points")]
    pub roc: Option<Vec<RocPoint>>,
    /// The area below it.
    pub auc: Option<f64>,
    /// Calls at a probability of ½.
    pub confusion: Confusion,
}

impl ProbabilityCurves {
    /// Curves of the probabilities of the positive class.
    ///
    /// # Panics
    /// If the slices differ in length or a probability is outside [0, 1].
    pub fn of(positive: &[bool], probability: &[f64]) -> Self {
        let bins = calibration_bins(positive.len());
        let calibration = calibration_curve(positive, probability, bins);
        let mut histogram = [[0; 20]; 2];
        for (&truth, &p) in positive.iter().zip(probability) {
            histogram[usize::from(truth)][((p * 20.0) as usize).min(19)] += 1;
        }
        Self {
            histogram,
            bins,
            calibration_error: mean_distance(&calibration, positive.len()),
            calibration,
            roc: roc_curve(positive, probability),
            auc: auc(positive, probability),
            confusion: confusion(positive, probability),
        }
    }
}

/// Some points of a curve, evenly among all, with both ends.
fn some_points<S: Serializer>(roc: &Option<Vec<RocPoint>>, out: S) -> Result<S::Ok, S::Error> {
    let some = roc.as_ref().map(|points| match points.len().checked_sub(1) {
        Some(last) if last >= MOST_WRITTEN => {
            let at = |k: usize| points[k * last / (MOST_WRITTEN - 1)];
            (0..MOST_WRITTEN).map(at).collect::<Vec<_>>()
        }
        _ => points.clone(),
    });
    some.serialize(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> (Vec<usize>, Vec<Vec<f64>>) {
        let p = [[0.7, 0.2, 0.1], [0.2, 0.4, 0.4], [0.1, 0.3, 0.6], [0.4, 0.35, 0.25]];
        (vec![0, 1, 2, 1], p.map(Vec::from).to_vec())
    }

    #[test]
    fn each_class_is_seen_against_the_rest() {
        let (truth, p) = three();
        let curves = ClassCurves::of(3, &truth, &p);
        for (class, of_class) in curves.classes.iter().enumerate() {
            let belongs: Vec<bool> = truth.iter().map(|truth| *truth == class).collect();
            let own: Vec<f64> = p.iter().map(|p| p[class]).collect();
            assert_eq!(*of_class, ProbabilityCurves::of(&belongs, &own));
        }
        assert_eq!(curves.classes.len(), 3);
        assert_eq!(curves.calibration_error(), curves.top.calibration_error);
    }

    /// Largest probabilities .7, .4 (of equals the last, which is wrong), .6, .4 (wrong): in three bins
    /// the first two and the last are apart from .7.
    #[test]
    fn the_largest_probability_is_held_against_right_calls() {
        let (truth, p) = three();
        let top = ClassCurves::of(3, &truth, &p).top;
        let found: Vec<(usize, f64)> =
            top.calibration.iter().map(|b| (b.count, b.observed)).collect();
        assert_eq!((top.bins, found), (3, vec![(3, 1.0 / 3.0), (1, 1.0)]));
        let error = (3.0 * (1.4f64 / 3.0 - 1.0 / 3.0) + 0.3) / 4.0;
        assert!((top.calibration_error - error).abs() < 1e-12, "{}", top.calibration_error);
    }

    #[test]
    fn two_classes_are_seen_once() {
        let p: Vec<Vec<f64>> = [0.9, 0.2, 0.4].iter().map(|p| vec![1.0 - p, *p]).collect();
        let curves = ClassCurves::of(2, &[1, 0, 1], &p);
        let alone = ProbabilityCurves::of(&[true, false, true], &[0.9, 0.2, 0.4]);
        assert_eq!(curves.calibration_error(), alone.calibration_error);
        assert_eq!(curves.classes, [alone]);
    }

    #[test]
    fn long_curves_are_written_short() {
        let score: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
        let positive: Vec<bool> = (0..1000).map(|i| i % 3 == 0).collect();
        let written = serde_json::to_value(ProbabilityCurves::of(&positive, &score)).unwrap();
        let points = written["roc"].as_array().unwrap();
        assert_eq!(points.len(), MOST_WRITTEN);
        assert_eq!(points[0]["true_positive_rate"], 0.0);
        assert_eq!(points[MOST_WRITTEN - 1]["false_positive_rate"], 1.0);
    }
}
