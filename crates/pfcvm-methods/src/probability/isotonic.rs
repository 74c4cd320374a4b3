//! A rising function of the decision.

use serde::{Deserialize, Serialize};

/// p(positive | f) as the rising function that is nearest to the classes in weighted least squares
/// (Zadrozny & Elkan 2002), by pooling adjacent violators (Ayer et al. 1955).
///
/// Samples with the same decision count as one. Between two decisions that were seen the function
/// is the straight line, beyond the first and the last it stays: scikit-learn's
/// `IsotonicRegression` with `out_of_bounds="clip"`. Probabilities of exactly 0 and 1 are common,
/// and steps make ties; with few samples the sigmoid of [`Platt`](crate::probability::Platt) is the safer one.
///
/// Where the held-out decisions speak against the classes, it is the share of the positive class
/// everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Isotonic {
    /// Decisions, rising, and the probability at each: the function's corners, at least one.
    decisions: Vec<f64>,
    probabilities: Vec<f64>,
}

/// Neighbouring decisions with one probability.
struct Block {
    first: f64,
    last: f64,
    /// Of the positive samples, and of all.
    positive: f64,
    weight: f64,
}

impl Block {
    fn probability(&self) -> f64 {
        (self.positive / self.weight).min(1.0)
    }

    fn join(&mut self, next: &Block) {
        self.last = next.last;
        self.positive += next.positive;
        self.weight += next.weight;
    }
}

impl Isotonic {
    /// From decisions on samples that were held out when they were made, each as long as the
    /// others. A sample counts by its weight; one without a weight above 0 or without a finite
    /// decision is left out. With no sample left every probability is ½.
    pub fn fit(decisions: &[f64], positive: &[bool], weights: &[f64]) -> Self {
        let samples = decisions.iter().zip(positive).zip(weights);
        // Weights matter in proportion only; the largest at 1 keeps every sum finite.
        let largest = weights.iter().fold(0.0f64, |most, weight| most.max(*weight));
        let single = samples.map(|((&f, &positive), &weight)| {
            let weight = weight / largest;
            Block { first: f, last: f, positive: if positive { weight } else { 0.0 }, weight }
        });
        let mut single =
            Vec::from_iter(single.filter(|one| one.first.is_finite() && one.weight > 0.0));
        single.sort_by(|a, b| a.first.total_cmp(&b.first));
        let mut blocks: Vec<Block> = Vec::new();
        // Ties first: their probability is one, whatever the order they come in.
        for one in single {
            match blocks.last_mut() {
                Some(last) if last.last == one.first => last.join(&one),
                _ => blocks.push(one),
            }
        }
        let mut pooled: Vec<Block> = Vec::new();
        for mut block in blocks {
            while let Some(before) = pooled.pop_if(|b| b.probability() >= block.probability()) {
                let mut joined = before;
                joined.join(&block);
                block = joined;
            }
            pooled.push(block);
        }
        let mut corners = Vec::new();
        for block in &pooled {
            corners.push((block.first, block.probability()));
            if block.last > block.first {
                corners.push((block.last, block.probability()));
            }
        }
        if corners.is_empty() {
            corners.push((0.0, 0.5));
        }
        let (decisions, probabilities) = corners.into_iter().unzip();
        Self { decisions, probabilities }
    }

    /// The corners: decisions, rising, and the probability at each.
    pub fn corners(&self) -> impl Iterator<Item = (f64, f64)> {
        self.decisions.iter().copied().zip(self.probabilities.iter().copied())
    }

    /// p(positive | f) for each decision; not a number where the decision is none.
    pub fn probabilities(&self, decisions: &[f64]) -> Vec<f64> {
        decisions.iter().map(|&f| self.probability(f)).collect()
    }

    fn probability(&self, f: f64) -> f64 {
        if f.is_nan() {
            return f;
        }
        let above = self.decisions.partition_point(|corner| *corner < f);
        if above == 0 {
            return self.probabilities[0];
        }
        let below = above - 1;
        if above == self.decisions.len() {
            return self.probabilities[below];
        }
        let (from, to) = (self.decisions[below], self.decisions[above]);
        // By halves, which do not overflow.
        let share = (f / 2.0 - from / 2.0) / (to / 2.0 - from / 2.0);
        let (low, high) = (self.probabilities[below], self.probabilities[above]);
        // Numbers below the smallest normal have no halves.
        let share = if share.is_nan() { 1.0 } else { share.min(1.0) };
        (low + share * (high - low)).clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_what_falls_and_joins_by_lines() {
        let found = Isotonic::fit(
            &[4.0, 1.0, 2.0, 3.0, 5.0],
            &[false, false, true, false, true],
            &[1.0, 1.0, 1.0, 2.0, 1.0],
        );
        // 2, 3 and 4 violate: one positive of four.
        let corners = Vec::from_iter(found.corners());
        assert_eq!(corners, [(1.0, 0.0), (2.0, 0.25), (4.0, 0.25), (5.0, 1.0)]);
        let p = found.probabilities(&[-1e300, 1.5, 3.0, 4.5, 1e300, f64::INFINITY]);
        assert_eq!(p, [0.0, 0.125, 0.25, 0.625, 1.0, 1.0]);
        assert!(found.probabilities(&[f64::NAN])[0].is_nan());
    }

    #[test]
    fn decisions_against_the_classes_give_their_share() {
        let against = Isotonic::fit(&[3.0, 2.0, 1.0], &[false, true, true], &[1.0; 3]);
        assert_eq!(against.probabilities(&[-9.0, 2.5, 9.0]), [2.0 / 3.0; 3]);
        let tied = Isotonic::fit(&[7.0; 4], &[false, true, true, true], &[3.0, 1.0, 0.0, 2.0]);
        assert_eq!(Vec::from_iter(tied.corners()), [(7.0, 0.5)]);
    }

    #[test]
    fn no_input_breaks_it() {
        let nothing = Isotonic::fit(&[], &[], &[]);
        assert_eq!(nothing.probabilities(&[1.0]), [0.5]);
        let hopeless = [f64::NAN, f64::INFINITY, 1.0];
        assert_eq!(Isotonic::fit(&hopeless, &[true; 3], &[1.0, 1.0, 0.0]), nothing);
        for (low, high) in [(-1.7e308, 1.7e308), (0.0, 5e-324), (-5e-324, 5e-324), (-0.0, 1e-310)] {
            let found = Isotonic::fit(&[low, high], &[false, true], &[1e300, 1e-300]);
            let p = found.probabilities(&[-f64::MAX, low, low / 2.0 + high / 2.0, high, f64::MAX]);
            assert!(p.is_sorted() && p.iter().all(|p| (0.0..=1.0).contains(p)), "{p:?}");
            let even = Isotonic::fit(&[low, high], &[false, true], &[1e-300; 2]);
            assert_eq!(even.probabilities(&[low, high]), [0.0, 1.0]);
        }
    }
}
