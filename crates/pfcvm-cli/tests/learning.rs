//! Few labels, new labels: rows that look like none, rows to label next, learning on, rows without labels.

mod common;

use common::Place;
use serde_json::Value;

/// Points in two rings around the origin, and a column that has no part in it.
fn rings(rows: std::ops::Range<usize>) -> Vec<(f64, f64, f64, usize)> {
    let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840, 0.414214, 0.91][k]).fract();
    rows.map(|i| {
        let class = i % 2;
        let radius = 1.0 + class as f64 * 1.2 + 0.9 * spread(i, 0);
        let angle = std::f64::consts::TAU * spread(i, 1);
        (radius * angle.cos(), radius * angle.sin(), spread(i, 2), class)
    })
    .collect()
}

fn csv(rows: &[(f64, f64, f64, usize)]) -> String {
    let line = |(a, b, c, class): &(f64, f64, f64, usize)| format!("{a},{b},{c},{class}\n");
    String::from("a,b,c,label\n") + &rows.iter().map(line).collect::<String>()
}

fn lines(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

fn model(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).unwrap()
}

const FIT: &str = "--kernel rbf --samples few --threads 1";

#[test]
fn rows_that_look_like_none_are_told() {
    let place = Place::new();
    place.write("train.csv", csv(&rings(0..160)));
    place.write("near.csv", csv(&rings(200..300)));
    place.write("far.csv", "a,b,c\n0.5,1.5,0.5\n90,-40,0.5\n");
    place.good(&format!("fit train.csv --model m.json {FIT}"));
    let near = place.good("predict m.json near.csv");
    assert!(!near.err.contains("look like none"), "{}", near.err);
    let rows = lines(&near.out);
    assert_eq!(rows[0].last().unwrap(), "novelty");
    let far = rows[1..].iter().filter(|row| row[4].parse::<f64>().unwrap() > 1.0).count();
    assert!(far <= 5, "{far} of 100 where one is due");

    let ran = place.good("predict m.json far.csv --json");
    let told: Vec<Value> = ran.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(told[0]["novelty"].as_f64().unwrap() < 1.0);
    assert!(told[1]["novelty"].as_f64().unwrap() > 5.0);
    assert!(
        ran.err.contains("1 of 2 rows look like none") && ran.err.contains("row 2"),
        "{}",
        ran.err
    );
    // What moved a row comes behind it.
    let explained = place.good("predict m.json far.csv --explain").out;
    let header = explained.lines().next().unwrap().to_string();
    assert!(header.starts_with("label,probability,decision,variance,novelty,moved:a"), "{header}");
    // A model of the time before predicts without it.
    let mut old = model(&place, "m.json");
    old["machines"][0]["fitted"]["model"].as_object_mut().unwrap().remove("reach");
    place.write("old.json", old.to_string());
    let rows = lines(&place.good("predict old.json far.csv --unchecked").out);
    assert_eq!(rows[0].join(","), "label,probability,decision,variance");
    assert_eq!(rows[1][..4], lines(&place.good("predict m.json far.csv").out)[1][..4]);
}

#[test]
fn rows_to_label_next_are_suggested() {
    let place = Place::new();
    place.write("train.csv", csv(&rings(0..60)));
    let pool = csv(&rings(100..400));
    // The same row many times: asked for once, it has little more to tell.
    let twice = pool.lines().chain(pool.lines().skip(1)).collect::<Vec<_>>().join("\n");
    place.write("pool.csv", twice);
    place.good(&format!("fit train.csv --model m.json --certainty insist {FIT}"));
    let ran = place.good("suggest m.json pool.csv --count 8 --keep c");
    let rows = lines(&ran.out);
    assert_eq!(rows[0], ["c", "row", "gain"]);
    assert_eq!(rows.len(), 9);
    let numbers: Vec<usize> = rows[1..].iter().map(|row| row[1].parse().unwrap()).collect();
    let gains: Vec<f64> = rows[1..].iter().map(|row| row[2].parse().unwrap()).collect();
    assert!(gains.iter().all(|gain| *gain > 0.0) && gains.iter().sum::<f64>() < 1.0, "{gains:?}");
    let mut points: Vec<usize> = numbers.iter().map(|row| row % 300).collect();
    points.sort_unstable();
    points.dedup();
    assert!(points.len() > 6, "{numbers:?}");
    let kept: Vec<String> = rings(100..400).iter().map(|row| row.2.to_string()).collect();
    assert_eq!(rows[1][0], kept[numbers[0] % 300]);

    let json = place.good("suggest m.json pool.csv --count 2 --json").out;
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["row"], numbers[0]);
    assert_eq!(place.run("suggest m.json pool.csv --count 0").code, Some(2));
    place.write("other.csv", "x,y\n1,2\n");
    assert_eq!(place.run("suggest m.json other.csv").code, Some(3));
}

