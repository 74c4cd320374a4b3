//! Words, gaps and groups of columns: what a table holds, without anyone turning it into numbers.

use pfcvm::data::{Columns, Kind, Scaler};
use pfcvm::effects::Place;
use pfcvm::multiclass;
use pfcvm::panel::{PanelSettings, fit_panel};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{Dataset, Error, Kernel, Matrix, SamplePolicy, Settings, fit};

const GAP: f64 = f64::NAN;

/// A number in 0..1 that looks drawn.
fn drawn(i: usize, k: usize) -> f64 {
    let v = ((i * 7919 + k * 104_729 + 17) as f64 * 0.618_033_988_75).fract() * 9_301.0;
    (v.sin() * 43_758.545_3).fract().abs()
}

fn words(levels: usize, i: usize, k: usize) -> f64 {
    (drawn(i, k) * levels as f64).floor()
}

fn table(rows: usize, kinds: &[Kind], positive: impl Fn(&[f64], usize) -> bool) -> Dataset {
    let x = Matrix::from_fn(rows, kinds.len(), |i, k| match kinds[k] {
        Kind::Number => 4.0 * drawn(i, k) - 2.0,
        Kind::Words { levels } => words(levels, i, k),
    });
    let row = |i: usize| (0..kinds.len()).map(|k| x.get(i, k)).collect::<Vec<f64>>();
    let positive = (0..rows).map(|i| positive(&row(i), i)).collect();
    Dataset::new(x, positive).unwrap().with_columns(Columns::new(kinds.to_vec())).unwrap()
}

fn settings(kernel: Kernel) -> Settings {
    Settings { certainty: CertaintyPolicy::Off, ..Settings::new(kernel) }
}

const MIXED: [Kind; 5] = [
    Kind::Words { levels: 4 },
    Kind::Number,
    Kind::Words { levels: 12 },
    Kind::Number,
    Kind::Words { levels: 2 },
];

/// The first column decides, in a way that the order of its codes does not show.
fn by_word(row: &[f64], i: usize) -> bool {
    (row[0] == 0.0 || row[0] == 2.0) != (drawn(i, 77) < 0.1)
}

#[test]
fn a_column_of_words_is_one_feature() {
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
        let data = table(240, &MIXED, by_word);
        let fitted = fit(&data, &settings(kernel)).unwrap();
        let kept = fitted.model.selected_features();
        assert!(kept.contains(&0), "{kernel:?} keeps {kept:?}");
        assert_eq!(fitted.feature_dropped.len(), 5);
        let said = fitted.model.predict(data.x()).unwrap();
        let right = said.positive().iter().zip(data.positive()).filter(|(a, b)| a == b).count();
        assert!(right > 200, "{kernel:?} has {right} of 240");
    }
}

/// How words are numbered does not matter: it moves no more than the order of the columns they
/// unfold into.
#[test]
fn the_order_of_words_does_not_matter() {
    // So few that all are candidates from the start: which of more begin depends on the order of rows.
    let data = table(98, &MIXED, by_word);
    let renamed = |x: &Matrix| {
        Matrix::from_fn(x.rows(), x.cols(), |i, k| match k {
            0 => [2.0, 0.0, 3.0, 1.0][x.get(i, 0) as usize],
            k => x.get(i, k),
        })
    };
    let other = Dataset::new(renamed(data.x()), data.positive().to_vec()).unwrap();
    let other = other.with_columns(data.columns().clone()).unwrap();
    // All samples, so that ties between them cannot be broken another way.
    let settings = Settings { samples: SamplePolicy::Dense, ..settings(Kernel::Rbf) };
    let (a, b) = (fit(&data, &settings).unwrap().model, fit(&other, &settings).unwrap().model);
    assert_eq!(a.selected_features(), b.selected_features());
    let p = a.predict(data.x()).unwrap().probability;
    let q = b.predict(other.x()).unwrap().probability;
    for (p, q) in p.iter().zip(&q) {
        assert!((p - q).abs() < 1e-6, "{p} {q}");
    }
}

