//! `evaluate`, `compare`, `price`, `methods`, `data` and `experiment` as processes.

mod common;
#[path = "faults/server.rs"]
mod server;

use common::{Place, Ran};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A place without data sets, whose cache is its own.
fn place() -> Place {
    let place = Place::new();
    let ran = Ran::of(
        command(&place, "generate waveform --n 120 --seed 4 --out w.csv").output().unwrap(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    place
}

fn command(place: &Place, arguments: &str) -> Command {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut command = place.command(&words);
    command.env_remove("PFCVM_DATA");
    command.env("XDG_DATA_HOME", place.path("no-data")).env("XDG_CACHE_HOME", place.path("cache"));
    command
}

fn run(place: &Place, arguments: &str) -> Ran {
    Ran::of(command(place, arguments).output().unwrap())
}

fn good(place: &Place, arguments: &str) -> Ran {
    let ran = run(place, arguments);
    assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.err);
    ran
}

/// The output without what the clock says.
fn timeless(ran: &Ran) -> Value {
    let mut value = ran.json();
    value.as_object_mut().unwrap().remove("timing").expect("times are kept apart");
    value
}

#[test]
fn methods_are_listed_with_their_settings() {
    let place = Place::new();
    let all = good(&place, "methods --json").json();
    let methods = all["methods"].as_array().unwrap();
    let names: Vec<&str> = methods.iter().map(|method| method["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"pfcvm-lp"), "{names:?}");
    let lp = &methods[0];
    assert!(lp["settings"].as_array().unwrap().iter().any(|setting| setting["key"] == "kernel"));
    assert!(lp["grid"].is_object());
    let text = good(&place, "methods pfcvm-lp").out;
    assert!(text.contains("false_positive_rate  0.05"), "{text}");
}

#[test]
fn an_evaluation_says_how_good_and_how_stable() {
    let place = place();
    let command = "evaluate w.csv --cv kfold:3 --set kernel=linear --json --report e.html \
                   --predictions p.csv";
    let ran = good(&place, command);
    let json = ran.json();
    assert_eq!(json["folds"], 3);
    assert_eq!(json["settings"]["kernel"], "linear");
    assert_eq!(json["failed"].as_array().unwrap().len(), 0);
    let measures = &json["measures"];
    assert!(measures["accuracy"]["mean"].as_f64().unwrap() > 0.6);
    assert!(measures["stability"]["nogueira"].is_number() && measures["kappa"]["mean"].is_number());
    assert!(
        json["selected"].as_object().unwrap().values().all(|share| share.as_f64().unwrap() > 0.0)
    );
    assert!(place.read("e.html").contains("Which features, and how steadily"));
    // Every row is tested once; calls by the decision give the counts.
    let said = place.read("p.csv");
    assert_eq!(said.lines().count(), 121);
    let right = said.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[2] == "1") == (cells[3].parse::<f64>().unwrap() >= 0.0)
    });
    let counts: Vec<u64> =
        measures["counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(right.count() as u64, counts[0] + counts[2]);
    // The account in words has the same figures.
    let words = good(&place, "evaluate w.csv --cv kfold:3 --set kernel=linear");
    let accuracy = 100.0 * measures["accuracy"]["mean"].as_f64().unwrap();
    assert!(words.out.contains(&format!("{accuracy:.1}")), "{}", words.out);
    // Nothing is left in the cache.
    assert!(
        !place.path("cache/pfcvm/runs").exists()
            || std::fs::read_dir(place.path("cache/pfcvm/runs")).unwrap().next().is_none()
    );
}

#[test]
fn threads_do_not_change_a_bit() {
    let place = place();
    let of = |threads: &str| {
        timeless(&good(
            &place,
            &format!(
                "evaluate w.csv --cv kfold:4 --nested --grid kernel=rbf,linear --set certainty=off --json \
                 --threads {threads}"
            ),
        ))
    };
    let one = of("1");
    assert_eq!(one, of("3"));
    assert_eq!(one["chosen"].as_array().unwrap().len(), 4);
}

/// Rows of a file of splits count over all rows, whichever classes are meant.
#[test]
fn splits_can_be_given() {
    let place = Place::new();
    good(&place, "generate waveform-three --n 240 --seed 4 --out w.csv");
    let of_two = |rows: std::ops::Range<usize>| Vec::from_iter(rows.filter(|row| row % 3 != 2));
    let splits = serde_json::json!({
        "name": "by hand", "labels": [0, 1],
        "splits": [{ "train": of_two(0..120), "test": of_two(120..240) },
                   { "train": of_two(120..240), "test": of_two(0..120) },
                   { "train": [0, 3, 6], "test": of_two(0..60) }],
    });
    place.write("s.json", splits.to_string());
    let command = "evaluate w.csv --cv splits:s.json --set kernel=linear --json --folds f.csv";
    let json = good(&place, command).json();
    assert_eq!((json["rows"].as_u64(), json["folds"].as_u64()), (Some(160), Some(3)));
    assert_eq!(json["failed"][0]["fold"], 3, "one class teaches nothing");
    let accuracy = json["measures"]["accuracy"]["mean"].as_f64().unwrap();
    let text = place.read("f.csv");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..4], ["fold", "train", "test", "accuracy"]);
    assert_eq!(lines[1][..3], ["1", "80", "80"]);
    let of_fold = |fold: usize| lines[fold][3].parse::<f64>().unwrap();
    assert!((0.5 * (of_fold(1) + of_fold(2)) - accuracy).abs() < 1e-12);
    assert!(lines[3][3].is_empty() && !lines[3][11].is_empty(), "{:?}", lines[3]);
    let other = run(&place, "evaluate w.csv --classes 0,2 --cv splits:s.json");
    assert_eq!(other.code, Some(3));
    assert!(other.err.contains("row 1 (from 0) is not among the rows"), "{}", other.err);
    let none = run(&place, "evaluate w.csv --cv splits:nowhere.json");
    assert!(none.err.contains("nowhere.json"), "{}", none.err);
}

