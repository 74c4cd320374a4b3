//! Parquet and Arrow.

use super::{bytes, expected, file, read, same};
use crate::common;
use parquet::file::reader::{FileReader, SerializedFileReader};
use pfcvm_io::{
    Block, ColumnKind, Content, Error, Input, Levels, ReadOptions, Rows, Table, Wanted,
    read_table_from_bytes,
};

const FILES: [&str; 8] = [
    "snappy.parquet",
    "zstd.parquet",
    "gzip.parquet",
    "lz4.parquet",
    "polars.parquet",
    "polars.arrow",
    "lz4.feather",
    "zstd.feather",
];
const NESTED: [&str; 2] = ["nested.parquet", "stream.arrows"];

fn ignoring(names: &[&str]) -> ReadOptions {
    let ignore = names.iter().map(|name| name.to_string()).collect();
    ReadOptions { ignore, ..ReadOptions::default() }
}

fn from_bytes(bytes: Vec<u8>, options: &ReadOptions) -> Result<Table, String> {
    read_table_from_bytes(bytes, options).map_err(|error| error.to_string())
}

#[test]
fn every_file_is_the_same_table() {
    let expected = expected("True", "False");
    for (name, options) in FILES
        .map(|name| (name, ReadOptions::default()))
        .into_iter()
        .chain(NESTED.map(|name| (name, ignoring(&["list", "parts"]))))
    {
        same(name, &read(name, &options).unwrap(), &expected);
        for chunk_bytes in [1, 300, 5000] {
            let options = ReadOptions { chunk_bytes, ..options.clone() };
            same(name, &read(name, &options).unwrap(), &expected);
            same(name, &from_bytes(bytes(name), &options).unwrap(), &expected);
        }
        same(name, &from_bytes(common::zstd(&bytes(name)), &options).unwrap(), &expected);
    }
}

#[test]
fn nested_columns_are_refused_where_they_are_wanted() {
    for name in NESTED {
        let options = ReadOptions { label: Some("class".into()), ..ReadOptions::default() };
        assert_eq!(
            read(name, &options).unwrap_err(),
            "the columns `list`, `parts` hold lists or structures, of which no feature can be \
             made; leave them out with --ignore or save them as numbers or words"
        );
    }
    assert_eq!(
        read("brotli.parquet", &ReadOptions::default()).unwrap_err(),
        "the columns are packed by Brotli, which is not read here; save the file with Snappy or \
         zstd"
    );
    assert_eq!(
        from_bytes(b"FEA1\0\0\0\0".to_vec(), &ReadOptions::default()).unwrap_err(),
        "the data: this is a Feather file of the first version; save it anew"
    );
}

/// What is told of columns overrules their types.
#[test]
fn kinds_can_be_told() {
    let told = |kind| {
        let kinds = ["smokes", "visits", "seen"].map(|name| (name.to_string(), kind));
        ReadOptions { kinds: kinds.to_vec(), ..ReadOptions::default() }
    };
    let words = read("snappy.parquet", &told(ColumnKind::Words)).unwrap();
    let levels = |name: &str| {
        let variable = words.variables().iter().find(|variable| variable.name == name).unwrap();
        variable.levels().unwrap().names().to_vec()
    };
    assert_eq!(levels("smokes"), ["False", "True"]);
    assert_eq!(levels("visits"), ["-2", "-1", "0", "1", "2"]);
    assert_eq!(levels("seen")[..2], ["1969-12-30", "1971-02-03"]);
    let numbers = read("snappy.parquet", &told(ColumnKind::Number)).unwrap();
    assert!(numbers.variables().iter().filter(|one| one.content == Content::Number).count() >= 4);
    assert_eq!(numbers.x().column(3)[..3], [1.0, 0.0, 0.0]);
    assert_eq!(numbers.x().column(4)[0], -2.0);
}

/// Rows for a model are read by what its training data held, from whatever file they were.
#[test]
fn rows_for_a_model_are_read_as_those_that_it_learned_from() {
    for (truth, lie) in [("True", "False"), ("TRUE", "FALSE"), ("true", "false")] {
        let learned = expected(truth, lie);
        for name in FILES {
            let rows = Rows::open(&Input::from(file(name)), &ReadOptions::default()).unwrap();
            let names: Vec<String> =
                learned.variables().iter().map(|variable| variable.name.clone()).collect();
            let contents = learned.variables().iter().map(|one| one.content.clone()).collect();
            let features = rows.find(&names).unwrap();
            let keep = rows.find(&["visits".into(), "seen".into(), "at".into()]).unwrap();
            let wanted = Wanted { features, contents, keep, ..Wanted::default() };
            let mut first = 0;
            let compare = |block: Block, _| {
                for row in 0..block.x.rows() {
                    for column in 0..names.len() {
                        let (now, then) =
                            (block.x.get(row, column), learned.x().get(first, column));
                        assert_eq!(now.to_bits(), then.to_bits(), "{name} {first} {column}");
                    }
                    first += 1;
                }
                if block.first_row == 0 {
                    let kept: Vec<&str> = block.kept.iter().map(|column| &*column[1]).collect();
                    assert_eq!(kept, ["0", "1971-02-03", "2024-02-29T06:00:00"], "{name}");
                }
                assert!(block.strange.is_empty(), "{name}");
                Ok::<(), Error>(())
            };
            rows.for_each(&wanted, Ok, compare).unwrap();
            assert_eq!(first, 24);
        }
    }
}

