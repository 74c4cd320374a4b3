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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_fills_whole_blocks_and_values_follow_by_column() {
        for rows in [2, 20, 200, 2000] {
            let mut bytes = Vec::new();
            write_to(&mut bytes, &Matrix::from_fn(rows, 3, |i, j| (i + 10 * j) as f64)).unwrap();
            let length = 10 + u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
            assert_eq!(length % 64, 0);
            assert_eq!(bytes[length - 1], b'\n');
            assert_eq!(bytes.len(), length + 8 * 3 * rows);
            assert_eq!(bytes[length + 8..length + 16], 1f64.to_le_bytes());
            assert_eq!(bytes[length + 8 * rows..length + 8 * rows + 8], 10f64.to_le_bytes());
        }
    }
}
