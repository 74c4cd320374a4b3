//! Probabilities from decisions, by cross-validation within the training rows.

use crate::Error;
use libsvm_rs::probability::{sigmoid_predict, sigmoid_train};
use pfcvm::Dataset;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Folds of the cross-validation that decisions come from.
const FOLDS: usize = 5;

/// p(positive | f) = 1 / (1 + exp(A f + B)) (Platt 2000), A and B by Newton's method as Lin, Lin &
/// Weng (2007) do it, on targets (n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2).
///
/// Where the held-out decisions speak against the classes, A is taken as 0 and the probability is
/// that of the class: a probability that falls as the decision rises is of no use to anyone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Platt {
    slope: f64,
    offset: f64,
}

impl Platt {
    /// From decisions on samples that were held out when they were made.
    pub fn fit(decisions: &[f64], positive: &[bool]) -> Self {
        let signs = Vec::from_iter(positive.iter().map(|&p| if p { 1.0 } else { -1.0 }));
        // In units of the largest decision, which the Newton steps can bear whatever it is.
        let unit = decisions.iter().fold(0.0f64, |most, f| most.max(f.abs()));
        let unit = if unit > 0.0 && unit.is_finite() { unit } else { 1.0 };
        let scaled = Vec::from_iter(decisions.iter().map(|f| f / unit));
        let (slope, offset) = sigmoid_train(&scaled, &signs);
        if slope.is_finite() && offset.is_finite() && slope < 0.0 {
            return Self { slope: slope / unit, offset };
        }
        let count = |class| positive.iter().filter(|&&p| p == class).count() as f64;
        Self { slope: 0.0, offset: ((count(false) + 1.0) / (count(true) + 1.0)).ln() }
    }

    /// A, not above 0.
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// B.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// p(positive | f) for each decision.
    pub fn probabilities(&self, decisions: &[f64]) -> Vec<f64> {
        decisions.iter().map(|&f| sigmoid_predict(f, self.slope, self.offset)).collect()
    }
}

/// The fold of each sample: each class shuffled by the seed and dealt out in turn.
pub(crate) fn folds(positive: &[bool], seed: u64) -> Vec<usize> {
    folds_of(positive, FOLDS.min(positive.len()), seed)
}

pub(crate) fn folds_of(positive: &[bool], count: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut fold = vec![0; positive.len()];
    let mut dealt = 0;
    for class in [false, true] {
        let mut rows = Vec::from_iter((0..positive.len()).filter(|&row| positive[row] == class));
        rows.shuffle(&mut rng);
        for row in rows {
            fold[row] = dealt % count;
            dealt += 1;
        }
    }
    fold
}

/// What to say of samples where all that was seen is of one class: that class, at 1 from the
/// boundary, as LIBSVM has it. Nothing where both were seen.
pub(crate) fn only_class(mut seen: impl Iterator<Item = bool>) -> Option<f64> {
    let first = seen.next()?;
    seen.all(|class| class == first).then_some(if first { 1.0 } else { -1.0 })
}

/// Platt's sigmoid for a method: `decide` learns from the first data set and gives decisions on
/// the second. A sample of weight 0 is left out; others count once, whatever their weight.
pub(crate) fn calibrate(
    data: &Dataset,
    seed: u64,
    decide: impl Fn(&Dataset, &Dataset) -> Result<Vec<f64>, Error>,
) -> Result<Platt, Error> {
    let weights = data.sample_weights();
    let rows = Vec::from_iter((0..data.len()).filter(|&row| weights[row] > 0.0));
    let positive = Vec::from_iter(rows.iter().map(|&row| data.positive()[row]));
    let fold = folds(&positive, seed);
    let mut decisions = vec![0.0; rows.len()];
    for held_out in 0..FOLDS {
        let (tested, trained): (Vec<usize>, Vec<usize>) =
            (0..rows.len()).partition(|&at| fold[at] == held_out);
        if tested.is_empty() {
            continue;
        }
        let part = |at: &[usize]| data.select(&Vec::from_iter(at.iter().map(|&at| rows[at])));
        let found = match only_class(trained.iter().map(|&at| positive[at])) {
            Some(decision) => vec![decision; tested.len()],
            None => match decide(&part(&trained)?, &part(&tested)?) {
                Ok(found) => found,
                // The rows left have no varying column: nothing is known of those held out.
                Err(Error::Data(pfcvm::Error::NoVaryingFeature { .. })) => vec![0.0; tested.len()],
                Err(error) => return Err(error),
            },
        };
        tested.iter().zip(found).for_each(|(&at, decision)| decisions[at] = decision);
    }
    Ok(Platt::fit(&decisions, &positive))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_share_out_both_classes() {
        let positive = Vec::from_iter((0..23).map(|row| row % 4 == 0));
        let fold = folds(&positive, 3);
        for held_out in 0..FOLDS {
            let count =
                |class| (0..23).filter(|&i| fold[i] == held_out && positive[i] == class).count();
            assert!((1..=2).contains(&count(true)) && (3..=4).contains(&count(false)));
        }
        assert_eq!(fold, folds(&positive, 3));
        assert_ne!(fold, folds(&positive, 4));
    }

    #[test]
    fn probabilities_rise_with_decisions_or_stay() {
        let positive = [true, true, false, false, true, false];
        let along = Platt::fit(&[3.0, 1.0, -2.0, 0.5, 2.0, -1.0], &positive);
        assert!(along.slope() < 0.0);
        let p = along.probabilities(&[-1e300, -1.0, 0.0, 1.0, 1e300]);
        assert!(p.is_sorted() && p[0] >= 0.0 && p[4] <= 1.0);
        let against = Platt::fit(&[-3.0, -1.0, 2.0, 0.5, -2.0, 1.0], &positive);
        assert_eq!(against.probabilities(&[-1.0, 1.0]), [0.5, 0.5]);
        assert_eq!(Platt::fit(&[0.0, 0.0], &[true, false]).probabilities(&[4.0]), [0.5]);
    }

    #[test]
    fn units_of_the_decision_do_not_matter() {
        let positive = Vec::from_iter((0..40).map(|i| i * 7 % 10 > 4));
        let f = Vec::from_iter((0..40).map(|i| f64::from(i * 13 % 17) / 9.0 - 0.8));
        let base = Platt::fit(&f, &positive).probabilities(&f);
        for unit in [1e-9, 1e9] {
            let other = Vec::from_iter(f.iter().map(|f| f * unit));
            let found = Platt::fit(&other, &positive).probabilities(&other);
            base.iter().zip(found).for_each(|(a, b)| assert!((a - b).abs() < 1e-9));
        }
    }
}