#[test]
fn groups_are_kept_together() {
    let place = place();
    let mut text = String::new();
    for (at, line) in place.read("w.csv").lines().enumerate() {
        let group = if at == 0 { "who".into() } else { format!("person{}", at % 5) };
        text += &format!("{group},{line}\n");
    }
    place.write("g.csv", text);
    let json = good(&place, "evaluate g.csv --cv groups:who --set kernel=linear --json").json();
    assert_eq!(json["folds"], 5);
    assert_eq!(json["features"], 40);
    assert_eq!(json["protocol"], "groups:who");
}

/// The columns of `w.csv` that tell the classes apart are 21 of 40; five alone are worse than all kept.
#[test]
fn a_price_has_a_curve_a_suggestion_and_a_page() {
    let place = place();
    let ran =
        good(&place, "price w.csv --kernel linear --json --report p.html --cv kfold:3 --sizes 1,3");
    let json = ran.json();
    assert_eq!(json["settings"]["kernel"], "linear");
    let sizes: Vec<Option<u64>> =
        json["points"].as_array().unwrap().iter().map(|point| point["size"].as_u64()).collect();
    assert_eq!(sizes, [Some(0), Some(1), Some(3), None]);
    let shares = &json["points"][0];
    assert!((shares["log_loss"]["mean"].as_f64().unwrap() - 2f64.ln()).abs() < 1e-9, "{shares}");
    for point in json["points"].as_array().unwrap() {
        for key in ["log_loss", "error_rate", "difference"] {
            assert!(point[key]["mean"].is_f64() && point[key]["error"].is_f64(), "{key}: {point}");
        }
        let size = point["size"].as_u64().unwrap_or(40);
        assert!(point["features"].as_f64().unwrap() <= size as f64, "{point}");
    }
    assert_eq!((json["tested_rows"].as_u64(), json["folds"].as_u64()), (Some(120), Some(3)));
    assert!(json["best"].as_u64() != Some(0) && json["rule"].is_string(), "{json}");
    let list = json["list"].as_array().unwrap();
    let most = json["suggested"].as_u64().unwrap_or(40) as usize;
    assert!((1..=most).contains(&list.len()) && list[0]["importance"].is_f64(), "{list:?}");
    let page = place.read("p.html");
    assert!(page.contains("suggested") && page.contains("whisker") && page.contains("<svg "));
    let again =
        good(&place, "price w.csv --kernel linear --json --cv kfold:3 --sizes 1,3 --threads 1");
    assert_eq!(timeless(&ran), timeless(&again));
    let words = good(&place, "price w.csv --kernel linear --cv kfold:3 --sizes 1,3").out;
    assert!(
        words.contains("Suggested length") && words.contains("all kept") && words.contains('█')
    );
}

