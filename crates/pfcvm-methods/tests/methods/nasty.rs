//! Every method of the list on data that break careless code: it gives finite numbers, or says in
//! a sentence why not.

use pfcvm::{Dataset, Matrix};
use pfcvm_methods::{Error, Prediction, Refusal, Spec, Takes, catalogue};

/// A cheap spread of numbers in [-1, 1).
fn spread(row: usize, col: usize) -> f64 {
    let at = (row as f64 + 1.0) * 0.754_877_666 + (col as f64 + 1.0) * 0.569_840_291;
    2.0 * (at * (1.0 + (row * 31 + col * 17) as f64 * 0.01)).fract() - 1.0
}

fn alternating(rows: usize) -> Vec<bool> {
    (0..rows).map(|row| row % 2 == 1).collect()
}

/// Informative in the first column.
fn plain(rows: usize, cols: usize) -> Matrix {
    let shift = |row: usize, col: usize| if col == 0 { (row % 2) as f64 } else { 0.0 };
    Matrix::from_fn(rows, cols, |row, col| spread(row, col) + shift(row, col))
}

fn with_column(x: Matrix, value: impl Fn(usize) -> f64) -> Matrix {
    let column = Matrix::from_fn(x.rows(), 1, |row, _| value(row));
    x.append_columns(&column)
}

fn cases() -> Vec<(&'static str, Dataset)> {
    let with_weights = |weight: fn(usize) -> f64| {
        let data = Dataset::new(plain(30, 3), alternating(30)).unwrap();
        data.with_sample_weights((0..30).map(weight).collect()).unwrap()
    };
    let plain = plain_cases().into_iter();
    let plain = plain.map(|(name, x, positive)| (name, Dataset::new(x, positive).unwrap()));
    plain
        .chain([
            ("a weight of 0", with_weights(|row| f64::from(row != 3))),
            ("weights of 2", with_weights(|row| 1.0 + f64::from(row % 3 == 0))),
            ("weights far apart", with_weights(|row| if row == 3 { 1e9 } else { 1e-9 })),
        ])
        .collect()
}

fn plain_cases() -> Vec<(&'static str, Matrix, Vec<bool>)> {
    let mixed = |row: usize, col: usize| match col {
        0 => spread(row, 0) * 1e150 + (row % 2) as f64 * 1e150,
        1 => spread(row, 1) * 1e-150,
        _ => spread(row, col),
    };
    let one_sample = |rows: usize| Vec::from_iter((0..rows).map(|row| row == 3));
    vec![
        ("constant columns", with_column(with_column(plain(24, 3), |_| 7.0), |_| 0.0), {
            alternating(24)
        }),
        ("constant columns only", Matrix::from_fn(12, 2, |_, col| col as f64), alternating(12)),
        ("duplicated samples", plain(24, 3).select_rows(&[[0; 8], [1; 8], [3; 8]].concat()), {
            (0..24).map(|row| row >= 8).collect()
        }),
        ("one row for both classes", Matrix::from_fn(10, 2, |row, col| (row / 9 + col) as f64), {
            alternating(10)
        }),
        ("duplicated columns", plain(20, 2).append_columns(&plain(20, 2)), alternating(20)),
        ("a class of one sample", plain(15, 3), one_sample(15)),
        ("one class only", plain(10, 2), vec![true; 10]),
        ("two samples", plain(2, 3), vec![false, true]),
        ("two samples, one feature", plain(2, 1), vec![true, false]),
        ("three samples", plain(3, 2), vec![false, true, true]),
        ("many more features than samples", plain(12, 400), alternating(12)),
        ("one feature", plain(30, 1), alternating(30)),
        ("values of 1e±150", Matrix::from_fn(24, 4, mixed), alternating(24)),
        ("values near the largest", Matrix::from_fn(16, 2, |r, c| 1.7e308 * spread(r, c)), {
            alternating(16)
        }),
        (
            "values below the smallest normal",
            Matrix::from_fn(16, 2, |r, c| 1e-310 * spread(r, c)),
            { alternating(16) },
        ),
        ("one outlier", with_column(plain(20, 2), |row| if row == 4 { 1e12 } else { 0.0 }), {
            alternating(20)
        }),
        ("noise on a large constant", with_column(plain(20, 1), |row| 1e9 + spread(row, 5)), {
            alternating(20)
        }),
        ("perfectly apart", Matrix::from_fn(20, 2, |row, col| (row % 2 + col) as f64), {
            alternating(20)
        }),
    ]
}

