//! Rows as other programs write them: with row numbers, identifiers and gaps.

mod common;

use common::Place;
use serde_json::Value;

/// Waveforms and a model of them.
fn fitted() -> Place {
    let place = Place::new();
    place.good("generate waveform --n 200 --seed 5 --out train.csv");
    place.good("generate waveform --n 30 --seed 6 --out test.csv");
    place.good("fit train.csv --model m.json");
    place
}

/// The lines of a file with something before each: `first` before the header.
fn before(text: &str, first: &str, each: impl Fn(usize) -> String) -> String {
    let line = |(at, line): (usize, &str)| match at {
        0 => format!("{first},{line}\n"),
        _ => format!("{},{line}\n", each(at - 1)),
    };
    text.lines().enumerate().map(line).collect()
}

fn feature_names(model: &Value) -> Vec<String> {
    serde_json::from_value(model["feature_names"].clone()).unwrap()
}

#[test]
fn row_numbers_are_no_feature() {
    let place = fitted();
    let text = place.read("train.csv");
    let shuffled = |row: usize| ((row * 37) % 200).to_string();
    let cases = [
        ("pandas", before(&text, "", |row| row.to_string())),
        ("pandas twice", before(&text, "Unnamed: 0", |row| row.to_string())),
        ("R", before(&text, "\"\"", |row| format!("\"{}\"", row + 1))),
        ("shuffled", before(&text, "", shuffled)),
    ];
    let plain: Value = serde_json::from_str(&place.read("m.json")).unwrap();
    for (what, data) in cases {
        place.write("data.csv", data);
        let ran = place.good("fit data.csv --model n.json");
        assert!(ran.err.contains("the first column numbers the rows"), "{what}: {}", ran.err);
        let model: Value = serde_json::from_str(&place.read("n.json")).unwrap();
        assert_eq!(model, plain, "{what}");
        let ran = place.good("predict n.json data.csv");
        assert!(ran.err.contains("the first column numbers the rows"), "{what}: {}", ran.err);
        assert_eq!(ran.out, place.good("predict m.json train.csv").out, "{what}");
    }
    // Without any names, too, where they count for a while.
    let bare = before(&text, "", |row| row.to_string());
    place.write("bare.csv", bare.split_once('\n').unwrap().1);
    let ran = place.good("fit bare.csv --model n.json");
    assert!(ran.err.contains("the first column numbers the rows"), "{}", ran.err);
    let model: Value = serde_json::from_str(&place.read("n.json")).unwrap();
    assert_eq!(model["machines"][0]["fitted"], plain["machines"][0]["fitted"]);
    // A name makes it a feature.
    place.write("named.csv", before(&text, "time", |row| row.to_string()));
    place.good("fit named.csv --model n.json");
    let model: Value = serde_json::from_str(&place.read("n.json")).unwrap();
    assert_eq!(feature_names(&model)[0], "time");
    // Numbers that come again are no row numbers.
    place.write("again.csv", before(&text, "", |row| (row % 7).to_string()));
    place.good("fit again.csv --model n.json");
    let model: Value = serde_json::from_str(&place.read("n.json")).unwrap();
    assert_eq!(feature_names(&model)[0], "column1");
}

/// The test file with gaps in a needed feature of rows 0 and 4, and in one that nobody needs.
fn gaps(place: &Place) -> String {
    let model = place.good("inspect m.json --json").json();
    let needed: Vec<u64> = model["selected_features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| feature["index"].as_u64().unwrap())
        .collect();
    let spare = (0..40).find(|k| !needed.contains(k)).unwrap() as usize;
    let text = place.read("test.csv");
    let line = |(at, line): (usize, &str)| {
        let mut fields: Vec<&str> = line.split(',').collect();
        match at {
            1 => fields[needed[0] as usize] = "",
            5 => fields[needed[0] as usize] = "NaN",
            7 => fields[spare] = "n/a",
            _ => {}
        }
        fields.join(",") + "\n"
    };
    text.lines().enumerate().map(line).collect()
}

#[test]
fn a_row_with_a_gap_is_predicted_and_told() {
    let place = fitted();
    let all: Vec<String> =
        place.good("predict m.json test.csv").out.lines().map(String::from).collect();
    place.write("gaps.csv", gaps(&place));
    let ran = place.good("predict m.json gaps.csv");
    assert!(ran.err.contains("2 of 30 rows lack a value"), "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 31);
    for (at, line) in ran.out.lines().enumerate() {
        assert_eq!(line == all[at], ![1, 5].contains(&at), "{line}");
        assert!(line.split(',').all(|field| !field.is_empty()), "{line}");
    }
    // What is no number is a gap too, and told.
    place.write("bad.csv", gaps(&place).replace("NaN", "high"));
    let bad = place.good("predict m.json bad.csv");
    assert_eq!(bad.out, ran.out);
    assert!(bad.err.contains("1 cell of column `"), "{}", bad.err);
    assert!(bad.err.contains("holds no number; it counts as a gap"), "{}", bad.err);
    // Fits take them as they are.
    let fit = place.good("fit gaps.csv");
    assert!(fit.err.contains("note: 3 cells are gaps, in "), "{}", fit.err);
}

#[test]
fn several_classes_are_predicted_from_gaps_too() {
    let place = Place::new();
    place.good("generate waveform-three --n 150 --out data.csv");
    place.good("fit data.csv --kernel linear --model m.json");
    let mut lines: Vec<String> = place.read("data.csv").lines().map(String::from).collect();
    lines[2] = lines[2].split(',').map(|_| "").collect::<Vec<_>>().join(",");
    place.write("gaps.csv", lines.join("\n"));
    let json = place.good("predict m.json gaps.csv --json").out;
    let second: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!(second["probabilities"].as_object().unwrap().len(), 3, "{second}");
    assert_eq!(second["variances"].as_array().unwrap().len(), 3, "{second}");
}

#[test]
fn identifiers_are_passed_through() {
    let place = fitted();
    let text = before(&place.read("test.csv"), "id,\"who, if any\"", |row| {
        format!("{:03},\"row \"\"{row}\"\"\"", row)
    });
    place.write("named.csv", text);
    let out = Vec::from_iter(["predict", "m.json", "named.csv", "--keep", "id", "--keep", "label"]);
    let ran = common::Ran::of(place.command(&out).output().unwrap());
    let plain = place.good("predict m.json test.csv").out;
    let mut lines = ran.out.lines().zip(plain.lines());
    assert_eq!(lines.next().unwrap().0, "id,label,label,probability,decision,variance,novelty");
    for (row, (kept, plain)) in lines.enumerate() {
        let (id, rest) = kept.split_once(',').unwrap();
        assert_eq!(id, format!("{row:03}"));
        assert_eq!(rest.split_once(',').unwrap().1, plain);
    }
    let ran = place.good("predict m.json named.csv --keep id --json");
    let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["kept"]["id"], "000");
    let arguments = ["predict", "m.json", "named.csv", "--keep", "nobody"];
    let ran = common::Ran::of(place.command(&arguments).output().unwrap());
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("nobody"), "{}", ran.err);
    place.write("rows.svm", "1 1:2 2:3\n");
    assert_eq!(place.run("predict m.json rows.svm --keep x1").code, Some(2));
}
