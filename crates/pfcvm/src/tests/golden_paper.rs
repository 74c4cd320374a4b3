//! The paper's algorithm with its smoothed truncation, put together from the engine's pieces:
//! once as the slow transcription has it, against its traces; once as the engine has it, against
//! the engine. The two differ in the first steps, the bias, the least α and when they stop.

use super::common::{assert_close, golden, indices, numbers, table};
use super::point::{by_row, laplace};
use crate::algebra::Work;
use crate::evidence::determined;
use crate::posterior::{Laplace, Likelihood, Observed, Prior, step_features, step_samples};
use crate::settings::{Settings, Truncation};
use crate::state::{Leaning, Problem, State, Weights};
use crate::{Dataset, Kernel, Matrix, Termination, fit};
use serde_json::Value;

/// What the descriptions leave open.
struct Choices {
    /// Newton steps in w in the first iteration.
    first_steps: usize,
    /// Start of the bias precision, and whether it is learned.
    bias_precision: f64,
    learn_bias: bool,
    /// Least sample precision.
    floor: f64,
    /// Covariances between the two steps instead of after them.
    one_step_old: bool,
    /// Iterations without a change before the end.
    calm: usize,
}

struct Found {
    /// Samples, features and log evidence of each iteration.
    trace: Vec<(usize, usize, f64)>,
    weights: Weights,
    converged: bool,
}

fn both_steps(
    state: &mut State,
    steps: usize,
    choices: &Choices,
    work: &mut Work,
) -> (Laplace, Laplace, f64) {
    let problem = state.problem;
    let alpha = state.weights.machines[0].alpha.clone();
    let prior = Prior { precisions: &alpha, means: &[], truncation: problem.truncation, first: 1 };
    for _ in 0..steps {
        let moving = (&mut state.weights.machines[0].w, &mut state.f);
        let likelihood = &problem.likelihood.machines[0];
        if step_samples(&state.bases[0], likelihood, &prior, moving, &[], work).settled {
            break;
        }
    }
    let between = choices.one_step_old.then(|| {
        let log_prior = state.feature_prior().log(&state.weights.theta);
        (laplace(state, work), log_prior)
    });
    let beta = state.weights.beta.clone();
    let prior = Prior { precisions: &beta, means: &[], truncation: problem.truncation, first: 0 };
    let Weights { machines, theta, .. } = &mut state.weights;
    let (w, moving) = (&[&machines[0].w[..]], (theta, &mut state.f));
    step_features(&mut state.bases, &problem.likelihood, &prior, w, moving, work);
    let log = problem.likelihood.log(&state.f);
    match between {
        None => {
            let (samples, features) = laplace(state, work);
            let evidence = log + samples.log_evidence + features.log_evidence;
            (samples, features, evidence)
        }
        // The log determinants are old, the weights are not.
        Some(((samples, features), log_prior)) => {
            let moved = state.feature_prior().log(&state.weights.theta) - log_prior;
            let evidence = log + samples.log_evidence + features.log_evidence + moved;
            (samples, features, evidence)
        }
    }
}

/// MacKay's rule for everything, thresholds of 1e4 on the precisions.
fn paper(problem: &Problem, choices: &Choices) -> Found {
    let mut work = Work::new(false);
    let all: Vec<usize> = (0..problem.x.features()).collect();
    let mut state = State::start(problem, problem.candidates.clone(), all, None, &mut work);
    state.weights.machines[0].alpha[0] = choices.bias_precision;
    let mut trace: Vec<(usize, usize, f64)> = Vec::new();
    let (mut converged, mut calm) = (false, 0);
    for iteration in 0..200 {
        let steps = if iteration == 0 { choices.first_steps } else { 1 };
        let (samples, features, evidence) = both_steps(&mut state, steps, choices, &mut work);
        let Weights { mut beta, theta, mut machines, .. } = state.weights.clone();
        let Leaning { mut alpha, w, samples: leaning } = machines.remove(0);
        for j in 0..alpha.len() {
            alpha[j] = determined(alpha[j], samples.variances[j]) / (w[j] * w[j] + 1e-300);
            alpha[j] = alpha[j].max(choices.floor);
        }
        alpha[0] = if choices.learn_bias {
            (determined(state.weights.machines[0].alpha[0], samples.variances[0]) / (w[0] * w[0]))
                .min(1e6)
        } else {
            choices.bias_precision
        };
        for k in 0..beta.len() {
            beta[k] = determined(beta[k], features.variances[k]) / (theta[k] * theta[k] + 1e-300);
        }
        let kept: Vec<usize> = (1..w.len()).filter(|&j| alpha[j] < 1e4 && w[j] > 0.0).collect();
        let kept_features: Vec<usize> =
            (0..theta.len()).filter(|&k| beta[k] < 1e4 && theta[k] > 1e-6).collect();
        assert!(!kept.is_empty() && !kept_features.is_empty(), "not such data");
        let unchanged = kept.len() + 1 == w.len() && kept_features.len() == theta.len();
        let with_bias: Vec<usize> = [0].into_iter().chain(kept.iter().copied()).collect();
        let pick =
            |values: &[f64], at: &[usize]| at.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let weights = Weights {
            features: kept_features.iter().map(|&k| state.weights.features[k]).collect(),
            theta: pick(&theta, &kept_features),
            beta: pick(&beta, &kept_features),
            centre: vec![0.0; kept_features.len()],
            common_precision: None,
            machines: vec![Leaning {
                samples: kept.iter().map(|&j| leaning[j - 1]).collect(),
                w: pick(&w, &with_bias),
                alpha: pick(&alpha, &with_bias),
            }],
        };
        state = State::resume(problem, weights, &mut work);
        let near = |p: f64| (evidence - p).abs() < 1e-4 * p.abs().max(1.0);
        let settled = unchanged && trace.last().is_some_and(|last| near(last.2));
        calm = if settled { calm + 1 } else { 0 };
        trace.push((state.weights.samples().len(), state.weights.features.len(), evidence));
        if calm >= choices.calm {
            converged = true;
            break;
        }
    }
    Found { trace, weights: state.weights, converged }
}

