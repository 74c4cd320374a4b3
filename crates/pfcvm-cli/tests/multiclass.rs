//! More than two classes, as processes.

mod common;

use common::{Place, Ran};
use serde_json::Value;
use std::path::PathBuf;

/// Three waves to learn from and three to be tested on.
fn waves() -> Place {
    let place = Place::new();
    place.good("generate waveform-three --n 240 --seed 3 --out train.csv");
    place.good("generate waveform-three --n 600 --seed 4 --out test.csv");
    place
}

/// Without the user's cache.
fn good(place: &Place, arguments: &str) -> Ran {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut command = place.command(&words);
    command.env("XDG_CACHE_HOME", place.path("cache"));
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.err);
    ran
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Best possible accuracy is about 86 %; a third is chance.
#[test]
fn three_waves_are_fitted_tested_stored_and_predicted() {
    let place = waves();
    for (scheme, name) in [("one-vs-one", "ovo"), ("one-vs-rest", "ovr"), ("joint", "all")] {
        let together = scheme == "joint";
        let ran = place.good(&format!(
            "fit train.csv --test test.csv --scheme {scheme} --model {name}.json --report \
             {name}.html --json"
        ));
        let account = ran.json();
        assert_eq!(account["kind"], "single");
        assert_eq!(account["scheme"], scheme);
        assert_eq!(account["classes"], serde_json::json!(["0", "1", "2"]));
        assert_eq!(account["n_samples_in"], 240);
        let machines = account["machines"].as_array().unwrap();
        assert_eq!(machines.len(), 3);
        assert!(machines.iter().all(|m| !m["selected_features"].as_array().unwrap().is_empty()));
        let shares =
            account["selected_features"].as_array().unwrap().iter().map(|f| number(&f["share"]));
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
        let test = &account["test"];
        assert_eq!(test["rows"], 600);
        // Between three standard errors above the Bayes rule and far above chance.
        let accuracy = number(&test["accuracy"]);
        assert!(accuracy > 0.75 && accuracy < 0.91, "{scheme}: {accuracy}");
        assert!(number(&test["log_loss"]) < 0.6 && number(&test["auc"]) > 0.9);
        let page = place.read(&format!("{name}.html"));
        let own = if together { "Class by class" } else { "Machine by machine" };
        for part in ["Right and wrong calls", own, "Which features matter"] {
            assert!(page.contains(part), "{part}");
        }
        assert_eq!(page.contains("Which feature for which class"), together);

        // What is predicted gives the figures of the test.
        let said = place.good(&format!("predict {name}.json test.csv")).out;
        let mut lines = said.lines();
        assert_eq!(lines.next(), Some("label,probability_0,probability_1,probability_2,novelty"));
        let (mut right, mut loss) = (0, 0.0);
        for (row, line) in lines.enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            let p: Vec<f64> = cells[1..4].iter().map(|cell| cell.parse().unwrap()).collect();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            right += usize::from(cells[0] == (row % 3).to_string());
            loss -= p[row % 3].ln() / 600.0;
        }
        assert_eq!(right as f64 / 600.0, accuracy);
        assert!((loss - number(&test["log_loss"])).abs() < 1e-9);
        let first = place.good(&format!("predict {name}.json test.csv --json")).out;
        let first: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
        assert_eq!(first["probabilities"].as_object().unwrap().len(), 3);
        assert_eq!(first["decisions"].as_array().unwrap().len(), 3);

        let inspected = place.good(&format!("inspect {name}.json --json")).json();
        for key in ["selected_features", "selected_samples"] {
            assert_eq!(inspected[key], account[key]);
            assert_eq!(inspected["machines"][0][key], account["machines"][0][key]);
        }
        assert!(account["machines"][2]["trace"].as_array().unwrap().len() > 1);
        let words = place.good(&format!("inspect {name}.json")).out;
        assert!(words.contains(own), "{words}");
        assert_eq!(words.contains("“1” against"), !together, "{words}");
        assert_eq!(words.contains("What each feature is worth for each class"), together);
    }
    let words = place.good("fit train.csv --test test.csv --scheme one-vs-one").out;
    assert!(words.contains("3 machines (one-vs-one) tell 3 classes apart"), "{words}");
    let words = place.good("fit train.csv --test test.csv").out;
    assert!(words.contains("tell 3 classes apart") && !words.contains("machine"), "{words}");
    assert!(words.contains("truly 1") && words.contains("called 2"), "{words}");
}

