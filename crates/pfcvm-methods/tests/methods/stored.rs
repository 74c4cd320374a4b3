//! What was learned survives being written and read back, to the bit.

use pfcvm::{Dataset, Matrix};
use pfcvm_methods::{Spec, Stored, catalogue};

#[test]
fn every_method_predicts_the_same_after_a_file() {
    let value = |i: usize, k: usize| ((i * 7 + k * 5 + i * i * (k + 1)) % 13) as f64 / 6.0;
    let x = Matrix::from_fn(40, 4, |i, k| value(i, k) + if k == 0 { (i % 2) as f64 } else { 0.0 });
    let data = Dataset::new(x, (0..40).map(|i| i % 2 == 1).collect()).unwrap();
    let names = catalogue().iter().map(|entry| entry.name.to_string());
    let mut written = 0;
    for text in names.chain(["fisher/features=2+rvm".into()]) {
        let Ok(spec) = text.parse::<Spec>() else { continue };
        let fitted = spec.build().unwrap().fit(&data).unwrap();
        let file = serde_json::to_string(&fitted.stored()).unwrap();
        let read: Stored = serde_json::from_str(&file).unwrap();
        let read = read.into_fitted();
        assert_eq!(read.predict(data.x()).unwrap(), fitted.predict(data.x()).unwrap(), "{text}");
        assert_eq!(read.selected_features(), fitted.selected_features(), "{text}");
        if let (Some(features), Some(weights)) = (read.selected_features(), read.feature_weights())
        {
            assert_eq!(features.len(), weights.len(), "{text}");
        }
        written += 1;
    }
    assert_eq!(written, 15);
}

#[test]
fn a_filter_alone_selects_and_a_classifier_selects_too() {
    let x = Matrix::from_fn(30, 3, |i, k| if k == 1 { (i % 2) as f64 } else { (i % 7) as f64 });
    let data = Dataset::new(x, (0..30).map(|i| i % 2 == 1).collect()).unwrap();
    let first = Spec::of_selector("fisher/features=1").unwrap().selector().unwrap();
    assert_eq!(first.select(&data).unwrap(), [1]);
    let machine = Spec::of_selector("l1svm").unwrap().selector().unwrap();
    assert!(machine.select(&data).unwrap().contains(&1));
    assert!(Spec::of_selector("fisher/features=0").is_err());
}