fn problem(file: &Value) -> (Problem, Dataset) {
    let x = Matrix::from_rows(&table(&file["x"]));
    let signs = numbers(&file["y"]);
    let data = Dataset::new(x.clone(), signs.iter().map(|y| *y > 0.0).collect()).unwrap();
    let settings = Settings { standardise: false, ..Settings::paper(Kernel::Rbf) };
    let likelihood = Likelihood { weights: vec![1.0; signs.len()], signs };
    let all = (0..x.rows()).collect();
    let none = vec![false; x.cols()];
    (Problem::new(x.into(), likelihood, all, none, &settings), data)
}

#[test]
fn as_the_slow_transcription_has_it() {
    for (name, one_step_old) in
        [("fit_sigmoid.json", false), ("fit_sigmoid_one_step_old.json", true)]
    {
        let file = golden(name);
        let (problem, _) = problem(&file);
        let choices = Choices {
            first_steps: 1,
            bias_precision: 1.0,
            learn_bias: true,
            floor: 0.0,
            one_step_old,
            calm: 1,
        };
        let found = paper(&problem, &choices);
        for (i, expected) in file["trace"].as_array().unwrap().iter().enumerate() {
            let (samples, features, evidence) = found.trace[i];
            assert_eq!(samples as u64, expected["samples"].as_u64().unwrap(), "{name} {i}");
            assert_eq!(features as u64, expected["features"].as_u64().unwrap(), "{name} {i}");
            let expected = expected["log_evidence"].as_f64().unwrap();
            assert!((evidence - expected).abs() < 1e-6, "{name} {i}: {evidence} {expected}");
        }
        assert_eq!(found.trace.len() as u64, file["iterations"].as_u64().unwrap());
        assert_eq!(found.converged, file["converged"].as_bool().unwrap());
        assert_eq!(found.weights.samples(), indices(&file["samples"]));
        assert_eq!(found.weights.features, indices(&file["features"]));
        assert_close(name, &found.weights.machines[0].w, &numbers(&file["w"]), 1e-6);
        assert_close(name, &found.weights.theta, &numbers(&file["theta"]), 1e-6);
        assert_close(name, &found.weights.machines[0].alpha, &numbers(&file["alpha"]), 1e-5);
        assert_close(name, &found.weights.beta, &numbers(&file["beta"]), 1e-5);
    }
}

/// The same loop with the engine's choices is what the engine does under `Settings::paper`.
#[test]
fn as_the_engine_has_it() {
    let (problem, data) = problem(&golden("fit_sigmoid.json"));
    let choices = Choices {
        first_steps: 3,
        bias_precision: 0.01,
        learn_bias: false,
        floor: 0.01,
        one_step_old: false,
        calm: 2,
    };
    let expected = paper(&problem, &choices);
    let settings = Settings { standardise: false, ..Settings::paper(Kernel::Rbf) };
    assert_eq!(settings.truncation, Truncation::Sigmoid { lambda: 5.0 });
    let found = fit(&data, &settings).unwrap();
    let trace: Vec<(usize, usize)> = found.trace.iter().map(|i| (i.samples, i.features)).collect();
    let counts: Vec<(usize, usize)> = expected.trace.iter().map(|i| (i.0, i.1)).collect();
    assert_eq!(trace, counts);
    for (found, expected) in found.trace.iter().zip(&expected.trace) {
        assert!((found.log_evidence - expected.2).abs() < 1e-6, "{}", found.number);
    }
    assert_eq!(found.termination == Termination::Converged, expected.converged);
    let (samples, w, _) = by_row(&found.model);
    assert_eq!(samples, expected.weights.samples());
    assert_eq!(found.model.selected_features(), expected.weights.features);
    assert_close("theta", found.model.feature_weights(), &expected.weights.theta, 1e-6);
    assert_close("w", &w, &expected.weights.machines[0].w[1..], 1e-6);
}