/// One list for all classes, in the order of its importance, with what it is worth for each of them.
#[test]
fn classes_that_are_learned_at_once_share_a_list() {
    let place = waves();
    let json = place.good("fit train.csv --model m.json --json").json();
    assert_eq!(json["scheme"], "joint");
    let held_out = &json["held_out"];
    assert!(number(&held_out["log_loss"]) < number(&held_out["baseline_log_loss"]));
    let chance = number(&held_out["accuracy"]);
    assert!(chance > 0.75 && chance < 0.91, "{chance}");
    let list = json["selected_features"].as_array().unwrap();
    let importance: Vec<f64> = list.iter().map(|f| number(&f["importance"])).collect();
    assert!(importance.windows(2).all(|pair| pair[0] >= pair[1]), "{importance:?}");
    let weights = |machine: &Value| {
        let of = |f: &Value| (f["index"].as_u64().unwrap(), f["weight"].to_string());
        let all = machine["selected_features"].as_array().unwrap().iter().map(of);
        all.collect::<std::collections::BTreeMap<_, _>>()
    };
    let machines = json["machines"].as_array().unwrap();
    assert!(machines.iter().all(|machine| weights(machine) == weights(&machines[0])));
    for feature in list {
        let interval = &feature["importance_interval"];
        assert!(number(&interval[0]) <= number(&feature["importance"]));
        assert!(number(&interval[1]) >= number(&feature["importance"]));
        assert_eq!(feature["class_importance"].as_array().unwrap().len(), 3);
        let pairs = feature["pair_importance"].as_array().unwrap();
        assert!(pairs.len() == 3 && pairs.iter().all(|row| row.as_array().unwrap().len() == 3));
        for (a, b) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
            assert_eq!(number(&pairs[a][b]), number(&pairs[b][a]), "{a} {b}");
            assert!(a != b || number(&pairs[a][a]) == 0.0);
        }
    }
    // So does a panel.
    let panel = place.good("fit train.csv --panel 6 --json").json();
    assert_eq!(panel["scheme"], "joint");
    let machines = panel["machines"].as_array().unwrap();
    let list = |machine: &Value| -> std::collections::BTreeSet<u64> {
        let listed = machine["selected_features"].as_array().unwrap().iter();
        listed.map(|feature| feature["index"].as_u64().unwrap()).collect()
    };
    assert!(machines.len() == 3 && (1..=6).contains(&list(&machines[0]).len()));
    assert!(machines.iter().all(|machine| list(machine) == list(&machines[0])));
    for feature in panel["selected_features"].as_array().unwrap() {
        assert_eq!(feature["class_importance"].as_array().unwrap().len(), 3);
        assert!((0.0..=1.0).contains(&number(&feature["false_alarm"])));
    }
}

#[test]
fn threads_do_not_change_a_model() {
    let place = waves();
    for threads in [1, 2, 3] {
        place.good(&format!("fit train.csv --model m{threads}.json --threads {threads}"));
    }
    assert_eq!(place.read("m1.json"), place.read("m2.json"));
    assert_eq!(place.read("m1.json"), place.read("m3.json"));
}

#[test]
fn panels_and_weights_take_several_classes() {
    let place = waves();
    let account = place.good("fit train.csv --panel 6 --model m.json --json").json();
    assert_eq!(account["kind"], "panel");
    for machine in account["machines"].as_array().unwrap() {
        assert!(machine["selected_features"].as_array().unwrap().len() <= 6);
    }
    assert!(place.good("predict m.json test.csv").out.lines().count() == 601);
    let words = place.good("inspect m.json").out;
    assert!(words.contains("Class by class") && !words.contains("against “"), "{words}");
    let plain = place.good("fit train.csv --json").json();
    let weighted = place.good("fit train.csv --class-weights 1,1,9 --json").json();
    assert_ne!(plain["machines"], weighted["machines"]);
    place.good("fit train.csv --class-weights balanced");
    let ran = place.run("fit train.csv --class-weights 1,2");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("2 factors for 3 classes"), "{}", ran.err);
    let ran = place.run("fit train.csv --classes 0,1 --class-weights 1,2,3");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("3 factors for 2 classes"), "{}", ran.err);
}

