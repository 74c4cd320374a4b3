//! How the halves judge the features of more than two classes.
//!
//! On every half there is a ridge for each class; the ridges share a row of probabilities and one
//! precision for all features, at the largest evidence. The weight of column j for class k is
//! vⱼₖ = Σᵢ xᵢⱼ ρᵢ(tᵢₖ − pᵢₖ) up to a common factor, which is had without ever solving for M weights: inner
//! products of rows are all that the ridges see (`check::condense`). One round is enough; further ones,
//! with precisions that follow what the halves agree on, gave no better lists (`docs/research.md`).

use super::Problem;
use super::check::condense;
use super::list::Judges;
use super::plain::left_open;
use super::rounds::consensus;
use crate::algebra::transpose_times_vector;
use rayon::prelude::*;

/// The ridges of all halves.
pub(super) struct Together<'p> {
    problem: &'p Problem<'p>,
    /// The size of the weights on every half, feature by feature: their length over the columns of the
    /// feature and the classes.
    sizes: Vec<Vec<f64>>,
    /// What the halves agree on.
    pub scores: Vec<f64>,
}

impl<'p> Together<'p> {
    pub fn new(problem: &'p Problem<'p>) -> Self {
        Self { problem, sizes: Vec::new(), scores: vec![0.0; problem.x.features()] }
    }

    /// Sizes of the weights on one half, its log evidence, and the jitter.
    fn on_half(&self, rows: &[usize]) -> Option<(Vec<f64>, f64, f64)> {
        let Problem { settings, x, classes, .. } = self.problem;
        let mut work = settings.work().alone();
        let here = x.values.select_rows(rows);
        let classes = classes.select(rows);
        let (open, evidence) = left_open(&condense(&here, &mut work), &classes, &mut work)?;
        let mut squares = vec![0.0; x.features()];
        for of_class in open.chunks(rows.len()) {
            let v = transpose_times_vector(&here, of_class, &work);
            for (k, square) in squares.iter_mut().enumerate() {
                *square += v[x.spans.of(k)].iter().map(|v| v * v).sum::<f64>();
            }
        }
        Some((squares.iter().map(|square| square.sqrt()).collect(), evidence, work.jitter))
    }
}

impl Judges for Together<'_> {
    fn rounds(&self) -> usize {
        1
    }

    fn advance(&mut self) -> Option<(f64, f64)> {
        let halves = &self.problem.halves;
        let one = |rows: &Vec<usize>| self.on_half(rows);
        let found: Option<Vec<(Vec<f64>, f64, f64)>> = match self.problem.settings.parallel {
            true => halves.par_iter().map(one).collect(),
            false => halves.iter().map(one).collect(),
        };
        let found = found?;
        let evidence = found.iter().map(|(_, evidence, _)| evidence).sum();
        let jitter = found.iter().fold(0.0f64, |most, (.., jitter)| most.max(*jitter));
        self.sizes = found.into_iter().map(|(sizes, ..)| sizes).collect();
        self.scores = consensus(&self.sizes);
        Some((evidence, jitter))
    }

    fn sizes(&self) -> Vec<Vec<f64>> {
        self.sizes.clone()
    }

    fn settle(&mut self) -> usize {
        self.scores.iter().filter(|score| **score > 0.0).count()
    }
}
