//! Files that are read again and again instead of being held.

mod common;

use common::Place;
use serde_json::Value;
use std::fmt::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Numbers in 0..1, as if drawn.
fn spread(i: usize, k: usize) -> f64 {
    let mut z = ((i * 8 + k) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 11) as f64 / (1u64 << 53) as f64
}

/// A number, a word and a number with gaps; the word and the first number decide. Some rows may have no label.
fn table(rows: usize, without_label: bool) -> String {
    let mut text = String::from("a,word,b,class\n");
    for i in 0..rows {
        let (a, b) = (2.0 * spread(i, 0) - 1.0, spread(i, 1));
        let word = ["red", "green", "blue"][(3.0 * spread(i, 2)) as usize];
        let f = 4.0 * a * a - 1.0 + if word == "red" { 1.5 } else { -0.5 };
        let class = match spread(i, 3) < 1.0 / (1.0 + (-f).exp()) {
            _ if without_label && i % 1000 == 7 => "",
            true => "yes",
            false => "no",
        };
        let b = if i % 13 == 0 { String::new() } else { format!("{b:.4}") };
        writeln!(text, "{a:.5},{word},{b},{class}").unwrap();
    }
    text
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// What is learned part by part is what is learned from the same rows in memory, but for rounding.
#[test]
fn parts_of_a_file_say_what_all_of_it_says() {
    let place = Place::new();
    place.write("rows.csv", table(21_000, false));
    let whole = json(&place.good("fit rows.csv --kernel rbf --json --model whole.json").out);
    let parts =
        json(&place.good("fit rows.csv --kernel rbf --json --model parts.json --stream").out);
    for key in ["classes", "class_rows", "selected_features"] {
        assert!(
            !whole[key].is_null()
                && whole[key].as_array().map(Vec::len) == parts[key].as_array().map(Vec::len),
            "{key}"
        );
    }
    let loss = |about: &Value| about["machines"][0]["held_out"]["log_loss"].as_f64().unwrap();
    assert!((loss(&whole) - loss(&parts)).abs() < 1e-6, "{} {}", loss(&whole), loss(&parts));
    let names = |about: &Value| -> Vec<String> {
        let features = about["selected_features"].as_array().unwrap();
        features.iter().map(|one| one["name"].as_str().unwrap().into()).collect()
    };
    assert_eq!(names(&whole), names(&parts));
    assert!(["a", "word"].iter().all(|name| names(&whole).contains(&name.to_string())));
    assert_eq!(place.files(), ["parts.json", "rows.csv", "whole.json"]);
    // On one thread as on several.
    place.good("fit rows.csv --kernel rbf --model one.json --stream --threads 1");
    assert_eq!(place.read("one.json"), place.read("parts.json"));
}

/// Killed between two passes, the same command goes on and ends as if nothing had happened.
#[test]
fn a_fit_that_was_killed_goes_on() {
    let place = Place::new();
    place.write("rows.csv", table(21_000, true));
    let arguments = "fit rows.csv --kernel rbf --stream --model m.json";
    let words: Vec<&str> = arguments.split(' ').collect();
    let mut child =
        place.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (stored, start) = (place.path("m.json.unfinished"), Instant::now());
    while !stored.exists() && start.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(stored.exists() && !place.path("m.json").exists(), "it was over too soon");
    let unfinished = place.read("m.json.unfinished");
    let ran = place.good(arguments);
    assert!(ran.err.contains("going on from"), "{}", ran.err);
    let resumed = place.read("m.json");
    place.good(arguments);
    assert_eq!(place.read("m.json"), resumed);
    assert_eq!(place.files(), ["m.json", "rows.csv"]);
    // What another command left is not taken for its own, nor what has changed since.
    let changed = unfinished.replacen("\"passes\":", "\"passes\":1", 1);
    for other in ["{}", &changed, &unfinished[..unfinished.len() / 2]] {
        assert_ne!(other, unfinished);
        place.write("m.json.unfinished", other);
        let ran = place.good(arguments);
        assert!(ran.err.contains("is of another fit or damaged"), "{}", ran.err);
        assert_eq!(place.read("m.json"), resumed);
    }
}

/// A table that the memory limit does not allow is read part by part, and learned as with `--stream`; where the limit does, it is
/// not. What cannot be done part by part is refused, and a limit that not even some rows fit is.
#[test]
fn what_does_not_fit_is_read_part_by_part() {
    let place = Place::new();
    let (rows, columns) = (30_000, 60);
    let mut text: String = (0..columns).map(|k| format!("x{k},")).collect();
    text.push_str("class\n");
    for i in 0..rows {
        (0..columns).for_each(|k| write!(text, "{:.2},", spread(10 * i + k / 8, k % 8)).unwrap());
        let decides = spread(10 * i, 1) + 0.3 * spread(10 * i + 9, 0) > 0.65;
        writeln!(text, "{}", if decides { "yes" } else { "no" }).unwrap();
    }
    place.write("wide.csv", text);
    // 30,000 rows of 60 numbers, twice: 28 MiB.
    let arguments = "fit wide.csv --kernel linear --certainty off --max-basis 50";
    let few = place.good(&format!("{arguments} --memory-limit 25 --model few.json"));
    assert!(few.err.contains("the limit of 25 MiB"), "{}", few.err);
    assert!(few.err.contains("is read part by part instead (--stream)"), "{}", few.err);
    assert!(!few.err.contains("without a label"), "{}", few.err);
    let much = place.good(&format!("{arguments} --memory-limit 100 --model much.json"));
    assert!(!much.err.contains("part by part"), "{}", much.err);
    place.good(&format!("{arguments} --stream --memory-limit 25 --model told.json"));
    assert_eq!(place.read("few.json"), place.read("told.json"));
    let names = |file: &str| {
        json(&place.good(&format!("inspect {file} --json")).out)["selected_features"].clone()
    };
    assert_eq!(names("few.json"), names("much.json"));
    for (more, expected) in [("25 --goal accuracy", "limit of 25 MiB"), ("5", "limit of 5 MiB")] {
        let ran = place.run(&format!("{arguments} --memory-limit {more}"));
        assert_eq!(ran.code, Some(3), "{more}: {}", ran.err);
        assert!(
            ran.err.contains(expected) && !ran.err.contains("part by part"),
            "{more}: {}",
            ran.err
        );
    }
}

#[test]
fn what_cannot_be_done_part_by_part_is_said() {
    let place = Place::new();
    place.write("rows.csv", table(50, true));
    place.write("rows.svm", "1 1:2\n0 1:3\n");
    let cases = [
        ("fit - --stream", 2, "read only once"),
        ("fit rows.csv --stream --goal accuracy", 2, "--goal accuracy"),
        ("fit rows.csv --stream --scheme one-vs-one", 2, "--scheme"),
        ("fit rows.csv --stream --unlabelled rows.csv", 2, "--unlabelled"),
        ("fit rows.csv --stream --price", 2, "--price"),
        ("fit rows.svm --stream", 3, "columns are known at its end"),
        ("fit nothing.csv --stream", 3, "nothing.csv: cannot be read"),
    ];
    for (arguments, code, expected) in cases {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(expected), "{arguments}: {}", ran.err);
    }
}
