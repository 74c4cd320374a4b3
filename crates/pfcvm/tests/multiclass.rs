//! Several machines together: what two classes give, permutations, threads, weights, refusals.

mod common;
#[path = "multiclass/form.rs"]
mod form;
#[path = "multiclass/joint.rs"]
mod joint;
#[path = "multiclass/panels.rs"]
mod panels;
#[path = "multiclass/short.rs"]
mod short;

use pfcvm::multiclass::{self, Machines, Scheme};
use pfcvm::panel::{Panel, PanelSettings, fit_panel};
use pfcvm::settings::CertaintyPolicy;
use pfcvm::{ClassWeights, Dataset, Error, Goal, Kernel, Matrix, Model, Settings, Stop, fit};

const SCHEMES: [Scheme; 3] = [Scheme::OneVsOne, Scheme::OneVsRest, Scheme::Joint];

/// Points of a sequence that fills the cube evenly, shifted by class in the first features.
fn rows(count: usize, features: usize, classes: usize) -> (Matrix, Vec<usize>) {
    let x = Matrix::from_fn(count, features, |i, k| {
        let step = 1.0 / 1.324_717_957_244_746f64.powi(k as i32 + 1);
        let shift = if k < classes && i % classes == k { 0.45 } else { 0.0 };
        ((i + 1) as f64 * step).fract() + shift
    });
    (x, (0..count).map(|i| i % classes).collect())
}

fn names(classes: usize) -> Vec<String> {
    (0..classes).map(|class| format!("class {class}")).collect()
}

