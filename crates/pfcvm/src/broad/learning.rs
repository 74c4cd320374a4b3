//! How a machine of all features is learned.
//!
//! With L Lᵀ the kernel of m samples among themselves, and Φ = K L⁻ᵀ that of all rows with these, f = b + Φu
//! has the covariance s² ΦΦᵀ for u ~ N(0, s² I), which is s² K where every row is a sample. So a mode in
//! u is that of a Gaussian process (classification after Williams and Barber), and its evidence
//! ℓ(f) − ½|u|²/s² − ½ log|I + s² ΦᵀCΦ| tells which width and which s² suit the rows. Machines that
//! share a row of probabilities take turns, each with its block of the evidence.
//!
//! θ = w / Σ var(x) and s² are looked for on steps of 2 and of 4, going to the best neighbour as long as
//! there is a better one, on no more rows than [`SHAPE_ROWS`]; with each s² the mode is looked for from that of
//! another s² of the same width on. The linear machine has no width; where it has no more columns than samples,
//! Φ are the columns themselves.

use super::Broad;
use crate::algebra::{self, Cholesky, Work};
use crate::data::moments_of;
use crate::posterior::{
    BIAS_PRECISION, Classes, Columns, Observed, Precision, Prior, step_samples,
};
use crate::{Kernel, Matrix};
use std::borrow::Cow;
use std::collections::HashMap;

/// Rows on which the width and the scale are looked for; fewer for each of several machines.
const SHAPE_ROWS: usize = 300;
/// Of which so many are samples at most.
const SHAPE_SAMPLES: usize = 80;
/// At least so many, however many machines there are.
const LEAST_SHAPE_ROWS: usize = 150;
/// The largest w, and how many times it may be halved.
const WIDEST: f64 = 4.0;
const WIDTHS: i32 = 10;
/// s² = 4ʲ with j in these bounds.
const SCALES: (i32, i32) = (-4, 5);
/// Where the search begins: (halvings of w, j).
const START: (i32, i32) = (3, 2);
/// Rounds of Newton steps on the way to a mode.
const MOST_STEPS: usize = 25;
/// Settled when no machine gains more than this, relatively.
const SETTLED: f64 = 1e-5;
/// Operations that a round of steps may cost: with more rows or machines fewer of the rows are samples.
const ROUND_FLOPS: f64 = 1e9;
/// Samples at most.
const MOST_SAMPLES: usize = 500;
/// Part of the mean variance added to the kernel's diagonal: repeated rows make it singular.
const JITTER: f64 = 1e-6;

/// Width and scale of a machine of all features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// θ.
    pub feature_weight: f64,
    /// s².
    pub variance: f64,
}

/// What some of the rows have learned on the way to a shape: where to begin with all of them.
pub(crate) struct Sketch {
    space: Space,
    mode: Mode,
}

/// The width and the scale of the largest evidence, and what they were found with; nothing where none could be had.
pub(crate) fn shape(
    x: &Matrix,
    likelihood: &Classes,
    kernel: Kernel,
    work: &mut Work,
) -> Option<(Shape, Sketch)> {
    let rows = shape_rows(likelihood);
    let (x, likelihood) = (x.select_rows(&rows), likelihood.select(&rows));
    let spread = spread(&x);
    let theta = |halvings: i32| WIDEST * 0.5f64.powi(halvings) / spread;
    let widths = if kernel == Kernel::Linear { START.0..=START.0 } else { 0..=WIDTHS };
    let samples = spread_out(&likelihood, SHAPE_SAMPLES);
    let mut spaces: HashMap<i32, Option<(Space, Option<Mode>)>> = HashMap::new();
    let mut known: HashMap<(i32, i32), f64> = HashMap::new();
    let mut evidence = |at: (i32, i32)| {
        *known.entry(at).or_insert_with(|| {
            let space = spaces.entry(at.0).or_insert_with(|| {
                Space::new(&x, &samples, kernel, theta(at.0), work).map(|space| (space, None))
            });
            let evidence = space.as_mut().and_then(|(space, last)| {
                let settled = Settled::of(space, last.take(), &likelihood, 4f64.powi(at.1), work)?;
                let evidence = settled.log_evidence(&likelihood, work);
                *last = Some(settled.mode);
                evidence
            });
            evidence.unwrap_or(f64::NEG_INFINITY)
        })
    };
    let mut best = (START, evidence(START));
    loop {
        let (width, scale) = best.0;
        let around = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];
        let near = around.map(|(a, b)| (width + a, scale + b));
        let allowed = near.into_iter().filter(|(width, scale)| {
            widths.contains(width) && (SCALES.0..=SCALES.1).contains(scale)
        });
        let before = best.1;
        for at in allowed {
            let value = evidence(at);
            if value > best.1 {
                best = (at, value);
            }
        }
        if best.1 <= before {
            break;
        }
    }
    let ((width, scale), value) = best;
    let shape = Shape { feature_weight: theta(width), variance: 4f64.powi(scale) };
    let (space, mode) = spaces.remove(&width)??;
    value.is_finite().then_some((shape, Sketch { space, mode: mode? }))
}

