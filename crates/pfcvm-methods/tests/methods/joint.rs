//! PFCVM_EM and JCFO: samples and features together.

use crate::common::{circle, permuted, spread};
use pfcvm::{Dataset, Kernel, Matrix};
use pfcvm_methods::relatives::{Fit, Inputs, Machine, Termination, Width, jcfo, pfcvm_em};

fn inputs(kernel: Kernel) -> Inputs {
    Inputs { kernel, ..Inputs::default() }
}

/// Everything that can be moved of a model: bias, sample weights, feature weights.
struct Point {
    bias: f64,
    v: Vec<f64>,
    theta: Vec<f64>,
}

fn point_of(model: &Machine) -> Point {
    let (v, theta) = (model.sample_weights().to_vec(), model.feature_weights().to_vec());
    Point { bias: model.bias(), v, theta }
}

/// Features of mean 0 and variance 1, as the fit sees them.
fn standardised(data: &Dataset) -> Matrix {
    let mut x = data.x().clone();
    for k in 0..x.cols() {
        let column = x.column_mut(k);
        let n = column.len() as f64;
        let mean = column.iter().sum::<f64>() / n;
        let deviation = (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
        column.iter_mut().for_each(|v| *v = (*v - mean) / deviation);
    }
    x
}

/// Σ log Φ(yh), all with loops.
fn log_likelihood(data: &Dataset, model: &Machine, point: &Point) -> f64 {
    let x = standardised(data);
    let (samples, features) = (model.selected_samples(), model.selected_features());
    let kernel = |i: usize, j: usize| {
        let terms = features.iter().zip(&point.theta);
        let terms = terms.map(|(&k, t)| (t, x.get(i, k), x.get(j, k)));
        match model.kernel() {
            Kernel::Rbf => (-terms.map(|(t, a, b)| t * (a - b).powi(2)).sum::<f64>()).exp(),
            _ => terms.map(|(t, a, b)| t * a * b).sum(),
        }
    };
    let row = |i: usize| {
        let sum: f64 = samples.iter().zip(&point.v).map(|(&j, v)| v * kernel(i, j)).sum();
        let h = point.bias + sum;
        log_normal(if data.positive()[i] { h } else { -h })
    };
    (0..data.len()).map(row).sum()
}

/// log of the normal distribution function, by Simpson's rule.
fn log_normal(u: f64) -> f64 {
    if u > 0.0 {
        return (-log_normal(-u).exp()).ln_1p();
    }
    let (from, steps) = (u - 12.0, 4000);
    let width = 12.0 / f64::from(steps);
    let density = |t: f64| (0.5 * (u * u - t * t)).exp();
    let weight = |k: i32| if k == 0 || k == steps { 1.0 } else { [2.0, 4.0][(k % 2) as usize] };
    let sum: f64 = (0..=steps).map(|k| weight(k) * density(from + width * f64::from(k))).sum();
    (sum * width / 3.0 / std::f64::consts::TAU.sqrt()).ln() - 0.5 * u * u
}

/// Slopes by central differences: of the bias, of each sample weight, of each feature weight.
fn slopes(data: &Dataset, model: &Machine) -> (f64, Vec<f64>, Vec<f64>) {
    let by = |change: &dyn Fn(&mut Point, f64), step: f64| {
        let at = |step: f64| {
            let mut point = point_of(model);
            change(&mut point, step);
            log_likelihood(data, model, &point)
        };
        (at(step) - at(-step)) / (2.0 * step)
    };
    let point = point_of(model);
    let bias = by(&|point, step| point.bias += step, 1e-5);
    let v = (0..point.v.len()).map(|j| by(&|point, step| point.v[j] += step, 1e-5)).collect();
    let theta = (0..point.theta.len())
        .map(|k| by(&|point, step| point.theta[k] += step, 1e-4 * point.theta[k]))
        .collect();
    (bias, v, theta)
}

/// Where JCFO ends, the slope of the log likelihood equals that of both priors.
#[test]
fn jcfo_ends_where_its_objective_is_flat() {
    let data = circle(40, 3);
    for (kernel, rates) in [(Kernel::Rbf, (0.3, 0.3)), (Kernel::Linear, (0.2, 0.2))] {
        let settings = jcfo::Settings {
            inputs: inputs(kernel),
            sample_rate: rates.0,
            // 40 samples, and θ sums to 1 at the start.
            feature_rate: 3.0 * rates.1 / 40.0,
            max_iterations: 30_000,
            tolerance: 1e-13,
        };
        let fit = jcfo::fit(&data, &settings).unwrap();
        let model = &fit.model;
        assert!(!model.sample_weights().is_empty() && !model.feature_weights().is_empty());
        let (_, v, theta) = slopes(&data, model);
        for (slope, v) in v.iter().zip(model.sample_weights()) {
            assert!((slope - rates.0 * v.signum()).abs() < 2e-3, "{kernel:?} {slope} {v}");
        }
        for slope in theta {
            assert!((slope - 3.0 * rates.1).abs() < 5e-3, "{kernel:?} {slope}");
        }
    }
}

/// Where PFCVM_EM ends, the slope of the log likelihood equals 1/2w and 1/θ.
#[test]
fn pfcvm_em_ends_where_its_objective_is_flat() {
    let data = circle(60, 3);
    let settings = pfcvm_em::Settings {
        inputs: Inputs { width: Width::Gamma(0.5), ..Inputs::default() },
        max_iterations: 20_000,
        tolerance: 1e-8,
        ..pfcvm_em::Settings::default()
    };
    let fit = pfcvm_em::fit(&data, &settings).unwrap();
    let model = &fit.model;
    assert_eq!(fit.termination, Termination::Converged);
    let (_, v, theta) = slopes(&data, model);
    for (slope, v) in v.iter().zip(model.sample_weights()) {
        assert!((slope * v - 0.5).abs() < 1e-3, "{slope} {v}");
    }
    for (slope, t) in theta.iter().zip(model.feature_weights()) {
        assert!((slope * t - 1.0).abs() < 1e-3, "{slope} {t}");
    }
}

fn assert_rises(fit: &Fit) -> usize {
    let same = |pair: &&[pfcvm_methods::relatives::Step]| {
        (pair[0].samples, pair[0].features) == (pair[1].samples, pair[1].features)
    };
    let mut compared = 0;
    for pair in fit.trace.windows(2).filter(same) {
        let (before, after) = (pair[0].objective, pair[1].objective);
        assert!(after >= before - 1e-8 * before.abs(), "{before} {after}");
        compared += 1;
    }
    compared
}

#[test]
fn the_objectives_rise_between_drops() {
    let mut compared = 0;
    for (rows, cols) in [(60, 3), (50, 12), (20, 60)] {
        for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
            let data = circle(rows, cols);
            let em = pfcvm_em::Settings { inputs: inputs(kernel), ..pfcvm_em::Settings::default() };
            let fit = pfcvm_em::fit(&data, &em).unwrap();
            // With the linear kernel scaling changes the objective.
            compared += if kernel == Kernel::Linear { 0 } else { assert_rises(&fit) };
            let joint = jcfo::Settings { inputs: inputs(kernel), ..jcfo::Settings::default() };
            compared += assert_rises(&jcfo::fit(&data, &joint).unwrap());
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn the_order_of_samples_and_features_does_not_matter_to_jcfo() {
    let data = circle(50, 4);
    let (shuffled, rows, cols) = permuted(&data);
    let settings = jcfo::Settings::default();
    let (one, other) =
        (jcfo::fit(&data, &settings).unwrap(), jcfo::fit(&shuffled, &settings).unwrap());
    let mut back: Vec<usize> = other.model.selected_samples().iter().map(|&i| rows[i]).collect();
    back.sort_unstable();
    assert_eq!(one.model.selected_samples(), back);
    let mut back: Vec<usize> = other.model.selected_features().iter().map(|&k| cols[k]).collect();
    back.sort_unstable();
    assert_eq!(one.model.selected_features(), back);
    let new = Matrix::from_fn(20, 4, |i, k| spread(i + 300, k) * 3.0 - 1.5);
    let expected = one.model.predict(&new).unwrap().decision;
    let found = other.model.predict(&new.select_columns(&cols)).unwrap().decision;
    for (a, b) in expected.iter().zip(&found) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

/// What was dropped cannot matter, and what decides is kept.
#[test]
fn dropped_features_have_no_part() {
    let data = circle(90, 8);
    let em = pfcvm_em::fit(&data, &pfcvm_em::Settings::default()).unwrap().model;
    let settings = jcfo::Settings { feature_rate: 1.0, ..jcfo::Settings::default() };
    let joint = jcfo::fit(&data, &settings).unwrap().model;
    for model in [em, joint] {
        let kept = model.selected_features();
        assert!(kept.contains(&0) && kept.contains(&1) && kept.len() < 8, "{kept:?}");
        let mut other = data.x().clone();
        for k in (0..8).filter(|k| !kept.contains(k)) {
            other.column_mut(k).iter_mut().for_each(|v| *v = 100.0 - 3.0 * *v);
        }
        assert_eq!(model.predict(data.x()).unwrap(), model.predict(&other).unwrap());
    }
}
