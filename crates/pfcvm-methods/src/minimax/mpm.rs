//! Minimax probability machine.
//!
//! Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2002):
//!
//! min over a of ‖Σ₊^½a‖ + ‖Σ₋^½a‖ under aᵀ(μ₊ − μ₋) = 1; κ = 1/min, b = aᵀμ₊ − κ‖Σ₊^½a‖,
//!
//! a second-order cone program. f(x) = aᵀx − b, and whatever the distributions, if they have these
//! moments, each class is decided rightly with a probability of at least [`Mpm::bound`],
//! κ²/(1 + κ²). The kernel form is the same program in the span of the samples.
//!
//! The covariances carry a ridge (the robust form of Lanckriet et al. 2003, section 5): with fewer
//! samples than coordinates some a has no spread at all and κ is infinite without it. It makes
//! the bound lower, never higher. Sample weights enter means and covariances. Probabilities
//! come from held-out decisions: the bound is one for all samples, not one for each.
//!
//! In a basis that makes both covariances diagonal (they sum to I) the cones are two lists of
//! scaled coordinates, so that the program costs O(r) a step for r coordinates, and the whole
//! O(N²M + r³). Use it where a guarantee is wanted and each class is one cloud.

use super::moments::{Moments, inner, ridge_of};
use super::span::{Direction, Span};
use super::{GRID, KERNEL, RIDGE};
use crate::catalogue::Made;
use crate::cone::{Affine, Program};
use crate::error::out_of_range;
use crate::linalg::{Cholesky, eigen, product, product_tn};
use crate::margin::{self, MarginKernel};
use crate::prepared::Prepared;
use crate::probability::{Calibration, Probability};
use crate::{Entry, Error, Fitted, Role, Stored, settings};
use pfcvm::data::Scaler;
use pfcvm::{Dataset, Matrix};
use serde::{Deserialize, Serialize};

/// How the machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct MpmSettings {
    /// What samples are compared by (default: linear).
    pub kernel: MarginKernel,
    /// What is added to every variance, in parts of the mean variance (default 0.01).
    pub ridge: f64,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
    /// Whether and how probabilities are learned too (default: Platt's, five more fits).
    pub probability: Probability,
    /// Seed of the folds that probabilities come from.
    pub seed: u64,
}

impl Default for MpmSettings {
    fn default() -> Self {
        Self {
            kernel: MarginKernel::Linear,
            ridge: 0.01,
            standardise: true,
            probability: Probability::default(),
            seed: 0,
        }
    }
}

/// A fitted minimax probability machine ([its model](crate::minimax::mpm)).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mpm {
    scaler: Scaler,
    direction: Direction,
    offset: f64,
    kappa: f64,
    calibration: Option<Calibration>,
}

impl Mpm {
    /// Fits the machine.
    pub fn fit(data: &Dataset, settings: &MpmSettings) -> Result<Self, Error> {
        if !(settings.ridge >= 0.0 && settings.ridge.is_finite()) {
            return Err(out_of_range("ridge", settings.ridge, "finite, not below 0"));
        }
        let prepared = Prepared::new(data, settings.standardise)?;
        let span = Span::new(&prepared.x, settings.kernel, usize::MAX)?;
        let ridge = ridge_of(&span.coordinates, &prepared.weights, settings.ridge);
        let class = |class: bool| {
            let rows = (0..prepared.positive.len()).filter(|&row| prepared.positive[row] == class);
            let rows = Vec::from_iter(rows);
            Moments::new(&span.coordinates, &prepared.weights, &rows, ridge)
        };
        let plane = Plane::between(&class(false), &class(true))?;
        let plain = MpmSettings { probability: Probability::No, ..settings.clone() };
        let decide = |train: &Dataset, test: &Dataset| match Mpm::fit(train, &plain) {
            Err(Error::SameMeans) => Ok(vec![0.0; test.len()]),
            fitted => fitted?.decide(test.x()),
        };
        let calibration = settings.probability.calibrate(data, settings.seed, decide)?;
        Ok(Self {
            direction: span.direction(&plane.normal),
            scaler: prepared.scaler,
            offset: plane.offset,
            kappa: plane.kappa,
            calibration,
        })
    }

    /// f = aᵀφ(x) − b for each row: above or at 0 for the positive class.
    pub fn decide(&self, x: &Matrix) -> Result<Vec<f64>, Error> {
        self.direction.decisions(&self.scaler, x, self.offset)
    }

