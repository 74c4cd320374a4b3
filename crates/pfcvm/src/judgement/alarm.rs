//! How likely a listed feature is a false alarm, and which are certain.

use super::Dial;
use super::score::Score;
use super::verdict::upper_tail;
use crate::certainty::FeatureCertainty;

/// What is known of each listed feature.
pub(crate) fn false_alarms(
    listed: &[usize],
    scores: &[(Score, f64)],
    features: usize,
    found: bool,
    dial: Dial,
) -> Vec<FeatureCertainty> {
    let one = |(&feature, &(score, share)): (&usize, &(Score, f64))| FeatureCertainty {
        feature,
        p_value: upper_tail(score.z),
        false_alarm: upper_tail(score.z),
        certain: upper_tail(score.z) <= dial.rate,
        importance: score.importance,
        importance_error: score.error,
        share,
    };
    let _ = (features, found);
    listed.iter().zip(scores).map(one).collect()
}
