//! Support vector machine that learns a weight for each feature.
//!
//! **A reconstruction** of the weighted machine of Nguyen & de la Torre (2010), whose exact energy
//! was not at hand. The kernel is
//!
//! k_p(x, z) = exp(−Σⱼ pⱼ(xⱼ − zⱼ)²), or Σⱼ pⱼxⱼzⱼ for the linear one,
//!
//! and the weights p minimise what the machine itself minimises,
//!
//! J(p) = min over f of ½‖f‖² + Σ Cᵢ max(0, 1 − yᵢf(xᵢ)) = max over α of the dual at k_p,
//!
//! under pⱼ ≥ 0 and Σ pⱼ ≤ B. The two take turns: LIBSVM's dual at the present p, then a step of
//! projected gradient in p, ∂J/∂pⱼ = −½ Σ yₐαₐ y_bα_b ∂k_p/∂pⱼ (the dual's α do not move to first
//! order). A step is taken only if it lowers J, so that J never rises. The projection makes weights
//! exactly 0: those features are dropped.
//!
//! The start is the plain machine: all weights alike with the sum B, that is pⱼ = γ and B = γM for
//! the RBF kernel, pⱼ = 1 and B = M for the linear one. The budget B is thus set by γ, for the linear kernel by C (p
//! times a factor is C times it). A small budget and a small C keep few features: on waveforms of 400
//! samples, of 40 features the defaults keep 25 (half of the noise), a tenth of γ 14, a tenth of C 10
//! (no noise). Choose both by cross-validation where the features matter. For the linear kernel J is convex in p; for
//! the RBF the end is a local minimum, and the same for the same data. Sample and class weights are
//! those of [`Svm`](crate::margin::Svm).
//!
//! O(N²M) and one dual for each of 20 to 100 steps. Use it where a curved boundary hangs on some of
//! many features.

mod energy;

use crate::catalogue::Made;
use crate::margin::kernel::Kernel;
use crate::margin::svm::copies_and_bounds;
use crate::margin::{self, Common, Gamma, MarginKernel, above_0};
use crate::prepared::{Prepared, scaled};
use crate::probability::{Calibration, Probability};
use crate::rows::Weighing;
use crate::stop::wanted;
use crate::{Entry, Error, Fitted, Role, Setting, Stored, Values, settings};
use crate::{ascending, renumber};
use energy::{Energy, project};
use pfcvm::data::Scaler;
use pfcvm::{ClassWeights, Dataset, Matrix};
use serde::{Deserialize, Serialize};

/// A fall of J in parts of itself that is not worth another step.
const ENOUGH: f64 = 1e-4;
/// Of the fall that the gradient promises, what a step must keep (Armijo's rule).
const KEPT: f64 = 1e-3;
/// How often a step is cut before the weights stay.
const MOST_CUTS: usize = 25;

/// How the machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct WsvmSettings {
    /// What samples are compared by, before weights (default: RBF, γ by the data).
    pub kernel: MarginKernel,
    /// C, the price of a margin not kept (default 1).
    pub c: f64,
    /// How the classes count (default: every sample once).
    pub class_weights: ClassWeights,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
    /// Whether and how probabilities are learned too (default: Platt's, five more fits).
    pub probability: Probability,
    /// Seed of the folds that probabilities come from.
    pub seed: u64,
    /// Steps in p after which they end come what may (default 100).
    pub max_steps: usize,
}

impl Default for WsvmSettings {
    fn default() -> Self {
        Self {
            kernel: MarginKernel::Rbf(Gamma::Scale(1.0)),
            c: 1.0,
            class_weights: ClassWeights::default(),
            standardise: true,
            probability: Probability::default(),
            seed: 0,
            max_steps: 100,
        }
    }
}

/// A fitted support vector machine with weights of features ([its model](crate::margin::wsvm)).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wsvm {
    scaler: Scaler,
    /// Kept features, as positions among the varying columns.
    kept: Vec<usize>,
    weights: Vec<f64>,
    kernel: Kernel,
    /// Support vectors, times the roots of the weights.
    vectors: Matrix,
    support: Vec<usize>,
    coefficients: Vec<f64>,
    offset: f64,
    objectives: Vec<f64>,
    calibration: Option<Calibration>,
}

impl Wsvm {
    /// Fits the machine.
    pub fn fit(data: &Dataset, settings: &WsvmSettings) -> Result<Self, Error> {
        above_0("c", settings.c)?;
        let mut fitted = Self::plain(data, settings)?;
        let decide =
            |train: &Dataset, test: &Dataset| Self::plain(train, settings)?.decide(test.x());
        fitted.calibration = settings.probability.calibrate(data, settings.seed, decide)?;
        Ok(fitted)
    }

