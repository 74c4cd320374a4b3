//! What a short list costs, and what more rows would bring, from rows that did not train.
//!
//! A point of either curve is a study of its own: a method that is asked for at most K features, or one
//! that learns from fewer rows, on the same splits. So a list is searched inside each training part, and
//! nothing of the rows that test it has a part in it.

use crate::run::fitted;
use crate::{Contender, Error, Outcome, Study};
use pfcvm::certainty::Certainty;
use pfcvm_eval::{Estimate, Split, class_log_loss, estimate, halvings, shortest};
use pfcvm_methods::{FittedClasses, Refusal, Stored};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows of each class that fewer rows keep: what held-out rows are asked in five parts.
const LEAST_OF_CLASS: usize = 5;
/// Rows that fewer rows keep in all.
const LEAST_ROWS: usize = 20;

/// What lists of some length are worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PricePoint {
    /// At most so many features were asked for; nothing: as many as the method keeps. With 0 the shares
    /// of the classes are all that is known.
    pub size: Option<usize>,
    /// How many were used, on average over the folds.
    pub features: f64,
    /// Mean log loss of the tested rows.
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

/// What so many rows teach.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowsPoint {
    /// Rows to learn from, on average over the folds.
    pub rows: f64,
    /// Features that were used, on average over the folds; nothing for a method that uses all.
    pub features: Option<f64>,
    /// Mean log loss of the tested rows.
    pub log_loss: Estimate,
    /// Share of the tested rows that were called what they are not.
    pub error_rate: Estimate,
    /// Log loss with half as many rows less this one, row by row; nothing for the fewest.
    pub gain: Option<Estimate>,
}

/// What twice the rows would bring, as far as the curve can tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Outlook {
    /// There are too few rows for two points.
    Unknown,
    /// The last doubling brought nothing that could be told from chance.
    Flat,
    /// The last doubling helped, and less than the one before it: the next may bring as much less again.
    Slowing {
        /// So much less log loss.
        gain: f64,
    },
    /// The last doubling helped, and there is no sign that the next would help less.
    Open,
}

/// Log loss and errors against the number of rows to learn from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearningCurve {
    /// The fewest rows first.
    pub points: Vec<RowsPoint>,
    /// What comes after the last.
    pub outlook: Outlook,
    /// Rows that were tested.
    pub tested: usize,
    /// Folds that count: those that could be fitted with every number of rows.
    pub folds: usize,
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

    /// The same with fewer and fewer rows to learn from, the fewest first: half of them, a quarter and so
    /// on, drawn class by class.
    pub fn with_fewer_rows(&self) -> Vec<Self> {
        let all = self.splits.iter().enumerate().map(|(at, split)| {
            let seed = self.seed.wrapping_add(1 + at as u64);
            let mut parts = halvings(self.data.codes(), split, LEAST_OF_CLASS, seed);
            parts.retain(|part| part.train.len() >= LEAST_ROWS || part.train == split.train);
            parts
        });
        let all: Vec<Vec<Split>> = all.collect();
        let steps = all.iter().map(Vec::len).min().unwrap_or(0);
        let at_step = |step: usize| Self {
            name: format!("{} | rows / {}", self.name, 1u64 << step),
            splits: Arc::new(all.iter().map(|parts| parts[step].clone()).collect()),
            ..self.clone()
        };
        (0..steps).rev().map(at_step).collect()
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

/// A feature of a list, with what held-out rows say of it where they were asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListedFeature {
    /// The feature, as numbered in the data.
    pub feature: usize,
    /// Rise of the mean log loss of held-out rows without it.
    pub importance: Option<Estimate>,
    /// How likely it is listed for nothing.
    pub false_alarm: Option<f64>,
}

