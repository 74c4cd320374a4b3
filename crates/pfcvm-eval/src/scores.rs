//! Everything that is said of predictions among any number of classes, which count from 0.

use crate::agreement::cohen_kappa_table;
use crate::class_curves::ClassCurves;
use crate::measures::{CLIP, auc};
use serde::Serialize;

/// `table[i][j]` rows are of class i and were called j.
///
/// # Panics
/// If the slices differ in length or hold a class that there is not.
pub fn confusion_table(classes: usize, truth: &[usize], called: &[usize]) -> Vec<Vec<usize>> {
    assert_eq!(truth.len(), called.len(), "one call per truth");
    let mut table = vec![vec![0; classes]; classes];
    truth.iter().zip(called).for_each(|(&truth, &called)| table[truth][called] += 1);
    table
}

/// Mean of −ln p(truth), in nats, probabilities clipped to at least 1e-15; NaN without rows.
/// `probability[row]` has one for each class.
///
/// # Panics
/// If the slices differ in length or a row has too few probabilities.
pub fn class_log_loss(truth: &[usize], probability: &[Vec<f64>]) -> f64 {
    assert_eq!(truth.len(), probability.len(), "probabilities for each truth");
    let rows = truth.iter().zip(probability);
    let sum: f64 = rows.map(|(&truth, p)| -p[truth].clamp(CLIP, 1.0 - CLIP).ln()).sum();
    sum / truth.len() as f64
}

/// Mean of (p − truth)², the truth being 0 or 1: of the second class where there are two (0 to 1),
/// summed over the classes where there are more (0 to 2). NaN without rows.
///
/// # Panics
/// As [`class_log_loss`].
pub fn class_brier_score(classes: usize, truth: &[usize], probability: &[Vec<f64>]) -> f64 {
    assert_eq!(truth.len(), probability.len(), "probabilities for each truth");
    let first = if classes == 2 { 1 } else { 0 };
    let squares = |(&truth, p): (&usize, &Vec<f64>)| -> f64 {
        (first..classes).map(|k| (p[k] - f64::from(u8::from(k == truth))).powi(2)).sum()
    };
    truth.iter().zip(probability).map(squares).sum::<f64>() / truth.len() as f64
}

/// For each class the area under the ROC curve of its probability against all others, where it and
/// another occur.
///
/// # Panics
/// As [`class_log_loss`], or if a probability is NaN.
pub fn class_areas(classes: usize, truth: &[usize], probability: &[Vec<f64>]) -> Vec<Option<f64>> {
    let of_class = |class: usize| {
        let belongs: Vec<bool> = truth.iter().map(|truth| *truth == class).collect();
        let p: Vec<f64> = probability.iter().map(|p| p[class]).collect();
        auc(&belongs, &p)
    };
    (0..classes).map(of_class).collect()
}

/// Everything that is said of calls and probabilities together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// All rows.
    pub rows: usize,
    /// Share of rows that were called what they are.
    pub accuracy: f64,
    /// [`class_log_loss`]; nothing without probabilities.
    pub log_loss: Option<f64>,
    /// [`class_brier_score`]; nothing without probabilities.
    pub brier: Option<f64>,
    /// Area under the ROC curve of the second class where there are two, the mean over
    /// [`class_areas`] where there are more; nothing where one class only occurs.
    pub auc: Option<f64>,
    /// Cohen's kappa; nothing where truth and calls are all of one class.
    pub kappa: Option<f64>,
    /// [`ClassCurves::calibration_error`]; nothing without probabilities.
    pub calibration_error: Option<f64>,
    /// Mean of the precisions of the classes that occur.
    pub macro_precision: f64,
    /// Mean of the recalls of the classes that occur: the balanced accuracy.
    pub macro_recall: f64,
    /// Mean of the F1 scores of the classes that occur.
    pub macro_f1: f64,
    /// Class by class.
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

/// One class against all others.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ClassScores {
    /// Its name.
    pub name: String,
    /// Rows of the class.
    pub rows: usize,
    /// Share of the rows called so that are; 0 if none is called so.
    pub precision: f64,
    /// Share of its rows that are called so; 0 if there are none.
    pub recall: f64,
    /// Harmonic mean of the two; 0 where both are.
    pub f1: f64,
    /// Area under the ROC curve of its probability, where it and another class occur.
    pub auc: Option<f64>,
    /// How far its probability is from the share of rows that are of it, on the mean; nothing
    /// without probabilities.
    pub calibration_error: Option<f64>,
}

impl Scores {
    /// Scores of calls, and of probabilities where there are some: `probability[row]` has one for
    /// each class.
    ///
    /// # Panics
    /// If the slices differ in length, hold a class that there is not, or a probability is NaN.
    pub fn of(
        names: &[String],
        truth: &[usize],
        called: &[usize],
        probability: Option<&[Vec<f64>]>,
    ) -> Self {
        let confusion = confusion_table(names.len(), truth, called);
        let classes = names.len();
        let areas = match probability {
            Some(p) => class_areas(classes, truth, p),
            None => vec![None; classes],
        };
        let scores = Self {
            log_loss: probability.map(|p| class_log_loss(truth, p)),
            brier: probability.map(|p| class_brier_score(classes, truth, p)),
            ..Self::of_table(names, confusion, areas)
        };
        scores.with_calibration(probability.map(|p| ClassCurves::of(classes, truth, p)).as_ref())
    }

