//! Data of which few cells are written: the same fits as from plain columns, to rounding.

mod common;

use common::Random;
use pfcvm::data::{Columns, Scaler};
use pfcvm::multiclass::{self, Scheme};
use pfcvm::panel::{PanelSettings, fit_panel};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Dataset, Goal, Kernel, Matrix, Settings, fit};

/// Cells as they are written, and the same as plain columns; the first three features decide.
fn drawn(
    seed: u64,
    rows: usize,
    cols: usize,
    share: f64,
    gaps: f64,
) -> (Matrix, Matrix, Vec<bool>) {
    let mut random = Random::new(seed);
    let mut plain = Matrix::zeros(rows, cols);
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..cols {
        for i in 0..rows {
            let filled = if j < 3 { 0.4 } else { share };
            if random.uniform() < filled {
                let gap = random.uniform() < gaps;
                let value = if gap { f64::NAN } else { 1.0 + random.uniform() };
                places.push(i as u32);
                values.push(value);
                plain.set(i, j, value);
            }
        }
        starts.push(places.len());
    }
    let known = |i: usize, j: usize| if plain.get(i, j).is_nan() { 0.0 } else { plain.get(i, j) };
    let positive = (0..rows)
        .map(|i| 2.0 * (known(i, 0) + known(i, 1) - known(i, 2)) - 1.0 + random.normal() > 0.0)
        .collect();
    let sparse = Matrix::from_written(rows, starts, places, values).unwrap();
    assert!(sparse.is_sparse() && !plain.is_sparse());
    (sparse, plain, positive)
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance * (1.0 + a.abs()), "{a} {b}");
    }
}

/// The two routes round differently by 1e-15 or so in every sum; iterations that end at the same place leave
/// 1e-7 of it.
#[test]
fn a_fit_is_that_of_plain_columns() {
    for (kernel, goal, gaps) in [
        (Kernel::Linear, Goal::List, 0.0),
        (Kernel::Linear, Goal::Accuracy, 0.0),
        (Kernel::Linear, Goal::List, 0.2),
        (Kernel::Rbf, Goal::Accuracy, 0.0),
    ] {
        let (sparse, plain, positive) = drawn(3, 120, 40, 0.1, gaps);
        let settings = Settings { goal, ..Settings::new(kernel) };
        let one = fit(&Dataset::new(sparse.clone(), positive.clone()).unwrap(), &settings).unwrap();
        let other = fit(&Dataset::new(plain.clone(), positive).unwrap(), &settings).unwrap();
        assert_eq!(one.model.selected_features(), other.model.selected_features());
        assert_eq!(one.model.selected_samples(), other.model.selected_samples());
        assert!(!one.model.selected_features().is_empty(), "{kernel:?} found nothing");
        let (p, q) = (one.model.predict(&sparse).unwrap(), other.model.predict(&plain).unwrap());
        close(&p.probability, &q.probability, 1e-7);
        close(&p.variance, &q.variance, 1e-6);
        let certainty = |f: &pfcvm::Fit| f.model.certainty().unwrap().log_loss;
        close(&[certainty(&one)], &[certainty(&other)], 1e-7);
        assert_eq!(one.model.broad().is_some(), goal == Goal::Accuracy);
    }
}

#[test]
fn groups_panels_and_more_classes_are_those_of_plain_columns() {
    let (sparse, plain, positive) = drawn(4, 120, 40, 0.1, 0.0);
    let owners: Vec<usize> = (0..40).map(|j| j / 2).collect();
    let grouped = |x: &Matrix| {
        let columns = Columns::numbers(40).grouped(&owners).unwrap();
        Dataset::new(x.clone(), positive.clone()).unwrap().with_columns(columns).unwrap()
    };
    let settings = Settings::new(Kernel::Linear);
    let [one, other] = [&sparse, &plain].map(|x| fit(&grouped(x), &settings).unwrap().model);
    assert_eq!(one.selected_features(), other.selected_features());
    close(one.feature_weights(), other.feature_weights(), 1e-6);

    let settings = PanelSettings { size: 5, members: 6, ..PanelSettings::default() };
    let of = |x: &Matrix| fit_panel(&Dataset::new(x.clone(), positive.clone()).unwrap(), &settings);
    let [one, other] = [&sparse, &plain].map(|x| of(x).unwrap());
    assert_eq!(one.selected_features(), other.selected_features());
    close(
        &one.predict(&sparse).unwrap().probability,
        &other.predict(&plain).unwrap().probability,
        1e-6,
    );

    let codes: Vec<usize> =
        (0..120).map(|i| usize::from(positive[i]) + usize::from(plain.get(i, 2) > 0.0)).collect();
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let settings = Settings { certainty: CertaintyPolicy::Off, ..Settings::new(Kernel::Linear) };
    let [one, other] = [&sparse, &plain].map(|x| {
        let data = multiclass::Dataset::new(x.clone(), codes.clone(), names.clone()).unwrap();
        multiclass::fit(&data, Scheme::Joint, &settings).unwrap().into_models()
    });
    let (p, q) = (one.predict(&sparse).unwrap(), other.predict(&plain).unwrap());
    close(p.probability.as_slice(), q.probability.as_slice(), 1e-6);
}