/// One path: what `fit --price` says is what `price` says, to the bit.
#[test]
fn a_fit_tells_the_price_of_its_list() {
    let place = place();
    let arguments = "fit w.csv --kernel linear --price --report r.html --model m.json";
    let ran = good(&place, &format!("{arguments} --json"));
    let mut json = ran.json();
    let mut price = json["price"].take();
    let said = price["in_words"].as_str().unwrap().to_owned();
    price.as_object_mut().unwrap().remove("timing").expect("times are kept apart");
    let alone = good(&place, "price w.csv --kernel linear --json --threads 1");
    assert_eq!(price, timeless(&alone));
    let page = place.read("r.html");
    assert!(page.contains("<section id=\"price\">") && page.contains(&said), "{said}");
    assert!(!page.contains("finds it out"));
    let model = place.read("m.json");

    // The same fit without it: the same model and keys, and a line that says how to have it.
    let ran = good(&place, "fit w.csv --kernel linear --report r.html --model m.json --json");
    let plain = ran.json();
    assert!(
        plain.get("price").is_none() && plain["selected_features"] == json["selected_features"]
    );
    assert!(place.read("r.html").contains("“--price” finds it out"));
    assert_eq!(place.read("m.json"), model);

    let words = good(&place, arguments).out;
    assert!(words.contains("What a short list costs\n----") && words.contains('█'), "{words}");
}

/// The length that was asked of a fit is one of the curve, which goes on beyond it; panels have one, too.
#[test]
fn a_price_goes_beyond_the_length_that_was_asked_for() {
    let place = place();
    let sizes = |json: &Value| -> Vec<Option<u64>> {
        let points = json["price"]["points"].as_array().unwrap().iter();
        points.map(|point| point["size"].as_u64()).collect()
    };
    let ran = good(&place, "fit w.csv --kernel linear --features 4 --price --seed 3 --json");
    let json = ran.json();
    assert!(json["selected_features"].as_array().unwrap().len() <= 4);
    assert_eq!(sizes(&json)[..6], [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)]);
    assert_eq!(sizes(&json).last(), Some(&None));
    assert_eq!(
        (json["price"]["seed"].as_u64(), &json["price"]["settings"]["seed"]),
        (Some(3), &"3".into())
    );
    assert_eq!(json["price"]["settings"]["size"], "all");
    assert!(
        ran.err.contains("at most 4") && !ran.err.contains("says what that costs"),
        "{}",
        ran.err
    );
    let ran = good(&place, "fit w.csv --panel 2 --certainty off --price --json");
    let json = ran.json();
    assert_eq!((&json["price"]["method"], sizes(&json)[3]), (&"pfcvm-panel".into(), Some(3)));
    assert_eq!(json["price"]["settings"]["certainty"], "off");
}