#[test]
fn an_evaluation_has_accuracy_log_loss_and_macro_averages() {
    let place = waves();
    let command = "evaluate train.csv --cv kfold:3 --set kernel=linear --json --report e.html \
                   --predictions p.csv";
    let json = good(&place, command).json();
    assert_eq!(json["classes"].as_array().unwrap().len(), 3);
    assert_eq!(json["scheme"], "joint");
    let measures = &json["measures"];
    assert!(number(&measures["accuracy"]["mean"]) > 0.6);
    assert!(number(&measures["log_loss"]["mean"]) < 1.0);
    for name in ["macro_f1", "macro_precision", "macro_recall"] {
        assert!(number(&measures[name]).is_finite(), "{name}");
    }
    assert!(number(&measures["auc"]["mean"]) > 0.7 && number(&measures["brier"]["mean"]) < 0.6);
    assert!(number(&measures["baseline"]["log_loss"]) > 1.0, "about ln 3");
    assert!(measures.get("counts").is_none(), "counts are of two classes");
    assert_eq!(measures["machines"].as_array().unwrap().len(), 3);
    assert!(number(&measures["stability"]["nogueira"]) <= 1.0);
    let counts: u64 = measures["confusion"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_array().unwrap())
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(counts, 240);
    assert!(place.read("e.html").contains("Right and wrong calls"));
    let said = place.read("p.csv");
    assert!(said.starts_with("fold,row,label,called,probability_0,probability_1,probability_2\n"));
    assert_eq!(said.lines().count(), 241);
    assert!(
        good(&place, "evaluate train.csv --cv kfold:3 --set kernel=linear")
            .out
            .contains("Macro F1")
    );
}

#[test]
fn every_kind_of_method_takes_several_classes() {
    let place = waves();
    for method in ["svm", "rvm", "fisher/features=5+pfcvm-lp/kernel=linear", "pfcvm-panel/size=5"] {
        let command = format!(
            "evaluate train.csv --cv kfold:2 --method {method} --multiclass one-vs-rest --json"
        );
        let json = good(&place, &command).json();
        assert_eq!(json["failed"].as_array().unwrap().len(), 0, "{method}: {}", json["failed"]);
        assert!(number(&json["measures"]["accuracy"]["mean"]) > 0.5, "{method}");
    }
    // Without probabilities classes are called all the same, and nothing else is told.
    let command = "evaluate train.csv --cv kfold:2 --method svm --set probability=no --json";
    let json = good(&place, command).json();
    assert!(number(&json["measures"]["accuracy"]["mean"]) > 0.5);
    assert!(json["measures"]["log_loss"].is_null() && json["measures"]["auc"].is_null());
    let command = "evaluate train.csv --cv kfold:2 --nested --grid kernel=linear,rbf --json";
    let json = good(&place, command).json();
    let chosen = &json["chosen"][0];
    assert_eq!(chosen.as_array().unwrap().len(), 3, "a choice for each machine: {chosen}");
}

