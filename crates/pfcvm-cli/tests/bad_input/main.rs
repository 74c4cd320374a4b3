//! Bad input: one sentence, the documented exit code, and no file.

#[path = "../common/mod.rs"]
mod common;
mod models;

use common::Place;

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
