//! Keys of `--json` stay: what programs read today they can read tomorrow.
//!
//! `keys/NAME.txt` has every place of a result with what stands there, `selected_features[].name text`.
//! None may go or change; new ones may come, and are pinned by running the test with PFCVM_PIN=1.

mod common;

use common::{Place, Ran};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Below these, keys are names that users or methods chose.
const NAMES: [&str; 8] = [
    "settings",
    "selected",
    "grid",
    "probabilities",
    "moved",
    "kept",
    "chosen[]",
    "methods[].grid",
];

/// What stands at each place. A place that is null somewhere has more than one kind.
type Places = BTreeMap<String, BTreeSet<&'static str>>;

fn collect(place: &str, value: &Value, found: &mut Places) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "truth",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    };
    found.entry(place.to_owned()).or_default().insert(kind);
    let end = |name: &str| place == name || place.ends_with(&format!(".{name}"));
    match value {
        Value::Array(list) => {
            list.iter().for_each(|one| collect(&format!("{place}[]"), one, found));
        }
        Value::Object(_) if NAMES.iter().any(|name| end(name)) => {}
        Value::Object(map) => map.iter().for_each(|(key, one)| {
            let dot = if place.is_empty() { "" } else { "." };
            collect(&format!("{place}{dot}{key}"), one, found);
        }),
        _ => {}
    }
}

fn places(ran: &Ran) -> Places {
    let mut found = Places::new();
    // `predict` prints an object for each row.
    for value in serde_json::Deserializer::from_str(&ran.out).into_iter::<Value>() {
        collect("", &value.unwrap(), &mut found);
    }
    found.remove("");
    found
}

/// Lines of a file of pins: places, and what stands there where anything does.
fn lines(places: &Places) -> Vec<String> {
    let line = |(place, kinds): (&String, &BTreeSet<&str>)| {
        let kinds: Vec<&str> = kinds.iter().copied().filter(|kind| *kind != "null").collect();
        format!("{place} {}", kinds.join(" ")).trim_end().to_owned()
    };
    places.iter().map(line).collect()
}

/// Whether a pinned line holds. Whether there is a value hangs on the data: null, an empty list, and
/// what would stand below them, are as good.
fn holds(line: &str, found: &Places) -> bool {
    let mut words = line.split(' ');
    let place = words.next().unwrap_or_default();
    match found.get(place) {
        Some(kinds) => words.all(|kind| kinds.contains(kind) || kinds.contains("null")),
        None => {
            let (above, of_list) = match place.strip_suffix("[]") {
                Some(list) => (list, true),
                None => (place.rsplit_once('.').map_or("", |(above, _)| above), false),
            };
            // What is above has a line of its own.
            found.get(above).map_or(!above.is_empty(), |kinds| of_list || kinds.contains("null"))
        }
    }
}

fn pinned(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/keys/{name}.txt"))
}

/// Pinned lines that do not hold any more.
fn gone(name: &str, found: &Places) -> Vec<String> {
    if std::env::var_os("PFCVM_PIN").is_some() {
        std::fs::write(pinned(name), lines(found).join("\n") + "\n").unwrap();
    }
    let text = std::fs::read_to_string(pinned(name)).unwrap();
    let gone = text.lines().filter(|line| !holds(line, found));
    gone.map(|line| format!("{name}: {line}")).collect()
}

#[test]
fn keys_of_results_stay() {
    let place = Place::new();
    place.good("generate waveform --n 90 --seed 3 --out all.csv");
    place.good("generate waveform --n 60 --seed 5 --out two.csv");
    let words: String = (0..60)
        .map(|at| {
            let colour = ["red", "green", "blue"][at % 3];
            let size = if at % 7 == 0 { "?".into() } else { format!("{}.{}", at % 5, at % 9) };
            format!("{colour},{size},2024-01-{:02},{}\n", 1 + at % 28, ["no", "yes"][at % 3 / 2])
        })
        .collect();
    place.write("words.csv", format!("colour,size,since,label\n{words}"));
    place.write("scores.csv", "data,a,b,c\nx,1,2,3\ny,2,3,1\nz,1,3,2\n");
    let runs = [
        ("fit", "fit two.csv --classes 0,1 --test two.csv --model two.json --json"),
        ("fit-classes", "fit all.csv --test all.csv --model all.json --json"),
        ("fit-words", "fit words.csv --goal accuracy --model words.json --json"),
        ("fit-panel", "fit two.csv --classes 0,1 --panel 5 --model panel.json --json"),
        ("fit-price", "fit two.csv --classes 0,1 --kernel linear --price --json"),
        ("inspect", "inspect two.json --json --bound two.csv"),
        ("predict", "predict two.json two.csv --json --explain"),
        ("predict-classes", "predict all.json all.csv --json --explain"),
        ("columns", "columns words.csv --json"),
        ("evaluate", "evaluate two.csv --classes 0,1 --cv kfold:3 --fresh --json"),
        ("evaluate-classes", "evaluate all.csv --cv kfold:2 --scheme one-vs-one --fresh --json"),
        (
            "compare",
            "compare two.csv --classes 0,1 --methods pfcvm-lp,svm --cv kfold:3 --fresh --json",
        ),
        ("price", "price two.csv --classes 0,1 --kernel linear --sizes 1,3 --fresh --json"),
        ("methods", "methods --json"),
        ("data", "data list --json"),
        ("rank", "rank scores.csv --json"),
        ("generate", "generate twonorm --n 10 --out n.csv --json"),
    ];
    let gone: Vec<String> = runs
        .iter()
        .flat_map(|(name, arguments)| gone(name, &places(&place.good(arguments))))
        .collect();
    assert!(gone.is_empty(), "keys that programs may rely on are gone:\n{}", gone.join("\n"));
}

/// The check finds what it is there for, and nothing else.
#[test]
fn a_renamed_key_and_another_type_are_found() {
    let of = |text: &str| {
        let ran = Ran { code: Some(0), out: text.into(), err: String::new() };
        places(&ran)
    };
    let pins =
        lines(&of(r#"{"a": [{"b": 1}, {"b": null}], "c": {"d": [1]}, "settings": {"x": 1}}"#));
    let expected = [
        "a list",
        "a[] object",
        "a[].b number",
        "c object",
        "c.d list",
        "c.d[] number",
        "settings object",
    ];
    assert_eq!(pins, expected);
    let gone = |text: &str| {
        let found = of(text);
        pins.iter().filter(|line| !holds(line, &found)).cloned().collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(gone(r#"{"a": [{"b": 1, "n": 2}], "c": {"d": [2]}, "settings": {}}"#), nothing);
    assert_eq!(gone(r#"{"a": [], "c": null, "settings": {}}"#), nothing);
    assert_eq!(gone(r#"{"a": [{"n": 1}], "c": {"d": []}, "settings": {}}"#), ["a[].b number"]);
    assert_eq!(gone(r#"{"a": [{"b": "1"}], "c": {"d": []}, "settings": {}}"#), ["a[].b number"]);
    assert_eq!(gone(r#"{"a": [], "settings": {}}"#), ["c object"]);
}
