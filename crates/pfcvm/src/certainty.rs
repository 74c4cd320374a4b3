//! How sure a fit is of what it found.

use crate::settings::Goal;
use crate::stored::{Checked, checked_when_read, length, numbers};
use serde::{Deserialize, Serialize};

/// What rows that did not train say of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Certainty {
    /// No feature does better than chance: the verdict of a test at 5 %.
    pub nothing_found: bool,
    /// How likely features that say nothing would do as well.
    pub p_value: f64,
    /// How many parts the rows were held out in.
    pub folds: usize,
    /// Share of the held-out rows that were put into the right class.
    pub accuracy: f64,
    /// Mean −log p of the held-out rows.
    pub log_loss: f64,
    /// The same for who knows nothing but the shares of the classes.
    pub baseline_log_loss: f64,
    /// What decision values are multiplied by, so that probabilities are honest.
    pub slope: f64,
    /// What is added to them then.
    pub offset: f64,
    /// Share of features that say nothing that may be called certain: what was asked for.
    pub rate: f64,
    /// How many features there were to choose from.
    pub candidates: usize,
    /// Expected number of false features among the certain ones, if that was asked for instead.
    pub max_false: Option<f64>,
    /// The features of the model, in its order.
    pub features: Vec<FeatureCertainty>,
    /// What is known of all machines, where they share a row of probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedCertainty>,
    /// What the list alone brings, and what it brings beside a machine of all features; of machines that
    /// share a row of probabilities the same for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Goals>,
}

/// What can be had with the listed features alone, and what with all features beside them, on rows that
/// did not train.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Goals {
    /// With the listed features alone.
    pub list: GoalScore,
    /// With both machines together.
    pub accuracy: GoalScore,
    /// With the machine of all features alone.
    pub all_features: GoalScore,
    /// By how much the mean −log p falls from the list alone to both together.
    pub gain: f64,
    /// The standard error of that.
    pub gain_error: f64,
    /// Whether both together do better than the shares of the classes.
    pub beats_chance: bool,
}

/// How well rows that did not train are told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GoalScore {
    /// Share of the rows that are put into the right class.
    pub accuracy: f64,
    /// Mean −log p.
    pub log_loss: f64,
    /// The standard error of that.
    pub log_loss_error: f64,
}

/// What rows that did not train say of machines that share a row of probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SharedCertainty {
    /// Share of the held-out rows that were put into the right class.
    pub accuracy: f64,
    /// Mean −log p of the held-out rows.
    pub log_loss: f64,
    /// The same for who knows nothing but the shares of the classes.
    pub baseline_log_loss: f64,
    /// The features of the model, in its order.
    pub features: Vec<SharedFeature>,
}

/// What a feature is worth to all machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SharedFeature {
    /// Rise of the mean −log p of the held-out rows without it, everything else settled again.
    pub importance: f64,
    /// The standard error of that.
    pub importance_error: f64,
    /// For each class the rise of the mean −log p of "it or the machine's own" among held-out rows of
    /// the two; 0 for its own. Empty where there are more than 20 classes.
    pub pairs: Vec<f64>,
}

/// What rows that did not train say of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FeatureCertainty {
    /// The feature, as a column of the input.
    pub feature: usize,
    /// How likely a feature that says nothing does as well on the held-out rows.
    pub p_value: f64,
    /// How likely it is listed for nothing.
    pub false_alarm: f64,
    /// Whether it is certain at the rate, or within the number of false features, that was asked for.
    pub certain: bool,
    /// Rise of the mean −log p of the held-out rows without it, everything else settled again.
    pub importance: f64,
    /// The standard error of that.
    pub importance_error: f64,
    /// Share of the fits on parts of the rows that keep it.
    pub share: f64,
}

impl FeatureCertainty {
    /// Where its importance lies, with 95 % confidence.
    pub fn importance_interval(&self) -> [f64; 2] {
        let half = 1.96 * self.importance_error;
        [self.importance - half, self.importance + half]
    }
}

impl Certainty {
    /// Takes note of what either goal would bring; what is told of the model is what its own goal brings.
    pub(crate) fn take(&mut self, goals: Option<Goals>, goal: Goal) {
        self.goals = goals;
        let Some(Goals { accuracy: both, beats_chance, .. }) = goals else { return };
        if goal == Goal::Accuracy && (!self.nothing_found || beats_chance) {
            match &mut self.shared {
                Some(shared) => (shared.accuracy, shared.log_loss) = (both.accuracy, both.log_loss),
                None => (self.accuracy, self.log_loss) = (both.accuracy, both.log_loss),
            }
        }
    }

    /// How many of the listed features are expected to be false.
    pub fn expected_false(&self) -> f64 {
        self.features.iter().map(|feature| feature.false_alarm).fold(0.0, |sum, p| sum + p)
    }

    /// How many of the certain ones are.
    pub fn expected_false_among_certain(&self) -> f64 {
        let certain = self.features.iter().filter(|feature| feature.certain);
        certain.map(|feature| feature.false_alarm).fold(0.0, |sum, p| sum + p)
    }

