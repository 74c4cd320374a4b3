//! Weights, copies and the order of rows mean the same to every method, to the bit.

use crate::common::{circle, made};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::{Fitted, Prediction, Role, Spec, catalogue};

/// All classifiers by name, with settings that keep the fits short.
fn classifiers() -> Vec<String> {
    let entries = catalogue().iter().filter(|entry| entry.role != Role::Filter);
    entries
        .map(|entry| match entry.name {
            "pfcvm-panel" => "pfcvm-panel/members=8".into(),
            "pcvm" => "pcvm/restarts=1".into(),
            name => name.into(),
        })
        .chain(["fisher/features=2+rvm".to_string()])
        .collect()
}

fn fitted(spec: &str, data: &Dataset) -> Box<dyn Fitted> {
    let spec: Spec = spec.parse().unwrap();
    spec.build().unwrap().fit(data).unwrap_or_else(|refusal| panic!("{spec}: {refusal}"))
}

/// What is said of rows that were not trained on, and the selected samples by their values.
fn outcome(spec: &str, data: &Dataset) -> (Prediction, Option<Vec<usize>>, Vec<Vec<u64>>) {
    let fitted = fitted(spec, data);
    let new = Matrix::from_fn(7, data.x().cols(), |i, k| ((i * 5 + k * 3) % 7) as f64 / 3.5 - 1.0);
    let row = |i: usize| Vec::from_iter(data.x().columns().map(|column| column[i].to_bits()));
    let mut samples = Vec::from_iter(fitted.selected_samples().iter().flatten().map(|&i| row(i)));
    samples.sort();
    (fitted.predict(&new).unwrap(), fitted.selected_features(), samples)
}

fn data() -> Dataset {
    circle(44, 4)
}

/// Rows in another order, a third of them once more.
fn with_copies(data: &Dataset) -> (Dataset, Vec<f64>) {
    let mut order = Vec::from_iter((0..data.len()).map(|i| i * 17 % data.len()));
    order.extend((0..data.len()).step_by(3));
    let weights = (0..data.len()).map(|i| 1.0 + f64::from(i % 3 == 0)).collect();
    (data.select(&order).unwrap(), weights)
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let data = data();
    let order = Vec::from_iter((0..data.len()).map(|i| i * 17 % data.len()));
    let turned = data.select(&order).unwrap();
    for spec in classifiers() {
        assert_eq!(outcome(&spec, &data), outcome(&spec, &turned), "{spec}");
    }
}

#[test]
fn a_row_twice_is_a_row_of_weight_2_and_weight_0_is_none() {
    let data = data();
    let (copies, mut weights) = with_copies(&data);
    let strange = Matrix::from_fn(3, 4, |i, k| 1e3 * (i + k) as f64);
    let x = Matrix::from_fn(data.len() + 3, 4, |i, k| match i.checked_sub(data.len()) {
        Some(at) => strange.get(at, k),
        None => data.x().get(i, k),
    });
    weights.extend([0.0; 3]);
    let positive = [data.positive(), &[true, false, true]].concat();
    let weighted = Dataset::new(x, positive).unwrap().with_sample_weights(weights).unwrap();
    for spec in classifiers() {
        let found = outcome(&spec, &weighted);
        assert_eq!(outcome(&spec, &copies), found, "{spec}");
        // Weights do count.
        assert_ne!(outcome(&spec, &data).0, found.0, "{spec}");
    }
}

#[test]
fn filters_see_rows_alike() {
    let data = data();
    let (copies, weights) = with_copies(&data);
    let weighted = data.with_sample_weights(weights).unwrap();
    for entry in catalogue().iter().filter(|entry| entry.role == Role::Filter) {
        let text = format!("{}/features=3", entry.name);
        let selector = Spec::of_selector(&text).unwrap().selector().unwrap();
        assert_eq!(selector.select(&copies).unwrap(), selector.select(&weighted).unwrap());
    }
}

#[test]
fn class_weights_multiply_sample_weights() {
    let data = data();
    let factor = |positive: &bool| if *positive { 2.5 } else { 1.0 };
    let factors = Vec::from_iter(data.positive().iter().map(factor));
    let total: f64 = factors.iter().sum();
    // PFCVM_LP screens features by the number of rows, which class weights leave as it is. So do the
    // parts of the rows that a panel holds out, while a weight of 2.5 is so many samples.
    for spec in classifiers().iter().filter(|spec| *spec != "pfcvm-lp") {
        let spec = &match spec.starts_with("pfcvm-panel") {
            true => format!("{spec}/certainty=off"),
            false => spec.clone(),
        };
        // EM gets the factors as shares of the number of rows.
        let scale = match spec.starts_with("pcvm") || spec.starts_with("pfcvm-em") {
            true => data.len() as f64 / total,
            false => 1.0,
        };
        let weights = factors.iter().map(|factor| factor * scale).collect();
        let weighted = data.clone().with_sample_weights(weights).unwrap();
        let by_class = outcome(&format!("{spec}/class_weights=1,2.5"), &data);
        assert_eq!(outcome(spec, &weighted), by_class, "{spec}");
    }
}

