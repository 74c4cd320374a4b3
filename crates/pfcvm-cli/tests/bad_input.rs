//! Bad input: one sentence, the documented exit code, and no file.

mod common;

use common::Place;
use serde_json::Value;

/// Names, rows, and the label `0` or `1` in turn.
fn good(rows: usize) -> String {
    let mut text = String::from("a,b,label\n");
    for row in 0..rows {
        let value = (row as f64 * 0.7).sin();
        text += &format!("{value},{},{}\n", value + (row % 2) as f64, row % 2);
    }
    text
}

/// So many rows that a fit needs more than a MiB.
fn big() -> String {
    good(2000)
}

fn many_classes() -> String {
    (0..20).fold("a,b\n".into(), |text, row| format!("{text}{row},{}\n", row * row))
}

struct Case {
    what: &'static str,
    data: Vec<u8>,
    options: &'static str,
    code: i32,
    /// A note that comes before the sentence.
    note: Option<&'static str>,
    sentence: &'static str,
}

fn case(what: &'static str, data: impl Into<Vec<u8>>, code: i32, sentence: &'static str) -> Case {
    Case { what, data: data.into(), options: "", code, note: None, sentence }
}

fn with(options: &'static str, case: Case) -> Case {
    Case { options, ..case }
}

/// An archive that begins as a workbook does.
fn workbook() -> Vec<u8> {
    [b"PK\x03\x04".as_slice(), &[b' '; 26], b"[Content_Types].xml"].concat()
}

