//! A split file from disk to the summary line.

use pfcvm_io::generate::twonorm;
use pfcvm_lab::experiment::Experiment;
use pfcvm_lab::line::{line, write_csv};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// 60 rows of an easy problem; the second split trains on one class only.
fn write_experiment(folder: &Path) -> Experiment {
    let table = twonorm(3, 30, 5);
    let mut text = String::from("a,b,c,label\n");
    for row in 0..60 {
        for feature in 0..3 {
            write!(text, "{},", table.x().get(row, feature)).unwrap();
        }
        writeln!(text, "{}", table.label(row)).unwrap();
    }
    fs::create_dir(folder.join("easy")).unwrap();
    fs::write(folder.join("easy/data.csv"), text).unwrap();

    let rows = |range: std::ops::Range<usize>| Vec::from_iter(range.map(|row| row.to_string()));
    let train = rows(0..40).join(",");
    let test = rows(40..60).join(",");
    let splits = format!(
        r#"{{"name": "easy", "data": "easy/data.csv", "protocol": "by hand", "seed": null,
            "labels": [-1, 1], "splits": [
              {{"train": [{train}], "test": [{test}]}},
              {{"train": [0, 2, 4, 6], "test": [{test}]}},
              {{"train": [{test}], "test": [{train}]}}]}}"#
    );
    fs::write(folder.join("easy.json"), splits).unwrap();
    Experiment::read(&folder.join("easy.json")).unwrap()
}

#[test]
fn failed_splits_are_reported_and_the_others_scored() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = write_experiment(folder.path());
    let table = experiment.table(folder.path()).unwrap();
    let method = "pfcvm-lp".parse().unwrap();
    let study = experiment.study(table, &method, usize::MAX).unwrap();
    let outcomes = pfcvm_study::run(std::slice::from_ref(&study), None, &|_| ()).unwrap();
    let outcomes = &outcomes[0];
    for good in [0, 2] {
        let scores = outcomes[good].as_ref().unwrap().scores;
        assert!(scores.accuracy > 0.8 && scores.auc.unwrap() > 0.9, "{scores:?}");
    }
    let reason = outcomes[1].as_ref().unwrap_err();
    let text = line(&study, outcomes, experiment.first_noise_feature());
    assert!(text.starts_with("easy pfcvm-lp: accuracy "), "{text}");
    assert!(text.ends_with("2 fits, 1 failed") && !text.contains("noise"), "{text}");

    let file = folder.path().join("out/easy.csv");
    write_csv(&file, outcomes).unwrap();
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains(reason));
}

#[test]
fn rows_that_are_not_there_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut experiment = write_experiment(folder.path());
    experiment.splits[0].test.push(60);
    let table = experiment.table(folder.path()).unwrap();
    let error = experiment.study(table, &"pfcvm-lp".parse().unwrap(), 1).unwrap_err();
    assert_eq!(error.to_string(), "row 60 is of neither class");
}

#[test]
fn a_file_that_is_no_split_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.json");
    fs::write(&path, "{}").unwrap();
    let error = Experiment::read(&path).unwrap_err();
    assert!(format!("{error:#}").contains("wrong.json is not a split file"), "{error:#}");
}
