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
//! weight says; the weights of a class must be whole numbers, or whole multiples of the least among
//! them, as the solver knows one bound for each class only.
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
use crate::margin::{self, Common, Gamma, MarginKernel, above_0};
use crate::prepared::{Prepared, all_scaled};
use crate::probability::{Calibration, Probability};
use crate::probability::{folds, only_class};
use crate::rows::Weighing;
use crate::stop::wanted;
use crate::{Entry, Error, Fitted, Role, Stored, Values, settings};
use crate::{ascending, renumber};
use pfcvm::data::Scaler;
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
        above_0("c", settings.c)?;
        above_0("tolerance", settings.tolerance)?;
        let prepared = Prepared::new(data, settings.standardise)?;
        let kernel = settings.kernel.on(&prepared.x)?;
        let how = (settings.c, settings.class_weights);
        let (copies, bounds) = copies_and_bounds(data, &prepared, how)?;
        let gram = kernel.gram(&prepared.x);
        let dual = Dual {
            gram: &gram,
            positive: &prepared.positive,
            copies: &copies,
            bounds,
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
        let x = all_scaled(&self.scaler, x)?;
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
    for held_out in wanted(0..=fold.iter().copied().max().unwrap_or(0)) {
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

/// The factors of the negative and of the positive class.
pub(crate) fn class_factors(data: &Dataset, weights: ClassWeights) -> Result<[f64; 2], Error> {
    let (negative, positive) = data.class_factors(weights);
    let factors = [negative, positive];
    match factors.iter().all(|factor| *factor > 0.0 && factor.is_finite()) {
        true => Ok(factors),
        false => {
            let value = format!("{negative},{positive}");
            Err(out_of_range("class_weights", value, "finite, above 0"))
        }
    }
}

/// Weights as numbers of copies, and the bound C of each class beside them. Exact where the weights
/// of a class are whole multiples of its least, or whole numbers.
pub(crate) fn copies_and_bounds(
    data: &Dataset,
    prepared: &Prepared,
    (c, class_weights): (f64, ClassWeights),
) -> Result<(Vec<usize>, [f64; 2]), Error> {
    const MOST: f64 = 1e5;
    let factors = class_factors(data, class_weights)?;
    let weight = |at: usize| data.sample_weights()[prepared.rows[at]];
    let alike = (1..prepared.rows.len()).all(|at| weight(at) == weight(0));
    let mut copies = vec![1; prepared.rows.len()];
    let mut bounds = [0.0; 2];
    for class in [false, true] {
        let of_class = || (0..copies.len()).filter(|&at| prepared.positive[at] == class);
        let least = of_class().map(weight).fold(f64::INFINITY, f64::min);
        let whole = |unit: f64| of_class().all(|at| (weight(at) / unit).fract() == 0.0);
        // Whole numbers are numbers of copies, unless all samples count alike.
        let unit = if !alike && whole(1.0) { 1.0 } else { least };
        if let Some(at) = of_class().find(|&at| (weight(at) / unit).fract() != 0.0) {
            return Err(Error::FractionalWeight { weight: weight(at) });
        }
        let total: f64 = of_class().map(|at| weight(at) / unit).sum();
        if total > MOST {
            return Err(Error::HeavyWeights { total, limit: MOST });
        }
        let counts = Vec::from_iter(of_class().map(|at| (at, (weight(at) / unit) as usize)));
        counts.into_iter().for_each(|(at, count)| copies[at] = count);
        bounds[usize::from(class)] = c * unit * factors[usize::from(class)];
    }
    Ok((copies, bounds))
}

pub(crate) static ENTRY: Entry = Entry {
    name: "svm",
    about: "support vector machine, on all features (LIBSVM's algorithm)",
    role: Role::Classifier { selects_features: false, selects_samples: true },
    settings: &margin::kernel_settings(settings::GAMMA_BY_SCALE),
    grid: &[("c", &["0.1", "1", "10", "100"]), ("gamma", &["scale:0.1", "scale", "scale:10"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let kernel = margin::kernel(values)?;
    let Common { c, class_weights, standardise, probability, seed } = Common::of(values)?;
    let settings = SvmSettings {
        kernel,
        c,
        class_weights,
        standardise,
        probability,
        seed,
        ..SvmSettings::default()
    };
    Ok(Made::learner(settings, Svm::fit).weighing(Weighing::Own))
}

impl Fitted for Svm {
    crate::calibrated_predictions!();

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(self.support())
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        renumber(&mut self.support, rows);
    }

    fn stored(&self) -> Stored {
        Stored::Svm(Box::new(self.clone()))
    }
}
