//! Support vector machine with the ℓ₁ norm.
//!
//! Bradley & Mangasarian (1998):
//!
//! min over w, b of ‖w‖₁ + Σᵢ Cᵢ max(0, 1 − yᵢ(wᵀxᵢ + b)),
//!
//! a linear program whose solution has few wⱼ other than 0. It is solved through its dual,
//!
//! max Σα under 0 ≤ αᵢ ≤ Cᵢ, Σ yᵢαᵢ = 0 and |Σᵢ yᵢαᵢxᵢⱼ| ≤ 1 for each feature j,
//!
//! whose multipliers are w and b. Of the last constraints only some can bind: the program starts
//! with those of the features that differ most between the classes (with all, where these are
//! few), and the ones that its solution violates join until none is left, so that M = 7129 costs
//! little more than M = 100. The solution is that of the full program. α, shrunk until it keeps
//! every constraint, bounds the objective from below: [`L1Svm::gap`] is the proof.
//!
//! A feature is kept where its multiplier exceeds the slack of its constraint (strict
//! complementarity), and all others have a weight of exactly 0; where dropping them costs
//! anything, the program is solved once more on those kept. Where features are copies of each other
//! the solution is not unique and the weight is shared among them. Cᵢ is C times the weights of
//! the sample and of its class.
//!
//! O(N²A) for each of about 25 steps with A constraints in the program, and O(NM) to look for
//! violations. Use it for a linear rule on few features; of correlated ones it picks some.

use crate::catalogue::Made;
use crate::cone::{Affine, Optimum, Program};
use crate::linalg::product_tn;
use crate::margin::svm::class_factors;
use crate::margin::{self, Common, above_0};
use crate::prepared::{Prepared, scaled};
use crate::probability::{Calibration, Probability};
use crate::rows::Weighing;
use crate::{Entry, Error, Fitted, Role, Stored, Values};
use pfcvm::data::Scaler;
use pfcvm::{ClassWeights, Dataset, Matrix};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Features that join the program at a time.
const JOINING: usize = 100;
/// With no more features than this all are in the program from the start.
const ALL_AT_ONCE: usize = 600;
/// A relative gap that needs no second solution on the features kept.
const CLOSED: f64 = 1e-8;
/// How far a constraint may be violated.
const VIOLATION: f64 = 1e-7;

/// How the machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct L1SvmSettings {
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
}

impl Default for L1SvmSettings {
    fn default() -> Self {
        Self {
            c: 1.0,
            class_weights: ClassWeights::default(),
            standardise: true,
            probability: Probability::default(),
            seed: 0,
        }
    }
}

/// A fitted support vector machine with the ℓ₁ norm ([its model](crate::margin::l1svm)).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct L1Svm {
    scaler: Scaler,
    /// Kept features, as positions among the varying columns.
    kept: Vec<usize>,
    weights: Vec<f64>,
    offset: f64,
    objective: f64,
    gap: f64,
    calibration: Option<Calibration>,
}

impl L1Svm {
    /// Fits the machine.
    pub fn fit(data: &Dataset, settings: &L1SvmSettings) -> Result<Self, Error> {
        above_0("c", settings.c)?;
        let prepared = Prepared::new(data, settings.standardise)?;
        let program = Margins::new(data, &prepared, settings)?;
        let end = program.solve()?;
        let plain = L1SvmSettings { probability: Probability::No, ..settings.clone() };
        let decide = |train: &Dataset, test: &Dataset| L1Svm::fit(train, &plain)?.decide(test.x());
        let calibration = settings.probability.calibrate(data, settings.seed, decide)?;
        let End { kept, weights, offset, objective, gap } = end;
        Ok(Self { scaler: prepared.scaler, kept, weights, offset, objective, gap, calibration })
    }

