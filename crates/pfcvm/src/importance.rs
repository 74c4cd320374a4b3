//! What each kept feature is worth to a fitted model.

use crate::algebra::Work;
use crate::posterior::{Classes, Observed};
use crate::{Matrix, Model};
use rayon::prelude::*;

/// At most this many rows are looked at.
const MOST_ROWS: usize = 2000;
/// At most about this many operations are spent, as long as the rows do not get too few.
const MOST_FLOPS: f64 = 2e10;
/// Rows that are looked at whatever it costs.
const LEAST_ROWS: usize = 100;

/// By how much the mean −log p of the training rows rises when one feature is taken out of the
/// kernel and all else stays as it is, for every kept feature. Negative where the rows would be
/// better off without it. The machines share their features and weights.
///
/// `x` holds all scaled columns. Of many rows, every so-manyth is looked at.
pub(crate) fn losses_without(
    machines: &[Model],
    x: &Matrix,
    likelihood: &Classes,
    work: &Work,
) -> Vec<f64> {
    let model = &machines[0];
    let features = model.theta.len();
    let samples = machines.iter().map(|machine| machine.samples.len()).sum();
    let rows = rows_to_look_at(x.rows(), features, samples);
    let x = x.select_columns(&model.scaled_columns()).select_rows(&rows);
    let spans = model.spans();
    let likelihood = likelihood.select(&rows);
    let total: f64 = likelihood.weights().iter().sum();
    let mean_loss = |theta: &[f64]| {
        let mut work = work.alone();
        let theta = spans.spread(theta);
        let decision = |machine: &Model| {
            let values = machine.kernel.values(&x, &machine.z, &theta, &mut work);
            machine.decision(&values, &work)
        };
        let f: Vec<f64> = machines.iter().flat_map(decision).collect();
        -likelihood.log(&f) / total
    };
    let with_all = mean_loss(&model.theta);
    let without = |k: usize| {
        let mut theta = model.theta.clone();
        theta[k] = 0.0;
        mean_loss(&theta) - with_all
    };
    if work.parallel {
        (0..features).into_par_iter().map(without).collect()
    } else {
        (0..features).map(without).collect()
    }
}

/// Evenly spread rows, so many that the work stays small beside a fit.
fn rows_to_look_at(rows: usize, features: usize, samples: usize) -> Vec<usize> {
    let flops_per_row = 2.0 * (features * features) as f64 * (samples + 1) as f64;
    let affordable = (MOST_FLOPS / flops_per_row.max(1.0)) as usize;
    let step = rows.div_ceil(affordable.clamp(LEAST_ROWS, MOST_ROWS));
    (0..rows).step_by(step.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, Kernel, Settings, fit};

    #[test]
    fn rows_are_spread_and_bounded() {
        assert_eq!(rows_to_look_at(5, 3, 2), [0, 1, 2, 3, 4]);
        assert_eq!(rows_to_look_at(1_000_000, 10, 10).len(), 2000);
        assert_eq!(rows_to_look_at(1_000_000, 5000, 2000).len(), 100);
    }

    /// The model without a feature, as a model of its own, on the training rows.
    #[test]
    fn a_loss_is_what_the_model_loses_without_the_feature() {
        let spread =
            |i: usize, k: usize| 2.0 * (i as f64 * [0.754877, 0.569840, 0.414214][k]).fract() - 1.0;
        let x = Matrix::from_fn(120, 3, spread);
        let positive: Vec<bool> =
            (0..120).map(|i| spread(i, 0).powi(2) + 0.4 * spread(i, 1) < 0.3).collect();
        let data = Dataset::new(x.clone(), positive.clone()).unwrap();
        for kernel in [Kernel::Rbf, Kernel::Polynomial { degree: 2 }, Kernel::Linear] {
            let model = fit(&data, &Settings::new(kernel)).unwrap().model;
            let loss = |model: &Model| {
                let f = model.predict(&x).unwrap().decision;
                let rows = f.iter().zip(&positive);
                rows.map(|(f, p)| (1.0 + (if *p { -f } else { *f }).exp()).ln()).sum::<f64>()
                    / 120.0
            };
            let losses = model.feature_worth().unwrap();
            assert_eq!(losses.len(), model.selected_features().len());
            for k in 0..losses.len() {
                let mut without = model.clone();
                without.theta[k] = 0.0;
                let expected = loss(&without) - loss(&model);
                assert!((losses[k] - expected).abs() < 1e-10, "{} {expected}", losses[k]);
            }
        }
    }
}