/// The list of a fit, what is worth most first where that is known.
pub fn listed(fitted: &FittedClasses) -> Vec<ListedFeature> {
    let stored: Vec<Stored> = fitted.machines().map(|(_, machine)| machine.stored()).collect();
    let certainties = stored.iter().map(|stored| match stored {
        Stored::Model(model) => model.certainty(),
        Stored::Panel(panel) => panel.certainty(),
        _ => None,
    });
    let certainties: Vec<Option<&Certainty>> = certainties.collect();
    let known = |feature: usize| -> Option<(Estimate, f64)> {
        let first = (*certainties.first()?)?;
        let at = first.features.iter().position(|one| one.feature == feature)?;
        let own = &first.features[at];
        let estimate = |mean, error| Estimate { mean, error };
        match (&first.shared, certainties.len()) {
            (_, 1) => Some((estimate(own.importance, own.importance_error), own.false_alarm)),
            (Some(shared), _) => {
                let all = shared.features.get(at)?;
                let alarms =
                    certainties.iter().map(|one| Some(one.as_ref()?.features.get(at)?.false_alarm));
                let least = alarms.collect::<Option<Vec<f64>>>()?.into_iter().fold(1.0, f64::min);
                Some((estimate(all.importance, all.importance_error), least))
            }
            _ => None,
        }
    };
    let one = |feature| {
        let (importance, false_alarm) = known(feature).unzip();
        ListedFeature { feature, importance, false_alarm }
    };
    let mut list: Vec<ListedFeature> =
        list_of(fitted).unwrap_or_default().into_iter().map(one).collect();
    let worth = |one: &ListedFeature| one.importance.map_or(f64::NEG_INFINITY, |worth| worth.mean);
    list.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.feature.cmp(&b.feature)));
    list
}

