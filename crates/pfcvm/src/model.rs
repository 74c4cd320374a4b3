//! What is kept of a fit, and how it predicts (`sec:PFCVM:MP`, with the variance of θ beside that of
//! w).

mod linear;
mod novelty;

pub use linear::LinearForm;

use crate::algebra::{self, Work, moderated_all, sigmoid};
use crate::broad::Broad;
use crate::certainty::Certainty;
use crate::data::Scaler;
use crate::posterior::{BIAS_PRECISION, Covariance};
use crate::spans::Spans;
use crate::stored::{Checked, ascending, checked_when_read, length, numbers};
use crate::{Error, Kernel, Matrix};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Rows predicted at a time by one thread.
const BLOCK_ROWS: usize = 512;

/// A fitted classifier: the kept samples and features, their weights and what is known of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Model {
    pub(crate) kernel: Kernel,
    pub(crate) scaler: Scaler,
    /// Kept features as positions among the scaler's features.
    pub(crate) positions: Vec<usize>,
    /// Kept features as numbered in the input.
    pub(crate) features: Vec<usize>,
    #[serde(rename = "feature_weights")]
    pub(crate) theta: Vec<f64>,
    #[serde(rename = "feature_precisions")]
    pub(crate) beta: Vec<f64>,
    pub(crate) feature_covariance: Covariance,
    /// Nothing for models stored before this was known.
    #[serde(default, rename = "feature_losses")]
    pub(crate) feature_worth: Option<Vec<f64>>,
    /// Kept samples as rows of the training data.
    pub(crate) samples: Vec<usize>,
    /// Scaled values of the kept samples in the kept features.
    #[serde(rename = "sample_values")]
    pub(crate) z: Matrix,
    #[serde(rename = "sample_signs")]
    pub(crate) signs: Vec<f64>,
    /// Bias first.
    #[serde(rename = "sample_weights")]
    pub(crate) w: Vec<f64>,
    /// Bias first.
    #[serde(rename = "sample_precisions")]
    pub(crate) alpha: Vec<f64>,
    pub(crate) sample_covariance: Covariance,
    /// The distance within which 99 of 100 training rows have a remembered sample other than themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reach: Option<f64>,
    /// What rows that did not train say of it, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) certainty: Option<Certainty>,
    /// A machine of all features whose decision values are added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) broad: Option<Broad>,
}

/// What a model says about new rows.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Prediction {
    /// Decision value f.
    pub decision: Vec<f64>,
    /// Posterior variance of f from the sample weights.
    pub variance_samples: Vec<f64>,
    /// Posterior variance of f from the feature weights.
    pub variance_features: Vec<f64>,
    /// Their sum.
    pub variance: Vec<f64>,
    /// Probability of the positive class, the logistic function averaged over the posterior of f.
    pub probability: Vec<f64>,
}

impl Prediction {
    /// The probability at the mode, σ(f), which takes no account of what is uncertain.
    pub fn plain_probability(&self) -> Vec<f64> {
        self.decision.iter().map(|f| sigmoid(*f)).collect()
    }

    /// Whether each row is put in the positive class: f ≥ 0.
    pub fn positive(&self) -> Vec<bool> {
        self.decision.iter().map(|f| *f >= 0.0).collect()
    }

    fn with_capacity(rows: usize) -> Self {
        let room = || Vec::with_capacity(rows);
        Self {
            decision: room(),
            variance_samples: room(),
            variance_features: room(),
            variance: room(),
            probability: room(),
        }
    }

    fn append(&mut self, other: Prediction) {
        self.decision.extend(other.decision);
        self.variance_samples.extend(other.variance_samples);
        self.variance_features.extend(other.variance_features);
        self.variance.extend(other.variance);
        self.probability.extend(other.probability);
    }
}

impl Model {
    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How inputs are scaled.
    pub fn scaler(&self) -> &Scaler {
        &self.scaler
    }

    /// Kept features, ascending: columns of the input, or [features](crate::data::Columns) of several
    /// columns.
    pub fn selected_features(&self) -> &[usize] {
        &self.features
    }

    /// Weights θ of the kept features (for scaled inputs).
    pub fn feature_weights(&self) -> &[f64] {
        &self.theta
    }

    /// Precisions β of the kept features.
    pub fn feature_precisions(&self) -> &[f64] {
        &self.beta
    }