    /// f = wᵀx + b for each row: above or at 0 for the positive class.
    pub fn decide(&self, x: &Matrix) -> Result<Vec<f64>, Error> {
        let x = scaled(&self.scaler, x, &self.kept)?;
        let mut decisions = vec![self.offset; x.rows()];
        for (column, weight) in x.columns().zip(&self.weights) {
            decisions.iter_mut().zip(column).for_each(|(f, value)| *f += weight * value);
        }
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

    /// Their weights, for scaled values.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// b.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// ‖w‖₁ + Σ C hinge.
    pub fn objective(&self) -> f64 {
        self.objective
    }

    /// How far the objective can be above the least there is, in parts of itself.
    pub fn gap(&self) -> f64 {
        self.gap
    }
}

/// The program's data: yᵢxᵢⱼ and the bounds.
struct Margins {
    signed: Matrix,
    signs: Vec<f64>,
    bounds: Vec<f64>,
}

/// A solution of the dual with some features.
struct Pressed {
    /// α.
    x: Vec<f64>,
    /// For each feature the multipliers of Σ yαx ≤ 1 and of −1 ≤ Σ yαx.
    pressed: HashMap<usize, (f64, f64)>,
    /// b.
    offset: f64,
}

struct End {
    kept: Vec<usize>,
    weights: Vec<f64>,
    offset: f64,
    objective: f64,
    gap: f64,
}

impl Margins {
    fn new(data: &Dataset, prepared: &Prepared, settings: &L1SvmSettings) -> Result<Self, Error> {
        let positive = &prepared.positive;
        let factors = class_factors(data, settings.class_weights)?;
        let bound = |(&row, &positive): (&usize, &bool)| {
            settings.c * factors[usize::from(positive)] * data.sample_weights()[row]
        };
        let bounds = prepared.rows.iter().zip(positive).map(bound).collect();
        let signs = Vec::from_iter(positive.iter().map(|&p| if p { 1.0 } else { -1.0 }));
        let mut signed = prepared.x.clone();
        for j in 0..signed.cols() {
            signed.column_mut(j).iter_mut().zip(&signs).for_each(|(value, sign)| *value *= sign);
        }
        Ok(Self { signed, signs, bounds })
    }

    fn solve(&self) -> Result<End, Error> {
        let features = self.signed.cols();
        let mut inside = vec![false; features];
        let mut active = Vec::new();
        let mut join = |slopes: &[f64], most: usize, active: &mut Vec<usize>| {
            let mut outside = Vec::from_iter((0..features).filter(|&j| !inside[j]));
            outside.retain(|&j| slopes[j].abs() > 1.0 + VIOLATION);
            outside.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
            outside.truncate(most);
            outside.iter().for_each(|&j| inside[j] = true);
            active.extend_from_slice(&outside);
            !outside.is_empty()
        };
        if features <= ALL_AT_ONCE {
            join(&vec![f64::INFINITY; features], ALL_AT_ONCE, &mut active);
        } else {
            // α as large as it may be while Σ yα = 0: if nothing is violated there, w = 0.
            join(&self.slopes(&self.balanced()), JOINING, &mut active);
        }
        let (mut optimum, mut slopes);
        loop {
            optimum = self.restricted(&active)?;
            slopes = self.slopes(&optimum.x);
            if !join(&slopes, JOINING, &mut active) {
                break;
            }
        }
        let most = slopes.iter().fold(1.0f64, |most, slope| most.max(slope.abs()));
        let dual = optimum.x[..self.signs.len()].iter().sum::<f64>() / most;
        active.sort_unstable();
        let kept = Vec::from_iter(active.iter().copied().filter(|&j| {
            let (above, below) = optimum.pressed[&j];
            above > 1.0 - slopes[j] || below > 1.0 + slopes[j]
        }));
        let end = self.end(&kept, &optimum, dual);
        if end.gap <= CLOSED || kept.len() == active.len() {
            return Ok(end);
        }
        let again = self.end(&kept, &self.restricted(&kept)?, dual);
        Ok(if again.gap < end.gap { again } else { end })
    }

    fn end(&self, kept: &[usize], optimum: &Pressed, dual: f64) -> End {
        let weight = |j: &usize| optimum.pressed[j].0 - optimum.pressed[j].1;
        let weights = Vec::from_iter(kept.iter().map(weight));
        let objective = self.objective(kept, &weights, optimum.offset);
        let gap = (objective - dual) / objective.max(f64::MIN_POSITIVE);
        End { kept: kept.to_vec(), weights, offset: optimum.offset, objective, gap }
    }

