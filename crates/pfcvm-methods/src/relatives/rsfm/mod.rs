//! The relevance sample-feature machine, RSFM (Y. Mohsenzadeh, H. Sheikhzadeh, A. M. Reza, N.
//! Bathaee and M. M. Kalayeh, IEEE Transactions on Cybernetics 43, 2013), and its incremental form,
//! IRSFM (Mohsenzadeh et al. 2015).
//!
//! **Model.** f(x) = b + wᵀK_xλ = b + Σᵢ Σₖ wᵢ λₖ κ(xₖ, xᵢₖ): one kernel κ per feature, a weight for
//! every sample and one for every feature, of either sign, p(positive | x) = σ(f(x)), zero-mean
//! Gaussian priors with a precision for each weight of both kinds. For fixed λ it is a relevance
//! vector machine in w with the basis functions Σₖ λₖ κ(·, xᵢₖ), for fixed w one in λ with the basis
//! functions Σᵢ wᵢ κ(·, xᵢₖ).
//!
//! **Updates.** [`Algorithm::Batch`] (RSFM): in turns, mode, Laplace covariance and α = γ/w² for the
//! samples, then the same for the features. [`Algorithm::Incremental`] (IRSFM): in turns, the steps
//! of the fast relevance vector machine over all samples, then over all features, until nothing
//! changes; either half goes on from what it kept in the round before.
//!
//! **Reconstructed.** Both papers are known here by their models and in outline. Ours are: the bias
//! as a column of either half, with precision 0.01 in the batch form; the start λ = 1, α = 1 for
//! samples and α = M for features; a weight goes when its γ falls under 1 % of the mean γ; the scale
//! that w and λ can exchange is fixed by max |λ| = 1; the batch form ends when the evidence of the
//! sample half has moved by less than 1e-4 twice with nothing dropped, the incremental one when
//! it has moved by less than 1e-3, or after ten rounds. γ of the kernel is 1 unless set: each kernel
//! sees one feature.
//!
//! **Objective.** The log evidence of the sample half for the features as they are; it may fall when
//! these change.
//!
//! **Probability.** σ(f/√(1 + πv/8)), v the sum of the variances of f from w given λ and from λ given
//! w.
//!
//! **Cost.** The published algorithms hold the N × N × M array of kernel values. Here both kinds of
//! basis functions are summed up as the values come: O(N(n + m)) memory and O(Nnm) time for n
//! samples and m features left (incremental: candidates in one of the two, kept ones in the other).
//!
//! **Use** it to compare with, or where a decision that is a sum over features is wanted: it can be
//! drawn as one curve per feature.

mod batch;
mod blocks;
mod incremental;
mod model;

use crate::catalogue::Made;
use crate::relatives::inputs::Prepared;
use crate::relatives::{Error, Fit, Inputs, Width};
use crate::stop;
use crate::{Entry, Role, Setting, Values, settings};
use blocks::Blocks;
pub use model::Separable;
use pfcvm::Dataset;

/// How the precisions are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// All at once (RSFM).
    Batch,
    /// One at a time (IRSFM).
    Incremental,
}

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions, feature by feature; the width is 1 unless given.
    pub inputs: Inputs,
    /// How the precisions are found.
    pub algorithm: Algorithm,
    /// Rounds over both halves at most.
    pub max_rounds: usize,
}

impl Settings {
    /// RSFM.
    pub fn batch() -> Self {
        Self { inputs: Inputs::default(), algorithm: Algorithm::Batch, max_rounds: 200 }
    }

    /// IRSFM.
    pub fn incremental() -> Self {
        Self { inputs: Inputs::default(), algorithm: Algorithm::Incremental, max_rounds: 10 }
    }
}

/// Fits a relevance sample-feature machine.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit<Separable>, Error> {
    let prepared = Prepared::new(data, &settings.inputs)?;
    let (Width::Auto(width) | Width::Gamma(width)) = settings.inputs.width;
    let mut work = stop::work();
    let blocks = Blocks { kernel: prepared.kernel, width, x: &prepared.x, z: &prepared.z };
    let found = match settings.algorithm {
        Algorithm::Batch => {
            batch::fit(&blocks, &prepared.likelihood, settings.max_rounds, &mut work)
        }
        Algorithm::Incremental => {
            incremental::fit(&blocks, &prepared.likelihood, settings.max_rounds, &mut work)
        }
    };
    let found = found.ok_or(Error::NumericalBreakdown)?;
    found.into_fit(prepared, width, &mut work)
}

const ROLE: Role = Role::Classifier { selects_features: true, selects_samples: true };
const SETTINGS: &[Setting] = &[
    settings::KERNEL,
    Setting {
        about: "width of the kernel of each single feature: a number, or auto for 1",
        ..settings::GAMMA
    },
    settings::CLASS_WEIGHTS,
    settings::STANDARDISE,
    settings::MAX_BASIS,
    settings::SEED,
];
const GRID: &[(&str, &[&str])] = &[("gamma", &["0.1", "0.3", "1", "3"])];

pub(crate) static RSFM: Entry = Entry {
    name: "rsfm",
    about: "relevance sample-feature machine: a sum over few samples and features, all at once \
            (Mohsenzadeh 2013, reconstructed)",
    role: ROLE,
    settings: SETTINGS,
    grid: GRID,
    make: |values| make(values, Settings::batch()),
};

pub(crate) static IRSFM: Entry = Entry {
    name: "irsfm",
    about: "relevance sample-feature machine, one sample or feature at a time \
            (Mohsenzadeh 2015, reconstructed)",
    role: ROLE,
    settings: SETTINGS,
    grid: GRID,
    make: |values| make(values, Settings::incremental()),
};

fn make(values: &Values, base: Settings) -> Result<Made, crate::Error> {
    let settings = Settings { inputs: Inputs::of(values)?, ..base };
    Ok(Made::learner(settings, fit))
}