#[test]
fn a_learning_curve_says_what_more_rows_would_bring() {
    let place = place();
    let ran = good(&place, "price w.csv --rows --kernel linear --json --report r.html");
    let json = ran.json();
    let rows: Vec<f64> =
        json["points"].as_array().unwrap().iter().map(|p| p["rows"].as_f64().unwrap()).collect();
    assert_eq!(rows, [24.0, 48.0, 96.0]);
    assert!(json["points"][0]["gain"].is_null() && json["points"][2]["gain"]["mean"].is_f64());
    assert!(json["outlook"]["kind"].is_string() && json["outlook_in_words"].is_string());
    assert!(place.read("r.html").contains("What more rows would bring"));
}

#[test]
fn a_fit_takes_a_point_of_the_curve() {
    let place = place();
    for (kernel, size) in [("linear", 3), ("rbf", 2)] {
        let words = format!("fit w.csv --features {size} --kernel {kernel} --json --model m.json");
        let json = good(&place, &words).json();
        let kept = json["selected_features"].as_array().unwrap().len();
        assert!((1..=size).contains(&kept), "{kernel}: {kept}");
        assert_eq!(json["settings"]["size"], size);
        assert!(json["notes"].to_string().contains("at most"), "{}", json["notes"]);
        good(&place, "predict m.json w.csv");
    }
}

#[test]
fn a_comparison_has_tests_ranks_and_files() {
    let place = place();
    good(&place, "generate twonorm --n 80 --seed 2 --out t.csv");
    good(&place, "generate ringnorm --n 80 --seed 2 --out r.csv");
    let command = "compare w.csv t.csv r.csv --methods pfcvm-lp,pfcvm-lp/kernel=linear --cv kfold:3 \
                   --json --csv c.csv --report c.html";
    let json = good(&place, command).json();
    let sets = json["data_sets"].as_array().unwrap();
    assert_eq!(sets.len(), 3);
    for set in sets {
        assert_eq!(set["methods"].as_array().unwrap().len(), 2);
        let best = set["best"].as_u64().unwrap() as usize;
        assert!(set["against_best"][best].is_null() && set["against_best"][1 - best].is_object());
    }
    let ranks = json["ranking"]["average_ranks"].as_object().unwrap();
    let sum: f64 = ranks.values().map(|rank| rank.as_f64().unwrap()).sum();
    assert!((sum - 3.0).abs() < 1e-12);
    assert_eq!(place.read("c.csv").lines().count(), 7);
    assert!(place.read("c.html").contains("Ranks over the data sets"));
}

/// Killed with no chance to tidy up, the same command goes on and ends with the same bits.
#[test]
#[cfg(unix)]
fn a_killed_run_goes_on() {
    let place = place();
    // Long enough to be killed three times, and no longer: what folds hold is not the question here.
    let arguments = "evaluate w.csv --cv kfold:10x20 --set kernel=linear --set certainty=off --json \
                     --threads 1 --results r";
    let whole = timeless(&good(&place, &arguments.replace("--results r", "--results whole")));
    let record = place.path("r/folds.jsonl");
    let mut killed = 0;
    for _ in 0..3 {
        let mut child =
            command(&place, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let before = std::fs::metadata(&record).map_or(0, |about| about.len());
        let grown = || std::fs::metadata(&record).map_or(0, |about| about.len()) > before + 20_000;
        while child.try_wait().unwrap().is_none() && !grown() {
            std::thread::sleep(Duration::from_millis(2));
        }
        killed += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed > 0, "every run was over before it could be killed");
    let resumed = good(&place, arguments);
    assert!(resumed.err.contains("folds are done already"), "{}", resumed.err);
    assert_eq!(timeless(&resumed), whole);
}

#[test]
fn results_of_another_command_are_refused() {
    let place = place();
    good(&place, "evaluate w.csv --cv kfold:3 --set kernel=linear --results r");
    let other = run(&place, "evaluate w.csv --cv kfold:4 --set kernel=linear --results r");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("cv is kfold:3 there and kfold:4 here"), "{}", other.err);
    good(&place, "evaluate w.csv --cv kfold:4 --set kernel=linear --results r --fresh");
}

