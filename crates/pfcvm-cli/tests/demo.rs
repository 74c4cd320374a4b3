//! The program as a user meets it.

use serde_json::Value;
use std::process::{Command, Output};

fn pfcvm(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pfcvm")).args(arguments).output().expect("the program starts")
}

fn json(seed: &str) -> Value {
    let output = pfcvm(&["demo", "--json", "--seed", seed]);
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "progress is for terminals only");
    let mut account: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    account["seconds"] = Value::Null;
    account
}

#[test]
fn the_same_seed_gives_the_same_account() {
    let first = json("3");
    assert_eq!(first, json("3"));
    assert_ne!(first["log_loss"], json("4")["log_loss"]);
}

/// Better than the single best feature could do (87 %), no better than the Bayes rule plus three
/// standard errors, and with most samples and features gone.
#[test]
fn the_demo_shows_a_sparse_and_accurate_fit() {
    let account = json("1");
    let number = |name: &str| account[name].as_f64().expect("a number");
    assert!(number("accuracy") > 0.89 && number("accuracy") < 0.942);
    assert!(number("log_loss") < 0.27);
    assert!(number("samples_kept") < 100.0);
    let features = account["features"].as_array().expect("a list");
    assert!((3..=20).contains(&features.len()));
    let weights: Vec<f64> =
        features.iter().map(|feature| feature["weight"].as_f64().expect("a number")).collect();
    assert!(weights.is_sorted_by(|a, b| a >= b));
}

#[test]
fn the_account_in_words_has_no_colour_codes_in_a_pipe() {
    let output = pfcvm(&["demo"]);
    let text = String::from_utf8(output.stdout).expect("text");
    for word in ["accuracy", "best possible rule", "log loss", "of 400", "of 40", "seed 1", "±"] {
        assert!(text.contains(word), "`{word}` is missing in:\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn a_wrong_option_is_an_error() {
    assert!(!pfcvm(&["demo", "--seed", "minus one"]).status.success());
    assert!(!pfcvm(&["dance"]).status.success());
}
