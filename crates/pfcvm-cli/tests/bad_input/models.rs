//! Model files that are damaged, changed on purpose, or absurd.

use crate::common::Place;
use crate::good;
use serde_json::Value;

/// A model file, and ways to spoil it.
fn spoiled(model: &str) -> Vec<(&'static str, String, &'static str)> {
    let with = |from: &str, to: &str| {
        assert!(model.contains(from), "{from}");
        model.replacen(from, to, 1)
    };
    vec![
        ("empty", String::new(), "not a pfcvm model file (it is empty)"),
        ("cut in half", model[..model.len() / 2].into(), "cut off"),
        ("cut at the end", model.trim_end()[..model.trim_end().len() - 1].into(), "cut off"),
        ("data instead", good(3), "not a pfcvm model file"),
        ("other JSON", "{\"a\": 1}".into(), "not a pfcvm model file"),
        ("an array", "[1, 2]".into(), "not a pfcvm model file"),
        (
            "another format",
            with("\"pfcvm model\"", "\"other model\""),
            "its format is \"other model\"",
        ),
        ("a later schema", with("\"schema\":7", "\"schema\":99"), "has schema 99"),
        ("schema 0", with("\"schema\":7", "\"schema\":0"), "no schema 0"),
        ("a missing part", with("\"classes\"", "\"klasses\""), "damaged"),
        (
            "sizes that disagree",
            with("\"feature_weights\":[", "\"feature_weights\":[1.0,"),
            "damaged",
        ),
        (
            "a name too many",
            with("\"feature_names\":[", "\"feature_names\":[\"c\","),
            "3 feature names where 2 belong",
        ),
        (
            "the same name twice",
            with("\"feature_names\":[\"a\"", "\"feature_names\":[\"b\""),
            "both called `b`",
        ),
        (
            "an infinite number",
            with("\"feature_weights\":[", "\"feature_weights\":[1e999,"),
            "damaged",
        ),
        ("a null", with("\"feature_weights\":[", "\"feature_weights\":[null,"), "damaged"),
        ("a negative weight", with("\"feature_weights\":[", "\"feature_weights\":[-"), "damaged"),
        ("one class", with("\"classes\":[\"0\",", "\"classes\":[\"1\","), "both called `1`"),
        ("a sample beyond the rows", with("\"sample_rows\":[", "\"sample_rows\":[40,"), "damaged"),
        (
            "more rows of classes than rows",
            with("\"training_rows\":40", "\"training_rows\":1"),
            "40 rows of classes, of 1 rows",
        ),
        (
            "a changed digit",
            with("\"log_evidence\":-", "\"log_evidence\":-1"),
            "its checksum does not",
        ),
        ("no checksum", with("\"checksum\"", "\"checksun\""), "its checksum does not fit"),
        ("a schema without one", with("\"schema\":7", "\"schema\":4"), "its checksum does not fit"),
    ]
}

#[test]
fn every_bad_model_file_gets_one_sentence_and_leaves_nothing() {
    let place = Place::new();
    place.write("data.csv", good(40));
    place.good("fit data.csv --model m.json");
    let model = place.read("m.json");
    for (what, text, sentence) in spoiled(&model) {
        place.write("bad.json", text);
        for command in [
            "predict bad.json data.csv --out p.csv",
            "inspect bad.json",
            "export bad.json --onnx bad.onnx",
        ] {
            let ran = place.run(command);
            assert_eq!(ran.code, Some(4), "{what}: {}", ran.err);
            assert!(ran.err.contains(sentence), "{what}: {}", ran.err);
            assert_eq!(ran.err.trim_end().lines().count(), 1, "{what}: {}", ran.err);
            assert!(ran.out.is_empty(), "{what}: {}", ran.out);
        }
        assert_eq!(place.files(), ["bad.json", "data.csv", "m.json"], "{what}");
    }
}

/// Parts of a panel that are gone or come twice, in a file whose checksum is not looked at.
#[test]
fn a_panel_without_all_its_parts_is_refused() {
    let place = Place::new();
    place.good("generate waveform --n 80 --seed 3 --out data.csv");
    place.good("fit data.csv --panel 4 --model m.json");
    let model: Value = serde_json::from_str(&place.read("m.json")).unwrap();
    let panel = "/machines/0/fitted/panel";
    let spoil = |change: &dyn Fn(&mut Value)| {
        let mut spoiled = model.clone();
        change(spoiled.pointer_mut(panel).unwrap());
        serde_json::to_string(&spoiled).unwrap()
    };
    fn members(panel: &mut Value) -> &mut Vec<Value> {
        panel["members"].as_array_mut().unwrap()
    }
    let cases = [
        (spoil(&|panel| drop(members(panel).pop())), "39 members where 40 belong"),
        (
            spoil(&|panel| {
                let first = members(panel)[0].clone();
                members(panel).push(first);
            }),
            "41 members where 40 belong",
        ),
        (spoil(&|panel| panel["ranks"] = Value::Null), "no ranks, which the settings have"),
    ];
    for (text, sentence) in cases {
        place.write("bad.json", text);
        for check in ["", " --unchecked"] {
            let ran = place.run(&format!("predict bad.json data.csv{check}"));
            assert_eq!(ran.code, Some(4), "{}", ran.err);
            assert!(ran.err.contains(sentence), "{}", ran.err);
        }
    }
}

/// A file edited by hand is read where that is asked for, and otherwise not.
#[test]
fn a_model_changed_on_purpose_is_read_unchecked() {
    let place = Place::new();
    place.write("data.csv", good(40));
    place.good("fit data.csv --model m.json");
    let model = place.read("m.json");
    // Another layout is the same model.
    let laid_out: Value = serde_json::from_str(&model).unwrap();
    assert_eq!(laid_out["checksum"].as_str().unwrap().len(), 64);
    place.write("wide.json", model.replace("\":", "\" :\n  "));
    assert_eq!(place.good("inspect wide.json").out, place.good("inspect m.json").out);
    place.write(
        "m.json",
        model.replace("\"classes\":[\"0\",\"1\"]", "\"classes\":[\"no\",\"yes\"]"),
    );
    for command in ["predict m.json data.csv", "inspect m.json", "export m.json --onnx m.onnx"] {
        let ran = place.run(command);
        assert_eq!(ran.code, Some(4), "{}", ran.err);
        assert!(ran.err.contains("--unchecked"), "{}", ran.err);
        place.good(&format!("{command} --unchecked"));
    }
}

/// Weights so large that sums over them are infinite: words and figures all the same.
#[test]
fn inspect_tells_of_absurd_weights() {
    let place = Place::new();
    place.write("data.csv", good(40));
    place.good("fit data.csv --model m.json");
    let mut model: Value = serde_json::from_str(&place.read("m.json")).unwrap();
    let machine = model.pointer_mut("/machines/0/fitted/model").unwrap();
    for list in ["feature_weights", "sample_weights"] {
        machine[list].as_array_mut().unwrap().iter_mut().for_each(|w| *w = 1e308.into());
    }
    for covariance in ["feature_covariance", "sample_covariance"] {
        let root = machine[covariance]["root"].as_object_mut().unwrap();
        for values in root.values_mut().filter_map(Value::as_array_mut) {
            values.iter_mut().for_each(|value| *value = 1e308.into());
        }
    }
    place.write("m.json", serde_json::to_string(&model).unwrap());
    let told = place.good("inspect m.json --unchecked").out;
    assert!(told.contains("10³⁰⁸") && !told.contains("inf") && !told.contains("NaN"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 200), "{told}");
    place.good("inspect m.json --unchecked --json").json();
}
