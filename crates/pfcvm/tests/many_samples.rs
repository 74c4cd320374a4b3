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
    assert!(a.model.selected_samples().iter().all(|i| drawn.contains(i)));
    let again = run(&rows, &positive, &settings(1));
    assert!(a.model == again.model, "same seed, another model");
    assert_ne!(candidates(&run(&rows, &positive, &settings(2))), drawn);
}

/// Rows that are no candidates still count in the likelihood. (Another label would change the
/// draw as well: `src/tests/candidates.rs` does that with the candidates given.)
#[test]
fn every_row_counts() {
    let (rows, positive) = data();
    let a = run(&rows, &positive, &settings(1));
    let drawn = candidates(&a);
    let outside = (0..N).find(|i| !drawn.contains(i)).unwrap();
    let mut weights = vec![1.0; N];
    weights[outside] = 3.0;
    let data = Dataset::new(Matrix::from_rows(&rows), positive.clone()).unwrap();
    let b = fit(&data.with_sample_weights(weights).unwrap(), &settings(1)).unwrap();
    assert_eq!(candidates(&b), drawn);
    let first = (a.trace[0].log_evidence, b.trace[0].log_evidence);
    assert!((first.0 - first.1).abs() > 1e-3, "{first:?}");

    let mut moved = rows.clone();
    moved[outside][1] += 1.0; // not the first column: the rows keep their order
    let b = run(&moved, &positive, &settings(1));
    assert_eq!(candidates(&b), drawn);
    assert_ne!(a.trace[0].log_evidence, b.trace[0].log_evidence);
}
