//! Lists of at most so many features, under any kernel and any number of classes.

use super::data;
use crate::common::Random;
use pfcvm::multiclass::{self, Dataset, Scheme};
use pfcvm::settings::{CertaintyPolicy, Goal};
use pfcvm::{Kernel, Matrix, SamplePolicy, Settings};

/// The features that any machine lists.
fn list(data: &Dataset, settings: &Settings) -> Vec<usize> {
    let fitted = multiclass::fit(data, Scheme::Joint, settings).unwrap();
    let lists = fitted.machines().iter().map(|fit| fit.model.selected_features().to_vec());
    let mut all = lists.collect::<Vec<_>>().concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// Of eight features the first five matter, each less than the one before.
fn unequal(classes: usize) -> Dataset {
    let mut random = Random::new(5);
    let rows = random.rows(160, 8);
    let code = |row: &Vec<f64>| {
        let sum: f64 = (0..5).map(|k| row[k] * (2.4 - 0.4 * k as f64)).sum();
        usize::from(sum > 0.8) + usize::from(sum < -0.8 && classes > 2) * 2
    };
    let codes = rows.iter().map(code).collect();
    let names = (0..classes).map(|class| class.to_string()).collect();
    Dataset::new(Matrix::from_rows(&rows), codes, names).unwrap()
}

#[test]
fn no_list_is_longer_than_was_asked_for() {
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
        for (classes, samples) in
            [(2, SamplePolicy::Few), (2, SamplePolicy::Dense), (3, SamplePolicy::Few)]
        {
            let (data, certainty) = (unequal(classes), CertaintyPolicy::Off);
            let settings = Settings { samples, certainty, ..Settings::new(kernel) };
            let all = list(&data, &settings);
            assert!(all.len() > 2, "{kernel} {classes}: {all:?}");
            for size in [1, 2] {
                let short = list(&data, &Settings { size: Some(size), ..settings.clone() });
                assert!((1..=size).contains(&short.len()), "{kernel} {classes}: {short:?}");
                assert!(short.iter().all(|feature| all.contains(feature)), "{short:?} {all:?}");
                // What says nothing is never what is left.
                assert!(short.iter().all(|feature| *feature < 5), "{kernel} {classes}: {short:?}");
            }
        }
    }
}

#[test]
fn a_list_that_is_short_enough_is_left_alone() {
    let data = data(90, 5, 3);
    let plain = Settings::new(Kernel::Rbf);
    let asked = Settings { size: Some(5), ..plain.clone() };
    let fitted = |settings| multiclass::fit(&data, Scheme::Joint, settings).unwrap();
    let (plain, asked) = (fitted(&plain), fitted(&asked));
    for (a, b) in plain.machines().iter().zip(asked.machines()) {
        assert!(a.model == b.model);
    }
}

/// More features than rows, three classes, linear: one list where a short one is asked for.
#[test]
fn a_wide_table_has_one_short_list() {
    let mut random = Random::new(11);
    let mut rows = random.rows(60, 90);
    let codes: Vec<usize> = (0..60).map(|i| i % 3).collect();
    for (row, code) in rows.iter_mut().zip(&codes) {
        (row[0], row[1]) =
            (row[0] + 3.0 * *code as f64, row[1] + if *code == 1 { 3.0 } else { 0.0 });
    }
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let data = Dataset::new(Matrix::from_rows(&rows), codes, names).unwrap();
    let settings = Settings { size: Some(2), ..Settings::new(Kernel::Linear) };
    assert_eq!(list(&data, &settings), [0, 1]);
}

#[test]
fn what_held_out_rows_say_is_of_the_short_list() {
    let settings = Settings { size: Some(2), ..Settings::new(Kernel::Linear) };
    let data = unequal(2);
    let fitted = multiclass::fit(&data, Scheme::Joint, &settings).unwrap();
    let whole = multiclass::fit(&data, Scheme::Joint, &Settings::new(Kernel::Linear)).unwrap();
    let certainty = |fitted: &multiclass::Machines<pfcvm::Fit>| {
        fitted.machines()[0].model.certainty().unwrap().clone()
    };
    let (short, whole) = (certainty(&fitted), certainty(&whole));
    assert_eq!(short.features.len(), 2);
    assert_eq!(short.candidates, whole.candidates);
    assert!(short.log_loss > whole.log_loss, "{} {}", short.log_loss, whole.log_loss);
}

#[test]
fn lengths_that_cannot_be_are_refused() {
    let refused = |settings: Settings| settings.check().unwrap_err().to_string();
    let none = refused(Settings { size: Some(0), ..Settings::default() });
    assert_eq!(none, "size = 0 is out of range: at least 1");
    let both = refused(Settings { size: Some(3), goal: Goal::Accuracy, ..Settings::default() });
    assert!(both.contains("uses all features"), "{both}");
}