    /// Refuses what is said of other features than those of a model.
    pub(crate) fn check_features(&self, features: &[usize]) -> Checked {
        if self.features.iter().map(|of_one| of_one.feature).eq(features.iter().copied()) {
            return Ok(());
        }
        Err("a certainty of other features than the model's".into())
    }

    fn check(&self) -> Checked {
        let shares = [self.p_value, self.accuracy, self.rate];
        if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
            return Err("a share outside of 0 to 1".into());
        }
        numbers("number of false features", &[self.max_false.unwrap_or(0.0)], 0.0)?;
        numbers("loss", &[self.log_loss, self.baseline_log_loss, self.slope], 0.0)?;
        numbers("offset", &[self.offset], f64::MIN)?;
        if let Some(Goals { list, accuracy, all_features, gain, gain_error, .. }) = self.goals {
            for score in [list, accuracy, all_features] {
                if !(0.0..=1.0).contains(&score.accuracy) {
                    return Err("a share outside of 0 to 1".into());
                }
                numbers("loss", &[score.log_loss, score.log_loss_error], 0.0)?;
            }
            numbers("gain of all features", &[gain], f64::MIN)?;
            numbers("error of a gain", &[gain_error], 0.0)?;
        }
        for feature in &self.features {
            let FeatureCertainty {
                p_value, false_alarm, share, importance, importance_error, ..
            } = feature;
            if [p_value, false_alarm, share].iter().any(|p| !(0.0..=1.0).contains(*p)) {
                return Err("a share outside of 0 to 1".into());
            }
            numbers("importance", &[*importance], f64::MIN)?;
            numbers("error", &[*importance_error], 0.0)?;
        }
        let Some(shared) = &self.shared else { return Ok(()) };
        if !(0.0..=1.0).contains(&shared.accuracy) {
            return Err("a share outside of 0 to 1".into());
        }
        numbers("loss", &[shared.log_loss, shared.baseline_log_loss], 0.0)?;
        length("features of all machines", shared.features.len(), self.features.len())?;
        for SharedFeature { importance, importance_error, pairs } in &shared.features {
            numbers("importance", &[*importance], f64::MIN)?;
            numbers("importance", pairs, f64::MIN)?;
            numbers("error", &[*importance_error], 0.0)?;
        }
        Ok(())
    }

    /// Puts what is known of pairs in the order of the classes: `order` has the class of each place.
    pub(crate) fn name_pairs(&mut self, order: &[usize]) {
        for feature in self.shared.iter_mut().flat_map(|shared| &mut shared.features) {
            let places = std::mem::take(&mut feature.pairs);
            let mut named = vec![0.0; places.len()];
            places.iter().zip(order).for_each(|(worth, &class)| named[class] = *worth);
            feature.pairs = named;
        }
    }

    /// The same of a model that lists nothing.
    pub(crate) fn without_features(mut self) -> Self {
        self.features.clear();
        self.shared.iter_mut().for_each(|shared| shared.features.clear());
        self
    }
}

checked_when_read!(Certainty);

/// Which features are called certain, the surest first: as many as are expected to hold no more
/// false ones than `rate` times the features that say nothing, or than `max_false` where that is
/// given; and none that is more likely false than not.
pub(crate) fn certain(
    false_alarms: &[f64],
    rate: f64,
    max_false: Option<f64>,
    candidates: usize,
) -> Vec<bool> {
    let mut order: Vec<usize> = (0..false_alarms.len()).collect();
    order.sort_by(|&a, &b| false_alarms[a].total_cmp(&false_alarms[b]).then(a.cmp(&b)));
    let mut certain = vec![false; false_alarms.len()];
    let (mut false_ones, mut true_ones) = (0.0, 0.0);
    for k in order {
        false_ones += false_alarms[k];
        true_ones += 1.0 - false_alarms[k];
        let most = max_false.unwrap_or(rate * (candidates as f64 - true_ones));
        if false_ones > most || false_alarms[k] > 0.5 {
            break;
        }
        certain[k] = true;
    }
    certain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surest_are_taken_as_long_as_the_sum_allows() {
        let within = |alarms: &[f64], most| certain(alarms, 0.05, Some(most), 10);
        assert_eq!(within(&[0.5, 0.1, 0.3, 0.2], 0.65), [false, true, true, true]);
        assert_eq!(within(&[0.5, 0.1, 0.3, 0.2], 0.05), [false; 4]);
        assert_eq!(within(&[], 1.0), [false; 0]);
    }

    #[test]
    fn the_rate_is_that_of_the_features_that_say_nothing() {
        // 0.1 + 0.15 false ones among 10 − 1.75 that say nothing are 3 %; 0.55 among 7.55 are 7.3 %.
        let alarms = [0.1, 0.3, 0.15];
        assert_eq!(certain(&alarms, 0.05, None, 10), [true, false, true]);
        assert_eq!(certain(&alarms, 0.08, None, 10), [true, true, true]);
        assert_eq!(certain(&alarms, 0.05, None, 1000), [true, true, true]);
    }

    #[test]
    fn what_is_rather_false_is_never_certain() {
        assert_eq!(certain(&[0.2, 0.51], 0.4, Some(5.0), 1000), [true, false]);
    }
}
