//! Tables as they are: words, gaps, dates and groups, from a file to predictions and back.

mod common;

use common::{Place, Ran};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Rows of words, numbers with gaps, dates and names; the label goes with the colour and the size.
fn shop(rows: usize) -> String {
    let mut text = String::from("who,colour,size,since,left_a,left_b,right_a,right_b,bought\n");
    for row in 0..rows {
        let colour = ["red", "green", "blue", "green", "red"][row % 5];
        let size = (row * 7 % 11) as f64 / 2.0;
        let noise = |k: usize| ((row * (k + 3)) as f64 * 0.7).sin();
        let bought = if (colour == "red") != (size > 3.9) { "yes" } else { "no" };
        let size = if row % 17 == 3 { "NA".into() } else { size.to_string() };
        text += &format!(
            "p{row:04},{colour},{size},2024-{:02}-{:02},{},{},{},{},{bought}\n",
            1 + row % 12,
            1 + row % 28,
            noise(1),
            noise(2),
            noise(3),
            noise(4),
        );
    }
    text
}

fn model(place: &Place) -> Value {
    serde_json::from_str(&place.read("m.json")).unwrap()
}

fn selected(account: &Value) -> Vec<String> {
    let features = account["selected_features"].as_array().unwrap().iter();
    features.map(|feature| feature["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_table_fits_as_it_is() {
    let place = Place::new();
    place.write("shop.csv", shop(220));
    let ran = place.good("fit shop.csv --model m.json --report r.html --json");
    let names = selected(&ran.json());
    assert!(names.contains(&"colour".into()) && names.contains(&"size".into()), "{names:?}");
    for told in [
        "`colour` (3 levels) holds words",
        "`since` holds dates; days since 1970 are used",
        "`who` is left out",
        "13 cells are gaps, in `size`",
    ] {
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
    let model = model(&place);
    assert_eq!(model["schema"], 7);
    assert_eq!(model["feature_names"][0], "colour");
    assert_eq!(model["columns"][0]["kind"], "words");
    assert_eq!(model["columns"][0]["levels"], serde_json::json!(["blue", "green", "red"]));
    assert_eq!(model["columns"][2]["kind"], "date");
    let told = place.good("inspect m.json").out;
    assert!(told.contains("3 levels: blue, green, red"), "{told}");
    let json = place.good("inspect m.json --json").json();
    assert_eq!(json["columns"][1]["kind"], "number");
}

/// Training rows as test rows, rows in another order, rows in many pieces, and words that nobody
/// has seen.
#[test]
fn predictions_are_those_of_the_rows() {
    let place = Place::new();
    place.write("shop.csv", shop(220));
    let ran = place.good("fit shop.csv --model m.json --test shop.csv --json");
    assert!(ran.json()["test"]["accuracy"].as_f64().unwrap() > 0.9, "{}", ran.out);
    let plain = place.good("predict m.json shop.csv --keep who").out;
    // Columns in another order, without those that nobody needs.
    let lines: Vec<Vec<String>> =
        shop(220).lines().map(|line| line.split(',').map(String::from).collect()).collect();
    let needed = model(&place)["feature_names"].as_array().unwrap().len();
    assert_eq!(needed, 7);
    let turned: String = lines
        .iter()
        .map(|f| {
            format!("{},{},{},{},{},{},{},{}\n", f[7], f[6], f[5], f[4], f[3], f[2], f[1], f[0])
        })
        .collect();
    place.write("turned.csv", &turned);
    assert_eq!(place.good("predict m.json turned.csv --keep who").out, plain);
    // One row at a time.
    let row: String = shop(220).lines().take(2).map(|line| format!("{line}\n")).collect();
    let one = place.pipe("predict m.json - --keep who", row.as_bytes()).out;
    assert_eq!(one.lines().nth(1), plain.lines().nth(1));
    place.write("new.csv", turned.replace("green", "violet"));
    let ran = place.good("predict m.json new.csv --keep who");
    let cells = shop(220).matches("green").count();
    let told = format!(
        "note: {cells} cells of column `colour` hold words the model has not seen; they count as gaps"
    );
    assert!(ran.err.contains(&told), "{}", ran.err);
}

/// The order of rows changes neither the columns nor what is selected.
#[test]
fn the_order_of_rows_does_not_matter() {
    let place = Place::new();
    let text = shop(120);
    let mut lines: Vec<&str> = text.lines().collect();
    place.write("a.csv", &text);
    lines[1..].reverse();
    place.write("b.csv", lines.join("\n"));
    let of = |name: &str| {
        let account = place.good(&format!("fit {name} --model m.json --json")).json();
        (model(&place)["columns"].clone(), selected(&account))
    };
    assert_eq!(of("a.csv"), of("b.csv"));
}

#[test]
fn groups_are_features_from_a_file_or_by_a_pattern() {
    let place = Place::new();
    place.write("shop.csv", shop(120));
    let names = |arguments: &str| {
        place.good(&format!("fit shop.csv --model m.json {arguments}"));
        place.good("predict m.json shop.csv");
        model(&place)["feature_names"].clone()
    };
    let expected = serde_json::json!(["colour", "size", "since", "left", "right"]);
    assert_eq!(names("--group-by ^(left|right)_"), expected);
    place.write("g.csv", "column,group\nleft_a,left\nleft_b,left\nright_a,right\nright_b,right\n");
    assert_eq!(names("--groups g.csv"), expected);
    let model = model(&place);
    let features: Vec<u64> = model["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["feature"].as_u64().unwrap())
        .collect();
    assert_eq!(features, [0, 1, 2, 3, 3, 4, 4]);
    place.write("g.csv", "left_a,left\nleft_c,left\n");
    let ran = place.run("fit shop.csv --groups g.csv");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("the column `left_c` of g.csv is not there"), "{}", ran.err);
}

/// Fewer features than columns: what folds select is counted, named and drawn by features.
#[test]
fn groups_are_features_of_evaluations_too() {
    let place = Place::new();
    place.write("shop.csv", shop(120));
    let arguments = "evaluate shop.csv --group-by ^(left|right)_ --cv kfold:2 --json --fresh";
    for method in ["pfcvm-lp/certainty=off", "l1svm"] {
        let account = place.good(&format!("{arguments} --method {method} --report e.html")).json();
        assert_eq!(account["features"], 5, "{method}");
        let shares = account["selected"].as_object().unwrap();
        let known = ["colour", "size", "since", "left", "right"];
        assert!(shares.keys().all(|name| known.contains(&name.as_str())), "{shares:?}");
        assert!(place.read("e.html").contains("5 features"), "{method}");
    }
}

#[test]
fn what_a_user_says_of_columns_holds_in_predictions_too() {
    let place = Place::new();
    let text = shop(220).replace(",NA,", ",-999,");
    place.write("shop.csv", &text);
    let ran = place.good(
        "fit shop.csv --model m.json --missing -999 --kind who=ignore --kind since=words --json",
    );
    assert!(ran.err.contains("13 cells are gaps, in `size`"), "{}", ran.err);
    assert!(!ran.err.contains("`who`"), "{}", ran.err);
    let plain = place.good("predict m.json shop.csv").out;
    place.write("other.csv", text.replace(",-999,", ",n/a,"));
    assert_eq!(place.good("predict m.json other.csv").out, plain);
    place.write("other.csv", text.replace(",-999,", ",none,"));
    assert_eq!(place.good("predict m.json other.csv --missing none").out, plain);
}

#[test]
fn studies_take_such_tables() {
    let place = Place::new();
    place.write("shop.csv", shop(150));
    for method in ["pfcvm-lp", "svm", "pfcvm-panel"] {
        let account =
            place.good(&format!("evaluate shop.csv --method {method} --cv kfold:3 --json")).json();
        assert_eq!(account["features"], 7, "{method}");
        assert!(account["failed"].as_array().unwrap().is_empty(), "{method}: {account}");
    }
    place.good("compare shop.csv --methods pfcvm-lp,rvm --cv holdout:30x2");
    let rows = shop(150).replace(",yes\n", ",\n");
    let ran = place.run("evaluate shop.csv --cv kfold:3 --ignore colour");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    place.write("half.csv", rows);
    let ran = place.run("fit half.csv");
    assert!(ran.err.contains("all") && ran.err.contains("have the label `no`"), "{}", ran.err);
}

#[test]
fn a_bound_is_told_of_such_tables() {
    let place = Place::new();
    place.write("shop.csv", shop(150));
    place.good("fit shop.csv --model m.json");
    assert!(place.good("inspect m.json --bound shop.csv").out.contains("nats from the prior"));
}

/// A label that is a number of many values, where a column is called as labels are.
#[test]
fn the_message_says_which_label_to_give() {
    let place = Place::new();
    let rows: String =
        (0..40).map(|row| format!("{},{},{}\n", row % 2, row % 7, row * row)).collect();
    place.write("d.csv", format!("outcome,n,price\n{rows}"));
    let ran = place.run("fit d.csv");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("give --label outcome"), "{}", ran.err);
    place.good("fit d.csv --label outcome");
}

/// The same rows give the same model and the same predictions, whatever form they come in; a form
/// that was not built says so.
#[test]
fn every_form_of_a_table_is_the_same_table() {
    let place = Place::new();
    let doors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pfcvm-io/tests/doors");
    let copy = |name: &str| {
        std::fs::copy(doors.join(name), place.path(name)).unwrap();
    };
    copy("table.csv");
    let text = place.read("table.csv");
    place.write("shouted.csv", text.replace("True", "TRUE").replace("False", "FALSE"));
    let of = |name: &str, options: &str| {
        place.good(&format!("fit {name} {options} --model m.json --certainty off"));
        let said = place.good(&format!("predict m.json {name} {options} --keep colour,seen"));
        (model(&place)["columns"].clone(), said.out)
    };
    let (plain, shouted) = (of("table.csv", ""), of("shouted.csv", ""));
    assert_eq!(plain.1.lines().count(), 25);
    let forms = [
        ("table.xlsx", "--sheet Data", &shouted, "excel", cfg!(feature = "excel")),
        ("table.ods", "", &shouted, "excel", cfg!(feature = "excel")),
        ("snappy.parquet", "", &plain, "parquet", cfg!(feature = "parquet")),
        ("zstd.feather", "", &plain, "parquet", cfg!(feature = "parquet")),
    ];
    for (name, options, expected, feature, built) in forms {
        copy(name);
        if built {
            assert_eq!(of(name, options), *expected, "{name}");
        } else {
            let ran = place.run(&format!("fit {name}"));
            assert_eq!(ran.code, Some(3));
            assert!(ran.err.contains(&format!("--features {feature})")), "{}", ran.err);
        }
    }
}

/// All real tables fit as they are, and predict their own rows through a stream.
#[test]
fn real_tables_fit_as_they_are() {
    let Some(folder) = std::env::var_os("PFCVM_DATA").map(|at| PathBuf::from(at).join("tables"))
    else {
        println!("skipped: PFCVM_DATA is not set");
        return;
    };
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "arff"));
    files.sort();
    for file in files {
        let place = Place::new();
        let data = file.to_str().unwrap();
        let ran = Ran::of(
            place
                .command(&["fit", data, "--model", "m.json", "--certainty", "off"])
                .output()
                .unwrap(),
        );
        assert_eq!(ran.code, Some(0), "{data}: {}", ran.err);
        assert!(
            ran.err.lines().all(|line| line.starts_with("note: ") || line.starts_with("wrote ")),
            "{data}: {}",
            ran.err
        );
        let said = Ran::of(place.command(&["predict", "m.json", data]).output().unwrap());
        assert_eq!(said.code, Some(0), "{data}: {}", said.err);
        assert!(said.out.lines().count() > 100, "{data}");
    }
}
