//! Support vector machine.
//!
//! C-SVC (Boser, Guyon & Vapnik 1992; Cortes & Vapnik 1995):
//!
//! min over w, b of ½‖w‖² + Σᵢ Cᵢ max(0, 1 − yᵢ f(xᵢ)), f(x) = wᵀφ(x) + b,
//!
//! through its dual, max Σα − ½ Σ yᵢyⱼαᵢαⱼ k(xᵢ, xⱼ) under 0 ≤ αᵢ ≤ Cᵢ and Σ yᵢαᵢ = 0, by
//! LIBSVM's sequential minimal optimisation (Chang & Lin 2011; the crate `libsvm-rs`) with its
//! tolerance of 1e-3 on the optimality conditions. Decisions are those of scikit-learn's `SVC` on
//! standardised features. Cᵢ is C times the weight of the class. A sample counts as often as its
//! weight says; weights must be whole numbers or all the same, as the solver knows one bound for
//! each class only.
//!
//! Probabilities ([`Probability`]) come from decisions of a cross-validation over five folds
//! within the training rows, with features scaled as for the whole.
//!
//! O(N²M) for the kernel values, which are held (8N² bytes, and half of it again for those of samples that the
//! solver asks for), and between O(N²) and O(N³) for the
//! dual. Use it as the standard to beat; it uses every feature and selects none.

mod solve;

pub(crate) use solve::{Dual, Solution};

use crate::catalogue::Made;
use crate::error::out_of_range;
use crate::margin::kernel::Kernel;
use crate::margin::{self, C};
use crate::margin::{Gamma, MarginKernel};
use crate::prepared::Prepared;
use crate::probability::{Calibration, Probability};
use crate::probability::{folds, only_class};
use crate::scaler::Scaler;
use crate::{Entry, Error, Fitted, Prediction, Refusal, Role, Stored, Values, settings};
use pfcvm::{ClassWeights, Dataset, Matrix};
use serde::{Deserialize, Serialize};

/// How a support vector machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct SvmSettings {
    /// What samples are compared by (default: RBF, γ by the data).
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
    /// How far the optimality conditions may be missed (default 1e-3, LIBSVM's).
    pub tolerance: f64,
}

impl Default for SvmSettings {
    fn default() -> Self {
        Self {
            kernel: MarginKernel::Rbf(Gamma::Scale(1.0)),
            c: 1.0,
            class_weights: ClassWeights::default(),
            standardise: true,
            probability: Probability::default(),
            seed: 0,
            tolerance: 1e-3,
        }
    }
}

/// A fitted support vector machine ([its model](crate::margin::svm).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Svm {
    scaler: Scaler,
    kernel: Kernel,
    /// Scaled support vectors.
    vectors: Matrix,
    support: Vec<usize>,
    coefficients: Vec<f64>,
    offset: f64,
    objective: f64,
    calibration: Option<Calibration>,
}

impl Svm {
    /// Fits a support vector machine.
    pub fn fit(data: &Dataset, settings: &SvmSettings) -> Result<Self, Error> {
        if !(settings.c > 0.0 && settings.c.is_finite()) {
            return Err(out_of_range("c", settings.c, "finite, above 0"));
        }
        if !(settings.tolerance > 0.0 && settings.tolerance.is_finite()) {
            return Err(out_of_range("tolerance", settings.tolerance, "finite, above 0"));
        }
        let prepared = Prepared::new(data, settings.standardise)?;
        let kernel = settings.kernel.on(&prepared.x)?;
        let (copies, common) = whole_weights(data, &prepared.rows)?;
        let gram = kernel.gram(&prepared.x);
        let factors = class_factors(settings.class_weights, &prepared.positive, &copies)?;
        let dual = Dual {
            gram: &gram,
            positive: &prepared.positive,
            copies: &copies,
            bounds: factors.map(|factor| settings.c * common * factor),
            tolerance: settings.tolerance,
        };
        let every = Vec::from_iter(0..gram.rows());
        let solution = dual.solve(&every);
        let calibration = match settings.probability {
            Probability::No => None,
            way => calibrate(&dual, way, settings.seed),
        };
        let support =
            Vec::from_iter(every.into_iter().filter(|&i| solution.coefficients[i] != 0.0));
        Ok(Self {
            vectors: prepared.x.select_rows(&support),
            coefficients: support.iter().map(|&i| solution.coefficients[i]).collect(),
            support: support.iter().map(|&i| prepared.rows[i]).collect(),
            scaler: prepared.scaler,
            kernel,
            offset: solution.offset,
            objective: solution.objective,
            calibration,
        })
    }

