//! Isotonic probabilities against scikit-learn's (reference/make_golden_isotonic.py).

use crate::common::{all_close, golden, numbers};
use pfcvm_methods::probability::Isotonic;
use serde_json::Value;

fn fit(case: &Value, weights: &[f64]) -> Isotonic {
    let positive = case["positive"].as_array().unwrap().iter().map(|v| v.as_bool().unwrap());
    Isotonic::fit(&numbers(&case["decisions"]), &Vec::from_iter(positive), weights)
}

#[test]
fn probabilities_are_those_of_scikit_learn() {
    for case in golden("isotonic.json")["cases"].as_array().unwrap() {
        let found = fit(case, &numbers(&case["weights"]));
        let asked = numbers(&case["asked"]);
        let what = case["name"].as_str().unwrap();
        // Sums of weights in another order.
        all_close(&found.probabilities(&asked), &numbers(&case["probabilities"]), 1e-12, what);
    }
}

#[test]
fn without_its_weights_a_case_shows() {
    let golden = golden("isotonic.json");
    let mut cases = golden["cases"].as_array().unwrap().iter();
    let case = cases.find(|case| case["name"] == "weights and ties").unwrap();
    let weights = vec![1.0; numbers(&case["weights"]).len()];
    let plain = fit(case, &weights).probabilities(&numbers(&case["asked"]));
    let expected = numbers(&case["probabilities"]);
    assert!(plain.iter().zip(expected).any(|(a, b)| (a - b).abs() > 0.01));
}

#[test]
fn the_order_of_samples_does_not_matter() {
    for case in golden("isotonic.json")["cases"].as_array().unwrap() {
        let turned = |key: &str| {
            let mut values = case[key].as_array().unwrap().clone();
            values.reverse();
            Value::from(values)
        };
        let mut other = case.clone();
        ["decisions", "positive"].iter().for_each(|key| other[*key] = turned(key));
        let one = fit(case, &numbers(&case["weights"]));
        let two = fit(&other, &numbers(&turned("weights")));
        let asked = numbers(&case["asked"]);
        all_close(&one.probabilities(&asked), &two.probabilities(&asked), 1e-12, "order");
    }
}
