//! The end of a selection against what the evidence itself says.

use super::*;

fn problem(rows: usize) -> (Matrix, Likelihood) {
    let value = |i: usize| ((i * 37 + i * i * 11) % 101) as f64 / 25.0 - 2.0;
    let columns = Matrix::from_fn(rows, rows, |i, j| (-(value(i) - value(j)).powi(2)).exp());
    let label =
        |i: usize| if (value(i) * 2.0).sin() + 0.3 * value(i * 3 + 1) > 0.0 { 1.0 } else { -1.0 };
    let signs = (0..rows).map(label).collect();
    (columns, Likelihood { signs, weights: vec![1.0; rows] })
}

/// Log evidence of some columns with these precisions, at the mode.
fn evidence(columns: &Matrix, active: &[usize], alpha: &[f64], likelihood: &Likelihood) -> f64 {
    let mut work = Work::new(false);
    let phi = columns.select_columns(active);
    let mode = Mode::find(&phi, likelihood, alpha, vec![0.0; alpha.len()], &mut work).unwrap();
    mode.log_evidence(alpha)
}

/// No single change, found by trying, raises the evidence at the end by more than the fixed
/// curvature of a step can hide.
#[test]
fn nothing_more_is_to_be_gained() {
    let (columns, likelihood) = problem(45);
    let rules = Rules { max_iterations: 2000, tolerance: 1e-4, patience: PATIENCE, signs: None };
    let mut work = Work::new(false);
    let found = select(columns.clone(), &likelihood, &rules, &mut work).unwrap();
    assert_eq!(found.termination, Termination::Converged);
    let (active, alpha) = (found.active, found.precisions);
    let reached = evidence(&columns, &active, &alpha, &likelihood);
    assert!((reached - found.trace.last().unwrap().0).abs() < 1e-6, "{reached}");
    for j in 0..45 {
        for power in -8..12 {
            let tried = 2f64.powi(power);
            let (mut active, mut alpha) = (active.clone(), alpha.clone());
            match active.iter().position(|&k| k == j) {
                Some(at) => alpha[at] *= 2f64.powf(f64::from(power) / 4.0),
                None => {
                    active.push(j);
                    alpha.push(tried);
                }
            }
            let other = evidence(&columns, &active, &alpha, &likelihood);
            assert!(other < reached + 0.05, "column {j}: {other} {reached}");
        }
    }
    for at in 0..active.len() {
        let (mut fewer, mut rest) = (active.clone(), alpha.clone());
        fewer.remove(at);
        rest.remove(at);
        assert!(evidence(&columns, &fewer, &rest, &likelihood) < reached + 0.05);
    }
}
