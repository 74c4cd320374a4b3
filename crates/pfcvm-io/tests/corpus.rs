//! Every file of the fuzzer's corpus goes through the checks of its target. They are not part of optimised programs.
#![cfg(debug_assertions)]

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

#[cfg(all(feature = "excel", feature = "parquet"))]
#[test]
fn containers() {
    run("workbook_parts", checks::workbook_parts);
    run("parquet_parts", checks::parquet_parts);
    run("arrow_messages", checks::arrow_messages);
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

/// The files of the corpus with a few bytes changed, left out or doubled, as many of each target as
/// `PFCVM_MUTATIONS` says. Blind, where the fuzzer has eyes, but without a compiler of its own.
#[cfg(all(feature = "excel", feature = "parquet"))]
#[test]
#[ignore = "takes as long as one likes: PFCVM_MUTATIONS=10000"]
fn mutations() {
    let count = std::env::var("PFCVM_MUTATIONS").ok().and_then(|count| count.parse().ok());
    type Check = fn(&[u8]);
    let targets: [(&str, Check); 4] = [
        ("zstd", checks::zstd),
        ("excel", checks::excel),
        ("parquet", checks::parquet),
        ("arrow", checks::arrow),
    ];
    for (target, check) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
        let mut paths: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let files: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % below.max(1)
        };
        let start = std::time::Instant::now();
        for at in 0..count.unwrap_or(100) {
            let mut bytes = files[at % files.len()].clone();
            for _ in 0..=random(4) {
                let (place, length) = (random(bytes.len()), 1 + random(8));
                let end = (place + length).min(bytes.len());
                match random(5) {
                    0 => drop(bytes.drain(place..end)),
                    1 => bytes.extend_from_within(place..end),
                    2 => bytes[place..end].fill([0, 0xff, 0x7f, 0x80][random(4)]),
                    3 => bytes
                        .iter_mut()
                        .skip(place)
                        .take(1)
                        .for_each(|byte| *byte ^= 1 << (length - 1)),
                    _ => bytes
                        .iter_mut()
                        .skip(place)
                        .take(1)
                        .for_each(|byte| *byte = random(256) as u8),
                }
            }
            check(&bytes);
        }
        println!("{target}: {} in {:.0} s", count.unwrap_or(100), start.elapsed().as_secs_f64());
    }
}
