//! A method with fixed settings, or with settings chosen inside each training part.

use crate::Error;
use pfcvm::Dataset;
use pfcvm_eval::{Split, leave_group_out, log_loss, stratified_folds};
use pfcvm_methods::{Fitted, Grid, Learner, Prediction, Refusal, Spec};

/// Folds inside a training part by which settings are chosen.
const INNER_FOLDS: usize = 5;

/// Settings with their values, one combination of a grid.
pub(crate) type Point = Vec<(String, String)>;

/// A method as it takes part in a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    spec: Spec,
    grid: Option<Grid>,
}

impl Contender {
    /// A method with the settings it has.
    pub fn fixed(spec: Spec) -> Self {
        Self { spec, grid: None }
    }

    /// A method whose settings on the grid are chosen inside each training part, by stratified
    /// cross-validation (where rows have groups, group by group): fewest errors, then least log
    /// loss, then the order of the grid.
    ///
    /// # Errors
    /// If the grid is empty, or one of its points cannot be had.
    pub fn nested(spec: Spec, grid: Grid) -> Result<Self, Error> {
        if grid.is_empty() {
            return Err(pfcvm_methods::Error::NoGrid { method: spec.name() }.into());
        }
        for point in grid.points() {
            at_point(&spec, &point)?.build()?;
        }
        Ok(Self { spec, grid: Some(grid) })
    }

    /// The method with its fixed settings.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What is chosen among, if anything is.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// A name that tells contenders apart.
    pub fn label(&self) -> String {
        match &self.grid {
            Some(_) => format!("{} (nested)", self.spec),
            None => self.spec.to_string(),
        }
    }

    /// Fits the training rows of one machine with `spec`, the method as it is for that machine;
    /// tells which settings were chosen, where there was a choice.
    pub(crate) fn fit(
        &self,
        spec: &Spec,
        train: &Dataset,
        groups: Option<&[usize]>,
        seed: u64,
    ) -> Result<(Box<dyn Fitted>, Option<Point>), Refusal> {
        let Some(grid) = &self.grid else {
            return Ok((spec.build()?.fit(train)?, None));
        };
        let settings = choose(spec, grid, train, groups, seed)?;
        let fitted = at_point(spec, &settings)?.build()?.fit(train)?;
        Ok((fitted, Some(settings)))
    }
}

fn at_point(spec: &Spec, point: &[(String, String)]) -> Result<Spec, pfcvm_methods::Error> {
    let mut spec = spec.clone();
    point.iter().try_for_each(|(key, value)| spec.set(key, value))?;
    Ok(spec)
}

/// The point of the grid with the fewest errors on the inner test rows.
fn choose(
    spec: &Spec,
    grid: &Grid,
    train: &Dataset,
    groups: Option<&[usize]>,
    seed: u64,
) -> Result<Point, Refusal> {
    let splits = inner_splits(train.positive(), groups, seed)?;
    let parts: Vec<(Dataset, Dataset)> = splits
        .iter()
        .map(|split| Ok((train.select(&split.train)?, train.select(&split.test)?)))
        .collect::<Result<_, pfcvm::Error>>()?;
    let mut best: Option<(usize, f64, Point)> = None;
    let mut refusal: Option<Refusal> = None;
    for point in grid.points() {
        let learner = at_point(spec, &point)?.build()?;
        match inner_score(&*learner, &parts) {
            Ok((errors, loss)) => {
                let better = best.as_ref().is_none_or(|(fewest, least, _)| {
                    errors < *fewest || (errors == *fewest && loss < *least)
                });
                if better {
                    best = Some((errors, loss, point));
                }
            }
            // A point that cannot be fitted is not chosen; if none can, the first reason is told.
            Err(reason) => {
                refusal.get_or_insert(reason);
            }
        }
    }
    match (best, refusal) {
        (Some((_, _, point)), _) => Ok(point),
        (None, Some(reason)) => Err(reason),
        (None, None) => Err("the grid is empty".into()),
    }
}

fn inner_splits(
    positive: &[bool],
    groups: Option<&[usize]>,
    seed: u64,
) -> Result<Vec<Split>, pfcvm_eval::Error> {
    // Where leaving out a group would leave one class, groups cannot be kept together.
    if let Some(splits) = groups.and_then(|groups| leave_group_out(positive, groups).ok()) {
        return Ok(splits);
    }
    let members = |class: bool| positive.iter().filter(|p| **p == class).count();
    let folds = INNER_FOLDS.min(members(true)).min(members(false));
    stratified_folds(positive, folds, 1, seed)
}

fn inner_score(
    learner: &dyn Learner,
    parts: &[(Dataset, Dataset)],
) -> Result<(usize, f64), Refusal> {
    let (mut errors, mut loss) = (0, 0.0);
    for (train, test) in parts {
        let Prediction { decision, probability, .. } = learner.fit(train)?.predict(test.x())?;
        let truth = test.positive();
        errors += truth.iter().zip(&decision).filter(|(t, f)| **t != (**f >= 0.0)).count();
        if let Some(probability) = probability {
            loss += log_loss(truth, &probability) * truth.len() as f64;
        }
    }
    Ok((errors, loss))
}
