//! What the machines select, together.

use crate::certainty::Certainty;
use crate::{Error, Matrix};

/// A machine that selects some features and samples and forgets the others.
pub trait Sparse {
    /// The selected features with their weights.
    fn weighted_features(&self) -> Vec<(usize, f64)>;

    /// The selected samples as rows of the training data, with their weights; none where a machine
    /// leans on no samples of its own.
    fn weighted_samples(&self) -> Vec<(usize, f64)>;

    /// What rows that did not train say of it, where they were asked.
    fn certainty(&self) -> Option<&Certainty> {
        None
    }

    /// How far rows are from its samples, where it can tell ([`Model::novelty`](crate::Model::novelty)).
    fn novelty(&self, _: &Matrix) -> Result<Option<Vec<f64>>, Error> {
        Ok(None)
    }

    /// What is not known of the decision values of rows: J, a row for each of them, such that J Jᵀ is their
    /// covariance under the posterior.
    fn directions(&self, x: &Matrix) -> Result<Matrix, Error>;

    /// The columns of the input that the selected features are made from, ascending.
    fn needed_columns(&self) -> Vec<usize>;

    /// The same machine, to predict with, for data that hold nothing but the given columns of the
    /// input, which ascend and have all that are needed among them.
    fn among(&self, columns: &[usize]) -> Self
    where
        Self: Sized;
}

/// How much of all machines' weights a feature or a sample has.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// Column or row, from 0.
    pub index: usize,
    /// How many machines select it.
    pub machines: usize,
    /// Its share of the weights of a machine, on the mean over all machines.
    pub share: f64,
    /// The machine in which its share is largest.
    pub strongest: usize,
    /// Its share there.
    pub largest_share: f64,
}

/// Sums up what machines select, the largest mean share first; each list has what one machine
/// selects, with weights.
///
/// A weight means something only beside the others of its machine, because kernels and scales
/// differ from one machine to the next; so each is first divided by the sum of the magnitudes in
/// its machine. The mean of these shares over all machines (0 where it is not selected) adds up to
/// 1 over everything selected, and grows both with how much one machine leans on it and with how
/// many do. `strongest` says which classes it tells apart.
pub fn shares(machines: &[Vec<(usize, f64)>]) -> Vec<Share> {
    let mut all: Vec<(usize, usize, f64)> = Vec::new();
    for (machine, selected) in machines.iter().enumerate() {
        // Divided by the largest first, so that their sum is finite.
        let largest = selected.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
        let relative = |weight: f64| if largest > 0.0 { weight.abs() / largest } else { 0.0 };
        let sum: f64 = selected.iter().map(|(_, weight)| relative(*weight)).sum();
        let share = |weight: f64| if sum > 0.0 { relative(weight) / sum } else { 0.0 };
        all.extend(selected.iter().map(|(index, weight)| (*index, machine, share(*weight))));
    }
    all.sort_by_key(|(index, machine, _)| (*index, *machine));
    let mut shares: Vec<Share> = all
        .chunk_by(|a, b| a.0 == b.0)
        .map(|of_one| {
            let mut strongest = of_one[0];
            for candidate in of_one {
                if candidate.2 > strongest.2 {
                    strongest = *candidate;
                }
            }
            Share {
                index: strongest.0,
                machines: of_one.len(),
                share: of_one.iter().map(|(_, _, share)| share).sum::<f64>()
                    / machines.len() as f64,
                strongest: strongest.1,
                largest_share: strongest.2,
            }
        })
        .collect();
    shares.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.index.cmp(&b.index)));
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let machines = [vec![(4, 3.0), (7, 1.0)], vec![(7, -2.0)], vec![]];
        let found = shares(&machines);
        let [first, second] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((first.index, first.machines, first.strongest), (7, 2, 1));
        assert!((first.share - 1.25 / 3.0).abs() < 1e-15 && first.largest_share == 1.0);
        assert_eq!((second.index, second.machines, second.strongest), (4, 1, 0));
        assert!((second.share - 0.25).abs() < 1e-15);
    }

    #[test]
    fn nothing_and_the_extremes() {
        assert!(shares(&[]).is_empty() && shares(&[vec![]]).is_empty());
        let found = shares(&[vec![(0, 1e308), (1, 1e308)], vec![(2, 0.0)]]);
        assert_eq!(found[0].share, 0.25);
        assert_eq!((found[2].index, found[2].share), (2, 0.0));
    }
}
