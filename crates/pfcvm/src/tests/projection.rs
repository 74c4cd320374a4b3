//! What many samples say, said with few: how many, how far off, and that it is a mode. Whole fits are held to
//! `reference/slow_projection.py` elsewhere.

use super::common::{Random, two_gaussians};
use crate::algebra::{Work, last_largest, moderated_softmax};
use crate::posterior::{Classes, Likelihood};
use crate::projection::project;
use crate::settings::{SamplePolicy, Settings};
use crate::state::{Leaning, Problem, State, Weights};
use crate::training::train;
use crate::{Dataset, Kernel, Matrix};
use std::ops::ControlFlow;

const CURVED: [Kernel; 2] = [Kernel::Rbf, Kernel::Polynomial { degree: 2 }];
/// What the file says, in nats.
const DIVERGENCE: f64 = 1e-3;

/// A state of all samples, and the same with few.
struct Both {
    rows: usize,
    classes: Classes,
    all: Vec<Leaning>,
    f: Vec<f64>,
    few: Vec<Leaning>,
    few_f: Vec<f64>,
    /// f after one more step of the few weights: under their precisions, and under those they had among all.
    moved: Vec<f64>,
    moved_under_old: Vec<f64>,
}

impl Both {
    fn of(state: State, work: &mut Work) -> Self {
        let problem = state.problem;
        let (rows, classes) = (problem.x.rows(), problem.likelihood.clone());
        let (all, f) = (state.weights.machines.clone(), state.f.clone());
        let mut state = project(state, work);
        let (few, few_f) = (state.weights.machines.clone(), state.f.clone());
        let mut old = state.weights.clone();
        for (machine, all) in old.machines.iter_mut().zip(&all) {
            machine.alpha[1..].fill(all.alpha[1]);
        }
        let mut under_old = State::resume(problem, old, work);
        under_old.move_samples(work);
        state.move_samples(work);
        let (moved, moved_under_old) = (state.f, under_old.f);
        Self { rows, classes, all, f, few, few_f, moved, moved_under_old }
    }

    /// From a fit of all samples under one precision.
    fn learned(data: &Dataset, kernel: Kernel) -> Self {
        let settings = Settings { samples: SamplePolicy::Dense, ..Settings::new(kernel) };
        let mut watch = |_: &_| ControlFlow::Continue(());
        let canonical = data.canonical();
        let both = train(&canonical.data, &settings, &mut watch, |mut run, course, _| {
            // Machines that take turns may be on their way to the mode yet.
            let mut state = course.state;
            state.settle(&mut run.work);
            Both::of(state, &mut run.work)
        });
        both.unwrap().0
    }

    /// ½ Σ v (f − g)² / Σ ρ of a machine, v with the little that is added.
    fn divergence(&self, k: usize, g: &[f64], f: &[f64]) -> f64 {
        let (own, other) = (self.classes.of(k, f), self.classes.of(k, g));
        let (v, rho) = (self.classes.curvature_of(k, f), self.classes.weights());
        let terms = v.iter().zip(rho).zip(own.iter().zip(other));
        let sum: f64 = terms.map(|((v, rho), (f, g))| (v + 0.01 * rho) * (f - g).powi(2)).sum();
        0.5 * sum / rho.iter().sum::<f64>()
    }

    /// The mean over the rows of Σ p log(p/q), p said with all samples and q with few.
    fn mean_divergence(&self) -> f64 {
        let row = |f: &[f64], i: usize| -> Vec<f64> {
            let of: Vec<f64> = f.iter().skip(i).step_by(self.rows).copied().collect();
            let of = if of.len() == 1 { vec![0.0, of[0]] } else { of };
            moderated_softmax(&of, &vec![0.0; of.len()])
        };
        let of_row = |i: usize| -> f64 {
            let (p, q) = (row(&self.f, i), row(&self.few_f, i));
            p.iter().zip(&q).map(|(p, q)| p * (p / q).ln()).sum()
        };
        (0..self.rows).map(of_row).sum::<f64>() / self.rows as f64
    }

