//! The relevance vector machine.
//!
//! **Model.** f(x) = w₀ + Σⱼ wⱼ k(x, xⱼ), p(positive | x) = σ(f(x)), independent priors
//! wⱼ ~ N(0, 1/αⱼ). The precisions maximise Laplace's approximation of the evidence
//! log p(t | α) ≈ ℓ(Φw) − ½ wᵀAw + ½ log|A| − ½ log|ΦᵀCΦ + A| at the mode w; most run off to
//! infinity, and the samples that are left are the relevance vectors. The bias is a basis function
//! like the others and may go.
//!
//! **Updates.** [`Algorithm::Batch`] (M. E. Tipping, Sparse Bayesian learning and the relevance
//! vector machine, JMLR 1, 2001): the mode by Newton's method, Σ = (ΦᵀCΦ + A)⁻¹, γⱼ = 1 − αⱼΣⱼⱼ,
//! αⱼ = γⱼ/wⱼ², all at once. [`Algorithm::Fast`] (M. E. Tipping and A. C. Faul, Fast marginal
//! likelihood maximisation for sparse Bayesian models, AISTATS 2003): one basis function at a
//! time, αⱼ = sⱼ²/(qⱼ² − sⱼ) or deletion, whichever gains most evidence, deletions first; ends when
//! the best re-estimate moves log α by less than 1e-3. Columns have unit length meanwhile, and one
//! whose inner product with a kept one exceeds 1 − 1e-3 is not added.
//!
//! **Not in the papers.** The fast algorithm also ends when the evidence has not risen for 200
//! steps: near-duplicates can be exchanged for ever. The batch start, α = 1 for columns of unit
//! length, is ours.
//!
//! **Probability.** σ(f/√(1 + πv/8)) with the posterior variance v of f (MacKay), which is nearer
//! to ½ than σ(f) where the machine knows little.
//!
//! **Cost.** With N rows, B candidates and m kept: fast O(NBm) a step and O(NB) memory; batch
//! O(NB² + B³) a step at first, less as columns go.
//!
//! **Use** the fast algorithm for a sparse classifier with honest probabilities when all features
//! matter; the batch one mostly to check it. Neither weighs features: noise features harm both.

use crate::catalogue::Made;
use crate::catalogue::Takes::{self, Word};
use crate::relatives::engine::{PATIENCE, Rules, Selection, reestimate, select};
use crate::relatives::inputs::{Prepared, settings_with};
use crate::relatives::machine::{Link, Step};
use crate::relatives::{Error, Fit, Inputs, Machine};
use crate::stop;
use crate::{Entry, Role, Setting, Values, settings};
use pfcvm::Dataset;

/// How the precisions are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One basis function at a time, starting from one.
    Fast,
    /// All basis functions at once, starting from all.
    Batch,
}

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions.
    pub inputs: Inputs,
    /// How the precisions are found.
    pub algorithm: Algorithm,
    /// Whether a constant is among the basis functions.
    pub bias: bool,
    /// Steps (fast) or iterations (batch) at most.
    pub max_iterations: usize,
    /// Change of log α that counts as none.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            algorithm: Algorithm::Fast,
            bias: true,
            max_iterations: 10_000,
            tolerance: 1e-3,
        }
    }
}

/// Fits a relevance vector machine; the objective is the log evidence, and the bias counts as a kept sample
/// on the way.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    let prepared = Prepared::new(data, &settings.inputs)?;
    let mut work = stop::work();
    let columns = prepared.columns(settings.bias, &mut work);
    let likelihood = &prepared.likelihood;
    let (max_iterations, tolerance) = (settings.max_iterations, settings.tolerance);
    let selection = match settings.algorithm {
        Algorithm::Fast => {
            let rules = Rules { max_iterations, tolerance, patience: PATIENCE, signs: None };
            select(columns, likelihood, &rules, &mut work)
        }
        Algorithm::Batch => reestimate(columns, likelihood, max_iterations, tolerance, &mut work),
    };
    let selection = selection.ok_or(Error::NumericalBreakdown)?;
    Ok(to_fit(prepared, selection, settings.bias))
}

/// The machine of a selection among a bias column, if there is one, and the candidates.
pub(crate) fn to_fit(prepared: Prepared, selection: Selection, bias: bool) -> Fit {
    let features = prepared.x.cols();
    let trace = selection.trace.iter().map(|&(objective, kept)| Step {
        objective,
        samples: kept,
        features,
    });
    let trace = trace.collect();
    let Selection { active, mut weights, mut precisions, covariance, .. } = selection;
    let first = usize::from(bias);
    let has_bias = bias && active.first() == Some(&0);
    let kept: Vec<usize> = active[usize::from(has_bias)..].iter().map(|j| j - first).collect();
    let bias = has_bias.then(|| weights.remove(0));
    precisions.drain(..usize::from(has_bias));
    let mut model = Machine::new(prepared, &kept, weights, Link::Logistic);
    model.bias = bias;
    model.covariance = Some(covariance);
    model.precisions = Some(precisions);
    Fit { model, termination: selection.termination, trace }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "rvm",
    about: "relevance vector machine: few samples, all features (Tipping 2001, Tipping & Faul 2003)",
    role: Role::Classifier { selects_features: false, selects_samples: true },
    settings: &settings_with(
        [
            Setting {
                key: "algorithm",
                default: "fast",
                takes: &[Word("fast"), Word("batch")],
                about: "how the precisions are found: fast, one at a time, or batch, all at once",
            },
            Setting {
                key: "bias",
                default: "yes",
                takes: Takes::FLAG,
                about: "whether a constant is among the basis functions: yes or no",
            },
        ],
        "10000",
        settings::SEED,
    ),
    grid: &[("gamma", &["auto", "0.001", "0.01", "0.1", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, crate::Error> {
    let algorithm: String = values.get("algorithm")?;
    let algorithm = match algorithm.as_str() {
        "fast" => Algorithm::Fast,
        "batch" => Algorithm::Batch,
        other => {
            return Err(values.bad("algorithm", format!("`{other}` is neither fast nor batch")));
        }
    };
    let settings = Settings {
        inputs: Inputs::of(values)?,
        algorithm,
        bias: values.flag("bias")?,
        max_iterations: values.count("max_iterations")?,
        ..Settings::default()
    };
    Ok(Made::learner(settings, fit))
}
