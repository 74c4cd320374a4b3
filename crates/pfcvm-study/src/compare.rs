//! Which method is better, and whether that is more than chance.

use crate::{Outcome, Study, Summary};
use pfcvm_eval::{
    Better, Friedman, PostHoc, corrected_resampled_t, critical_difference, friedman,
    indistinct_groups, mcnemar,
};
use serde::Serialize;

const LEVEL: f64 = 0.05;

/// One method against another on the same folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// Mean accuracy of the first minus that of the second, over folds that both have.
    pub difference: f64,
    /// Chance of a difference as large, were there none.
    pub p_value: f64,
    /// McNemar's exact test over the rows of one split or of single-row folds, the corrected
    /// resampled t test over several folds.
    pub test: &'static str,
}

/// Compares the accuracies of two methods on the same splits.
pub fn paired(study: &Study, first: &[Outcome], second: &[Outcome]) -> Option<Paired> {
    let both = first.iter().zip(second).enumerate().filter_map(|(at, (a, b))| {
        Some((at, a.as_ref().ok()?.scores.accuracy, b.as_ref().ok()?.scores.accuracy))
    });
    let both: Vec<(usize, f64, f64)> = both.collect();
    if both.is_empty() {
        return None;
    }
    let count = both.len() as f64;
    let differences: Vec<f64> = both.iter().map(|(_, a, b)| a - b).collect();
    let difference = differences.iter().sum::<f64>() / count;
    let by_row = match both.as_slice() {
        [(only, ..)] => row_by_row(study, *only, &first[*only], &second[*only]),
        _ => study.splits.iter().all(|split| split.test.len() == 1).then(|| differences.clone()),
    };
    if let Some(by_row) = by_row {
        let better = |sign: f64| by_row.iter().filter(|d| **d * sign > 0.0).count();
        let p_value = mcnemar(better(1.0), better(-1.0)).exact_p_value;
        return Some(Paired { difference, p_value, test: "McNemar" });
    }
    let ratio = |at: usize| {
        let split = &study.splits[at];
        split.test.len() as f64 / split.train.len() as f64
    };
    let test_to_train = both.iter().map(|(at, ..)| ratio(*at)).sum::<f64>() / count;
    let test = corrected_resampled_t(&differences, test_to_train, 1.0 - LEVEL).ok()?;
    Some(Paired { difference, p_value: test.p_value, test: "corrected resampled t" })
}

/// For each test row of the only split 1 if only the first is right, −1 if only the second is.
fn row_by_row(study: &Study, split: usize, first: &Outcome, second: &Outcome) -> Option<Vec<f64>> {
    let said = |outcome: &Outcome| Some(outcome.as_ref().ok()?.predictions.clone()?.called);
    let (a, b) = (said(first)?, said(second)?);
    let right = |called: usize, truth: usize| f64::from(u8::from(called == truth));
    let truth = study.truth(split).into_iter();
    Some(truth.zip(a.into_iter().zip(b)).map(|(t, (a, b))| right(a, t) - right(b, t)).collect())
}

/// Some methods on one data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The data set.
    pub data: String,
    /// What to call it on a page.
    #[serde(skip)]
    pub title: String,
    /// One for each method.
    pub methods: Vec<Summary>,
    /// Place of the method with the highest accuracy.
    pub best: Option<usize>,
    /// The best against each method; nothing against itself.
    pub against_best: Vec<Option<Paired>>,
}

impl Comparison {
    /// The same with another name for pages.
    pub fn titled(self, title: &str) -> Self {
        Self { title: title.into(), ..self }
    }

    /// Whether a method is not told apart from the best, at the level 0.05.
    pub fn near_best(&self, method: usize) -> bool {
        self.against_best[method].is_some_and(|paired| paired.p_value >= LEVEL)
    }
}

/// Compares studies of the same splits.
pub fn compare(data: &str, studies: &[Study], outcomes: &[Vec<Outcome>]) -> Comparison {
    let methods: Vec<Summary> =
        studies.iter().zip(outcomes).map(|(study, all)| Summary::of(study, all)).collect();
    let accuracy = |at: usize| methods[at].accuracy.map_or(f64::NEG_INFINITY, |a| a.mean);
    // The first of equals.
    let best = (0..methods.len())
        .filter(|at| methods[*at].accuracy.is_some())
        .reduce(|best, at| if accuracy(at) > accuracy(best) { at } else { best });
    let against = |at: usize| {
        let best = best.filter(|best| *best != at)?;
        paired(&studies[at], &outcomes[best], &outcomes[at])
    };
    let against_best = (0..methods.len()).map(against).collect();
    Comparison { data: data.into(), title: data.into(), methods, best, against_best }
}

/// Average ranks over data sets with the tests that belong to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The methods that have a score on every data set.
    pub methods: Vec<String>,
    /// Methods left out because they have none on some.
    pub left_out: Vec<String>,
    /// Average ranks and Friedman's test.
    pub friedman: Friedman,
    /// Ranks must differ by this much, all pairs.
    pub nemenyi: f64,
    /// Ranks must differ by this much from that of one method.
    pub bonferroni_dunn: f64,
    /// Groups of methods that Nemenyi's test does not tell apart, as places among the methods.
    pub groups: Vec<Vec<usize>>,
}

impl Ranking {
    /// Ranks methods over the rows of a table, with tests at the level `alpha`; a missing score
    /// leaves its method out.
    ///
    /// # Errors
    /// For fewer than two methods or two data sets, and if `alpha` is not inside (0, 1).
    pub fn of(
        methods: &[String],
        scores: &[Vec<Option<f64>>],
        better: Better,
        alpha: f64,
    ) -> Result<Self, pfcvm_eval::Error> {
        let complete = |at: usize| scores.iter().all(|row| row[at].is_some_and(f64::is_finite));
        let (used, left): (Vec<usize>, Vec<usize>) =
            (0..methods.len()).partition(|at| complete(*at));
        let table: Vec<Vec<f64>> =
            scores.iter().map(|row| used.iter().filter_map(|&at| row[at]).collect()).collect();
        let friedman = friedman(&table, better)?;
        let difference = |test| critical_difference(test, used.len(), table.len(), alpha);
        let nemenyi = difference(PostHoc::Nemenyi)?;
        let names = |places: &[usize]| places.iter().map(|&at| methods[at].clone()).collect();
        Ok(Self {
            methods: names(&used),
            left_out: names(&left),
            groups: indistinct_groups(&friedman.average_ranks, nemenyi)?,
            nemenyi,
            bonferroni_dunn: difference(PostHoc::BonferroniDunn)?,
            friedman,
        })
    }

    /// Ranks methods by their mean accuracies on some data sets, at the level 0.05; nothing where
    /// there is too little to compare.
    pub fn of_accuracies(comparisons: &[Comparison]) -> Option<Self> {
        let methods = comparisons.first()?.methods.iter().map(|summary| summary.method.clone());
        let row = |comparison: &Comparison| {
            comparison.methods.iter().map(|summary| Some(summary.accuracy?.mean)).collect()
        };
        let scores: Vec<Vec<Option<f64>>> = comparisons.iter().map(row).collect();
        Self::of(&Vec::from_iter(methods), &scores, Better::Higher, LEVEL).ok()
    }
}
