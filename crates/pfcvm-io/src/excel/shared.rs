//! The texts that cells of an old workbook (.xls) share. Each is written once, and read once for every cell
//! that names it.
//!
//! They lie in one record and those that continue it: two counts; then of each text the number of letters,
//! flags, how much follows it, its letters, and what follows. Where letters are cut by the end of a record,
//! the next begins with flags of its own.

use super::old::{number, short};

/// Kinds of records: the texts, and what continues a record.
const TEXTS: u32 = 0x00fc;
const FURTHER: u32 = 0x003c;
/// Flags: letters of two bytes, something foreign behind them, formats behind them.
const WIDE: u8 = 1;
const FOREIGN: u8 = 4;
const FORMATS: u8 = 8;
/// Bytes of a letter in memory, at most.
const LETTER: u128 = 3;

/// Bytes of memory of each text, at most; up to one that is cut off.
pub(super) fn sizes<'a>(records: impl Iterator<Item = (u32, &'a [u8])>) -> Vec<u128> {
    let mut records = records.skip_while(|(kind, _)| *kind != TEXTS);
    let Some((_, first)) = records.next() else { return Vec::new() };
    let mut parts = records.take_while(|(kind, _)| *kind == FURTHER).map(|(_, said)| said);
    let (mut now, mut sizes) = (first.get(8..).unwrap_or_default(), Vec::new());
    while let Some(letters) = text(&mut now, &mut parts) {
        sizes.push(letters as u128 * LETTER);
    }
    sizes
}

/// The number of letters of a text, which is passed over.
fn text<'a>(now: &mut &'a [u8], parts: &mut impl Iterator<Item = &'a [u8]>) -> Option<usize> {
    while now.is_empty() {
        *now = parts.next()?;
    }
    let head = now.split_off(..3)?;
    let (letters, mut flags) = (short(head, 0) as usize, head[2]);
    let mut behind = 0;
    if flags & FORMATS != 0 {
        behind += 4 * short(now.split_off(..2)?, 0) as usize;
    }
    if flags & FOREIGN != 0 {
        behind += number(now.split_off(..4)?, 0) as usize;
    }
    let mut left = letters;
    loop {
        let width = if flags & WIDE != 0 { 2 } else { 1 };
        let here = left.min(now.len() / width);
        now.split_off(..here * width)?;
        left -= here;
        if left == 0 {
            break;
        }
        *now = parts.next()?;
        flags = *now.split_off_first()?;
    }
    while behind > now.len() {
        behind -= now.len();
        *now = parts.next()?;
    }
    now.split_off(..behind)?;
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted_over_the_ends_of_records() {
        // Two texts of one byte a letter, one with formats behind it; a wide one that goes on narrow.
        let first =
            b"\0\0\0\0\0\0\0\0\x03\0\0abc\x02\0\x08\x01\0xy....\x05\0\x01w\0i\0d\0".to_vec();
        let second = b"\0eZ\x01\0\x04\x06\0\0\0q123".to_vec();
        let third = b"456\x02\0\0no".to_vec();
        let records = [(1, &[][..]), (TEXTS, &first), (FURTHER, &second), (FURTHER, &third)];
        let sizes = |records: &[(u32, &[u8])]| sizes(records.iter().copied());
        assert_eq!(sizes(&records), [3, 2, 5, 1, 2].map(|letters| letters * LETTER));
        // What ends before its end, and what continues another record.
        assert_eq!(sizes(&records[..2]), [3, 2].map(|letters| letters * LETTER));
        assert_eq!(sizes(&[records[1], (0x0809, &[]), records[2]]).len(), 2);
        assert_eq!(sizes(&records[..1]), []);
        for end in 0..first.len() {
            assert!(sizes(&[(TEXTS, &first[..end])]).len() <= 2, "{end}");
        }
    }
}
