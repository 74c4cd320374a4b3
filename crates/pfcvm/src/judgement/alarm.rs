//! How likely a listed feature is a false alarm.
//!
//! On sets drawn with known truth (`reference/make_false_alarms.py`: linear, quadratic and paired
//! effects, strong and weak, 3 to 20 features that matter of 20 to 2000, correlated and not) it was
//! counted which listed features say nothing, and the log odds of that were fitted as a straight
//! line in what is known of the feature:
//!
//! - its test z on held-out rows, below 2 and above it;
//! - the share s of the fits on parts of the rows that keep it, and whether all do;
//! - its weight in posterior standard deviations, t, at most 8, and t s;
//! - how it goes along with the classes when it is looked at alone, χ of at most 6 (`verdict`): a machine
//!   that draws noise in has no reason to draw in what goes along, and one that is right often has;
//! - how many features there were to choose from, how many samples, and how many are listed (logarithms).

use super::score::Score;
use super::verdict::associations;
use super::{Dial, Listed, Rows};
use crate::algebra::sigmoid;
use crate::algebra::upper_tail;
use crate::certainty::{FeatureCertainty, certain};

/// Sizes that were drawn; beyond them the line is not drawn out.
const CANDIDATES: (f64, f64) = (20.0, 2000.0);
const SAMPLES: (f64, f64) = (60.0, 1000.0);
const LISTED: (f64, f64) = (1.0, 150.0);

/// Which kind of machine lists features; those of more than two classes share one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Curved,
    Linear,
    Panel,
}

/// Log odds of a false alarm: a constant, then a factor for each thing that is known.
struct Line {
    constant: f64,
    z_above: f64,
    z_below: f64,
    share: f64,
    all: f64,
    features: f64,
    samples: f64,
    listed: f64,
    weight: f64,
    weight_share: f64,
    association: f64,
}

impl Kind {
    fn line(self, classes: usize) -> Line {
        match (self, classes) {
            (Kind::Curved, 2) => CURVED,
            (Kind::Linear, 2) => LINEAR,
            (Kind::Panel, 2) => PANEL,
            (Kind::Curved, _) => CURVED_CLASSES,
            (Kind::Linear, _) => LINEAR_CLASSES,
            (Kind::Panel, _) => PANEL_CLASSES,
        }
    }
}

/// What is known of each listed feature; `scores` are in their order, with the share of the fits that keep
/// each. Where nothing was found, there is the probability that chance does as well.
pub(crate) fn false_alarms(
    listed: &Listed,
    scores: &[(Score, f64)],
    rows: &Rows,
    (dial, nothing_found): (Dial, Option<f64>),
) -> Vec<FeatureCertainty> {
    let line = listed.kind.line(rows.data.classes());
    let (samples, associations) = (rows.copies.len(), associations(rows, &listed.features));
    let size = |count: usize, (least, most): (f64, f64)| (count as f64).clamp(least, most).ln();
    let around = line.constant
        + line.features * size(listed.candidates, CANDIDATES)
        + line.samples * size(samples, SAMPLES)
        + line.listed * size(listed.features.len(), LISTED);
    let false_alarm = |k: usize| {
        let (score, share) = scores[k];
        let z = score.z.clamp(-2.0, 6.0);
        let t = listed.strengths[k].min(8.0);
        let all = f64::from(share == 1.0);
        sigmoid(
            around
                + line.z_above * (z - 2.0).max(0.0)
                + line.z_below * z.min(2.0)
                + (line.share + line.weight_share * t) * share
                + line.all * all
                + line.weight * t
                + line.association * associations[k].min(6.0),
        )
    };
    // As sure as it is that nothing was found.
    let anyway = |alarm: f64| match nothing_found {
        Some(p_value) => 1.0 - (1.0 - alarm) * (1.0 - p_value),
        None => alarm,
    };
    let alarms: Vec<f64> = (0..scores.len()).map(|k| anyway(false_alarm(k))).collect();
    let certain = certain(&alarms, dial.rate, dial.max_false, listed.candidates);
    let one = |k: usize| FeatureCertainty {
        feature: listed.features[k],
        p_value: upper_tail(scores[k].0.z),
        false_alarm: alarms[k],
        // Where nothing was found, nothing is certain.
        certain: certain[k] && nothing_found.is_none(),
        importance: scores[k].0.importance,
        importance_error: scores[k].0.error,
        share: scores[k].1,
    };
    (0..scores.len()).map(one).collect()
}

const CURVED: Line = Line {
    constant: -3.592,
    z_above: -1.061,
    z_below: -0.397,
    share: -1.330,
    all: -0.351,
    features: 0.062,
    samples: 0.729,
    listed: 0.554,
    weight: -0.001,
    weight_share: -0.037,
    association: 0.0,
};

const LINEAR: Line = Line {
    constant: -3.128,
    z_above: -0.439,
    z_below: -0.016,
    share: -0.122,
    all: -0.017,
    features: 0.625,
    samples: 0.519,
    listed: 0.251,
    weight: 0.221,
    weight_share: -1.332,
    association: 0.0,
};

const PANEL: Line = Line {
    constant: 1.531,
    z_above: -0.481,
    z_below: -0.086,
    share: -0.430,
    all: -0.402,
    features: 0.277,
    samples: 0.072,
    listed: 0.000,
    weight: -0.521,
    weight_share: -0.067,
    association: 0.0,
};

const CURVED_CLASSES: Line = Line {
    constant: -3.592,
    z_above: -1.061,
    z_below: -0.397,
    share: -1.330,
    all: -0.351,
    features: 0.062,
    samples: 0.729,
    listed: 0.554,
    weight: -0.001,
    weight_share: -0.037,
    association: 0.0,
};

const LINEAR_CLASSES: Line = Line {
    constant: -3.128,
    z_above: -0.439,
    z_below: -0.016,
    share: -0.122,
    all: -0.017,
    features: 0.625,
    samples: 0.519,
    listed: 0.251,
    weight: 0.221,
    weight_share: -1.332,
    association: 0.0,
};

const PANEL_CLASSES: Line = Line {
    constant: 1.531,
    z_above: -0.481,
    z_below: -0.086,
    share: -0.430,
    all: -0.402,
    features: 0.277,
    samples: 0.072,
    listed: 0.000,
    weight: -0.521,
    weight_share: -0.067,
    association: 0.0,
};
