//! RSFM and IRSFM as a whole.

use crate::common::{circle, noise, permuted, spread};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::relatives::rsfm::{self, Settings};

fn both() -> [Settings; 2] {
    [Settings::batch(), Settings::incremental()]
}

/// f(x) = b + Σᵢ Σₖ wᵢ λₖ exp(−(xₖ − xᵢₖ)²), by loops over the training data.
#[test]
fn decisions_are_the_double_sum() {
    let data = circle(70, 4);
    let moments: Vec<(f64, f64)> = data
        .x()
        .columns()
        .map(|column| {
            let n = column.len() as f64;
            let mean = column.iter().sum::<f64>() / n;
            (mean, (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
        })
        .collect();
    let new = Matrix::from_fn(9, 4, |i, k| spread(i + 40, k) * 2.0 - 1.0);
    for settings in both() {
        let model = rsfm::fit(&data, &settings).unwrap().model;
        let found = model.predict(&new).unwrap().decision;
        for (i, found) in found.iter().enumerate() {
            let mut f = model.bias();
            for (&row, w) in model.selected_samples().iter().zip(model.sample_weights()) {
                for (&k, lambda) in model.selected_features().iter().zip(model.feature_weights()) {
                    let distance = (new.get(i, k) - data.x().get(row, k)) / moments[k].1;
                    f += w * lambda * (-distance * distance).exp();
                }
            }
            assert!((f - found).abs() < 1e-9 * f.abs().max(1.0), "{f} {found}");
        }
        let largest = model.feature_weights().iter().fold(0.0f64, |m, l| m.max(l.abs()));
        assert!((largest - 1.0).abs() < 1e-12);
    }
}

/// The circle is a sum over its two features: they are kept, most of the noise is not, and what is
/// dropped has no part.
#[test]
fn features_of_a_sum_are_found() {
    let data = circle(150, 10);
    for settings in both() {
        let model = rsfm::fit(&data, &settings).unwrap().model;
        let kept = model.selected_features();
        assert!(kept.contains(&0) && kept.contains(&1), "{kept:?}");
        assert!(kept.len() <= 6, "{:?}: {kept:?}", settings.algorithm);
        assert!(model.selected_samples().len() < 60);
        let mut other = data.x().clone();
        for k in (0..10).filter(|k| !kept.contains(k)) {
            other.column_mut(k).iter_mut().for_each(|v| *v = 7.0 - *v);
        }
        assert_eq!(model.predict(data.x()).unwrap(), model.predict(&other).unwrap());
    }
}

#[test]
fn the_order_of_samples_and_features_does_not_matter() {
    let data = circle(60, 4);
    let (shuffled, rows, cols) = permuted(&data);
    for settings in both() {
        let one = rsfm::fit(&data, &settings).unwrap().model;
        let other = rsfm::fit(&shuffled, &settings).unwrap().model;
        let sorted = |mut values: Vec<usize>| {
            values.sort_unstable();
            values
        };
        let back = other.selected_samples().iter().map(|&row| rows[row]).collect();
        assert_eq!(one.selected_samples(), sorted(back));
        let back = other.selected_features().iter().map(|&k| cols[k]).collect();
        assert_eq!(one.selected_features(), sorted(back));
        let new = Matrix::from_fn(20, 4, |i, k| spread(i + 500, k) * 3.0 - 1.5);
        let expected = one.predict(&new).unwrap().probability.unwrap();
        let found = other.predict(&new.select_columns(&cols)).unwrap().probability.unwrap();
        for (a, b) in expected.iter().zip(&found) {
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
}

/// Many more features than samples: the few that tell are among those kept.
#[test]
fn wide_data_work() {
    let mut x = Matrix::from_fn(60, 2000, |i, k| noise(i, k) - 0.5);
    let positive: Vec<bool> = (0..60).map(|i| i % 2 == 0).collect();
    for k in 0..5 {
        for i in 0..60 {
            let shift = if positive[i] { 0.5 } else { -0.5 };
            x.set(i, k, x.get(i, k) + shift);
        }
    }
    let data = Dataset::new(x, positive).unwrap();
    for settings in both() {
        let model = rsfm::fit(&data, &settings).unwrap().model;
        let prediction = model.predict(data.x()).unwrap();
        assert!(prediction.decision.iter().all(|f| f.is_finite()));
        assert!(model.selected_features().len() < 200, "{}", model.selected_features().len());
        let kept = model.selected_features();
        assert!(kept.iter().any(|&k| k < 5), "{:?}: {kept:?}", settings.algorithm);
    }
}
