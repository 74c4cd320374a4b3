//! Measures of predictions among any number of classes, which count from 0.

use crate::agreement::cohen_kappa_table;
use crate::measures::{CLIP, auc};

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
pub fn multiclass_log_loss(truth: &[usize], probability: &[Vec<f64>]) -> f64 {
    assert_eq!(truth.len(), probability.len(), "probabilities for each truth");
    let rows = truth.iter().zip(probability);
    let sum: f64 = rows.map(|(&truth, p)| -p[truth].clamp(CLIP, 1.0 - CLIP).ln()).sum();
    sum / truth.len() as f64
}

/// Everything that is said of calls and probabilities together.
#[derive(Debug, Clone, PartialEq)]
pub struct MulticlassScores {
    /// Share of rows that were called what they are.
    pub accuracy: f64,
    /// [`multiclass_log_loss`].
    pub log_loss: f64,
    /// Mean of Σ (p − truth)² over the classes, the truth being 0 or 1: from 0 to 2.
    pub brier: f64,
    /// Cohen's kappa; nothing where truth and calls are all of one class.
    pub kappa: Option<f64>,
    /// Mean of the precisions of the classes that occur.
    pub macro_precision: f64,
    /// Mean of the recalls of the classes that occur: the balanced accuracy.
    pub macro_recall: f64,
    /// Mean of the F1 scores of the classes that occur.
    pub macro_f1: f64,
    /// Mean area under the ROC curve of each class against the rest; nothing where one class only
    /// occurs.
    pub macro_auc: Option<f64>,
    /// Class by class.
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

/// One class against all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassScores {
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
}

impl MulticlassScores {
    /// Scores of calls and probabilities.
    ///
    /// # Panics
    /// If the slices differ in length, hold a class that there is not, or a probability is NaN.
    pub fn of(classes: usize, truth: &[usize], called: &[usize], probability: &[Vec<f64>]) -> Self {
        let confusion = confusion_table(classes, truth, called);
        let log_loss = multiclass_log_loss(truth, probability);
        let rows = truth.len() as f64;
        let squares = |(&truth, p): (&usize, &Vec<f64>)| -> f64 {
            (0..classes).map(|k| (p[k] - f64::from(u8::from(k == truth))).powi(2)).sum()
        };
        let of_class = |class: usize| {
            let belongs: Vec<bool> = truth.iter().map(|truth| *truth == class).collect();
            let p: Vec<f64> = probability.iter().map(|p| p[class]).collect();
            class_scores(&confusion, class, auc(&belongs, &p))
        };
        let of_classes: Vec<ClassScores> = (0..classes).map(of_class).collect();
        let mean = |of: fn(&ClassScores) -> f64| {
            let there: Vec<f64> = of_classes.iter().filter(|c| c.rows > 0).map(of).collect();
            there.iter().sum::<f64>() / there.len() as f64
        };
        let areas: Vec<f64> = of_classes.iter().filter_map(|class| class.auc).collect();
        Self {
            accuracy: (0..classes).map(|k| confusion[k][k]).sum::<usize>() as f64 / rows,
            log_loss,
            brier: truth.iter().zip(probability).map(squares).sum::<f64>() / rows,
            kappa: cohen_kappa_table(&confusion, 0.95).ok().map(|kappa| kappa.kappa),
            macro_precision: mean(|class| class.precision),
            macro_recall: mean(|class| class.recall),
            macro_f1: mean(|class| class.f1),
            macro_auc: (!areas.is_empty()).then(|| areas.iter().sum::<f64>() / areas.len() as f64),
            classes: of_classes,
            confusion,
        }
    }
}

fn class_scores(confusion: &[Vec<usize>], class: usize, auc: Option<f64>) -> ClassScores {
    let rows: usize = confusion[class].iter().sum();
    let called: usize = confusion.iter().map(|row| row[class]).sum();
    let right = confusion[class][class] as f64;
    let share = |of: usize| if of > 0 { right / of as f64 } else { 0.0 };
    let (precision, recall) = (share(called), share(rows));
    // 2 right / (rows + called), which is the harmonic mean wherever both are defined.
    let f1 = if rows + called > 0 { 2.0 * right / (rows + called) as f64 } else { 0.0 };
    ClassScores { rows, precision, recall, f1, auc }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let found = MulticlassScores::of(4, &truth, &called, &p);
        assert_eq!(found.confusion[0], [1, 1, 0, 0]);
        assert_eq!(found.accuracy, 0.5);
        let loss = (2f64.ln() + 2.0 * 4f64.ln()) / 4.0;
        assert!((found.log_loss - loss).abs() < 1e-12, "{}", found.log_loss);
        assert_eq!(found.classes[1].precision, 0.5);
        assert_eq!((found.classes[2].precision, found.classes[2].recall), (0.0, 0.0));
        // The fourth class does not occur and counts nowhere.
        assert_eq!(found.macro_recall, 0.5);
        assert_eq!((found.classes[3].rows, found.classes[3].auc), (0, None));
    }

    #[test]
    fn one_class_and_certain_errors_are_finite() {
        let sure = vec![vec![0.0, 1.0, 0.0]; 2];
        let found = MulticlassScores::of(3, &[1, 1], &[1, 1], &sure);
        assert_eq!((found.accuracy, found.kappa, found.macro_auc), (1.0, None, None));
        let loss = multiclass_log_loss(&[0], &[vec![0.0, 1.0]]);
        assert!((loss - 34.538_776).abs() < 1e-6);
    }
}
