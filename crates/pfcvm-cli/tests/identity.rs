//! Folds of one run are never taken for those of another: what decides a result decides which record
//! is gone on from.

mod common;

use common::{Place, Ran};
use pfcvm_study::Identity;
use serde_json::Value;

/// Rows of two or three classes with a column of groups, one of names, two that could be labels.
fn table(classes: usize, group: impl Fn(usize) -> usize) -> String {
    let mut text = String::from("g,a,b,other,label\n");
    for row in 0..48 {
        let class = row % classes;
        let noise = |at: usize| ((row * 7919 + at * 104_729) % 1009) as f64 / 1009.0;
        let (a, b) = (noise(1) + class as f64, noise(2));
        let other = usize::from(noise(3) > 0.5);
        text += &format!("p{},{a},{b},{other},{class}\n", group(row));
    }
    text
}

fn run(place: &Place, words: &str, cache: &str) -> Ran {
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut command = place.command(&words);
    Ran::of(command.env("XDG_CACHE_HOME", place.path(cache)).output().unwrap())
}

fn good(place: &Place, words: &str, cache: &str) -> (Value, String) {
    let ran = run(place, words, cache);
    assert_eq!(ran.code, Some(0), "{words}: {}", ran.err);
    let mut value = ran.json();
    value.as_object_mut().unwrap().remove("timing");
    (value, ran.err)
}

/// Ways to change a run without changing its command, or hardly: which part of the run they change.
fn changes(classes: usize) -> Vec<(&'static str, String, &'static str)> {
    let plain = table(classes, |row| row % 4);
    let moved: Vec<&str> = plain.lines().collect();
    let backwards = [&moved[..1], &Vec::from_iter(moved[1..].iter().rev().copied())].concat();
    vec![
        ("the groups", table(classes, |row| row / 12), ""),
        ("the order of rows", backwards.join("\n") + "\n", ""),
        ("a value", plain.replacen("p1,", "p1,1", 1), ""),
        ("the label column", plain.clone(), "--label other"),
        ("the ignored columns", plain.clone(), "--ignore b"),
        ("the seed", plain, "--seed 9"),
    ]
}

// Pair by pair: classes that are learned at once give the same bits in any order of these rows.
const EVALUATE: &str = "evaluate d.csv --cv groups:g --set kernel=linear --set certainty=off --json \
                        --threads 1 --scheme one-vs-one";

#[test]
fn a_record_of_other_data_is_refused() {
    for classes in [2, 3] {
        for (what, changed, options) in changes(classes) {
            let place = Place::new();
            place.write("d.csv", table(classes, |row| row % 4));
            good(&place, &format!("{EVALUATE} --results r"), "c");
            place.write("d.csv", changed);
            let again = format!("{EVALUATE} --results r {options}");
            let ran = run(&place, &again, "c");
            let told = format!("{classes} classes, {what}: {}", ran.err);
            assert_eq!(ran.code, Some(2), "{told}");
            assert!(ran.err.contains("holds results of another command"), "{told}");
        }
    }
}

/// Without `--results` folds are found again in the cache, after a kill say: those of this very run.
#[test]
fn what_an_ended_run_left_in_the_cache_is_for_the_same_run_only() {
    for classes in [2, 3] {
        let place = Place::new();
        let before = table(classes, |row| row % 4);
        place.write("d.csv", &before);
        let (whole, _) = good(&place, EVALUATE, "unused");
        good(&place, &format!("{EVALUATE} --results r"), "unused");
        let record = place.read("r/folds.jsonl");
        let cut = record.trim_end().rfind('\n').unwrap() + 1;
        // Where a run that is ended leaves its folds.
        let run: Identity = serde_json::from_str(record.lines().next().unwrap()).unwrap();
        let folder = place.path("c/pfcvm/runs").join(run.digest());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("folds.jsonl"), &record[..cut]).unwrap();
        let copy = |from: &str, to: &str| copied(&place.path(from), &place.path(to));
        for (what, changed, options) in changes(classes) {
            copy("c", "c1");
            place.write("d.csv", changed);
            let words = format!("{EVALUATE} {options}");
            let (fresh, _) = good(&place, &words, "empty");
            let (found, told) = good(&place, &words, "c1");
            assert!(!told.contains("going on"), "{classes} classes, {what}: {told}");
            assert_eq!(found, fresh, "{classes} classes, {what}");
            assert_ne!(found, whole, "{classes} classes, {what}: nothing was changed");
        }
        place.write("d.csv", &before);
        let (found, told) = good(&place, EVALUATE, "c");
        assert!(told.contains("going on"), "{told}");
        assert_eq!(found, whole);
    }
}

fn copied(from: &std::path::Path, to: &std::path::Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        match entry.path() {
            path if path.is_dir() => copied(&path, &to.join(entry.file_name())),
            path => drop(std::fs::copy(path, to.join(entry.file_name())).unwrap()),
        }
    }
}
