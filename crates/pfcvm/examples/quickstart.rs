//! Fit, look at what was kept, predict.
//!
//! `cargo run --release -p pfcvm --example quickstart`

use pfcvm::{Dataset, Error, Matrix, Settings, fit};

/// Columns of a sample: the class is inside or outside a circle in the first two; six are noise.
const COLUMNS: usize = 8;

/// Numbers between -1 and 1 that look random enough (a real program reads its data).
fn samples(n: usize, mut state: u64) -> (Matrix, Vec<bool>) {
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..COLUMNS).map(|_| next()).collect()).collect();
    let inside = rows.iter().map(|row| row[0].hypot(row[1]) < 0.8).collect();
    (Matrix::from_rows(&rows), inside)
}

fn main() -> Result<(), Error> {
    let (x, inside) = samples(200, 1);
    let fit = fit(&Dataset::new(x, inside)?, &Settings::default())?;
    let model = &fit.model;
    println!("{:?} after {} iterations", fit.termination, fit.trace.len());
    println!("{} of 200 samples kept", model.selected_samples().len());
    for ((column, weight), deviation) in model
        .selected_features()
        .iter()
        .zip(model.feature_weights())
        .zip(model.feature_deviations())
    {
        println!("column {column}: weight {weight:.3} ± {deviation:.3}");
    }

    let (new, truth) = samples(1000, 2);
    let prediction = model.predict(&new)?;
    let right = prediction.positive().iter().zip(&truth).filter(|(p, t)| p == t).count();
    println!("{right} of 1000 new samples right");
    println!("the first: f = {:.2}, p = {:.3}", prediction.decision[0], prediction.probability[0]);
    assert_eq!(model.selected_features(), [0, 1]);
    assert!(right > 900, "{right}");
    Ok(())
}
