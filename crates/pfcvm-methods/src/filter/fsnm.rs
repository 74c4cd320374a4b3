//! Joint ℓ₂,₁ norms: feature selection by robust sparse regression.

use super::{FEATURES, GRID, Ranking, first_of};
use crate::Error;
use crate::catalogue::Takes;
use crate::error::out_of_range;
use crate::linalg::{Cholesky, outer_gram, product, product_tn};
use crate::prepared::Prepared;
use crate::stop::wanted;
use crate::{Entry, Role, Setting, settings};
use pfcvm::{Dataset, Matrix};

/// How the regression is done.
#[derive(Clone, Debug, PartialEq)]
pub struct FsnmSettings {
    /// γ: how much the rows of W cost (default 1).
    pub gamma: f64,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
    /// The relative duality gap that ends the rounds (default 1e-3).
    pub tolerance: f64,
    /// Rounds after which they end come what may (default 100).
    pub max_rounds: usize,
}

impl Default for FsnmSettings {
    fn default() -> Self {
        Self { gamma: 1.0, standardise: true, tolerance: 1e-3, max_rounds: 100 }
    }
}

/// What the regression finds.
#[derive(Clone, Debug, PartialEq)]
pub struct FsnmRanking {
    /// All varying features; the scores are the norms of their rows of W.
    pub ranking: Ranking,
    /// ‖XW − Y‖₂,₁ + γ‖W‖₂,₁ after each round.
    pub objectives: Vec<f64>,
    /// A bound on how far the last is above the least there is, in parts of itself.
    pub gap: f64,
}

/// Ranks features by efficient and robust selection with joint ℓ₂,₁ norms (Nie, Huang, Cai &
/// Ding 2010):
///
/// min over W of ‖XW − Y‖₂,₁ + γ‖W‖₂,₁, ‖A‖₂,₁ = Σ over rows of ‖aⁱ‖,
///
/// X the N × M data, Y the N × 2 indicators of the classes (no intercept, as in the paper). With
/// A = [X γI] and U = [W; (Y − XW)/γ] it is the least ‖U‖₂,₁ under AU = Y, and the rounds
///
/// U ← D⁻¹Aᵀ(AD⁻¹Aᵀ)⁻¹Y, D⁻¹ = diag(2‖uⁱ‖)
///
/// never raise it. The system is N × N: O(N²M) a round, also where M ≫ N. The solution of the
/// system, scaled until no ‖aⱼᵀΛ‖ exceeds 1, is feasible in the dual, max tr ΛᵀY, which gives the
/// gap that ends the rounds. The loss of a sample of weight 2 counts like that of two copies.
///
/// Use it where features are many and outliers are feared: no loss grows faster than its residual.
pub fn fsnm(data: &Dataset, settings: &FsnmSettings) -> Result<FsnmRanking, Error> {
    if !(settings.gamma > 0.0 && settings.gamma.is_finite()) {
        return Err(out_of_range("gamma", settings.gamma, "finite, above 0"));
    }
    let prepared = Prepared::new(data, settings.standardise)?;
    let weights = &prepared.weights;
    // Rows times their weight: the norm of a residual takes the weight along.
    let mut x = prepared.x.clone();
    for j in 0..x.cols() {
        x.column_mut(j).iter_mut().zip(weights).for_each(|(value, weight)| *value *= weight);
    }
    let class = |i: usize| usize::from(prepared.positive[i]);
    let y = Matrix::from_fn(x.rows(), 2, |i, c| if class(i) == c { weights[i] } else { 0.0 });
    let mut state = State::new(&x, &y, settings.gamma);
    let mut objectives = Vec::new();
    let mut gap = f64::INFINITY;
    for _ in wanted(0..settings.max_rounds.max(1)) {
        if gap <= settings.tolerance {
            break;
        }
        let Some(round) = state.round() else { break };
        objectives.push(round.objective);
        gap = round.gap;
    }
    if objectives.is_empty() {
        let reason = "a system without a solution".into();
        return Err(Error::Solver { method: "fsnm", reason });
    }
    let ranking = Ranking::descending(prepared.scaler.columns(), &state.feature_norms);
    Ok(FsnmRanking { ranking, objectives, gap })
}

struct State<'a> {
    x: &'a Matrix,
    y: &'a Matrix,
    gamma: f64,
    /// ‖uⁱ‖ for the rows of W.
    feature_norms: Vec<f64>,
    /// ‖uⁱ‖ for the rows of (Y − XW)/γ.
    residual_norms: Vec<f64>,
}

struct Round {
    objective: f64,
    gap: f64,
}

impl<'a> State<'a> {
    /// D = I, as the paper starts.
    fn new(x: &'a Matrix, y: &'a Matrix, gamma: f64) -> Self {
        Self {
            x,
            y,
            gamma,
            feature_norms: vec![0.5; x.cols()],
            residual_norms: vec![0.5; x.rows()],
        }
    }

    /// One update of U; nothing where the system has lost all its digits.
    fn round(&mut self) -> Option<Round> {
        let (x, gamma) = (self.x, self.gamma);
        let mut scaled = x.clone();
        for (j, norm) in self.feature_norms.iter().enumerate() {
            let root = (2.0 * norm).sqrt();
            scaled.column_mut(j).iter_mut().for_each(|value| *value *= root);
        }
        let mut system = outer_gram(&scaled);
        for (i, norm) in self.residual_norms.iter().enumerate() {
            system.set(i, i, system.get(i, i) + gamma * gamma * 2.0 * norm);
        }
        let solution = Cholesky::new(&system)?.solve(self.y);
        let slopes = product_tn(x, &solution);
        let mut w = slopes.clone();
        for class in 0..2 {
            let rows = w.column_mut(class).iter_mut().zip(&self.feature_norms);
            rows.for_each(|(value, norm)| *value *= 2.0 * norm);
        }
        let fitted = product(x, &w);
        let residual = |i: usize, c: usize| (self.y.get(i, c) - fitted.get(i, c)) / gamma;
        let residuals = Matrix::from_fn(x.rows(), 2, residual);
        let (features, residuals) = (row_norms(&w), row_norms(&residuals));
        let sum = features.iter().chain(&residuals).sum::<f64>();
        let largest = |norms: Vec<f64>| norms.into_iter().fold(0.0, f64::max);
        let most = largest(row_norms(&slopes)).max(gamma * largest(row_norms(&solution)));
        let both = self.y.as_slice().iter().zip(solution.as_slice());
        let dual = both.map(|(y, z)| y * z).sum::<f64>() / most;
        if !(sum.is_finite() && dual.is_finite()) {
            return None;
        }
        (self.feature_norms, self.residual_norms) = (features, residuals);
        Some(Round { objective: gamma * sum, gap: (sum - dual) / sum })
    }
}

fn row_norms(a: &Matrix) -> Vec<f64> {
    (0..a.rows()).map(|i| a.get(i, 0).hypot(a.get(i, 1))).collect()
}

pub(crate) static ENTRY: Entry = Entry {
    name: "fsnm",
    about: "features by their rows in a robust sparse regression on the classes (Nie 2010)",
    role: Role::Filter,
    settings: &[
        FEATURES,
        Setting {
            key: "gamma",
            default: "1",
            takes: &[Takes::ABOVE_0],
            about: "how much a feature costs, above 0",
        },
        settings::STANDARDISE,
    ],
    grid: GRID,
    make: |values| {
        let settings = FsnmSettings {
            gamma: values.number("gamma")?,
            standardise: values.flag("standardise")?,
            ..FsnmSettings::default()
        };
        first_of(values, move |data, _| Ok(fsnm(data, &settings)?.ranking))
    },
};