/// As long as all rows are kept, learning on is learning from everything, to the bit.
#[test]
fn learning_on_from_all_rows_is_learning_from_all_rows() {
    let place = Place::new();
    place.write("a.csv", csv(&rings(0..100)));
    place.write("b.csv", csv(&rings(100..160)));
    place.write("all.csv", csv(&rings(0..160)));
    place.write("new.csv", csv(&rings(200..250)));
    place.good(&format!("fit a.csv --model m.json --keep-rows {FIT}"));
    let ran = place.good("update m.json b.csv --model m.json --json");
    let account = ran.json();
    assert_eq!(account["update"]["rows_seen"], 160);
    assert_eq!(account["update"]["rows_kept"], 160);
    assert!(account["update"]["before"]["deviations"].as_f64().unwrap().abs() < 3.0);
    place.good(&format!("fit all.csv --model all.json {FIT}"));
    let said = |name: &str| place.good(&format!("predict {name} new.csv")).out;
    assert_eq!(said("m.json"), said("all.json"));
    // A model that keeps no rows has none to learn on from.
    let ran = place.run("update all.json b.csv --model n.json");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("--keep-rows"), "{}", ran.err);
    assert!(!place.files().contains(&"n.json".to_string()));
}

/// A kernel that was found out from few rows is found out again.
#[test]
fn the_first_rows_do_not_decide_for_good() {
    let place = Place::new();
    let table = |range: std::ops::Range<usize>| {
        let noise = |i: usize, k: usize| ((i * 7 + k * 13) as f64 * 0.618).fract();
        let row = |(i, (a, b, c, class)): (usize, (f64, f64, f64, usize))| {
            let more: String = (0..9).map(|k| format!("{},", noise(i, k))).collect();
            format!("{a},{b},{c},{more}{class}\n")
        };
        let rows: String = range.clone().zip(rings(range)).map(row).collect::<Vec<_>>().concat();
        let names: String = (0..9).map(|k| format!("n{k},")).collect();
        format!("a,b,c,{names}label\n{rows}")
    };
    place.write("a.csv", table(0..10));
    place.write("b.csv", table(10..150));
    place.write("all.csv", table(0..150));
    place.good("fit a.csv --model m.json --keep-rows --certainty off");
    // More columns than rows: a panel, which nobody asked for.
    assert_eq!(model(&place, "m.json")["choice"]["panel"], true);
    place.good("update m.json b.csv --model m.json");
    place.good("fit all.csv --model all.json --certainty off");
    let now = model(&place, "m.json");
    assert_eq!(now["settings"], model(&place, "all.json")["settings"]);
    assert_eq!(now["choice"]["reason"], "no-clear-difference");
    let said = |name: &str| place.good(&format!("predict {name} a.csv")).out;
    assert_eq!(said("m.json"), said("all.json"));
}

#[test]
fn the_file_stays_bounded_and_old_rows_can_be_forgotten() {
    let place = Place::new();
    place.write("a.csv", csv(&rings(0..100)));
    place.good(&format!("fit a.csv --model m.json --keep-rows 80 --certainty off {FIT}"));
    for batch in 0..4 {
        let start = 100 + 60 * batch;
        // The rule turns: the classes change sides.
        let turned: Vec<_> = rings(start..start + 60)
            .into_iter()
            .map(|(a, b, c, class)| (a, b, c, 1 - class))
            .collect();
        place.write("b.csv", csv(&turned));
        let ran = place.good("update m.json b.csv --model m.json --half-life 40");
        let surprised = ran.err.contains("are not what the model expects");
        assert_eq!(surprised, batch == 0, "{batch}: {}", ran.err);
        // It is learned from the first rows on, because what was seen before is let go at once.
        assert_eq!(ran.err.contains("the rule has turned"), batch == 0, "{batch}: {}", ran.err);
        assert_eq!(model(&place, "m.json")["seen"]["rows"].as_array().unwrap().len(), 80);
    }
    let turned: Vec<_> =
        rings(500..600).into_iter().map(|(a, b, c, class)| (a, b, c, 1 - class)).collect();
    place.write("new.csv", csv(&turned));
    let said = lines(&place.good("predict m.json new.csv").out);
    let right = said[1..].iter().zip(&turned).filter(|(row, t)| row[0] == t.3.to_string()).count();
    assert!(right > 85, "{right} of 100");
    assert_eq!(model(&place, "m.json")["training_rows"], 340);
}

