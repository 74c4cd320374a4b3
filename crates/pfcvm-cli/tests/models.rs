//! Model files of earlier schemas stay readable.
//!
//! `models/` holds files written by programs of each schema with the predictions those programs
//! made for `models/rows.csv`. A new schema adds its own; none is ever changed.

mod common;

use common::Place;
use serde_json::Value;
use std::path::Path;

fn stored(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name);
    path.to_str().unwrap().into()
}

/// Numbers agree but for the last digits, which may depend on the processor.
fn assert_close(found: &str, expected: &str) {
    assert_eq!(found.lines().count(), expected.lines().count());
    for (found, expected) in found.lines().zip(expected.lines()).skip(1) {
        let parts = |line: &str| -> (String, Vec<f64>) {
            let mut fields = line.split(',');
            let label = fields.next().unwrap().to_string();
            (label, fields.map(|field| field.parse().unwrap()).collect())
        };
        let ((label, numbers), (expected_label, expected)) = (parts(found), parts(expected));
        assert_eq!(label, expected_label);
        for (a, b) in numbers.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} instead of {b}");
        }
    }
}

/// Predicts the rows as the program did that wrote the model; gives what `inspect` tells of it.
fn as_it_did(place: &Place, name: &str) -> Value {
    as_it_did_on(place, name, "rows.csv")
}

fn as_it_did_on(place: &Place, name: &str, rows: &str) -> Value {
    let (model, rows) = (stored(&format!("{name}.json")), stored(rows));
    let expected = std::fs::read_to_string(stored(&format!("{name}.csv"))).unwrap();
    assert_close(&place.good(&format!("predict {model} {rows}")).out, &expected);
    assert!(place.good(&format!("inspect {model}")).out.contains("seed 0"));
    place.good(&format!("inspect {model} --json")).json()
}

#[test]
fn two_classes_of_every_schema_predict_as_they_did() {
    let place = Place::new();
    for schema in [1, 2, 4, 5, 6, 7] {
        for kind in ["single", "panel"] {
            let end = if kind == "panel" { "-panel" } else { "" };
            let account = as_it_did(&place, &format!("schema-{schema}{end}"));
            assert_eq!(
                (&account["kind"], &account["scheme"]),
                (&kind.into(), &"one-vs-one".into())
            );
            assert_eq!(account["termination"], "converged");
            assert_eq!(account["machines"].as_array().unwrap().len(), 1);
            // What schema 1 did not know is absent, not made up.
            let worth = &account["selected_features"][0]["worth"];
            assert_eq!(worth.is_number(), schema > 1 && kind == "single", "{schema}: {worth}");
        }
    }
}

#[test]
fn several_machines_predict_as_they_did() {
    let place = Place::new();
    for (name, kind) in
        [("schema-3", "single"), ("schema-3-panel", "panel"), ("schema-4-three", "single")]
    {
        let account = as_it_did(&place, name);
        assert_eq!(account["kind"], kind);
        assert_eq!(account["machines"].as_array().unwrap().len(), 3);
    }
}

/// All features have their say in models for accuracy, of which older programs know nothing.
#[test]
fn models_for_accuracy_predict_as_they_did() {
    let place = Place::new();
    for name in ["schema-7", "schema-7-three"] {
        let account = as_it_did(&place, name);
        assert_eq!(
            (&account["goal"], &account["uses_all_features"]),
            (&"accuracy".into(), &true.into())
        );
        assert_eq!(account["n_features_needed"], 14);
        assert!(account["held_out"]["goals"]["gain"].is_number());
        assert!(account["selected_features"].as_array().unwrap().len() < 14);
    }
    let older = as_it_did(&place, "schema-6");
    assert_eq!((&older["goal"], &older["uses_all_features"]), (&"list".into(), &false.into()));
    assert!(older["held_out"]["goals"].is_null());
}

/// What is wrong with the machine of all features is told in a sentence.
#[test]
fn a_damaged_machine_of_all_features_is_refused() {
    let place = Place::new();
    let text = std::fs::read_to_string(stored("schema-7.json")).unwrap();
    let (before, broad) = text.split_once("\"broad\":").unwrap();
    let cases = [
        ("\"coefficients\":[", "\"coefficients\":[1.0,", "coefficients of all features"),
        ("\"coefficients\":[", "\"coefficients\":[1e999,", "damaged"),
        ("\"feature_weight\":", "\"feature_weight\":-", "weight of all features number 0"),
        ("\"cols\":14", "\"cols\":13", "a matrix of 45"),
        ("\"kernel\":\"rbf\"", "\"kernel\":\"round\"", "`round` is no kernel"),
        ("\"bias\":", "\"bios\":", "missing field `bias`"),
    ];
    for (from, to, sentence) in cases {
        assert!(broad.contains(from), "{from}");
        place.write("m.json", format!("{before}\"broad\":{}", broad.replacen(from, to, 1)));
        let ran = place.run(&format!("predict m.json {}", stored("rows.csv")));
        assert_eq!(ran.code, Some(4), "{from}: {}", ran.err);
        assert!(ran.err.contains("the model file is damaged"), "{}", ran.err);
        assert!(ran.err.contains(sentence), "{from}: {}", ran.err);
    }
    // With a list as the goal there is no such machine.
    place.write("m.json", text.replacen("\"goal\":\"accuracy\"", "\"goal\":\"list\"", 1));
    let ran = place.run("inspect m.json --unchecked");
    assert!(ran.err.contains("a machine of all features in a model of a list"), "{}", ran.err);
}

/// Words, gaps, dates and groups of columns; one row holds nothing that the model knows.
#[test]
fn tables_of_words_predict_as_they_did() {
    let place = Place::new();
    let account = as_it_did_on(&place, "schema-6-words", "schema-6-words-rows.csv");
    assert_eq!(account["columns"][0]["levels"], serde_json::json!(["blue", "green", "red"]));
    assert_eq!(account["columns"][2]["kind"], "date");
    assert_eq!(account["columns"][6]["feature"], 4);
    assert_eq!(account["n_features_in"], 5);
}

/// The promise of docs/stability.md: no file is left out.
#[test]
fn every_stored_file_predicts_as_it_did() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut schemas = std::collections::BTreeSet::new();
    for file in files.filter(|file| file.extension().is_some_and(|end| end == "json")) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let own = format!("{name}-rows.csv");
        let rows = if Path::new(&stored(&own)).exists() { &own } else { "rows.csv" };
        as_it_did_on(&place, &name, rows);
        schemas.insert(name.split('-').nth(1).unwrap().parse::<u64>().unwrap());
    }
    // Every schema there has been, up to the one that is written now.
    let place = Place::new();
    place.good("generate waveform --n 60 --out w.csv");
    place.good("fit w.csv --classes 0,1 --certainty off --model m.json");
    let now: Value = serde_json::from_str(&place.read("m.json")).unwrap();
    let now = now["schema"].as_u64().unwrap();
    assert_eq!(schemas, (1..=now).collect(), "tests/models lacks a file of some schema");
}

/// A later version of the same schema may add fields; this one does not stumble over them.
#[test]
fn unknown_fields_are_passed_over() {
    let place = Place::new();
    let text = std::fs::read_to_string(stored("schema-2.json")).unwrap();
    place.write("m.json", text.replacen('{', "{\"colour\": {\"of\": [\"hope\"]},", 1));
    let found = place.good(&format!("predict m.json {}", stored("rows.csv"))).out;
    assert_close(&found, &std::fs::read_to_string(stored("schema-2.csv")).unwrap());
}
