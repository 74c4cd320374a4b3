//! What must hold of any bytes whatever, for the fuzzer and the tests of its corpus.

use crate::journal::{Line, line, read};
use crate::{Cv, Fold, GivenSplits, Identity, Outcome};
use pfcvm_methods::{Grid, Spec};
use std::collections::HashMap;
use std::path::Path;

/// Bytes as the text of a method, of a filter, of a grid: what is accepted is the same when it is
/// written and read.
pub fn method(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(spec) = text.parse::<Spec>() {
        let written = spec.to_string();
        assert_eq!(written.parse::<Spec>().as_ref(), Ok(&spec), "{written}");
        for point in spec.grid().points().iter().take(3) {
            let mut chosen = spec.clone();
            for (key, value) in point {
                chosen.set(key, value).expect("a method takes what it proposes");
            }
        }
    }
    if let Ok(spec) = Spec::of_selector(text) {
        assert_eq!(Spec::of_selector(&spec.to_string()), Ok(spec));
    }
    let mut grid = Grid::default();
    if text.split_whitespace().try_for_each(|axis| grid.add(axis)).is_ok() {
        assert!(!grid.points().is_empty());
    }
}

/// Bytes as a protocol: what is accepted is the same when it is written and read, and splits rows so
/// that none trains and tests at once.
pub fn protocol(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(cv) = text.parse::<Cv>() else { return };
    assert_eq!(cv.to_string().parse::<Cv>().expect("what was written can be read"), cv);
    let labels = [0, 1, 0, 1, 0, 1, 0, 1, 2, 2, 2, 2];
    let groups: Vec<String> = (0..labels.len()).map(|row| (row / 4).to_string()).collect();
    // No file is read here, and thousands of splits say no more than a few.
    let few = match cv {
        Cv::Given { .. } => false,
        Cv::Folds { folds, repeats } => folds * repeats <= 100,
        Cv::HoldOut { repeats, .. } | Cv::Bootstrap { repeats } => repeats <= 100,
        Cv::LeaveOneOut | Cv::Groups { .. } => true,
    };
    if !few {
        return;
    }
    for split in cv.splits(&labels, Some(&groups), 1).unwrap_or_default() {
        assert!(!split.train.is_empty() && !split.test.is_empty());
        let all = split.train.iter().chain(&split.test);
        assert!(all.max().is_some_and(|row| *row < labels.len()));
        assert!(split.test.iter().all(|row| !split.train.contains(row)), "{split:?}");
    }
}

/// Bytes as a file of splits.
pub fn splits(bytes: &[u8]) {
    if let Ok(given) = GivenSplits::parse(bytes, Path::new("bytes")) {
        let _ = given.classes();
        for split in given.among(&[0, 1, 2, 3]).unwrap_or_default() {
            assert!(split.train.iter().chain(&split.test).all(|row| *row < 4));
        }
    }
}

/// Bytes as a record of folds, and as the lines of one that is whole in itself. Such a record gives
/// what was written; cut anywhere, a part of it; with a bit changed, nothing else.
pub fn record(bytes: &[u8]) {
    let identity = Identity::default().with("cv", "kfold:3");
    let folder = Path::new("bytes");
    let known = |text: &[u8]| {
        let found = read::<Fold>(text, folder, &identity, false);
        found.map(|found| found.known).map_err(|error| error.to_string())
    };
    let _ = known(bytes);
    let _ = read::<Fold>(bytes, folder, &identity, true);

    let mut written: Vec<((String, usize), Outcome)> = Vec::new();
    let mut text = line(&identity).expect("memory can be written to");
    for (at, given) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let outcome = match serde_json::from_slice::<Fold>(given) {
            Ok(fold) => Ok(fold),
            Err(_) => Err(String::from_utf8_lossy(given).into_owned()),
        };
        let study = format!("study {}", given.len() % 3);
        let entry = Line::new(&study, at, &outcome).expect("memory can be written to");
        text.extend(line(&entry).expect("memory can be written to"));
        written.push(((study, at), outcome));
    }
    let upto = |count: usize| HashMap::from_iter(written[..count].iter().cloned());
    assert_eq!(known(&text), Ok(upto(written.len())));
    // Places that depend on the bytes.
    let sum = bytes.iter().fold(bytes.len(), |sum, byte| sum.wrapping_mul(31) + usize::from(*byte));
    let at = sum % text.len();
    let ends = text[..at].iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(known(&text[..at]), Ok(upto(ends.saturating_sub(1))));
    text[at] ^= 1 << (sum / text.len() % 8);
    if let Ok(found) = known(&text) {
        // A changed end of a line joins it with the next one, or cuts the last one off.
        let whole = upto(written.len());
        assert!(found.iter().all(|(key, outcome)| whole.get(key) == Some(outcome)));
    }
}
