//! A golden point: data and values of every parameter, as the engine holds them.

use super::common::{Random, indices, numbers, table};
use crate::algebra::Work;
use crate::basis::{Basis, STORED_BYTES};
use crate::posterior::{Laplace, Likelihood, Observed, Prior};
use crate::settings::{Settings, Truncation};
use crate::state::{Leaning, Problem, State, Weights};
use crate::{Kernel, Matrix, Model};
use serde_json::Value;

pub(super) struct Point {
    pub kernel: Kernel,
    pub x: Matrix,
    pub signs: Vec<f64>,
    pub row_weights: Vec<f64>,
    /// Rows in the basis.
    pub samples: Vec<usize>,
    pub theta: Vec<f64>,
    /// Bias first, as in `alpha`.
    pub w: Vec<f64>,
    pub alpha: Vec<f64>,
    pub beta: Vec<f64>,
}

pub(super) const KERNELS: [Kernel; 4] = [
    Kernel::Rbf,
    Kernel::Linear,
    Kernel::Polynomial { degree: 2 },
    Kernel::Polynomial { degree: 3 },
];

pub(super) const TRUNCATIONS: [Truncation; 2] =
    [Truncation::Exact, Truncation::Sigmoid { lambda: 5.0 }];

pub(super) fn kernel(value: &Value) -> Kernel {
    match value["kind"].as_str().unwrap() {
        "rbf" => Kernel::Rbf,
        "linear" => Kernel::Linear,
        "polynomial" => Kernel::Polynomial { degree: value["order"].as_u64().unwrap() as u32 },
        other => panic!("unknown kernel {other}"),
    }
}

impl Point {
    pub fn read(value: &Value) -> Self {
        Self {
            kernel: kernel(&value["kernel"]),
            x: Matrix::from_rows(&table(&value["x"])),
            signs: numbers(&value["y"]),
            row_weights: numbers(&value["sample_weights"]),
            samples: indices(&value["basis"]),
            theta: numbers(&value["theta"]),
            w: numbers(&value["w"]),
            alpha: numbers(&value["alpha"]),
            beta: numbers(&value["beta"]),
        }
    }

    /// Values that are no mode of anything.
    pub fn random(kernel: Kernel, seed: u64, rows: usize, cols: usize, basis: usize) -> Self {
        let mut random = Random::new(seed);
        let x = Matrix::from_rows(&random.rows(rows, cols));
        let mut between = |n: usize, low: f64, high: f64| -> Vec<f64> {
            (0..n).map(|_| low + (high - low) * random.uniform()).collect()
        };
        Self {
            kernel,
            x,
            signs: (0..rows).map(|i| if (i * i).is_multiple_of(3) { 1.0 } else { -1.0 }).collect(),
            row_weights: between(rows, 0.3, 2.0),
            samples: (0..basis).map(|j| j * rows / basis).collect(),
            theta: between(cols, 0.05, 0.4),
            w: between(basis + 1, 0.1, 1.2),
            alpha: between(basis + 1, 0.2, 3.0),
            beta: between(cols, 0.5, 6.0),
        }
    }

    pub fn likelihood(&self) -> Likelihood {
        Likelihood { signs: self.signs.clone(), weights: self.row_weights.clone() }
    }

    pub fn sample_signs(&self) -> Vec<f64> {
        self.samples.iter().map(|&j| self.signs[j]).collect()
    }

    pub fn basis(&self, work: &mut Work) -> Basis {
        let (x, theta) = (self.x.clone(), self.theta.clone());
        let given = (self.sample_signs(), theta);
        Basis::new(STORED_BYTES, self.kernel, x.into(), &self.samples, given, work)
    }

    pub fn sample_prior(&self, truncation: Truncation) -> Prior<'_> {
        Prior { precisions: &self.alpha, means: &[], truncation, first: 1 }
    }

    pub fn feature_prior(&self, truncation: Truncation) -> Prior<'_> {
        Prior { precisions: &self.beta, means: &[], truncation, first: 0 }
    }

    pub fn settings(&self, truncation: Truncation) -> Settings {
        Settings { truncation, standardise: false, ..Settings::new(self.kernel) }
    }

    pub fn problem(&self, truncation: Truncation) -> Problem {
        let settings = self.settings(truncation);
        let none = vec![false; self.x.cols()];
        Problem::new(
            self.x.clone().into(),
            self.likelihood(),
            self.samples.clone(),
            none,
            &settings,
        )
    }

    pub fn weights(&self) -> Weights {
        Weights {
            features: (0..self.x.cols()).collect(),
            theta: self.theta.clone(),
            beta: self.beta.clone(),
            centre: vec![0.0; self.x.cols()],
            common_precision: None,
            machines: vec![Leaning {
                samples: self.samples.clone(),
                w: self.w.clone(),
                alpha: self.alpha.clone(),
            }],
        }
    }

    pub fn state<'p>(&self, problem: &'p Problem, work: &mut Work) -> State<'p> {
        State::resume(problem, self.weights(), work)
    }
}

/// The whole of a symmetric matrix given by its lower triangle.
pub(super) fn symmetric(lower: &Matrix) -> Vec<Vec<f64>> {
    let n = lower.rows();
    (0..n).map(|i| (0..n).map(|j| lower.get(i.max(j), i.min(j))).collect()).collect()
}

/// Solves A x = b by elimination with pivoting: slow, and nobody else's code.
pub(super) fn solve(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut rows: Vec<Vec<f64>> =
        a.iter().zip(b).map(|(row, b)| row.iter().copied().chain([*b]).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
        rows.swap(k, pivot);
        let (top, below) = rows.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / top[k][k];
            for c in k..=n {
                row[c] -= factor * top[k][c];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|c| rows[k][c] * rows[c][n]).sum();
        rows[k][n] = (rows[k][n] - known) / rows[k][k];
    }
    rows.iter().map(|row| row[n]).collect()
}

/// The Laplace approximations of both halves at the given weights.
pub(super) fn laplace(state: &State, work: &mut Work) -> (Laplace, Laplace) {
    let c = state.problem.likelihood.curvature(&state.f);
    let (machine, theta) = (&state.weights.machines[0], &state.weights.theta);
    let slopes = state.bases[0].derivative(&machine.w, work);
    let prior = machine.prior(state.problem.truncation);
    let samples = Laplace::at(&state.bases[0], &c, &machine.w, &prior, work).unwrap();
    let features = Laplace::at(&slopes, &c, theta, &state.feature_prior(), work).unwrap();
    (samples, features)
}

/// Kept samples with their weights and precisions, in the order of the rows.
pub(super) fn by_row(model: &Model) -> (Vec<usize>, Vec<f64>, Vec<f64>) {
    let mut order: Vec<usize> = (0..model.samples.len()).collect();
    order.sort_by_key(|&j| model.samples[j]);
    let pick = |values: &[f64]| order.iter().map(|&j| values[j]).collect::<Vec<f64>>();
    let samples = order.iter().map(|&j| model.samples[j]).collect();
    (samples, pick(model.sample_weights()), pick(model.sample_precisions()))
}