/// Two words are a number of two values.
#[test]
fn two_words_are_zero_and_one() {
    let kinds = [Kind::Words { levels: 2 }, Kind::Number];
    let data = table(120, &kinds, |row, i| row[0] + 0.3 * row[1] > 0.4 + 0.3 * drawn(i, 9));
    let plain = Dataset::new(data.x().clone(), data.positive().to_vec()).unwrap();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let said = |data: &Dataset| {
            fit(data, &settings(kernel)).unwrap().model.predict(data.x()).unwrap().probability
        };
        for (a, b) in said(&data).iter().zip(said(&plain)) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}

/// What a feature weighs in distances does not depend on how many columns it is made of.
#[test]
fn every_feature_has_variance_one() {
    let kinds = [Kind::Words { levels: 30 }, Kind::Number, Kind::Number, Kind::Number];
    let data = table(300, &kinds, |_, i| i % 2 == 0);
    let mut x = data.x().clone();
    (0..300).step_by(3).for_each(|i| x.set(i, 1, GAP));
    let columns = Columns::new(kinds.to_vec()).grouped(&[0, 1, 2, 2]).unwrap();
    let data = Dataset::new(x, data.positive().to_vec()).unwrap().with_columns(columns).unwrap();
    let scaler = Scaler::fit(&data, true).unwrap();
    let scaled = scaler.apply(data.x());
    assert_eq!(scaler.features(), [0, 1, 2]);
    let mut variances = [0.0; 3];
    for (column, &feature) in scaled.columns().zip(scaler.owners()) {
        let mean = column.iter().sum::<f64>() / 300.0;
        variances[feature] += column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 300.0;
    }
    for variance in variances {
        assert!((variance - 1.0).abs() < 1e-9, "{variances:?}");
    }
}

#[test]
fn rare_words_are_taken_together_and_unseen_ones_are_gaps() {
    // Word 0 in 40 rows, 1 in 40, 2 and 3 in two each, 4 never, 6 gaps.
    let codes: Vec<f64> = (0..90)
        .map(|i| match i {
            0..40 => 0.0,
            40..80 => 1.0,
            80..82 => 2.0,
            82..84 => 3.0,
            _ => GAP,
        })
        .collect();
    let x = Matrix::from_column_major(90, 1, codes);
    let positive = (0..90).map(|i| i % 2 == 0).collect();
    let columns = Columns::new(vec![Kind::Words { levels: 5 }]);
    let data = Dataset::new(x, positive).unwrap().with_columns(columns).unwrap();
    let scaler = Scaler::fit(&data, true).unwrap();
    assert_eq!(scaler.owners(), [0; 4]); // 0, 1, the rare ones, gaps
    let row = |code: f64| scaler.apply(&Matrix::from_rows(&[vec![code]])).as_slice().to_vec();
    assert_eq!(row(2.0), row(3.0));
    assert_ne!(row(2.0), row(GAP));
    assert_eq!(row(4.0), row(GAP));
    assert_ne!(row(0.0), row(1.0));
}

/// A gap says something where the classes differ in them, and nothing where they do not.
#[test]
fn gaps_that_tell_are_found() {
    let telling = |tells: bool| {
        let kinds = [Kind::Number; 4];
        let data = table(300, &kinds, |_, i| i % 2 == 0);
        let mut x = data.x().clone();
        for i in 0..300 {
            let likely = if tells && data.positive()[i] { 0.6 } else { 0.2 };
            if drawn(i, 50) < likely {
                x.set(i, 1, GAP);
            }
        }
        Dataset::new(x, data.positive().to_vec()).unwrap()
    };
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let found = fit(&telling(true), &Settings::new(kernel)).unwrap().model;
        assert!(found.selected_features().contains(&1), "{:?}", found.selected_features());
        let none = fit(&telling(false), &Settings::new(kernel)).unwrap().model;
        assert!(none.certainty().unwrap().nothing_found, "{:?}", none.selected_features());
    }
}

