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
//! - how many features there were to choose from, how many samples, and how many are listed (logarithms).

use super::score::Score;
use super::verdict::upper_tail;
use super::{Dial, Listed, Rows};
use crate::algebra::sigmoid;
use crate::certainty::{FeatureCertainty, certain};

/// Sizes that were drawn; beyond them the line is not drawn out.
const CANDIDATES: (f64, f64) = (20.0, 2000.0);
const SAMPLES: (f64, f64) = (60.0, 1000.0);
const LISTED: (f64, f64) = (1.0, 150.0);

/// Which kind of machine lists features.
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
}

impl Kind {
    fn line(self) -> Line {
        match self {
            Kind::Curved => CURVED,
            Kind::Linear => LINEAR,
            Kind::Panel => PANEL,
        }
    }
}

/// What is known of each listed feature; `scores` are in their order, with the share of the fits that
/// keep each.
pub(crate) fn false_alarms(
    listed: &Listed,
    scores: &[(Score, f64)],
    rows: &Rows,
    (dial, nothing_found): (Dial, bool),
) -> Vec<FeatureCertainty> {
    let line = listed.kind.line();
    let size = |count: usize, (least, most): (f64, f64)| (count as f64).clamp(least, most).ln();
    let around = line.constant
        + line.features * size(listed.candidates, CANDIDATES)
        + line.samples * size(rows.copies.len(), SAMPLES)
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
                + line.weight * t,
        )
    };
    let alarms: Vec<f64> = (0..scores.len()).map(false_alarm).collect();
    let certain = certain(&alarms, dial.rate, dial.max_false, listed.candidates);
    let one = |k: usize| FeatureCertainty {
        feature: listed.features[k],
        p_value: upper_tail(scores[k].0.z),
        false_alarm: alarms[k],
        // Where nothing was found, nothing is certain.
        certain: certain[k] && !nothing_found,
        importance: scores[k].0.importance,
        importance_error: scores[k].0.error,
        share: scores[k].1,
    };
    (0..scores.len()).map(one).collect()
}

const CURVED: Line = Line {
    constant: -4.635,
    z_above: -1.016,
    z_below: -0.280,
    share: -1.727,
    all: -0.068,
    features: 0.054,
    samples: 0.870,
    listed: 0.540,
    weight: 0.068,
    weight_share: -0.034,
};

const LINEAR: Line = Line {
    constant: -4.469,
    z_above: -0.557,
    z_below: -0.200,
    share: -0.077,
    all: 0.017,
    features: 0.503,
    samples: 0.922,
    listed: 0.167,
    weight: 0.312,
    weight_share: -1.338,
};

const PANEL: Line = Line {
    constant: 0.283,
    z_above: -0.493,
    z_below: 0.027,
    share: 0.223,
    all: -0.293,
    features: 0.238,
    samples: 0.340,
    listed: 0.000,
    weight: -0.357,
    weight_share: -0.410,
};
