//! What a short list costs, and what more rows would bring, from rows that did not train.
//!
//! A point of either curve is a study of its own: a method that is asked for at most K features, or one
//! that learns from fewer rows, on the same splits. So a list is searched inside each training part, and
//! nothing of the rows that test it has a part in it.

mod learning;
mod list;
mod tested;

pub use learning::{LearningCurve, Outlook, RowsPoint};
pub use list::{ListedFeature, NamedFeature, list_of, listed};

use crate::{Contender, Error, Outcome, Study};
use pfcvm_eval::{Estimate, Split, estimate, price_lengths, shortest};
use pfcvm_methods::{FittedClasses, Refusal};
use serde::Serialize;
use tested::{Tested, fitted_by_all, mean_features, shares};

/// Lengths that are tried where a fit on all rows keeps fewer.
const AT_LEAST: usize = 4;

/// What lists of some length are worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PricePoint {
    /// At most so many features were asked for; nothing: as many as the method keeps. With 0 the shares
    /// of the classes are all that is known.
    pub size: Option<usize>,
    /// How many were used, on average over the folds.
    pub features: f64,
    /// Mean log loss of the tested rows; the error is for a model learned from other rows.
    pub log_loss: Estimate,
    /// Share of the tested rows that were called what they are not.
    pub error_rate: Estimate,
    /// Log loss less that of the best length, row by row.
    pub difference: Estimate,
}

/// Log loss and errors against the length of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Price {
    /// The lengths, the shortest first.
    pub points: Vec<PricePoint>,
    /// The place of the length with the least log loss.
    pub best: usize,
    /// The place of the shortest whose difference from the best is within one standard error.
    pub suggested: usize,
    /// Rows that were tested.
    pub rows: usize,
    /// Folds that count: those that could be fitted at every length.
    pub folds: usize,
}

/// The lengths of a curve that nobody has others in mind for, where a fit on all rows keeps so many
/// features: some that grow faster and faster.
pub fn usual_sizes(kept: usize) -> Vec<usize> {
    price_lengths(kept.max(AT_LEAST))
}

impl Study {
    /// The same with a list of at most so many features.
    ///
    /// # Errors
    /// If the method has no setting `size`.
    pub fn at_size(&self, size: usize) -> Result<Self, Error> {
        let contender = Contender::fixed(self.contender.spec().with("size", &size.to_string())?);
        Ok(Self { name: format!("{} | {size} features", self.name), contender, ..self.clone() })
    }

    /// The studies of a curve over lengths: at those that are asked for, or at the [usual ones](usual_sizes)
    /// up to what a fit on all rows keeps.
    ///
    /// # Errors
    /// If the method has no setting `size`.
    pub fn at_sizes(&self, asked: &[usize], kept: usize) -> Result<Lengths, Error> {
        let mut sizes = match asked {
            [] => usual_sizes(kept),
            _ => asked.to_vec(),
        };
        sizes.retain(|size| *size <= self.data.columns().features());
        sizes.sort_unstable();
        sizes.dedup();
        let short: Result<Vec<Self>, Error> =
            sizes.iter().map(|size| self.at_size(*size)).collect();
        let mut studies = short?;
        studies.push(self.clone());
        Ok(Lengths { sizes: sizes.into_iter().map(Some).chain([None]).collect(), studies })
    }

    /// The method fitted on all rows.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn fit_all(&self) -> Result<FittedClasses, Refusal> {
        let rows = Vec::from_iter(0..self.data.len());
        let split = Split { train: rows, test: Vec::new() };
        Ok(crate::fold::learned(self, &split, &self.data, self.seed)?.0)
    }
}

/// Studies that differ in the length of their lists only.
#[derive(Clone, Debug)]
pub struct Lengths {
    /// At most so many features, ascending; the last one without a bound.
    sizes: Vec<Option<usize>>,
    /// In the same order.
    pub studies: Vec<Study>,
}

impl Lengths {
    /// What they cost, from what the studies gave: see [`Price::of`].
    pub fn price(&self, outcomes: &[Vec<Outcome>]) -> Option<Price> {
        let points: Vec<_> = self.sizes.iter().copied().zip(&self.studies).collect();
        let slices: Vec<_> = outcomes.iter().map(Vec::as_slice).collect();
        Price::of(&points, &slices)
    }
}

impl Price {
    /// From studies that differ in length only, the shortest first, the one without a bound last, and
    /// what they gave. What knows nothing but the shares of the classes is put before them. Nothing where
    /// no fold was fitted at every length, or the method gives no probabilities.
    pub fn of(studies: &[(Option<usize>, &Study)], outcomes: &[&[Outcome]]) -> Option<Self> {
        let (_, first) = studies.first()?;
        let folds = fitted_by_all(outcomes);
        let groups = first.groups.as_deref().map(Vec::as_slice);
        let shares = Tested::by(first, &folds, |split, _| {
            let shares = shares(first, split);
            let likeliest =
                (0..shares.len()).rev().max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
            Some(vec![(shares, likeliest?); split.test.len()])
        })?;
        let mut all = vec![(Some(0), 0.0, shares)];
        for ((size, study), outcomes) in studies.iter().zip(outcomes) {
            all.push((
                *size,
                mean_features(outcomes, &folds)?,
                Tested::of(study, &folds, outcomes)?,
            ));
        }
        let losses: Vec<Vec<f64>> = all.iter().map(|(.., tested)| tested.loss.clone()).collect();
        let groups = groups.map(|groups| all[0].2.groups_of_rows(groups));
        let groups = groups.as_deref();
        let found = shortest(&losses, groups)?;
        let trained: usize = folds.iter().map(|&at| first.splits[at].train.len()).sum();
        let (rows, trained) = (losses[0].len() as f64, trained as f64 / folds.len() as f64);
        let points = all.iter().zip(&found.differences);
        let points = points.map(|((size, features, tested), difference)| PricePoint {
            size: *size,
            features: *features,
            log_loss: estimate(&tested.loss, groups).for_other_rows(rows, trained),
            error_rate: estimate(&tested.wrong, groups).for_other_rows(rows, trained),
            difference: *difference,
        });
        Some(Self {
            points: points.collect(),
            best: found.best,
            suggested: found.suggested,
            rows: losses[0].len(),
            folds: folds.len(),
        })
    }

    /// The length that is suggested; nothing: all that the method keeps.
    pub fn suggested_size(&self) -> Option<usize> {
        self.points[self.suggested].size
    }
}
