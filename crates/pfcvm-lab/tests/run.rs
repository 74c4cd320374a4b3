//! A split file from disk to the summary line.

use pfcvm_io::generate::twonorm;
use pfcvm_lab::experiment::Experiment;
use pfcvm_lab::folds;
use pfcvm_lab::method::{Choice, Method};
use pfcvm_lab::summary::Summary;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const CHOICE: Choice = Choice { method: Method::Rbf, p: None, samples: None };

/// 60 rows of an easy problem; the second split trains on one class only, the third asks for a
/// row that is not there.
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
              {{"train": [{train}], "test": [60]}},
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
    let pair = |split| experiment.pair(&table, split);
    let folds = folds::run(4, 2, &CHOICE, pair).unwrap();

    let numbers: Vec<usize> = folds.iter().map(|fold| fold.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    for good in [0, 3] {
        let scores = folds[good].result.as_ref().unwrap();
        assert!(scores.accuracy > 0.8, "{}", scores.accuracy);
        assert!(scores.auc.unwrap() > 0.9);
    }
    assert!(folds[1].result.is_err());
    let message = folds[2].result.as_ref().unwrap_err();
    assert_eq!(message, "row 60 was asked for, but there are only 60 rows");

    let summary = Summary::new("easy".into(), &folds, 3, experiment.first_noise_feature());
    assert_eq!((summary.fitted, summary.failed), (2, 2));
    assert!(summary.noise.is_none());

    let file = folder.path().join("out/easy.csv");
    folds::write_csv(&file, &folds).unwrap();
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count(), 5);
    assert!(text.contains(message));
}

/// The number of threads is about time, not about results.
#[test]
fn threads_do_not_change_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = write_experiment(folder.path());
    let table = experiment.table(folder.path()).unwrap();
    let probabilities = |threads| -> Vec<Vec<f64>> {
        let folds =
            folds::run(4, threads, &CHOICE, |split| experiment.pair(&table, split)).unwrap();
        let fitted = folds.into_iter().filter_map(|fold| fold.result.ok());
        fitted.map(|scores| scores.outcome.probability).collect()
    };
    assert_eq!(probabilities(1), probabilities(3));
}

#[test]
fn a_file_that_is_no_split_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.json");
    fs::write(&path, "{}").unwrap();
    let error = Experiment::read(&path).unwrap_err();
    assert!(format!("{error:#}").contains("wrong.json is not a split file"), "{error:#}");
}
