//! A weighted sum of kernels, and how it predicts.

use crate::relatives::inputs::Prepared;
use crate::relatives::probit;
use crate::stop;
use crate::{Fitted, Prediction, Refusal, Stored};
use crate::{ascending, renumber};
use pfcvm::algebra::{Work, moderated_all, times_vector};
use pfcvm::data::Scaler;
use pfcvm::posterior::Covariance;
use pfcvm::{Error, Kernel, Matrix, Termination};
use serde::{Deserialize, Serialize};

/// Rows predicted at a time.
const BLOCK_ROWS: usize = 4096;

/// From the decision value to the probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Link {
    /// σ(f), averaged over what is uncertain about f where that is known.
    Logistic,
    /// The standard normal distribution function.
    Probit,
}

/// A fitted classifier: f(x) = b + Σⱼ vⱼ k_θ(x, xⱼ) over the kept samples.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    pub(crate) kernel: Kernel,
    pub(crate) scaler: Scaler,
    /// Kept features as positions among the varying columns.
    pub(crate) positions: Vec<usize>,
    pub(crate) theta: Vec<f64>,
    /// Kept samples as rows of the training data.
    pub(crate) samples: Vec<usize>,
    /// Their scaled values in the kept features.
    pub(crate) z: Matrix,
    pub(crate) weights: Vec<f64>,
    /// Nothing: there is none, and no coordinate for it in the covariance.
    pub(crate) bias: Option<f64>,
    /// Of the bias, if there is one, and the weights.
    pub(crate) covariance: Option<Covariance>,
    /// Of the weights, without the bias.
    pub(crate) precisions: Option<Vec<f64>>,
    pub(crate) link: Link,
    /// Whether the weights of features were learned.
    pub(crate) weighs_features: bool,
}

/// A fitted classifier and how it came about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fit<M = Machine> {
    /// What predicts.
    pub model: M,
    /// How it ended.
    pub termination: Termination,
    /// What there was after every iteration.
    pub trace: Vec<Step>,
}

/// One iteration of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// What the method maximises; its docs say what that is.
    pub objective: f64,
    /// Samples kept.
    pub samples: usize,
    /// Features kept.
    pub features: usize,
}

impl Machine {
    /// A machine on some of the candidates, `kept` of them with weights that carry their sign.
    pub(crate) fn new(prepared: Prepared, kept: &[usize], weights: Vec<f64>, link: Link) -> Self {
        let theta = prepared.theta;
        let positions: Vec<usize> = (0..theta.len()).filter(|&k| theta[k] > 0.0).collect();
        Self {
            kernel: prepared.kernel,
            z: prepared.z.select_rows(kept).select_columns(&positions),
            theta: positions.iter().map(|&k| theta[k]).collect(),
            positions,
            samples: kept.iter().map(|&j| prepared.candidates[j]).collect(),
            scaler: prepared.scaler,
            weights,
            bias: None,
            covariance: None,
            precisions: None,
            link,
            weighs_features: false,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Features with a weight above 0, as columns of the input, ascending.
    pub fn selected_features(&self) -> Vec<usize> {
        self.positions.iter().map(|&k| self.scaler.columns()[k]).collect()
    }

    /// Their weights θ (for scaled inputs).
    pub fn feature_weights(&self) -> &[f64] {
        &self.theta
    }

    /// Kept samples, as rows of the training data, ascending.
    pub fn selected_samples(&self) -> &[usize] {
        &self.samples
    }

    /// Their weights vⱼ, with the sign that they have in the sum.
    pub fn sample_weights(&self) -> &[f64] {
        &self.weights
    }

    /// Precisions of their priors, where the method learns them.
    pub fn sample_precisions(&self) -> Option<&[f64]> {
        self.precisions.as_deref()
    }

    /// Posterior standard deviations of the weights, where the method gives them.
    pub fn sample_deviations(&self) -> Option<Vec<f64>> {
        let variances = self.covariance.as_ref()?.variances();
        let first = usize::from(self.bias.is_some());
        Some(variances[first..].iter().map(|v| v.sqrt()).collect())
    }

    /// The bias.
    pub fn bias(&self) -> f64 {
        self.bias.unwrap_or(0.0)
    }

    /// Decision values, variances and probabilities for rows with the columns of the training
    /// data.
    pub fn predict(&self, x: &Matrix) -> Result<Prediction, Error> {
        predict_in_blocks(&self.scaler, x, BLOCK_ROWS, self.link, |rows, work| {
            self.predict_block(rows, work)
        })
    }

    fn predict_block(&self, x: &Matrix, work: &mut Work) -> (Vec<f64>, Vec<f64>) {
        let x = self.scaler.apply_columns(x, &self.positions);
        let values = self.kernel.values(&x, &self.z, &self.theta, work);
        let mut decision = times_vector(&values, &self.weights, work);
        decision.iter_mut().for_each(|f| *f += self.bias());
        let Some(covariance) = &self.covariance else {
            let rows = decision.len();
            return (decision, vec![0.0; rows]);
        };
        let rows = match self.bias {
            None => values,
            Some(_) => Matrix::from_fn(x.rows(), 1, |_, _| 1.0).append_columns(&values),
        };
        (decision, covariance.variance_along(&rows, work))
    }
}

/// Decisions and variances block by block, so that kernel values of few rows are held at a time,
/// and the probabilities of all.
pub(crate) fn predict_in_blocks(
    scaler: &Scaler,
    x: &Matrix,
    block_rows: usize,
    link: Link,
    block: impl Fn(&Matrix, &mut Work) -> (Vec<f64>, Vec<f64>),
) -> Result<Prediction, Error> {
    scaler.check_rows(x)?;
    let mut work = stop::work();
    let (mut decision, mut variance) = (Vec::new(), Vec::new());
    for start in (0..x.rows()).step_by(block_rows) {
        let rows = x.row_range(start, (start + block_rows).min(x.rows()));
        let (of_rows, spread) = block(&rows, &mut work);
        decision.extend(of_rows);
        variance.extend(spread);
    }
    let probability = link.probability(&decision, &variance);
    Ok(Prediction::of_posterior(decision, probability, variance))
}

impl Link {
    pub fn probability(self, decision: &[f64], variance: &[f64]) -> Vec<f64> {
        match self {
            Link::Logistic => moderated_all(decision, variance),
            Link::Probit => {
                let pairs = decision.iter().zip(variance);
                pairs.map(|(f, v)| probit::cumulative(f / (1.0 + v).sqrt())).collect()
            }
        }
    }
}

impl Fitted for Fit {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(self.model.predict(x)?)
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        self.model.weighs_features.then(|| self.model.selected_features())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(self.model.selected_samples())
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        renumber(&mut self.model.samples, rows);
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        self.model.weighs_features.then(|| self.model.feature_weights().to_vec())
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.termination, self.trace.len()))
    }

    fn stored(&self) -> Stored {
        Stored::Machine(Box::new(self.clone()))
    }
}