    /// f for each row: above or at 0 for the positive class.
    pub fn decide(&self, x: &Matrix) -> Result<Vec<f64>, Error> {
        let x = self.scaler.apply(x)?;
        let mut decisions = self.kernel.expansion(&x, &self.vectors, &self.coefficients);
        decisions.iter_mut().for_each(|f| *f += self.offset);
        Ok(decisions)
    }

    /// How decisions become probabilities, if that was asked for.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The training rows that f leans on, ascending.
    pub fn support(&self) -> &[usize] {
        &self.support
    }

    /// yᵢαᵢ of each of them, summed over its copies.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// b.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The objective of the dual, which the primal's is above by no more than the tolerance allows.
    pub fn objective(&self) -> f64 {
        self.objective
    }
}

/// Probabilities from parts of the matrix of kernel values.
fn calibrate(dual: &Dual<'_>, way: Probability, seed: u64) -> Option<Calibration> {
    let rows = dual.positive.len();
    let fold = folds(dual.positive, seed);
    let mut decisions = vec![0.0; rows];
    for held_out in 0..=fold.iter().copied().max().unwrap_or(0) {
        let (tested, trained): (Vec<usize>, Vec<usize>) =
            (0..rows).partition(|&row| fold[row] == held_out);
        if let Some(decision) = only_class(trained.iter().map(|&row| dual.positive[row])) {
            tested.iter().for_each(|&row| decisions[row] = decision);
            continue;
        }
        let Solution { coefficients, offset, .. } = dual.solve(&trained);
        for &row in &tested {
            let values = dual.gram.column(row).iter().zip(&coefficients);
            decisions[row] = offset + values.map(|(k, coefficient)| k * coefficient).sum::<f64>();
        }
    }
    let repeated = |row: usize| std::iter::repeat_n(row, dual.copies[row]);
    let order = Vec::from_iter((0..rows).flat_map(repeated));
    let decisions = Vec::from_iter(order.iter().map(|&row| decisions[row]));
    let positive = Vec::from_iter(order.iter().map(|&row| dual.positive[row]));
    way.learn(&decisions, &positive, &vec![1.0; order.len()])
}

/// Weights as numbers of copies, and a factor of all.
pub(crate) fn whole_weights(data: &Dataset, rows: &[usize]) -> Result<(Vec<usize>, f64), Error> {
    const MOST: f64 = 1e5;
    let weights = Vec::from_iter(rows.iter().map(|&row| data.sample_weights()[row]));
    if weights.iter().all(|weight| *weight == weights[0]) {
        return Ok((vec![1; rows.len()], weights[0]));
    }
    match weights.iter().find(|weight| weight.fract() != 0.0) {
        Some(weight) => Err(Error::FractionalWeight { weight: *weight }),
        None if weights.iter().sum::<f64>() > MOST => {
            let total = weights.iter().sum();
            Err(Error::HeavyWeights { total, limit: MOST })
        }
        None => Ok((weights.iter().map(|weight| *weight as usize).collect(), 1.0)),
    }
}

/// The factors of the negative and of the positive class.
pub(crate) fn class_factors(
    weights: ClassWeights,
    positive: &[bool],
    copies: &[usize],
) -> Result<[f64; 2], Error> {
    let count = |class| {
        let of_class = positive.iter().zip(copies).filter(|(p, _)| **p == class);
        of_class.map(|(_, copies)| *copies).sum::<usize>() as f64
    };
    let counts = [count(false), count(true)];
    let factors = match weights {
        ClassWeights::Equal => [1.0, 1.0],
        ClassWeights::Balanced => counts.map(|count| (counts[0] + counts[1]) / (2.0 * count)),
        ClassWeights::Given { negative, positive } => [negative, positive],
    };
    match factors.iter().all(|factor| *factor > 0.0 && factor.is_finite()) {
        true => Ok(factors),
        false => {
            let value = format!("{},{}", factors[0], factors[1]);
            Err(out_of_range("class_weights", value, "finite, above 0"))
        }
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "svm",
    about: "support vector machine, on all features (LIBSVM's algorithm)",
    role: Role::Classifier { selects_features: false, selects_samples: true },
    settings: &[
        margin::KERNEL,
        C,
        settings::GAMMA_BY_SCALE,
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::PROBABILITY,
        settings::SEED_OF_FOLDS,
    ],
    grid: &[("c", &["0.1", "1", "10", "100"]), ("gamma", &["scale:0.1", "scale", "scale:10"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = SvmSettings {
        kernel: margin::kernel(values)?,
        c: values.number("c")?,
        class_weights: values.get("class_weights")?,
        standardise: values.flag("standardise")?,
        probability: values.get("probability")?,
        seed: values.get("seed")?,
        ..SvmSettings::default()
    };
    Ok(Made::learner(settings, Svm::fit))
}

impl Fitted for Svm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(Prediction::calibrated(self.decide(x)?, self.calibration()))
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.support().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::Svm(Box::new(self.clone()))
    }
}