/// The second of two that run at once does without a record in the user's cache.
#[test]
#[cfg(unix)]
fn the_same_command_runs_twice_at_once() {
    let place = place();
    let arguments = "evaluate w.csv --cv kfold:5x6 --set certainty=off --json --threads 1";
    let mut first =
        command(&place, arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let runs = place.path("cache/pfcvm/runs");
    let begun = || std::fs::read_dir(&runs).is_ok_and(|mut folders| folders.next().is_some());
    while first.try_wait().unwrap().is_none() && !begun() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let second = good(&place, arguments);
    let first = first.wait_with_output().unwrap();
    assert_eq!(first.status.code(), Some(0));
    let first: Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!(timeless(&second)["measures"], first["measures"]);
}

/// `--fresh` begins a record anew, and nothing else that has its name.
#[test]
fn a_fresh_record_never_takes_the_place_of_data() {
    let place = place();
    std::fs::create_dir(place.path("r")).unwrap();
    place.write("r/folds.jsonl", place.read("w.csv"));
    for data in ["w.csv", "r/folds.jsonl"] {
        let ran = run(&place, &format!("evaluate {data} --cv kfold:3 --results r --fresh"));
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("this is no record of folds"), "{}", ran.err);
        assert_eq!(place.read("r/folds.jsonl"), place.read("w.csv"));
    }
}

/// Labels that a spreadsheet would compute are told, or made harmless.
#[test]
fn formulas_in_labels_are_told_or_made_harmless() {
    let place = place();
    let data = place.read("w.csv").replace(",0\n", ",=1+1\n").replace(",1\n", ",-2\n");
    place.write("f.csv", data);
    good(&place, "fit f.csv --model m.json");
    let plain = good(&place, "predict m.json f.csv");
    assert!(plain.err.contains("--safe-csv") && plain.out.contains("\n=1+1,"), "{}", plain.err);
    let safe = good(&place, "predict m.json f.csv --safe-csv");
    assert!(!safe.err.contains("--safe-csv") && !safe.out.contains("\n=1+1,"), "{}", safe.err);
    assert_eq!(safe.out.replace("'=1+1", "=1+1"), plain.out);
    assert!(safe.out.contains("\n-2,"), "numbers stay numbers");
    let evaluate = "evaluate f.csv --cv kfold:2 --set kernel=linear --predictions p.csv";
    assert!(good(&place, evaluate).err.contains("--safe-csv"));
    good(&place, &format!("{evaluate} --safe-csv"));
    assert!(place.read("p.csv").contains(",'=1+1,"));
}

/// What a label says to a terminal is shown, not obeyed.
#[test]
#[cfg(target_os = "linux")]
fn labels_cannot_command_the_terminal() {
    let place = place();
    let evil = "x\u{1b}[31m\u{9b}5m";
    place.write("e.csv", place.read("w.csv").replace(",0\n", &format!(",{evil}\n")));
    good(&place, "fit e.csv --model m.json");
    // As it is into a file or a pipe, and JSON that is safe anywhere.
    assert!(good(&place, "predict m.json e.csv").out.contains(evil));
    let json = good(&place, "predict m.json e.csv --json").out;
    assert!(!json.chars().any(|c| c.is_control() && c != '\n'), "{json}");
    for arguments in
        ["fit e.csv", "inspect m.json", "predict m.json e.csv", "inspect m.json --json"]
    {
        let run = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_pfcvm"));
        let mut script = Command::new("script");
        script.args(["-qec", &run, "/dev/null"]).current_dir(place.folder());
        let Ok(output) = script.stdin(Stdio::null()).output() else {
            return eprintln!("skipped: there is no `script` to have a terminal from");
        };
        let seen = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{arguments}: {seen}");
        assert!(!seen.contains("x\u{1b}") && !seen.contains('\u{9b}'), "{arguments}: {seen:?}");
    }
}