#[test]
fn balanced_classes_count_alike_in_sum() {
    let data = data();
    let positive = data.positive().iter().filter(|positive| **positive).count() as f64;
    let all = data.len() as f64;
    let text = format!("{:?},{:?}", all / (2.0 * (all - positive)), all / (2.0 * positive));
    for spec in classifiers().iter().filter(|spec| !spec.starts_with("wsvm")) {
        let balanced = outcome(&format!("{spec}/class_weights=balanced"), &data);
        assert_eq!(outcome(&format!("{spec}/class_weights={text}"), &data), balanced, "{spec}");
    }
}

#[test]
fn weights_that_a_method_cannot_take_are_refused_in_a_sentence() {
    let data = data();
    let refused = |spec: &str, data: &Dataset| {
        let learner = spec.parse::<Spec>().unwrap().build().unwrap();
        learner.fit(data).err().unwrap().to_string()
    };
    let weights = (0..data.len()).map(|i| 1.0 + (i % 3) as f64 * 0.3).collect();
    let fractional = data.clone().with_sample_weights(weights).unwrap();
    for spec in ["svm", "wsvm"] {
        assert!(refused(spec, &fractional).contains("whole numbers"), "{spec}");
    }
    assert!(
        refused("rvm/class_weights=1,2,3", &data).contains("3 factors, and there are 2 classes")
    );
    let none = data.clone().with_sample_weights(vec![0.0; data.len()]).unwrap();
    for spec in classifiers() {
        assert!(refused(&spec, &none).contains("class"), "{spec}");
    }
}

#[test]
fn what_the_list_says_of_a_method_is_so() {
    let data = data();
    for entry in catalogue() {
        let Role::Classifier { selects_features, selects_samples } = entry.role else { continue };
        let fitted = fitted(entry.name, &data);
        assert_eq!(fitted.selected_features().is_some(), selects_features, "{}", entry.name);
        assert_eq!(fitted.selected_samples().is_some(), selects_samples, "{}", entry.name);
        let said = fitted.predict(data.x()).unwrap();
        assert_eq!(said.probability.is_some(), fitted.gives_probabilities(), "{}", entry.name);
    }
}

#[test]
fn a_refusal_names_the_row_as_it_was_given() {
    let mut x = data().x().clone();
    x.set(5, 2, -1e9);
    let data = Dataset::new(x, data().positive().to_vec()).unwrap();
    for name in ["svm", "rvm", "pfcvm-lp", "fsnm+svm"] {
        let spec = name.replace("+svm", "/standardise=no+svm");
        let spec = if spec == name { format!("{name}/standardise=no") } else { spec };
        let learner = spec.parse::<Spec>().unwrap().build().unwrap();
        let sentence = learner.fit(&data).err().unwrap().to_string();
        assert!(sentence.contains("row 5"), "{spec}: {sentence}");
    }
}

/// What a method says of a row does not depend on the rows that come with it, to the last bit.
#[test]
fn a_row_is_predicted_alone_as_among_others() {
    let (data, new) = (made(21, 60, 6, 2), made(22, 40, 6, 2));
    for spec in classifiers() {
        let fitted = fitted(&spec, &data);
        let bits = |said: Prediction| {
            let all = [Some(said.decision), said.probability, said.variance];
            let of = |values: Vec<f64>| Vec::from_iter(values.iter().map(|v| v.to_bits()));
            all.map(|values| values.map_or_else(Vec::new, of))
        };
        let whole = bits(fitted.predict(new.x()).unwrap());
        for count in [1, 2, 7] {
            for start in [0, 13, 40 - count] {
                let part = bits(fitted.predict(&new.x().row_range(start, start + count)).unwrap());
                for (part, whole) in part.iter().zip(&whole).filter(|(part, _)| !part.is_empty()) {
                    let expected = &whole[start..start + count];
                    assert_eq!(part, expected, "{spec}: {count} rows from {start}");
                }
            }
        }
    }
}
