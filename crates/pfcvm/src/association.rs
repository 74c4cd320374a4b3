//! Whether the columns of a feature go along with the classes, on a scale that does not favour
//! features of many columns.
//!
//! For directions dⱼ with mean 0 and classes t that have nothing to do with them,
//! Q = Σⱼ (dⱼ·t)² has the mean V = Σⱼ |dⱼ|² (in units of the variance of t), and νQ/V is about χ² with
//! ν = V² / Σⱼₗ (dⱼ·dₗ)² degrees of freedom (Satterthwaite). Directions that are one and the same
//! count once, and a group of any size can be looked at in any number of rows.

use crate::algebra::{chi_square_deviate, upper_tail};

/// The directions of one feature, each with weighted mean 0.
pub(crate) struct Directions {
    pub vectors: Vec<Vec<f64>>,
    /// V.
    total: f64,
    /// ν.
    freedom: f64,
}

impl Directions {
    /// Each column, and what it leaves of its square, as long as the column itself: a column of two
    /// values leaves nothing. Rows count by their weights.
    pub fn of<'a>(columns: impl Iterator<Item = &'a [f64]>, weights: &[f64]) -> Self {
        let mut vectors = Vec::new();
        for column in columns {
            let first = centred(column.to_vec(), weights);
            let length = product(&first, &first, weights);
            if length <= 0.0 {
                continue;
            }
            let square = centred(column.iter().map(|v| v * v).collect(), weights);
            let (along, whole) =
                (product(&square, &first, weights) / length, product(&square, &square, weights));
            let left: Vec<f64> = square.iter().zip(&first).map(|(s, f)| s - along * f).collect();
            let left_length = product(&left, &left, weights);
            let factor = (length / left_length).sqrt();
            vectors.push(first);
            if left_length > 1e-9 * whole {
                vectors.push(left.iter().map(|v| v * factor).collect());
            }
        }
        let total: f64 = vectors.iter().map(|v| product(v, v, weights)).sum();
        let cross =
            |a: &Vec<f64>| vectors.iter().map(|b| product(a, b, weights).powi(2)).sum::<f64>();
        let freedom = total * total / vectors.iter().map(cross).sum::<f64>();
        Self { vectors, total, freedom }
    }

    /// Q, in units of the variance of the classes, as the χ² with two degrees of freedom that is as
    /// unlikely.
    pub fn comparable(&self, q: f64) -> f64 {
        if self.vectors.is_empty() || !self.freedom.is_finite() {
            return 0.0;
        }
        let chi_square = self.freedom * q / self.total;
        if (self.freedom - 2.0).abs() < 1e-9 {
            return chi_square; // two degrees of freedom it has already
        }
        -2.0 * chi_square_tail(chi_square, self.freedom).max(f64::MIN_POSITIVE).ln()
    }
}

/// A χ² with one degree of freedom as that with two which is as unlikely.
pub(crate) fn of_one_direction(chi_square: f64) -> f64 {
    -2.0 * (2.0 * upper_tail(chi_square.max(0.0).sqrt())).max(f64::MIN_POSITIVE).ln()
}

/// P(χ² > x).
fn chi_square_tail(x: f64, freedom: f64) -> f64 {
    upper_tail(chi_square_deviate(x, freedom))
}

fn centred(mut values: Vec<f64>, weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(v, w)| v * w).sum::<f64>() / total;
    values.iter_mut().for_each(|v| *v -= mean);
    values
}

fn product(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), w)| a * b * w).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of χ²: 5 % at 3.841 (1), 7.815 (3), 18.307 (10); 0.1 % at 29.588 (10).
    #[test]
    fn tails_are_those_of_the_tables() {
        for (x, freedom, p) in
            [(3.841, 1.0, 0.05), (7.815, 3.0, 0.05), (18.307, 10.0, 0.05), (29.588, 10.0, 0.001)]
        {
            let found = chi_square_tail(x, freedom);
            // The approximation is off by some per cent in far tails and few degrees.
            assert!((found / p - 1.0).abs() < 0.1, "{found} instead of {p}");
        }
    }

    #[test]
    fn one_direction_is_as_unlikely_as_two() {
        // 5 % at 3.841 with one degree of freedom, at 5.991 with two; 0.1 % at 10.828 and 13.816.
        for (one, two) in [(0.0, 0.0), (3.841, 5.991), (10.828, 13.816)] {
            assert!((of_one_direction(one) - two).abs() < 2e-3, "{one}: {}", of_one_direction(one));
        }
        assert!(of_one_direction(1e6).is_finite());
    }

    /// Three copies of one column are one degree of freedom more than none, not three.
    #[test]
    fn copies_count_once() {
        let column: Vec<f64> = (0..40).map(|i| ((i * 17) % 40) as f64).collect();
        let weights = vec![1.0; 40];
        let one = Directions::of([&column[..]].into_iter(), &weights);
        let three = Directions::of([&column[..]; 3].into_iter(), &weights);
        assert!((one.freedom - 2.0).abs() < 1e-9 && (three.freedom - 2.0).abs() < 1e-9);
        assert_eq!((one.vectors.len(), three.vectors.len()), (2, 6));
        // Q is three times as large, and says the same.
        let q = 0.3 * one.total;
        assert!((one.comparable(q) - three.comparable(3.0 * q)).abs() < 1e-9);
    }

    #[test]
    fn nothing_that_varies_says_nothing() {
        let none = Directions::of([&[2.0, 2.0][..]].into_iter(), &[1.0, 1.0]);
        assert_eq!(none.comparable(0.0), 0.0);
    }
}
