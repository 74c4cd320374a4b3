//! How sure several machines are, together.
//!
//! What one of m machines says of a feature is the best of m answers, so a probability of chance is
//! multiplied by m (Bonferroni). A feature is as likely a false alarm as its surest machine says, times
//! the number of machines for each that lists it.

use crate::certainty::{Certainty, Goals, certain};

/// The level of the verdict.
const LEVEL: f64 = 0.05;

/// How sure several machines are of a feature.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FeatureTogether {
    /// The feature, as a column of the input.
    pub feature: usize,
    /// How likely it is listed for nothing.
    pub false_alarm: f64,
    /// Whether it is certain at the rate that was asked for.
    pub certain: bool,
    /// What it is worth where the machines share a row of probabilities.
    pub worth: Option<FeatureOfClasses>,
}

/// What a feature is worth for telling several classes apart: rises of the mean −log p of held-out rows
/// without it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FeatureOfClasses {
    /// For all classes.
    pub importance: f64,
    /// The standard error of that.
    pub importance_error: f64,
    /// For each class against all others.
    pub classes: Vec<f64>,
    /// For each class (rows) against each other one, 0 on the diagonal; empty where there are more than
    /// 20 classes.
    pub pairs: Vec<Vec<f64>>,
}

/// What rows that did not train say of several machines.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Together {
    /// No feature does better than chance.
    pub nothing_found: bool,
    /// How likely features that say nothing would do as well.
    pub p_value: f64,
    /// The features that any machine lists, ascending.
    pub features: Vec<FeatureTogether>,
    /// Accuracy, mean −log p, and the same of who knows the shares of the classes only, on rows that
    /// did not train; of machines that share a row of probabilities.
    pub held_out: Option<[f64; 3]>,
    /// What these bring with the listed features alone, and with all features beside them.
    pub goals: Option<Goals>,
}

/// Whether machines that were all asked find nothing.
pub(crate) fn nothing_found(machines: &[Option<&Certainty>]) -> bool {
    machines.iter().all(Option::is_some) && p_value(machines) > LEVEL
}

fn p_value(machines: &[Option<&Certainty>]) -> f64 {
    let least = machines.iter().flatten().map(|c| c.p_value).fold(1.0, f64::min);
    // Machines that share a row of probabilities were asked together.
    let shared = machines.iter().flatten().all(|c| c.shared.is_some());
    if shared { least } else { (least * machines.len() as f64).min(1.0) }
}

/// What the machines say together; nothing where one was not asked.
pub(crate) fn together(machines: &[Option<&Certainty>]) -> Option<Together> {
    let asked: Vec<&Certainty> = machines.iter().copied().collect::<Option<_>>()?;
    let several = asked.len() as f64;
    let p_value = p_value(machines);
    let mut all: Vec<_> = asked.iter().flat_map(|certainty| certainty.features.iter()).collect();
    all.sort_by_key(|of_one| of_one.feature);
    let mut features: Vec<FeatureTogether> = Vec::new();
    for same in all.chunk_by(|a, b| a.feature == b.feature) {
        let least = same.iter().map(|one| one.false_alarm).fold(1.0, f64::min);
        let false_alarm = (least * several / same.len() as f64).min(1.0);
        let worth = worth(&asked, same[0].feature);
        features.push(FeatureTogether {
            feature: same[0].feature,
            false_alarm,
            certain: false,
            worth,
        });
    }
    // All machines were asked the same.
    if let Some(Certainty { rate, max_false, candidates, .. }) = asked.first() {
        let false_alarms: Vec<f64> = features.iter().map(|one| one.false_alarm).collect();
        let certain = certain(&false_alarms, *rate, *max_false, *candidates);
        let found = p_value <= LEVEL;
        features.iter_mut().zip(certain).for_each(|(one, certain)| one.certain = certain && found);
    }
    let shared = asked.first().and_then(|certainty| certainty.shared.as_ref());
    let held_out = shared.map(|all| [all.accuracy, all.log_loss, all.baseline_log_loss]);
    let goals = asked.first().filter(|_| shared.is_some()).and_then(|certainty| certainty.goals);
    Some(Together { nothing_found: p_value > LEVEL, p_value, features, held_out, goals })
}

/// What a feature is worth to machines that all list the same ones.
fn worth(machines: &[&Certainty], feature: usize) -> Option<FeatureOfClasses> {
    let first = machines.first()?;
    let at = first.features.iter().position(|one| one.feature == feature)?;
    let all = first.shared.as_ref()?.features.get(at)?;
    let pairs = machines.iter().map(|machine| {
        let of_all = machine.shared.as_ref().and_then(|shared| shared.features.get(at));
        of_all.map(|feature| feature.pairs.clone()).filter(|pairs| !pairs.is_empty())
    });
    Some(FeatureOfClasses {
        importance: all.importance,
        importance_error: all.importance_error,
        classes: machines.iter().filter_map(|m| Some(m.features.get(at)?.importance)).collect(),
        pairs: pairs.collect::<Option<_>>().unwrap_or_default(),
    })
}
