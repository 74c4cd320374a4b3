//! The paper to the letter, with its smoothed truncation, beside the default.
//!
//! `cargo run --release -p pfcvm --example paper`

use pfcvm::{Dataset, Error, Kernel, Matrix, Settings, fit};

fn main() -> Result<(), Error> {
    // The class follows from the first two of ten columns; one label in ten is wrong.
    let wave = |i: usize, k: usize| ((i * (2 * k + 3)) as f64 * 0.7 + (k * k) as f64).sin();
    let x = Matrix::from_fn(240, 10, wave);
    let truth = |i: usize| wave(i, 0) + wave(i, 1).powi(2) > 0.5;
    let labels = (0..160).map(|i| truth(i) != (i % 10 == 3)).collect();
    let train = Dataset::new(x.row_range(0, 160), labels)?;
    let test = x.row_range(160, 240);

    println!("           samples  features  right of 80  iterations");
    let mut kept = Vec::new();
    for (name, settings) in
        [("the paper", Settings::paper(Kernel::Rbf)), ("default", Settings::new(Kernel::Rbf))]
    {
        let fit = fit(&train, &settings)?;
        let positive = fit.model.predict(&test)?.positive();
        let right = (160..240).filter(|&i| positive[i - 160] == truth(i)).count();
        println!(
            "{name:10} {:7}  {:8}  {right:11}  {:10}",
            fit.model.selected_samples().len(),
            fit.model.selected_features().len(),
            fit.trace.len()
        );
        kept.push(fit.model.selected_samples().len());
    }
    // The smoothed truncation pushes every weight away from 0: samples stay on whatever the data.
    assert!(kept[0] > 2 * kept[1], "{kept:?}");
    Ok(())
}
