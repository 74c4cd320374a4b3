//! The batch algorithm: modes of truncated Gaussians, Laplace covariances, α = γ/w².

use crate::relatives::engine::Selection;
use crate::stop::{self, wanted};
use pfcvm::algebra::Work;
use pfcvm::posterior::{BIAS_PRECISION, Laplace, Likelihood, Mode, Objective, Prior, covariance};
use pfcvm::settings::Truncation;
use pfcvm::{Matrix, Termination};

const SMALLEST_PRECISION: f64 = 1e-8;
/// Samples of which the data determine less go (exact truncation).
const LEAST_DETERMINED: f64 = 1e-3;
/// Samples with a larger precision go (smoothed truncation).
const LARGEST_PRECISION: f64 = 1e4;
/// A Newton step that promises less than this is not taken.
const LEAST_GAIN: f64 = 1e-11;
/// Relative change of the evidence that counts as none; twice in a row ends the fit.
const SETTLED: f64 = 1e-6;

/// Columns with the sign of their label, the bias first, and the precisions of the weights u ≥ 0 of
/// all but it.
struct Truncated<'a> {
    phi: Matrix,
    alpha: Vec<f64>,
    truncation: Truncation,
    likelihood: &'a Likelihood,
}

impl Truncated<'_> {
    fn prior(&self) -> Prior<'_> {
        Prior { truncation: self.truncation, ..Prior::new(&self.alpha, 1) }
    }

    fn mode(&self, u: Vec<f64>, work: &mut Work) -> Option<Mode> {
        let objective = Objective { likelihood: self.likelihood, prior: self.prior() };
        objective.mode(&self.phi, u, LEAST_GAIN, work)
    }

    /// The mode with the Gaussian around it.
    fn laplace(&self, u: Vec<f64>, work: &mut Work) -> Option<(Mode, Laplace)> {
        let mode = self.mode(u, work)?;
        let c = self.likelihood.curvature(&mode.f);
        let laplace = Laplace::at(&self.phi, &c, &mode.u, &self.prior(), work)?;
        Some((mode, laplace))
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
    for _ in wanted(0..max_iterations) {
        let Some((mode, laplace)) = model.laplace(u.clone(), work) else {
            termination = Termination::NumericalBreakdown;
            break;
        };
        let evidence = likelihood.log(&mode.f) + laplace.log_evidence;
        u = mode.u;
        let mut stay = Vec::new();
        for j in (0..u.len()).filter(|&j| laplace.interior[j]) {
            if j == 0 {
                stay.push(j);
                continue;
            }
            let determined = (1.0 - model.alpha[j] * laplace.variances[j]).clamp(0.0, 1.0);
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
    // As dear as a round.
    if stop::asked() {
        return None;
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
    let Mode { u, f, .. } = model.mode(u, work)?;
    let sign = |j: usize| if signs[active[j]] < 0.0 { -1.0 } else { 1.0 };
    for j in (0..u.len()).filter(|&j| sign(j) < 0.0) {
        model.phi.column_mut(j).iter_mut().for_each(|v| *v = -*v);
    }
    let c = model.likelihood.curvature(&f);
    let interior = model.prior().interior(&u);
    Some(Selection {
        active: interior.iter().map(|&j| active[j]).collect(),
        weights: interior.iter().map(|&j| sign(j) * u[j]).collect(),
        precisions: interior.iter().map(|&j| model.alpha[j]).collect(),
        covariance: covariance(&model.phi, &c, &u, &model.prior(), work)?,
        trace,
        termination,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfcvm::Kernel;
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
            let values = kernel.values(&x, &x.select_rows(&basis), &theta, &mut work);
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
            let mode = model.mode(vec![0.0; basis.len() + 1], &mut work).unwrap();
            for (found, expected) in mode.u.iter().zip(numbers(&problem["mode_w"])) {
                assert!((found - expected).abs() < 1e-5, "{found} {expected}");
            }
            let expected = problem["objective"].as_f64().unwrap();
            let objective = Objective { likelihood: &likelihood, prior: model.prior() };
            let value = objective.value(&mode.u, &mode.f);
            assert!((value - expected).abs() < 1e-9 * expected.abs());
        }
    }
}