    /// The same with what curves of the probabilities say of calibration.
    pub fn with_calibration(mut self, curves: Option<&ClassCurves>) -> Self {
        let Some(curves) = curves else { return self };
        self.calibration_error = Some(curves.calibration_error());
        // Two classes have one probability; the other is as far off.
        let errors = curves.classes.iter().map(|of_class| of_class.calibration_error).cycle();
        let classes = self.classes.iter_mut().zip(errors);
        classes.for_each(|(class, error)| class.calibration_error = Some(error));
        self
    }

    /// Scores of a table of calls alone, and areas found elsewhere; log loss and Brier score are
    /// not known from these.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn of_table(names: &[String], confusion: Vec<Vec<usize>>, areas: Vec<Option<f64>>) -> Self {
        assert_eq!([confusion.len(), areas.len()], [names.len(); 2], "one for each class");
        let classes = names.iter().zip(areas).enumerate();
        let classes: Vec<ClassScores> =
            classes.map(|(at, (name, auc))| of_class(name, &confusion, at, auc)).collect();
        let mean = |of: fn(&ClassScores) -> f64| {
            let there: Vec<f64> = classes.iter().filter(|c| c.rows > 0).map(of).collect();
            there.iter().sum::<f64>() / there.len() as f64
        };
        let rows: usize = classes.iter().map(|class| class.rows).sum();
        let right: usize = (0..names.len()).map(|k| confusion[k][k]).sum();
        Self {
            rows,
            accuracy: right as f64 / rows as f64,
            log_loss: None,
            brier: None,
            auc: mean_area(&classes),
            calibration_error: None,
            kappa: cohen_kappa_table(&confusion, 0.95).ok().map(|kappa| kappa.kappa),
            macro_precision: mean(|class| class.precision),
            macro_recall: mean(|class| class.recall),
            macro_f1: mean(|class| class.f1),
            classes,
            confusion,
        }
    }
}

/// Of two classes that of the second: the first one's is the same but for rounding.
fn mean_area(classes: &[ClassScores]) -> Option<f64> {
    if let [_, second] = classes {
        return second.auc;
    }
    let areas: Vec<f64> = classes.iter().filter_map(|class| class.auc).collect();
    (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64)
}

fn of_class(name: &str, confusion: &[Vec<usize>], class: usize, auc: Option<f64>) -> ClassScores {
    let rows: usize = confusion[class].iter().sum();
    let called: usize = confusion.iter().map(|row| row[class]).sum();
    let right = confusion[class][class] as f64;
    let share = |of: usize| if of > 0 { right / of as f64 } else { 0.0 };
    let (precision, recall) = (share(called), share(rows));
    // 2 right / (rows + called), which is the harmonic mean wherever both are defined.
    let f1 = if rows + called > 0 { 2.0 * right / (rows + called) as f64 } else { 0.0 };
    ClassScores { name: name.into(), rows, precision, recall, f1, auc, calibration_error: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{brier_score, log_loss};

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|class| format!("class {class}")).collect()
    }

    #[test]
    fn by_hand() {
        let truth = [0, 0, 1, 2];
        let called = [0, 1, 1, 0];
        let p = [
            vec![0.5, 0.25, 0.25, 0.0],
            vec![0.25, 0.5, 0.25, 0.0],
            vec![0.0, 1.0, 0.0, 0.0],
            vec![0.5, 0.25, 0.25, 0.0],
        ];
        let found = Scores::of(&names(4), &truth, &called, Some(&p));
        assert_eq!(found.confusion[0], [1, 1, 0, 0]);
        assert_eq!((found.rows, found.accuracy), (4, 0.5));
        let loss = (2f64.ln() + 2.0 * 4f64.ln()) / 4.0;
        assert!((found.log_loss.unwrap() - loss).abs() < 1e-12, "{:?}", found.log_loss);
        assert_eq!((found.classes[1].name.as_str(), found.classes[1].precision), ("class 1", 0.5));
        assert_eq!((found.classes[2].precision, found.classes[2].recall), (0.0, 0.0));
        // The fourth class does not occur and counts nowhere.
        assert_eq!(found.macro_recall, 0.5);
        assert_eq!((found.classes[3].rows, found.classes[3].auc), (0, None));
        // Calls alone say as much about calls, and nothing else.
        let alone = Scores::of(&names(4), &truth, &called, None);
        assert_eq!((alone.macro_f1, alone.log_loss, alone.auc), (found.macro_f1, None, None));
    }

    /// Two classes have the figures of one probability, to the bit.
    #[test]
    fn two_classes_are_those_of_the_second() {
        let positive = [true, false, true, false, true];
        let of_second = [0.9, 0.2, 0.4, 0.7, 0.55];
        let truth: Vec<usize> = positive.iter().map(|p| usize::from(*p)).collect();
        let called: Vec<usize> = of_second.iter().map(|p| usize::from(*p >= 0.5)).collect();
        let p: Vec<Vec<f64>> = of_second.iter().map(|p| vec![1.0 - p, *p]).collect();
        let found = Scores::of(&names(2), &truth, &called, Some(&p));
        assert_eq!(found.log_loss, Some(log_loss(&positive, &of_second)));
        assert_eq!(found.brier, Some(brier_score(&positive, &of_second)));
        assert_eq!(found.auc, auc(&positive, &of_second));
    }

    #[test]
    fn one_class_and_certain_errors_are_finite() {
        let sure = vec![vec![0.0, 1.0, 0.0]; 2];
        let found = Scores::of(&names(3), &[1, 1], &[1, 1], Some(&sure));
        assert_eq!((found.accuracy, found.kappa, found.auc), (1.0, None, None));
        let loss = class_log_loss(&[0], &[vec![0.0, 1.0]]);
        assert!((loss - 34.538_776).abs() < 1e-6);
    }
}
