//! PFCVM_EM, the feature-selecting classification vector machine by EM (C. Li and H. Chen, 2014).
//!
//! **Model.** That of [`pcvm`](crate::relatives::pcvm), h(x) = b + Σⱼ wⱼ yⱼ k_θ(x, xⱼ) with w ≥ 0 and
//! p(positive | x) = Φ(h), with a weight θₖ ≥ 0 for every feature in the kernel: a truncated
//! Gaussian with precision βₖ, which has a Gamma(c, d) hyperprior.
//!
//! **Updates.** E: Z and ⟨α⟩ as in PCVM, ⟨β⟩ = (2c + 1)/(θ² + 2d). M: w and b as in PCVM; θ on
//! ‖Z − b1 − K_θw‖² + θᵀBθ.
//!
//! **Reconstructed.** The original descends on θ by projected gradient, without saying how far in
//! each M step. Here each M step of θ is one projected Gauss-Newton step that is halved until the
//! objective falls and that moves no weight by more than a factor of 2; so no feature goes in the
//! first iterations, when the hidden variables are still those of the random start. A feature goes
//! when its weight falls to 1e-3 of the start. c and d are not stated; c = d = 0 here, the limit
//! ⟨β⟩ = 1/θ². θ moves from the sixth iteration on. With the linear kernel only the products of w
//! and θ matter, and with thousands of features the prior on θ would shrink them all, and with them
//! every w to nothing; there a step leaves Σθ as it is, and where drops have changed it the mean of θ
//! is brought back to its start and w takes the factor.
//!
//! **Objective.** As in PCVM, with p(θₖ) ∝ (θₖ² + 2d)^-(c + ½). It rises between drops, except for
//! the linear kernel, where scaling changes it.
//!
//! **Probability.** EM gives a point estimate: the probability is Φ(h) there and takes no account
//! of what is uncertain.
//!
//! **Cost.** With n samples and m features left, O(N n² + n³) for w and O(N n m + N m min(N, m))
//! for θ, an iteration.
//!
//! **Use** it to compare with; PFCVM_LP chooses features better and gives probabilities that know
//! what is uncertain.

use crate::catalogue::Made;
use crate::catalogue::Takes::Number;
use crate::relatives::em::{self, State};
use crate::relatives::features::{Features, Task};
use crate::relatives::inputs::{Prepared, out_of_range, settings_with};
use crate::relatives::machine::{Link, Step};
use crate::relatives::pcvm::random_start;
use crate::relatives::probit::Hidden;
use crate::relatives::{Error, Fit, Inputs, Machine, Termination};
use crate::rows::Weighing;
use crate::stop;
use crate::stop::wanted;
use crate::{Entry, Role, Setting, Values, settings};
use pfcvm::algebra::{Work, times_vector};
use pfcvm::{Dataset, Kernel};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Iterations in which only w and b move.
const SETTLING: usize = 5;

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions; the width is the start of every θ, and the seed is also
    /// that of the start.
    pub inputs: Inputs,
    /// Hyperprior of the feature precisions: shape c.
    pub shape: f64,
    /// Hyperprior of the feature precisions: rate d, relative to the square of the start of θ.
    pub rate: f64,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Change of a weight that counts as none; for θ as a share of the largest.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            shape: 0.0,
            rate: 0.0,
            max_iterations: 500,
            tolerance: 1e-3,
        }
    }
}

impl Settings {
    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<(), Error> {
        self.inputs.check()?;
        for (name, value) in [("shape", self.shape), ("rate", self.rate)] {
            if !(0.0..=1e6).contains(&value) {
                return Err(out_of_range(name, value, "0 to 1e6"));
            }
        }
        Ok(())
    }
}