/// The features that any machine selects, ascending; nothing for a method that uses all.
pub fn list_of(fitted: &FittedClasses) -> Option<Vec<usize>> {
    let lists = fitted.machines().map(|(_, machine)| machine.selected_features());
    let mut all = lists.collect::<Option<Vec<_>>>()?.concat();
    all.sort_unstable();
    all.dedup();
    Some(all)
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
        let points = all.iter().zip(&found.differences);
        let points = points.map(|((size, features, tested), difference)| PricePoint {
            size: *size,
            features: *features,
            log_loss: estimate(&tested.loss, groups),
            error_rate: estimate(&tested.wrong, groups),
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

impl LearningCurve {
    /// From studies that differ in rows to learn from only, the fewest first, and what they gave.
    /// Nothing where no fold was fitted with every number of rows, or the method gives no
    /// probabilities.
    pub fn of(studies: &[Study], outcomes: &[Vec<Outcome>]) -> Option<Self> {
        let first = studies.first()?;
        let slices: Vec<&[Outcome]> = outcomes.iter().map(Vec::as_slice).collect();
        let folds = fitted_by_all(&slices);
        let mut before: Option<Tested> = None;
        let mut points: Vec<RowsPoint> = Vec::new();
        for (study, outcomes) in studies.iter().zip(&slices) {
            let tested = Tested::of(study, &folds, outcomes)?;
            let groups = first.groups.as_deref().map(|groups| tested.groups_of_rows(groups));
            let groups = groups.as_deref();
            let trained: usize = folds.iter().map(|&at| study.splits[at].train.len()).sum();
            let gain = before.map(|fewer| {
                let pairs = fewer.loss.iter().zip(&tested.loss);
                estimate(&Vec::from_iter(pairs.map(|(fewer, own)| fewer - own)), groups)
            });
            points.push(RowsPoint {
                rows: trained as f64 / folds.len() as f64,
                features: mean_features(outcomes, &folds),
                log_loss: estimate(&tested.loss, groups),
                error_rate: estimate(&tested.wrong, groups),
                gain,
            });
            before = Some(tested);
        }
        let gains: Vec<Estimate> = points.iter().filter_map(|point| point.gain).collect();
        let tested = before?.loss.len();
        Some(Self { outlook: Outlook::of(&gains), points, tested, folds: folds.len() })
    }
}

impl Outlook {
    /// From what each doubling brought. A gain counts that is above twice its error; it is taken to
    /// shrink by the same factor again where it did shrink.
    fn of(gains: &[Estimate]) -> Self {
        let told = |gain: &Estimate| gain.mean > 2.0 * gain.error;
        match gains {
            [] => Self::Unknown,
            [.., last] if !told(last) => Self::Flat,
            [.., before, last] if told(before) && last.mean < before.mean => {
                Self::Slowing { gain: last.mean * last.mean / before.mean }
            }
            _ => Self::Open,
        }
    }
}

/// Folds that every study has, from 0.
fn fitted_by_all(outcomes: &[&[Outcome]]) -> Vec<usize> {
    let folds = outcomes.first().map_or(0, |first| first.len());
    (0..folds).filter(|&at| outcomes.iter().all(|all| all[at].is_ok())).collect()
}

/// Features used, on average over folds; nothing for a method that uses all.
fn mean_features(outcomes: &[Outcome], folds: &[usize]) -> Option<f64> {
    let lists = fitted(outcomes).into_iter().filter(|(at, _)| folds.contains(at));
    let counts: Vec<usize> =
        lists.map(|(_, fold)| Some(fold.features()?.len())).collect::<Option<_>>()?;
    Some(counts.iter().sum::<usize>() as f64 / counts.len() as f64)
}

/// The shares of the classes among the rows to learn from.
fn shares(study: &Study, split: &Split) -> Vec<f64> {
    let mut counts = vec![0.0; study.data.class_names().len()];
    split.train.iter().for_each(|&row| counts[study.data.codes()[row]] += 1.0);
    counts.iter().map(|count| count / split.train.len() as f64).collect()
}

/// What was said of each row that was tested, rows ascending: the mean where one was tested several times.
struct Tested {
    rows: Vec<usize>,
    loss: Vec<f64>,
    wrong: Vec<f64>,
}

/// Of one test row the probabilities, and what it was called.
type Said = (Vec<f64>, usize);

impl Tested {
    fn of(study: &Study, folds: &[usize], outcomes: &[Outcome]) -> Option<Self> {
        Self::by(study, folds, |_, at| {
            let said = outcomes[at].as_ref().ok()?.predictions.as_ref()?;
            let probability = said.probability.as_ref()?;
            Some(probability.iter().cloned().zip(said.called.iter().copied()).collect())
        })
    }

    fn by(
        study: &Study,
        folds: &[usize],
        said: impl Fn(&Split, usize) -> Option<Vec<Said>>,
    ) -> Option<Self> {
        let mut sums: BTreeMap<usize, (f64, f64, f64)> = BTreeMap::new();
        for &at in folds {
            let split = &study.splits[at];
            for (&row, (probability, called)) in split.test.iter().zip(said(split, at)?) {
                let truth = study.data.codes()[row];
                let sum = sums.entry(row).or_default();
                sum.0 += class_log_loss(&[truth], &[probability]);
                sum.1 += f64::from(u8::from(called != truth));
                sum.2 += 1.0;
            }
        }
        (!sums.is_empty()).then(|| Self {
            rows: sums.keys().copied().collect(),
            loss: sums.values().map(|(loss, _, times)| loss / times).collect(),
            wrong: sums.values().map(|(_, wrong, times)| wrong / times).collect(),
        })
    }

    fn groups_of_rows(&self, groups: &[usize]) -> Vec<usize> {
        self.rows.iter().map(|&row| groups[row]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlook_says_no_more_than_the_gains() {
        let gain = |mean: f64| Estimate { mean, error: 0.01 };
        assert_eq!(Outlook::of(&[]), Outlook::Unknown);
        assert_eq!(Outlook::of(&[gain(0.1), gain(0.015)]), Outlook::Flat);
        assert_eq!(Outlook::of(&[gain(0.1)]), Outlook::Open);
        assert_eq!(Outlook::of(&[gain(0.05), gain(0.06)]), Outlook::Open);
        let Outlook::Slowing { gain: next } = Outlook::of(&[gain(0.08), gain(0.04)]) else {
            panic!("it slows")
        };
        assert!((next - 0.02).abs() < 1e-12);
    }
}
