//! What an old workbook (.xls) takes when it is read. The library follows chains of sectors without
//! asking whether they end, makes room for every cell between the first and the last of a sheet, and holds
//! a text that cells share once for each of them; so all of this is looked at before.
//!
//! Such a file is sectors of equal size behind a header. A table says which sector follows which; short
//! streams are kept in small sectors within one long stream, with a table of their own. The stream
//! `Workbook` (once `Book`) is records: two bytes of kind, two of length, and what it says.

use super::shared;

/// Sectors from here on have a meaning of their own; the last of a chain says that it is the last.
const RESERVED: u32 = 0xffff_fffa;
const LAST: u32 = 0xffff_fffe;
/// Streams below this size are kept in small sectors, of this size.
const SHORT: u64 = 4096;
const SMALL: usize = 64;
/// Memory of a cell: its place, its value, and the same of its formula.
const CELL: u128 = 96;
/// What may be wrong.
const BEYOND: &str = "a part of it lies beyond its end";
const ASTRAY: &str = "its sectors do not follow each other";

/// Bytes of memory that the cells and texts of all sheets take, or what is wrong with the file. A file whose head
/// says nothing known is left to the library.
pub(super) fn memory(bytes: &[u8]) -> Result<u128, &'static str> {
    let Some(file) = Sectors::of_file(bytes)? else { return Ok(0) };
    let (head, size) = (&bytes[..512], file.size);
    let folder = file.chain(number(head, 48), None)?;
    let entries: Vec<&[u8]> = folder.chunks_exact(128).collect();
    let Some(root) = entries.first() else { return Ok(0) };
    let (count, first) = (u64::from(number(head, 64)), number(head, 60));
    let small = match count {
        0 => Sectors { bytes: Vec::new(), size: SMALL, next: Vec::new() },
        _ => Sectors {
            bytes: file.chain(number(root, 116), Some(length(root, size)))?,
            size: SMALL,
            next: numbers(&file.chain(first, Some(count * size as u64))?),
        },
    };
    let mut most = 0;
    for entry in entries {
        let name: Vec<u8> = entry[..64].chunks_exact(2).map_while(letter).collect();
        if !name.eq_ignore_ascii_case(b"workbook") && !name.eq_ignore_ascii_case(b"book") {
            continue;
        }
        let length = length(entry, size);
        let kept = if length < SHORT { &small } else { &file };
        most = most.max(sheets(&kept.chain(number(entry, 116), Some(length))?)?);
    }
    Ok(most)
}

pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

pub(super) fn short(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |two| u16::from_le_bytes(*two).into())
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| number(four, 0)).collect()
}

/// A letter of a name, which ends at the first that is none. (Those that matter are ASCII.)
fn letter(two: &[u8]) -> Option<u8> {
    match short(two, 0) {
        0 => None,
        letter => Some(u8::try_from(letter).unwrap_or(b'?')),
    }
}

/// How long an entry says that its stream is.
fn length(entry: &[u8], size: usize) -> u64 {
    let high = if size == 512 { 0 } else { u64::from(number(entry, 124)) << 32 };
    u64::from(number(entry, 120)) | high
}

/// Sectors one behind the other, and which follows which.
struct Sectors {
    bytes: Vec<u8>,
    size: usize,
    next: Vec<u32>,
}

