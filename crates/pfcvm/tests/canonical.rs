//! The same data give the same bits: whatever the order of the rows, with a row given twice or with
//! twice the weight, with rows that do not count.

mod common;

use common::{Random, two_gaussians};
use pfcvm::panel::{PanelSettings, fit_panel};
use pfcvm::{ClassWeights, Dataset, Fit, Kernel, Matrix, SamplePolicy, Settings, fit};

/// Rows with their classes and weights.
#[derive(Clone)]
struct Table(Vec<(Vec<f64>, bool, f64)>);

impl Table {
    /// Weights of 1, 2 and 3.
    fn new(seed: u64, n: usize, m: usize) -> Self {
        let (rows, positive) = two_gaussians(seed, n, m, 2, 0.8);
        let rows = rows.into_iter().zip(positive).enumerate();
        Self(rows.map(|(i, (row, p))| (row, p, [1.0, 1.0, 2.0, 1.0, 3.0][i % 5])).collect())
    }

    fn data(&self) -> Dataset {
        let x = Matrix::from_rows(&self.0.iter().map(|row| row.0.clone()).collect::<Vec<_>>());
        let data = Dataset::new(x, self.0.iter().map(|row| row.1).collect()).unwrap();
        data.with_sample_weights(self.0.iter().map(|row| row.2).collect()).unwrap()
    }

    /// Another table that says the same: copies instead of weights, rows of weight 0 (one a copy of
    /// a row that counts, one unlike all others), everything shuffled.
    fn other(&self, seed: u64) -> Self {
        let mut rows = Vec::new();
        for (row, positive, weight) in &self.0 {
            for _ in 0..*weight as usize {
                rows.push((row.clone(), *positive, 1.0));
            }
        }
        rows.push((self.0[0].0.clone(), self.0[0].1, 0.0));
        rows.push((vec![1e6; self.0[0].0.len()], true, 0.0));
        let order = Random::new(seed).order(rows.len());
        Self(order.iter().map(|&i| rows[i].clone()).collect())
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

/// Everything but the numbering of rows, and that too once it is traced back.
fn assert_same(a: &Fit, b: &Fit, (first, second): (&Table, &Table), new: &Matrix) {
    assert_eq!(a.trace.len(), b.trace.len());
    assert_eq!(a.log_evidence.to_bits(), b.log_evidence.to_bits());
    assert_eq!(bits(a.model.sample_weights()), bits(b.model.sample_weights()));
    assert_eq!(bits(a.model.feature_worth().unwrap()), bits(b.model.feature_worth().unwrap()));
    assert_eq!(a.feature_dropped, b.feature_dropped);
    let (p, q) = (a.model.predict(new).unwrap(), b.model.predict(new).unwrap());
    assert_eq!(bits(&p.decision), bits(&q.decision));
    assert_eq!(bits(&p.probability), bits(&q.probability));
    let rows = |fit: &Fit, table: &Table| -> Vec<(Vec<f64>, bool)> {
        let row = |&i: &usize| (table.0[i].0.clone(), table.0[i].1);
        fit.model.selected_samples().iter().map(row).collect()
    };
    assert_eq!(rows(a, first), rows(b, second));
    // Of copies, the first stands for all.
    for &i in b.model.selected_samples() {
        let same = |j: usize| second.0[j].0 == second.0[i].0 && second.0[j].2 > 0.0;
        assert_eq!((0..second.0.len()).find(|&j| same(j)), Some(i));
        assert_eq!(b.sample_dropped[i], None);
    }
    let kept = b.sample_dropped.iter().filter(|dropped| dropped.is_none()).count();
    assert_eq!(kept, b.model.selected_samples().len());
}

#[test]
fn order_copies_and_rows_that_do_not_count() {
    let new = Matrix::from_rows(&Random::new(5).rows(30, 5));
    let table = Table::new(11, 50, 5);
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
        for samples in [SamplePolicy::Few, SamplePolicy::Dense] {
            for class_weights in [ClassWeights::Equal, ClassWeights::Balanced] {
                let settings = Settings { samples, class_weights, ..Settings::new(kernel) };
                let one = fit(&table.data(), &settings).unwrap();
                let other = table.other(3);
                let two = fit(&other.data(), &settings).unwrap();
                assert_same(&one, &two, (&table, &other), &new);
            }
        }
    }
}

#[test]
fn a_draw_of_candidates_does_not_depend_on_the_order() {
    let new = Matrix::from_rows(&Random::new(6).rows(30, 4));
    let table = Table::new(12, 120, 4);
    let settings = Settings { max_basis: 40, ..Settings::new(Kernel::Rbf) };
    let one = fit(&table.data(), &settings).unwrap();
    let other = table.other(4);
    assert_same(&one, &fit(&other.data(), &settings).unwrap(), (&table, &other), &new);
}

#[test]
fn panels_too() {
    let new = Matrix::from_rows(&Random::new(7).rows(30, 60));
    let table = Table::new(13, 24, 60);
    for class_weights in [ClassWeights::Equal, ClassWeights::Balanced] {
        let settings =
            PanelSettings { size: 5, members: 6, class_weights, ..PanelSettings::default() };
        let one = fit_panel(&table.data(), &settings).unwrap();
        let two = fit_panel(&table.other(5).data(), &settings).unwrap();
        assert_eq!(one.selected_features(), two.selected_features());
        assert_eq!(bits(&one.feature_weights()), bits(&two.feature_weights()));
        assert_eq!(one.expected_log_loss().to_bits(), two.expected_log_loss().to_bits());
        assert_eq!(one.predict(&new).unwrap(), two.predict(&new).unwrap());
    }
}

/// A class whose rows are all the same counts by their number.
#[test]
fn classes_of_equal_rows_can_be_told_apart() {
    let x = Matrix::from_fn(20, 1, |i, _| f64::from(u8::from(i < 10)));
    let data = Dataset::new(x.clone(), (0..20).map(|i| i < 10).collect()).unwrap();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let model = fit(&data, &Settings::new(kernel)).unwrap().model;
        let found = model.predict(&x).unwrap();
        assert_eq!(found.positive(), data.positive(), "{kernel}");
        assert!(found.probability[0] > 0.8 && found.probability[19] < 0.2, "{kernel}");
    }
}

/// An error names the row as it was given.
#[test]
fn errors_speak_of_the_rows_given() {
    let mut table = Table::new(14, 20, 2);
    table.0[3].0[1] = 1e12;
    let settings = Settings { standardise: false, ..Settings::default() };
    let message = fit(&table.data(), &settings).unwrap_err().to_string();
    assert!(message.starts_with("row 3, column 1"), "{message}");
}
