//! A method with fixed settings, or with settings chosen inside each training part.

use crate::Error;
use pfcvm::Dataset;
use pfcvm_eval::{Split, leave_group_out, log_loss, stratified_folds};
use pfcvm_methods::{Fitted, Grid, Learner, Prediction, Refusal, Spec};
use std::cmp::Ordering;

/// Folds inside a training part by which settings are chosen.
const INNER_FOLDS: usize = 5;

/// Settings with their values, one combination of a grid.
pub(crate) type Point = Vec<(String, String)>;

/// Which point of a grid is taken, by what its models do on the inner test rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Fewest errors, then least log loss, then the order of the grid.
    #[default]
    FewestErrors,
    /// Of those whose errors are within one standard error of the fewest, the one that selects the
    /// fewest features on average; then as above. What selects none counts as using all.
    Shortest,
}

/// A method as it takes part in a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    spec: Spec,
    grid: Option<Grid>,
    choice: Choice,
}

impl Contender {
    /// A method with the settings it has.
    pub fn fixed(spec: Spec) -> Self {
        Self { spec, grid: None, choice: Choice::default() }
    }

    /// A method whose settings on the grid are chosen inside each training part, by stratified
    /// cross-validation (where rows have groups, group by group) and by the fewest errors, unless
    /// [`choosing`](Self::choosing) says otherwise.
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
        Ok(Self { spec, grid: Some(grid), choice: Choice::default() })
    }

    /// A method as people ask for it: `NAME[/key=value…]`, texts `key=value` beside it, and, where
    /// settings are to be chosen inside each training part, among what: texts `key=value,value…`, or
    /// the method's own grid if there are none.
    ///
    /// # Errors
    /// If there is no such method, or it cannot have these settings.
    pub fn of_texts(
        method: &str,
        set: &[String],
        among: Option<(&[String], Choice)>,
    ) -> Result<Self, Error> {
        let mut spec: Spec = method.parse()?;
        set.iter().try_for_each(|text| spec.set_text(text))?;
        spec.build()?;
        let Some((texts, choice)) = among else { return Ok(Self::fixed(spec)) };
        let mut grid = if texts.is_empty() { spec.grid() } else { Grid::default() };
        texts.iter().try_for_each(|text| grid.add(text))?;
        Ok(Self::nested(spec, grid)?.choosing(choice))
    }

    /// The same with another rule of choice.
    pub fn choosing(self, choice: Choice) -> Self {
        Self { choice, ..self }
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
        match (&self.grid, self.choice) {
            (None, _) => self.spec.to_string(),
            (Some(_), Choice::FewestErrors) => format!("{} (nested)", self.spec),
            (Some(_), Choice::Shortest) => format!("{} (nested, shortest)", self.spec),
        }
    }

    /// Whether settings are chosen inside the training rows.
    pub(crate) fn chooses(&self) -> bool {
        self.grid.is_some()
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
        let settings = self.choose(spec, grid, train, groups, seed)?;
        let fitted = at_point(spec, &settings)?.build()?.fit(train)?;
        Ok((fitted, Some(settings)))
    }

    /// The point of the grid that the rule takes.
    fn choose(
        &self,
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
        let rows = parts.iter().map(|(_, test)| test.len()).sum();
        let mut scores: Vec<Score> = Vec::new();
        let mut most = f64::INFINITY;
        let mut refusal: Option<Refusal> = None;
        for point in grid.points() {
            let learner = at_point(spec, &point)?.build()?;
            match inner_score(&*learner, &parts, point, most) {
                Ok(Some(score)) => {
                    most = most.min(match self.choice {
                        Choice::FewestErrors => score.errors as f64,
                        Choice::Shortest => allowed(score.errors, rows),
                    });
                    scores.push(score);
                }
                Ok(None) => {}
                // A point that cannot be fitted is not chosen; if none can, the first reason is told.
                Err(reason) => {
                    refusal.get_or_insert(reason);
                }
            }
        }
        scores.retain(|score| score.errors as f64 <= most);
        let order = |a: &Score, b: &Score| {
            let shorter = match self.choice {
                Choice::FewestErrors => Ordering::Equal,
                Choice::Shortest => a.features.cmp(&b.features),
            };
            shorter.then(a.errors.cmp(&b.errors)).then(a.loss.total_cmp(&b.loss))
        };
        match (scores.into_iter().min_by(order), refusal) {
            (Some(score), _) => Ok(score.point),
            (None, Some(reason)) => Err(reason),
            (None, None) => Err("the grid is empty".into()),
        }
    }
}