/// What machines of all features have learned, one for each of the likelihood's.
pub(crate) struct Learned {
    space: Space,
    mode: Mode,
}

/// From scaled rows with all columns, beginning at a sketch if there is one. Nothing where the algebra breaks down.
pub(crate) fn learn(
    x: &Matrix,
    likelihood: &Classes,
    kernel: Kernel,
    (shape, sketch): (Shape, Option<Sketch>),
    work: &mut Work,
) -> Option<Learned> {
    let machines = likelihood.machines.len();
    let affordable = (ROUND_FLOPS / (x.rows() * machines) as f64).sqrt() as usize;
    let samples = spread_out(likelihood, affordable.min(MOST_SAMPLES));
    let space = Space::new(x, &samples, kernel, shape.feature_weight, work)?;
    let start = sketch.and_then(|sketch| space.drawn_after(&sketch, kernel, shape, work));
    let mode = Settled::of(&space, start, likelihood, shape.variance, work)?.mode;
    Some(Learned { space, mode })
}

impl Learned {
    /// The machines.
    pub fn machines(&self, kernel: Kernel, shape: Shape, work: &mut Work) -> Vec<Broad> {
        self.mode.u.iter().map(|u| self.space.machine(u, kernel, shape, work)).collect()
    }

    /// The decision values of all rows, machine after machine, at the modes that are left where rows count
    /// but a share of what they do: for each list of such shares, nothing where the algebra breaks down.
    ///
    /// These modes are close to the one of all rows. So the way to them begins there, under its Hessian less what
    /// the rows have in it that count less: one ΦᵀCΦ of all rows does for all lists.
    pub fn without(
        &self,
        likelihood: &Classes,
        variance: f64,
        shares: &[Vec<f64>],
        work: &mut Work,
    ) -> Vec<Option<Vec<f64>>> {
        let Self { space: Space { phi, .. }, mode } = self;
        let all: Vec<usize> = (0..phi.cols()).collect();
        let curvature: Vec<Vec<f64>> =
            (0..mode.u.len()).map(|k| likelihood.curvature_of(k, &mode.f)).collect();
        let grams: Vec<Matrix> = curvature.iter().map(|c| phi.gram(c, &all, work)).collect();
        work.each(shares.len(), |at, work| {
            let shares = &shares[at];
            let less: Vec<usize> = (0..shares.len()).filter(|&i| shares[i] < 1.0).collect();
            let rows = phi.select_rows(&less);
            let precisions = precisions(variance, phi.cols());
            let known = |(gram, c): (&Matrix, &Vec<f64>)| {
                let lost: Vec<f64> = less.iter().map(|&i| c[i] * (1.0 - shares[i])).collect();
                let mut gram = gram.clone();
                let lost = rows.gram(&lost, &all, work);
                gram.as_mut_slice().iter_mut().zip(lost.as_slice()).for_each(|(g, l)| *g -= l);
                Some(Known { phi, precision: Precision::dense(gram, &precisions, work)? })
            };
            let columns: Vec<Known> =
                grams.iter().zip(&curvature).map(known).collect::<Option<_>>()?;
            let columns: Vec<&Known> = columns.iter().collect();
            let likelihood = likelihood.counting(shares);
            settle(&columns, mode.clone(), &likelihood, &precisions, work).map(|mode| mode.f)
        })
    }
}

/// Φ with an H from elsewhere.
struct Known<'a> {
    phi: &'a Matrix,
    precision: Precision,
}

impl Columns for Known<'_> {
    fn rows(&self) -> usize {
        self.phi.rows()
    }

    fn precision(
        &self,
        _: &[f64],
        _: &[usize],
        _: Vec<f64>,
        _: &mut Work,
    ) -> Option<Cow<'_, Precision>> {
        Some(Cow::Borrowed(&self.precision))
    }

    fn gram(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        self.phi.gram(c, free, work)
    }

    fn scaled(&self, c: &[f64], free: &[usize], work: &mut Work) -> Matrix {
        self.phi.scaled(c, free, work)
    }

    fn times(&self, u: &[f64], work: &mut Work) -> Vec<f64> {
        algebra::times_vector(self.phi, u, work)
    }

    fn transpose_times(&self, r: &[f64], work: &mut Work) -> Vec<f64> {
        algebra::transpose_times_vector(self.phi, r, work)
    }
}

