//! The elements that files and variables are made of.

use crate::Error;
use crate::npy::Item;
use std::io::{self, Read};

/// Longest name or list of dimensions that is believed, in bytes; MATLAB's names have 63.
const LONGEST_FIELD: u64 = 1 << 10;

pub(super) fn damaged(detail: impl Into<String>) -> Error {
    Error::Damaged { what: "MATLAB file", detail: detail.into() }
}

pub(super) fn failed(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::CutOff { what: "MATLAB file" },
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => damaged(error.to_string()),
        _ => Error::Unreadable(error),
    }
}

/// How the numbers of an element are stored.
pub(super) fn item(kind: u32, big_endian: bool) -> Result<Item, Error> {
    let name = match kind {
        1 => "i1",
        2 => "u1",
        3 => "i2",
        4 => "u2",
        5 => "i4",
        6 => "u4",
        7 => "f4",
        9 => "f8",
        12 => "i8",
        13 => "u8",
        _ => return Err(damaged(format!("values of type {kind} are no numbers"))),
    };
    Item::parse(&format!("{}{name}", if big_endian { '>' } else { '<' }))
}

/// The inside of a variable on its way past.
pub(super) struct Fields<'a> {
    pub(super) stream: &'a mut dyn Read,
    /// Bytes of it that have not been read.
    pub(super) left: u64,
    pub(super) big_endian: bool,
}

/// What an element says about itself.
pub(super) struct Tag {
    pub(super) kind: u32,
    pub(super) size: u64,
    /// The bytes of an element that fits in its tag.
    pub(super) small: Option<[u8; 4]>,
}

impl Fields<'_> {
    pub(super) fn word(&self, bytes: [u8; 4]) -> u32 {
        if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.ok_or(Error::CutOff { what: "MATLAB file" })?;
        self.stream.read_exact(bytes).map_err(failed)
    }

    /// A tag that is not small: those of variables.
    pub(super) fn long_tag(&mut self) -> Result<(u32, u64), Error> {
        let mut bytes = [[0; 4]; 2];
        self.fill(bytes.as_flattened_mut())?;
        Ok((self.word(bytes[0]), u64::from(self.word(bytes[1]))))
    }

    pub(super) fn tag(&mut self) -> Result<Tag, Error> {
        let mut bytes = [[0; 4]; 2];
        self.fill(bytes.as_flattened_mut())?;
        let [first, second] = bytes;
        let kind = self.word(first);
        let size = kind >> 16; // zero unless the element is small
        if size > 4 {
            return Err(damaged(format!("an element in its tag cannot have {size} bytes")));
        }
        Ok(if size > 0 {
            Tag { kind: kind & 0xffff, size: u64::from(size), small: Some(second) }
        } else {
            Tag { kind, size: u64::from(self.word(second)), small: None }
        })
    }

    /// A short element and what fills it up.
    pub(super) fn field(&mut self) -> Result<Vec<u8>, Error> {
        let tag = self.tag()?;
        if tag.size > LONGEST_FIELD {
            return Err(damaged(format!("{} bytes are no name and no dimensions", tag.size)));
        }
        let size = tag.size as usize;
        let mut bytes = tag.small.map_or_else(|| vec![0; size.next_multiple_of(8)], Vec::from);
        if tag.small.is_none() {
            self.fill(&mut bytes)?;
        }
        bytes.truncate(size);
        Ok(bytes)
    }
}
