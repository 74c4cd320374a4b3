//! The probabilistic classification vector machine (H. Chen, P. Tiňo and X. Yao, IEEE Transactions
//! on Neural Networks 20, 2009).
//!
//! **Model.** h(x) = b + Σⱼ wⱼ yⱼ k(x, xⱼ) with wⱼ ≥ 0, so that every kept sample speaks for its own
//! class, and p(positive | x) = Φ(h(x)), the normal distribution function. Truncated Gaussian priors
//! on w and a Gaussian on b, each with a precision under a flat hyperprior; for the RBF
//! k = exp(−ϑ²‖x−z‖²) a Gaussian on ϑ² likewise.
//!
//! **Updates** (the paper's EM). E: Z = H + y N(H)/Φ(yH), ⟨α⟩ = 1/2w², ⟨β⟩ = 1/2b²,
//! T = (½+p)/(ϑ⁴+p) with p = 1e-5. M: w = M(I + MKᵀKM)⁻¹M(KᵀZ − bKᵀ1) with M = √2 diag(w) and K's
//! columns signed; b = 2b²(1 + 2b²N)⁻¹1ᵀ(Z − Kw); ϑ by line search on ‖Z − b1 − Kw‖² + Tϑ⁴. Weights
//! at or below 1e-3 go for good. Ends when no weight moves by 1e-3, or after 500 iterations. Starts
//! at random: w from [0.2, 1.2), b normal, and hidden variables on the side of their label.
//!
//! **Not in the paper.** Weights go before b and ϑ are estimated, not after, so that between two
//! drops the objective cannot fall. The line search is golden section on log ϑ, at first within a
//! factor of 3 of ϑ, later within four times the last move; a ϑ that does not lower the objective is
//! not taken. Of several restarts the
//! one with the highest log likelihood − ½ (weights + 1) log N is kept; the paper chooses starts by
//! test error on other splits. Sample weights count in all sums.
//!
//! **Objective.** Log likelihood plus log priors with precisions integrated out, p(u) ∝ |u|^-½ for
//! each weight. It jumps where a weight goes and rises otherwise.
//!
//! **Probability.** EM gives a point estimate: the probability is Φ(h) there, and takes no account
//! of what is uncertain. It is often too sure.
//!
//! **Cost.** O(N B² + B³) an iteration for B weights that are left, O(N B) memory; most weights go
//! within some ten iterations.
//!
//! **Use** it where the result should name prototypes of each class and the kernel width is not
//! known; mind that the result depends on the seed.

use crate::catalogue::Made;
use crate::catalogue::Takes::{self, Whole};
use crate::linalg::squared_distances;
use crate::relatives::em::{self, State};
use crate::relatives::inputs::{Prepared, out_of_range, settings_with};
use crate::relatives::machine::{Link, Step};
use crate::relatives::probit::Hidden;
use crate::relatives::{Error, Fit, Inputs, Machine, Termination};
use crate::rows::Weighing;
use crate::stop;
use crate::stop::wanted;
use crate::{Entry, Role, Setting, Values, settings};
use pfcvm::algebra::Work;
use pfcvm::posterior::Likelihood;
use pfcvm::{Dataset, Kernel, Matrix};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

mod width;
use width::Width;

/// What can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How samples become basis functions; its seed is also that of the start.
    pub inputs: Inputs,
    /// Whether the width of the RBF is learned.
    pub learn_width: bool,
    /// Random starts.
    pub restarts: usize,
    /// Iterations at most, for each start.
    pub max_iterations: usize,
    /// Change of a weight that counts as none.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            inputs: Inputs::default(),
            learn_width: true,
            restarts: 3,
            max_iterations: 500,
            tolerance: 1e-3,
        }
    }
}

impl Settings {
    /// Refuses settings outside their range.
    pub fn check(&self) -> Result<(), Error> {
        self.inputs.check()?;
        if !(1..=1000).contains(&self.restarts) {
            return Err(out_of_range("restarts", self.restarts as f64, "1 to 1000"));
        }
        Ok(())
    }
}

/// Fits a probabilistic classification vector machine.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    settings.check()?;
    let mut prepared = Prepared::new(data, &settings.inputs)?;
    let mut work = stop::work();
    let mut rng = ChaCha8Rng::seed_from_u64(settings.inputs.seed);
    let mut best: Option<(f64, Run)> = None;
    for _ in wanted(0..settings.restarts) {
        let start = random_start(&prepared, &mut rng);
        let run = run(&prepared, start, settings, &mut work);
        let worth = run.worth(&prepared.likelihood);
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, run));
        }
    }
    let Some((_, run)) = best else { return Err(Error::NumericalBreakdown) };
    if run.trace.is_empty() {
        return Err(Error::NumericalBreakdown);
    }
    prepared.theta.fill(run.gamma);
    let State { kept, v, bias, .. } = run.state;
    let mut model = Machine::new(prepared, &kept, v, Link::Probit);
    model.bias = Some(bias);
    Ok(Fit { model, termination: run.termination, trace: run.trace })
}