/// The rows on which the width and the scale are looked for.
pub(crate) fn shape_rows(likelihood: &Classes) -> Vec<usize> {
    let most = (SHAPE_ROWS as f64 / (likelihood.machines.len() as f64).sqrt()) as usize;
    spread_out(likelihood, most.max(LEAST_SHAPE_ROWS))
}

/// About so many rows at most, every class in proportion, spread evenly over the order of the rows.
pub(crate) fn spread_out(likelihood: &Classes, most: usize) -> Vec<usize> {
    let rows = likelihood.rows();
    if rows <= most {
        return (0..rows).collect();
    }
    let class = |i: usize| likelihood.machines.iter().position(|m| m.signs[i] > 0.0);
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_key(|&i| class(i));
    let mut taken: Vec<usize> = (0..most).map(|j| order[(2 * j + 1) * rows / (2 * most)]).collect();
    taken.sort_unstable();
    taken
}

/// The sum of the variances of all columns.
fn spread(x: &Matrix) -> f64 {
    let variance = |j| moments_of(x.cells(j)).map_or(0.0, |(_, deviation)| deviation.powi(2));
    (0..x.cols()).map(variance).sum::<f64>().max(1e-300)
}

/// Columns that stand for the kernel.
pub(crate) struct Space {
    /// A column of ones, then Φ.
    phi: Matrix,
    /// What leads from u to coefficients of samples; nothing where u belongs to the columns of x.
    samples: Option<(Matrix, Cholesky)>,
    /// What the columns of x were multiplied by.
    factor: f64,
}

impl Space {
    pub fn new(
        x: &Matrix,
        samples: &[usize],
        kernel: Kernel,
        theta: f64,
        work: &mut Work,
    ) -> Option<Self> {
        let ones = Matrix::from_column_major(x.rows(), 1, vec![1.0; x.rows()]);
        if kernel == Kernel::Linear && x.cols() <= samples.len() {
            let factor = theta.sqrt();
            let mut columns = x.clone();
            columns.as_mut_slice().iter_mut().for_each(|v| *v *= factor);
            return Some(Self { phi: ones.append_columns(&columns), samples: None, factor });
        }
        let z = x.select_rows(samples);
        let weights = vec![theta; x.cols()];
        let mut own = kernel.values(&z, &z, &weights, work);
        let mean = (0..own.rows()).map(|i| own.get(i, i)).sum::<f64>() / own.rows() as f64;
        for i in 0..own.rows() {
            own.set(i, i, own.get(i, i) + JITTER * mean);
        }
        let root = Cholesky::new(own, work)?;
        let mut phi = kernel.values(x, &z, &weights, work);
        root.half_solve_rows(&mut phi, work);
        Some(Self { phi: ones.append_columns(&phi), samples: Some((z, root)), factor: 1.0 })
    }

    /// What comes closest to the decision values of a sketch under the same shape.
    fn drawn_after(
        &self,
        sketch: &Sketch,
        kernel: Kernel,
        shape: Shape,
        work: &mut Work,
    ) -> Option<Mode> {
        let column = |values: &[f64]| Matrix::from_column_major(values.len(), 1, values.to_vec());
        let u: Vec<Vec<f64>> = match (&self.samples, &sketch.space.samples) {
            (None, None) => sketch.mode.u.clone(),
            (Some((z, root)), Some((others, their_root))) => {
                let weights = vec![shape.feature_weight; z.cols()];
                let cross = kernel.values(z, others, &weights, work);
                let mut of_machine = |u: &Vec<f64>| -> Vec<f64> {
                    let c = their_root.half_solve_transposed(&column(&u[1..]), work);
                    let values = algebra::times_vector(&cross, c.column(0), work);
                    let own = root.half_solve(&column(&values), work);
                    std::iter::once(u[0]).chain(own.column(0).iter().copied()).collect()
                };
                sketch.mode.u.iter().map(&mut of_machine).collect()
            }
            _ => return None,
        };
        let f = u.iter().flat_map(|u| algebra::times_vector(&self.phi, u, work)).collect();
        Some(Mode { u, f })
    }