/// Past the budget a linear fit begins with some of the features, and says which it left out.
#[test]
fn of_too_many_features_those_that_go_along_are_taken() {
    let (rows, cols) = (1700, 1400);
    let (sparse, plain, positive) = drawn(5, rows, cols, 0.01, 0.0);
    let settings = Settings {
        certainty: CertaintyPolicy::Off,
        max_iterations: Some(4),
        ..Settings::new(Kernel::Linear)
    };
    let most = settings.features_to_begin_with(rows, cols).unwrap();
    assert!(most > 1000 && most < 1100);
    assert_eq!(settings.features_to_begin_with(rows, most), None);
    assert_eq!(Settings::new(Kernel::Rbf).features_to_begin_with(rows, cols), None);
    // As many rows as a set of genes has: all are weighed.
    assert_eq!(settings.features_to_begin_with(100, 20_000), None);
    let [one, other] = [sparse, plain]
        .map(|x| fit(&Dataset::new(x, positive.clone()).unwrap(), &settings).unwrap());
    let left_out = one.feature_dropped.iter().filter(|dropped| **dropped == Some(0)).count();
    assert_eq!(left_out, cols - most);
    assert!((0..3).all(|k| one.feature_dropped[k].is_none()), "what decides was left out");
    assert_eq!(one.feature_dropped, other.feature_dropped);
    close(one.model.feature_weights(), other.model.feature_weights(), 1e-6);
}

/// Equal rows are merged and sorted alike, whichever way they are held.
#[test]
fn canonical_rows_are_those_of_plain_columns() {
    let rows =
        [[0.0, 2.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, -0.0, 0.0], [-1.0, 0.0, 3.0]];
    let wide = |row: &[f64; 3]| [&row[..], &[0.0; 17]].concat();
    let plain = Matrix::from_rows(&Vec::from_iter(rows.iter().map(wide)));
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for j in 0..20 {
        // A zero that is written is a zero.
        let written = (0..5).filter(|&i| plain.get(i, j) != 0.0 || (i, j) == (3, 1));
        written.for_each(|i| {
            places.push(i as u32);
            values.push(plain.get(i, j));
        });
        starts.push(places.len());
    }
    let sparse = Matrix::from_written(5, starts, places, values).unwrap();
    assert!(sparse.is_sparse());
    let positive = vec![true, false, true, false, true];
    let [one, other] =
        [sparse, plain].map(|x| Dataset::new(x, positive.clone()).unwrap().canonical());
    assert_eq!(one.first, other.first);
    assert_eq!(one.data.x(), other.data.x());
    assert_eq!(one.data.sample_weights(), other.data.sample_weights());
    let scaled = |rows: &pfcvm::data::CanonicalRows| {
        Scaler::fit(&rows.data, true).unwrap().apply(rows.data.x())
    };
    close(scaled(&one).as_slice(), scaled(&other).as_slice(), 1e-14);
}

/// Lists that are no matrix are refused in a sentence, whatever is wrong with them.
#[test]
fn written_cells_that_do_not_go_together_are_refused() {
    let made = |rows, starts: &[usize], places: &[u32], values: &[f64]| {
        let made = Matrix::from_written(rows, starts.into(), places.into(), values.into());
        made.map(|x| (x.rows(), x.cols())).map_err(|error| error.to_string())
    };
    assert_eq!(made(3, &[0, 2, 2, 3], &[0, 2, 1], &[1.0, 2.0, 3.0]), Ok((3, 3)));
    assert_eq!(made(3, &[0], &[], &[]), Ok((3, 0)));
    let cases: [(&[usize], &[u32], usize, &str); 8] = [
        (&[], &[], 0, "does not ascend"),
        (&[1, 3], &[0, 1, 2], 3, "does not ascend"),
        (&[0, 2, 1, 3], &[0, 1, 2], 3, "does not ascend"),
        (&[0, 4], &[0, 1, 2], 3, "more or fewer"),
        (&[0, 3], &[0, 1], 3, "more or fewer"),
        (&[0, 3], &[0, 2, 1], 3, "do not ascend"),
        (&[0, 3], &[0, 1, 1], 3, "twice"),
        (&[0, 3], &[0, 1, u32::MAX], 3, "beyond its last row"),
    ];
    for (starts, places, values, expected) in cases {
        let said = made(3, starts, places, &vec![1.0; values]).unwrap_err();
        assert!(said.starts_with("the sparse matrix is malformed: "), "{said}");
        assert!(said.contains(expected), "{starts:?} {places:?}: {said}");
    }
}
