//! Every file of the fuzzer's corpus goes through the checks of its target.

use pfcvm_study::checks;
use std::path::Path;

#[track_caller]
fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus is part of the repository") {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        check(&std::fs::read(&path).unwrap());
        count += 1;
    }
    assert!(count > 3, "only {count} files for {target}");
}

#[test]
fn method() {
    run("method", checks::method);
}

#[test]
fn protocol() {
    run("protocol", checks::protocol);
}

#[test]
fn splits() {
    run("splits", checks::splits);
}

#[test]
fn record() {
    run("record", checks::record);
}