/// A gap in a feature that is not kept changes nothing; in one that is, it is filled.
#[test]
fn rows_with_gaps_are_predicted() {
    let data = table(200, &[Kind::Number; 3], |row, _| row[0] > 0.0);
    let model = fit(&data, &settings(Kernel::Rbf)).unwrap().model;
    assert_eq!(model.selected_features(), [0]);
    let rows = Matrix::from_rows(&[vec![1.0, 0.0, 0.0], vec![1.0, GAP, GAP], vec![GAP, 0.0, 0.0]]);
    let said = model.predict(&rows).unwrap();
    assert_eq!(said.probability[0].to_bits(), said.probability[1].to_bits());
    let centre = model.scaler().centre()[0];
    let filled = model.predict(&Matrix::from_rows(&[vec![centre, 0.0, 0.0]])).unwrap();
    assert_eq!(said.probability[2].to_bits(), filled.probability[0].to_bits());
}

#[test]
fn a_group_shares_one_weight_and_is_selected_whole() {
    let data = table(300, &[Kind::Number; 6], |row, _| row[1] + row[4] > 0.2);
    let columns = Columns::numbers(6).grouped(&[0, 1, 2, 0, 1, 2]).unwrap();
    let data = data.with_columns(columns).unwrap();
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let model = fit(&data, &settings(kernel)).unwrap().model;
        assert!(model.selected_features().contains(&1));
        assert_eq!(model.feature_weights().len(), model.selected_features().len());
        let needed = model.needed_columns();
        assert!(needed.contains(&1) && needed.contains(&4));
        assert_eq!(needed.len(), 2 * model.selected_features().len());
        let narrow = model.compact().predict(&data.x().select_columns(&needed)).unwrap();
        assert_eq!(narrow, model.predict(data.x()).unwrap());
    }
}

/// Twins in a group weigh what one of them weighs alone.
#[test]
fn a_group_of_copies_is_the_column_itself() {
    let data = table(150, &[Kind::Number; 3], |row, i| row[0] - row[1] > 0.5 * drawn(i, 5));
    let double = Matrix::from_fn(150, 4, |i, k| data.x().get(i, [0, 1, 2, 0][k]));
    let columns = Columns::numbers(4).grouped(&[0, 1, 2, 0]).unwrap();
    let grouped = Dataset::new(double.clone(), data.positive().to_vec()).unwrap();
    let grouped = grouped.with_columns(columns).unwrap();
    let settings = Settings { samples: SamplePolicy::Dense, ..settings(Kernel::Rbf) };
    let (a, b) = (fit(&data, &settings).unwrap().model, fit(&grouped, &settings).unwrap().model);
    assert_eq!(a.selected_features(), b.selected_features());
    let (p, q) = (a.predict(data.x()).unwrap(), b.predict(&double).unwrap());
    for (p, q) in p.probability.iter().zip(&q.probability) {
        assert!((p - q).abs() < 1e-6, "{p} {q}");
    }
}

#[test]
fn panels_take_words_gaps_and_groups() {
    let mut kinds = vec![Kind::Number; 30];
    kinds[3] = Kind::Words { levels: 5 };
    let data = table(80, &kinds, |row, i| (row[3] < 2.0) != (drawn(i, 99) < 0.05));
    let mut x = data.x().clone();
    (0..80).step_by(4).for_each(|i| x.set(i, 7, GAP));
    let data = Dataset::new(x, data.positive().to_vec()).unwrap();
    let feature_of: Vec<usize> = (0..30).map(|k| k - usize::from(k == 29) * 29).collect();
    let columns = Columns::new(kinds).grouped(&feature_of).unwrap();
    let data = data.with_columns(columns).unwrap();
    let settings = PanelSettings { size: 5, members: 10, ..PanelSettings::default() };
    let panel = fit_panel(&data, &settings).unwrap();
    assert_eq!(panel.selected_features()[0], 3);
    let all = panel.predict(data.x()).unwrap();
    let needed = data.x().select_columns(&panel.needed_columns());
    assert_eq!(panel.compact().predict(&needed).unwrap(), all);
    let text = serde_json::to_string(&panel).unwrap();
    let back: pfcvm::panel::Panel = serde_json::from_str(&text).unwrap();
    assert_eq!(back.predict(data.x()).unwrap(), all);
}

