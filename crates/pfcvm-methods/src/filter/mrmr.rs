//! Minimum redundancy, maximum relevance.

use super::{FEATURES, GRID, Ranking, first_of};
use crate::Error;
use crate::catalogue::Takes::Word;
use crate::error::out_of_range;
use crate::prepared::Prepared;
use crate::stop;
use crate::{Entry, Role, Setting};
use pfcvm::Dataset;

/// Levels that a feature is cut into.
const LEVELS: usize = 3;
/// Scores nearer than this are alike: the sums of logarithms behind them differ by rounding.
const ALIKE: f64 = 1e-12;

/// How relevance and redundancy are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MrmrScheme {
    /// Relevance minus redundancy (MID).
    #[default]
    Difference,
    /// Relevance over redundancy (MIQ).
    Quotient,
}

/// The first `count` features by minimum redundancy and maximum relevance (Peng, Long & Ding
/// 2005), one after another, each the one with the largest
///
/// I(x; c) − mean over those chosen of I(x; xᵢ), or I(x; c) / mean of I(x; xᵢ),
///
/// I the mutual information (here in nats) of values cut into three levels at mean ± standard
/// deviation. The first is the most relevant. Scores are those at the moment of the choice; they
/// need not fall. Of features that are alike the lower column goes first; where a quotient has no
/// redundancy, the more relevant. A weight of 2 counts like two copies of the sample, but for
/// where the cuts lie, which every sample moves alike. O(NM · count).
///
/// Use it where many features say the same: it passes over copies of what it has.
pub fn mrmr(data: &Dataset, count: usize, scheme: MrmrScheme) -> Result<Ranking, Error> {
    if count == 0 {
        return Err(out_of_range("features", count, "at least 1"));
    }
    let prepared = Prepared::new(data, true)?;
    let levels = Vec::from_iter(prepared.x.columns().map(levels));
    let classes = Vec::from_iter(prepared.positive.iter().map(|&positive| u8::from(positive)));
    let counter = Counter::new(&levels, &prepared.weights);
    let relevance = counter.with_all(&levels, &classes);
    let mut redundancy = vec![0.0; levels.len()];
    let mut left = Vec::from_iter(0..levels.len());
    let mut ranking = Ranking { features: Vec::new(), scores: Vec::new() };
    while ranking.features.len() < count && !left.is_empty() && !stop::asked() {
        let chosen = ranking.features.len() as f64;
        let score = |j: usize| match (scheme, chosen > 0.0) {
            (_, false) => relevance[j],
            (MrmrScheme::Difference, _) => relevance[j] - redundancy[j] / chosen,
            (MrmrScheme::Quotient, _) => quotient(relevance[j], redundancy[j] / chosen),
        };
        let better = |a: usize, b: usize| match score(a) - score(b) {
            // Two quotients without redundancy.
            apart if apart.is_nan() => relevance[a] > relevance[b] + ALIKE,
            apart => apart > ALIKE,
        };
        let at = (1..left.len()).fold(0, |best, at| match better(left[at], left[best]) {
            true => at,
            false => best,
        });
        let best = left[at];
        ranking.scores.push(score(best));
        ranking.features.push(prepared.scaler.columns()[best]);
        left.remove(at);
        let shared = counter.with_all(&levels, &levels[best]);
        left.iter().for_each(|&j| redundancy[j] += shared[j]);
    }
    Ok(ranking)
}

fn quotient(relevance: f64, redundancy: f64) -> f64 {
    match (relevance > ALIKE, redundancy > ALIKE) {
        (_, true) => relevance / redundancy,
        (true, false) => f64::INFINITY,
        (false, false) => 0.0,
    }
}

/// Standardised values as below −1, between, above 1.
fn levels(column: &[f64]) -> Vec<u8> {
    column.iter().map(|&value| u8::from(value >= -1.0) + u8::from(value > 1.0)).collect()
}

/// Mutual information of every feature with one list of levels.
enum Counter<'a> {
    /// Samples weigh alike: each level of a feature is a set of bits, and n ln n a table.
    Alike { sets: Vec<[Vec<u64>; LEVELS]>, logarithms: Vec<f64> },
    /// By the weights.
    Weighted(&'a [f64]),
}

impl<'a> Counter<'a> {
    fn new(levels: &[Vec<u8>], weights: &'a [f64]) -> Self {
        if weights.iter().any(|weight| *weight != weights[0]) {
            return Self::Weighted(weights);
        }
        let logarithm = |n: usize| if n == 0 { 0.0 } else { n as f64 * (n as f64).ln() };
        Self::Alike {
            sets: levels.iter().map(|levels| sets(levels)).collect(),
            logarithms: (0..=weights.len()).map(logarithm).collect(),
        }
    }