/// The method by itself, or with a classifier behind it.
fn spec(text: &str) -> Spec {
    spec_of(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn spec_of(text: &str) -> Result<Spec, Error> {
    match text.parse() {
        Err(Error::NothingClassifies { .. }) => format!("{text}+svm").parse(),
        other => other,
    }
}

/// Each method as it comes, and with each other word that one of its settings takes; each algorithm
/// with each kernel.
fn all_specs() -> Vec<Spec> {
    let further = [
        ("kernel", "poly:3"),
        ("truncation", "sigmoid:5"),
        ("class_weights", "1,30"),
        ("gamma", "100"),
        ("ridge", "0"),
        ("clusters", "3"),
        ("sample_rate", "0.001"),
        ("feature_rate", "50"),
        ("shape", "1"),
    ];
    let mut specs = Vec::new();
    for entry in catalogue() {
        specs.push(spec(entry.name));
        let mut turned = Vec::new();
        for setting in entry.settings {
            let words = setting.takes.iter().filter_map(|takes| match takes {
                Takes::Word(word) => Some(*word),
                _ => None,
            });
            let more = further.iter().filter(|(key, value)| {
                *key == setting.key && spec_of(&format!("{}/{key}={value}", entry.name)).is_ok()
            });
            let values = words.chain(more.map(|(_, value)| *value));
            turned.extend(values.filter(|v| *v != setting.default).map(|v| (setting.key, v)));
        }
        for (key, value) in &turned {
            specs.push(spec(&format!("{}/{key}={value}", entry.name)));
        }
        let of = |key: &'static str| turned.iter().filter(move |turn| turn.0 == key);
        for (_, algorithm) in of("algorithm") {
            for (_, kernel) in of("kernel") {
                specs.push(spec(&format!("{}/algorithm={algorithm}/kernel={kernel}", entry.name)));
            }
        }
    }
    specs
}

fn sound(prediction: &Prediction, rows: usize, what: &str) {
    assert_eq!(prediction.decision.len(), rows, "{what}");
    for decision in &prediction.decision {
        assert!(decision.is_finite(), "{what}: decision {decision}");
    }
    for probability in prediction.probability.iter().flatten() {
        assert!((0.0..=1.0).contains(probability), "{what}: probability {probability}");
    }
}

fn fit_and_predict(spec: &Spec, x: &Matrix, data: &Dataset) -> Result<[Prediction; 2], Refusal> {
    let fitted = spec.build()?.fit(data)?;
    let cols = x.cols();
    for feature in fitted.selected_features().iter().flatten() {
        assert!(*feature < cols);
    }
    for sample in fitted.selected_samples().iter().flatten() {
        assert!(*sample < data.len());
    }
    // Rows that are nothing like those trained on.
    let far = Matrix::from_fn(3, cols, |row, _| [0.0, -1e300, 1e300][row]);
    Ok([fitted.predict(x)?, fitted.predict(&far)?])
}

#[test]
fn every_method_gives_finite_numbers_or_a_sentence() {
    for spec in all_specs() {
        for (name, data) in cases() {
            let what = format!("{spec} on {name}");
            let x = data.x();
            match fit_and_predict(&spec, x, &data) {
                Ok([seen, far]) => {
                    sound(&seen, x.rows(), &what);
                    sound(&far, 3, &what);
                }
                Err(refusal) => {
                    let sentence = refusal.to_string();
                    assert!(sentence.split(' ').count() >= 4, "{what}: `{sentence}`");
                }
            }
        }
    }
}

#[test]
fn the_same_data_give_the_same_bits() {
    let x = plain(30, 5);
    let data = Dataset::new(x.clone(), alternating(30)).unwrap();
    for entry in catalogue() {
        let spec = spec(entry.name);
        let twice = [0, 1].map(|_| fit_and_predict(&spec, &x, &data).unwrap());
        assert_eq!(twice[0], twice[1], "{}", entry.name);
    }
}

#[test]
fn another_number_of_columns_is_refused() {
    let data = Dataset::new(plain(30, 5), alternating(30)).unwrap();
    for entry in catalogue() {
        let fitted = spec(entry.name).build().unwrap().fit(&data).unwrap();
        let sentence = fitted.predict(&plain(4, 3)).unwrap_err().to_string();
        assert!(sentence.contains('3'), "{}: {sentence}", entry.name);
    }
}
