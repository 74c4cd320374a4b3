//! Files of others' formats that are whole on the outside: the bytes are what lies inside.

use super::built::Bytes;
use super::{check, typed};
use crate::Format;
use crate::excel::old;
use arrow_ipc::root_as_message;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// Longest part of a file.
const LONGEST: usize = 1 << 14;
/// What every workbook has: which sheet there is, and where.
const BOOK: &str =
    r#"<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>"#;
const LINKS: &str = concat!(
    r#"<Relationships><Relationship Id="1" Target="worksheets/sheet1.xml" "#,
    r#"Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>"#,
    "</Relationships>",
);
const BINARY_LINKS: &str = concat!(
    r#"<Relationships><Relationship Id="1" Target="worksheets/sheet1.bin" "#,
    r#"Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>"#,
    "</Relationships>",
);
/// The same as records: the sheets begin, one of the first link called `a`, they end.
const BINARY_BOOK: &[u8] =
    b"\x83\x01\x00\x8f\x01\x00\x9c\x01\x14\0\0\0\0\x01\0\0\0\x01\0\0\0\x31\0\
    \x01\0\0\0\x61\0\x90\x01\x00\x84\x01\x00";

/// Bytes as the parts of a spreadsheet: which kind, then each part.
pub fn workbook_parts(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let packed = |parts: &[(&str, &[u8])]| {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let stored =
            SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, content) in parts {
            archive.start_file(*name, stored).expect("names differ");
            archive.write_all(content).expect("memory can be written to");
        }
        archive.finish().expect("memory can be written to").into_inner()
    };
    let book = match bytes.byte() % 4 {
        0 => packed(&[
            ("xl/workbook.xml", BOOK.as_bytes()),
            ("xl/_rels/workbook.xml.rels", LINKS.as_bytes()),
            ("xl/worksheets/sheet1.xml", bytes.piece(LONGEST)),
            ("xl/sharedStrings.xml", bytes.piece(LONGEST)),
            ("xl/styles.xml", bytes.0),
        ]),
        1 => packed(&[
            ("xl/workbook.bin", BINARY_BOOK),
            ("xl/_rels/workbook.bin.rels", BINARY_LINKS.as_bytes()),
            ("xl/worksheets/sheet1.bin", bytes.piece(LONGEST)),
            ("xl/sharedStrings.bin", bytes.piece(LONGEST)),
            ("xl/styles.bin", bytes.0),
        ]),
        2 => packed(&[
            ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
            ("content.xml", bytes.0),
        ]),
        _ => old::file(bytes.0),
    };
    check(&book, Some(Format::Excel));
}

/// Bytes as what describes the columns of a Parquet file, and its pages.
pub fn parquet_parts(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let about = bytes.piece(LONGEST);
    let length = (about.len() as u32).to_le_bytes();
    let file = [b"PAR1", bytes.0, about, &length, b"PAR1"].concat();
    typed(&file, Format::Parquet);
}

/// Bytes as messages of an Arrow stream: what each says of itself, and the values that it says it has.
pub fn arrow_messages(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut stream = Vec::new();
    while !bytes.0.is_empty() {
        let mut about = bytes.piece(LONGEST).to_vec();
        about.resize(about.len().next_multiple_of(8), 0);
        let claim = root_as_message(&about).ok().map(|message| message.bodyLength());
        let claim = claim.and_then(|claim| usize::try_from(claim).ok());
        let mut values = bytes.piece(LONGEST).to_vec();
        values.resize(claim.filter(|claim| *claim <= LONGEST).unwrap_or(values.len()), 0);
        stream.extend([0xff; 4]);
        stream.extend((about.len() as u32).to_le_bytes());
        stream.extend(about);
        stream.extend(values);
    }
    typed(&stream, Format::Arrow);
}
