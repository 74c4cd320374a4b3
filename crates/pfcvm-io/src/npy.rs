//! NumPy's array files: the header, and numbers of every plain type.

use crate::error::shown;
use crate::field::{Gaps, is_infinite, refuse_label};
use crate::labels::{LabelBuilder, Labels};
use crate::{Error, Place};

/// What the header of an array says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub(crate) item: Item,
    pub(crate) by_columns: bool,
    pub(crate) shape: Vec<u64>,
}

/// The type of an array's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Item {
    kind: Kind,
    /// Bytes of one value.
    pub(crate) size: usize,
    big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Bool,
    Int,
    Uint,
    Float,
    /// Bytes, padded with zeros.
    Bytes,
    /// Code points of four bytes, padded with zeros.
    Unicode,
}

impl Item {
    /// From NumPy's short form, such as `<f8`.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |what: &str| {
            let text = shown(text.as_bytes());
            Error::Array(format!("the array holds {what} (type `{text}`); save it as float64"))
        };
        let (order, rest) = match text.as_bytes().first() {
            Some(b'<' | b'>' | b'|' | b'=') => text.split_at(1),
            _ => ("<", text),
        };
        let letter = rest.bytes().next().unwrap_or(b' ');
        let size: Option<usize> = rest.get(1..).and_then(|digits| digits.parse().ok());
        let big_endian = order == ">" || (order == "=" && cfg!(target_endian = "big"));
        let (kind, size) = match (letter, size) {
            (b'b', Some(1)) => (Kind::Bool, 1),
            (b'i', Some(size @ (1 | 2 | 4 | 8))) => (Kind::Int, size),
            (b'u', Some(size @ (1 | 2 | 4 | 8))) => (Kind::Uint, size),
            (b'f', Some(size @ (4 | 8))) => (Kind::Float, size),
            (b'S' | b'a', Some(size @ 1..=0xffff)) => (Kind::Bytes, size),
            (b'U', Some(size @ 1..=0xffff)) => (Kind::Unicode, 4 * size),
            (b'O', _) => return Err(refuse("Python objects")),
            (b'S' | b'a' | b'U', _) => return Err(refuse("texts of no or too great length")),
            (b'c', _) => return Err(refuse("complex numbers")),
            (b'f', _) => return Err(refuse("floats of another size")),
            _ => return Err(refuse("values that are not numbers")),
        };
        Ok(Self { kind, size, big_endian })
    }

    pub(crate) fn is_text(self) -> bool {
        matches!(self.kind, Kind::Bytes | Kind::Unicode)
    }

    /// One value as a number; texts are none.
    #[inline]
    pub(crate) fn number(self, bytes: &[u8]) -> f64 {
        // Doubles as most machines store them: by far the usual case.
        if let (Kind::Float, false, Ok(bytes)) = (self.kind, self.big_endian, bytes.try_into()) {
            return f64::from_le_bytes(bytes);
        }
        match (self.kind, self.size) {
            (Kind::Float, 4) => f64::from(f32::from_bits(self.bits(bytes) as u32)),
            (Kind::Float, _) => f64::from_bits(self.bits(bytes)),
            (Kind::Bool, _) => f64::from(u8::from(bytes[0] != 0)),
            (Kind::Uint, _) => self.bits(bytes) as f64,
            (Kind::Int, _) => self.signed(bytes) as f64,
            _ => f64::NAN,
        }
    }

    /// The bytes of a value of up to eight as one number.
    fn bits(self, bytes: &[u8]) -> u64 {
        let mut wide = [0; 8];
        if self.big_endian {
            wide[8 - self.size..].copy_from_slice(bytes);
            u64::from_be_bytes(wide)
        } else {
            wide[..self.size].copy_from_slice(bytes);
            u64::from_le_bytes(wide)
        }
    }

    fn signed(self, bytes: &[u8]) -> i64 {
        let unused = 64 - 8 * self.size as u32;
        ((self.bits(bytes) << unused) as i64) >> unused
    }

    /// One value as a label's text; nothing for NaN, infinity and texts that are not Unicode.
    pub(crate) fn text(self, bytes: &[u8]) -> Option<String> {
        let text = match self.kind {
            Kind::Bool => (if bytes[0] != 0 { "True" } else { "False" }).into(),
            Kind::Int => self.signed(bytes).to_string(),
            Kind::Uint => self.bits(bytes).to_string(),
            Kind::Float => {
                let number = self.number(bytes);
                return number.is_finite().then(|| number.to_string());
            }
            Kind::Bytes => {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
                std::str::from_utf8(&bytes[..end]).ok()?.into()
            }
            Kind::Unicode => {
                let part = Item { kind: Kind::Uint, size: 4, big_endian: self.big_endian };
                let points = bytes.chunks_exact(4).map(|point| part.bits(point) as u32);
                let text: Option<String> = points.map(char::from_u32).collect();
                text?.trim_end_matches('\0').into()
            }
        };
        Some(text)
    }
}

