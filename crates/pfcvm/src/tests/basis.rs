//! Kernel values that are kept against those computed anew, block of rows by block of rows.

use super::common::{Random, assert_close};
use super::point::KERNELS;
use crate::algebra::Work;
use crate::basis::{BLOCK_ROWS, Basis, STORED_BYTES};
use crate::posterior::{Likelihood, Prior, step_features};
use crate::settings::Truncation;
use crate::{Kernel, Matrix};

/// Two whole blocks and a part of one.
const ROWS: usize = 2 * BLOCK_ROWS + 500;
/// So many samples that their kernel values are not kept.
const MANY: usize = STORED_BYTES / 8 / ROWS + 10;
const FEATURES: usize = 3;

struct Pair {
    kernel: Kernel,
    x: Matrix,
    /// Every sample up to `MANY`: not kept.
    large: Basis,
    /// The rows of the small basis, kept.
    samples: Vec<usize>,
    small: Basis,
    /// Weights of the small basis; in the large one all others are 0.
    w: Vec<f64>,
    w_large: Vec<f64>,
}

fn pair(kernel: Kernel) -> Pair {
    let mut random = Random::new(31);
    let values = (0..ROWS * FEATURES).map(|_| random.normal()).collect();
    let x = Matrix::from_column_major(ROWS, FEATURES, values);
    let signs: Vec<f64> =
        (0..MANY).map(|_| if random.uniform() < 0.4 { 1.0 } else { -1.0 }).collect();
    let theta = vec![0.3, 0.05, 0.2];
    let samples: Vec<usize> = (0..12).map(|j| j * MANY / 12 + j).collect();
    let mut work = Work::new(false);
    let w: Vec<f64> = (0..13).map(|_| random.uniform()).collect();
    let mut w_large = vec![0.0; MANY + 1];
    w_large[0] = w[0];
    for (j, w) in samples.iter().zip(&w[1..]) {
        w_large[j + 1] = *w;
    }
    let picked = samples.iter().map(|&j| signs[j]).collect();
    let small = Basis::new(
        STORED_BYTES,
        kernel,
        x.clone().into(),
        &samples,
        (picked, theta.clone()),
        &mut work,
    );
    let all: Vec<usize> = (0..MANY).collect();
    let large = Basis::new(STORED_BYTES, kernel, x.clone().into(), &all, (signs, theta), &mut work);
    Pair { kernel, x, large, samples, small, w, w_large }
}

fn check(pair: &Pair) {
    let Pair { large, small, w, w_large, .. } = pair;
    let mut work = Work::new(false);
    let what = format!("{:?}", pair.kernel);
    let f = small.decision(w, &mut work);
    assert_close(&what, &large.decision(w_large, &mut work), &f, 1e-12);

    let r: Vec<f64> = f.iter().map(|f| f.sin()).collect();
    let products = large.transpose_times(&r, &mut work);
    let positions: Vec<usize> = [0].into_iter().chain(pair.samples.iter().map(|j| j + 1)).collect();
    let found: Vec<f64> = positions.iter().map(|&j| products[j]).collect();
    assert_close(&what, &found, &small.transpose_times(&r, &mut work), 1e-12);

    let c: Vec<f64> = f.iter().map(|f| 0.1 + f.cos().powi(2)).collect();
    let all: Vec<usize> = (0..w.len()).collect();
    let gram = large.gram(&c, &positions, &mut work);
    assert_close(&what, gram.as_slice(), small.gram(&c, &all, &mut work).as_slice(), 1e-12);

    let d = small.derivative(w, &mut work);
    assert_close(&what, large.derivative(w_large, &mut work).as_slice(), d.as_slice(), 1e-12);
}

#[test]
fn kept_and_recomputed_values_agree() {
    for kernel in KERNELS {
        check(&pair(kernel));
    }
}

/// The rarer products: α's start, columns for the score test, slopes of absent features, and the
/// way back to kept values when samples have gone.
#[test]
fn kept_and_recomputed_values_agree_on_the_way() {
    let Pair { x, mut large, samples, small, w, w_large, .. } = pair(Kernel::Rbf);
    let mut work = Work::new(false);
    let positions: Vec<usize> = [0].into_iter().chain(samples.iter().map(|j| j + 1)).collect();
    let c = vec![0.2; ROWS];
    let columns = large.scaled_columns(&c, &positions, &mut work);
    let all: Vec<usize> = (0..w.len()).collect();
    let expected = small.scaled_columns(&c, &all, &mut work);
    assert_close("columns", columns.as_slice(), expected.as_slice(), 1e-13);

    let absent = Matrix::from_fn(ROWS, 2, |i, k| x.get(i, 0) * (1.0 + k as f64));
    let every: Vec<usize> = (0..MANY).collect();
    let found = large.derivative_of(&absent.clone().into(), &every, &w_large, &mut work);
    let expected = small.derivative_of(&absent.into(), &samples, &w, &mut work);
    assert_close("absent", found.as_slice(), expected.as_slice(), 1e-12);

    let first: Vec<usize> = (0..MANY / 2).collect();
    let second: Vec<usize> = (MANY / 2..MANY).collect();
    let half = |rows: &[usize]| {
        let mut work = Work::new(false);
        let theta = vec![0.3, 0.05, 0.2];
        let (x, given) = (x.clone().into(), (vec![1.0; rows.len()], theta));
        let basis = Basis::new(STORED_BYTES, Kernel::Rbf, x, rows, given, &mut work);
        basis.mean_square_sum(&mut work)
    };
    let expected = half(&first) + half(&second);
    assert_close("mean of squares", &[large.mean_square_sum(&mut work)], &[expected], 1e-12);

    large.keep_samples(&samples, &mut work);
    assert_close("f", &large.decision(&w, &mut work), &small.decision(&w, &mut work), 1e-12);
}

/// A step in θ tries weights without keeping values, and adopts them.
#[test]
fn a_step_is_the_same_with_values_kept_or_not() {
    let Pair { mut large, mut small, w, w_large, .. } = pair(Kernel::Rbf);
    let mut work = Work::new(false);
    let f = small.decision(&w, &mut work);
    let signs =
        f.iter().enumerate().map(|(i, f)| if f + (i as f64).sin() > 0.0 { 1.0 } else { -1.0 });
    let likelihood = Likelihood { signs: signs.collect(), weights: vec![1.0; ROWS] };
    let precisions = [3.0; FEATURES];
    let prior =
        Prior { precisions: &precisions, means: &[], truncation: Truncation::Exact, first: 0 };
    let mut step = |basis: &mut Basis, w: &[f64]| {
        let mut theta = vec![0.3, 0.05, 0.2];
        let mut values = f.clone();
        let moving = (&mut theta, &mut values);
        step_features(std::slice::from_mut(basis), &likelihood, &prior, &[w], moving, &mut work);
        assert_close("moved along", &basis.decision(w, &mut work), &values, 1e-12);
        (theta, values)
    };
    let (theta, values) = step(&mut small, &w);
    let (theta_large, values_large) = step(&mut large, &w_large);
    assert!(theta != [0.3, 0.05, 0.2], "no step");
    assert_close("theta", &theta_large, &theta, 1e-10);
    assert_close("f", &values_large, &values, 1e-10);
}
