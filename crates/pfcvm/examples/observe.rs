//! Watch a fit and stop it: here when the evidence gains less than a given amount.
//!
//! `cargo run --release -p pfcvm --example observe`

use pfcvm::{Dataset, Error, Matrix, Settings, Termination, fit, fit_with};
use std::ops::ControlFlow;

fn main() -> Result<(), Error> {
    // Two classes on a grid, told apart by a curve.
    let x = Matrix::from_fn(225, 4, |i, k| {
        let (a, b) = ((i % 15) as f64 / 7.0 - 1.0, (i / 15) as f64 / 7.0 - 1.0);
        [a, b, (13.0 * a + 7.0 * b).sin(), (5.0 * a - 11.0 * b).cos()][k]
    });
    let above = (0..225).map(|i| x.get(i, 1) > (3.0 * x.get(i, 0)).sin() / 2.0).collect();
    let data = Dataset::new(x, above)?;
    let settings = Settings::default();

    println!("iteration  stage  samples  features  log evidence");
    let mut previous = f64::NEG_INFINITY;
    let stopped = fit_with(&data, &settings, &mut |iteration| {
        println!(
            "{:9}  {:5}  {:7}  {:8}  {:12.3}",
            iteration.number,
            iteration.stage,
            iteration.samples,
            iteration.features,
            iteration.log_evidence
        );
        let gain = iteration.log_evidence - previous;
        previous = iteration.log_evidence;
        if gain.abs() < 0.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;

    let whole = fit(&data, &settings)?;
    println!(
        "stopped: {:?} after {} iterations; left alone: {:?} after {}",
        stopped.termination,
        stopped.trace.len(),
        whole.termination,
        whole.trace.len()
    );
    assert_eq!(stopped.termination, Termination::Cancelled);
    assert!(stopped.trace.len() < whole.trace.len());
    Ok(())
}
