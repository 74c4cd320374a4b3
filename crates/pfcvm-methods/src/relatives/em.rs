//! The M steps that PCVM and PFCVM_EM share: least squares on the hidden variables under the
//! expected precisions.

use pfcvm::Matrix;
use pfcvm::algebra::{Work, times_vector, transpose_times_vector};
use pfcvm::posterior::{Columns, Likelihood, Precision};

/// Weights at or below this are dropped.
pub(crate) const LEAST_WEIGHT: f64 = 1e-3;
/// A bias below this is none: its next estimate is smaller still.
const LEAST_BIAS: f64 = 1e-150;

/// Weights of kept basis functions while EM runs.
pub(crate) struct State {
    /// Positions among the candidates.
    pub kept: Vec<usize>,
    /// ±1 for each of them.
    pub signs: Vec<f64>,
    /// Signed weights vⱼ = yⱼwⱼ.
    pub v: Vec<f64>,
    pub bias: f64,
    /// Decision values.
    pub h: Vec<f64>,
}

/// What the M step of the weights left.
pub(crate) struct Moved {
    /// Positions among those that were kept before.
    pub stay: Vec<usize>,
    /// Largest change of a weight.
    pub change: f64,
}

impl State {
    /// (KᵀRK + A)⁻¹ KᵀR(Z − b) with A = diag(1/2w²), which is M(I + MKᵀRKM)⁻¹MKᵀR(Z − b) for
    /// M = √2 diag(w); then those that are not above [`LEAST_WEIGHT`] go. R holds the weights of
    /// the samples; `gram` is the lower triangle of KᵀRK. Nothing if the algebra breaks down.
    pub fn move_weights(
        &mut self,
        values: &Matrix,
        gram: Matrix,
        z: &[f64],
        likelihood: &Likelihood,
        work: &mut Work,
    ) -> Option<Moved> {
        let rho = &likelihood.weights;
        let diagonal: Vec<f64> = self.v.iter().map(|v| 0.5 / (v * v)).collect();
        let precision = Precision::dense(gram, &diagonal, work)?;
        let target: Vec<f64> = z.iter().zip(rho).map(|(z, r)| r * (z - self.bias)).collect();
        let v = precision.solve(&transpose_times_vector(values, &target, work), work);
        if v.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let stay: Vec<usize> =
            (0..v.len()).filter(|&j| self.signs[j] * v[j] > LEAST_WEIGHT).collect();
        let mut moved = vec![0.0; v.len()];
        stay.iter().for_each(|&j| moved[j] = v[j]);
        let change = moved.iter().zip(&self.v).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        let pick = |values: &[f64]| stay.iter().map(|&j| values[j]).collect();
        self.kept = stay.iter().map(|&j| self.kept[j]).collect();
        (self.signs, self.v) = (pick(&self.signs), pick(&moved));
        Some(Moved { stay, change })
    }

    /// b = 2b²(1 + 2b²N)⁻¹ 1ᵀ(Z − Kw), with sample weights in N and in the sum.
    pub fn move_bias(&mut self, values: &Matrix, z: &[f64], likelihood: &Likelihood, work: &Work) {
        let rho = &likelihood.weights;
        let f = times_vector(values, &self.v, work);
        let sum: f64 = z.iter().zip(&f).zip(rho).map(|((z, f), r)| r * (z - f)).sum();
        let spread = 2.0 * self.bias * self.bias;
        self.bias = spread / (1.0 + spread * rho.iter().sum::<f64>()) * sum;
        if self.bias.abs() <= LEAST_BIAS {
            self.bias = 0.0;
        }
        self.h = f.iter().map(|f| f + self.bias).collect();
    }

    /// The priors of w and b with their precisions integrated out: an expected precision of 1/2u²
    /// belongs to p(u) ∝ |u|^-½.
    pub fn log_prior(&self) -> f64 {
        let weights: f64 = self.v.iter().map(|v| v.abs().ln()).sum();
        -0.5 * (weights + self.bias.abs().max(LEAST_BIAS).ln())
    }
}

/// The lower triangle of KᵀRK.
pub(crate) fn gram(values: &Matrix, likelihood: &Likelihood, work: &mut Work) -> Matrix {
    let all: Vec<usize> = (0..values.cols()).collect();
    values.gram(&likelihood.weights, &all, work)
}