    fn plain(data: &Dataset, settings: &WsvmSettings) -> Result<Self, Error> {
        let prepared = Prepared::new(data, settings.standardise)?;
        let how = (settings.c, settings.class_weights);
        let (copies, bounds) = copies_and_bounds(data, &prepared, how)?;
        let (kernel, first) = match settings.kernel.on(&prepared.x)? {
            Kernel::Linear => (Kernel::Linear, 1.0),
            Kernel::Rbf(gamma) => (Kernel::Rbf(1.0), gamma),
        };
        let energy = Energy {
            x: &prepared.x,
            positive: &prepared.positive,
            copies: &copies,
            bounds,
            kernel,
        };
        let features = prepared.x.cols();
        let total = first * features as f64;
        let mut weights = vec![first; features];
        let mut here = energy.at(&weights, None);
        let mut objectives = vec![here.solution.objective];
        let mut step = None;
        for _ in wanted(0..settings.max_steps) {
            let slopes = energy.slopes(&weights, &here);
            let size: f64 = slopes.iter().map(|slope| slope.abs()).sum();
            if !(size > 0.0 && size.is_finite()) {
                break;
            }
            // Twice the last step, at first one that moves half of the sum.
            let mut length = step.map_or(0.5 * total / size, |step: f64| 2.0 * step);
            let before = here.solution.objective;
            let mut taken = false;
            for _ in wanted(0..MOST_CUTS) {
                let aim =
                    weights.iter().zip(&slopes).map(|(weight, slope)| weight - length * slope);
                let moved = project(&Vec::from_iter(aim), total);
                let pairs = weights.iter().zip(&moved).zip(&slopes);
                let promised: f64 = pairs.map(|((old, new), slope)| slope * (old - new)).sum();
                let there = energy.at(&moved, Some(&here));
                if promised > 0.0 && there.solution.objective <= before - KEPT * promised {
                    (weights, here, step, taken) = (moved, there, Some(length), true);
                    break;
                }
                length /= 4.0;
            }
            if !taken {
                break;
            }
            objectives.push(here.solution.objective);
            if before - here.solution.objective <= ENOUGH * before.abs() {
                break;
            }
        }
        let kept = Vec::from_iter((0..features).filter(|&j| weights[j] > 0.0));
        let solution = here.solution;
        let rows = 0..prepared.x.rows();
        let support = Vec::from_iter(rows.filter(|&row| solution.coefficients[row] != 0.0));
        Ok(Self {
            vectors: here.weighted.select_rows(&support),
            coefficients: support.iter().map(|&row| solution.coefficients[row]).collect(),
            support: support.iter().map(|&row| prepared.rows[row]).collect(),
            weights: kept.iter().map(|&j| weights[j]).collect(),
            scaler: prepared.scaler,
            kept,
            kernel,
            offset: solution.offset,
            objectives,
            calibration: None,
        })
    }

    /// f for each row: above or at 0 for the positive class.
    pub fn decide(&self, x: &Matrix) -> Result<Vec<f64>, Error> {
        let mut x = scaled(&self.scaler, x, &self.kept)?;
        for (j, weight) in self.weights.iter().enumerate() {
            let root = weight.sqrt();
            x.column_mut(j).iter_mut().for_each(|value| *value *= root);
        }
        let mut decisions = self.kernel.expansion(&x, &self.vectors, &self.coefficients);
        decisions.iter_mut().for_each(|f| *f += self.offset);
        Ok(decisions)
    }

    /// How decisions become probabilities, if that was asked for.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The features whose weight is not 0, ascending.
    pub fn features(&self) -> Vec<usize> {
        self.kept.iter().map(|&at| self.scaler.columns()[at]).collect()
    }

    /// Their weights in the kernel, for scaled values.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The training rows that f leans on, ascending.
    pub fn support(&self) -> &[usize] {
        &self.support
    }

    /// J at the start and after each step; it never rises.
    pub fn objectives(&self) -> &[f64] {
        &self.objectives
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "wsvm",
    about: "support vector machine with a weight of each feature in its kernel (a reconstruction \
            of Nguyen 2010)",
    role: Role::Classifier { selects_features: true, selects_samples: true },
    settings: &margin::kernel_settings(Setting {
        about: "starting weight of each feature, and the budget: weights sum to at most gamma \
                 times their number (rbf); a number, scale, or scale:FACTOR",
        ..settings::GAMMA_BY_SCALE
    }),
    grid: &[("c", &["0.1", "1", "10", "100"]), ("gamma", &["scale:0.1", "scale", "scale:3"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let kernel = margin::kernel(values)?;
    let Common { c, class_weights, standardise, probability, seed } = Common::of(values)?;
    let settings = WsvmSettings {
        kernel,
        c,
        class_weights,
        standardise,
        probability,
        seed,
        ..WsvmSettings::default()
    };
    Ok(Made::learner(settings, Wsvm::fit).weighing(Weighing::Own))
}

impl Fitted for Wsvm {
    crate::calibrated_predictions!();

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.features())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(self.support())
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        renumber(&mut self.support, rows);
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.weights().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::Wsvm(Box::new(self.clone()))
    }
}