/// Words that a model does not know are counted, every one, however often they come.
#[test]
fn words_that_are_not_known_are_counted() {
    let whole = expected("True", "False");
    let at = whole.variables().iter().position(|one| one.name == "colour").unwrap();
    let known = ("red".to_string(), 1);
    let red = whole.variables()[at].levels().unwrap().names().iter().position(|word| word == "red");
    let cells = whole.x().column(at);
    let others =
        cells.iter().filter(|cell| !cell.is_nan() && **cell != red.unwrap() as f64).count();
    assert!(others > 5);
    for name in FILES {
        for chunk_bytes in [1, 100, 1 << 20] {
            let options = ReadOptions { chunk_bytes, ..ReadOptions::default() };
            let rows = Rows::open(&Input::from(file(name)), &options).unwrap();
            let features = rows.find(&["colour".into()]).unwrap();
            let contents = vec![Content::Words(Levels::of(vec![known.clone()]))];
            let wanted = Wanted { features, contents, ..Wanted::default() };
            let (mut first, mut strange) = (0, 0);
            let compare = |block: Block, _| {
                for cell in block.x.column(0) {
                    assert_eq!(*cell == 0.0, cells[first] == red.unwrap() as f64, "{name} {first}");
                    first += 1;
                }
                strange += block.strange.first().unwrap_or(&0);
                Ok::<(), Error>(())
            };
            rows.for_each(&wanted, Ok, compare).unwrap();
            assert_eq!((first, strange), (24, others), "{name}");
        }
    }
}

/// A model may need no column at all; there is an answer for every row all the same.
#[test]
fn rows_are_counted_where_no_column_is_wanted() {
    for name in FILES.into_iter().chain(NESTED) {
        let rows = Rows::open(&Input::from(file(name)), &ReadOptions::default()).unwrap();
        let mut count = 0;
        let add = |block: Block, _| {
            count += block.x.rows();
            Ok::<(), Error>(())
        };
        rows.for_each(&Wanted::default(), Ok, add).unwrap();
        assert_eq!(count, 24, "{name}");
    }
}

/// Infinite numbers are refused where something is learned, all columns at once, and gaps elsewhere.
#[test]
fn infinite_numbers_have_their_place() {
    let options = ReadOptions::default();
    assert_eq!(
        from_bytes(bytes("infinite.parquet"), &options).unwrap_err(),
        "the data: 2 columns hold numbers that are not finite: `a` (row 2: `inf`), `b` (row 1: \
         `-inf`); replace them or drop the rows"
    );
    let rows = Rows::open(&Input::from(file("infinite.parquet")), &options).unwrap();
    let wanted = Wanted { features: vec![1, 0], ..Wanted::default() };
    let compare = |block: Block, _| {
        assert_eq!(block.strange, [1, 1]);
        assert!(block.x.get(0, 0).is_nan() && block.x.get(1, 1).is_nan());
        assert_eq!((block.x.get(0, 1), block.x.get(2, 0)), (1.0, 5.5));
        Ok::<(), Error>(())
    };
    rows.for_each(&wanted, Ok, compare).unwrap();
}

/// Wherever a file breaks off or changes, there is one sentence or a table.
#[test]
fn damaged_files_are_refused() {
    let options = ReadOptions { memory_limit_mib: 64, ..ignoring(&["list", "parts"]) };
    for name in FILES.into_iter().chain(NESTED) {
        let whole = bytes(name);
        for length in (9..whole.len()).step_by(whole.len() / 40) {
            if let Err(message) = from_bytes(whole[..length].to_vec(), &options) {
                assert!(message.starts_with("the data: "), "{name} {length}: {message}");
            }
        }
        for at in (8..whole.len()).step_by(whole.len() / 300) {
            for change in [0x01, 0x55, 0xff] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                let _ = from_bytes(changed, &options);
            }
        }
    }
    for (name, what) in [("snappy.parquet", "Parquet file"), ("stream.arrows", "Arrow file")] {
        let whole = bytes(name);
        let message = from_bytes(whole[..whole.len() / 2].to_vec(), &options).unwrap_err();
        assert!(message.contains(what), "{message}");
    }
}

/// The header of a page says that it is 2 GiB large once it is unpacked; everything else is as it was, so
/// that only the claim can be what is refused.
#[test]
fn a_page_that_claims_too_much_is_refused_before_room_is_made_for_it() {
    let whole = bytes("snappy.parquet");
    let reader = SerializedFileReader::new(bytes::Bytes::from(whole.clone())).unwrap();
    let header = reader.metadata().row_group(0).column(0).byte_range().0 as usize;
    let (kinds, sizes) = whole[header..].split_at(2);
    assert_eq!((kinds[0], sizes[0]), (0x15, 0x15), "the header begins otherwise");
    let end = |at: usize| at + sizes[at..].iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    let (unpacked, packed) = (1..end(1), end(1) + 1..end(end(1) + 1));
    assert_eq!(sizes[unpacked.end], 0x15, "the header goes on otherwise");
    // As the claim is longer than the truth, the page gives up some of its 120 packed bytes.
    let claim = [0xfe, 0xff, 0xff, 0xff, 0x0f];
    let longer = claim.len() - unpacked.len();
    let mut fewer = sizes[packed.clone()].to_vec();
    fewer[0] -= 2 * longer as u8; // the lowest seven bits of twice the number
    let (kept, behind) = (packed.end..100, 100 + longer..);
    let parts =
        [&whole[..header], kinds, &[0x15], &claim, &[0x15], &fewer, &sizes[kept], &sizes[behind]];
    assert_eq!(parts.concat().len(), whole.len());
    let limit = |memory_limit_mib| ReadOptions { memory_limit_mib, ..ReadOptions::default() };
    assert!(from_bytes(whole.clone(), &limit(64)).is_ok());
    let message = from_bytes(parts.concat(), &limit(64)).unwrap_err();
    assert!(message.contains("2049 MiB of memory, more than the limit of 64 MiB"), "{message}");
}
