//! What features do, in words and JSON, and what moved each row.

mod common;

use common::Place;
use serde_json::{Value, json};

/// Words, numbers with gaps, and noise; the label goes with the colour and the size.
fn shop(rows: usize) -> String {
    let mut text = String::from("colour,size,noise,bought\n");
    for row in 0..rows {
        let colour = ["red", "green", "blue", "green", "red"][row % 5];
        let size = (row * 7 % 11) as f64 / 2.0;
        let noise = (row as f64 * 2.7).sin();
        let odd = row % 19 == 0;
        let bought = if ((colour == "red") != (size > 3.9)) != odd { "yes" } else { "no" };
        let size = if row % 17 == 3 { "NA".into() } else { size.to_string() };
        text += &format!("{colour},{size},{noise},{bought}\n");
    }
    text
}

fn fitted() -> Place {
    let place = Place::new();
    place.write("shop.csv", shop(220));
    place.good("fit shop.csv --kernel rbf --model m.json");
    place
}

fn column<'a>(account: &'a Value, name: &str) -> &'a Value {
    let columns = account["effects"]["columns"].as_array().unwrap();
    columns.iter().find(|column| column["name"] == name).unwrap()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn effects_are_told_in_words_and_json() {
    let place = fitted();
    let account = place.good("inspect m.json --json").json();
    let colour = column(&account, "colour");
    assert_eq!((&colour["kind"], &colour["shape"]), (&json!("words"), &json!("differs")));
    assert_eq!(colour["words"], json!([["blue"], ["green"], ["red"]]));
    assert_eq!(numbers(&colour["deviation"]).len(), 3);
    let size = column(&account, "size");
    assert_eq!((&size["kind"], numbers(&size["values"]).len()), (&json!("number"), 21));
    assert_eq!(numbers(&size["effect"])[10], 0.0);
    assert_eq!(numbers(&size["gap"]).len(), 2);
    let pair = &account["effects"]["pair"];
    let names = [&pair["columns"][0]["name"], &pair["columns"][1]["name"]];
    assert_eq!(names, ["colour", "size"]);
    assert_eq!(numbers(&pair["effect"][2]).len(), 15);
    // Small and red, large and not red.
    let words = pair["columns"][0]["words"].as_array().unwrap();
    let joint = |word: &str, size: usize| {
        let at = words.iter().position(|words| words == &json!([word])).unwrap();
        numbers(&pair["effect"][at])[size]
    };
    assert!(joint("red", 3) > joint("red", 12), "{pair}");
    assert!(joint("blue", 12) > joint("blue", 3), "{pair}");
    let told = place.good("inspect m.json").out;
    for part in ["What the features do", "differs", "act together", "log odds of “yes”"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let fitted = place.good("fit shop.csv --report r.html --json").json();
    assert_eq!(fitted["effects"], account["effects"]);
    assert!(place.read("r.html").contains("effect-pair"));
}

/// The table of a CSV.
fn table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut lines =
        text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<String>>());
    (lines.next().unwrap(), lines.collect())
}

#[test]
fn rows_say_what_moved_them() {
    let place = fitted();
    let (head, plain) = table(&place.good("predict m.json shop.csv").out);
    let text = place.good("predict m.json shop.csv --explain").out;
    let (names, rows) = table(&text);
    assert_eq!(names[..head.len()], head[..]);
    let at = |name: &str| names.iter().position(|column| column == name).unwrap();
    let number = |row: &[String], at: usize| row[at].parse::<f64>().unwrap();
    let decision = |rows: &[Vec<String>], row: usize| rows[row][2].parse::<f64>().unwrap();
    // All sizes at their mean.
    let lines: Vec<Vec<String>> = table(&shop(220)).1;
    let sizes: Vec<f64> = lines.iter().filter_map(|line| line[1].parse().ok()).collect();
    let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
    let with = |colour: Option<&str>, size: Option<f64>| {
        let mut text = String::from("colour,size,noise\n");
        for line in &lines {
            let colour = colour.unwrap_or(&line[0]);
            let size = size.map_or_else(|| line[1].clone(), |size| size.to_string());
            text += &format!("{colour},{size},{}\n", line[2]);
        }
        place.write("other.csv", text);
        table(&place.good("predict m.json other.csv").out).1
    };
    let level = with(None, Some(mean));
    let words = ["blue", "green", "red"].map(|word| with(Some(word), None));
    let share = |word: &str| lines.iter().filter(|line| line[0] == word).count() as f64 / 220.0;
    let shares = ["blue", "green", "red"].map(share);
    for (row, cells) in rows.iter().enumerate() {
        assert_eq!(cells[..head.len()], plain[row][..]);
        let f = decision(&plain, row);
        let moved = number(cells, at("moved:size"));
        assert!((moved - (f - decision(&level, row))).abs() < 1e-6, "{moved}");
        let expected: f64 = (0..3).map(|w| shares[w] * decision(&words[w], row)).sum();
        let moved = number(cells, at("moved:colour"));
        assert!((moved - (f - expected)).abs() < 1e-6, "{moved}");
        let like: usize = cells[at("alike_1_row")].parse().unwrap();
        assert_eq!(cells[at("alike_1_label")], lines[like][3]);
        assert!((0.0..=1.0).contains(&number(cells, at("alike_1_kernel"))));
    }
    let object: Value = {
        let all = place.good("predict m.json shop.csv --explain --json").out;
        serde_json::from_str(all.lines().nth(6).unwrap()).unwrap()
    };
    let said = &object["explain"];
    assert_eq!(said["moved"]["size"].as_f64(), Some(number(&rows[6], at("moved:size"))));
    assert_eq!(said["alike"][0]["row"].to_string(), rows[6][at("alike_1_row")]);
    assert_eq!(said["alike"][0]["label"], rows[6][at("alike_1_label")]);
    let streamed = place.pipe("predict m.json - --explain", shop(220).as_bytes());
    assert_eq!(streamed.out, text);
}

