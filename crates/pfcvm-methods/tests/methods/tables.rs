//! Every method takes words, gaps and groups: those that know nothing but numbers are given them
//! unfolded.

use pfcvm::data::{Columns, Kind};
use pfcvm::{Dataset, Matrix};
use pfcvm_methods::{Role, Spec, Stored, catalogue};

/// 60 rows of a word, two numbers that make up one feature, one of them with gaps, and noise. The
/// word decides.
fn table() -> Dataset {
    let drawn = |i: usize, k: usize| ((i * 37 + k * 101 + 13) as f64 * 0.754_877_666).fract();
    let x = Matrix::from_fn(60, 4, |i, k| match k {
        0 => (drawn(i, 0) * 3.0).floor(),
        1 if i % 6 == 0 => f64::NAN,
        k => 2.0 * drawn(i, k) - 1.0,
    });
    let positive = (0..60).map(|i| x.get(i, 0) == 1.0).collect();
    let kinds = vec![Kind::Words { levels: 3 }, Kind::Number, Kind::Number, Kind::Number];
    let columns = Columns::new(kinds).grouped(&[0, 1, 1, 2]).unwrap();
    Dataset::new(x, positive).unwrap().with_columns(columns).unwrap()
}

#[test]
fn every_classifier_learns_from_a_table() {
    let data = table();
    for entry in catalogue() {
        let Role::Classifier { .. } = entry.role else { continue };
        let learner = entry.name.parse::<Spec>().unwrap().build().unwrap();
        let fitted = learner.fit(&data).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let said = fitted.predict(data.x()).unwrap();
        let right =
            said.decision.iter().zip(data.positive()).filter(|(f, p)| (**f >= 0.0) == **p).count();
        assert!(right >= 50, "{} has {right} of 60", entry.name);
        if let Some(features) = fitted.selected_features() {
            assert!(features.iter().all(|feature| *feature < 3), "{}: {features:?}", entry.name);
            assert!(features.contains(&0), "{}: {features:?}", entry.name);
            if let Some(weights) = fitted.feature_weights() {
                assert_eq!(weights.len(), features.len(), "{}", entry.name);
            }
        }
        let text = serde_json::to_string(&fitted.stored()).unwrap();
        let back = serde_json::from_str::<Stored>(&text).unwrap().into_fitted();
        assert_eq!(back.predict(data.x()).unwrap().decision, said.decision, "{}", entry.name);
    }
}

#[test]
fn every_filter_ranks_features_of_a_table() {
    let data = table();
    for entry in catalogue() {
        let Role::Filter = entry.role else { continue };
        let spec: Spec = format!("{}/features=1+rvm", entry.name).parse().unwrap();
        let fitted = spec.build().unwrap().fit(&data).unwrap();
        let selected = fitted.selected_features().unwrap();
        assert_eq!(selected.len(), 1, "{}", entry.name);
        assert!(selected[0] < 3);
    }
}
