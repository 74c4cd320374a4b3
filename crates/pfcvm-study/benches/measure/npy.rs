//! Matrices as `.npy` files, for handing data to Python.

use pfcvm::Matrix;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Writes a matrix in format version 1.0: little-endian doubles, column after column.
pub fn write(path: &Path, matrix: &Matrix) -> Result<()> {
    write_to(BufWriter::new(File::create(path)?), matrix)
}

fn write_to(mut out: impl Write, matrix: &Matrix) -> Result<()> {
    let (rows, cols) = (matrix.rows(), matrix.cols());
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': True, 'shape': ({rows}, {cols}), }}");
    // Magic, version, length and header together fill blocks of 64 bytes; a newline ends them.
    let blanks = 63 - (10 + header.len()) % 64;
    header.push_str(&" ".repeat(blanks));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for j in 0..cols {
        for value in matrix.column(j) {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    out.flush()
}
