//! How large the pages of a Parquet file say that they are. The library makes room for what a page
//! claims to be unpacked, which may be 2 GiB for a few bytes; so the claims are added up before.
//!
//! A page begins with a header in Thrift's compact protocol: fields of a kind and a number, which is
//! told as the distance from the one before; numbers of seven bits a byte, the lowest first.

use super::stored::Stored;
use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use std::io::{self, Read};

/// Kinds of fields: the end, truth (two kinds), small numbers, one of eight bytes, text, lists, parts
/// of their own.
const STOP: u8 = 0;
const TRUTH: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const INTEGERS: [u8; 3] = [4, WORD, 6];
const WORD: u8 = 5;
const DOUBLE: u8 = 7;
const TEXT: u8 = 8;
const LISTS: [u8; 2] = [9, 10];
const PART: u8 = 12;
/// Parts within parts, at most.
const DEEPEST: u32 = 8;
/// Fields of a header: sizes of the page unpacked and packed; parts that say more.
const UNPACKED: i64 = 2;
const PACKED: i64 = 3;

/// Bytes that the largest page of a column takes, unpacked; nothing where it is not packed.
pub(super) fn largest(stored: &Stored, column: &ColumnChunkMetaData) -> io::Result<u64> {
    if column.compression() == Compression::UNCOMPRESSED {
        return Ok(0);
    }
    let (mut at, mut left) = column.byte_range();
    let mut largest = 0;
    while left > 0 {
        let read = stored.get_read(at).map_err(|_| damaged())?;
        let mut header = Header { read, length: 0 };
        let (unpacked, packed) = header.sizes()?;
        let length = header.length.saturating_add(packed);
        left = left.checked_sub(length).ok_or_else(damaged)?;
        at += length;
        largest = largest.max(unpacked);
    }
    Ok(largest)
}

fn damaged() -> io::Error {
    io::Error::from(io::ErrorKind::InvalidData)
}

/// A header on its way.
struct Header<R> {
    read: R,
    /// Bytes so far.
    length: u64,
}

