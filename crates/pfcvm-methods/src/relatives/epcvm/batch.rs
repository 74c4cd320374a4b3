//! The batch algorithm: modes of truncated Gaussians, Laplace covariances, α = γ/w².

use crate::relatives::engine::Selection;
use pfcvm::parts::{
    Likelihood, Precision, Work, log_sigmoid, sigmoid, times_vector, transpose_times_vector,
};
use pfcvm::{Matrix, Termination, Truncation};

/// Precision of the bias: fixed, wide.
const BIAS_PRECISION: f64 = 0.01;
const SMALLEST_PRECISION: f64 = 1e-8;
/// Samples of which the data determine less go (exact truncation).
const LEAST_DETERMINED: f64 = 1e-3;
/// Samples with a larger precision go (smoothed truncation).
const LARGEST_PRECISION: f64 = 1e4;
const NEWTON_STEPS: usize = 100;
const HALVINGS: usize = 30;
/// A Newton step that promises less than this is not taken.
const DECREMENT: f64 = 1e-11;
/// Relative change of the evidence that counts as none; twice in a row ends the fit.
const SETTLED: f64 = 1e-6;

/// Columns with the sign of their label, the bias first, and the weights u ≥ 0 of all but it.
struct Truncated<'a> {
    phi: Matrix,
    alpha: Vec<f64>,
    truncation: Truncation,
    likelihood: &'a Likelihood,
}

impl Truncated<'_> {
    /// What a single weight adds: log σ(λu), its slope and its negative curvature; all 0 for the
    /// exact constraint and for the bias.
    fn smooth(&self, j: usize, u: f64) -> [f64; 3] {
        match self.truncation {
            Truncation::Sigmoid { lambda } if j > 0 => {
                let (inside, outside) = (sigmoid(lambda * u), sigmoid(-lambda * u));
                [log_sigmoid(lambda * u), lambda * outside, lambda * lambda * inside * outside]
            }
            _ => [0.0; 3],
        }
    }

    fn is_bounded(&self, j: usize) -> bool {
        j > 0 && self.truncation == Truncation::Exact
    }

    /// ℓ(f) − ½ uᵀAu + Σ log σ(λu).
    fn value(&self, u: &[f64], f: &[f64]) -> f64 {
        let prior = |j: usize| self.smooth(j, u[j])[0] - 0.5 * self.alpha[j] * u[j] * u[j];
        self.likelihood.log(f) + (0..u.len()).map(prior).sum::<f64>()
    }

    /// A + O over some coordinates.
    fn diagonal(&self, u: &[f64], free: &[usize]) -> Vec<f64> {
        free.iter().map(|&j| self.alpha[j] + self.smooth(j, u[j])[2]).collect()
    }

    /// Projected Newton: coordinates at 0 whose slope points outwards are held, the others move
    /// along the Newton direction, cut off at 0, halved until the value does not fall.
    fn mode(&self, mut u: Vec<f64>, work: &mut Work) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut f = times_vector(&self.phi, &u, work);
        let mut value = self.value(&u, &f);
        for _ in 0..NEWTON_STEPS {
            let residual = self.likelihood.residual(&f);
            let mut slope = transpose_times_vector(&self.phi, &residual, work);
            for (j, g) in slope.iter_mut().enumerate() {
                *g += self.smooth(j, u[j])[1] - self.alpha[j] * u[j];
            }
            let held = |j: &usize| self.is_bounded(*j) && u[*j] <= 0.0 && slope[*j] <= 0.0;
            let free: Vec<usize> = (0..u.len()).filter(|j| !held(j)).collect();
            let c = self.likelihood.curvature(&f);
            let precision = Precision::new(&self.phi, &c, &free, self.diagonal(&u, &free), work)?;
            let free_slope: Vec<f64> = free.iter().map(|&j| slope[j]).collect();
            let direction = precision.solve(&free_slope, work);
            let decrement: f64 = free_slope.iter().zip(&direction).map(|(g, d)| g * d).sum();
            if !decrement.is_finite() || !value.is_finite() {
                return None;
            }
            if decrement < DECREMENT {
                break;
            }
            let better = (0..HALVINGS).map(|k| 0.5f64.powi(k as i32)).find_map(|length| {
                let mut moved = u.clone();
                for (&j, d) in free.iter().zip(&direction) {
                    let to = u[j] + length * d;
                    moved[j] = if self.is_bounded(j) { to.max(0.0) } else { to };
                }
                let f = times_vector(&self.phi, &moved, work);
                let reached = self.value(&moved, &f);
                (reached > value).then_some((moved, f, reached))
            });
            let Some(better) = better else { break };
            (u, f, value) = better;
        }
        Some((u, f))
    }
}