/// Fits PFCVM_EM.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    settings.check()?;
    let mut prepared = Prepared::new(data, &settings.inputs)?;
    let likelihood = &prepared.likelihood;
    let mut work = stop::work();
    let mut rng = ChaCha8Rng::seed_from_u64(settings.inputs.seed);
    let mut state = random_start(&prepared, &mut rng);
    let mut features = Features::new(&prepared, &mut work);
    let rate = settings.rate * prepared.theta[0].powi(2);
    let mut hidden = Hidden::at(&state.h, likelihood);
    let mut trace = Vec::new();
    let mut termination = Termination::MaxIterations;
    for iteration in wanted(0..settings.max_iterations) {
        let z = &hidden.expected;
        let gram = em::gram(&features.values, likelihood, &mut work);
        let moved = state.move_weights(&features.values, gram, z, likelihood, &mut work);
        let Some(moved) = moved else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        features.keep_samples(&moved.stay);
        state.move_bias(&features.values, z, likelihood, &work);
        let mut settled = moved.change < settings.tolerance;
        if iteration >= SETTLING && !state.v.is_empty() {
            let change = move_features(
                &mut features,
                &state,
                z,
                (settings.shape, rate),
                &prepared,
                &mut work,
            );
            settled &= change < settings.tolerance;
            let factor = features.rescale();
            state.v.iter_mut().for_each(|v| *v *= factor);
            let f = times_vector(&features.values, &state.v, &work);
            state.h = f.iter().map(|f| f + state.bias).collect();
        }
        hidden = Hidden::at(&state.h, likelihood);
        let spread = |t: &f64| (t * t + 2.0 * rate).ln();
        let prior: f64 = features.theta.iter().map(spread).sum::<f64>() * (settings.shape + 0.5);
        trace.push(Step {
            objective: hidden.log_likelihood + state.log_prior() - prior,
            samples: state.v.len(),
            features: features.theta.len(),
        });
        let nothing_left = state.v.is_empty() || features.theta.is_empty();
        if (settled && iteration > SETTLING) || nothing_left {
            termination = Termination::Converged;
            break;
        }
    }
    if trace.is_empty() {
        return Err(Error::NumericalBreakdown);
    }
    prepared.theta = features.all_weights(prepared.theta.len());
    let mut model = Machine::new(prepared, &state.kept, state.v, Link::Probit);
    model.weighs_features = true;
    model.bias = Some(state.bias);
    Ok(Fit { model, termination, trace })
}

/// The M step of θ, and the drop of what is next to nothing. Returns the largest change.
fn move_features(
    features: &mut Features,
    state: &State,
    z: &[f64],
    (shape, rate): (f64, f64),
    prepared: &Prepared,
    work: &mut Work,
) -> f64 {
    let expected = |t: &f64| (2.0 * shape + 1.0) / (t * t + 2.0 * rate);
    let penalty: Vec<f64> = features.theta.iter().map(expected).collect();
    let target: Vec<f64> = z.iter().map(|z| z - state.bias).collect();
    let rho = &prepared.likelihood.weights;
    let keeps_sum = prepared.kernel == Kernel::Linear;
    let task = Task { target: &target, rho, v: &state.v, penalty: &penalty, keeps_sum };
    let change = features.step(&task, work);
    if features.drop_small(work) { f64::INFINITY } else { change }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-em",
    about: "features and samples selected together, by EM (Li & Chen 2014, reconstructed)",
    role: Role::Classifier { selects_features: true, selects_samples: true },
    settings: &settings_with(
        [
            Setting {
                key: "shape",
                default: "0",
                takes: &[Number { from: 0.0, to: 1e6, ends: true }],
                about: "shape of the hyperprior on feature precisions, at least 0: larger keeps fewer",
            },
            Setting {
                key: "rate",
                default: "0",
                takes: &[Number { from: 0.0, to: 1e6, ends: true }],
                about: "rate of that hyperprior, in squares of gamma, at least 0: above 0 fewer go",
            },
        ],
        "500",
        settings::SEED_OF_START,
    ),
    // The start of the feature weights decides most (the paper chose starting points too).
    grid: &[("gamma", &["auto:0.1", "auto:0.3", "auto"]), ("shape", &["0.3", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, crate::Error> {
    let settings = Settings {
        inputs: Inputs::of(values)?,
        shape: values.get("shape")?,
        rate: values.get("rate")?,
        max_iterations: values.count("max_iterations")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner(settings, fit).weighing(Weighing::Shares))
}