#[test]
fn several_classes_take_them_too() {
    let two = table(150, &MIXED, |_, _| true);
    let codes: Vec<usize> = (0..150).map(|i| (two.x().get(i, 0) as usize).min(2)).collect();
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let mut x = two.x().clone();
    (0..150).step_by(10).for_each(|i| x.set(i, 1, GAP));
    let data = multiclass::Dataset::new(x, codes.clone(), names).unwrap();
    let data = data.with_columns(two.columns().clone()).unwrap();
    let fitted = multiclass::fit(&data, multiclass::Scheme::OneVsOne, &settings(Kernel::Rbf));
    let fitted = fitted.unwrap().into_models();
    assert_eq!(fitted.selected_features(), [0]);
    assert_eq!(fitted.predict(data.x()).unwrap().class, codes);
}

/// Stored and read back, a model says the same, gaps and words included.
#[test]
fn models_with_words_and_gaps_are_stored() {
    let mut data = table(160, &MIXED, by_word);
    let mut x = data.x().clone();
    (0..160).step_by(5).for_each(|i| x.set(i, 0, GAP));
    data = Dataset::new(x, data.positive().to_vec()).unwrap();
    data = data.with_columns(Columns::new(MIXED.to_vec())).unwrap();
    let model = fit(&data, &Settings::new(Kernel::Rbf)).unwrap().model;
    let back: pfcvm::Model = serde_json::from_str(&serde_json::to_string(&model).unwrap()).unwrap();
    assert_eq!(back.predict(data.x()).unwrap(), model.predict(data.x()).unwrap());
    assert_eq!(back, model);
}

#[test]
fn the_order_of_rows_and_copies_of_them_do_not_matter() {
    let data = table(120, &MIXED, by_word);
    let mut x = data.x().clone();
    (0..120).step_by(7).for_each(|i| x.set(i, 2, if i % 2 == 0 { GAP } else { -GAP }));
    let with = |rows: &[usize], weights: Vec<f64>| {
        let positive = rows.iter().map(|&i| data.positive()[i]).collect();
        let data = Dataset::new(x.select_rows(rows), positive).unwrap();
        let data = data.with_columns(Columns::new(MIXED.to_vec())).unwrap();
        let data = data.with_sample_weights(weights).unwrap();
        fit(&data, &Settings::new(Kernel::Rbf)).unwrap().model.predict(&x).unwrap()
    };
    let forwards: Vec<usize> = (0..120).collect();
    let mut twice: Vec<usize> = (0..120).rev().collect();
    twice.push(0);
    let mut weights = vec![1.0; 120];
    weights[0] = 2.0;
    assert_eq!(with(&forwards, weights), with(&twice, vec![1.0; 121]));
}

#[test]
fn a_table_without_a_value_is_refused() {
    let x = Matrix::from_fn(6, 2, |_, k| if k == 0 { GAP } else { 3.0 });
    let data = Dataset::new(x, vec![true, false, true, false, true, false]).unwrap();
    let error = fit(&data, &Settings::new(Kernel::Rbf)).unwrap_err();
    assert_eq!(error, Error::NoVaryingFeature { cols: 2 });
    let infinite = Matrix::from_rows(&[vec![f64::INFINITY], vec![0.0]]);
    let error = Dataset::new(infinite, vec![true, false]).unwrap_err();
    assert!(matches!(error, Error::NotFinite { row: 0, col: 0, .. }));
}

