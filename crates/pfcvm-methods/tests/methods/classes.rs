//! Any method for any number of classes.

use pfcvm::multiclass::{Dataset, Machines, Scheme};
use pfcvm::{Matrix, Termination};
use pfcvm_methods::{FittedClasses, Role, Spec, Stop, Stored, catalogue, fit_classes};

/// Clouds along a line that overlap a little; the second feature says nothing.
fn clouds(classes: usize, rows: usize) -> Dataset {
    let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
    let codes = Vec::from_iter((0..rows).map(|i| i % classes));
    let x = Matrix::from_fn(rows, 2, |i, k| {
        1.3 * spread(i, k) + if k == 0 { codes[i] as f64 } else { 0.0 }
    });
    Dataset::new(x, codes, (0..classes).map(|class| format!("c{class}")).collect()).unwrap()
}

fn spec(text: &str) -> Spec {
    text.parse().unwrap()
}

fn fitted(text: &str, data: &Dataset, scheme: Scheme) -> FittedClasses {
    fit_classes(&spec(text), data, scheme, &Stop::default())
        .unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
}

#[test]
fn every_classifier_tells_three_classes_apart() {
    let data = clouds(3, 60);
    for entry in catalogue().iter().filter(|entry| entry.role != Role::Filter) {
        let Role::Classifier { selects_features, selects_samples } = entry.role else { continue };
        for scheme in [Scheme::OneVsOne, Scheme::OneVsRest] {
            let fitted = fitted(entry.name, &data, scheme);
            let said = fitted.predict(data.x()).unwrap();
            let right = said.class.iter().zip(data.codes()).filter(|(a, b)| a == b).count();
            // A guess is right 20 times; the clouds of the line overlap by a quarter.
            let least = if scheme == Scheme::OneVsOne { 40 } else { 30 };
            assert!(right >= least, "{} {scheme}: {right}", entry.name);
            let p = said.probability.unwrap();
            for row in 0..60 {
                let sum: f64 = (0..3).map(|class| p.get(row, class)).sum();
                assert!((sum - 1.0).abs() < 1e-12);
            }
            assert_eq!(fitted.selected_features().is_some(), selects_features);
            assert_eq!(fitted.selected_samples().is_some(), selects_samples);
            assert_eq!(fitted.feature_shares().is_some(), selects_features);
            for (task, machine) in fitted.machines() {
                for row in machine.selected_samples().iter().flatten() {
                    assert!(task.concerns(data.codes()[*row]), "{}: row {row}", entry.name);
                }
            }
            if let Some(endings) = fitted.endings() {
                assert_eq!(endings.len(), 3);
                assert!(endings.iter().all(|(end, _)| *end != Termination::Cancelled));
            }
        }
    }
}

#[test]
fn two_classes_are_one_machine_and_say_what_it_says() {
    let data = clouds(2, 40);
    let problem = data.task_data(Scheme::OneVsOne.tasks(2)[0]).unwrap();
    for text in ["rvm", "svm", "l1svm/probability=no", "jcfo/class_weights=balanced"] {
        let both = fitted(text, &data, Scheme::OneVsRest).predict(data.x()).unwrap();
        let alone = spec(text).build().unwrap().fit(&problem).unwrap().predict(data.x()).unwrap();
        assert_eq!(both.decision.as_slice(), alone.decision, "{text}");
        let second = both.probability.map(|p| p.column(1).to_vec());
        assert_eq!(second, alone.probability, "{text}");
        for (class, f) in both.class.iter().zip(&alone.decision) {
            assert_eq!(*class == 1, *f >= 0.0);
        }
    }
}

#[test]
fn a_method_without_probabilities_calls_classes_and_gives_none() {
    let data = clouds(3, 60);
    for text in
        ["svm/probability=no", "mpm/probability=no", "fisher/features=1+l1svm/probability=no"]
    {
        let fitted = fitted(text, &data, Scheme::OneVsOne);
        assert!(!fitted.gives_probabilities());
        let said = fitted.predict(data.x()).unwrap();
        assert!(said.probability.is_none() && said.variance.is_none());
        let right = said.class.iter().zip(data.codes()).filter(|(a, b)| a == b).count();
        assert!(right >= 40, "{text}: {right}");
    }
}

#[test]
fn factors_of_classes_are_weights_of_their_samples() {
    let data = clouds(3, 60);
    let factors = [1.0, 3.0, 2.0];
    let weights = data.codes().iter().map(|code| factors[*code]).collect();
    let weighted = data.clone().with_sample_weights(weights).unwrap();
    for name in ["rvm", "jcfo", "mpm", "l1svm", "svm"] {
        for scheme in [Scheme::OneVsOne, Scheme::OneVsRest] {
            let by_class = fitted(&format!("{name}/class_weights=1,3,2"), &data, scheme);
            let by_class = by_class.predict(data.x()).unwrap();
            let by_sample = fitted(name, &weighted, scheme).predict(data.x()).unwrap();
            // Copies of a sample and a bound for its class reach one optimum along two ways; the
            // solver stops within 1e-3 of the conditions, and sums of weights in Platt's differ.
            let tolerance = if name == "svm" { 0.02 } else { 1e-12 };
            let pairs = by_class.decision.as_slice().iter().zip(by_sample.decision.as_slice());
            for (a, b) in pairs {
                assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{name} {scheme}: {a} {b}");
            }
        }
    }
    let refusal =
        fit_classes(&spec("rvm/class_weights=1,2"), &data, Scheme::OneVsOne, &Stop::default())
            .err()
            .unwrap();
    assert!(refusal.to_string().contains("2 factors, and there are 3 classes"), "{refusal}");
}

#[test]
fn what_was_learned_survives_a_file() {
    let data = clouds(3, 45);
    for name in ["rvm", "wsvm", "pfcvm-lp"] {
        let fitted = fitted(name, &data, Scheme::OneVsOne);
        let file = serde_json::to_string(&fitted.stored()).unwrap();
        let read: Machines<Stored> = serde_json::from_str(&file).unwrap();
        let read = FittedClasses::from(read);
        assert_eq!(read.predict(data.x()).unwrap(), fitted.predict(data.x()).unwrap(), "{name}");
        assert_eq!(read.selected_samples(), fitted.selected_samples(), "{name}");
        assert_eq!((read.classes(), read.scheme()), (3, Scheme::OneVsOne));
    }
}