fn data(count: usize, features: usize, classes: usize) -> multiclass::Dataset {
    let (x, codes) = rows(count, features, classes);
    multiclass::Dataset::new(x, codes, names(classes)).unwrap()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn two_classes_give_exactly_what_one_machine_gives() {
    let data = data(80, 6, 2);
    let two = Dataset::new(data.x().clone(), data.codes().iter().map(|code| *code == 1).collect());
    let two = two.unwrap();
    let new = rows(50, 6, 2).0;
    for kernel in [Kernel::Rbf, Kernel::Linear] {
        let settings = Settings::new(kernel);
        let alone = fit(&two, &settings).unwrap().model;
        let said = alone.predict(&new).unwrap();
        for scheme in SCHEMES {
            let several = multiclass::fit(&data, scheme, &settings).unwrap();
            assert!(several.machines()[0].model == alone);
            let together = several.predict(&new).unwrap();
            assert_eq!(bits(together.probability.column(1)), bits(&said.probability));
            assert_eq!(bits(together.decision.column(0)), bits(&said.decision));
            let variance = together.variance.unwrap();
            assert_eq!(bits(variance.column(0)), bits(&said.variance));
            let positive: Vec<bool> = together.class.iter().map(|class| *class == 1).collect();
            assert_eq!(positive, said.positive());
        }
    }
    let settings = PanelSettings { size: 3, members: 6, ..PanelSettings::default() };
    let alone = fit_panel(&two, &settings).unwrap().predict(&new).unwrap();
    let together = multiclass::fit_panel(&data, Scheme::OneVsRest, &settings).unwrap();
    let together = together.predict(&new).unwrap();
    assert_eq!(bits(together.probability.column(1)), bits(&alone.probability));
}

#[test]
fn probabilities_sum_to_one_and_permute_with_the_classes() {
    let (x, codes) = rows(120, 5, 3);
    let (new, truth) = rows(90, 5, 3);
    let to = [2, 0, 1];
    let moved: Vec<usize> = codes.iter().map(|code| to[*code]).collect();
    for scheme in SCHEMES {
        let predict = |codes: &[usize]| {
            let data = multiclass::Dataset::new(x.clone(), codes.to_vec(), names(3)).unwrap();
            // Folds are drawn, and a draw has no symmetries.
            let certainty = CertaintyPolicy::Off;
            let settings = Settings { certainty, ..Settings::new(Kernel::Rbf) };
            multiclass::fit(&data, scheme, &settings).unwrap().predict(&new).unwrap()
        };
        let (first, second) = (predict(&codes), predict(&moved));
        let right = first.class.iter().zip(&truth).filter(|(a, b)| a == b).count();
        assert!(right > 60, "{scheme}: {right} of 90");
        for row in 0..90 {
            let p = first.row(row);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
            for class in 0..3 {
                // The fit stops where the evidence moves by less than 1e-4: a problem with its
                // sides swapped is the same but for the order of its sums.
                let off = (p[class] - second.probability.get(row, to[class])).abs();
                assert!(off < 1e-6, "{scheme}: {off:e}");
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let data = data(150, 8, 4);
    for scheme in SCHEMES {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let fitted = multiclass::fit(&data, scheme, &Settings::new(Kernel::Rbf)).unwrap();
                let said = fitted.predict(data.x()).unwrap();
                (fitted.into_models(), bits(said.probability.as_slice()))
            })
        };
        let one = run(1);
        for threads in [2, 3] {
            let other = run(threads);
            assert!(one.0 == other.0 && one.1 == other.1, "{scheme}, {threads} threads");
        }
    }
}

#[test]
fn samples_and_features_count_in_all_data() {
    let data = data(90, 5, 3);
    let fitted = multiclass::fit(&data, Scheme::OneVsOne, &Settings::new(Kernel::Rbf)).unwrap();
    for (task, machine) in fitted.tasks().iter().zip(fitted.machines()) {
        let model = &machine.model;
        assert!(!model.selected_samples().is_empty());
        for (row, positive) in model.selected_samples().iter().zip(model.sample_positive()) {
            let class = if positive { task.positive } else { task.negative.unwrap() };
            assert_eq!(data.codes()[*row], class);
        }
        assert_eq!(machine.sample_dropped.len(), 90);
        let kept: Vec<usize> =
            (0..90).filter(|row| machine.sample_dropped[*row].is_none()).collect();
        let mut samples = model.selected_samples().to_vec();
        samples.sort_unstable();
        assert_eq!(kept, samples);
    }
    let fitted = fitted.into_models();
    let features = fitted.feature_shares();
    assert!((features.iter().map(|kept| kept.share).sum::<f64>() - 1.0).abs() < 1e-12);
    let mut needed: Vec<usize> = features.iter().map(|kept| kept.index).collect();
    needed.sort_unstable();
    assert_eq!(needed, fitted.selected_features());
}

#[test]
fn weights_of_samples_and_classes_are_carried() {
    let data = data(90, 4, 3);
    let settings = Settings::new(Kernel::Linear);
    let models = |data: &multiclass::Dataset, settings: &Settings| {
        multiclass::fit(data, Scheme::OneVsOne, settings).unwrap().into_models()
    };
    let factors = [1.0, 2.0, 5.0];
    let by_class = data.clone().with_class_factors(&factors).unwrap();
    let weights = data.codes().iter().map(|code| factors[*code]).collect();
    let by_sample = data.clone().with_sample_weights(weights).unwrap();
    assert!(models(&by_class, &settings) == models(&by_sample, &settings));
    assert!(models(&by_class, &settings) != models(&data, &settings));
    // Balanced machines of classes of the same size are as they were.
    let balanced = Settings { class_weights: ClassWeights::Balanced, ..settings.clone() };
    assert!(models(&data, &balanced) == models(&data, &settings));
    assert!(models(&by_class, &balanced) != models(&by_class, &settings));
    // Two factors cannot be meant for three classes.
    let given = ClassWeights::Given { negative: 1.0, positive: 2.0 };
    let given = Settings { class_weights: given, ..settings };
    let error = multiclass::fit(&data, Scheme::OneVsOne, &given).unwrap_err();
    assert_eq!(error.to_string(), "class weights: 2 given, 3 needed");
    assert!(data.clone().with_class_factors(&[1.0, 0.0, 1.0]).is_err());
    assert!(data.clone().with_class_factors(&[1.0]).is_err());
    assert!(data.with_sample_weights(vec![f64::NAN; 90]).is_err());
}

#[test]
fn compact_machines_and_stored_ones_say_the_same() {
    let data = data(120, 9, 3);
    let new = rows(40, 9, 3).0;
    let models = multiclass::fit(&data, Scheme::OneVsOne, &Settings::new(Kernel::Rbf))
        .unwrap()
        .into_models();
    let expected = models.predict(&new).unwrap();
    let narrow = new.select_columns(&models.selected_features());
    assert!(narrow.cols() < 9, "something should be left out");
    assert_eq!(models.compact().predict(&narrow).unwrap(), expected);
    let text = serde_json::to_string(&models).unwrap();
    let back: Machines<Model> = serde_json::from_str(&text).unwrap();
    assert!(back == models && back.predict(&new).unwrap() == expected);
    assert!(
        serde_json::from_str::<Machines<Model>>(&text.replace("\"classes\":3", "\"classes\":4"))
            .is_err()
    );

    let settings = PanelSettings { size: 4, members: 6, ..PanelSettings::default() };
    let panels = multiclass::fit_panel(&data, Scheme::OneVsRest, &settings).unwrap();
    let expected = panels.predict(&new).unwrap();
    let narrow = new.select_columns(&panels.selected_features());
    assert_eq!(panels.compact().predict(&narrow).unwrap(), expected);
    let text = serde_json::to_string(&panels).unwrap();
    let back: Machines<Panel> = serde_json::from_str(&text).unwrap();
    assert_eq!(back.predict(&new).unwrap(), expected);
}

fn refused(x: Matrix, codes: Vec<usize>, classes: usize, scheme: Scheme) -> String {
    let data = match multiclass::Dataset::new(x, codes, names(classes)) {
        Ok(data) => data,
        Err(error) => return error.to_string(),
    };
    multiclass::fit(&data, scheme, &Settings::new(Kernel::Rbf)).unwrap_err().to_string()
}

#[test]
fn refusals_name_the_classes() {
    let (x, codes) = rows(30, 3, 3);
    for scheme in SCHEMES {
        // One sample of a class.
        let mut few = codes.clone();
        few.iter_mut().enumerate().for_each(|(row, code)| {
            if *code == 2 && row > 2 {
                *code = 1;
            }
        });
        let expected = match scheme {
            Scheme::OneVsOne => Some("`class 2` against `class 0`: 1 positive and 10 negative"),
            Scheme::OneVsRest => Some("`class 2` against all others: 1 positive and 29 negative"),
            // Beside other classes one of a single sample can be learned.
            Scheme::Joint => None,
        };
        if let Some(expected) = expected {
            let message = refused(x.clone(), few, 3, scheme);
            assert!(message.starts_with(expected), "{message}");
        }
        // None.
        let none = codes.iter().map(|code| code % 2).collect();
        let message = refused(x.clone(), none, 3, scheme);
        assert!(message.contains("`class 2` has no samples"), "{message}");
        // Nothing that varies.
        let message = refused(Matrix::zeros(30, 2), codes.clone(), 3, scheme);
        assert_eq!(message.contains("against"), scheme != Scheme::Joint, "{message}");
        assert!(message.contains("none of the 2 columns"), "{message}");
    }
    // A feature that is constant in one pair only.
    let flat = Matrix::from_fn(30, 1, |i, _| if i % 3 == 2 { i as f64 } else { 1.0 });
    let message = refused(flat, codes.clone(), 3, Scheme::OneVsOne);
    assert!(message.starts_with("`class 1` against `class 0`: none of the 1"), "{message}");

    let check = |x: Matrix, codes: Vec<usize>, names: Vec<String>| {
        multiclass::Dataset::new(x, codes, names).unwrap_err()
    };
    assert!(matches!(check(x.clone(), vec![0; 30], names(1)), Error::FewClasses { classes: 1 }));
    let error = check(x.clone(), vec![3; 30], names(3));
    assert!(matches!(error, Error::UnknownClass { row: 0, code: 3, classes: 3 }));
    let error = check(x.clone(), codes.clone(), vec!["a".into(), "b".into(), "a".into()]);
    assert_eq!(error.to_string(), "two classes are called `a`; give each a name of its own");
    assert!(matches!(check(x.clone(), vec![0; 4], names(3)), Error::Length { .. }));
    assert!(matches!(check(Matrix::zeros(0, 3), vec![], names(3)), Error::Empty { .. }));
    let mut bad = x;
    bad.set(4, 1, f64::INFINITY);
    assert!(matches!(check(bad, codes, names(3)), Error::NotFinite { row: 4, col: 1, .. }));
}

/// Rows in errors count in all data, not in those of a pair.
#[test]
fn a_value_too_large_is_found() {
    let (mut x, codes) = rows(30, 3, 3);
    x.set(17, 1, 1e9);
    let data = multiclass::Dataset::new(x, codes, names(3)).unwrap();
    let settings = Settings { standardise: false, ..Settings::new(Kernel::Rbf) };
    let error = multiclass::fit(&data, Scheme::OneVsOne, &settings).unwrap_err();
    assert!(error.to_string().contains("row 17, column 1"), "{error}");
}

#[test]
fn nasty_values_give_finite_probabilities() {
    let (plain, codes) = rows(60, 4, 3);
    let make = |scale: f64| {
        Matrix::from_fn(60, 7, |i, k| match k {
            0..4 => plain.get(i, k) * scale,
            4 => plain.get(i, 0) * scale, // a copy
            5 => 7.0,                     // constant
            _ => f64::from(u8::from(i == 0)) * scale,
        })
    };
    for scale in [1e-150, 1.0, 1e150] {
        let x = make(scale);
        let data = multiclass::Dataset::new(x.clone(), codes.clone(), names(3)).unwrap();
        for scheme in SCHEMES {
            let kernels = [Kernel::Rbf, Kernel::Linear].into_iter();
            for (kernel, goal) in kernels.flat_map(|k| [(k, Goal::List), (k, Goal::Accuracy)]) {
                let settings = Settings { goal, ..Settings::new(kernel) };
                let fitted = multiclass::fit(&data, scheme, &settings).unwrap();
                // Far away, too.
                for x in [x.clone(), Matrix::from_fn(3, 7, |i, _| [-1e300, 0.0, 1e300][i])] {
                    let said = fitted.predict(&x).unwrap();
                    for row in 0..x.rows() {
                        let p = said.row(row);
                        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p:?}");
                        assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "{p:?}");
                    }
                }
            }
        }
    }
    // No classes to tell apart, only noise.
    let noise: Vec<usize> = (0..60).map(|row| (row * row + row / 7) % 3).collect();
    let data = multiclass::Dataset::new(plain, noise, names(3)).unwrap();
    let fitted = multiclass::fit(&data, Scheme::OneVsRest, &Settings::new(Kernel::Rbf)).unwrap();
    assert!(fitted.predict(data.x()).is_ok());
    assert!(fitted.predict(&Matrix::zeros(2, 3)).is_err());
}

