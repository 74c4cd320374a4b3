//! Which features a linear fit begins with, where there are more of them than it can weigh together.
//!
//! An iteration costs N²M operations where M features outnumber N rows, NM² otherwise. Past a budget
//! (`schedule::most_features`) a fit begins with the features that go along with the classes best, each by
//! itself: n r² of the feature and the class, or, of a feature of d columns, d times what its columns give on the
//! mean, as the normal deviate that is as unlikely. A part of the rows that is held out has no say in it, as it has
//! none in the fit.

use crate::algebra::{Work, chi_square_deviate, transpose_times_vector};
use crate::data::moments_of;
use crate::posterior::{Classes, Likelihood};
use crate::spans::Inputs;

/// The features to begin with, ascending: all, or as many as are allowed.
pub(crate) fn beginning(x: &Inputs, classes: &Classes, most: usize) -> Vec<usize> {
    if x.features() <= most {
        return (0..x.features()).collect();
    }
    let variance = |column: usize| moments_of(x.values.cells(column)).map_or(0.0, |(_, d)| d * d);
    let variances: Vec<f64> = (0..x.spans.columns()).map(variance).collect();
    let mut best = vec![f64::NEG_INFINITY; x.features()];
    for machine in &classes.machines {
        for (best, own) in best.iter_mut().zip(deviates(x, machine, &variances)) {
            *best = best.max(own);
        }
    }
    let mut order: Vec<usize> = (0..x.features()).collect();
    order.sort_by(|&a, &b| best[b].total_cmp(&best[a]).then(a.cmp(&b)));
    order.truncate(most);
    order.sort_unstable();
    order
}

/// How far each feature goes along with the class of one machine.
fn deviates(x: &Inputs, likelihood: &Likelihood, variances: &[f64]) -> Vec<f64> {
    let Likelihood { signs, weights } = likelihood;
    let total: f64 = weights.iter().sum();
    let share =
        signs.iter().zip(weights).map(|(s, w)| if *s > 0.0 { *w } else { 0.0 }).sum::<f64>();
    let share = share / total;
    let apart = |(s, w): (&f64, &f64)| w * (f64::from(*s > 0.0) - share);
    let residual: Vec<f64> = signs.iter().zip(weights).map(apart).collect();
    let along = transpose_times_vector(&x.values, &residual, &Work::new(false));
    let of_feature = |feature: usize| {
        let columns = x.spans.of(feature);
        let freedom = columns.len() as f64;
        let together: f64 = columns.clone().map(|j| along[j] * along[j]).sum();
        let spread = total * share * (1.0 - share) * variances[columns].iter().sum::<f64>();
        if spread > 0.0 {
            chi_square_deviate(freedom * together / spread, freedom)
        } else {
            f64::NEG_INFINITY
        }
    };
    (0..x.features()).map(of_feature).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::spans::Spans;

    /// Feature 0 says nothing, 1 half the class, 2 (three columns) nothing, 3 the class.
    fn rows() -> (Inputs, Classes) {
        let noise = |i: usize, k: usize| ((i * (7 + 3 * k) + k) % 11) as f64 - 5.0;
        let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let x = Matrix::from_fn(110, 6, |i, j| match j {
            1 => noise(i, 3) + 3.0 * sign(i),
            5 => sign(i),
            other => noise(i / 2, other),
        });
        let signs = (0..110).map(sign).collect();
        let classes = Likelihood { signs, weights: vec![1.0; 110] }.into();
        (Inputs { values: x, spans: Spans::of_widths([1, 1, 3, 1]) }, classes)
    }

    #[test]
    fn what_goes_along_with_the_classes_comes_first() {
        let (x, classes) = rows();
        assert_eq!(beginning(&x, &classes, 4), [0, 1, 2, 3]);
        assert_eq!(beginning(&x, &classes, 2), [1, 3]);
        assert_eq!(beginning(&x, &classes, 1), [3]);
    }

    /// n r² of one column, from the formula of the correlation.
    #[test]
    fn the_deviate_is_that_of_the_correlation() {
        let (x, classes) = rows();
        let column = x.values.column(1);
        let mean = column.iter().sum::<f64>() / 110.0;
        let (mut cross, mut square) = (0.0, 0.0);
        for (i, v) in column.iter().enumerate() {
            cross += (v - mean) * if i.is_multiple_of(2) { 1.0 } else { -1.0 };
            square += (v - mean).powi(2);
        }
        let expected = chi_square_deviate(110.0 * cross * cross / (square * 110.0), 1.0);
        let variances: Vec<f64> =
            (0..6).map(|j| moments_of(x.values.cells(j)).unwrap().1.powi(2)).collect();
        let found = deviates(&x, &classes.machines[0], &variances)[1];
        assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
    }
}
