//! Writers of the formats that the library only reads.

#![allow(dead_code)] // every test program uses its own part

use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

/// An array file with the given type, order, shape (as Python writes it) and values.
pub fn npy(descr: &str, by_columns: bool, shape: &str, values: &[u8]) -> Vec<u8> {
    let order = if by_columns { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(values);
    out
}

/// An archive; arrays at odd places are packed.
pub fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (at, (name, bytes)) in arrays.iter().enumerate() {
        let method = if at % 2 == 0 {
            zip::CompressionMethod::Stored
        } else {
            zip::CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default().compression_method(method);
        out.start_file(format!("{name}.npy"), options).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// The same bytes, packed.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}
