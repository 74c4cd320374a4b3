//! More samples than may enter the basis.

mod common;

use common::two_gaussians;
use pfcvm::{Dataset, Fit, Kernel, Matrix, Settings, fit};

const N: usize = 400;

fn data() -> (Vec<Vec<f64>>, Vec<bool>) {
    let (rows, mut positive) = two_gaussians(8, N, 4, 2, 0.7);
    // 1 of 4 positive, so that a share means something.
    positive.iter_mut().enumerate().for_each(|(i, p)| *p = *p && i % 4 == 0);
    (rows, positive)
}

fn run(rows: &[Vec<f64>], positive: &[bool], settings: &Settings) -> Fit {
    fit(&Dataset::new(Matrix::from_rows(rows), positive.to_vec()).unwrap(), settings).unwrap()
}

fn settings(seed: u64) -> Settings {
    Settings { max_basis: 80, seed, ..Settings::new(Kernel::Rbf) }
}

/// Samples that were candidates at all.
fn candidates(fit: &Fit) -> Vec<usize> {
    (0..N).filter(|&i| fit.sample_dropped[i] != Some(0)).collect()
}

#[test]
fn the_candidates_are_a_stratified_draw_and_the_seed_decides() {
    let (rows, positive) = data();
    let a = run(&rows, &positive, &settings(1));
    let drawn = candidates(&a);
    assert_eq!(drawn.len(), 80);
    assert_eq!(drawn.iter().filter(|&&i| positive[i]).count(), 20, "1 of 4");
    assert!(a.model.sample_indices().iter().all(|i| drawn.contains(i)));
    let again = run(&rows, &positive, &settings(1));
    assert!(a.model == again.model, "same seed, another model");
    assert_ne!(candidates(&run(&rows, &positive, &settings(2))), drawn);
}

/// Rows that are no candidates still count in the likelihood.
#[test]
fn every_row_counts() {
    let (rows, positive) = data();
    let a = run(&rows, &positive, &settings(1));
    let drawn = candidates(&a);
    // Two labels exchanged among the others: the classes keep their sizes, the draw its rows.
    let outside = |class: bool| {
        (0..N).find(|i| positive[*i] == class && !drawn.contains(i)).unwrap()
    };
    let mut changed = positive.clone();
    changed.swap(outside(true), outside(false));
    let data = |positive: Vec<bool>| {
        Dataset::new(Matrix::from_rows(&rows), positive).unwrap()
    };
    // The draw shuffles row numbers of each class, which the exchange would change: weights of 0
    // say who is a candidate instead.
    let mut weights = vec![1e-9; N];
    drawn.iter().for_each(|&i| weights[i] = 1.0);
    let light = data(positive.clone()).with_sample_weights(weights).unwrap();
    let all = Settings { max_basis: 2 * N, ..settings(1) };
    let without = fit(&light, &all).unwrap();
    assert_ne!(without.log_likelihood, a.log_likelihood);
    assert!((without.log_likelihood / a.log_likelihood) < 0.5, "80 rows count less than 400");

    let b = run(&rows, &changed, &settings(1));
    assert_ne!(a.log_likelihood, b.log_likelihood);
    assert_ne!(a.trace[0].log_likelihood, b.trace[0].log_likelihood);
}