impl Sectors {
    /// Those of the file; nothing where its head is not known.
    fn of_file(bytes: &[u8]) -> Result<Option<Self>, &'static str> {
        let Some(head) = bytes.first_chunk::<512>() else { return Ok(None) };
        let size = match short(head, 30) {
            9 => 512,
            12 => 4096,
            _ => return Ok(None),
        };
        let bytes = bytes.get(size..).unwrap_or_default().to_vec();
        let mut file = Self { bytes, size, next: Vec::new() };
        // Which sectors hold the table: the first of them in the head, more in a chain whose links are
        // their own last numbers.
        let mut held = numbers(&head[76..]);
        let (mut more, mut seen) = (number(head, 68), 0);
        while more < RESERVED {
            held.extend(numbers(file.whole(more)?));
            more = held.pop().unwrap_or(LAST);
            seen += 1;
            if seen > file.bytes.len() / size {
                return Err(ASTRAY);
            }
        }
        for id in held.into_iter().filter(|id| *id < RESERVED) {
            let links = numbers(file.whole(id)?);
            file.next.extend(links);
        }
        Ok(Some(file))
    }

    /// The last sector of a file may be cut off.
    fn sector(&self, id: u32) -> Result<&[u8], &'static str> {
        let start = (id as usize).saturating_mul(self.size);
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty()).ok_or(BEYOND)?;
        Ok(&rest[..self.size.min(rest.len())])
    }

    fn whole(&self, id: u32) -> Result<&[u8], &'static str> {
        let sector = self.sector(id)?;
        if sector.len() == self.size { Ok(sector) } else { Err(BEYOND) }
    }

    /// What a chain of sectors holds, up to a length: no more than there is.
    fn chain(&self, first: u32, length: Option<u64>) -> Result<Vec<u8>, &'static str> {
        let length = length.unwrap_or(u64::MAX);
        let mut held = Vec::new();
        let (mut id, mut seen) = (first, 0);
        while id != LAST && (held.len() as u64) < length {
            // Only behind the last may something be missing.
            if seen > self.bytes.len() / self.size || held.len() != seen * self.size {
                return Err(ASTRAY);
            }
            held.extend(self.sector(id)?);
            seen += 1;
            if (held.len() as u64) < length {
                id = *self.next.get(id as usize).ok_or(ASTRAY)?;
            }
        }
        held.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        Ok(held)
    }
}

/// The records of a stream up to one that is cut off.
fn records(stream: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let (head, after) = rest.split_first_chunk::<4>()?;
        let said = after.get(..short(head, 2) as usize)?;
        rest = &after[said.len()..];
        Some((short(head, 0), said))
    })
}

/// Kinds of records: the end of a part and its beginning, a sheet of the book, the size of a sheet.
const END: u32 = 0x000a;
const BEGIN: u32 = 0x0809;
const SHEET: u32 = 0x0085;
const SIZE: u32 = 0x0200;
/// Cells: a number, a text (three ways), a truth value, a short number, a formula; several short
/// numbers; and the text that a formula gave.
const CELLS: [u32; 7] = [0x0203, 0x0204, 0x00d6, 0x00fd, 0x0205, 0x027e, FORMULA];
const FORMULA: u32 = 0x0006;
const SEVERAL: u32 = 0x00bd;
const TEXT: u32 = 0x0207;
/// A cell that names one of the shared texts.
const SHARED: u32 = 0x00fd;

/// Memory for the cells and texts of all sheets.
fn sheets(stream: &[u8]) -> Result<u128, &'static str> {
    let book = || records(stream).take_while(|(kind, _)| *kind != END);
    let texts = shared::sizes(book());
    let places = book().filter(|(kind, said)| *kind == SHEET && said.len() >= 4);
    let (mut cells, mut claimed, mut seen, mut held) = (0, 0, 0, 0);
    for (_, said) in places {
        let sheet = stream.get(number(said, 0) as usize..).ok_or(BEYOND)?;
        let before = seen;
        let (kept, said_so) = size(sheet, &mut seen);
        cells += kept;
        claimed = claimed.max(said_so);
        // Sheets lie behind each other. Else a small file could hold as many as it likes.
        if seen > stream.len() {
            return Err("a sheet lies within another");
        }
        let named = records(&sheet[..seen - before]).filter(|(kind, _)| *kind == SHARED);
        let sizes = named.filter_map(|(_, said)| texts.get(number(said.get(6..)?, 0) as usize));
        held += sizes.sum::<u128>();
    }
    Ok((cells + claimed) * CELL + held)
}

/// The cells between the first and the last of a sheet, and as many as it claims to have. Adds the
/// bytes of it to those seen.
fn size(sheet: &[u8], seen: &mut usize) -> (u128, u128) {
    let (mut rows, mut columns) = (None, None);
    let (mut formula, mut depth, mut claimed) = ((0, 0), 0, 0);
    let take = |ends: &mut Option<(u32, u32)>, first: u32, last: u32| {
        let wider = |(start, end): (u32, u32)| (start.min(first), end.max(last));
        *ends = Some(ends.map_or((first, last), wider));
    };
    for (kind, said) in records(sheet) {
        *seen += 4 + said.len();
        match kind {
            BEGIN => depth += 1,
            END if depth <= 1 => break,
            END => depth -= 1,
            SIZE => claimed = claimed.max(claim(said)),
            TEXT => {
                take(&mut rows, formula.0, formula.0);
                take(&mut columns, formula.1, formula.1);
            }
            _ if said.len() >= 4 && (kind == SEVERAL || CELLS.contains(&kind)) => {
                let (row, column) = (short(said, 0), short(said, 2));
                let six = said.len().saturating_sub(6) as u32 / 6;
                let further = if kind == SEVERAL { six } else { 1 };
                take(&mut rows, row, row);
                take(&mut columns, column, column + further.max(1) - 1);
                if kind == FORMULA {
                    formula = (row, column);
                }
            }
            _ => {}
        }
    }
    let count =
        |ends: Option<(u32, u32)>| ends.map_or(0, |(start, end)| u128::from(end - start) + 1);
    (count(rows) * count(columns), claimed)
}