    /// The machine of some coordinates.
    pub fn machine(&self, u: &[f64], kernel: Kernel, shape: Shape, work: &mut Work) -> Broad {
        let along = Matrix::from_column_major(u.len() - 1, 1, u[1..].to_vec());
        let one = |slopes: Vec<f64>| Matrix::from_column_major(1, slopes.len(), slopes);
        let (samples, coefficients) = match &self.samples {
            None => (one(u[1..].iter().map(|u| u * self.factor).collect()), vec![1.0]),
            Some((z, root)) => {
                let c = root.half_solve_transposed(&along, work).column(0).to_vec();
                match kernel {
                    Kernel::Linear => {
                        let sums = algebra::transpose_times_vector(z, &c, work);
                        (one(sums.iter().map(|s| s * shape.feature_weight).collect()), vec![1.0])
                    }
                    _ => (z.clone(), c),
                }
            }
        };
        let feature_weight = if kernel == Kernel::Linear { 1.0 } else { shape.feature_weight };
        Broad { kernel, feature_weight, samples, coefficients, bias: u[0], reach: None }
    }
}

/// Where all machines are.
#[derive(Clone)]
pub(crate) struct Mode {
    /// Coordinates of each machine, the bias first.
    pub u: Vec<Vec<f64>>,
    /// Decision values, machine after machine.
    pub f: Vec<f64>,
}

/// What u has: a wide prior for the bias, then that of f.
fn precisions(variance: f64, size: usize) -> Vec<f64> {
    let mut precisions = vec![1.0 / variance; size];
    precisions[0] = BIAS_PRECISION;
    precisions
}

/// Newton steps under the columns of each machine, the machines in turns, until no one moves.
fn settle(
    columns: &[&impl Columns],
    Mode { mut u, mut f }: Mode,
    likelihood: &Classes,
    precisions: &[f64],
    work: &mut Work,
) -> Option<Mode> {
    let (rows, prior) = (likelihood.rows(), Prior::new(precisions, precisions.len()));
    let objective =
        |u: &[Vec<f64>], f: &[f64]| likelihood.log(f) + u.iter().map(|u| prior.log(u)).sum::<f64>();
    let mut value = objective(&u, &f);
    for _ in 0..MOST_STEPS {
        for (k, machine) in likelihood.machines.iter().enumerate() {
            let offset = likelihood.offset(k, &f);
            let mut own = likelihood.seen_by(k, &f);
            step_samples(columns[k], machine, &prior, (&mut u[k], &mut own), &offset, work);
            own.iter_mut().zip(&offset).for_each(|(f, offset)| *f -= offset);
            f[k * rows..(k + 1) * rows].copy_from_slice(&own);
        }
        let now = objective(&u, &f);
        if !now.is_finite() {
            return None;
        }
        let gain = now - value;
        value = now;
        if gain.abs() < SETTLED * value.abs().max(1.0) {
            break;
        }
    }
    Some(Mode { u, f })
}

/// Modes of all machines.
pub(crate) struct Settled<'a> {
    space: &'a Space,
    precisions: Vec<f64>,
    pub mode: Mode,
}

impl<'a> Settled<'a> {
    /// From 0 on if nothing is known.
    pub fn of(
        space: &'a Space,
        start: Option<Mode>,
        likelihood: &Classes,
        variance: f64,
        work: &mut Work,
    ) -> Option<Self> {
        let size = space.phi.cols();
        let precisions = precisions(variance, size);
        let (rows, machines) = (likelihood.rows(), likelihood.machines.len());
        let nowhere = || Mode { u: vec![vec![0.0; size]; machines], f: vec![0.0; rows * machines] };
        let start = start.unwrap_or_else(nowhere);
        let mode = settle(&vec![&space.phi; machines], start, likelihood, &precisions, work)?;
        Some(Self { space, precisions, mode })
    }

    /// Log evidence; of several machines the sum of their blocks.
    pub fn log_evidence(&self, likelihood: &Classes, work: &mut Work) -> Option<f64> {
        let size = self.precisions.len();
        let prior = Prior::new(&self.precisions, size);
        let all: Vec<usize> = (0..size).collect();
        let log_prior: f64 = self.precisions.iter().map(|a| a.ln()).sum();
        let mut sum = likelihood.log(&self.mode.f);
        for (k, u) in self.mode.u.iter().enumerate() {
            let c = likelihood.curvature_of(k, &self.mode.f);
            let precision =
                Precision::new(&self.space.phi, &c, &all, self.precisions.clone(), work)?;
            sum += prior.log(u) + 0.5 * (log_prior - precision.log_det());
        }
        sum.is_finite().then_some(sum)
    }
}
