//! Breiman's two normal problems (Breiman 1996), in any dimension d; labels −1 and +1.

use super::{draw_rows, numbered};
use crate::Table;

/// Twonorm: class +1 is N(+a·1, I), class −1 is N(−a·1, I), with a = 2/√d.
///
/// The best rule is the sign of Σ xₖ; its accuracy is Φ(2) = 97.7 % whatever d is.
///
/// # Panics
/// If `dimension` is 0.
pub fn twonorm(dimension: usize, per_class: usize, seed: u64) -> Table {
    let a = shift(dimension);
    two_normals(dimension, per_class, seed, [(-a, 1.0), (a, 1.0)])
}

/// Ringnorm: class +1 is N(0, 4 I), class −1 is N(a·1, I), with a = 2/√d.
///
/// The best rule is a sphere, so a linear classifier fails. In 20 dimensions the best accuracy is
/// about 98.7 %. (Some authors take a = 1/√d; the benchmark files use 2/√d.)
///
/// # Panics
/// If `dimension` is 0.
pub fn ringnorm(dimension: usize, per_class: usize, seed: u64) -> Table {
    let a = shift(dimension);
    two_normals(dimension, per_class, seed, [(a, 1.0), (0.0, 2.0)])
}

fn shift(dimension: usize) -> f64 {
    assert!(dimension > 0, "a dimension is needed");
    2.0 / (dimension as f64).sqrt()
}

/// Mean and deviation of every feature, for the classes −1 and +1.
fn two_normals(dimension: usize, per_class: usize, seed: u64, shapes: [(f64, f64); 2]) -> Table {
    draw_rows(numbered(dimension), &[-1, 1], 2 * per_class, seed, |label, deviates| {
        let (mean, deviation) = shapes[usize::from(label == 1)];
        (0..dimension).map(|_| mean + deviation * deviates.normal()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Share of rows on which `says_positive` is right.
    fn accuracy(table: &Table, says_positive: impl Fn(&[f64]) -> bool) -> f64 {
        let rows = table.x().rows();
        let right = (0..rows)
            .filter(|&i| {
                let x: Vec<f64> = (0..table.x().cols()).map(|j| table.x().get(i, j)).collect();
                says_positive(&x) == (table.label(i) == "1")
            })
            .count();
        right as f64 / rows as f64
    }

    #[test]
    fn the_best_rule_of_twonorm_reaches_its_rate_in_any_dimension() {
        for dimension in [1, 2, 20, 50] {
            let table = twonorm(dimension, 20_000, 11);
            let found = accuracy(&table, |x| x.iter().sum::<f64>() > 0.0);
            // Φ(2) = 0.97725; the standard error is 0.0007.
            assert!((found - 0.977_25).abs() < 0.004, "{dimension}: {found}");
        }
    }

    #[test]
    fn the_best_rule_of_ringnorm_reaches_its_rate() {
        let d = 20;
        let a = shift(d);
        let table = ringnorm(d, 20_000, 12);
        // log N(x; 0, 4I) > log N(x; a, I)
        let found = accuracy(&table, |x| {
            let wide: f64 = x.iter().map(|v| v * v / 4.0).sum();
            let narrow: f64 = x.iter().map(|v| (v - a).powi(2)).sum();
            -0.5 * wide - d as f64 * 2f64.ln() > -0.5 * narrow
        });
        assert!((found - 0.987).abs() < 0.004, "{found}");
    }
}