    /// How decisions become probabilities, if that was asked for.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// κ: the distance of the nearer mean from the plane, in deviations.
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// α = κ²/(1 + κ²): each class is decided rightly at least this often, whatever its
    /// distribution, if its moments are those of the training rows.
    pub fn bound(&self) -> f64 {
        bound(self.kappa)
    }
}

/// κ²/(1 + κ²).
pub(super) fn bound(kappa: f64) -> f64 {
    // As 1 / (1 + κ⁻²), which no κ makes infinite over infinite.
    1.0 / (1.0 + (1.0 / kappa).powi(2))
}

/// {x : normalᵀx = offset}, in coordinates.
struct Plane {
    normal: Vec<f64>,
    offset: f64,
    kappa: f64,
}

impl Plane {
    fn between(negative: &Moments, positive: &Moments) -> Result<Self, Error> {
        let broken = |reason: &str| Error::Solver { method: "mpm", reason: reason.into() };
        let apart = Vec::from_iter(positive.mean.iter().zip(&negative.mean).map(|(p, n)| p - n));
        let count = apart.len();
        // Σ₊ + Σ₋ = LLᵀ and L⁻¹Σ₊L⁻ᵀ = V diag(d) Vᵀ: with a = L⁻ᵀVg the spreads are
        // Σ d g² and Σ (1 − d) g².
        let sum = Matrix::from_fn(count, count, |i, j| {
            positive.covariance.get(i, j) + negative.covariance.get(i, j)
        });
        let factor = Cholesky::new(&sum).ok_or_else(|| broken("a covariance without a factor"))?;
        let half = factor.half_solve(&positive.covariance);
        let half_transposed = Matrix::from_fn(count, count, |i, j| half.get(j, i));
        let (shares, vectors) = eigen(&factor.half_solve(&half_transposed))
            .ok_or_else(|| broken("no eigenvectors of the covariances"))?;
        let apart = factor.half_solve(&Matrix::from_column_major(count, 1, apart));
        let apart = product_tn(&vectors, &apart).as_slice().to_vec();
        let length = inner(&apart, &apart).sqrt();
        // In units of deviations; below it the means differ by rounding.
        if length.is_nan() || length <= 1e-9 {
            return Err(Error::SameMeans);
        }
        let mut program = Program::new([vec![0.0; count], vec![1.0, 1.0]].concat());
        program.zero(Affine::new(-1.0, apart.iter().map(|d| d / length).enumerate()));
        for class in 0..2 {
            let share = |at: usize| if class == 0 { shares[at] } else { 1.0 - shares[at] };
            let spread = (0..count).map(|at| Affine::new(0.0, [(at, share(at).max(0.0).sqrt())]));
            program.norm_at_most(Affine::new(0.0, [(count + class, 1.0)]), spread);
        }
        let optimum = program.solve("mpm")?;
        let inside = Vec::from_iter(optimum.x[..count].iter().map(|g| g / length));
        // Exactly 1 apart: the solver's equality holds to its tolerance.
        let scale = 1.0 / inner(&inside, &apart);
        let deviation = |share: &dyn Fn(f64) -> f64| {
            let squares = inside.iter().zip(&shares).map(|(g, d)| share(*d).max(0.0) * g * g);
            scale * squares.sum::<f64>().sqrt()
        };
        let (above, below) = (deviation(&|d| d), deviation(&|d| 1.0 - d));
        let kappa = 1.0 / (above + below);
        let turned = product(&vectors, &Matrix::from_column_major(count, 1, inside));
        let normal = factor.half_solve_transposed(&turned);
        let normal = Vec::from_iter(normal.as_slice().iter().map(|a| a * scale));
        let offset = inner(&normal, &positive.mean) - kappa * above;
        Ok(Self { normal, offset, kappa })
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "mpm",
    about: "the plane with the best worst case, by means and covariances (Lanckriet 2002)",
    role: Role::Classifier { selects_features: false, selects_samples: false },
    settings: &[
        KERNEL,
        settings::GAMMA_BY_SCALE,
        RIDGE,
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::PROBABILITY,
        settings::SEED_OF_FOLDS,
    ],
    grid: GRID,
    make: |values| {
        let settings = MpmSettings {
            kernel: margin::kernel(values)?,
            ridge: values.number("ridge")?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        };
        Ok(Made::learner(settings, Mpm::fit))
    },
};

impl Fitted for Mpm {
    crate::calibrated_predictions!();

    fn stored(&self) -> Stored {
        Stored::Mpm(Box::new(self.clone()))
    }
}