#[test]
fn several_machines_explain_themselves_one_by_one() {
    let place = Place::new();
    let row = |k: usize| format!("{},{},c{}\n", k % 3 * 10 + k % 7, (k as f64).sin(), k % 3);
    place.write("d.csv", "a,b,class\n".to_owned() + &(0..90).map(row).collect::<String>());
    // The first row has the smallest value, as all of class c0 have small ones: it speaks against c1
    // beside c0, and for c0 beside all.
    for (scheme, negative, side) in [("one-vs-one", json!("c1"), -1.0), ("joint", json!(null), 1.0)]
    {
        place.good(&format!("fit d.csv --model m.json --scheme {scheme}"));
        let account = place.good("inspect m.json --json").json();
        let machines = account["machines"].as_array().unwrap();
        assert!(machines.iter().all(|machine| machine["effects"]["columns"][0]["name"] == "a"));
        assert!(account["effects"].is_null(), "every machine has its own");
        let ran = place.run("predict m.json d.csv --explain");
        assert_eq!(ran.code, Some(2));
        let told = "--explain with more than two classes needs --json";
        assert!(ran.err.contains(told), "{}", ran.err);
        let said = place.good("predict m.json d.csv --explain --json").out;
        let first: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
        let explained = first["explain"].as_array().unwrap();
        assert_eq!(explained.len(), 3);
        let third = (&explained[2]["positive"], &explained[2]["negative"]);
        assert_eq!(third, (&json!("c2"), &negative));
        assert!(side * explained[0]["moved"]["a"].as_f64().unwrap() > 0.0, "{first}");
    }
}

#[test]
fn a_panel_has_effects_but_no_samples() {
    let place = Place::new();
    place.good("generate waveform --n 120 --seed 3 --out w.csv");
    place.good("fit w.csv --panel 5 --model m.json");
    let account = place.good("inspect m.json --json").json();
    assert_eq!(account["effects"]["columns"].as_array().unwrap().len(), 5);
    let (names, _) = table(&place.good("predict m.json w.csv --explain").out);
    assert_eq!(names.iter().filter(|name| name.starts_with("moved:")).count(), 5);
    assert!(!names.iter().any(|name| name.starts_with("alike")));
}

/// What a listed feature moved is a difference of predictions, also where all features have their say.
#[test]
fn a_model_for_accuracy_explains_its_list() {
    let place = Place::new();
    place.write("shop.csv", shop(220));
    let account = place.good("fit shop.csv --model m.json --goal accuracy --json").json();
    assert_eq!(
        (&account["settings"]["samples"], &account["goal"]),
        (&json!("dense"), &json!("accuracy"))
    );
    assert_eq!(account["n_features_needed"], 3);
    let listed: Vec<&str> = account["selected_features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| feature["name"].as_str().unwrap())
        .collect();
    assert!(listed.contains(&"size") && listed.len() < 3, "{listed:?}");
    let effects = account["effects"]["columns"].as_array().unwrap();
    assert_eq!(effects.len(), listed.len(), "only listed features are told of");
    // The mean of the sizes that are known.
    let sizes = (0..220).filter(|row| row % 17 != 3).map(|row| (row * 7 % 11) as f64 / 2.0);
    let sizes: Vec<f64> = sizes.collect();
    let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
    place.write("rows.csv", format!("colour,size,noise\nred,1.5,0.3\nred,{mean},0.3\n"));
    let rows = place.good("predict m.json rows.csv --explain --json").out;
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let decision = |row: usize| rows[row]["decision"].as_f64().unwrap();
    let moved = rows[0]["explain"]["moved"]["size"].as_f64().unwrap();
    assert!((moved - (decision(0) - decision(1))).abs() < 1e-9, "{moved}");
    // Samples can be asked for all the same, and panels have both goals.
    let few =
        place.good("fit shop.csv --goal accuracy --samples few --json --certainty off").json();
    assert_eq!(few["settings"]["samples"], "few");
    let panel = place.good("fit shop.csv --goal accuracy --panel 1 --model p.json --json").json();
    assert_eq!((&panel["goal"], &panel["uses_all_features"]), (&"accuracy".into(), &true.into()));
    assert!(panel["held_out"]["goals"]["gain"].is_number(), "{panel:#}");
    let rows = place.good("predict p.json rows.csv --explain --json").out;
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The list is told of, and what is not on it has its say.
    let moved = |row: usize| rows[row]["explain"]["moved"].as_object().unwrap().len();
    assert_eq!((moved(0), moved(1)), (1, 1));
    assert_ne!(rows[0]["decision"], rows[1]["decision"]);
    let bound = place.run("inspect m.json --bound shop.csv");
    assert!(bound.err.contains("a model for accuracy has no bound"), "{}", bound.err);
}