fn data_cases() -> Vec<Case> {
    let nothing = || good(20);
    let (excel, parquet) = (cfg!(feature = "excel"), cfg!(feature = "parquet"));
    let no_sheet = if excel { "the workbook is damaged" } else { "--features excel" };
    let nothing_typed = if parquet { "the file is empty" } else { "--features parquet" };
    vec![
        case("an empty file", "", 3, "the file is empty"),
        case("blanks only", "\n \n\n", 3, "the file is empty"),
        case("a header only", "a,b,label\n", 3, "a header but no row of data"),
        case("a short row", "a,b,label\n1,2,0\n3,1\n", 3, "line 3 has 2 fields where there are 3"),
        case("a long row", "a,b,label\n1,2,0,9\n", 3, "line 2 has 4 fields where there are 3"),
        case("no label at all", "a,b,label\n1,2,\n3,4,NA\n", 3, "no row has a label"),
        case(
            "infinite numbers in two columns",
            "a,b,label\n1,inf,0\n1e999,2,1\n",
            3,
            "2 columns hold numbers that are not finite: `a` (line 3: `1e999`), `b` (line 2: `inf`)",
        ),
        case(
            "nothing but names",
            (0..12).fold("who,label\n".into(), |text: String, row| {
                format!("{text}name{row},{}\n", row % 2)
            }),
            3,
            "no column is left to learn from: `who` is left out",
        ),
        Case {
            note: Some("note: 8 cells are gaps, in `a`, `b`"),
            ..case(
                "gaps only",
                "a,b,label\n,NA,0\n?,,1\nnull,NaN,0\n,,1\n",
                3,
                "none of the 2 columns",
            )
        },
        with("--kind b", case("a kind without a column", nothing(), 2, "as in age=number")),
        with("--kind b=text", case("no such kind", nothing(), 2, "`text` is no kind")),
        with("--kind c=words", case("a kind of no column", nothing(), 3, "no column `c`")),
        with("--groups none.csv", case("no file of groups", nothing(), 3, "none.csv: cannot be")),
        with("--group-by a", case("no parentheses", nothing(), 2, "0 pairs of parentheses")),
        with("--group-by (q)", case("a pattern of nothing", nothing(), 3, "no column's name fits")),
        with(
            "--groups g --group-by (a)",
            case("groups in two ways", nothing(), 2, "cannot be used with"),
        ),
        case(
            "infinity",
            "a,b,label\n1,2,0\ninf,3,1\n",
            3,
            "line 3, column 1 (a): `inf` is not a finite",
        ),
        case(
            "too large",
            "a,b,label\n1,1e999,0\n",
            3,
            "line 2, column 2 (b): `1e999` is not a finite",
        ),
        case("one class", "a,b,label\n1,2,7\n2,1,7\n", 3, "all 2 rows have the label `7`"),
        case("one row", "a,b,label\n1,2,7\n", 3, "the label `7`"),
        case(
            "a class of one row",
            "a,b,label\n1,2,x\n2,1,x\n3,1,y\n",
            3,
            "the class `y` has only 1 row",
        ),
        case(
            "three classes, one of one row",
            "a,label\n1,r\n2,g\n3,b\n4,r\n5,g\n",
            3,
            "the class `b` has only 1 row",
        ),
        with(
            "--classes r,k",
            case("an absent class", "a,label\n1,r\n2,g\n3,r\n4,g\n", 3, "no row has the label `k`"),
        ),
        with(
            "--classes r,r",
            case("a class twice", "a,label\n1,r\n2,g\n3,r\n4,g\n", 2, "must differ"),
        ),
        case(
            "constant columns",
            "a,b,label\n1,2,0\n1,2,1\n1,2,0\n1,2,1\n",
            3,
            "none of the 2 columns varies",
        ),
        case(
            "the same name twice",
            "a,a,label\n1,2,0\n2,1,1\n",
            3,
            "columns 1 and 2 are both named `a`",
        ),
        case("no feature", "label\n0\n1\n", 3, "only one column"),
        with(
            "--label class",
            case("no such label", nothing(), 3, "no column `class` to take the label from"),
        ),
        with("--label 0", case("label position 0", nothing(), 3, "positions count from 1")),
        with("--label 9", case("label position 9", nothing(), 3, "there are 3 columns")),
        with("--ignore id", case("no such column", nothing(), 3, "no column `id`")),
        with("--label label --ignore label", case("label ignored", nothing(), 3, "label")),
        with(
            "--no-standardise",
            case(
                "huge values",
                "a,label\n1e150,0\n-1e150,1\n1e140,0\n3,1\n",
                3,
                "leave out --no-standardise",
            ),
        ),
        case("not text", b"a,label\n\xff\xfe,1\n".to_vec(), 3, "UTF-8"),
        case("LIBSVM with a bad pair", "1 1:2 3:x\n", 3, "line 1"),
        case("LIBSVM out of order", "1 2:2 1:3\n0 1:1\n", 3, "line 1"),
        case("LIBSVM from 0", "1 0:2\n0 0:1\n", 3, "line 1"),
        case("LIBSVM far beyond memory", "1 4000000000:1\n0 1:2\n", 3, "MiB"),
        case(
            "ARFF without data",
            "@relation r\n@attribute a numeric\n@attribute c {0,1}\n@data\n",
            3,
            "no row of data",
        ),
        case("ARFF cut off", "@relation r\n@attribute a numeric\n", 3, "no row of data"),
        case(
            "a cut-off .npy",
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'".to_vec(),
            3,
            "breaks off",
        ),
        case("a cut-off archive", b"PK\x03\x04rest".to_vec(), 3, "archive"),
        case("a cut-off gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc".to_vec(), 3, "gzip"),
        case("a cut-off zstd", b"\x28\xb5\x2f\xfd\x04\x00".to_vec(), 3, "zstd stream breaks off"),
        case("a cut-off workbook", workbook(), 3, no_sheet),
        case("an old workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest".to_vec(), 3, no_sheet),
        case("a cut-off Parquet file", b"PAR1rest".to_vec(), 3, "Parquet file"),
        case("a cut-off Arrow file", b"ARROW1\0\0rest".to_vec(), 3, "Arrow file"),
        case("an Arrow stream of nothing", b"\xff\xff\xff\xff".to_vec(), 3, nothing_typed),
        with("--kernel cosine", case("no such kernel", nothing(), 2, "`cosine` is no kernel")),
        with("--kernel poly:99", case("degree 99", nothing(), 2, "whole number from 1 to 10")),
        with(
            "--false-positive-rate 0.7",
            case("a rate of 0.7", nothing(), 2, "above 0 and below 0.5"),
        ),
        with("--samples most", case("no such policy", nothing(), 2, "few, frozen or dense")),
        with(
            "--truncation sigmoid:5",
            case("a smooth truncation elsewhere", nothing(), 2, "algorithm = paper"),
        ),
        with("--truncation sigmoid:-1", case("a negative steepness", nothing(), 2, "above 0")),
        with("--panel 0", case("a panel of 0", nothing(), 2, "whole number from 1")),
        with(
            "--panel 3 --kernel rbf",
            case("a panel with a kernel", nothing(), 2, "cannot be used with"),
        ),
        with("--threads 0", case("no threads", nothing(), 2, "whole number from 1")),
        with(
            "--classes a",
            case("one class named", nothing(), 2, "two labels with a comma between them"),
        ),
        with("--class-weights 1,0", case("a weight of 0", nothing(), 2, "two numbers from 1e-6")),
        with(
            "--report no/such/folder/r.html",
            case("no such folder", nothing(), 5, "does not exist"),
        ),
        with("--report m.json", case("two results in one", nothing(), 2, "named for two results")),
        with(
            "--report data",
            case("a result over an input", nothing(), 2, "would be written over"),
        ),
        with("--report -", case("a report to -", nothing(), 2, "name a file")),
        with(
            "--memory-limit 1 --max-basis 100000",
            case("a limit of 1 MiB", big(), 3, "MiB are allowed"),
        ),
        case(
            "one column",
            "# hello\n1 2 3\n",
            3,
            "only one column was found (the first line is `# hello`)",
        ),
        case("zeros", vec![0; 1000], 3, "this is binary data"),
        case("UTF-16", b"\xff\xfea\0,\0b\0".to_vec(), 3, "UTF-16"),
        case("xz", b"\xfd7zXZ\0\0\x04".to_vec(), 3, "an xz archive"),
        case("a label that is none", many_classes(), 3, "name another label column with --label"),
        case("samples in columns", many_classes(), 3, "stand in columns, turn the table round"),
        with("--test none.csv", case("no test file", nothing(), 3, "none.csv: cannot be read")),
    ]
}

