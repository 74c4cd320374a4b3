//! Wide data in the manner of gene expression; labels −1 and +1.

use super::{draw_rows, numbered};
use crate::Table;

/// Genes that rise and fall together.
const MODULE: usize = 20;
/// The first modules, whose common part depends on the class.
const INFORMATIVE: usize = 3;
/// By how much, in standard deviations of the common part.
const SHIFT: f64 = 1.6;
/// What of a gene's variance its module explains.
const SHARED: f64 = 0.6;

/// Features in modules of 20 that share a common part: gene = √0.6 · common + √0.4 · own, all
/// normal. In class +1 the common parts of the first three modules (60 features) are shifted by
/// 1.6 standard deviations, up, down and up; nothing else depends on the class.
///
/// Any one gene of a module tells as much as any other, so that selections are unsteady for the
/// same reason as with real genes. The best rule from the three common parts alone has an accuracy
/// of Φ(1.6·√3/2) = 91.7 %.
pub fn expression_like(rows: usize, features: usize, seed: u64) -> Table {
    draw_rows(numbered(features), &[-1, 1], rows, seed, |label, deviates| {
        let mut row = Vec::with_capacity(features);
        let mut module = 0;
        while row.len() < features {
            let sign = if module % 2 == 0 { 1.0 } else { -1.0 };
            let shift = if module < INFORMATIVE && label == 1 { sign * SHIFT } else { 0.0 };
            let common = shift + deviates.normal();
            for _ in 0..MODULE.min(features - row.len()) {
                row.push(SHARED.sqrt() * common + (1.0 - SHARED).sqrt() * deviates.normal());
            }
            module += 1;
        }
        row
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means and correlations of many rows are those of the rule.
    #[test]
    fn moments_follow_the_rule() {
        let table = expression_like(8000, 100, 3);
        let positive = |row: usize| table.label(row) == "1";
        let mean = |col: usize, class: bool| {
            let rows: Vec<usize> = (0..8000).filter(|&row| positive(row) == class).collect();
            rows.iter().map(|&row| table.x().get(row, col)).sum::<f64>() / rows.len() as f64
        };
        let expected = SHARED.sqrt() * SHIFT;
        for (col, shift) in [(0, expected), (25, -expected), (59, expected), (60, 0.0), (99, 0.0)] {
            let found = mean(col, true) - mean(col, false);
            assert!((found - shift).abs() < 0.1, "column {col}: {found} for {shift}");
        }
        let product = |a: usize, b: usize| {
            (0..8000).map(|row| table.x().get(row, a) * table.x().get(row, b)).sum::<f64>() / 8000.0
        };
        assert!((product(80, 81) - SHARED).abs() < 0.06 && product(60, 80).abs() < 0.06);
    }
}