#[test]
fn bad_input_is_one_sentence() {
    let place = place();
    place.write("small.csv", "a,b,label\n1,2,0\n2,3,1\n3,1,0\n4,5,1\n5,2,0\n2,2,0\n");
    place.write("groups.csv", "a,g,label\n1,u,0\n2,u,0\n3,v,1\n4,v,1\n");
    place.write("bare.csv", "1,2,0\n2,3,1\n3,1,0\n4,5,1\n");
    let cases = [
        ("evaluate w.csv --method pfcvm_lp", 2, "did you mean `pfcvm-lp`?"),
        ("evaluate w.csv --set kernal=rbf", 2, "did you mean `kernel`?"),
        ("evaluate w.csv --set kernel=round", 2, "`round` is no kernel"),
        ("evaluate w.csv --set kernel", 2, "write key=value"),
        ("evaluate w.csv --set false_positive_rate=2", 2, "below 0.5"),
        ("evaluate w.csv --cv tenfold", 2, "is no protocol"),
        ("evaluate small.csv --cv kfold:3", 3, "a class has 2 rows and 3 are needed"),
        ("evaluate groups.csv --cv groups:g", 3, "without the group `u`"),
        ("evaluate groups.csv --cv groups:h", 3, "no column `h` to group by"),
        ("evaluate groups.csv --cv groups:label", 2, "`label` is the label"),
        ("evaluate sonr", 3, "did you mean `sonar`?"),
        ("compare w.csv ./w.csv --methods pfcvm-lp", 3, "hold the same data"),
        ("evaluate w.csv --nested --grid kernel=rbf --grid kernel=linear", 2, "given twice"),
        ("evaluate bare.csv --cv groups:1 --header no", 3, "a column with a name"),
        ("evaluate - --cv groups:g", 2, "standard input"),
        ("evaluate w.csv --nested --grid kernel", 2, "write key=value"),
        ("evaluate w.csv --nested --grid kernel=flat", 2, "`flat` is no kernel"),
        ("evaluate w.csv --grid kernel=rbf", 2, "--nested"),
        ("evaluate w.csv --report w.csv", 2, "would be written over"),
        ("evaluate nothing.csv", 3, "nothing.csv"),
        ("evaluate colon", 3, "colon is not in"),
        ("compare w.csv --methods pfcvm-lp,pfcvm-lp", 2, "named twice"),
        ("compare w.csv --methods pfcvm-lp,rvn2x", 2, "there is no method `rvn2x`"),
        ("price w.csv --method svm", 2, "has no setting `size`"),
        ("price w.csv --nested", 2, "leave out --nested"),
        ("price w.csv --sizes 0", 2, "a whole number from 1"),
        ("price w.csv --rows --sizes 3", 2, "cannot be used with"),
        ("price w.csv --report w.csv", 2, "would be written over"),
        ("price small.csv --cv kfold:3", 3, "a class has 2 rows and 3 are needed"),
        ("fit w.csv --price --unlabelled w.csv", 2, "cannot be used with"),
        ("fit w.csv --price --max-iterations 9", 2, "cannot be used with"),
        ("fit w.csv --price --tolerance 0.1", 2, "cannot be used with"),
        ("fit w.csv --price --stream", 2, "cannot do the price of short lists"),
        ("fit w.csv --price --panel 3 --no-standardise", 2, "on scaled values only"),
        ("fit small.csv --price --model m.json", 3, "--price cannot be had: small.csv: kfold:5"),
        ("fit w.csv --features 0", 2, "a whole number from 1"),
        ("fit w.csv --features 3 --panel 3", 2, "cannot be used with"),
        ("methods nix", 2, "there is no method `nix`"),
        ("data path colin", 2, "colon"),
        ("data path colon", 3, "colon is not in"),
        ("data fetch seed", 3, "licence"),
        ("data fetch colon", 3, "mirror"),
        ("experiment all --data nowhere", 3, "there is no such folder"),
        ("experiment nothing", 2, "possible values"),
    ];
    let before = place.files();
    for (arguments, code, sentence) in cases {
        let ran = run(&place, arguments);
        assert_eq!(ran.code, Some(code), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(sentence), "{arguments}: {}", ran.err);
        assert!(ran.out.is_empty(), "{arguments}: {}", ran.out);
    }
    let after: Vec<String> = place
        .files()
        .into_iter()
        .filter(|name| name != "cache" && name != "pfcvm-experiment")
        .collect();
    assert_eq!(after, before);
}