    fn check(&self, what: &str) {
        let most = (self.rows / 10).max(10);
        for (k, (few, all)) in self.few.iter().zip(&self.all).enumerate() {
            let what = format!("{what}, machine {k}");
            let (count, before) = (few.samples.len(), all.samples.len());
            assert!(count <= most && before > 3 * most, "{what}: {count} of {before}");
            assert!(few.samples.is_sorted() && few.w.len() == count + 1, "{what}");
            assert!(few.w[1..].iter().chain(&few.alpha).all(|u| *u > 0.0), "{what}: {:?}", few.w);
            let off = self.divergence(k, &self.few_f, &self.f);
            assert!(off <= DIVERGENCE || count == most, "{what}: {off} with {count}");
            // A step from there does not lead far; under the precisions from before it would.
            let step = self.divergence(k, &self.moved, &self.few_f);
            let old = self.divergence(k, &self.moved_under_old, &self.few_f);
            assert!(step < DIVERGENCE, "{what}: {step}");
            assert!(old > 10.0 * DIVERGENCE || count == 0, "{what}: {old}");
            // The pull of each prior is what it was.
            for (j, sample) in few.samples.iter().enumerate() {
                let at = all.samples.iter().position(|s| s == sample).unwrap();
                let pull = all.alpha[at + 1] * all.w[at + 1];
                assert!((few.alpha[j + 1] * few.w[j + 1] / pull - 1.0).abs() < 1e-12, "{what}");
            }
        }
    }
}

fn two_classes(rows: usize) -> Dataset {
    let (x, positive) = two_gaussians(3, rows, 6, 3, 0.8);
    Dataset::new(Matrix::from_rows(&x), positive).unwrap()
}

fn three_classes(rows: usize) -> Dataset {
    let mut random = Random::new(11);
    let mut x = random.rows(rows, 5);
    let class = |row: &Vec<f64>| {
        let scores = [2.0 * row[0] + row[4], 2.0 * row[1] - row[4], -1.5 * (row[0] + row[1])];
        last_largest(&scores)
    };
    let codes: Vec<usize> = x.iter().map(class).collect();
    // What moved the scores is not shown.
    x.iter_mut().for_each(|row| row.truncate(4));
    let positive = codes.iter().map(|code| *code == 1).collect();
    Dataset::new(Matrix::from_rows(&x), positive).unwrap().in_classes(codes, 3)
}

#[test]
fn few_samples_that_say_nearly_the_same() {
    for kernel in CURVED {
        for rows in [60, 150] {
            let what = format!("{kernel}, {rows} rows");
            let both = Both::learned(&two_classes(rows), kernel);
            both.check(&what);
            // What is bounded is for small differences the divergence of the predictions.
            assert!(both.mean_divergence() < DIVERGENCE, "{what}: {}", both.mean_divergence());
        }
    }
}

#[test]
fn three_machines() {
    for kernel in CURVED {
        let both = Both::learned(&three_classes(105), kernel);
        both.check(&kernel.to_string());
        assert!(both.few.iter().filter(|machine| !machine.samples.is_empty()).count() >= 2);
        // Machine by machine it leaves out that the others move too, which is half of it at most.
        let (found, most) = (both.mean_divergence(), 2.0 * 3.0 * DIVERGENCE);
        assert!(found < most, "{kernel}: {found}");
    }
}

/// Rows that are the same in the features that were kept give columns that are the same, or opposite.
#[test]
fn rows_that_repeat_each_other() {
    let rows = 90;
    let mut random = Random::new(5);
    let x = Matrix::from_fn(rows, 1, |i, _| (i % 4) as f64 / 2.0);
    let signs: Vec<f64> = (0..rows)
        .map(|i| if random.uniform() < 0.2 + 0.2 * (i % 4) as f64 { 1.0 } else { -1.0 })
        .collect();
    let likelihood = Likelihood { signs, weights: vec![1.0; rows] };
    let settings = Settings { standardise: false, ..Settings::new(Kernel::Rbf) };
    let problem = Problem::new(x.into(), likelihood, (0..rows).collect(), vec![false], &settings);
    let w = (0..=rows).map(|j| 0.05 + 0.1 * (j % 7) as f64).collect();
    let machine = Leaning { samples: (0..rows).collect(), w, alpha: vec![1.0; rows + 1] };
    let weights = Weights {
        features: vec![0],
        theta: vec![0.7],
        beta: vec![1.0],
        centre: vec![0.0],
        common_precision: None,
        machines: vec![machine],
    };
    let mut work = Work::new(false);
    let both = Both::of(State::resume(&problem, weights, &mut work), &mut work);
    assert!(both.few[0].samples.len() <= 10, "{:?}", both.few[0].samples);
    assert!(both.divergence(0, &both.few_f, &both.f) <= DIVERGENCE);
}