/// Numbers in [0, 1) with 53 random bits.
pub(crate) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// One start at random.
pub(crate) fn random_start(prepared: &Prepared, rng: &mut ChaCha8Rng) -> State {
    let signs = prepared.candidate_signs();
    let v = signs.iter().map(|y| y * (0.2 + uniform(rng))).collect();
    // A normal number by Box and Muller's formula.
    let (radius, angle) = (1.0 - uniform(rng), uniform(rng));
    let bias = (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos();
    let labels = prepared.likelihood.signs.iter();
    let h = labels.map(|y| 10.0 * uniform(rng) * y + uniform(rng)).collect();
    State { kept: (0..signs.len()).collect(), signs, v, bias, h }
}

/// EM from one start.
struct Run {
    state: State,
    gamma: f64,
    trace: Vec<Step>,
    termination: Termination,
}

impl Run {
    /// By which restarts are compared.
    fn worth(&self, likelihood: &Likelihood) -> f64 {
        let rows: f64 = likelihood.weights.iter().sum();
        let worth = Hidden::at(&self.state.h, likelihood).log_likelihood
            - 0.5 * (self.state.v.len() as f64 + 1.0) * rows.max(1.0).ln();
        if worth.is_nan() || self.trace.is_empty() { f64::NEG_INFINITY } else { worth }
    }
}

fn run(prepared: &Prepared, mut state: State, settings: &Settings, work: &mut Work) -> Run {
    let likelihood = &prepared.likelihood;
    let mut width = Width::new(prepared.theta[0]);
    let learns = settings.learn_width && prepared.kernel == Kernel::Rbf;
    let mut distances = learns.then(|| squared_distances(&prepared.x, &prepared.z));
    let mut values = prepared.kernel.values(&prepared.x, &prepared.z, &prepared.theta, work);
    let mut gram = em::gram(&values, likelihood, work);
    let mut hidden = Hidden::at(&state.h, likelihood);
    let mut trace = Vec::new();
    let mut termination = Termination::MaxIterations;
    for _ in wanted(0..settings.max_iterations) {
        let z = &hidden.expected;
        let Some(moved) = state.move_weights(&values, gram.clone(), z, likelihood, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        if moved.stay.len() < values.cols() {
            let narrow = |matrix: &Matrix| matrix.select_columns(&moved.stay);
            (values, distances) = (narrow(&values), distances.as_ref().map(narrow));
            gram = narrow(&gram).select_rows(&moved.stay);
        }
        state.move_bias(&values, z, likelihood, work);
        if let Some(distances) = &distances
            && !state.v.is_empty()
            && width.learn(&mut values, distances, &mut state, z, likelihood, work)
        {
            gram = em::gram(&values, likelihood, work);
        }
        hidden = Hidden::at(&state.h, likelihood);
        let prior = if learns { width::log_prior(width.u) } else { 0.0 };
        trace.push(Step {
            objective: hidden.log_likelihood + state.log_prior() + prior,
            samples: state.v.len(),
            features: prepared.x.cols(),
        });
        if moved.change < settings.tolerance || state.v.is_empty() {
            termination = Termination::Converged;
            break;
        }
    }
    Run { state, gamma: width.u, trace, termination }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "pcvm",
    about: "probabilistic classification vector machine: few samples, each for its own class, \
            all features (Chen 2009)",
    role: Role::Classifier { selects_features: false, selects_samples: true },
    settings: &settings_with(
        [
            Setting {
                key: "learn_width",
                default: "yes",
                takes: Takes::FLAG,
                about: "whether gamma is only the start and the width of the rbf is learned: yes or no",
            },
            Setting {
                key: "restarts",
                default: "3",
                takes: &[Whole { least: 1 }],
                about: "random starts, of which one is kept, at most 1000",
            },
        ],
        "500",
        settings::SEED_OF_START,
    ),
    grid: &[("gamma", &["auto", "0.01", "0.1", "1"])],
    make,
};

fn make(values: &Values) -> Result<Made, crate::Error> {
    let settings = Settings {
        inputs: Inputs::of(values)?,
        learn_width: values.flag("learn_width")?,
        restarts: values.get("restarts")?,
        max_iterations: values.count("max_iterations")?,
        ..Settings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner(settings, fit).weighing(Weighing::Shares))
}

#[cfg(test)]
mod tests;
