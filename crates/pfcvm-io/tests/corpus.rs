//! Every file of the fuzzer's corpus goes through the checks of its target.

use pfcvm_io::checks;
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
fn csv() {
    run("csv", checks::csv);
}

#[test]
fn libsvm() {
    run("libsvm", checks::libsvm);
}

#[test]
fn arff() {
    run("arff", checks::arff);
}

#[test]
fn npy() {
    run("npy", checks::npy);
}

#[test]
fn npz() {
    run("npz", checks::npz);
}

#[test]
fn model() {
    run("model", checks::model);
}

#[test]
fn gzip() {
    run("gzip", checks::gzip);
}

#[test]
fn zstd() {
    run("zstd", checks::zstd);
}

#[cfg(feature = "excel")]
#[test]
fn excel() {
    run("excel", checks::excel);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet() {
    run("parquet", checks::parquet);
}

#[cfg(feature = "parquet")]
#[test]
fn arrow() {
    run("arrow", checks::arrow);
}

#[test]
fn mat() {
    run("mat", checks::mat);
}

#[test]
fn npy_header() {
    run("npy_header", checks::npy_header);
}

#[test]
fn npz_arrays() {
    run("npz_arrays", checks::npz_arrays);
}

#[test]
fn sealed_model() {
    run("sealed_model", |bytes| drop(checks::sealed_model(bytes)));
}

#[test]
fn csv_cells() {
    run("csv_cells", checks::csv_cells);
}

#[test]
fn labels() {
    run("labels", checks::labels);
}

#[test]
fn settings() {
    run("settings", checks::settings);
}