/// Where training rows have no gaps, a gap or an unknown word stands among the rare words, or in the middle of all
/// rows: never far from every row that was learned from.
#[test]
fn what_was_never_seen_is_not_far_from_everything() {
    let scaler = |counts: &[usize]| {
        let codes: Vec<f64> =
            counts.iter().enumerate().flat_map(|(word, n)| vec![word as f64; *n]).collect();
        let rows = codes.len();
        let columns = Columns::new(vec![Kind::Words { levels: counts.len() }]);
        let positive = (0..rows).map(|i| i % 2 == 0).collect();
        let x = Matrix::from_column_major(rows, 1, codes);
        Scaler::fit(&Dataset::new(x, positive).unwrap().with_columns(columns).unwrap(), true)
            .unwrap()
    };
    let row = |scaler: &Scaler, code: f64| {
        scaler.apply(&Matrix::from_rows(&[vec![code]])).as_slice().to_vec()
    };
    // A few frequent words, many rare ones, one that never occurs.
    let rare = scaler(&[8, 7, 4, 4, 4, 4, 4, 4, 0]);
    assert_eq!(row(&rare, GAP), row(&rare, 3.0));
    assert_eq!(row(&rare, 8.0), row(&rare, 3.0));
    // No rare words: the middle, for two words and for more.
    for counts in [&[90, 10, 0][..], &[90, 6, 6, 0]] {
        let scaler = scaler(counts);
        let never = counts.len() as f64 - 1.0;
        assert!(row(&scaler, GAP).iter().all(|value| *value == 0.0));
        assert_eq!(row(&scaler, never), row(&scaler, GAP));
        assert_ne!(row(&scaler, 0.0), row(&scaler, GAP));
    }
}

/// A number whose logarithm decides, beside two of noise; mirrored, its long tail is the lower one.
fn long_tail(rows: usize, sign: f64) -> Dataset {
    let x = Matrix::from_fn(rows, 3, |i, k| match k {
        0 => sign * (6.0 * drawn(i, 0)).exp(),
        _ => drawn(i, k),
    });
    let decides = |i: usize| (6.0 * drawn(i, 0) - 3.0).abs() < 1.0;
    Dataset::new(x, (0..rows).map(decides).collect()).unwrap()
}

#[test]
fn long_tails_do_not_hide_what_happens_below() {
    let (data, fresh) = (long_tail(200, 1.0), long_tail(600, 1.0));
    let model = fit(&data, &settings(Kernel::Rbf)).unwrap().model;
    let right = |model: &pfcvm::Model, data: &Dataset| {
        let said = model.predict(data.x()).unwrap().positive();
        said.iter().zip(data.positive()).filter(|(a, b)| a == b).count()
    };
    assert!(right(&model, &fresh) > 570);
    // A tail is a tail, whichever side it is on.
    let mirrored = fit(&long_tail(200, -1.0), &settings(Kernel::Rbf)).unwrap().model;
    let mirror = long_tail(600, -1.0);
    assert_eq!(right(&mirrored, &mirror), right(&model, &fresh));
    // A gap stands at the centre, and what is shown of the feature is in its own numbers.
    let place =
        |cell: f64| model.scaler().apply(&Matrix::from_rows(&[vec![cell, 0.5, 0.5]])).get(0, 0);
    assert_eq!(place(GAP), 0.0);
    assert!(place(-1e300) < place(1.0) && place(1.0) < place(20.0) && place(20.0) < place(1e300));
    let shown: Vec<f64> = model.effects().columns[0]
        .points
        .iter()
        .filter_map(|point| match point.place {
            Place::Number(cell) => Some(cell),
            _ => None,
        })
        .collect();
    // Two deviations below the mean of the plain numbers would be −133.
    assert!(shown.is_sorted() && shown[0] > -20.0 && shown.last().unwrap() > &100.0, "{shown:?}");
    // A straight boundary speaks of numbers as they are.
    let straight = fit(&data, &settings(Kernel::Linear)).unwrap().model;
    assert!(straight.linear_form().is_some());
    // It survives a file.
    let stored = serde_json::to_string(&model).unwrap();
    assert!(serde_json::from_str::<pfcvm::Model>(&stored).unwrap() == model);
}
