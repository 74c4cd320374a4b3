//! Model files of earlier schemas stay readable.
//!
//! `models/` holds files written by programs of each schema with the predictions those programs
//! made for `models/rows.csv`. A new schema adds its own; none is ever changed.

mod common;

use common::Place;
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

#[test]
fn every_schema_is_read_and_predicts_as_it_did() {
    let place = Place::new();
    for name in ["schema-1", "schema-1-panel", "schema-2", "schema-2-panel"] {
        let (model, rows) = (stored(&format!("{name}.json")), stored("rows.csv"));
        let expected = std::fs::read_to_string(stored(&format!("{name}.csv"))).unwrap();
        assert_close(&place.good(&format!("predict {model} {rows}")).out, &expected);
        let account = place.good(&format!("inspect {model} --json")).json();
        assert_eq!(account["termination"], "converged");
        assert!(place.good(&format!("inspect {model}")).out.contains("converged"));
        // What schema 1 did not know is absent, not made up.
        let worth = &account["selected_features"][0]["worth"];
        assert_eq!(worth.is_number(), name == "schema-2", "{name}: {worth}");
    }
}

#[test]
fn several_machines_are_read_and_predict_as_they_did() {
    let place = Place::new();
    for (name, kind) in [("schema-3", "single"), ("schema-3-panel", "panel")] {
        let (model, rows) = (stored(&format!("{name}.json")), stored("rows.csv"));
        let expected = std::fs::read_to_string(stored(&format!("{name}.csv"))).unwrap();
        assert_close(&place.good(&format!("predict {model} {rows}")).out, &expected);
        let account = place.good(&format!("inspect {model} --json")).json();
        assert_eq!(account["kind"], kind);
        assert_eq!(account["machines"].as_array().unwrap().len(), 3);
    }
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