#[test]
fn every_bad_data_file_gets_one_sentence_and_leaves_nothing() {
    let mut wrong = Vec::new();
    for case in data_cases() {
        let place = Place::new();
        place.write("data", &case.data);
        let ran = place.run(&format!("fit data --model m.json {}", case.options));
        let files = place.files();
        let lines: Vec<&str> = ran.err.trim_end().lines().collect();
        let (notes, error) = lines.split_at(usize::from(case.note.is_some()));
        let one_line = ran.code == Some(2) || error.len() == 1;
        if ran.code != Some(case.code)
            || !error.concat().contains(case.sentence)
            || !error.concat().starts_with("error: ")
            || notes.first().copied() != case.note
            || !one_line
            || !ran.out.is_empty()
            || files != ["data"]
        {
            let Case { what, code, sentence, .. } = case;
            wrong.push(format!(
                "{what}: {:?} instead of {code}, {files:?}, wanted `{sentence}`, got {}{}",
                ran.code, ran.err, ran.out
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let place = Place::new();
    for arguments in ["fit none.csv --model m.json", "fit . --model m.json"] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        assert!(ran.err.contains("cannot be read"), "{}", ran.err);
    }
    let ran = place.run("predict none.json data.csv");
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.contains("none.json: cannot be read"), "{}", ran.err);
    assert!(place.files().is_empty());
}

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

#[test]
fn prediction_data_that_do_not_fit_are_refused() {
    let place = Place::new();
    place.write("data.csv", good(40));
    place.good("fit data.csv --model m.json --false-positive-rate 0.15");
    let needed = place.good("inspect m.json --json").json();
    let needed = needed["selected_features"].as_array().unwrap();
    let names: Vec<&str> = needed.iter().map(|feature| feature["name"].as_str().unwrap()).collect();
    let (header, name) = (names.join(","), names[0]);
    let empty = ",".repeat(names.len() - 1) + if names.len() == 1 { "NA" } else { "" };

    let cases = [
        ("c,d\n1,2\n".to_string(), format!("`{name}`")),
        ("c,d\n1,2\n".to_string(), "missing; the names must be those".into()),
        (format!("{header}\n"), "no row of data".into()),
        (format!("{header}\n{empty}\n{empty}\n"), "no row has any value".into()),
        (String::new(), "the file is empty".into()),
    ];
    for (data, sentence) in cases {
        place.write("new.csv", &data);
        let ran = place.run("predict m.json new.csv --out p.csv");
        assert_eq!(ran.code, Some(3), "{data:?}: {}", ran.err);
        assert!(ran.err.contains(&sentence), "{data:?}: {}", ran.err);
        assert!(!place.path("p.csv").exists());
        assert_eq!(place.files(), ["data.csv", "m.json", "new.csv"]);
    }
    place.write("test.csv", good(40).replace(",1\n", ",2\n"));
    let ran = place.run("fit data.csv --model n.json --test test.csv");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    assert!(ran.err.contains("`2`") && !place.path("n.json").exists(), "{}", ran.err);
}

/// A report whose name the system cannot have: the model must not appear either.
#[test]
fn both_results_or_neither() {
    let place = Place::new();
    place.write("data.csv", good(40));
    let name = "x".repeat(300);
    let ran = place.run(&format!("fit data.csv --model m.json --report {name}.html"));
    assert_eq!(ran.code, Some(5), "{}", ran.err);
    assert_eq!(place.files(), ["data.csv"]);
}

/// Nobody reads standard error: the exit code says it all the same.
#[cfg(unix)]
#[test]
fn standard_error_may_be_full() {
    let place = Place::new();
    place.write("data.csv", good(40));
    for (arguments, code) in [("fit none.csv", 3), ("fit data.csv --model m.json", 0)] {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status =
            place.command(&words).stderr(full).stdout(std::process::Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(code), "{arguments}");
    }
}

/// Columns of any size that can be told apart make a model that can be read again.
#[test]
fn columns_of_any_size_make_readable_models() {
    let place = Place::new();
    for exponent in [-320, -309, -300, -150, 150, 300, 307] {
        let mut text = String::from("a,b,label\n");
        for row in 0..30 {
            text += &format!("{}e{exponent},{},{}\n", row % 7 + row % 2, (row * row) % 11, row % 2);
        }
        place.write("data.csv", text);
        place.good("fit data.csv --model m.json");
        let predicted = place.good("predict m.json data.csv").out;
        assert_eq!(predicted.lines().count(), 31, "{exponent}");
    }
}
