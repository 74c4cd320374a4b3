//! `pfcvm demo` as a user meets it.

mod common;

use common::Place;
use serde_json::Value;

fn json(seed: &str) -> Value {
    let place = Place::new();
    let ran = place.good(&format!("demo --json --seed {seed}"));
    assert_eq!(ran.err.lines().count(), 4, "only what was written: {}", ran.err);
    let mut account = ran.json();
    account["seconds"] = Value::Null;
    let clockless = |trace: &mut Value| {
        let steps = trace.as_array_mut().expect("a list");
        steps.iter_mut().for_each(|step| step["seconds"] = Value::Null);
    };
    clockless(&mut account["trace"]);
    clockless(&mut account["machines"][0]["trace"]);
    account
}

#[test]
fn the_same_seed_gives_the_same_account() {
    let first = json("3");
    assert_eq!(first, json("3"));
    assert_ne!(first["test"]["log_loss"], json("4")["test"]["log_loss"]);
}

/// Better than the single best feature could do (87 %), no better than the Bayes rule plus three
/// standard errors, and with most samples and features gone.
#[test]
fn the_demo_shows_a_sparse_and_accurate_fit() {
    let account = json("1");
    let accuracy = account["test"]["accuracy"].as_f64().expect("a number");
    assert!(accuracy > 0.89 && accuracy < 0.942);
    assert!(account["bayes_accuracy"].as_f64().is_some_and(|best| best > 0.91 && best < 0.945));
    assert!(account["test"]["log_loss"].as_f64().is_some_and(|loss| loss < 0.27));
    assert!(account["selected_samples"].as_array().expect("a list").len() < 100);
    let features = account["selected_features"].as_array().expect("a list");
    assert!((3..=20).contains(&features.len()));
    let importance: Vec<f64> =
        features.iter().map(|feature| feature["importance"].as_f64().expect("a number")).collect();
    assert!(importance.is_sorted_by(|a, b| a >= b));
    let noise = || features.iter().filter(|f| f["index"].as_u64().expect("an index") >= 21);
    assert_eq!(account["noise_features_kept"], noise().count());
    let certain = noise().filter(|feature| feature["certain"] == true).count();
    assert_eq!(account["noise_features_certain"], certain);
}

#[test]
fn the_account_in_words_has_no_colour_codes_in_a_pipe() {
    let place = Place::new();
    let ran = place.good("demo --out here");
    let words = ["Accuracy", "best possible rule", "Log loss", "of 400", "of 40", "seed 0"];
    for word in words.into_iter().chain(["Importance", "False alarm", "called certain: "]) {
        assert!(ran.out.contains(word), "`{word}` is missing in:\n{}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}'));
    let report = place.read("here/report.html");
    assert!(report.contains("<svg") && report.contains("seed 0"), "no pictures or no seed");
}

/// What the demo leaves behind is enough to go on with, and says the same.
#[test]
fn the_files_of_the_demo_can_be_used() {
    let place = Place::new();
    let account = place.good("demo --json").json();
    assert_eq!(place.files(), ["pfcvm-demo"]);
    let again =
        place.good("fit pfcvm-demo/train.csv --model m.json --test pfcvm-demo/test.csv --json");
    let again = again.json();
    for key in ["selected_features", "selected_samples", "log_evidence", "termination"] {
        assert_eq!(account[key], again[key], "{key}");
    }
    for key in ["accuracy", "log_loss", "auc", "brier"] {
        assert_eq!(account["test"][key], again["test"][key], "{key}");
    }
    assert_eq!(place.read("pfcvm-demo/model.json"), place.read("m.json"));
}

#[test]
fn a_wrong_option_is_an_error() {
    let place = Place::new();
    assert_eq!(place.run("demo --seed minus").code, Some(2));
    assert_eq!(place.run("dance").code, Some(2));
    assert_eq!(place.run("").code, Some(2));
}