/// The labels of an array of one column, row after row.
pub(crate) fn labels(item: Item, values: &[u8], name: &str, gaps: &Gaps) -> Result<Labels, Error> {
    let mut labels = LabelBuilder::default();
    for (row, value) in values.chunks_exact(item.size).enumerate() {
        push_label(&mut labels, item, value, gaps, || Place {
            unit: "row",
            number: row as u64 + 1,
            column: 1,
            name: name.into(),
        })?;
    }
    Ok(labels.finish())
}

/// Adds one label or says why it is none.
pub(crate) fn push_label(
    labels: &mut LabelBuilder,
    item: Item,
    value: &[u8],
    gaps: &Gaps,
    place: impl Fn() -> Place,
) -> Result<(), Error> {
    let text = match item.text(value) {
        Some(text) => text,
        None if item.is_text() => return Err(Error::NotUtf8 { place: place() }),
        None => item.number(value).to_string(),
    };
    let text = text.trim();
    if gaps.has(text.as_bytes()) {
        labels.push_none();
    } else if is_infinite(text.as_bytes()) {
        return Err(refuse_label(place(), text.as_bytes()));
    } else {
        labels.push(text);
    }
    Ok(())
}

/// Longest header that is believed; NumPy itself stops at 10 000 characters.
const LONGEST_HEADER: usize = 1 << 16;

/// Reads magic, version and header through `fill`, which appends a number of bytes or fails.
pub(crate) fn header(
    mut fill: impl FnMut(&mut Vec<u8>, usize) -> Result<(), Error>,
) -> Result<Shape, Error> {
    let mut start = Vec::new();
    fill(&mut start, 10)?;
    if !start.starts_with(b"\x93NUMPY") {
        return Err(Error::Array("this is not a NumPy array (it does not begin as one)".into()));
    }
    let length = match start[6] {
        1 => usize::from(u16::from_le_bytes([start[8], start[9]])),
        2 | 3 => {
            fill(&mut start, 2)?;
            u32::from_le_bytes([start[8], start[9], start[10], start[11]]) as usize
        }
        other => {
            let text = format!("version {other} of the array format is not known; save it anew");
            return Err(Error::Array(text));
        }
    };
    if length > LONGEST_HEADER {
        return Err(Error::Array("the array's header is too long; save it anew".into()));
    }
    let mut text = Vec::new();
    fill(&mut text, length)?;
    let text = String::from_utf8_lossy(&text);
    parse_header(&text)?.ok_or_else(|| {
        let text = shown(text.as_bytes());
        Error::Array(format!("the array's header `{text}` cannot be understood; save it anew"))
    })
}

/// A Python dictionary with three known keys. Nothing if it is not one.
fn parse_header(text: &str) -> Result<Option<Shape>, Error> {
    let Some(mut rest) = text.trim().strip_prefix('{') else { return Ok(None) };
    let (mut item, mut by_columns, mut shape) = (None, None, None);
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        if rest.starts_with('}') {
            break;
        }
        let Some((key, after)) = python_text(rest) else { return Ok(None) };
        let Some(value) = after.trim_start().strip_prefix(':') else { return Ok(None) };
        let value = value.trim_start();
        let end = match key {
            "descr" if value.starts_with('[') => {
                let problem = "the array has named fields; save a plain two-dimensional array";
                return Err(Error::Array(problem.into()));
            }
            "descr" => {
                let Some((descr, after)) = python_text(value) else { return Ok(None) };
                item = Some(Item::parse(descr)?);
                value.len() - after.len()
            }
            "fortran_order" => {
                by_columns = match value.trim_start() {
                    value if value.starts_with("True") => Some(true),
                    value if value.starts_with("False") => Some(false),
                    _ => return Ok(None),
                };
                value.find([',', '}']).unwrap_or(value.len())
            }
            "shape" => {
                let inner = value.strip_prefix('(').and_then(|value| value.split_once(')'));
                let Some((inner, _)) = inner else { return Ok(None) };
                let lengths = inner.split(',').map(str::trim).filter(|text| !text.is_empty());
                let parsed: Result<Vec<u64>, _> =
                    lengths.map(|text| text.trim_end_matches('L').parse()).collect();
                shape = parsed.ok();
                inner.len() + 2
            }
            _ => return Ok(None),
        };
        rest = &value[end..];
    }
    Ok(match (item, by_columns, shape) {
        (Some(item), Some(by_columns), Some(shape)) => Some(Shape { item, by_columns, shape }),
        _ => None,
    })
}

/// A text in quotes, and what follows it.
fn python_text(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    text[1..].split_once(quote)
}