    /// Posterior standard deviations of the kept features' weights.
    pub fn feature_deviations(&self) -> Vec<f64> {
        self.feature_covariance.variances().iter().map(|v| v.sqrt()).collect()
    }

    /// By how much the mean −log p of the training rows would rise if a kept feature were taken out
    /// of the kernel and all else stayed as it is: what each is worth. Of more than 2000 rows,
    /// some are looked at.
    pub fn feature_worth(&self) -> Option<&[f64]> {
        self.feature_worth.as_deref()
    }

    /// Kept samples, as rows of the training data, in the order of [`Dataset::canonical`]: that of
    /// their values, so that it does not depend on the order of the rows.
    ///
    /// [`Dataset::canonical`]: crate::Dataset::canonical
    pub fn selected_samples(&self) -> &[usize] {
        &self.samples
    }

    /// Whether each kept sample belongs to the positive class.
    pub fn sample_positive(&self) -> Vec<bool> {
        self.signs.iter().map(|sign| *sign > 0.0).collect()
    }

    /// Weights of the kept samples; the sign of the class is not included.
    pub fn sample_weights(&self) -> &[f64] {
        &self.w[1..]
    }

    /// Precisions α of the kept samples.
    pub fn sample_precisions(&self) -> &[f64] {
        &self.alpha[1..]
    }

    /// Posterior standard deviations of the kept samples' weights.
    pub fn sample_deviations(&self) -> Vec<f64> {
        self.sample_covariance.variances()[1..].iter().map(|v| v.sqrt()).collect()
    }

    /// The bias.
    pub fn bias(&self) -> f64 {
        self.w[0]
    }

    /// Positions of the kept features among the features of the scaler.
    pub fn feature_positions(&self) -> &[usize] {
        &self.positions
    }

    /// The columns of the input that prediction needs, ascending: those that the kept features are made
    /// from, or all that vary where there is a [machine of all features](Model::broad) beside them.
    pub fn needed_columns(&self) -> Vec<usize> {
        self.scaler.inputs_of(&self.needed_positions())
    }

