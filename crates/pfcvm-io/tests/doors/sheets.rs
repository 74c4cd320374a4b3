//! Sheets of spreadsheets.

use super::{bytes, expected, read, same};
use pfcvm_io::{Header, ReadOptions, read_table_from_bytes};

fn sheet(name: &str) -> ReadOptions {
    ReadOptions { sheet: Some(name.into()), ..ReadOptions::default() }
}

#[test]
fn a_sheet_is_the_table_that_it_shows() {
    let expected = expected("TRUE", "FALSE");
    for (name, options) in [
        ("table.xlsx", sheet("Data")),
        ("table.xlsx", sheet("2")),
        ("table.xls", ReadOptions::default()),
        ("table.xls", sheet("Data")),
        ("table.ods", ReadOptions::default()),
    ] {
        same(name, &read(name, &options).unwrap(), &expected);
    }
}

#[test]
fn the_first_sheet_is_read_unless_another_is_named() {
    let first = read("table.xlsx", &ReadOptions { header: Header::No, ..ReadOptions::default() });
    assert_eq!(
        first.unwrap_err(),
        "there is no feature column beside the label; at least one is needed"
    );
    let rows = pfcvm_io::Rows::open(
        &pfcvm_io::Input::from(super::file("table.xlsx")),
        &ReadOptions::default(),
    );
    assert_eq!(
        rows.unwrap().notes(),
        ["the first of 2 sheets, `Notes`, was read; --sheet NAME reads another"]
    );
    assert_eq!(
        read("table.xlsx", &sheet("data")).unwrap_err(),
        "there is no sheet `data`; the sheets are `Notes`, `Data`"
    );
    let text = read("table.csv", &sheet("Data")).unwrap();
    assert!(text.notes()[0].starts_with("only spreadsheets have sheets"), "{:?}", text.notes());
}

/// A file of a kilobyte may claim more cells than memory holds.
#[test]
fn cells_that_are_there_a_million_times_are_counted_before_they_are_made() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/excel/");
    let bytes = |name: &str| std::fs::read(format!("{corpus}{name}")).unwrap();
    let options = ReadOptions { memory_limit_mib: 64, ..ReadOptions::default() };
    let read = |name| read_table_from_bytes(bytes(name), &options);
    assert_eq!(
        read("repeated.ods").unwrap_err().to_string(),
        "the data: the cells of the workbook would take 1572864 MiB of memory, more than the limit of \
         64 MiB; read fewer rows or columns, or raise the limit"
    );
    // Three corners of a sheet, and nothing between them; the last row has no label.
    let table = read("sparse.xlsx").unwrap();
    assert_eq!((table.rows_read(), table.x().rows(), table.x().cols()), (2, 1, 16_383));
}

/// Two cells in the corners of an old sheet, and a chain of sectors without an end: either would have
/// taken all memory there is.
#[test]
fn old_workbooks_are_looked_at_before_they_are_read() {
    let whole = bytes("table.xls");
    let number = |at: usize| whole[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
    let refused =
        |bytes| read_table_from_bytes(bytes, &ReadOptions::default()).unwrap_err().to_string();
    let mut far = whole.clone();
    let cell = far.windows(4).position(|record| record == b"\xfd\x00\x0a\x00").unwrap();
    far[cell + 4..cell + 8].fill(0xff);
    assert_eq!(
        refused(far),
        "the data: the cells of the workbook would take 393199 MiB of memory, more than the limit of \
         16384 MiB; read fewer rows or columns, or raise the limit"
    );
    let mut circle = whole.clone();
    let (folder, table) = (number(48), number(76) as usize);
    let link = 512 * (1 + table) + 4 * folder as usize;
    circle[link..link + 4].copy_from_slice(&folder.to_le_bytes());
    assert_eq!(
        refused(circle),
        "the data: the workbook is damaged (its sectors do not follow each other); copy or download \
         the file again"
    );
}

/// Wherever a file breaks off or changes, there is one sentence or a table.
#[test]
fn damaged_workbooks_are_refused() {
    for name in ["table.xlsx", "table.xls", "table.ods"] {
        let whole = bytes(name);
        let read = |bytes: Vec<u8>| {
            let options = ReadOptions { memory_limit_mib: 64, ..sheet("1") };
            read_table_from_bytes(bytes, &options).map_err(|error| error.to_string())
        };
        for length in (9..whole.len()).step_by(whole.len() / 40) {
            if let Err(message) = read(whole[..length].to_vec()) {
                assert!(message.starts_with("the data: "), "{name} {length}: {message}");
            }
        }
        for at in (30..whole.len()).step_by(whole.len() / 150) {
            let mut changed = whole.clone();
            changed[at] ^= 0x55;
            let _ = read(changed);
        }
        let message = read(whole[..whole.len() / 2].to_vec()).unwrap_err();
        assert!(message.contains("the workbook is damaged ("), "{name}: {message}");
    }
}
