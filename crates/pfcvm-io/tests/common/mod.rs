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

/// The same by zstd, with a check sum at the end.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A variable for [`mat`]: MATLAB's class and flags, dimensions, and the values as they are stored.
pub struct Stored<'a> {
    pub name: &'a str,
    pub flags: u32,
    pub dimensions: &'a [i32],
    pub kind: u32,
    pub values: Vec<u8>,
}

/// A MATLAB file of version 5, the little end first, nothing packed.
pub fn mat(variables: &[Stored]) -> Vec<u8> {
    let mut out = b"MATLAB 5.0 MAT-file".to_vec();
    out.resize(124, b' ');
    out.extend(b"\x00\x01IM");
    for variable in variables {
        out.extend(element(14, &variable_bytes(variable)));
    }
    out
}

/// The same with every variable packed.
pub fn packed_mat(variables: &[Stored]) -> Vec<u8> {
    let mut out = mat(&[]);
    for variable in variables {
        let mut packed =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(&element(14, &variable_bytes(variable))).unwrap();
        let packed = packed.finish().unwrap();
        out.extend(15u32.to_le_bytes());
        out.extend((packed.len() as u32).to_le_bytes());
        out.extend(packed);
    }
    out
}

fn variable_bytes(variable: &Stored) -> Vec<u8> {
    let mut flags = variable.flags.to_le_bytes().to_vec();
    flags.extend([0; 4]);
    let dimensions: Vec<u8> =
        variable.dimensions.iter().flat_map(|length| length.to_le_bytes()).collect();
    let mut out = element(6, &flags);
    out.extend(element(5, &dimensions));
    out.extend(element(1, variable.name.as_bytes()));
    out.extend(element(variable.kind, &variable.values));
    out
}

fn element(kind: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = kind.to_le_bytes().to_vec();
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    out.resize(out.len().next_multiple_of(8), 0);
    out
}
