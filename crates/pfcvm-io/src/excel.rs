//! Spreadsheets: one sheet as comma-separated text, which then goes the way of all text.
//!
//! A cell is what Excel would write for it into a CSV file, but dates come with their year first. So
//! a sheet and its CSV file give the same table. Formulas count by the values that were stored with
//! them, errors (`#N/A`, `#DIV/0!`) are gaps.

pub(crate) mod old;
mod repeated;
mod shared;

use crate::error::shown;
use crate::guard::guarded;
use crate::{Error, ReadOptions};
use calamine::{Data, DataRef, ExcelDateTime, Ods, Range, Reader, Sheet, Xls, Xlsb, Xlsx};
use std::fmt::Write;
use std::io::{Cursor, Read};

/// What a file is called in errors.
const WORKBOOK: &str = "workbook";
const CELLS: &str = "the cells of the workbook";
/// Rows of a sheet, in all programs that write such files.
const MOST_ROWS: u32 = 1 << 20;
/// Memory that a byte of XML may take once it is read.
const GROWTH: u64 = 8;
/// The part that holds the sheets of an OpenDocument file.
const CONTENT: &str = "content.xml";

type Bytes = Cursor<Vec<u8>>;

/// The text of a sheet, and what was decided without being asked.
pub(crate) fn text(bytes: Vec<u8>, options: &ReadOptions) -> Result<(Vec<u8>, Vec<String>), Error> {
    guarded(WORKBOOK, || {
        if !bytes.starts_with(b"PK") {
            let needed = old::memory(&bytes).map_err(damaged)?;
            options.allow(needed, || CELLS.into())?;
            let mut book: Xls<Bytes> = open(bytes)?;
            let (name, notes) = chosen(book.sheets_metadata(), options)?;
            let range = book.worksheet_range(&name).map_err(damaged)?;
            return Ok((of_range(range, options)?, notes));
        }
        let names = unpacked(&bytes, options)?;
        let has = |name: &str| names.iter().any(|known| known == name);
        let mut cells = Cells::default();
        let notes = if has(CONTENT) {
            let mut book: Ods<Bytes> = open(bytes)?;
            let (name, notes) = chosen(book.sheets_metadata(), options)?;
            let range = book.worksheet_range(&name).map_err(damaged)?;
            return Ok((of_range(range, options)?, notes));
        } else if has("xl/workbook.bin") {
            let mut book: Xlsb<Bytes> = open(bytes)?;
            let (name, notes) = chosen(book.sheets_metadata(), options)?;
            let mut reader = book.worksheet_cells_reader(&name).map_err(damaged)?;
            while let Some(cell) = reader.next_cell().map_err(damaged)? {
                cells.push(cell.get_position(), cell.get_value().clone(), options)?;
            }
            notes
        } else {
            let mut book: Xlsx<Bytes> = open(bytes)?;
            let (name, notes) = chosen(book.sheets_metadata(), options)?;
            let mut reader = book.worksheet_cells_reader(&name).map_err(damaged)?;
            while let Some(cell) = reader.next_cell().map_err(damaged)? {
                cells.push(cell.get_position(), cell.get_value().clone(), options)?;
            }
            notes
        };
        Ok((cells.text(options)?, notes))
    })
}

fn open<B>(bytes: Vec<u8>) -> Result<B, Error>
where
    B: Reader<Bytes>,
    B::Error: std::fmt::Display,
{
    B::new(Cursor::new(bytes)).map_err(damaged)
}

fn damaged(error: impl std::fmt::Display) -> Error {
    let detail = error.to_string();
    match detail.contains("password") {
        true => Error::Sheet("the workbook is locked by a password; save it without one".into()),
        false => Error::Damaged { what: WORKBOOK, detail },
    }
}

/// The names of what a packed workbook holds. Its parts are unpacked once to see how large they are:
/// a small file may hold more than memory does, whatever its directory says.
fn unpacked(bytes: &[u8], options: &ReadOptions) -> Result<Vec<String>, Error> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let most = options.limit() / GROWTH;
    const DEFLATED: u64 = 1032; // no part can be packed more tightly
    let small = (bytes.len() as u64).saturating_mul(DEFLATED) <= most;
    let (mut names, mut size) = (Vec::new(), 0);
    for at in 0..archive.len() {
        let mut part = archive.by_index(at).map_err(damaged)?;
        names.push(part.name().unwrap_or_default().into_owned());
        if !small {
            let room = most.saturating_sub(size).saturating_add(1);
            let mut counted = part.by_ref().take(room);
            size += std::io::copy(&mut counted, &mut std::io::sink()).map_err(damaged)?;
            let needed = u128::from(size) * u128::from(GROWTH);
            options.allow(needed, || "the unpacked workbook".into())?;
        }
    }
    if let Some(at) = names.iter().position(|name| name == CONTENT) {
        let mut xml = Vec::new();
        archive.by_index(at).map_err(damaged)?.read_to_end(&mut xml).map_err(damaged)?;
        options.allow(repeated::memory(&xml), || CELLS.into())?;
    }
    Ok(names)
}

/// The sheet that was asked for by name or position, else the first.
fn chosen(sheets: &[Sheet], options: &ReadOptions) -> Result<(String, Vec<String>), Error> {
    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    let Some(first) = names.first() else {
        return Err(Error::Sheet("the workbook has no sheet; add one".into()));
    };
    let quoted = |name: &str| format!("`{}`", shown(name.as_bytes()));
    if let Some(asked) = &options.sheet {
        let by_position = || {
            let position: usize = asked.parse().ok()?;
            names.get(position.checked_sub(1)?)
        };
        let found = names.iter().find(|name| *name == asked).or_else(by_position);
        let all: Vec<String> = names.iter().take(10).map(|name| quoted(name)).collect();
        let missing =
            || format!("there is no sheet {}; the sheets are {}", quoted(asked), all.join(", "));
        return Ok((found.ok_or_else(|| Error::Sheet(missing()))?.to_string(), Vec::new()));
    }
    let note = || {
        format!(
            "the first of {} sheets, {}, was read; --sheet NAME reads another",
            names.len(),
            quoted(first)
        )
    };
    Ok((first.to_string(), (names.len() > 1).then(note).into_iter().collect()))
}

