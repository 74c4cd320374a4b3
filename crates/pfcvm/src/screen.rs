//! Which features stand out on their own, before any fit.
//!
//! Weak features that belong together are each dispensable: judged one by one beside the others,
//! they fall, and with them accuracy and stability. Judged alone they are often unmistakable. So
//! a feature whose class means or spreads differ beyond doubt is drawn to a common weight in the
//! fit, and only the others have to prove themselves against 0.

use crate::Matrix;
use crate::posterior::Likelihood;

/// Samples there must be for each feature that stands out. With fewer, standing out tells nothing
/// (most features of an EEG do, by correlation) and every feature has to prove itself.
const PER_FEATURE: f64 = 10.0;

/// Score test of each feature alone, x and x² together, in a logistic model that has nothing else:
/// n gᵀS⁻¹g / (t̄(1−t̄)) is χ² with 2 degrees of freedom, whose upper tail is exp(−χ²/2). True for
/// features with a tail below `level`; for none when there is no level, or too many.
pub(crate) fn prominent(x: &Matrix, likelihood: &Likelihood, level: Option<f64>) -> Vec<bool> {
    let Some(level) = level else { return vec![false; x.cols()] };
    let weights = &likelihood.weights;
    let total: f64 = weights.iter().sum();
    // Weights say how often a sample counts; only their ratios may sharpen the test.
    let effective = total * total / weights.iter().map(|w| w * w).sum::<f64>();
    let mean = |value: &dyn Fn(usize) -> f64| {
        weights.iter().enumerate().map(|(i, w)| w * value(i)).sum::<f64>() / total
    };
    let target = |i: usize| if likelihood.signs[i] > 0.0 { 1.0 } else { 0.0 };
    let share = mean(&target);
    let chi_square = |column: &[f64]| {
        let first = mean(&|i| column[i]);
        let second = mean(&|i| column[i] * column[i]);
        let a = |i: usize| column[i] - first;
        let b = |i: usize| column[i] * column[i] - second;
        let (aa, ab, bb) = (mean(&|i| a(i) * a(i)), mean(&|i| a(i) * b(i)), mean(&|i| b(i) * b(i)));
        let (ga, gb) =
            (mean(&|i| a(i) * (target(i) - share)), mean(&|i| b(i) * (target(i) - share)));
        let det = aa * bb - ab * ab;
        let quadratic = if det > 1e-9 * aa * bb {
            (ga * ga * bb - 2.0 * ga * gb * ab + gb * gb * aa) / det
        } else {
            ga * ga / aa // two values only: x² says what x says
        };
        effective * quadratic / (share * (1.0 - share))
    };
    let scores: Vec<f64> = x.columns().map(chi_square).collect();
    let least = -2.0 * level.ln();
    let mut prominent: Vec<bool> = scores.iter().map(|score| *score > least).collect();
    if PER_FEATURE * prominent.iter().filter(|p| **p).count() as f64 > effective {
        prominent.fill(false);
    }
    prominent
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows whose classes take turns, the values of one feature given by row.
    fn screened(rows: usize, columns: &[fn(usize) -> f64]) -> Vec<bool> {
        let x = Matrix::from_fn(rows, columns.len(), |i, j| columns[j](i));
        let signs =
            (0..rows).map(|i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
        let likelihood = Likelihood { signs, weights: vec![1.0; rows] };
        prominent(&x, &likelihood, Some(0.0025))
    }

    /// Spread over −1..1, alike in both classes: rows 2k and 2k+1 have the same value.
    fn alike(i: usize) -> f64 {
        ((i / 2 * 37) % 100) as f64 / 50.0 - 1.0
    }

    #[test]
    fn means_and_spreads_are_told_apart_from_nothing() {
        let shifted = |i: usize| alike(i) + if i.is_multiple_of(2) { 0.5 } else { 0.0 };
        let wider = |i: usize| alike(i) * if i.is_multiple_of(2) { 1.5 } else { 1.0 };
        assert_eq!(screened(400, &[alike, shifted, wider]), [false, true, true]);
    }

    /// A column of two values has x² = a + b x: the test falls back to x alone.
    #[test]
    fn two_values_are_no_division_by_zero() {
        let label = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let coin = |i: usize| if (i / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(screened(40, &[label, coin]), [true, false]);
    }

    #[test]
    fn too_many_for_the_rows_means_none() {
        let label = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        assert_eq!(screened(20, &[label, label]), [true, true]);
        assert_eq!(screened(20, &[label, label, label]), [false, false, false]);
    }

    /// For a two-valued column the statistic is N r², r the correlation with the class.
    #[test]
    fn the_level_is_that_of_chi_square_with_two_degrees() {
        // 70 of 100 rows agree with their class: r = 0.4, N r² = 16, exp(−8) = 3.4e-4.
        let agrees = |i: usize| if (i % 100 < 70) == i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let x = Matrix::from_fn(100, 1, |i, _| agrees(i));
        let signs = (0..100).map(|i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
        let likelihood = Likelihood { signs, weights: vec![1.0; 100] };
        assert_eq!(prominent(&x, &likelihood, Some(3.5e-4)), [true]);
        assert_eq!(prominent(&x, &likelihood, Some(3.2e-4)), [false]);
    }
}
