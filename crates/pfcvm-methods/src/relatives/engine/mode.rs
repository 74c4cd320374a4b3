//! The mode of the weights for given precisions, and the Laplace approximation around it.

use super::Selection;
use pfcvm::algebra::Work;
use pfcvm::posterior::{self, Likelihood, Objective, Precision, Prior};
use pfcvm::{Matrix, Termination};

/// A Newton step that promises less than this is not taken. Weights with a large precision are
/// small, and α = γ/w² needs digits of them.
const LEAST_GAIN: f64 = 1e-18;

/// The mode and what belongs to it.
pub(crate) struct Mode {
    pub w: Vec<f64>,
    /// t − σ, weighted: the derivative of the log likelihood by f.
    pub residual: Vec<f64>,
    /// The diagonal of C.
    pub curvature: Vec<f64>,
    /// ΦᵀCΦ + A.
    pub precision: Precision,
    /// ℓ − ½ wᵀAw.
    value: f64,
}

impl Mode {
    /// The mode of ℓ(Φw) − ½ wᵀAw, weights of any sign. Nothing if the algebra breaks down.
    pub fn find(
        phi: &Matrix,
        likelihood: &Likelihood,
        alpha: &[f64],
        w: Vec<f64>,
        work: &mut Work,
    ) -> Option<Self> {
        let objective = Objective { likelihood, prior: Prior::new(alpha, alpha.len()) };
        let posterior::Mode { u, f, precision, .. } = objective.mode(phi, w, LEAST_GAIN, work)?;
        Some(Self {
            residual: likelihood.residual(&f),
            curvature: likelihood.curvature(&f),
            precision,
            value: objective.value(&u, &f),
            w: u,
        })
    }

    /// In terms of the columns before they were given unit length, in ascending order. `phi` holds
    /// the active columns at unit length.
    pub fn into_selection(
        self,
        phi: &Matrix,
        (active, alpha): (&[usize], &[f64]),
        lengths: &[f64],
        (trace, termination): (Vec<(f64, usize)>, Termination),
        work: &mut Work,
    ) -> Option<Selection> {
        let mut order: Vec<usize> = (0..active.len()).collect();
        order.sort_unstable_by_key(|&j| active[j]);
        let length = |j: usize| lengths[active[j]];
        let mut sorted = phi.select_columns(&order);
        for (k, &j) in order.iter().enumerate() {
            sorted.column_mut(k).iter_mut().for_each(|v| *v *= length(j));
        }
        let precisions: Vec<f64> = order.iter().map(|&j| alpha[j] * length(j).powi(2)).collect();
        let all: Vec<usize> = (0..order.len()).collect();
        let precision = Precision::new(&sorted, &self.curvature, &all, precisions.clone(), work)?;
        Some(Selection {
            weights: order.iter().map(|&j| self.w[j] / length(j)).collect(),
            precisions,
            covariance: precision.covariance(work),
            active: order.iter().map(|&j| active[j]).collect(),
            trace,
            termination,
        })
    }

    /// Laplace's approximation of log p(t | α).
    pub fn log_evidence(&self, alpha: &[f64]) -> f64 {
        let log_prior: f64 = alpha.iter().map(|a| a.ln()).sum();
        self.value + 0.5 * (log_prior - self.precision.log_det())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfcvm::algebra::times_vector;
    use serde_json::Value;

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    }

    fn matrix(value: &Value) -> Matrix {
        Matrix::from_rows(&Vec::from_iter(value.as_array().unwrap().iter().map(numbers)))
    }

    /// For given precisions the machine is a Gaussian process: scikit-learn's has the same evidence
    /// and the same mean and variance of the decision value.
    #[test]
    fn the_approximation_is_that_of_a_gaussian_process() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/laplace.json");
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let near = |found: f64, expected: f64, what: &str| {
            let allowed = 1e-6 * expected.abs().max(1.0);
            assert!((found - expected).abs() < allowed, "{what}: {found} {expected}");
        };
        for case in golden["cases"].as_array().unwrap() {
            let (phi, probe) = (matrix(&case["phi"]), matrix(&case["probe"]));
            let sign = |label: &Value| if label.as_bool().unwrap() { 1.0 } else { -1.0 };
            let signs = Vec::from_iter(case["positive"].as_array().unwrap().iter().map(sign));
            let likelihood = Likelihood { weights: vec![1.0; signs.len()], signs };
            let alpha = numbers(&case["alpha"]);
            let mut work = Work::new(false);
            let start = vec![0.0; alpha.len()];
            let mode = Mode::find(&phi, &likelihood, &alpha, start, &mut work).unwrap();
            near(mode.log_evidence(&alpha), case["log_evidence"].as_f64().unwrap(), "evidence");
            let means = times_vector(&probe, &mode.w, &work);
            for (found, expected) in means.iter().zip(numbers(&case["mean"])) {
                near(*found, expected, "mean");
            }
            let covariance = mode.precision.covariance(&mut work);
            let variances = covariance.variance_along(&probe, &mut work);
            for (found, expected) in variances.iter().zip(numbers(&case["variance"])) {
                near(*found, expected, "variance");
            }
        }
    }
}
