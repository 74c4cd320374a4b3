//! Many folds in one line.

use crate::folds::{Fold, Scores};
use pfcvm_eval::{mean_jaccard, mean_pearson, selection_frequencies};
use std::fmt;

/// Means over the folds that were fitted, and how many were not.
#[derive(Debug)]
pub struct Summary {
    /// What was measured.
    pub title: String,
    /// Folds with scores.
    pub fitted: usize,
    /// Folds without.
    pub failed: usize,
    /// Mean accuracy.
    pub accuracy: f64,
    /// Mean log loss of the moderated probabilities.
    pub log_loss: f64,
    /// Mean log loss of the plain ones.
    pub plain_log_loss: f64,
    /// Mean number of kept features.
    pub features: f64,
    /// Mean number of kept samples; NaN where the method does not say.
    pub samples: f64,
    /// Mean pairwise Jaccard index of the feature subsets, of two folds or more.
    pub jaccard: Option<f64>,
    /// Mean pairwise Pearson correlation of the same.
    pub pearson: Option<f64>,
    /// What became of features known to be noise, where there are such.
    pub noise: Option<Noise>,
    /// Mean wall time of a fit and its prediction.
    pub seconds: f64,
}

/// Features known to be noise.
#[derive(Debug)]
pub struct Noise {
    /// Mean number kept by a fit.
    pub features: f64,
    /// How often the one kept most often was kept.
    pub worst_frequency: f64,
}

impl Summary {
    /// Sums up. `features` is the number of features on offer, those from `first_noise` on being
    /// noise.
    pub fn new(title: String, folds: &[Fold], features: usize, first_noise: Option<usize>) -> Self {
        let fitted: Vec<&Scores> =
            folds.iter().filter_map(|fold| fold.result.as_ref().ok()).collect();
        let mean = |value: &dyn Fn(&Scores) -> f64| {
            fitted.iter().map(|scores| value(scores)).sum::<f64>() / fitted.len() as f64
        };
        let subsets: Vec<Vec<usize>> =
            fitted.iter().map(|scores| scores.outcome.features.clone()).collect();
        let noise = first_noise.map(|first| {
            let frequencies = &selection_frequencies(&subsets, features)[first..];
            Noise {
                features: frequencies.iter().sum(),
                worst_frequency: frequencies.iter().copied().fold(f64::NAN, f64::max),
            }
        });
        Self {
            title,
            fitted: fitted.len(),
            failed: folds.len() - fitted.len(),
            accuracy: mean(&|scores| scores.accuracy),
            log_loss: mean(&|scores| scores.log_loss),
            plain_log_loss: mean(&|scores| scores.plain_log_loss),
            features: mean(&|scores| scores.outcome.features.len() as f64),
            samples: mean(&|scores| scores.outcome.samples.map_or(f64::NAN, |n| n as f64)),
            jaccard: mean_jaccard(&subsets),
            pearson: mean_pearson(&subsets, features),
            noise,
            seconds: mean(&|scores| scores.seconds),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stability = |value: Option<f64>| value.map_or("-".into(), |v| format!("{v:.3}"));
        let samples =
            if self.samples.is_nan() { "-".into() } else { format!("{:.1}", self.samples) };
        write!(
            f,
            "{}: accuracy {:.2} %, log loss {:.4} (plain {:.4}), features {:.1}, samples {samples}, \
             Jaccard {}, Pearson {}",
            self.title,
            100.0 * self.accuracy,
            self.log_loss,
            self.plain_log_loss,
            self.features,
            stability(self.jaccard),
            stability(self.pearson),
        )?;
        if let Some(noise) = &self.noise {
            write!(
                f,
                ", noise features {:.2}, worst noise frequency {:.2}",
                noise.features, noise.worst_frequency
            )?;
        }
        write!(f, ", {:.3} s per fit, {} fits, {} failed", self.seconds, self.fitted, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Outcome;

    fn fold(number: usize, accuracy: f64, features: &[usize]) -> Fold {
        let outcome = Outcome {
            probability: vec![],
            plain_probability: vec![],
            features: features.to_vec(),
            samples: Some(10 * number),
            iterations: None,
            termination: String::new(),
        };
        let scores = Scores {
            accuracy,
            log_loss: 0.3,
            plain_log_loss: 0.2,
            auc: None,
            outcome,
            seconds: 0.5,
        };
        Fold { number, result: Ok(scores) }
    }

    #[test]
    fn a_failed_fold_is_counted_and_not_averaged() {
        let failed = Fold { number: 2, result: Err("no".into()) };
        let folds = [fold(0, 0.5, &[0, 1]), fold(1, 1.0, &[0, 3]), failed];
        let summary = Summary::new("t".into(), &folds, 4, Some(2));
        assert_eq!(
            summary.to_string(),
            "t: accuracy 75.00 %, log loss 0.3000 (plain 0.2000), features 2.0, samples 5.0, \
             Jaccard 0.333, Pearson 0.000, noise features 0.50, worst noise frequency 0.50, \
             0.500 s per fit, 2 fits, 1 failed"
        );
    }
}