/// The text of a sheet that is read as a whole.
fn of_range(range: Range<Data>, options: &ReadOptions) -> Result<Vec<u8>, Error> {
    let (top, left) = range.start().unwrap_or_default();
    let mut cells = Cells::default();
    for (row, column, value) in range.used_cells() {
        let value: DataRef = match value {
            Data::Int(value) => DataRef::Int(*value),
            Data::Float(value) => DataRef::Float(*value),
            Data::String(text) => DataRef::SharedString(text),
            Data::Bool(value) => DataRef::Bool(*value),
            Data::DateTime(value) => DataRef::DateTime(*value),
            Data::DateTimeIso(text) | Data::DurationIso(text) => DataRef::SharedString(text),
            Data::Error(error) => DataRef::Error(error.clone()),
            Data::Empty => DataRef::Empty,
        };
        cells.push((top + row as u32, left + column as u32), value, options)?;
    }
    cells.text(options)
}

/// The cells of a sheet as they come.
#[derive(Default)]
struct Cells {
    /// The texts of all, one behind the other.
    texts: String,
    /// Row and column of each, and where its text ends.
    places: Vec<(u32, u32, usize)>,
}

impl Cells {
    fn push(
        &mut self,
        (row, column): (u32, u32),
        value: DataRef,
        options: &ReadOptions,
    ) -> Result<(), Error> {
        match value {
            DataRef::Empty => return Ok(()),
            DataRef::SharedString(text) if text.trim().is_empty() => return Ok(()),
            DataRef::String(text) if text.trim().is_empty() => return Ok(()),
            DataRef::Error(_) => {}
            DataRef::Int(value) => put(&mut self.texts, format_args!("{value}")),
            DataRef::Float(value) => number(&mut self.texts, value),
            DataRef::Bool(value) => self.texts.push_str(if value { "TRUE" } else { "FALSE" }),
            DataRef::DateTime(value) => date(&mut self.texts, value),
            DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
                field(&mut self.texts, &text);
            }
            DataRef::SharedString(text) => field(&mut self.texts, text),
        }
        if row >= MOST_ROWS {
            return Err(damaged(format_args!("it has a cell in row {}", u64::from(row) + 1)));
        }
        self.places.push((row, column, self.texts.len()));
        let held = self.texts.len() + self.places.len() * size_of::<(u32, u32, usize)>();
        options.allow(held as u128, || "the sheet".into())
    }

    /// Rows of as many fields each; rows without any cell are empty lines, so that lines count as the
    /// rows of the sheet do.
    fn text(self, options: &ReadOptions) -> Result<Vec<u8>, Error> {
        let Self { texts, places } = self;
        let starts = std::iter::once(0).chain(places.iter().map(|place| place.2));
        let mut cells: Vec<(u32, u32, &str)> = places
            .iter()
            .zip(starts)
            .map(|(&(row, column, end), start)| (row, column, &texts[start..end]))
            .collect();
        cells.sort_by_key(|(row, column, _)| (*row, *column));
        cells.dedup_by_key(|(row, column, _)| (*row, *column));
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let right = cells.iter().map(|cell| cell.1).max().unwrap_or(0);
        let rows = cells.chunk_by(|a, b| a.0 == b.0).count();
        let size = texts.len() as u128 + rows as u128 * u128::from(right - left + 1);
        options.allow(size + u128::from(MOST_ROWS), || format!("the {rows} rows of the sheet"))?;
        let mut out = Vec::with_capacity(size as usize);
        let mut next = 0;
        for row in cells.chunk_by(|a, b| a.0 == b.0) {
            out.resize(out.len() + (row[0].0 - next) as usize, b'\n');
            next = row[0].0 + 1;
            let mut column = left;
            for (_, at, text) in row {
                out.resize(out.len() + (at - column) as usize, b',');
                out.extend(text.as_bytes());
                column = *at;
            }
            out.resize(out.len() + (right - column) as usize, b',');
            out.push(b'\n');
        }
        Ok(out)
    }
}

/// Writing to a text cannot fail.
fn put(out: &mut String, what: std::fmt::Arguments) {
    let _ = out.write_fmt(what);
}

fn number(out: &mut String, value: f64) {
    match value.abs() < 1e16 {
        true => put(out, format_args!("{value}")),
        false => put(out, format_args!("{value:e}")),
    }
}

/// A text as a field, in quotes where it needs them.
fn field(out: &mut String, text: &str) {
    if text.contains([',', '"', '\n', '\r']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

/// A date, with its time if it has one. Times without a date and spans of time are shares of days.
fn date(out: &mut String, value: ExcelDateTime) {
    if value.is_duration() || !(1.0..2_958_466.0).contains(&value.as_f64()) {
        return number(out, value.as_f64());
    }
    let (year, month, day, hours, minutes, seconds, thousandths) = value.to_ymd_hms_milli();
    put(out, format_args!("{year:04}-{month:02}-{day:02}"));
    if value.as_f64().fract() != 0.0 {
        put(out, format_args!("T{hours:02}:{minutes:02}:{seconds:02}.{thousandths:03}"));
    }
}
