//! Joint classifier and feature optimisation (B. Krishnapuram, A. J. Hartemink, L. Carin and M. A.
//! T. Figueiredo, IEEE Transactions on Pattern Analysis and Machine Intelligence 26, 2004).
//!
//! **Model.** h(x) = β₀ + Σⱼ βⱼ k_θ(x, xⱼ), p(positive | x) = Φ(h(x)), Laplacian priors: γ₁ the rate
//! for β, of either sign, and γ₂ for θ ≥ 0, each as a Gaussian whose variance has an exponential
//! hyperprior.
//!
//! **Updates** (the paper's EM). E: v = E[z | y, h], 1/τⱼ → γ₁/|βⱼ|, 1/ρₖ → γ₂/θₖ. M:
//! β = S(I + SHᵀHS)⁻¹SHᵀv with S = diag(√(|β|/γ₁)); θ on −‖v − H_θβ‖² − θᵀRθ with R = diag(γ₂/θ).
//!
//! **Reconstructed.** The paper ascends on θ by conjugate gradient; here each M step of θ is one
//! projected Gauss-Newton step, halved until the objective falls, that moves no weight by more than
//! a factor of 2. The start is ours: β by ridge regression on the labels, every θ the same. Weights
//! go at |β| ≤ 1e-4 of the largest and at θ ≤ 1e-3 of the start. γ₁ and γ₂ are settings, to be
//! chosen by cross-validation; γ₂ is relative: at 1 the prior of all θ at the start weighs as much as
//! one unit of log likelihood for every sample, whatever the number of features and samples.
//!
//! **Objective.** Log likelihood − γ₁ Σ|β| − γ₂ Σθ, which EM cannot lower.
//!
//! **Probability.** EM gives a point estimate: the probability is Φ(h) there and takes no account
//! of what is uncertain.
//!
//! **Cost.** As [`pfcvm_em`](crate::relatives::pfcvm_em), times the grid of rates.
//!
//! **Use** it where a nested cross-validation can be paid for. The same data give the same model:
//! there is no random start.

use crate::catalogue::Made;
use crate::catalogue::Takes::Number;
use crate::relatives::features::{Features, Task};
use crate::relatives::inputs::{Prepared, out_of_range, settings_with};
use crate::relatives::machine::{Link, Step};
use crate::relatives::probit::Hidden;
use crate::relatives::{Error, Fit, Inputs, Machine, Termination};
use crate::stop;
use crate::stop::wanted;
use crate::{Entry, Role, Setting, Values, settings};
use pfcvm::algebra::{Work, times_vector, transpose_times_vector};
use pfcvm::posterior::Precision;
use pfcvm::{Dataset, Matrix};

/// Sample weights at or below this share of the largest are dropped.
const LEAST_SHARE: f64 = 1e-4;

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions; the width is the start of every θ.
    pub inputs: Inputs,
    /// γ₁, the rate of the prior on the sample weights and the bias.
    pub sample_rate: f64,
    /// γ₂, the rate of the prior on the feature weights, in samples over the sum of θ at the start.
    pub feature_rate: f64,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Change of the objective that counts as none, relative to the number of samples.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            sample_rate: 0.5,
            feature_rate: 1.0,
            max_iterations: 500,
            tolerance: 1e-6,
        }
    }
}

impl Settings {
    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<(), Error> {
        self.inputs.check()?;
        for (name, value) in
            [("sample_rate", self.sample_rate), ("feature_rate", self.feature_rate)]
        {
            if !(1e-6..=1e6).contains(&value) {
                return Err(out_of_range(name, value, "1e-6 to 1e6"));
            }
        }
        Ok(())
    }
}

/// The weights while EM runs, the bias first.
struct State {
    kept: Vec<usize>,
    beta: Vec<f64>,
    h: Vec<f64>,
}

/// Fits JCFO.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    settings.check()?;
    let mut prepared = Prepared::new(data, &settings.inputs)?;
    let likelihood = &prepared.likelihood;
    let rho = &likelihood.weights;
    let mut work = stop::work();
    let mut features = Features::new(&prepared, &mut work);
    let scale = rho.iter().sum::<f64>() / prepared.theta.iter().sum::<f64>();
    let feature_rate = settings.feature_rate * scale;
    let mut state = State::start(&prepared, &features, &mut work)?;
    let mut hidden = Hidden::at(&state.h, likelihood);
    let mut trace: Vec<Step> = Vec::new();
    let mut termination = Termination::MaxIterations;
    for _ in wanted(0..settings.max_iterations) {
        let z = &hidden.expected;
        let before = (state.kept.len(), features.kept.len());
        let Some(stay) = state.move_weights(&features, z, rho, settings.sample_rate, &mut work)
        else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        features.keep_samples(&stay);
        if !state.kept.is_empty() && !features.kept.is_empty() {
            let penalty: Vec<f64> = features.theta.iter().map(|t| feature_rate / t).collect();
            let target: Vec<f64> = z.iter().map(|z| z - state.beta[0]).collect();
            let v = &state.beta[1..];
            let task = Task { target: &target, rho, v, penalty: &penalty, keeps_sum: false };
            features.step(&task, &mut work);
            features.drop_small(&mut work);
        }
        state.decide(&features, &work);
        let sizes = settings.sample_rate * state.beta.iter().map(|b| b.abs()).sum::<f64>()
            + feature_rate * features.theta.iter().sum::<f64>();
        hidden = Hidden::at(&state.h, likelihood);
        let objective = hidden.log_likelihood - sizes;
        let last = trace.last().map_or(f64::NEG_INFINITY, |step| step.objective);
        let after = (state.kept.len(), features.kept.len());
        trace.push(Step { objective, samples: after.0, features: after.1 });
        let least = settings.tolerance * data.len() as f64;
        if before == after && objective - last < least {
            termination = Termination::Converged;
            break;
        }
    }
    if trace.is_empty() {
        return Err(Error::NumericalBreakdown);
    }
    prepared.theta = features.all_weights(prepared.theta.len());
    let mut model = Machine::new(prepared, &state.kept, state.beta[1..].to_vec(), Link::Probit);
    model.weighs_features = true;
    model.bias = Some(state.beta[0]);
    Ok(Fit { model, termination, trace })
}

