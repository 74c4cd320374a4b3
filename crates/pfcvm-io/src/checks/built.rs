//! Checks of files that are built around the bytes, because bytes alone rarely get past a header or a
//! checksum.

use super::{SIZES, check, usable};
use crate::labels::{Classes, LabelBuilder};
use crate::{Error, Format, Header, ModelFile, ReadOptions, Rows, Wanted, overlay, same_class};
use pfcvm::Matrix;
use pfcvm::multiclass::Dataset;
use serde_json::Value;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// Bytes taken one after the other; 0 where there are none left.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn byte(&mut self) -> usize {
        let first = self.0.split_off_first();
        first.map_or(0, |byte| usize::from(*byte))
    }

    fn number(&mut self) -> usize {
        self.byte() << 8 | self.byte()
    }

    /// As many as a first byte or two say, or all that are left.
    pub(super) fn piece(&mut self, most: usize) -> &'a [u8] {
        let count = self.number() % (most + 1);
        self.0.split_off(..count.min(self.0.len())).unwrap_or_default()
    }
}

/// A NumPy array with the given text as its header and the rest as its numbers.
fn array(header: &[u8], numbers: &[u8]) -> Vec<u8> {
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header);
    array.extend(numbers);
    array
}

/// Bytes as the header and the numbers of a NumPy array.
pub fn npy_header(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let header = bytes.piece(200);
    check(&array(header, bytes.0), Some(Format::Npy));
}

/// Bytes as the arrays of an archive that is whole in itself.
pub fn npz_arrays(bytes: &[u8]) {
    const NAMES: [&str; 6] = ["X.npy", "y.npy", "data", "labels.npy", "other.npy", "x"];
    let mut bytes = Bytes(bytes);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for _ in 0..1 + bytes.byte() % 3 {
        let packed = match bytes.byte() % 2 {
            0 => zip::CompressionMethod::Stored,
            _ => zip::CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(packed);
        // A name that is there already is refused.
        if archive.start_file(NAMES[bytes.byte() % NAMES.len()], options).is_ok() {
            let header = bytes.piece(200);
            let array = array(header, bytes.piece(2000));
            archive.write_all(&array).expect("memory can be written to");
        }
    }
    let archive = archive.finish().expect("memory can be written to").into_inner();
    check(&archive, Some(Format::Npz));
}

/// Bytes as a model file that somebody changed on purpose: a line of changes, then JSON. Its checksum
/// is made to fit. What is read comes back, to be looked at further.
pub fn sealed_model(bytes: &[u8]) -> Option<ModelFile> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let mut model: Value = serde_json::from_slice(&bytes[end + 1..]).ok()?;
    model.as_object_mut()?.remove("checksum");
    for change in bytes[..end].chunks_exact(4) {
        changed(&mut model, change);
    }
    let text = ModelFile::sealed(&model)?;
    let stored = ModelFile::read_from(text.as_slice()).ok()?;
    usable(&stored);
    Some(stored)
}

/// Changes one part of a value: which one, how, and to what.
fn changed(value: &mut Value, change: &[u8]) {
    const NUMBERS: [f64; 8] = [0.0, 1.0, -1.0, 1e308, 5e-324, 1e18, 0.5, -1e-308];
    let mut bytes = Bytes(change);
    let mut at = bytes.number() % parts(value);
    let (how, what) = (bytes.byte(), bytes.byte());
    match (how % 6, part(value, &mut at)) {
        (0, Some(part)) => *part = NUMBERS[what % NUMBERS.len()].into(),
        (1, Some(part)) => *part = what.into(),
        (2, Some(part)) => *part = Value::Null,
        (3, Some(Value::Array(items))) if !items.is_empty() => {
            items.remove(what % items.len());
        }
        (4, Some(Value::Array(items))) if !items.is_empty() => {
            items.push(items[what % items.len()].clone());
        }
        (5, Some(Value::Object(members))) if !members.is_empty() => {
            let key = members.keys().nth(what % members.len()).cloned();
            key.and_then(|key| members.remove(&key));
        }
        _ => {}
    }
}

/// How many parts a value has, itself among them.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(parts).sum::<usize>(),
        _ => 1,
    }
}

/// The part of that number; counts down to it.
fn part<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| part(item, at)),
        Value::Object(members) => members.values_mut().find_map(|member| part(member, at)),
        _ => None,
    }
}

