//! Probabilities from decisions, by cross-validation within the training rows.

mod isotonic;
mod platt;

pub use isotonic::Isotonic;
pub use platt::Platt;

use crate::Error;
use crate::stop::wanted;
use pfcvm::Dataset;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// Folds of the cross-validation that decisions come from.
const FOLDS: usize = 5;

/// Whether probabilities are learned beside the decisions, at the price of five more fits, and how.
///
/// Either way they rise with the decision or stay, and neither way they promise to be at or above ½
/// just where the decision is at or above 0: the class is said by the decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Probability {
    /// They are not: decisions only.
    No,
    /// A sigmoid with two parameters ([`Platt`]): the choice where samples are few.
    #[default]
    Platt,
    /// A rising function of any form ([`Isotonic`]): the choice where samples number in the
    /// thousands.
    Isotonic,
}

impl FromStr for Probability {
    type Err = String;

    /// `platt`, `isotonic` or `no`; `yes` is another word for `platt`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "no" => Ok(Probability::No),
            "platt" | "yes" => Ok(Probability::Platt),
            "isotonic" => Ok(Probability::Isotonic),
            _ => Err("it must be platt, isotonic or no".into()),
        }
    }
}

impl Display for Probability {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Probability::No => "no",
            Probability::Platt => "platt",
            Probability::Isotonic => "isotonic",
        })
    }
}

/// The way from decisions to probabilities that a fit has learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Calibration {
    /// A sigmoid.
    Platt(Platt),
    /// A rising function with corners.
    Isotonic(Isotonic),
}

impl Calibration {
    /// p(positive | f) for each decision.
    pub fn probabilities(&self, decisions: &[f64]) -> Vec<f64> {
        match self {
            Calibration::Platt(platt) => platt.probabilities(decisions),
            Calibration::Isotonic(isotonic) => isotonic.probabilities(decisions),
        }
    }
}

impl Probability {
    /// From decisions on samples that were held out when they were made. The sigmoid counts each
    /// sample once, whatever its weight.
    pub(crate) fn learn(
        self,
        decisions: &[f64],
        positive: &[bool],
        weights: &[f64],
    ) -> Option<Calibration> {
        match self {
            Probability::No => None,
            Probability::Platt => Some(Calibration::Platt(Platt::fit(decisions, positive))),
            Probability::Isotonic => {
                Some(Calibration::Isotonic(Isotonic::fit(decisions, positive, weights)))
            }
        }
    }

    /// For a method that `decide` stands for: it learns from the first data set and gives
    /// decisions on the second. A sample of weight 0 is left out.
    pub(crate) fn calibrate(
        self,
        data: &Dataset,
        seed: u64,
        decide: impl Fn(&Dataset, &Dataset) -> Result<Vec<f64>, Error>,
    ) -> Result<Option<Calibration>, Error> {
        if self == Probability::No {
            return Ok(None);
        }
        let weights = data.sample_weights();
        let rows = Vec::from_iter((0..data.len()).filter(|&row| weights[row] > 0.0));
        let positive = Vec::from_iter(rows.iter().map(|&row| data.positive()[row]));
        let fold = folds(&positive, seed);
        let mut decisions = vec![0.0; rows.len()];
        for held_out in wanted(0..FOLDS) {
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
                    Err(Error::Data(pfcvm::Error::NoVaryingFeature { .. })) => {
                        vec![0.0; tested.len()]
                    }
                    Err(error) => return Err(error),
                },
            };
            tested.iter().zip(found).for_each(|(&at, decision)| decisions[at] = decision);
        }
        let weights = Vec::from_iter(rows.iter().map(|&row| weights[row]));
        Ok(self.learn(&decisions, &positive, &weights))
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
    fn texts_read_back() {
        for way in [Probability::No, Probability::Platt, Probability::Isotonic] {
            assert_eq!(way.to_string().parse(), Ok(way));
        }
        assert_eq!("yes".parse(), Ok(Probability::default()));
        assert!("maybe".parse::<Probability>().is_err());
    }
}
