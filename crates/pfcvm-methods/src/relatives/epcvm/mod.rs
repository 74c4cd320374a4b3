//! The efficient probabilistic classification vector machine (H. Chen, P. Tiňo and X. Yao, IEEE
//! Transactions on Neural Networks and Learning Systems 25, 2014).
//!
//! **Model.** f(x) = w₀ + Σⱼ wⱼ yⱼ k(x, xⱼ) with wⱼ ≥ 0 and a fixed kernel, p(positive | x) = σ(f(x)),
//! Gaussian priors of precision αⱼ, truncated to wⱼ ≥ 0: the sample half of PFCVM_LP.
//!
//! **Updates.** [`Algorithm::Batch`]: the mode of w, the Laplace covariance Σ = (ΦᵀCΦ + A + O)⁻¹,
//! then αⱼ = γⱼ/wⱼ² with γⱼ = 1 − αⱼΣⱼⱼ, all at once. The truncation is either kept as the constraint
//! it is (O = 0, Σ over the weights above 0, samples drop out at wⱼ = 0 or γⱼ < 1e-3), or smoothed as
//! in the paper by σ(λwⱼ), which adds λσ(−λw) to the gradient and O = λ²σ(λw)σ(−λw); there samples
//! drop out at wⱼ ≤ 0 or αⱼ ≥ 1e4, because a smoothed precision grows by λ²/4 an iteration whatever
//! the data say; it keeps most samples. [`Algorithm::Incremental`]: the steps of the fast relevance vector machine
//! ([`rvm`](crate::relatives::rvm)) with columns of the label's sign.
//!
//! **Reconstructed.** The incremental part: a column is added only if its q has the sign of its
//! label; one whose mode leaves that side goes before anything else is done, and does not come back
//! until the evidence has risen. Thresholds and the precision 0.01 of the bias are those of
//! PFCVM_LP here.
//!
//! **Probability.** σ(f/√(1 + πv/8)) with the posterior variance v of f.
//!
//! **Cost.** Batch O(NB² + B³) an iteration at first, B the candidates; incremental O(NBm) a step,
//! m the kept.
//!
//! **Use** it instead of PCVM: no random start, probabilities that know what is uncertain. The
//! kernel width has to be chosen.

mod batch;

use crate::catalogue::Made;
use crate::catalogue::Takes::Word;
use crate::relatives::engine::{PATIENCE, Rules, select};
use crate::relatives::inputs::{Prepared, settings_with};
use crate::relatives::rvm::to_fit;
use crate::relatives::{Error, Fit, Inputs};
use crate::stop;
use crate::{Entry, Role, Setting, Values, settings};
use pfcvm::Dataset;
use pfcvm::settings::Truncation;

/// How the precisions are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// All samples at once, starting from all.
    Batch(Truncation),
    /// One sample at a time, starting from one.
    Incremental,
}

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions.
    pub inputs: Inputs,
    /// How the precisions are found.
    pub algorithm: Algorithm,
    /// Iterations (batch) or steps (incremental) at most.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            algorithm: Algorithm::Batch(Truncation::Exact),
            max_iterations: 2000,
        }
    }
}

impl Settings {
    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<(), Error> {
        if let Algorithm::Batch(Truncation::Sigmoid { lambda }) = self.algorithm
            && !(lambda > 0.0 && lambda <= 1e3)
        {
            return Err(crate::relatives::inputs::out_of_range(
                "lambda",
                lambda,
                "above 0, at most 1000",
            ));
        }
        self.inputs.check()
    }
}

/// Fits an EPCVM; the objective is the log evidence, and the bias counts as a kept sample on the
/// way.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    settings.check()?;
    let prepared = Prepared::new(data, &settings.inputs)?;
    let mut work = stop::work();
    let columns = prepared.columns(true, &mut work);
    let mut signs = prepared.candidate_signs();
    signs.insert(0, 0.0);
    let likelihood = &prepared.likelihood;
    let max_iterations = settings.max_iterations;
    let selection = match settings.algorithm {
        Algorithm::Batch(truncation) => {
            batch::reestimate(columns, signs, likelihood, truncation, max_iterations, &mut work)
        }
        Algorithm::Incremental => {
            let rules =
                Rules { max_iterations, tolerance: 1e-3, patience: PATIENCE, signs: Some(signs) };
            select(columns, likelihood, &rules, &mut work)
        }
    };
    Ok(to_fit(prepared, selection.ok_or(Error::NumericalBreakdown)?, true))
}

pub(crate) static ENTRY: Entry = Entry {
    name: "epcvm",
    about: "efficient PCVM: few samples, each for its own class, by Laplace's approximation \
            (Chen 2014)",
    role: Role::Classifier { selects_features: false, selects_samples: true },
    settings: &settings_with(
        [
            Setting {
                key: "algorithm",
                default: "batch",
                takes: &[Word("batch"), Word("incremental")],
                about: "batch, all samples at once, or incremental, one at a time (reconstructed)",
            },
            Setting {
                about: "how batch keeps weights from below 0: exact, or smoothed by sigmoid:LAMBDA",
                ..settings::TRUNCATION
            },
        ],
        "2000",
        settings::SEED,
    ),
    grid: &[("gamma", &["auto", "0.001", "0.01", "0.1", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, crate::Error> {
    let algorithm: String = values.get("algorithm")?;
    let truncation = values.get("truncation")?;
    let algorithm = match algorithm.as_str() {
        "batch" => Algorithm::Batch(truncation),
        "incremental" => Algorithm::Incremental,
        other => {
            let reason = format!("`{other}` is neither batch nor incremental");
            return Err(values.bad("algorithm", reason));
        }
    };
    let max_iterations = values.count("max_iterations")?;
    let settings = Settings { inputs: Inputs::of(values)?, algorithm, max_iterations };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner(settings, fit))
}
