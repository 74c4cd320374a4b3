//! How likely a listed feature is a false alarm.
//!
//! On sets drawn with known truth it was counted which listed features say nothing, and the log odds of that
//! were fitted as a straight line in what is known of the feature (`reference/make_false_alarms.py`; sets of fourteen
//! families, each judged by what the others had taught, because a line has to hold on designs that nobody drew):
//!
//! - its test z on held-out rows, below 2 and above it;
//! - the share s of the fits on parts of the rows that keep it, and whether all do;
//! - its weight in posterior standard deviations, t, at most 8, and t s;
//! - how it goes along with the classes when it is looked at alone, or (curved, two classes) in a product with one
//!   other, χ of at most 6 (`alone`): a machine that draws noise in has no reason to draw in what goes along,
//!   and one that is right often has;
//! - its likeness r to the feature that is most like it (the largest correlation), and r χ: what goes along with
//!   the classes may do so because another one does;
//! - how many features there were to choose from, how many samples, and how many are listed (logarithms).

use super::alone::{associations, likeness};
use super::score::Score;
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
    likeness: f64,
    likeness_association: f64,
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
    let samples = rows.copies.len();
    let in_pairs = listed.kind == Kind::Curved && rows.data.classes() == 2;
    let associations = associations(rows, &listed.features, in_pairs);
    let likeness = likeness(rows, &listed.features);
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
                + line.likeness * likeness[k]
                + (line.association + line.likeness_association * likeness[k])
                    * associations[k].min(6.0),
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
    constant: -0.806,
    z_above: -0.915,
    z_below: -0.266,
    share: -1.742,
    all: -0.537,
    features: 0.161,
    samples: 0.615,
    listed: 0.166,
    weight: 0.015,
    weight_share: 0.074,
    association: -0.830,
    likeness: -0.538,
    likeness_association: 0.512,
};

const LINEAR: Line = Line {
    constant: -1.405,
    z_above: -0.300,
    z_below: -0.161,
    share: 0.210,
    all: -0.041,
    features: 0.661,
    samples: 0.763,
    listed: -0.286,
    weight: 0.143,
    weight_share: -0.754,
    association: -1.225,
    likeness: -0.762,
    likeness_association: 0.492,
};

const PANEL: Line = Line {
    constant: 0.789,
    z_above: -0.422,
    z_below: -0.115,
    share: 0.365,
    all: -0.118,
    features: 0.516,
    samples: 0.549,
    listed: 0.000,
    weight: -0.252,
    weight_share: -0.326,
    association: -1.205,
    likeness: -0.863,
    likeness_association: 0.190,
};

const CURVED_CLASSES: Line = Line {
    constant: -6.119,
    z_above: -1.125,
    z_below: -0.219,
    share: -0.934,
    all: -0.332,
    features: 0.312,
    samples: 1.066,
    listed: 1.132,
    weight: -0.211,
    weight_share: 0.129,
    association: -0.352,
    likeness: 0.0,
    likeness_association: 0.0,
};

const LINEAR_CLASSES: Line = Line {
    constant: -3.092,
    z_above: -0.555,
    z_below: -0.118,
    share: 0.102,
    all: -0.447,
    features: 0.737,
    samples: 1.386,
    listed: -0.303,
    weight: -0.382,
    weight_share: -0.428,
    association: -1.069,
    likeness: 0.0,
    likeness_association: 0.0,
};

const PANEL_CLASSES: Line = Line {
    constant: -0.928,
    z_above: -0.061,
    z_below: -0.247,
    share: -0.906,
    all: -0.027,
    features: 0.515,
    samples: 0.630,
    listed: 0.000,
    weight: -1.051,
    weight_share: 0.069,
    association: -0.863,
    likeness: 0.0,
    likeness_association: 0.0,
};