impl<R: Read> Header<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.read.read_exact(&mut byte)?;
        self.length += 1;
        Ok(byte[0])
    }

    fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    /// A number that may be below 0.
    fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Kind and number of the next field.
    fn field(&mut self, last: i64) -> io::Result<(u8, i64)> {
        let byte = self.byte()?;
        let number = match byte >> 4 {
            _ if byte == STOP => last,
            0 => self.signed()?,
            further => last + i64::from(further),
        };
        Ok((byte & 0xf, number))
    }

    /// Sizes of the page, unpacked and packed.
    fn sizes(&mut self) -> io::Result<(u64, u64)> {
        let (mut unpacked, mut packed, mut last) = (None, None, 0);
        loop {
            let (kind, number) = self.field(last)?;
            last = number;
            match (number, kind) {
                (_, STOP) => break,
                // A second time would count instead of the first.
                (UNPACKED, WORD) if unpacked.is_none() => unpacked = Some(self.signed()?),
                (PACKED, WORD) if packed.is_none() => packed = Some(self.signed()?),
                (1 | 4, WORD) => drop(self.signed()?),
                (5..=8, PART) => self.part(number)?,
                (1..=8, _) => return Err(damaged()),
                _ => self.skip(kind, DEEPEST)?,
            }
        }
        let size = |claim: Option<i64>| claim.and_then(|claim| u64::try_from(claim).ok());
        size(unpacked).zip(size(packed)).ok_or_else(damaged)
    }

    /// What a header says of one kind of page. Known fields must be of their kind, for the library
    /// reads them as if they were.
    fn part(&mut self, part: i64) -> io::Result<()> {
        // Of data in two versions and of words: how many numbers there are, a truth, statistics.
        let (numbers, truth, statistics) = match part {
            5 => (4, None, Some(5)),
            7 => (2, Some(3), None),
            8 => (6, Some(7), Some(8)),
            _ => (0, None, None),
        };
        let mut last = 0;
        loop {
            let (kind, number) = self.field(last)?;
            last = number;
            let known = match number {
                _ if kind == STOP => return Ok(()),
                1.. if number <= numbers => kind == WORD,
                _ if Some(number) == truth => TRUTH.contains(&kind),
                _ if Some(number) == statistics => kind == PART,
                _ => true,
            };
            if !known {
                return Err(damaged());
            }
            self.skip(kind, DEEPEST)?;
        }
    }

    /// Goes on behind a value.
    fn skip(&mut self, kind: u8, deepest: u32) -> io::Result<()> {
        let deeper = deepest.checked_sub(1).ok_or_else(damaged)?;
        match kind {
            _ if TRUTH.contains(&kind) => Ok(()),
            _ if INTEGERS.contains(&kind) => self.number().map(drop),
            BYTE => self.byte().map(drop),
            DOUBLE => self.pass(8),
            TEXT => {
                let length = self.number()?;
                self.pass(length)
            }
            _ if LISTS.contains(&kind) => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.number()?,
                    count => count.into(),
                };
                (0..count).try_for_each(|_| match head & 0xf {
                    // In a list a truth takes a byte.
                    kind if TRUTH.contains(&kind) => self.pass(1),
                    kind => self.skip(kind, deeper),
                })
            }
            PART => loop {
                match self.field(0)?.0 {
                    STOP => return Ok(()),
                    kind => self.skip(kind, deeper)?,
                }
            },
            _ => Err(damaged()),
        }
    }

    fn pass(&mut self, count: u64) -> io::Result<()> {
        let passed = io::copy(&mut self.read.by_ref().take(count), &mut io::sink())?;
        self.length += passed;
        if passed == count { Ok(()) } else { Err(damaged()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(bytes: &[u8]) -> Option<(u64, u64, u64)> {
        let mut header = Header { read: bytes, length: 0 };
        let (unpacked, packed) = header.sizes().ok()?;
        Some((unpacked, packed, header.length))
    }

    #[test]
    fn headers_of_pages_tell_their_sizes() {
        // A page of data: kind 0, 300 bytes of 21, and how it is encoded; with statistics.
        let data = [0x15, 0, 0x15, 0xd8, 4, 0x15, 42, 0x2c, 0x15, 6, 0x15, 0, 0x15, 6, 0x15, 6];
        let plain = [&data[..], &[0, 0]].concat();
        assert_eq!(sizes(&plain), Some((300, 21, 18)));
        let told = [&data[..], &[0x1c, 0x18, 2, b'a', b'b', 0x26, 0, 0, 0, 0]].concat();
        assert_eq!(sizes(&told), Some((300, 21, 26)));
        for cut in 0..plain.len() {
            assert_eq!(sizes(&plain[..cut]), None, "{cut}");
        }
        // Words; and a field that nobody knows: a list of two texts.
        let words = [0x15, 4, 0x15, 8, 0x15, 12, 0x4c, 0x15, 2, 0x15, 4, 0x11, 0];
        assert_eq!(sizes(&[&words[..], &[0]].concat()), Some((4, 6, 14)));
        let unknown = [&words[..], &[0x29, 0x28, 1, b'a', 0, 0]].concat();
        assert_eq!(sizes(&unknown), Some((4, 6, 19)));
        // The size as a text; a second time; as a number of a part; below 0.
        assert_eq!(sizes(&[0x15, 4, 0x18, 8, 0x15, 12, 0]), None);
        assert_eq!(sizes(&[0x15, 4, 0x15, 8, 0x15, 12, 0x05, 4, 99, 0]), None);
        assert_eq!(sizes(&[0x15, 4, 0x15, 8, 0x15, 12, 0x4c, 0x17, 0, 0, 0]), None);
        assert_eq!(sizes(&[0x15, 4, 0x15, 7, 0x15, 12, 0]), None);
    }
}