/// Bytes as delimited text: every cell is what the csv crate alone reads, into however many pieces
/// the text is cut. (Where a row is ragged, or bytes are no text, ours refuses what it takes.)
pub fn csv_cells(bytes: &[u8]) {
    // The csv crate ends lines at a carriage return too; here it is a blank.
    let lone = |(at, byte): (usize, &u8)| *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if bytes.iter().enumerate().any(lone) {
        return;
    }
    let expected = expected_cells(bytes);
    for pieces in [1, 3, 64] {
        match (cells(bytes, bytes.len() / pieces), &expected) {
            (Ok(found), Some(expected)) => assert_eq!(found, *expected, "in {pieces} pieces"),
            (Ok(found), None) => panic!("in {pieces} pieces: {found:?} out of ragged rows"),
            (Err(Error::InFile { problem, .. }), Some(expected)) => {
                let ragged = matches!(*problem, Error::RaggedRow { .. });
                assert!(!ragged, "{problem} although it is {expected:?}");
            }
            (Err(_), _) => {}
        }
    }
}

/// The cells of tab-separated text, row after row.
fn cells(bytes: &[u8], chunk_bytes: usize) -> Result<Vec<Vec<String>>, Error> {
    let options = ReadOptions {
        format: Some(Format::Tsv),
        header: Header::No,
        chunk_bytes,
        ..ReadOptions::default()
    };
    let rows = Rows::from_reader(Cursor::new(bytes.to_vec()), "bytes", &options)?;
    let keep = Vec::from_iter(0..rows.columns().len());
    let mut cells = Vec::new();
    rows.for_each(&Wanted { keep, ..Wanted::default() }, Ok::<_, Error>, |block, _| {
        for row in 0..block.kept.first().map_or(0, Vec::len) {
            cells.push(block.kept.iter().map(|column| column[row].clone()).collect());
        }
        Ok(())
    })?;
    Ok(cells)
}

/// The same by the csv crate; nothing where rows differ in length or bytes are no text.
fn expected_cells(bytes: &[u8]) -> Option<Vec<Vec<String>>> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(b'\t');
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.from_reader(bytes).byte_records() {
        let record = record.expect("memory can be read");
        let cells = record.iter().map(|cell| String::from_utf8(cell.trim_ascii().to_vec()).ok());
        let cells = cells.collect::<Option<Vec<String>>>()?;
        if cells != [""] {
            rows.push(cells);
        }
    }
    rows.windows(2).all(|pair| pair[0].len() == pair[1].len()).then_some(rows)
}

/// Lines of bytes as labels: two rows are of one class where their labels are the same, whatever
/// blocks they come in.
pub fn labels(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let texts: Vec<&str> = text.lines().collect();
    let coded = |size: usize| {
        let mut classes = Classes::default();
        for block in texts.chunks(size) {
            let mut labels = LabelBuilder::default();
            block.iter().for_each(|text| labels.push(text));
            classes.extend(&labels.finish());
        }
        classes.finish()
    };
    let (names, codes) = coded(SIZES[1]);
    assert_eq!((&names, &codes), (&coded(1).0, &coded(1).1));
    for (text, code) in texts.iter().zip(&codes) {
        assert!(same_class(text, &names[*code as usize]), "{text:?} in {names:?}");
    }
    for (at, name) in names.iter().enumerate() {
        assert!(names[..at].iter().all(|other| !same_class(name, other)), "{name:?} twice");
    }
}

/// Bytes as settings in JSON: those that are accepted are the same when they are written and read, and
/// hold when they are checked again.
pub fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let classes = vec!["a".to_string(), "b".to_string()];
    let x = Matrix::from_fn(4, 2, |row, column| (row * 3 + column) as f64);
    let data = Dataset::new(x, vec![0, 1, 0, 1], classes).expect("these are data");
    if let Ok((settings, _)) = overlay::single(text, data.clone()) {
        assert!(settings.check().is_ok());
        let written = serde_json::to_string(&settings).expect("settings can be written");
        let (again, _) = overlay::single(&written, data.clone()).expect("and read");
        assert_eq!(again, settings);
    }
    if let Ok((settings, _)) = overlay::panel(text, data) {
        assert!(settings.check().is_ok());
    }
}
