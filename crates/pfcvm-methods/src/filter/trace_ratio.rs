//! Trace ratio criterion.

use super::scatter::{Feature, Scatter, scatters};
use super::{FEATURES, GRID, Ranking, first_of};
use crate::Error;
use crate::error::out_of_range;
use crate::prepared::Counted;
use crate::stop;
use crate::{Entry, Role, Setting, settings};
use pfcvm::Dataset;
use pfcvm::data::moments;

/// Rounds after which the search ends come what may; it takes about five.
const MOST_ROUNDS: usize = 200;

/// A subset of features that is best as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceRatioRanking {
    /// The subset; the scores are what each feature adds to Σ s_b − λ Σ s_w.
    pub ranking: Ranking,
    /// λ: the ratio of the subset, the largest there is among subsets of its size.
    pub ratio: f64,
    /// How often the subset was chosen anew.
    pub rounds: usize,
}

/// The subset I of `count` features with the largest trace ratio (Nie, Xiang, Jia, Zhang & Yan
/// 2008),
///
/// λ(I) = Σ_{j ∈ I} s_b(j) / Σ_{j ∈ I} s_w(j),
///
/// s_b and s_w the scatter between and within the classes (the within and total graphs of the
/// supervised form of the paper). From any I the rounds
///
/// λ ← λ(I), I ← the `count` features, **of all**, with the largest s_b − λ s_w
///
/// raise λ until I stays, and then λ is the global maximum: max_I Σ (s_b − λ s_w) falls
/// strictly in λ and is 0 only there. O(NM) plus O(M log M) a round.
///
/// The scales of the features matter: features that vary more weigh more in both sums. With
/// `standardise` on, s_b + s_w is the same for all (for equal sample weights), so that the best
/// subset is that of the `count` largest Fisher scores; ask for [`fisher`](crate::filter::fisher) then.
/// A weight of 2 counts like two copies of the sample.
///
/// Use it where features share a unit and a subset of known size is wanted.
pub fn trace_ratio(
    data: &Dataset,
    count: usize,
    standardise: bool,
) -> Result<TraceRatioRanking, Error> {
    if count == 0 {
        return Err(out_of_range("features", count, "at least 1"));
    }
    let counted = Counted::new(data)?;
    let features = scatters(&counted)?;
    // In the features' own units, but for a factor common to all, which cancels; or in deviations.
    let least = features.iter().map(|feature| feature.unit).fold(f64::INFINITY, f64::min);
    let factor = |feature: &Feature| match standardise {
        false => least / feature.unit,
        true => {
            let deviation = moments(counted.x.column(feature.column)).map_or(1.0, |m| m.1);
            1.0 / (deviation * feature.unit)
        }
    };
    let scaled = |feature: &Feature| {
        let Scatter { between, within } = feature.scatter;
        let square = factor(feature).powi(2);
        Scatter { between: between * square, within: within * square }
    };
    let columns = Vec::from_iter(features.iter().map(|feature| feature.column));
    Ok(search(&columns, &Vec::from_iter(features.iter().map(scaled)), count))
}

fn search(columns: &[usize], scatters: &[Scatter], count: usize) -> TraceRatioRanking {
    let best = |worth: &dyn Fn(&Scatter) -> f64| {
        let worths = Vec::from_iter(scatters.iter().map(worth));
        Ranking::largest(&worths, count)
    };
    let mut chosen = best(&|scatter| scatter.ratio());
    let mut ratio = ratio_of(scatters, &chosen.features);
    let mut rounds = 1;
    while ratio.is_finite() && rounds < MOST_ROUNDS && !stop::asked() {
        let next = best(&|scatter| scatter.between - ratio * scatter.within);
        let raised = ratio_of(scatters, &next.features);
        rounds += 1;
        chosen = next;
        if raised <= ratio {
            break;
        }
        ratio = raised;
    }
    let features = chosen.features.iter().map(|&at| columns[at]).collect();
    let ranking = Ranking { features, scores: chosen.scores };
    TraceRatioRanking { ranking, ratio, rounds }
}

fn ratio_of(scatters: &[Scatter], chosen: &[usize]) -> f64 {
    let between = chosen.iter().map(|&at| scatters[at].between).sum();
    let within = chosen.iter().map(|&at| scatters[at].within).sum();
    Scatter { between, within }.ratio()
}

pub(crate) static ENTRY: Entry = Entry {
    name: "trc",
    about: "the subset with the largest ratio of scatter between over within classes (Nie 2008)",
    role: Role::Filter,
    settings: &[
        FEATURES,
        Setting {
            default: "no",
            about: "whether features are scaled first: yes or no; with yes the subset is Fisher's",
            ..settings::STANDARDISE
        },
    ],
    grid: GRID,
    make: |values| {
        let standardise = values.flag("standardise")?;
        first_of(values, move |data, count| Ok(trace_ratio(data, count, standardise)?.ranking))
    },
};