/// A method that can do nothing with the data fails in every fold, and says why.
#[test]
fn failed_folds_are_told() {
    let place = place();
    let rows = (0..12).map(|row| format!("{},{}\n", u8::from(row == 0), row % 2));
    place.write("flat.csv", format!("a,label\n{}", rows.collect::<String>()));
    let ran = run(&place, "evaluate flat.csv --cv loo --json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("fold 1 of 12 failed"), "{}", ran.err);
    let json = ran.json();
    assert_eq!(json["failed"][0]["fold"], 1);
    assert!(json["failed"][0]["reason"].as_str().unwrap().contains("varies"));
    place.write("flatter.csv", "a,label\n1,0\n1,1\n1,0\n1,1\n1,0\n1,1\n");
    let ran = run(&place, "evaluate flatter.csv --cv loo");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("every fold failed"), "{}", ran.err);
}

#[test]
fn data_come_from_a_mirror_and_are_checked() {
    const NAME: &str = "wdbc/data.csv";
    let place = place();
    let list = good(&place, "data list --json").json();
    let sets = list["data_sets"].as_array().unwrap();
    assert!(sets.len() > 20 && sets.iter().all(|set| set["licence"].is_string()));
    assert!(good(&place, "data list colon").out.contains("Alon"));
    let mirror = server::serve(NAME, b"not the data".to_vec(), Duration::ZERO).unwrap();
    let ran = run(&place, &format!("data fetch wdbc --mirror {mirror} --data d"));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(!place.path("d/wdbc/data.csv").exists());
    let ran = run(&place, &format!("data fetch sonar --mirror {mirror} --data d"));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let Ok(real) = std::env::var("PFCVM_DATA") else {
        println!("skipped: PFCVM_DATA is not set, so there is nothing to serve");
        return;
    };
    let file = std::fs::read(format!("{real}/wdbc/data.csv")).unwrap();
    let mirror = server::serve(NAME, file.clone(), Duration::ZERO).unwrap();
    let ran = good(&place, &format!("data fetch wdbc --mirror {mirror} --data d"));
    assert_eq!(std::fs::read(ran.out.trim_end()).ok(), None, "the path is relative to the place");
    assert_eq!(std::fs::read(place.path("d/wdbc/data.csv")).unwrap(), file);
    assert!(good(&place, "data path wdbc --data d").out.contains("wdbc"));
    let json = good(&place, "evaluate wdbc --data-folder d --cv holdout:40 --json").json();
    assert_eq!(json["features"], 30);
}

#[test]
fn experiments_go_on_to_the_same_bits() {
    let place = place();
    good(&place, "experiment truncation --quick --out a --threads 1");
    let record = place.path("a/folds/truncation/splits/folds.jsonl");
    let bytes = std::fs::read(&record).unwrap();
    std::fs::create_dir_all(place.path("b/folds/truncation/splits")).unwrap();
    std::fs::write(place.path("b/folds/truncation/splits/folds.jsonl"), &bytes[..bytes.len() / 2])
        .unwrap();
    let resumed = good(&place, "experiment truncation --quick --out b --threads 2");
    assert!(resumed.err.contains("done already"), "{}", resumed.err);
    assert_eq!(place.read("a/truncation.json"), place.read("b/truncation.json"));
    let told: Value = serde_json::from_str(&place.read("a/truncation.json")).unwrap();
    assert_eq!(told["experiments"]["truncation"]["findings"][0]["paper"], "taken as equal");
    let other = run(&place, "experiment truncation --quick --out b --seed 2");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("seed is 0 there and 2 here"), "{}", other.err);
}