/// [1, K].
fn with_ones(values: &Matrix) -> Matrix {
    Matrix::from_fn(values.rows(), 1, |_, _| 1.0).append_columns(values)
}

impl State {
    /// β = (HᵀRH + I)⁻¹HᵀRy.
    fn start(prepared: &Prepared, features: &Features, work: &mut Work) -> Result<Self, Error> {
        let count = prepared.candidates.len();
        let kept: Vec<usize> = (0..count).collect();
        let mut state = Self { kept, beta: vec![1.0; count + 1], h: Vec::new() };
        let (signs, rho) = (&prepared.likelihood.signs, &prepared.likelihood.weights);
        let beta = state.solve(features, signs, rho, vec![1.0; count + 1], work);
        state.beta = beta.ok_or(Error::NumericalBreakdown)?;
        state.decide(features, work);
        Ok(state)
    }

    /// (HᵀRH + diag)⁻¹HᵀR target.
    fn solve(
        &self,
        features: &Features,
        target: &[f64],
        rho: &[f64],
        diagonal: Vec<f64>,
        work: &mut Work,
    ) -> Option<Vec<f64>> {
        let columns = with_ones(&features.values);
        let all: Vec<usize> = (0..self.beta.len()).collect();
        let precision = Precision::new(&columns, rho, &all, diagonal, work)?;
        let target: Vec<f64> = target.iter().zip(rho).map(|(t, r)| r * t).collect();
        let beta = precision.solve(&transpose_times_vector(&columns, &target, work), work);
        beta.iter().all(|b| b.is_finite()).then_some(beta)
    }

    /// The M step of β, and the drop of what is next to nothing; the positions that stay.
    fn move_weights(
        &mut self,
        features: &Features,
        z: &[f64],
        rho: &[f64],
        rate: f64,
        work: &mut Work,
    ) -> Option<Vec<usize>> {
        let diagonal = self.beta.iter().map(|b| rate / b.abs().max(f64::MIN_POSITIVE)).collect();
        let beta = self.solve(features, z, rho, diagonal, work)?;
        let largest = beta.iter().fold(0.0f64, |m, b| m.max(b.abs()));
        let stays = |j: &usize| beta[j + 1].abs() > LEAST_SHARE * largest;
        let stay: Vec<usize> = (0..self.kept.len()).filter(stays).collect();
        self.kept = stay.iter().map(|&j| self.kept[j]).collect();
        self.beta = std::iter::once(beta[0]).chain(stay.iter().map(|&j| beta[j + 1])).collect();
        Some(stay)
    }

    fn decide(&mut self, features: &Features, work: &Work) {
        let f = times_vector(&features.values, &self.beta[1..], work);
        self.h = f.iter().map(|f| f + self.beta[0]).collect();
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "jcfo",
    about: "joint classifier and feature optimisation: Laplacian priors on samples and features, \
            rates to be chosen (Krishnapuram 2004)",
    role: Role::Classifier { selects_features: true, selects_samples: true },
    settings: &settings_with(
        [
            Setting {
                key: "sample_rate",
                default: "0.5",
                takes: &[Number { from: 1e-6, to: 1e6, ends: true }],
                about: "rate of the prior on sample weights, above 0: larger keeps fewer",
            },
            Setting {
                key: "feature_rate",
                default: "1",
                takes: &[Number { from: 1e-6, to: 1e6, ends: true }],
                about: "rate of the prior on feature weights, above 0: larger keeps fewer; 1: as much as \
                    one unit of log likelihood for every sample",
            },
        ],
        "500",
        settings::SEED,
    ),
    grid: &[("sample_rate", &["0.1", "0.5", "2"]), ("feature_rate", &["0.2", "1", "4"])],
    make,
};

fn make(values: &Values) -> Result<Made, crate::Error> {
    let settings = Settings {
        inputs: Inputs::of(values)?,
        sample_rate: values.get("sample_rate")?,
        feature_rate: values.get("feature_rate")?,
        max_iterations: values.count("max_iterations")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner(settings, fit))
}
