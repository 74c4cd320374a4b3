//! A decision that is a sum over samples and features, and how it predicts.

use super::blocks::Blocks;
use crate::relatives::engine::Mode;
use crate::relatives::inputs::Prepared;
use crate::relatives::machine::{Fit, Link, Step, predict_in_blocks};
use crate::{Fitted, Prediction, Refusal, Stored};
use crate::{ascending, renumber};
use pfcvm::algebra::{Work, times_vector};
use pfcvm::data::Scaler;
use pfcvm::posterior::Covariance;
use pfcvm::posterior::{Likelihood, Precision};
use pfcvm::{Error, Kernel, Matrix, Termination};
use serde::{Deserialize, Serialize};

/// Rows predicted at a time.
const BLOCK_ROWS: usize = 1024;

/// Kept ones of one kind: positions, weights, precisions.
#[derive(Clone, Default)]
pub(super) struct Weights {
    pub active: Vec<usize>,
    pub weights: Vec<f64>,
    pub alpha: Vec<f64>,
}

impl Weights {
    pub fn parts(&self) -> (&[usize], &[f64]) {
        (&self.active, &self.weights)
    }

    /// Multiplies the weights; their prior goes along.
    pub fn scale(&mut self, factor: f64) {
        self.weights.iter_mut().for_each(|w| *w *= factor);
        self.alpha.iter_mut().for_each(|a| *a /= factor * factor);
    }

    /// Brings the largest weight to ±1 and returns what it was.
    pub fn scale_to_one(&mut self) -> f64 {
        let largest = self.weights.iter().fold(0.0f64, |m, l| m.max(l.abs()));
        self.scale(1.0 / largest);
        largest
    }
}

/// What a fit has come to: both kinds of weights, and the precision of the bias if there is one.
pub(super) struct Found {
    pub bias: Option<f64>,
    pub samples: Weights,
    pub features: Weights,
    pub trace: Vec<Step>,
    pub termination: Termination,
}

impl Found {
    /// The mode of w given λ once more, and both covariances there.
    pub fn into_fit(
        self,
        prepared: Prepared,
        width: f64,
        work: &mut Work,
    ) -> Result<Fit<Separable>, Error> {
        let Self { bias, samples, features, trace, termination } = self;
        let blocks = Blocks { kernel: prepared.kernel, width, x: &prepared.x, z: &prepared.z };
        let modes = modes(&blocks, &prepared.likelihood, bias, &samples, &features, work);
        let (mut w, by_samples, by_features) = modes.ok_or(Error::NumericalBreakdown)?;
        let bias = bias.map(|_| w.remove(0));
        let model = Separable {
            kernel: prepared.kernel,
            width,
            z: prepared.z.select_rows(&samples.active).select_columns(&features.active),
            samples: samples.active.iter().map(|&j| prepared.candidates[j]).collect(),
            positions: features.active,
            scaler: prepared.scaler,
            w,
            lambda: features.weights,
            bias,
            by_samples,
            by_features,
        };
        Ok(Fit { model, termination, trace })
    }
}

/// The mode of (bias and) w, its covariance, and that of λ.
fn modes(
    blocks: &Blocks,
    likelihood: &Likelihood,
    bias: Option<f64>,
    samples: &Weights,
    features: &Weights,
    work: &mut Work,
) -> Option<(Vec<f64>, Covariance, Covariance)> {
    let mut phi = blocks.sample_columns(&samples.active, features.parts());
    if bias.is_none() {
        phi = without_first(&phi);
    }
    let alpha: Vec<f64> = bias.into_iter().chain(samples.alpha.iter().copied()).collect();
    let start = bias.map(|_| 0.0).into_iter().chain(samples.weights.iter().copied()).collect();
    let mode = Mode::find(&phi, likelihood, &alpha, start, work)?;
    let w = &mode.w[usize::from(bias.is_some())..];
    let slopes = blocks.feature_columns(&features.active, (&samples.active, w));
    let all: Vec<usize> = (0..features.active.len()).collect();
    let precision = Precision::new(
        &without_first(&slopes),
        &mode.curvature,
        &all,
        features.alpha.clone(),
        work,
    )?;
    let by_features = precision.covariance(work);
    Some((mode.w.clone(), mode.precision.covariance(work), by_features))
}

fn without_first(columns: &Matrix) -> Matrix {
    columns.select_columns(&Vec::from_iter(1..columns.cols()))
}

/// A fitted machine: f(x) = b + Σᵢ Σₖ wᵢ λₖ κ(xₖ, xᵢₖ).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Separable {
    kernel: Kernel,
    width: f64,
    scaler: Scaler,
    /// Kept features as positions among the varying columns.
    positions: Vec<usize>,
    /// Kept samples as rows of the training data.
    samples: Vec<usize>,
    /// Their scaled values in the kept features.
    z: Matrix,
    w: Vec<f64>,
    lambda: Vec<f64>,
    bias: Option<f64>,
    /// Of the bias, if there is one, and w.
    by_samples: Covariance,
    by_features: Covariance,
}

impl Separable {
    /// Kept features, as columns of the input, ascending.
    pub fn selected_features(&self) -> Vec<usize> {
        self.positions.iter().map(|&k| self.scaler.columns()[k]).collect()
    }

    /// Their weights λ, of either sign; the largest is ±1.
    pub fn feature_weights(&self) -> &[f64] {
        &self.lambda
    }

    /// Kept samples, as rows of the training data, ascending.
    pub fn selected_samples(&self) -> &[usize] {
        &self.samples
    }

    /// Their weights w, of either sign.
    pub fn sample_weights(&self) -> &[f64] {
        &self.w
    }

    /// The bias.
    pub fn bias(&self) -> f64 {
        self.bias.unwrap_or(0.0)
    }

    /// Decision values, variances and probabilities for rows with the columns of the training
    /// data.
    pub fn predict(&self, x: &Matrix) -> Result<Prediction, Error> {
        predict_in_blocks(&self.scaler, x, BLOCK_ROWS, Link::Logistic, |rows, work| {
            let rows = self.scaler.apply_columns(rows, &self.positions);
            self.predict_block(&rows, work)
        })
    }

    fn predict_block(&self, x: &Matrix, work: &mut Work) -> (Vec<f64>, Vec<f64>) {
        let blocks = Blocks { kernel: self.kernel, width: self.width, x, z: &self.z };
        let samples: Vec<usize> = (0..self.samples.len()).collect();
        let features: Vec<usize> = (0..self.positions.len()).collect();
        let slopes = blocks.feature_columns(&features, (&samples, &self.w));
        let slopes = without_first(&slopes);
        let mut decision = times_vector(&slopes, &self.lambda, work);
        decision.iter_mut().for_each(|f| *f += self.bias());
        let mut phi = blocks.sample_columns(&samples, (&features, &self.lambda));
        if self.bias.is_none() {
            phi = without_first(&phi);
        }
        let by_samples = self.by_samples.variance_along(&phi, work);
        let by_features = self.by_features.variance_along(&slopes, work);
        let variance = by_samples.iter().zip(by_features).map(|(a, b)| a + b).collect();
        (decision, variance)
    }
}

impl Fitted for Fit<Separable> {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(self.model.predict(x)?)
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.model.selected_features())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(self.model.selected_samples())
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        renumber(&mut self.model.samples, rows);
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.model.feature_weights().to_vec())
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.termination, self.trace.len()))
    }

    fn stored(&self) -> Stored {
        Stored::Separable(Box::new(self.clone()))
    }
}