fn at_point(spec: &Spec, point: &[(String, String)]) -> Result<Spec, pfcvm_methods::Error> {
    let mut spec = spec.clone();
    point.iter().try_for_each(|(key, value)| spec.set(key, value))?;
    Ok(spec)
}

/// What the models of one point did on the inner test rows.
struct Score {
    point: Point,
    errors: usize,
    loss: f64,
    /// Selected features, over all inner folds.
    features: usize,
}

/// As many errors as lie within one standard error of so many of all `rows`.
fn allowed(errors: usize, rows: usize) -> f64 {
    let errors = errors as f64;
    errors + (errors * (1.0 - errors / rows as f64)).sqrt()
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

/// Fits and tests a point on the inner folds. Nothing if it makes more errors than `most`: it
/// cannot be chosen, and its last folds are not worth a fit.
fn inner_score(
    learner: &dyn Learner,
    parts: &[(Dataset, Dataset)],
    point: Point,
    most: f64,
) -> Result<Option<Score>, Refusal> {
    let mut score = Score { point, errors: 0, loss: 0.0, features: 0 };
    for (train, test) in parts {
        let fitted = learner.fit(train)?;
        let Prediction { decision, probability, .. } = fitted.predict(test.x())?;
        let truth = test.positive();
        score.errors += truth.iter().zip(&decision).filter(|(t, f)| **t != (**f >= 0.0)).count();
        if score.errors as f64 > most {
            return Ok(None);
        }
        if let Some(probability) = probability {
            score.loss += log_loss(truth, &probability) * truth.len() as f64;
        }
        score.features +=
            fitted.selected_features().map_or(train.columns().features(), |list| list.len());
    }
    Ok(Some(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfcvm::Matrix;

    /// Two features of ten carry the class, not without overlap.
    fn data() -> Dataset {
        let noise = |i: usize, k: usize| (((i * 31 + k * 17 + i * i * (k + 3)) % 23) as f64) / 11.0;
        let positive = |i: usize| i % 2 == 1;
        let value = |i: usize, k: usize| noise(i, k) + if k < 2 && positive(i) { 0.9 } else { 0.0 };
        Dataset::new(Matrix::from_fn(60, 10, value), (0..60).map(positive).collect()).unwrap()
    }

    fn contender(choice: Choice) -> (Contender, Grid) {
        let mut grid = Grid::default();
        grid.add("c=10,0.1,1,0.01,100").unwrap();
        let spec: Spec = "wsvm/probability=no".parse().unwrap();
        (Contender::nested(spec, grid.clone()).unwrap().choosing(choice), grid)
    }

    /// Every point to its end, then the rule in plain words.
    fn by_hand(choice: Choice, data: &Dataset) -> Point {
        let (contender, grid) = contender(choice);
        let splits = inner_splits(data.positive(), None, 5).unwrap();
        let part = |rows: &[usize]| data.select(rows).unwrap();
        let parts = Vec::from_iter(splits.iter().map(|s| (part(&s.train), part(&s.test))));
        let scores = Vec::from_iter(grid.points().into_iter().map(|point| {
            let learner = at_point(&contender.spec, &point).unwrap().build().unwrap();
            inner_score(&*learner, &parts, point, f64::INFINITY).unwrap().unwrap()
        }));
        let fewest = scores.iter().map(|score| score.errors).min().unwrap();
        let near = |score: &&Score| score.errors as f64 <= allowed(fewest, 60);
        let shortest = scores.iter().filter(near).map(|score| score.features).min().unwrap();
        assert!(scores.iter().any(|score| score.features != shortest), "all lists are alike");
        let taken = scores.iter().find(|score| match choice {
            Choice::FewestErrors => score.errors == fewest,
            Choice::Shortest => near(score) && score.features == shortest,
        });
        taken.unwrap().point.clone()
    }

    #[test]
    fn leaving_early_changes_no_choice() {
        let data = data();
        let chosen = [Choice::FewestErrors, Choice::Shortest].map(|choice| {
            let (contender, _) = contender(choice);
            let chosen = contender.fit(contender.spec(), &data, None, 5).unwrap().1.unwrap();
            assert_eq!(chosen, by_hand(choice, &data), "{choice:?}");
            chosen
        });
        assert_ne!(chosen[0], chosen[1], "the rules were not told apart");
    }

    #[test]
    fn a_standard_error_is_that_of_a_share() {
        assert_eq!(allowed(0, 50), 0.0);
        assert_eq!(allowed(10, 50), 10.0 + 8f64.sqrt());
        // More errors never allow fewer, so that a point that is out stays out.
        assert!((0..50).all(|errors| allowed(errors, 50) <= allowed(errors + 1, 50)));
    }
}