    /// The features that prediction needs, as positions among the features of the scaler.
    pub(crate) fn needed_positions(&self) -> Cow<'_, [usize]> {
        match self.broad {
            Some(_) => (0..self.scaler.features().len()).collect(),
            None => Cow::Borrowed(&self.positions),
        }
    }

    /// The machine of all features whose decision values are added to those of the kept features: a model
    /// for accuracy has one.
    pub fn broad(&self) -> Option<&Broad> {
        self.broad.as_ref()
    }

    /// The model without its [machine of all features](Model::broad): what the kept features say, as it
    /// counts beside that one.
    pub fn list_alone(&self) -> Self {
        Self { broad: None, ..self.clone() }
    }

    /// The scaled columns of the kept features, one feature after the other: the columns of
    /// [`Model::sample_values`].
    pub fn scaled_columns(&self) -> Vec<usize> {
        self.scaler.spans().columns_of(&self.positions).into_owned()
    }

    /// The place among the kept features of each of [`Model::scaled_columns`].
    pub fn scaled_column_owners(&self) -> Vec<usize> {
        self.spans().owners().collect()
    }

    /// Which of [`Model::scaled_columns`] belong to each kept feature.
    pub(crate) fn spans(&self) -> Spans {
        self.scaler.spans().select(&self.positions)
    }

    /// The kept samples in the kept features, scaled: what the kernel compares new rows with.
    pub fn sample_values(&self) -> &Matrix {
        &self.z
    }

    /// ±1 for the class of each kept sample.
    pub fn sample_signs(&self) -> &[f64] {
        &self.signs
    }

    /// Posterior covariance of the bias (first) and the sample weights.
    pub fn sample_covariance(&self) -> &Covariance {
        &self.sample_covariance
    }

    /// Posterior covariance of the feature weights.
    pub fn feature_covariance(&self) -> &Covariance {
        &self.feature_covariance
    }

    /// The same model with its samples numbered as rows of other data: sample i becomes `rows[i]`.
    ///
    /// # Panics
    /// If there are fewer rows than the model was fitted to.
    pub fn in_rows(mut self, rows: &[usize]) -> Self {
        self.samples.iter_mut().for_each(|sample| *sample = rows[*sample]);
        self
    }

    /// What rows that did not train say of the model; nothing where they were not asked.
    pub fn certainty(&self) -> Option<&Certainty> {
        self.certainty.as_ref()
    }

    /// Takes decision values f as offset + slope · f from now on.
    pub(crate) fn calibrate(&mut self, offset: f64, slope: f64) {
        self.w.iter_mut().for_each(|w| *w *= slope);
        self.w[0] += offset;
        // Weights of 0 have no finite precision, and files none that is infinite.
        self.alpha.iter_mut().for_each(|alpha| *alpha = (*alpha / (slope * slope)).min(f64::MAX));
        self.sample_covariance.scale(slope);
    }

    /// A model of the same data that leans on nothing and knows the shares of the classes.
    pub(crate) fn of_shares(&self, log_odds: f64) -> Self {
        Self {
            kernel: self.kernel,
            scaler: self.scaler.clone(),
            positions: Vec::new(),
            features: Vec::new(),
            theta: Vec::new(),
            beta: Vec::new(),
            feature_covariance: Covariance::none(0),
            feature_worth: Some(Vec::new()),
            samples: Vec::new(),
            z: Matrix::zeros(0, 0),
            signs: Vec::new(),
            w: vec![log_odds],
            alpha: vec![BIAS_PRECISION],
            sample_covariance: Covariance::none(1),
            reach: None,
            certainty: None,
            broad: None,
        }
    }

    /// The same model, to predict with, for data that hold nothing but the columns it needs.
    pub fn compact(&self) -> Self {
        self.among(&self.needed_columns())
    }

    /// The same model, to predict with, for data that hold nothing but the given columns of the
    /// input, which ascend and have [all that are needed](Model::needed_columns) among them.
    pub fn among(&self, columns: &[usize]) -> Self {
        let (scaler, positions, features) =
            self.scaler.narrow(&self.positions, self.broad.is_some(), columns);
        Self { features, positions, scaler, certainty: None, ..self.clone() }
    }

    /// Decision values, their variances and probabilities for rows with the columns of the
    /// training data; only the kept ones are looked at. Rows are worked on in blocks, on all threads.
    pub fn predict(&self, x: &Matrix) -> Result<Prediction, Error> {
        self.scaler.check_columns(x, &self.needed_columns())?;
        let (columns, spans) = (self.scaled_columns(), self.spans());
        let all: Vec<usize> = (0..self.scaler.columns().len()).collect();
        let starts: Vec<usize> = (0..x.rows()).step_by(BLOCK_ROWS).collect();
        let blocks: Vec<Prediction> = starts
            .par_iter()
            .map(|&start| {
                let end = (start + BLOCK_ROWS).min(x.rows());
                let scaled = self.scaler.apply_rows(x, &columns, start, end);
                let mut said = self.predict_scaled(&scaled, &spans);
                if let Some(broad) = &self.broad {
                    let scaled = self.scaler.apply_rows(x, &all, start, end);
                    let added = broad.decision(&scaled, &mut Work::new(false));
                    said.decision.iter_mut().zip(added).for_each(|(f, added)| *f += added);
                    said.probability = moderated_all(&said.decision, &said.variance);
                }
                said
            })
            .collect();
        let mut all = Prediction::with_capacity(x.rows());
        blocks.into_iter().for_each(|block| all.append(block));
        Ok(all)
    }

    /// What is not known of the decision values of rows: J, a row for each of them, such that J Jᵀ is their
    /// covariance under the posterior of sample and feature weights; its diagonal is
    /// [`Prediction::variance`].
    pub fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
        self.scaler.check_columns(x, &self.needed_columns())?;
        let mut work = Work::new(false);
        let spans = self.spans();
        let scaled = self.scaler.apply_rows(x, &self.scaled_columns(), 0, x.rows());
        let values = self.kernel_values(&scaled, &spans, &mut work);
        let d = self.along_features(&scaled, &spans, &values, &mut work);
        let phi = self.along_samples(&values);
        let of_samples = self.sample_covariance.unknown_along(&phi, &mut work);
        Ok(of_samples.append_columns(&self.feature_covariance.unknown_along(&d, &mut work)))
    }

    fn predict_scaled(&self, x: &Matrix, spans: &Spans) -> Prediction {
        let mut work = Work::new(false);
        let values = self.kernel_values(x, spans, &mut work);
        let decision = self.decision(&values, &work);
        let d = self.along_features(x, spans, &values, &mut work);
        let variance_features = self.feature_covariance.variance_along(&d, &mut work);
        let phi = self.along_samples(&values);
        let variance_samples = self.sample_covariance.variance_along(&phi, &mut work);

        let sums = variance_samples.iter().zip(&variance_features);
        let variance: Vec<f64> = sums.map(|(a, b)| a + b).collect();
        let probability = moderated_all(&decision, &variance);
        Prediction { decision, variance_samples, variance_features, variance, probability }
    }

    /// The kernel of scaled rows and the kept samples.
    pub(crate) fn kernel_values(&self, x: &Matrix, spans: &Spans, work: &mut Work) -> Matrix {
        self.kernel.values(x, &self.z, &spans.spread(&self.theta), work)
    }

    /// Signed sample weights.
    fn signed_weights(&self) -> Vec<f64> {
        self.w[1..].iter().zip(&self.signs).map(|(w, s)| w * s).collect()
    }

    /// f from the values of the kernel.
    pub(crate) fn decision(&self, values: &Matrix, work: &Work) -> Vec<f64> {
        let mut decision = algebra::times_vector(values, &self.signed_weights(), work);
        decision.iter_mut().for_each(|f| *f += self.w[0]);
        decision
    }

    /// D, how f changes with the feature weights.
    pub(crate) fn along_features(
        &self,
        x: &Matrix,
        spans: &Spans,
        values: &Matrix,
        work: &mut Work,
    ) -> Matrix {
        let theta = spans.spread(&self.theta);
        let slopes = self.kernel.slopes(x, &self.z, &theta, values, work);
        spans.sum(self.kernel.derivative(x, &self.z, &slopes, &self.signed_weights(), work))
    }

    /// Φ, how f changes with the bias and the sample weights.
    pub(crate) fn along_samples(&self, values: &Matrix) -> Matrix {
        let mut phi = Vec::with_capacity(values.rows() * self.w.len());
        phi.resize(values.rows(), 1.0);
        for (column, sign) in values.columns().zip(&self.signs).take(self.w.len() - 1) {
            phi.extend(column.iter().map(|value| sign * value));
        }
        Matrix::from_column_major(values.rows(), self.w.len(), phi)
    }
}

