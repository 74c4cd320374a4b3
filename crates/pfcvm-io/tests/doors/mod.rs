//! One table in many forms, written by others (`reference/make_doors.py`): all read to the same.

use pfcvm_io::{Input, ReadOptions, Table, read_table};
use std::path::{Path, PathBuf};

#[cfg(feature = "excel")]
mod sheets;
#[cfg(feature = "parquet")]
mod typed;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/doors").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(file(name)).unwrap()
}

fn read(name: &str, options: &ReadOptions) -> Result<Table, String> {
    let outcome = read_table(&Input::from(file(name)), options, &mut |_| ());
    outcome.map_err(|error| {
        let message = error.to_string();
        message.split_once(": ").expect("errors name the input").1.to_string()
    })
}

/// The table as text, with other words for its truth values.
fn expected(truth: &str, lie: &str) -> Table {
    let text = String::from_utf8(bytes("table.csv")).unwrap();
    let text = text.replace("True", truth).replace("False", lie);
    pfcvm_io::read_table_from_bytes(text.into_bytes(), &ReadOptions::default()).unwrap()
}

#[track_caller]
fn same(name: &str, found: &Table, expected: &Table) {
    assert_eq!(found.variables(), expected.variables(), "{name}");
    let bits = |table: &Table| -> Vec<u64> {
        table.x().as_slice().iter().map(|value| value.to_bits()).collect()
    };
    assert_eq!(bits(found), bits(expected), "{name}");
    let classes = |table: &Table| (table.class_names().to_vec(), table.class_codes().to_vec());
    assert_eq!(classes(found), classes(expected), "{name}");
    // What is told of the columns: all of it, and nothing else but which sheet was read.
    let told = found.notes().iter().filter(|note| !note.contains("sheet")).collect::<Vec<_>>();
    assert_eq!(told, expected.notes().iter().collect::<Vec<_>>(), "{name}");
}

#[cfg(not(feature = "excel"))]
#[test]
fn a_spreadsheet_says_what_to_build() {
    for name in ["table.xlsx", "table.xls", "table.ods"] {
        assert_eq!(
            read(name, &ReadOptions::default()).unwrap_err(),
            "this is a spreadsheet, which is read only where the feature `excel` was built (cargo \
             install --path crates/pfcvm-cli --features excel); build it, or save the data as CSV"
        );
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn typed_columns_say_what_to_build() {
    for (name, what) in [("zstd.parquet", "a Parquet file"), ("lz4.feather", "an Arrow file")] {
        let message = read(name, &ReadOptions::default()).unwrap_err();
        assert!(message.starts_with(&format!("this is {what}, which is read only")), "{message}");
        assert!(message.contains("--features parquet)"), "{message}");
    }
}
