//! What is selected from fold to fold.

use crate::measure::{CONFIDENCE, moments};
use pfcvm_eval::{mean_jaccard, mean_pearson, selection_frequencies, selection_stability};
use serde::{Serialize, Serializer};

/// How alike selections are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stability {
    /// Mean Jaccard index over pairs.
    pub jaccard: f64,
    /// Standard deviation of the index over pairs.
    pub jaccard_sd: f64,
    /// Mean Pearson correlation over pairs.
    pub pearson: f64,
    /// Standard deviation of the correlation over pairs.
    pub pearson_sd: f64,
    /// The measure of Nogueira, Sechidis and Brown.
    pub nogueira: f64,
    /// Its 95 % interval, cut at 1.
    pub interval: (f64, f64),
}

/// Stability and frequencies of selections among so many features, one selection for each fold;
/// nothing if there are none, or if some fold used all features by the nature of its method.
pub(crate) fn selections(
    subsets: impl Iterator<Item = Option<Vec<usize>>>,
    features: usize,
) -> (Option<Stability>, Option<Vec<f64>>) {
    let subsets = subsets.collect::<Option<Vec<_>>>().filter(|subsets| !subsets.is_empty());
    match subsets {
        None => (None, None),
        Some(subsets) => {
            (Stability::of(&subsets, features), Some(selection_frequencies(&subsets, features)))
        }
    }
}

/// The features that were ever selected, the most frequent first; `shares` has the frequency of
/// each.
pub fn by_frequency(shares: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shares.len()).filter(|&at| shares[at] > 0.0).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    order
}

/// Frequencies as pairs of a feature (from 0) and its share, of those above 0: of thousands of
/// features few are ever selected.
pub(crate) fn above_zero<S: Serializer>(
    shares: &Option<Vec<f64>>,
    out: S,
) -> Result<S::Ok, S::Error> {
    let pairs = shares.as_ref().map(|shares| {
        Vec::from_iter(shares.iter().copied().enumerate().filter(|(_, share)| *share > 0.0))
    });
    pairs.serialize(out)
}

impl Stability {
    fn of(subsets: &[Vec<usize>], features: usize) -> Option<Self> {
        let nogueira = selection_stability(subsets, features, CONFIDENCE).ok()?;
        let (jaccard_sd, pearson_sd) = pair_spreads(subsets, features)?;
        Some(Self {
            jaccard: mean_jaccard(subsets)?,
            jaccard_sd,
            pearson: mean_pearson(subsets, features)?,
            pearson_sd,
            nogueira: nogueira.stability,
            interval: nogueira.interval,
        })
    }
}

/// Standard deviations of both indices over all pairs of subsets, as the paper prints them.
fn pair_spreads(subsets: &[Vec<usize>], features: usize) -> Option<(f64, f64)> {
    let (mut jaccard, mut pearson) = (Vec::new(), Vec::new());
    for (at, a) in subsets.iter().enumerate() {
        for b in &subsets[at + 1..] {
            let pair = [a.clone(), b.clone()];
            jaccard.push(mean_jaccard(&pair)?);
            pearson.push(mean_pearson(&pair, features)?);
        }
    }
    let sd = |values: &[f64]| moments(values).map(|(_, sd)| sd.unwrap_or(0.0));
    Some((sd(&jaccard)?, sd(&pearson)?))
}
