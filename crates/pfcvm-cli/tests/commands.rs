//! Every command, driven as a process.

#[path = "commands/app.rs"]
mod app;
mod common;

use common::Place;
use serde_json::Value;

/// Waveforms to learn from and others to test on.
fn waveforms() -> Place {
    let place = Place::new();
    place.good("generate waveform --n 300 --seed 5 --out train.csv");
    place.good("generate waveform --n 200 --seed 6 --out test.csv");
    place
}

fn names(account: &Value) -> Vec<&str> {
    let features = account["selected_features"].as_array().unwrap();
    features.iter().map(|feature| feature["name"].as_str().unwrap()).collect()
}

#[test]
fn fit_tells_everything_in_json() {
    let place = waveforms();
    let ran = place.good("fit train.csv --model m.json --report r.html --test test.csv --json");
    let account = ran.json();
    for key in ["iterations", "log_evidence", "n_features_in", "bias", "seconds"] {
        assert!(account[key].is_number(), "{key}: {}", account[key]);
    }
    assert_eq!(account["termination"], "converged");
    assert_eq!(account["n_features_in"], 40);
    assert_eq!(account["classes"], serde_json::json!(["0", "1"]));
    for feature in account["selected_features"].as_array().unwrap() {
        let index = feature["index"].as_u64().unwrap();
        assert_eq!(feature["name"], format!("x{}", index + 1));
        for key in ["weight", "precision", "deviation"] {
            assert!(feature[key].as_f64().unwrap() > 0.0, "{feature}");
        }
    }
    for sample in account["selected_samples"].as_array().unwrap() {
        // The generator's classes take turns.
        let index = sample["index"].as_u64().unwrap();
        assert_eq!(sample["label"], (index % 2).to_string());
        assert!(index < 300 && sample["weight"].as_f64().unwrap() > 0.0);
    }
    let trace = account["trace"].as_array().unwrap();
    assert_eq!(trace.len() as u64, account["iterations"].as_u64().unwrap());
    for key in ["number", "samples", "features", "log_evidence", "seconds"] {
        assert!(trace[0][key].is_number(), "{key}");
    }
    for key in ["accuracy", "auc", "log_loss"] {
        assert!(account["test"][key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!(place.files(), ["m.json", "r.html", "test.csv", "train.csv"]);
    assert_eq!(ran.err, "wrote m.json\nwrote r.html\n");
}

#[test]
fn fit_tells_the_same_in_words() {
    let place = waveforms();
    let ran = place.good("fit train.csv --test test.csv");
    let words = ["Accuracy", "Log loss", "AUC", "kept of 40", "kept of 300", "█", "seed 0"];
    for word in words.into_iter().chain(["False alarm", "are expected to be false"]) {
        assert!(ran.out.contains(word), "`{word}` is missing in:\n{}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}') && ran.err.contains("--model FILE"), "{}", ran.err);
}

#[test]
fn predict_agrees_with_fit_and_knows_columns_by_name() {
    let place = waveforms();
    let account = place.good("fit train.csv --model m.json --test test.csv --json").json();
    let all = place.good("predict m.json test.csv").out;
    let mut lines = all.lines();
    assert_eq!(lines.next(), Some("label,probability,decision,variance,novelty"));
    let truth = place.read("test.csv");
    let truth: Vec<&str> =
        truth.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    let mut right = 0;
    for (line, truth) in lines.zip(&truth) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().unwrap();
        assert_eq!(number(1) >= 0.5, fields[0] == "1");
        assert_eq!(number(2) >= 0.0, fields[0] == "1");
        assert!(number(3) >= 0.0 && (0.0..=1.0).contains(&number(1)));
        right += usize::from(fields[0] == *truth);
    }
    assert_eq!(account["test"]["accuracy"].as_f64().unwrap(), right as f64 / 200.0);

    // Only what the model needs, in another order, with text beside it.
    let text = place.read("test.csv");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let mut needed = names(&account);
    needed.reverse();
    let mut other = String::from("id");
    needed.iter().for_each(|name| other += &format!("\t{name}"));
    for (number, row) in rows[1..].iter().enumerate() {
        other += &format!("\nrow {number}");
        for name in &needed {
            let at = rows[0].iter().position(|column| column == name).unwrap();
            other += &format!("\t{}", row[at]);
        }
    }
    place.write("other.tsv", &other);
    assert_eq!(place.good("predict m.json other.tsv").out, all);
    assert_eq!(place.pipe("predict m.json -", other.as_bytes()).out, all);
    place.good("predict m.json other.tsv --out p.csv --threads 1");
    assert_eq!(place.read("p.csv"), all);

    let json = place.good("predict m.json test.csv --json").out;
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let expected: Vec<&str> = all.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(first["label"], expected[0]);
    assert_eq!(first["probability"].as_f64().unwrap(), expected[1].parse::<f64>().unwrap());
    assert_eq!(json.lines().count(), 200);
}

#[test]
fn inspect_tells_what_fit_told() {
    let place = waveforms();
    let fit = place.good("fit train.csv --model m.json --json").json();
    let inspect = place.good("inspect m.json --json").json();
    for key in [
        "termination",
        "iterations",
        "log_evidence",
        "selected_features",
        "selected_samples",
        "bias",
    ] {
        assert_eq!(fit[key], inspect[key], "{key}");
    }
    let words = place.good("inspect m.json").out;
    for name in names(&fit) {
        assert!(words.contains(&format!("\n{name} ")), "{name} in {words}");
    }
    assert!(words.contains("converged") && words.contains("kernel rbf"), "{words}");
}

#[test]
fn a_panel_lists_no_more_than_asked() {
    let place = Place::new();
    // 40 rows, 200 features, the first two of which differ.
    let mut text = (0..200).map(|k| format!("g{k},")).collect::<String>() + "state\n";
    let mut noise = 7u64;
    for row in 0..40 {
        for k in 0..200 {
            noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let shift = if k < 2 && row % 2 == 0 { 2.0 } else { 0.0 };
            text += &format!("{:.4},", shift + (noise >> 40) as f64 / 8_388_608.0);
        }
        text += if row % 2 == 0 { "ill\n" } else { "well\n" };
    }
    place.write("genes.csv", text);
    let account = place
        .good("fit genes.csv --panel 5 --model m.json --report r.html --test genes.csv --json");
    let account = account.json();
    assert_eq!(account["kind"], "panel");
    assert!(names(&account).len() <= 5 && names(&account)[..2].contains(&"g0"));
    let first = &account["selected_features"][0];
    assert!(first["frequency"].as_f64().unwrap() > 0.9 && first["precision"].is_null());
    assert!(account["panel"]["short_list_suffices"].as_bool().unwrap());
    // `well` is the second class, and low values speak for it.
    assert!(first["weight"].as_f64().unwrap() < 0.0);
    let predicted = place.good("predict m.json genes.csv").out;
    assert!(predicted.lines().nth(1).unwrap().starts_with("ill,0."), "{predicted}");
    let words = place.good("inspect m.json").out;
    assert!(words.contains("with the list alone") && words.contains("Chosen by"), "{words}");
}

#[test]
fn the_options_of_a_fit_reach_it() {
    let place = waveforms();
    let settings = |options: &str| {
        let account = place.good(&format!("fit train.csv --json {options}")).json();
        account["settings"].clone()
    };
    assert_eq!(settings("--kernel linear")["kernel"], "linear");
    assert_eq!(settings("--kernel poly:3 --samples frozen")["kernel"], "poly:3");
    assert_eq!(settings("--samples dense")["samples"], "dense");
    assert_eq!(settings("--algorithm paper")["algorithm"], "paper");
    assert_eq!(settings("--algorithm paper")["truncation"], "sigmoid:5");
    assert_eq!(settings("--algorithm paper --truncation sigmoid:3")["truncation"], "sigmoid:3");
    assert_eq!(settings("--false-positive-rate 0.01")["false_positive_rate"], 0.01);
    assert_eq!(settings("--class-weights balanced")["class_weights"], "balanced");
    assert_eq!(settings("--no-standardise --seed 9")["seed"], 9);
}

#[test]
fn the_same_model_whatever_the_threads() {
    let place = waveforms();
    place.good("fit train.csv --model one.json --threads 1");
    place.good("fit train.csv --model four.json --threads 4");
    assert_eq!(place.read("one.json"), place.read("four.json"));
}

#[test]
fn classes_are_shown_as_they_were_read() {
    let place = waveforms();
    let text = place.read("train.csv");
    let named: String = text
        .lines()
        .map(|line| match line.rsplit_once(',') {
            Some((rest, "0")) => format!("{rest},\"left, of course\"\n"),
            Some((rest, "1")) => format!("{rest},right\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    place.write("named.csv", named);
    let account = place.good("fit named.csv --model m.json --json").json();
    assert_eq!(account["classes"], serde_json::json!(["left, of course", "right"]));
    let predicted = place.good("predict m.json test.csv").out;
    assert!(predicted.contains("\n\"left, of course\",0."), "{predicted}");
    let swapped = place.good("fit train.csv --classes 1,0 --json").json();
    assert_eq!(swapped["classes"], serde_json::json!(["1", "0"]));
}

#[test]
fn two_of_three_classes_can_be_picked() {
    let place = Place::new();
    place.good("generate waveform-three --n 300 --out all.csv");
    let ran = place.good("fit all.csv --classes 2,1 --test all.csv --json");
    let account = ran.json();
    assert_eq!(account["test"]["rows"], 200);
    for sample in account["selected_samples"].as_array().unwrap() {
        // Rows count in the file, where the classes take turns.
        assert_eq!(sample["label"], (sample["index"].as_u64().unwrap() % 3).to_string());
    }
}

#[test]
fn constant_columns_are_left_out_and_named() {
    let place = waveforms();
    let text = place.read("train.csv");
    let wider: String = text
        .lines()
        .enumerate()
        .map(|(at, line)| if at == 0 { format!("flat,{line}\n") } else { format!("3,{line}\n") })
        .collect();
    place.write("wider.csv", wider);
    let ran = place.good("fit wider.csv --model m.json --json");
    assert!(ran.err.contains("never vary: flat"), "{}", ran.err);
    assert_eq!(ran.json()["constant_features"], serde_json::json!(["flat"]));
    assert_eq!(ran.json()["n_features_in"], 41);
}

#[test]
fn standard_input_and_other_formats_give_the_same_model() {
    let place = waveforms();
    place.good("fit train.csv --model csv.json");
    let text = place.read("train.csv");
    let piped = place.pipe("fit - --model piped.json", text.as_bytes());
    assert_eq!(piped.code, Some(0), "{}", piped.err);
    assert_eq!(place.read("piped.json"), place.read("csv.json"));

    let mut libsvm = String::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        libsvm += fields[40];
        fields[..40].iter().enumerate().for_each(|(k, v)| libsvm += &format!(" {}:{v}", k + 1));
        libsvm.push('\n');
    }
    place.write("train.svm", libsvm);
    place.good("fit train.svm --model svm.json");
    let mut arff = String::from("@relation waves\n");
    (1..=40).for_each(|k| arff += &format!("@attribute x{k} numeric\n"));
    arff += "@attribute class {0,1}\n@data\n";
    arff += text.split_once('\n').unwrap().1;
    place.write("train.arff", arff);
    place.good("fit train.arff --model arff.json");
    let csv = place.good("predict csv.json test.csv").out;
    assert_eq!(place.good("predict svm.json test.csv").out, csv);
    assert_eq!(place.good("predict arff.json test.csv").out, csv);
    assert_eq!(
        place.good("predict csv.json train.svm").out,
        place.good("predict csv.json train.csv").out
    );
}

#[test]
fn data_without_names_are_told_and_used() {
    let place = waveforms();
    let bare: String =
        place.read("train.csv").lines().skip(1).map(|line| format!("{line}\n")).collect();
    place.write("bare.csv", &bare);
    let ran = place.good("fit bare.csv --model m.json --json --test bare.csv");
    assert!(ran.err.contains("note: "), "{}", ran.err);
    place.good("fit train.csv --model n.json");
    let named = place.good("predict n.json test.csv").out;
    assert_eq!(place.good("predict m.json test.csv").out, named);
    let flipped: String = bare
        .lines()
        .map(|line| {
            let (rest, label) = line.rsplit_once(',').unwrap();
            format!("{label},{rest}\n")
        })
        .collect();
    place.write("flipped.csv", flipped);
    place.good("fit flipped.csv --label 1 --model f.json --test flipped.csv");
    assert_eq!(place.good("predict f.json test.csv").out, named);

    // Columns without names are matched by number: with the label where it was, or without it.
    let own = place.good("predict n.json train.csv").out;
    assert_eq!(place.good("predict f.json flipped.csv").out, own);
    assert_eq!(place.good("predict m.json bare.csv").out, own);
    let cut = |keep: std::ops::Range<usize>| -> String {
        let rows =
            bare.lines().map(|line| line.split(',').collect::<Vec<_>>()[keep.clone()].join(","));
        rows.map(|row| row + "\n").collect()
    };
    place.write("unlabelled.csv", cut(0..40));
    assert_eq!(place.good("predict m.json unlabelled.csv").out, own);
    assert_eq!(place.good("predict f.json unlabelled.csv").out, own);
    place.write("short.csv", cut(0..39));
    let ran = place.run("predict m.json short.csv");
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("39 columns without names"), "{}", ran.err);
}

#[test]
fn generators_give_what_they_say() {
    let place = Place::new();
    for (what, columns, classes) in [
        ("waveform", 41, 2),
        ("waveform-textbook", 41, 2),
        ("waveform-three", 41, 3),
        ("eeg-like", 311, 2),
        ("twonorm", 21, 2),
        ("ringnorm", 21, 2),
    ] {
        let about =
            place.good(&format!("generate {what} --n 31 --seed 4 --out d.csv --json")).json();
        let text = place.read("d.csv");
        assert_eq!(text.lines().count(), 32, "{what}");
        assert!(text.lines().all(|line| line.split(',').count() == columns), "{what}");
        assert_eq!(about["rows"], 31);
        assert_eq!(about["classes"].as_array().unwrap().len(), classes, "{what}");
        assert_eq!(place.good(&format!("generate {what} --n 31 --seed 4")).out, text, "{what}");
        assert_ne!(place.good(&format!("generate {what} --n 31 --seed 5")).out, text, "{what}");
    }
}

#[test]
fn export_writes_a_graph_or_says_why_not() {
    let place = waveforms();
    place.good("fit train.csv --model m.json");
    place.good("fit train.csv --model panel.json --panel 5");
    let ran = place.good("export m.json --onnx m.onnx");
    assert!(ran.out.is_empty() && ran.err.contains("wrote m.onnx"), "{}", ran.err);
    // What the graph computes is held to the model by the tests of pfcvm-io.
    assert!(std::fs::metadata(place.path("m.onnx")).unwrap().len() > 1000);
    place.good("generate waveform-three --n 150 --out three.csv");
    place.good("fit three.csv --model three.json --kernel linear");
    place.good("export three.json --onnx three.onnx --float32");
    let ran = place.run("export panel.json --onnx panel.onnx");
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("a panel cannot be written as ONNX"), "{}", ran.err);
    assert!(!place.path("panel.onnx").exists());
    assert_eq!(place.run("export m.json --onnx m.json").code, Some(2));
}

#[test]
fn completions_and_manual_pages_come_from_the_program() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.good(&format!("completions {shell}")).out.contains("pfcvm"), "{shell}");
    }
    let page = place.good("man").out;
    assert!(page.contains(".TH pfcvm 1") && page.contains("130"), "{page}");
    place.good("man --out pages");
    let mut pages: Vec<String> = std::fs::read_dir(place.path("pages"))
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    for name in [
        "pfcvm-demo.1",
        "pfcvm-export.1",
        "pfcvm-fit.1",
        "pfcvm-generate.1",
        "pfcvm-inspect.1",
        "pfcvm-predict.1",
        "pfcvm.1",
    ] {
        assert!(pages.contains(&name.to_string()), "{pages:?}");
    }
    let help = place.good("--help").out;
    assert!(help.contains("Exit codes") && help.contains("130"), "{help}");
}

/// Colour only where someone looks at it.
#[test]
fn colours_can_be_forced_and_forbidden() {
    let place = waveforms();
    place.good("fit train.csv --model m.json");
    let run = |name: &str, value: &str| {
        let output = place.command(&["inspect", "m.json"]).env(name, value).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains('\u{1b}')
    };
    assert!(run("CLICOLOR_FORCE", "1"));
    assert!(!run("NO_COLOR", "1"));
}

#[test]
fn help_knows_topics_and_commands_and_the_nearest_name() {
    let place = Place::new();
    let all = place.good("help").out;
    assert!(all.contains("pfcvm help TOPIC") && all.contains("certainty"), "{all}");
    let topic = place.good("help certainty").out;
    assert!(topic.contains("--max-false") && topic.contains("docs/certainty.md"), "{topic}");
    assert!(topic.lines().all(|line| line.chars().count() <= 80), "{topic}");
    assert!(place.good("help fit").out.contains("--panel"));
    assert!(place.good("help data list").out.contains("--data-folder"));
    // A topic that is a command too says both.
    let price = place.good("help price").out;
    assert!(price.contains("docs/program.md") && price.contains("--sizes"), "{price}");
    let ran = place.run("help certanty");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("`certanty`; is `certainty` meant?"), "{}", ran.err);
    assert!(place.run("help qqq").err.contains("no command `qqq` ("));
}