/// Methods are compared by the same tests whatever the number of classes.
#[test]
fn three_classes_are_compared() {
    let place = waves();
    let command = "compare train.csv --methods rvm/kernel=linear,pfcvm-lp/kernel=linear --cv kfold:3 \
                   --scheme one-vs-rest --json --csv c.csv --report c.html";
    let json = good(&place, command).json();
    let set = &json["data_sets"][0];
    let best = set["best"].as_u64().unwrap() as usize;
    assert!(number(&set["against_best"][1 - best]["p_value"]) <= 1.0);
    for method in set["methods"].as_array().unwrap() {
        assert_eq!(method["scheme"], "one-vs-rest");
        assert!(number(&method["accuracy"]["mean"]) > 0.6);
    }
    assert_eq!(place.read("c.csv").lines().count(), 3);
    assert!(place.read("c.html").contains("Methods compared on train.csv"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let place = waves();
    let err = |arguments: &str, code: i32| {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments}: {}", ran.err);
        assert_eq!(ran.err.lines().filter(|line| line.starts_with("error")).count(), 1);
        ran.err
    };
    let said = err("evaluate train.csv --set class_weights=1,2", 2);
    assert!(said.contains("2 factors, and there are 3 classes"), "{said}");
    let said = err("fit train.csv --multiclass all", 2);
    assert!(said.contains("one-vs-one or one-vs-rest"), "{said}");
    place.write("few.csv", "a,b,label\n1,2,u\n2,1,u\n3,1,v\n1,1,v\n5,5,w\n");
    let said = err("fit few.csv", 3);
    assert!(said.contains("the class `w` has only 1 row"), "{said}");
    let said = err("evaluate few.csv", 3);
    assert!(said.contains("the class `w` has only 1 row"), "{said}");
    place.write("flat.csv", "a,label\n1,u\n1,u\n1,v\n1,v\n5,w\n6,w\n");
    let said = err("fit flat.csv --scheme one-vs-one", 3);
    assert!(said.contains("`v` against `u`: none of the 1 columns"), "{said}");
    let many: String = (0..202).map(|row| format!("{row},{}\n", row / 2)).collect();
    place.write("many.csv", format!("a,label\n{many}"));
    let said = err("fit many.csv", 3);
    assert!(said.contains("101 classes") && said.contains("--label"), "{said}");
    place.write("other.csv", place.read("test.csv").replace(",2\n", ",7\n"));
    let said = err("fit train.csv --test other.csv", 3);
    assert!(said.contains("label `7`, which the training data do not have"), "{said}");
}

#[test]
fn damaged_model_files_are_refused_in_one_sentence() {
    let place = waves();
    place.good("fit train.csv --kernel linear --model m.json");
    let text = place.read("m.json");
    assert!(text.starts_with("{\"format\":\"pfcvm model\",\"schema\":7,"), "{}", &text[..60]);
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let cases = [
        ("cut off", text[..text.len() / 2].to_string(), "cut off"),
        ("a later schema", with("\"schema\":7", "\"schema\":99"), "has schema 99"),
        ("a class too many", with("\"0\",\"1\",\"2\"", "\"0\",\"1\",\"2\",\"3\""), "machines"),
        ("a class twice", with("\"0\",\"1\",\"2\"", "\"0\",\"1\",\"1\""), "both called `1`"),
        ("a nameless class", with("\"0\",\"1\",\"2\"", "\"0\",\"\",\"2\""), "without a name"),
        ("another scheme", with("\"joint\"", "\"each-vs-each\""), "damaged"),
        ("too many rows", with("\"class_rows\":[80,80,80]", "\"class_rows\":[99,99,99]"), "of 240"),
        ("too few rows", with("\"training_rows\":240", "\"training_rows\":2"), "of 2 rows"),
        ("too many", with("[80,80,80]", "[18446744073709551615,1,1]"), "more rows than"),
        ("another kind", with("\"kind\":\"single\"", "\"kind\":\"several\""), "damaged"),
        ("a machine of another kind", with("{\"model\":", "{\"panel\":"), "damaged"),
    ];
    for (what, content, expected) in cases {
        place.write("bad.json", content);
        for command in ["predict bad.json test.csv", "inspect bad.json"] {
            let ran = place.run(command);
            assert_eq!(ran.code, Some(4), "{what}: {}", ran.err);
            assert!(ran.err.contains(expected), "{what}: {}", ran.err);
            assert_eq!(ran.err.trim().lines().count(), 1, "{what}: {}", ran.err);
        }
    }
}

/// The folder with real data, if there is one.
fn real(file: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PFCVM_DATA").map(|folder| PathBuf::from(folder).join(file));
    let path = path.filter(|path| path.exists());
    if path.is_none() {
        println!("skipped: PFCVM_DATA does not name a folder with {file}");
    }
    path
}

/// Four classes, 5748 features, 171 rows; the largest class alone gives 26 %.
#[test]
fn four_classes_of_genes() {
    let Some(path) = real("tox_171/data.csv.gz") else { return };
    let place = Place::new();
    let command = format!("evaluate {} --cv kfold:2 --set kernel=linear --json", path.display());
    let json = good(&place, &command).json();
    assert_eq!(json["failed"].as_array().unwrap().len(), 0);
    assert_eq!(json["measures"]["machines"].as_array().unwrap().len(), 4);
    let accuracy = number(&json["measures"]["accuracy"]["mean"]);
    assert!(accuracy > 0.6, "{accuracy}");
}

/// UCI's file; the Bayes rule errs in 14 % of the rows.
#[test]
fn three_waves_of_uci() {
    let Some(path) = real("waveform_noise/data.csv.gz") else { return };
    let place = Place::new();
    let command = format!("evaluate {} --cv holdout:100 --json", path.display());
    let json = good(&place, &command).json();
    let accuracy = number(&json["measures"]["accuracy"]["mean"]);
    assert!(accuracy > 0.78 && accuracy < 0.88, "{accuracy}");
    // Features 22 to 40 are pure noise.
    let noise = |(name, _): &(&String, &Value)| name[1..].parse::<usize>().unwrap() > 21;
    let selected = json["selected"].as_object().unwrap();
    let noisy = selected.iter().filter(noise).count();
    assert!(noisy <= 4 && selected.len() > 8, "{noisy} of {}", selected.len());
}
