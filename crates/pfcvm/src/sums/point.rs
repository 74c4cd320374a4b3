//! Where the weights stand, and what rows say there.

use super::Sums;
use super::total::plus;
use crate::algebra::{self, Work};
use crate::data::Scaler;
use crate::kernel::Kernel;
use crate::matrix::Matrix;
use crate::posterior::{Classes, Columns, Observed, Prior};
use crate::spans::Inputs;
use serde::{Deserialize, Serialize};

/// Rows that are worked on together: few enough that what belongs to them stays close at hand.
const ROWS_AT_ONCE: usize = 1024;

/// Newton steps in which sample weights settle where features are held fast.
const STEPS_TO_SETTLE: usize = 10;

/// The weights of all machines, and how a row becomes what they see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub kernel: Kernel,
    /// How the columns that are asked for become scaled ones.
    pub scaler: Scaler,
    /// One for each feature of the scaler.
    pub theta: Vec<f64>,
    /// Features whose weights are inner coordinates, ascending; the others are absent, at weight 0.
    pub inner: Vec<usize>,
    pub machines: Vec<Stand>,
}

/// What one machine leans on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stand {
    /// Scaled samples.
    pub z: Matrix,
    /// ±1 for each.
    pub signs: Vec<f64>,
    /// Bias first.
    pub w: Vec<f64>,
}

impl Stand {
    fn signed(&self) -> Vec<f64> {
        self.w[1..].iter().zip(&self.signs).map(|(w, s)| w * s).collect()
    }
}

impl Point {
    /// How many coordinates are inner ones: biases and sample weights machine by machine, then features.
    pub fn inner_size(&self) -> usize {
        self.machines.iter().map(|stand| stand.w.len()).sum::<usize>() + self.inner.len()
    }

    fn outer(&self) -> Vec<usize> {
        let absent = |k: &usize| self.inner.binary_search(k).is_err();
        (0..self.theta.len()).filter(absent).collect()
    }

    /// Decision values of scaled rows, one machine after the other, under feature weights spread over columns.
    pub fn decision(&self, x: &Matrix, theta: &[f64], work: &mut Work) -> Vec<f64> {
        let mut f = Vec::with_capacity(x.rows() * self.machines.len());
        for stand in &self.machines {
            let values = self.kernel.values(x, &stand.z, theta, work);
            let own = algebra::times_vector(&values, &stand.signed(), work);
            f.extend(own.into_iter().map(|f| f + stand.w[0]));
        }
        f
    }

    /// The same point with its sample weights settled on scaled rows, under precisions of each machine's.
    pub fn settled_on(
        &self,
        x: &Inputs,
        likelihood: &Classes,
        precisions: &[Vec<f64>],
        work: &mut Work,
    ) -> Self {
        let theta = x.spans.spread(&self.theta);
        let mut settled = self.clone();
        let columns: Vec<Matrix> = (self.machines.iter())
            .map(|stand| {
                let bias = Matrix::from_fn(x.rows(), 1, |_, _| 1.0);
                let mut values = self.kernel.values(&x.values, &stand.z, &theta, work);
                for (j, sign) in stand.signs.iter().enumerate() {
                    values.column_mut(j).iter_mut().for_each(|v| *v *= sign);
                }
                bias.append_columns(&values)
            })
            .collect();
        let mut f: Vec<f64> = (columns.iter().zip(&settled.machines))
            .flat_map(|(phi, stand)| phi.times(&stand.w, work))
            .collect();
        for _ in 0..STEPS_TO_SETTLE {
            let mut all = true;
            for (k, phi) in columns.iter().enumerate() {
                let w = &mut settled.machines[k].w;
                let prior = Prior::new(&precisions[k], 1);
                let step = likelihood.step(k, (phi, 0.0), prior, w, &mut f, work);
                all &= step.is_none_or(|step| step.settled);
            }
            if all {
                break;
            }
        }
        settled
    }

    /// What some rows say, in the columns that are asked for.
    pub fn sums(&self, x: &Matrix, likelihood: &Classes, work: &mut Work) -> Sums {
        let outer = self.outer();
        let mut sums = Sums::none(self.inner_size(), outer.len());
        for start in (0..x.rows()).step_by(ROWS_AT_ONCE) {
            let rows = start..(start + ROWS_AT_ONCE).min(x.rows());
            let part = likelihood.select(&Vec::from_iter(rows.clone()));
            self.add(&x.row_range(rows.start, rows.end), &part, &outer, &mut sums, work);
        }
        sums
    }

    fn add(
        &self,
        x: &Matrix,
        likelihood: &Classes,
        outer: &[usize],
        sums: &mut Sums,
        work: &mut Work,
    ) {
        let (f, slopes) = self.slopes(x, outer, work);
        let j = likelihood.centred(slopes, &f, work);
        let (residual, c) = (likelihood.residual(&f), likelihood.curvature(&f));
        sums.rows += x.rows() as u64;
        sums.weight += likelihood.weights().iter().sum::<f64>();
        sums.log_likelihood += likelihood.log(&f);
        plus(&mut sums.gradient, &algebra::transpose_times_vector(&j, &residual, work));
        let inner = sums.gram.cols();
        let near = j.scaled(&c, &Vec::from_iter(0..inner), work);
        algebra::add_gram(&mut sums.gram, &near, work);
        if outer.is_empty() {
            return;
        }
        let far = j.scaled(&c, &Vec::from_iter(inner..j.cols()), work);
        let cross = algebra::product_tn(&near, &far, work);
        plus(sums.cross.as_mut_slice(), cross.as_slice());
        for (sum, column) in sums.squares.iter_mut().zip(far.columns()) {
            *sum += column.iter().map(|v| v * v).sum::<f64>();
        }
    }

    /// f, and for each machine ∂f/∂u over the weights of all.
    fn slopes(&self, x: &Matrix, outer: &[usize], work: &mut Work) -> (Vec<f64>, Vec<Matrix>) {
        let inputs = self.scaler.inputs_from(x);
        let (x, spans) = (&inputs.values, &inputs.spans);
        let theta = spans.spread(&self.theta);
        let width = self.inner_size() + outer.len();
        let of_samples = self.inner_size() - self.inner.len();
        let (mut f, mut slopes, mut first) = (Vec::new(), Vec::new(), 0);
        for stand in &self.machines {
            let values = self.kernel.values(x, &stand.z, &theta, work);
            let v = stand.signed();
            let own = algebra::times_vector(&values, &v, work);
            f.extend(own.into_iter().map(|f| f + stand.w[0]));
            let mut all = Matrix::zeros(x.rows(), width);
            all.column_mut(first).fill(1.0);
            for (at, (column, sign)) in values.columns().zip(&stand.signs).enumerate() {
                let target = all.column_mut(first + 1 + at).iter_mut().zip(column);
                target.for_each(|(t, k)| *t = sign * k);
            }
            // Samples of weight 0 have no part in how f follows the features.
            let live: Vec<usize> = (0..v.len()).filter(|&at| v[at] != 0.0).collect();
            let z = stand.z.select_rows(&live);
            let live_v: Vec<f64> = live.iter().map(|&at| v[at]).collect();
            let values = values.select_columns(&live);
            let bend = self.kernel.slopes(x, &z, &theta, &values, work);
            let d = spans.sum(self.kernel.derivative(x, &z, &bend, &live_v, work));
            for (at, &feature) in self.inner.iter().chain(outer).enumerate() {
                all.column_mut(of_samples + at).copy_from_slice(d.column(feature));
            }
            first += stand.w.len();
            slopes.push(all);
        }
        (f, slopes)
    }
}