/// One list for all classes is too short for genes: they are told apart class by class, and say so.
#[test]
fn more_features_than_samples_are_taken_class_by_class_in_the_linear_kernel() {
    let settings = |kernel| Settings { certainty: CertaintyPolicy::Off, ..Settings::new(kernel) };
    let scheme = |features: usize, kernel| {
        let data = data(45, features, 3);
        multiclass::fit(&data, Scheme::Joint, &settings(kernel)).unwrap().scheme()
    };
    assert_eq!(scheme(60, Kernel::Linear), Scheme::OneVsRest);
    assert_eq!(scheme(6, Kernel::Linear), Scheme::Joint);
    assert_eq!(scheme(60, Kernel::Rbf), Scheme::Joint);
}

/// One flag for all machines, on whatever threads they are; a row is predicted alone as among others.
#[test]
fn machines_end_together_and_say_the_same_of_a_row_alone() {
    let (data, new) = (data(60, 6, 3), rows(20, 6, 3).0);
    for scheme in SCHEMES {
        let with = |stop: &Stop| {
            let settings = Settings { stop: Some(stop.clone()), ..Settings::new(Kernel::Rbf) };
            multiclass::fit(&data, scheme, &settings)
        };
        let whole = Stop::default();
        let fitted = with(&whole).unwrap();
        let all = whole.looks();
        for look in [1, all / 3, all / 2] {
            let said = with(&Stop::at_look(look)).expect_err("it was to be stopped").to_string();
            assert!(said.ends_with(&Error::Stopped.to_string()), "{scheme:?} at {look}: {said}");
        }
        let among = fitted.predict(&new).unwrap();
        for row in 0..new.rows() {
            let alone = fitted.predict(&new.row_range(row, row + 1)).unwrap();
            for class in 0..3 {
                let (a, b) = (alone.probability.get(0, class), among.probability.get(row, class));
                assert_eq!(a.to_bits(), b.to_bits(), "{scheme:?}, row {row}: {a} {b}");
            }
        }
    }
}
