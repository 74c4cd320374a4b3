//! How sure several machines are, together.
//!
//! What one of m machines says of a feature is the best of m answers, so a probability of chance is
//! multiplied by m (Bonferroni). A feature is as likely a false alarm as its surest machine says, times
//! the number of machines for each that lists it.

use crate::certainty::{Certainty, certain};

/// The level of the verdict.
const LEVEL: f64 = 0.05;

/// How sure several machines are of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FeatureTogether {
    /// The feature, as a column of the input.
    pub feature: usize,
    /// How likely it is listed for nothing.
    pub false_alarm: f64,
    /// Whether it is certain at the rate that was asked for.
    pub certain: bool,
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
}

/// Whether machines that were all asked find nothing.
pub(crate) fn nothing_found(machines: &[Option<&Certainty>]) -> bool {
    machines.iter().all(Option::is_some) && p_value(machines) > LEVEL
}

fn p_value(machines: &[Option<&Certainty>]) -> f64 {
    let least = machines.iter().flatten().map(|c| c.p_value).fold(1.0, f64::min);
    (least * machines.len() as f64).min(1.0)
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
        features.push(FeatureTogether { feature: same[0].feature, false_alarm, certain: false });
    }
    // All machines were asked the same.
    if let Some(Certainty { rate, max_false, candidates, .. }) = asked.first() {
        let false_alarms: Vec<f64> = features.iter().map(|one| one.false_alarm).collect();
        let certain = certain(&false_alarms, *rate, *max_false, *candidates);
        let found = p_value <= LEVEL;
        features.iter_mut().zip(certain).for_each(|(one, certain)| one.certain = certain && found);
    }
    Some(Together { nothing_found: p_value > LEVEL, p_value, features })
}