    fn with_all(&self, levels: &[Vec<u8>], other: &[u8]) -> Vec<f64> {
        match self {
            Self::Weighted(weights) => {
                levels.iter().map(|levels| information(levels, other, weights)).collect()
            }
            Self::Alike { sets: all, logarithms } => {
                let other = sets(other);
                all.iter().map(|one| information_of_sets(one, &other, logarithms)).collect()
            }
        }
    }
}

/// The samples of each level as bits.
fn sets(levels: &[u8]) -> [Vec<u64>; LEVELS] {
    let mut sets = [(); LEVELS].map(|()| vec![0u64; levels.len().div_ceil(64)]);
    for (i, level) in levels.iter().enumerate() {
        sets[usize::from(*level)][i / 64] |= 1 << (i % 64);
    }
    sets
}

/// As [`information`] with weights of 1, from n ln n of the counts.
fn information_of_sets(a: &[Vec<u64>; LEVELS], b: &[Vec<u64>; LEVELS], logarithms: &[f64]) -> f64 {
    let (mut of_a, mut of_b, mut sum) = ([0; LEVELS], [0; LEVELS], 0.0);
    for (set_a, count_a) in a.iter().zip(&mut of_a) {
        for (set_b, count_b) in b.iter().zip(&mut of_b) {
            let words = set_a.iter().zip(set_b);
            let both: usize = words.map(|(a, b)| (a & b).count_ones() as usize).sum();
            *count_a += both;
            *count_b += both;
            sum += logarithms[both];
        }
    }
    let total = logarithms.len() - 1;
    let alone: f64 = of_a.iter().chain(&of_b).map(|&count| logarithms[count]).sum();
    ((sum + logarithms[total] - alone) / total as f64).max(0.0)
}

/// Σ p(a, b) ln(p(a, b) / (p(a) p(b))).
fn information(a: &[u8], b: &[u8], weights: &[f64]) -> f64 {
    let mut joint = [[0.0; LEVELS]; LEVELS];
    for i in 0..a.len() {
        joint[usize::from(a[i])][usize::from(b[i])] += weights[i];
    }
    let of_a = joint.map(|row| row.iter().sum::<f64>());
    let of_b: [f64; LEVELS] = std::array::from_fn(|l| joint.iter().map(|row| row[l]).sum());
    let total: f64 = of_a.iter().sum();
    let mut sum = 0.0;
    for (row, &in_row) in joint.iter().zip(&of_a) {
        for (&count, &in_column) in row.iter().zip(&of_b) {
            if count > 0.0 {
                sum += count * (count * total / (in_row * in_column)).ln();
            }
        }
    }
    (sum / total).max(0.0)
}

pub(crate) static ENTRY: Entry = Entry {
    name: "mrmr",
    about: "features that tell about the class and little about each other (Peng 2005)",
    role: Role::Filter,
    settings: &[
        FEATURES,
        Setting {
            key: "scheme",
            default: "mid",
            takes: &[Word("mid"), Word("miq")],
            about: "relevance minus redundancy (mid) or over redundancy (miq)",
        },
    ],
    grid: GRID,
    make: |values| {
        let scheme: String = values.get("scheme")?;
        let scheme = match scheme.as_str() {
            "mid" => MrmrScheme::Difference,
            "miq" => MrmrScheme::Quotient,
            other => return Err(values.bad("scheme", format!("`{other}` is neither mid nor miq"))),
        };
        first_of(values, move |data, count| mrmr(data, count, scheme))
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_of_copies_is_entropy_and_of_independents_nothing() {
        let a = [0, 0, 1, 1, 2, 2, 0, 1];
        let ones = [1.0; 8];
        let entropy = -(2.0 * 0.375 * 0.375f64.ln() + 0.25 * 0.25f64.ln());
        assert!((information(&a, &a, &ones) - entropy).abs() < 1e-14);
        assert_eq!(information(&[0, 0, 1, 1], &[0, 1, 0, 1], &[1.0; 4]), 0.0);
        // Two routes to one number.
        let b = [2, 0, 1, 0, 2, 2, 1, 1];
        let logarithms = Vec::from_iter((0..9).map(|n| f64::from(n) * f64::from(n.max(1)).ln()));
        let found = information_of_sets(&sets(&a), &sets(&b), &logarithms);
        assert!((found - information(&a, &b, &ones)).abs() < 1e-14);
        // Weights are copies.
        let doubled = information(&[0, 0, 1, 0], &[0, 1, 1, 0], &[1.0; 4]);
        assert!((information(&[0, 0, 1], &[0, 1, 1], &[2.0, 1.0, 1.0]) - doubled).abs() < 1e-15);
    }
}