/// Learns precisions for all samples. `signs` holds 0 for the bias, which comes first, and the
/// labels; `columns` carry no sign, and neither do the weights of the result.
pub(super) fn reestimate(
    mut columns: Matrix,
    signs: Vec<f64>,
    likelihood: &Likelihood,
    truncation: Truncation,
    max_iterations: usize,
    work: &mut Work,
) -> Option<Selection> {
    for j in (1..signs.len()).filter(|&j| signs[j] < 0.0) {
        columns.column_mut(j).iter_mut().for_each(|v| *v = -*v);
    }
    let mut alpha = vec![1.0; signs.len()];
    alpha[0] = BIAS_PRECISION;
    let mut active: Vec<usize> = (0..signs.len()).collect();
    let mut model = Truncated { phi: columns, alpha, truncation, likelihood };
    let mut u = vec![0.0; signs.len()];
    let mut trace: Vec<(f64, usize)> = Vec::new();
    let mut termination = Termination::MaxIterations;
    let mut calm = 0;
    for _ in 0..max_iterations {
        let Some((mode, f)) = model.mode(u.clone(), work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        u = mode;
        let inside = |j: &usize| !model.is_bounded(*j) || u[*j] > 0.0;
        let interior: Vec<usize> = (0..u.len()).filter(inside).collect();
        let c = likelihood.curvature(&f);
        let diagonal = model.diagonal(&u, &interior);
        let Some(precision) = Precision::new(&model.phi, &c, &interior, diagonal, work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let log_prior: f64 = interior.iter().map(|&j| model.alpha[j].ln()).sum();
        let evidence = model.value(&u, &f) + 0.5 * (log_prior - precision.log_det());
        let variances = precision.covariance(work).variances();
        let mut stay = Vec::new();
        for (&j, variance) in interior.iter().zip(&variances) {
            if j == 0 {
                stay.push(j);
                continue;
            }
            let determined = (1.0 - model.alpha[j] * variance).clamp(0.0, 1.0);
            let updated = (determined / (u[j] * u[j])).max(SMALLEST_PRECISION);
            let keeps = match truncation {
                Truncation::Exact => determined >= LEAST_DETERMINED,
                _ => u[j] > 0.0 && updated < LARGEST_PRECISION,
            };
            if keeps {
                model.alpha[j] = updated;
                stay.push(j);
            }
        }
        let last = trace.last().map_or(f64::INFINITY, |step| step.0);
        let moved = (evidence - last).abs() >= SETTLED * evidence.abs().max(1.0);
        let dropped = stay.len() < u.len();
        calm = if moved || dropped { 0 } else { calm + 1 };
        if dropped {
            model.phi = model.phi.select_columns(&stay);
            let pick = |values: &[f64]| -> Vec<f64> { stay.iter().map(|&j| values[j]).collect() };
            (model.alpha, u) = (pick(&model.alpha), pick(&u));
            active = stay.iter().map(|&j| active[j]).collect();
        }
        trace.push((evidence, active.len()));
        if calm >= 2 || active.len() == 1 {
            termination = Termination::Converged;
            break;
        }
    }
    finish(model, u, active, &signs, (trace, termination), work)
}

/// The mode under the last precisions, with the covariance, in terms of columns without sign.
fn finish(
    mut model: Truncated,
    u: Vec<f64>,
    active: Vec<usize>,
    signs: &[f64],
    (trace, termination): (Vec<(f64, usize)>, Termination),
    work: &mut Work,
) -> Option<Selection> {
    let (u, f) = model.mode(u, work)?;
    let inside = |j: &usize| *j == 0 || u[*j] > 0.0 || model.truncation != Truncation::Exact;
    let interior: Vec<usize> = (0..u.len()).filter(inside).collect();
    let diagonal = model.diagonal(&u, &interior);
    let sign = |j: usize| if signs[active[j]] < 0.0 { -1.0 } else { 1.0 };
    for j in (0..u.len()).filter(|&j| sign(j) < 0.0) {
        model.phi.column_mut(j).iter_mut().for_each(|v| *v = -*v);
    }
    let c = model.likelihood.curvature(&f);
    let precision = Precision::new(&model.phi, &c, &interior, diagonal, work)?;
    Some(Selection {
        active: interior.iter().map(|&j| active[j]).collect(),
        weights: interior.iter().map(|&j| sign(j) * u[j]).collect(),
        precisions: interior.iter().map(|&j| model.alpha[j]).collect(),
        covariance: precision.covariance(work),
        trace,
        termination,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfcvm::Kernel;
    use pfcvm::parts::kernel_values;
    use serde_json::Value;

    fn numbers(value: &Value) -> Vec<f64> {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    }

    /// The modes that the slow reference found for the core, here by this module.
    #[test]
    fn modes_are_those_of_the_slow_reference() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../pfcvm/tests/golden/mode_w.json");
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for problem in golden["problems"].as_array().unwrap() {
            let rows: Vec<Vec<f64>> =
                problem["x"].as_array().unwrap().iter().map(numbers).collect();
            let x = Matrix::from_rows(&rows);
            let basis: Vec<usize> =
                numbers(&problem["basis"]).iter().map(|j| *j as usize).collect();
            let kernel = match problem["kernel"]["kind"].as_str().unwrap() {
                "rbf" => Kernel::Rbf,
                "linear" => Kernel::Linear,
                _ => Kernel::Polynomial {
                    degree: problem["kernel"]["order"].as_u64().unwrap() as u32,
                },
            };
            let mut work = Work::new(false);
            let theta = numbers(&problem["theta"]);
            let values = kernel_values(kernel, &x, &x.select_rows(&basis), &theta, &mut work);
            let signs = numbers(&problem["y"]);
            let phi = Matrix::from_fn(x.rows(), basis.len() + 1, |i, j| match j {
                0 => 1.0,
                j => signs[basis[j - 1]] * values.get(i, j - 1),
            });
            let weights = numbers(&problem["sample_weights"]);
            let likelihood = Likelihood { signs, weights };
            let alpha = numbers(&problem["alpha"]);
            let model =
                Truncated { phi, alpha, truncation: Truncation::Exact, likelihood: &likelihood };
            let (mode, f) = model.mode(vec![0.0; basis.len() + 1], &mut work).unwrap();
            for (found, expected) in mode.iter().zip(numbers(&problem["mode_w"])) {
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
            let expected = problem["objective"].as_f64().unwrap();
            assert!((model.value(&mode, &f) - expected).abs() < 1e-9 * expected.abs());
        }
    }

    /// Slope and curvature of what the smoothed truncation adds, by central differences.
    #[test]
    fn the_smoothed_truncation_has_the_slopes_it_says() {
        let likelihood = Likelihood { signs: vec![], weights: vec![] };
        let truncation = Truncation::Sigmoid { lambda: 5.0 };
        let model = Truncated {
            phi: Matrix::zeros(0, 2),
            alpha: vec![1.0; 2],
            truncation,
            likelihood: &likelihood,
        };
        for u in [-1.0, -0.1, 0.0, 0.4, 2.0] {
            let at = |u: f64| model.smooth(1, u);
            let [_, slope, curve] = at(u);
            let difference = (at(u + 1e-5)[0] - at(u - 1e-5)[0]) / 2e-5;
            assert!((difference - slope).abs() < 1e-8, "{difference} {slope}");
            let difference = -(at(u + 1e-5)[1] - at(u - 1e-5)[1]) / 2e-5;
            assert!((difference - curve).abs() < 1e-7, "{difference} {curve}");
            assert!(slope < 1e-3 || (difference - 1.01 * curve).abs() > 1e-7);
        }
    }
}
