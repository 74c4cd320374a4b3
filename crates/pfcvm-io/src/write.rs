//! Tables as CSV.

use crate::Table;
use std::io::{self, Write};

/// Writes a table as CSV: a header, the features, then the column `label`. Numbers are written
/// with as few digits as read back to the same bits, dates as days since 1970, gaps as nothing.
pub fn write_csv(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let names = table.variables().iter().map(|variable| variable.name.as_str());
    writer.write_record(names.chain(["label"])).map_err(cause)?;
    let mut text = String::new();
    for row in 0..table.x().rows() {
        for column in 0..table.x().cols() {
            use std::fmt::Write;
            text.clear();
            let value = table.x().get(row, column);
            if let Some(word) = word(table, column, value) {
                writer.write_field(word).map_err(cause)?;
                continue;
            }
            // The exponent form is short where the plain one would spell out a row of zeros.
            let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
            let written = if plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
            written.map_err(io::Error::other)?;
            writer.write_field(&text).map_err(cause)?;
        }
        writer.write_field(table.label(row)).map_err(cause)?;
        writer.write_record(None::<&[u8]>).map_err(cause)?;
    }
    writer.flush()
}

/// The text of a cell that is no number.
fn word(table: &Table, column: usize, value: f64) -> Option<&str> {
    let levels = table.variables()[column].levels();
    match levels {
        _ if value.is_nan() => Some(""),
        Some(levels) => Some(levels.names().get(value as usize).map_or("other", String::as_str)),
        None => None,
    }
}

/// What the system said, not wrapped: callers tell a full disk from a reader that left.
fn cause(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
