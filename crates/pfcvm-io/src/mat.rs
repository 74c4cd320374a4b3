//! MATLAB's files of versions 5 to 7: named arrays, one after another, each packed on its own.
//!
//! A file is a header of 128 bytes and elements. An element is a tag of eight bytes (type and size)
//! and its bytes. A variable is an element made of elements: flags, dimensions, name, values. Those
//! are filled up to multiples of eight bytes, or stand in their tag if they have four at most.
//!
//! Own code, because the crate for such files (matrw 0.1) unpacks every variable into memory and
//! panics on damaged ones. Here, what nobody asks for is passed over, and sizes are believed only as
//! far as there are bytes.

mod elements;

use crate::Error;
use elements::{Fields, damaged, failed, item};
use flate2::bufread::ZlibDecoder;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Types of elements that hold a variable.
const MATRIX: u32 = 14;
const PACKED: u32 = 15;
/// The class of values that only MATLAB understands; it has no dimensions.
const OPAQUE: u8 = 17;
const HEADER: u64 = 128;

/// A variable whose values have not been read yet.
pub(crate) struct Variable<'a> {
    pub(crate) name: String,
    pub(crate) dimensions: Vec<u64>,
    class: u8,
    complex: bool,
    fields: Fields<'a>,
}

/// Shows every variable of a file to `visit`, which reads its values or leaves them.
pub(crate) fn for_each(
    reader: impl Read + Seek,
    mut visit: impl FnMut(Variable<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let length = reader.seek(SeekFrom::End(0)).map_err(Error::Unreadable)?;
    reader.rewind().map_err(Error::Unreadable)?;
    let big_endian = header(&mut reader)?;
    let mut left = length.saturating_sub(HEADER);
    while left > 0 {
        let (kind, size) = Fields { stream: &mut reader, left, big_endian }.long_tag()?;
        // A tag that was read has eight bytes; the rest of the file must hold what it announces.
        left = (left - 8).checked_sub(size).ok_or(Error::CutOff { what: "MATLAB file" })?;
        let mut body = reader.by_ref().take(size);
        match kind {
            MATRIX if size == 0 => {}
            MATRIX => {
                let stream = &mut body;
                visit(Variable::new(Fields { stream, left: size, big_endian })?)?;
            }
            PACKED => {
                let stream = &mut ZlibDecoder::new(&mut body);
                let (kind, size) = Fields { stream, left: 8, big_endian }.long_tag()?;
                if kind != MATRIX {
                    return Err(damaged(format!("packed data of type {kind} are no variable")));
                }
                visit(Variable::new(Fields { stream, left: size, big_endian })?)?;
            }
            _ => return Err(damaged(format!("an element of type {kind} is no variable"))),
        }
        let rest = body.limit() as i64; // sizes have 32 bits
        reader.seek_relative(rest).map_err(Error::Unreadable)?;
    }
    Ok(())
}

/// Checks the header and says whether numbers are stored with the big end first.
fn header(reader: &mut impl Read) -> Result<bool, Error> {
    const NEWER: &str = "this is a MATLAB 7.3 file (HDF5), which cannot be read here; load it in \
                         MATLAB and save it with -v7";
    let mut bytes = Vec::new();
    reader.take(HEADER).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    if bytes.starts_with(b"\x89HDF") {
        return Err(Error::Matlab(NEWER.into()));
    }
    let Some(&[low, high, first, second]) = bytes.get(124..128) else {
        let cut = bytes.starts_with(b"MATLAB");
        return Err(if cut { Error::CutOff { what: "MATLAB file" } } else { not_matlab() });
    };
    let (big_endian, version) = match (first, second) {
        (b'I', b'M') => (false, high),
        (b'M', b'I') => (true, low),
        _ => return Err(not_matlab()),
    };
    match version {
        1 => Ok(big_endian),
        2 => Err(Error::Matlab(NEWER.into())),
        _ => Err(not_matlab()),
    }
}

fn not_matlab() -> Error {
    let text = "this is not a MATLAB file of version 5 to 7 (it does not begin as one); save it \
                with -v7";
    Error::Matlab(text.into())
}

impl<'a> Variable<'a> {
    fn new(mut fields: Fields<'a>) -> Result<Self, Error> {
        let flags = fields.field()?;
        let Some(&bytes) = flags.first_chunk() else {
            return Err(damaged("a variable has no flags"));
        };
        let flags = fields.word(bytes);
        let class = flags as u8;
        let mut dimensions = Vec::new();
        if class != OPAQUE {
            for bytes in fields.field()?.as_chunks().0 {
                dimensions.push(u64::from(fields.word(*bytes)));
            }
        }
        let name = String::from_utf8_lossy(&fields.field()?).into_owned();
        Ok(Self { name, dimensions, class, complex: flags & 0x800 != 0, fields })
    }

    /// How many values the dimensions announce, where that is a number at all.
    pub(crate) fn count(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1u64, |count, &length| count.checked_mul(length))
    }

    /// The dimensions as MATLAB shows them.
    pub(crate) fn shape(&self) -> String {
        let lengths: Vec<String> = self.dimensions.iter().map(u64::to_string).collect();
        lengths.join(" x ")
    }

    /// Refuses everything but real numbers.
    pub(crate) fn check_numeric(&self) -> Result<(), Error> {
        let what = match self.class {
            6..=15 if self.complex => "an array of complex numbers",
            6..=15 => return Ok(()),
            1 => "a cell array",
            2 => "a structure",
            4 => "text",
            5 => "a sparse matrix",
            _ => "an object",
        };
        Err(Error::Matlab(format!("this is {what}; a full array of real numbers is needed")))
    }

    /// The values, the first index running fastest. They take memory as they arrive, so callers
    /// that know how many there should be look at the dimensions before.
    pub(crate) fn values(mut self) -> Result<Vec<f64>, Error> {
        self.check_numeric()?;
        let tag = self.fields.tag()?;
        // MATLAB stores whole numbers in the smallest type that holds them, whatever the class.
        let item = item(tag.kind, self.fields.big_endian)?;
        if self.count().and_then(|count| count.checked_mul(item.size as u64)) != Some(tag.size) {
            return Err(damaged(format!("{} bytes are not {}", tag.size, self.shape())));
        }
        let mut values = Vec::new();
        let mut buffer = [0; 1 << 13]; // a multiple of the size of every type
        if let Some(small) = tag.small {
            let bytes = &small[..tag.size as usize];
            values.extend(bytes.chunks_exact(item.size).map(|value| item.number(value)));
        } else {
            let mut left = tag.size;
            while left > 0 {
                let part = left.min(buffer.len() as u64);
                let bytes = &mut buffer[..part as usize];
                self.fields.fill(bytes)?;
                values.extend(bytes.chunks_exact(item.size).map(|value| item.number(value)));
                left -= part;
            }
        }
        self.finish()?;
        Ok(values)
    }

    /// Goes to the end, where the sum of packed data is checked. Whoever leaves a variable unread
    /// does not learn whether it is whole.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Fields { stream, left, .. } = self.fields;
        io::copy(&mut stream.take(left), &mut io::sink()).map_err(failed)?;
        match stream.read(&mut [0]).map_err(failed)? {
            0 => Ok(()),
            _ => Err(damaged("a packed variable goes on behind its end")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const KINDS: &[u8] = include_bytes!("../tests/seed/kinds.mat");
    const PACKED_KINDS: &[u8] = include_bytes!("../tests/seed/kinds_packed.mat");

    /// What every variable is: its shape and values, or why it has none.
    fn read(bytes: &[u8]) -> BTreeMap<String, Result<(String, Vec<f64>), String>> {
        let mut found = BTreeMap::new();
        for_each(io::Cursor::new(bytes), |variable| {
            let (name, shape) = (variable.name.clone(), variable.shape());
            let values = variable.values().map_err(|error| error.to_string());
            found.insert(name, values.map(|values| (shape, values)));
            Ok(())
        })
        .unwrap();
        found
    }

    #[test]
    fn numbers_of_every_class() {
        for found in [read(KINDS), read(PACKED_KINDS)] {
            let classes = ["double", "single", "int8", "int16", "int32", "int64"];
            for class in classes.into_iter().chain(["uint8", "uint16", "uint32", "uint64"]) {
                let up = (1..=12).map(f64::from).collect();
                assert_eq!(found[class], Ok(("3 x 2 x 2".into(), up)), "{class}");
            }
            let up = (1..=12).map(f64::from).collect();
            assert_eq!(found["five"], Ok(("2 x 1 x 2 x 1 x 3".into(), up)));
            assert_eq!(found["tiny"], Ok(("1 x 2".into(), vec![1.0, 2.0])));
            assert_eq!(found["none"], Ok(("0 x 3".into(), vec![])));
            assert_eq!(found["logical"], Ok(("1 x 3".into(), vec![1.0, 0.0, 1.0])));
        }
    }

    #[test]
    fn other_kinds_are_refused_by_name() {
        for found in [read(KINDS), read(PACKED_KINDS)] {
            for (name, what) in [
                ("complex", "an array of complex numbers"),
                ("cell", "a cell array"),
                ("structure", "a structure"),
                ("text", "text"),
                ("sparse", "a sparse matrix"),
            ] {
                let message = format!("this is {what}; a full array of real numbers is needed");
                assert_eq!(found[name], Err(message));
            }
        }
    }

    #[test]
    fn the_sum_of_packed_data_is_checked() {
        let size = u32::from_le_bytes(PACKED_KINDS[132..136].try_into().unwrap()) as usize;
        let mut bytes = PACKED_KINDS.to_vec();
        bytes[136 + size - 1] ^= 1;
        let outcome = for_each(io::Cursor::new(bytes), |variable| variable.finish());
        let message = outcome.unwrap_err().to_string();
        assert!(message.starts_with("the MATLAB file is damaged ("), "{message}");
        for_each(io::Cursor::new(PACKED_KINDS), |variable| variable.finish()).unwrap();
    }
}