#[test]
fn a_new_class_a_new_word_and_a_column_that_is_gone() {
    let place = Place::new();
    let row = |i: usize, words: [&str; 3]| {
        let class = i % 3;
        let noise = (i as f64 * 0.618).fract();
        format!("{},{},{}\n", words[class], noise + class as f64, ["x", "y", "z"][class])
    };
    let table = |rows: &mut dyn Iterator<Item = usize>, words: [&str; 3]| {
        String::from("colour,size,label\n") + &rows.map(|i| row(i, words)).collect::<String>()
    };
    let two = &mut (0..120).filter(|i| i % 3 < 2);
    place.write("a.csv", table(two, ["red", "blue", "?"]));
    place.write("b.csv", table(&mut (120..210), ["red", "blue", "green"]));
    place.write("c.csv", "size,label\n0.4,x\n1.4,y\n0.1,x\n2.2,z\n");
    place.good(&format!("fit a.csv --model m.json --keep-rows {FIT}"));
    let ran = place.run("update m.json b.csv --model m.json");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("`z`, which the model does not know"), "{}", ran.err);
    let ran = place.good("update m.json b.csv --model m.json --new-classes");
    assert!(ran.err.contains("`z` is a new class, of 30 rows"), "{}", ran.err);
    assert!(ran.err.contains("column `colour`: 1 new words are learned"), "{}", ran.err);
    let now = model(&place, "m.json");
    assert_eq!(now["classes"], serde_json::json!(["x", "y", "z"]));
    assert_eq!(now["class_rows"], serde_json::json!([70, 70, 30]));
    place.write("new.csv", "colour,size\ngreen,2.5\nred,0.5\n");
    let said = lines(&place.good("predict m.json new.csv").out);
    assert_eq!((said[1][0].as_str(), said[2][0].as_str()), ("z", "x"));

    let ran = place.good("update m.json c.csv --model m.json");
    assert!(ran.err.contains("column `colour` is not there"), "{}", ran.err);
    assert_eq!(model(&place, "m.json")["class_rows"], serde_json::json!([72, 71, 31]));
}

#[test]
fn data_of_another_kind_are_refused_and_the_model_stays() {
    let place = Place::new();
    place.write("a.csv", csv(&rings(0..100)));
    place.good(&format!("fit a.csv --model m.json --keep-rows --certainty off {FIT}"));
    let before = place.read("m.json");
    place.write("words.csv", "a,b,c,label\nred,1,2,0\nblue,2,1,1\nred,3,1,0\nblue,1,1,1\n");
    place.write("others.csv", "u,v,w,label\n1,1,2,0\n2,2,1,1\n");
    place.write("empty.csv", "a,b,c,label\n");
    place.write("torn.csv", "a,b,c,label\n1,2\n");
    for (file, told) in [
        ("words.csv", "column `a` held numbers"),
        ("others.csv", "3 of the 3 columns"),
        ("empty.csv", "empty.csv"),
        ("torn.csv", "torn.csv"),
    ] {
        let ran = place.run(&format!("update m.json {file} --model m.json"));
        assert_eq!(ran.code, Some(3), "{file}: {}", ran.err);
        let last = ran.err.lines().last().unwrap();
        assert!(last.contains(told), "{file}: {}", ran.err);
    }
    assert_eq!(place.read("m.json"), before);
    assert_eq!(place.files().len(), 6);
}

#[test]
fn rows_without_labels_help_or_are_left_alone() {
    let place = Place::new();
    // Labels in the first rows only; the same file has the others.
    let rows = rings(0..300);
    let text: String = rows
        .iter()
        .enumerate()
        .map(|(i, (a, b, c, class))| {
            let label = if i < 24 { class.to_string() } else { String::new() };
            format!("{a},{b},{c},{label}\n")
        })
        .collect();
    place.write("some.csv", format!("a,b,c,label\n{text}"));
    place.write("new.csv", csv(&rings(400..600)));
    let ran = place.good(&format!(
        "fit some.csv --unlabelled some.csv --model m.json --test new.csv --json {FIT}"
    ));
    let account = ran.json();
    let found = &account["unlabelled"];
    assert_eq!(found["rows"], 276);
    let figures = ["with", "without"].map(|key| found[key].as_f64().unwrap());
    assert_eq!(found["used"], figures[0] < figures[1], "{found}");
    assert!(ran.err.contains("rows without a label"), "{}", ran.err);
    assert_eq!(account["class_rows"], serde_json::json!([12, 12]));
    // The same words of a file that is read back.
    assert_eq!(place.good("inspect m.json --json").json()["unlabelled"], *found);
    let ran = place.run("fit new.csv --unlabelled new.csv");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("every row has a label"), "{}", ran.err);
}