checked_when_read!(Model);

impl Model {
    fn check(&self) -> Checked {
        let (features, samples) = (self.theta.len(), self.samples.len());
        let varying = self.scaler.features();
        ascending("kept features", &self.positions, varying.len())?;
        length("positions of features", self.positions.len(), features)?;
        if !self.positions.iter().map(|&k| varying[k]).eq(self.features.iter().copied()) {
            return Err("kept features that disagree with their positions".into());
        }
        length("feature precisions", self.beta.len(), features)?;
        length("features of a covariance", self.feature_covariance.root.cols, features)?;
        if let Some(worth) = &self.feature_worth {
            length("feature losses", worth.len(), features)?;
            numbers("feature loss", worth, f64::MIN)?;
        }
        numbers("feature weight", &self.theta, 0.0)?;
        numbers("feature precision", &self.beta, 0.0)?;
        length("rows of kept samples", self.z.rows, samples)?;
        length("columns of kept samples", self.z.cols, self.spans().columns())?;
        length("signs", self.signs.len(), samples)?;
        if self.signs.iter().any(|sign| sign.abs() != 1.0) {
            return Err("a sign that is neither 1 nor -1".into());
        }
        length("sample weights with the bias", self.w.len(), samples + 1)?;
        length("sample precisions with the bias", self.alpha.len(), samples + 1)?;
        length("samples of a covariance", self.sample_covariance.root.cols, samples + 1)?;
        numbers("bias", &self.w[..1], f64::MIN)?;
        numbers("sample weight", &self.w[1..], 0.0)?;
        numbers("sample precision", &self.alpha, 0.0)?;
        if let Some(reach) = self.reach {
            // Distances are divided by it.
            numbers("reach", &[reach], f64::MIN_POSITIVE)?;
        }
        if let Some(broad) = &self.broad {
            let columns = self.scaler.spans().columns();
            length("columns of all features", broad.samples.cols, columns)?;
        }
        match &self.certainty {
            Some(certainty) => certainty.check_features(&self.features),
            None => Ok(()),
        }
    }
}