/// How many cells the size of a sheet speaks of. An end before the beginning is one beyond all.
fn claim(said: &[u8]) -> u128 {
    let (first, end, left, right) = match said.len() {
        10 => (short(said, 0), short(said, 2), short(said, 4), short(said, 6)),
        14 | 16 => (number(said, 0), number(said, 4), short(said, 8), short(said, 10)),
        _ => return 0,
    };
    if end == 0 || right == 0 {
        return 0;
    }
    let left = if left > 0xff || right < left { 0 } else { left };
    let rows = u128::from(end.wrapping_sub(first));
    rows * u128::from(right - left)
}

/// A file around a stream, of 512 bytes a sector: the table, the folder, the stream; for tests. Of the
/// stream what one sector of links can tell.
#[cfg(any(debug_assertions, fuzzing))]
pub(crate) fn file(stream: &[u8]) -> Vec<u8> {
    let mut stream = stream[..stream.len().min(100 * 512)].to_vec();
    stream.resize(stream.len().max(SHORT as usize).next_multiple_of(512), 0);
    let mut head = vec![0; 512];
    head[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    for (at, value) in [(26, 3_u16), (28, 0xfffe), (30, 9), (32, 6)] {
        head[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    head[76..].fill(0xff);
    for (at, value) in [(44, 1), (48, 1), (60, LAST), (68, LAST), (76, 0)] {
        head[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    let sectors = stream.len() as u32 / 512;
    let mut table = vec![0xff; 512];
    let links = [0xffff_fffd, LAST].into_iter().chain(3..2 + sectors).chain([LAST]);
    for (at, link) in links.enumerate() {
        table[4 * at..4 * at + 4].copy_from_slice(&link.to_le_bytes());
    }
    let mut folder = vec![0; 512];
    for (at, name, kind, first, length) in
        [(0, "Root Entry", 5, LAST, 0), (128, "Workbook", 2, 2, stream.len() as u32)]
    {
        for (letter, byte) in name.bytes().enumerate() {
            folder[at + 2 * letter] = byte;
        }
        folder[at + 64] = 2 * name.len() as u8 + 2;
        folder[at + 66] = kind;
        folder[at + 116..at + 120].copy_from_slice(&first.to_le_bytes());
        folder[at + 120..at + 124].copy_from_slice(&length.to_le_bytes());
    }
    [head, table, folder, stream].concat()
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    fn record(kind: u32, said: &[u8]) -> Vec<u8> {
        let head = [(kind as u16).to_le_bytes(), (said.len() as u16).to_le_bytes()];
        [head.as_flattened(), said].concat()
    }

    fn words<const N: usize>(words: [u16; N]) -> Vec<u8> {
        words.map(u16::to_le_bytes).as_flattened().to_vec()
    }

    /// A stream of a book with one sheet of these records.
    fn stream(sheet: &[Vec<u8>]) -> Vec<u8> {
        let begin = record(BEGIN, &words([0x600, 0x10]));
        let mut book = [record(BEGIN, &words([0x600, 5])), record(END, &[])].concat();
        let at = book.len() as u32 + 13;
        let place = [&at.to_le_bytes()[..], &[0, 0, 1, 0, b'a']].concat();
        book.splice(8..8, record(SHEET, &place));
        assert_eq!(book.len(), at as usize);
        [book, begin, sheet.concat(), record(END, &[])].concat()
    }

    fn cell(row: u16, column: u16) -> Vec<u8> {
        record(0x0203, &[words([row, column, 0]), 1.5_f64.to_le_bytes().to_vec()].concat())
    }

    #[test]
    fn the_rectangle_of_all_cells_counts() {
        for (cells, expected) in [
            (vec![], 0),
            (vec![cell(3, 4)], 1),
            (vec![cell(3, 4), cell(0, 0)], 20),
            (vec![cell(0, 0), cell(u16::MAX, u16::MAX)], 1 << 32),
            (vec![record(SEVERAL, &words([2, 5, 0, 0, 0, 0, 0, 0, 6])), cell(3, 5)], 4),
            // The text of a formula is where the formula is; first of all, in the first cell.
            (vec![record(TEXT, &[]), cell(0, 2)], 3),
            (vec![record(SIZE, &[0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 5, 0, 0, 0])], 35),
            (vec![record(SIZE, &words([9, 7, 0, 1, 0]))], (1 << 32) - 2),
        ] {
            assert_eq!(memory(&file(&stream(&cells))), Ok(expected * CELL), "{cells:?}");
        }
    }

    /// A text that is written once and named by many cells is held by each.
    #[test]
    fn texts_that_cells_share_count_for_each() {
        let mut names = Vec::new();
        for row in 0..2000 {
            names.push(record(SHARED, &words([row, 0, 0, u16::from(row % 4 == 0), 0])));
        }
        let mut stream = stream(&names);
        let text = [&[0; 8][..], &words([20_000]), &[0], &[b'a'; 20_000], &words([2]), b"\0no"];
        let texts: Vec<Vec<u8>> = text.concat().chunks(8000).map(<[u8]>::to_vec).collect();
        let kinds = [0x00fc, 0x003c, 0x003c];
        let mut at = 8;
        for (part, (kind, text)) in kinds.iter().zip(&texts).enumerate() {
            let flags: &[u8] = if part == 0 { &[] } else { &[0] };
            let made = record(*kind, &[flags, text].concat());
            stream.splice(at..at, made.iter().copied());
            at += made.len();
        }
        let place = at + 4;
        let sheet = number(&stream, place) + (at - 8) as u32;
        stream[place..place + 4].copy_from_slice(&sheet.to_le_bytes());
        let expected = 2000 * CELL + 1500 * 3 * 20_000 + 500 * 3 * 2;
        assert_eq!(memory(&file(&stream)), Ok(expected));
    }

    /// Wherever a record is cut in two by the end of a sector, and whichever way the sectors lie.
    #[test]
    fn a_claim_over_two_sectors_is_seen() {
        let claim = record(SIZE, &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0xff, 0, 0, 0]);
        for filling in 420..500 {
            let book = file(&stream(&[record(1, &vec![0; filling]), claim.clone()]));
            assert_eq!(memory(&book), Ok(0x7fff_ffff * 255 * CELL), "{filling}");
            // The second and the third sector of the stream change their places, and the links to them.
            let mut other = book.clone();
            let (second, third) = (512 * 4, 512 * 5);
            other[second..third].copy_from_slice(&book[third..third + 512]);
            other[third..third + 512].copy_from_slice(&book[second..third]);
            for (at, link) in [(2, 4), (4, 3), (3, 5)] {
                other[512 + 4 * at] = link;
            }
            assert_eq!(memory(&other), memory(&book), "{filling}");
        }
    }

    #[test]
    fn chains_without_an_end_are_found() {
        let book = file(&stream(&[cell(0, 0)]));
        let changed = |changes: &[(usize, u32)]| {
            let mut book = book.clone();
            for (at, link) in changes {
                book[*at..at + 4].copy_from_slice(&link.to_le_bytes());
            }
            memory(&book)
        };
        let link = |sector: usize| 512 + 4 * sector;
        let length = 2 * 512 + 128 + 120;
        assert_eq!(memory(&book), Ok(CELL));
        assert_eq!(changed(&[(link(1), 1)]), Err(ASTRAY)); // the folder follows itself
        assert_eq!(changed(&[(link(4), 3), (length, 1 << 30)]), Err(ASTRAY));
        assert_eq!(changed(&[(link(4), 100)]), Err(BEYOND));
        assert_eq!(changed(&[(68, 0), (1020, 0)]), Err(ASTRAY)); // the table of the table
        assert_eq!(memory(&book[..book.len() - 512]), Err(BEYOND));
        assert_eq!(memory(&book[..700]), Err(BEYOND));
        assert_eq!(memory(&book[..100]), Ok(0));
    }

    #[test]
    fn sheets_within_sheets_are_refused() {
        let mut book = stream(&[cell(0, 0)]);
        let sheet = book[8..21].to_vec();
        book.splice(8..8, sheet.repeat(200));
        for at in 0..201 {
            let place = 8 + 13 * at + 4;
            book[place..place + 4].copy_from_slice(&(21 + 200 * 13 + 4_u32).to_le_bytes());
        }
        assert_eq!(memory(&file(&book)), Err("a sheet lies within another"));
    }
}
