//! The EM against its published equations, step by step, and its M steps against what they
//! maximise.

use super::*;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// The golden data, the start, and the golden steps.
fn golden() -> (Prepared, State, Vec<Value>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/pcvm.json");
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows: Vec<Vec<f64>> = golden["x"].as_array().unwrap().iter().map(numbers).collect();
    let signs = numbers(&golden["y"]);
    let positive = signs.iter().map(|y| *y > 0.0).collect();
    let data = Dataset::new(Matrix::from_rows(&rows), positive).unwrap();
    let width = crate::relatives::Width::Gamma(golden["gamma"].as_f64().unwrap());
    let inputs = Inputs { standardise: false, width, ..Inputs::default() };
    let prepared = Prepared::new(&data, &inputs).unwrap();
    let w = numbers(&golden["weights"]);
    let v = w.iter().zip(&signs).map(|(w, y)| w * y).collect();
    let (bias, h) = (golden["bias"].as_f64().unwrap(), numbers(&golden["hidden"]));
    let state = State { kept: (0..signs.len()).collect(), signs, v, bias, h };
    (prepared, state, golden["steps"].as_array().unwrap().clone())
}

#[test]
fn each_step_is_that_of_the_published_equations() {
    for number in 1..=12 {
        let (prepared, state, steps) = golden();
        let settings = Settings {
            learn_width: false,
            max_iterations: number,
            tolerance: 0.0,
            ..Settings::default()
        };
        let run = run(&prepared, state, &settings, &mut Work::new(false));
        let step = &steps[number - 1];
        let mut w = vec![0.0; prepared.candidates.len()];
        for (&j, v) in run.state.kept.iter().zip(&run.state.v) {
            w[j] = v.abs();
        }
        for (found, expected) in w.iter().zip(numbers(&step["weights"])) {
            assert!((found - expected).abs() < 1e-9, "step {number}: {found} {expected}");
        }
        for (found, expected) in run.state.h.iter().zip(numbers(&step["decision"])) {
            assert!((found - expected).abs() < 1e-9, "step {number}: {found} {expected}");
        }
        assert!((run.state.bias - step["bias"].as_f64().unwrap()).abs() < 1e-9);
    }
}

/// −½ Σ (Z − b − Kv)² − Σ v²/4u² − b²/4c² for the old weights u and the old bias c.
fn expected_log(values: &Matrix, z: &[f64], v: &[f64], b: f64, (u, c): (&[f64], f64)) -> f64 {
    let f = pfcvm::algebra::times_vector(values, v, &Work::new(false));
    let squares: f64 = z.iter().zip(&f).map(|(z, f)| (z - b - f).powi(2)).sum();
    let penalty: f64 = v.iter().zip(u).map(|(v, u)| (v / u).powi(2) / 4.0).sum();
    -0.5 * squares - penalty - (b / c).powi(2) / 4.0
}

/// The M steps of w and b are where the slope of what they maximise is 0, by central differences.
#[test]
fn the_m_steps_are_stationary() {
    let (prepared, mut state, _) = golden();
    let mut work = Work::new(false);
    let mut values = Kernel::Rbf.values(&prepared.x, &prepared.z, &prepared.theta, &mut work);
    for _ in 0..6 {
        let z = Hidden::at(&state.h, &prepared.likelihood).expected;
        let gram = em::gram(&values, &prepared.likelihood, &mut work);
        let (old_v, old_bias) = (state.v.clone(), state.bias);
        let moved = state.move_weights(&values, gram, &z, &prepared.likelihood, &mut work).unwrap();
        if moved.stay.len() == values.cols() {
            let old = (old_v.as_slice(), old_bias);
            for j in 0..state.v.len() {
                let at = |step: f64| {
                    let mut v = state.v.clone();
                    v[j] += step;
                    expected_log(&values, &z, &v, old_bias, old)
                };
                let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
                assert!(slope.abs() < 1e-5, "{slope}");
            }
        }
        values = values.select_columns(&moved.stay);
        let old_v: Vec<f64> = moved.stay.iter().map(|&j| old_v[j]).collect();
        state.move_bias(&values, &z, &prepared.likelihood, &work);
        let at = |b: f64| expected_log(&values, &z, &state.v, b, (&old_v, old_bias));
        let slope = (at(state.bias + 1e-4) - at(state.bias - 1e-4)) / 2e-4;
        assert!(slope.abs() < 1e-5, "{slope}");
        let off = (at(1.01 * state.bias + 1e-4) - at(1.01 * state.bias - 1e-4)) / 2e-4;
        assert!(off.abs() > 1e-5, "an error of 1 % would not be seen: {off}");
    }
}