    /// αᵢ in proportion to the bounds, one class at its bounds.
    fn balanced(&self) -> Vec<f64> {
        let sum = |sign: f64| -> f64 {
            let pairs = self.bounds.iter().zip(&self.signs);
            pairs.filter(|(_, other)| **other == sign).map(|(bound, _)| *bound).sum()
        };
        let (negative, positive) = (sum(-1.0), sum(1.0));
        let least = negative.min(positive);
        let share = |sign: f64| least / if sign > 0.0 { positive } else { negative };
        self.bounds.iter().zip(&self.signs).map(|(bound, &sign)| bound * share(sign)).collect()
    }

    /// Σᵢ yᵢαᵢxᵢⱼ for each feature.
    fn slopes(&self, alpha: &[f64]) -> Vec<f64> {
        let alpha = Matrix::from_column_major(alpha.len(), 1, alpha.to_vec());
        product_tn(&self.signed, &alpha).as_slice().to_vec()
    }

    /// The dual with the constraints of some features. Their sums Σ yαx are variables of their
    /// own: one dense row a feature instead of two.
    fn restricted(&self, features: &[usize]) -> Result<Pressed, Error> {
        let count = self.signs.len();
        let mut program = Program::new([vec![-1.0; count], vec![0.0; features.len()]].concat());
        program.zero(Affine::new(0.0, self.signs.iter().copied().enumerate()));
        for (at, &j) in features.iter().enumerate() {
            let column = self.signed.column(j).iter().copied().enumerate();
            program.zero(Affine::new(0.0, column.chain([(count + at, -1.0)])));
        }
        for (i, &bound) in self.bounds.iter().enumerate() {
            program.not_negative(Affine::new(0.0, [(i, 1.0)]));
            program.not_negative(Affine::new(bound, [(i, -1.0)]));
        }
        for at in 0..features.len() {
            program.not_negative(Affine::new(1.0, [(count + at, -1.0)]));
            program.not_negative(Affine::new(1.0, [(count + at, 1.0)]));
        }
        let Optimum { mut x, multipliers } = program.solve("l1svm")?;
        x.truncate(count);
        let from = 1 + features.len() + 2 * count;
        let pairs = multipliers[from..].chunks_exact(2).map(|pair| (pair[0], pair[1]));
        let pressed = features.iter().copied().zip(pairs).collect();
        Ok(Pressed { x, pressed, offset: -multipliers[0] })
    }

    fn objective(&self, kept: &[usize], weights: &[f64], offset: f64) -> f64 {
        let mut margins = Vec::from_iter(self.signs.iter().map(|sign| sign * offset));
        for (&j, weight) in kept.iter().zip(weights) {
            let column = self.signed.column(j);
            margins.iter_mut().zip(column).for_each(|(margin, value)| *margin += weight * value);
        }
        let norm: f64 = weights.iter().map(|weight| weight.abs()).sum();
        let pairs = margins.iter().zip(&self.bounds);
        norm + pairs.map(|(margin, bound)| bound * (1.0 - margin).max(0.0)).sum::<f64>()
    }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "l1svm",
    about: "linear support vector machine on few features, by the sum of weights (Bradley 1998)",
    role: Role::Classifier { selects_features: true, selects_samples: false },
    settings: &margin::COMMON,
    grid: &[("c", &["0.03", "0.1", "0.3", "1", "3"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let Common { c, class_weights, standardise, probability, seed } = Common::of(values)?;
    let settings = L1SvmSettings { c, class_weights, standardise, probability, seed };
    Ok(Made::learner(settings, L1Svm::fit).weighing(Weighing::Own))
}

impl Fitted for L1Svm {
    crate::calibrated_predictions!();

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.features())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(self.weights().to_vec())
    }

    fn stored(&self) -> Stored {
        Stored::L1Svm(Box::new(self.clone()))
    }
}
