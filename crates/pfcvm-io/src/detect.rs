//! Which format the first bytes speak for.

use crate::{Error, Format};

/// The format of a stream, from its first bytes; the file name decides only where they leave
/// a doubt. Nothing but blanks is an empty file.
pub(crate) fn detect(start: &[u8], tsv_hint: bool) -> Result<Format, Error> {
    if start.starts_with(b"\x93NUMPY") {
        return Ok(Format::Npy);
    }
    if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
        return Ok(if is_workbook(start) { Format::Excel } else { Format::Npz });
    }
    if start.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Ok(Format::Excel);
    }
    if start.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if start.starts_with(b"ARROW1\0\0") || start.starts_with(&[0xff; 4]) {
        return Ok(Format::Arrow);
    }
    if let Some(what) = not_text(start) {
        return Err(Error::NotText { what });
    }
    let first = lines(start).find(|line| !line.starts_with(b"%"));
    let Some(first) = first.or_else(|| lines(start).next()) else { return Err(Error::Empty) };
    if first.len() >= 9 && first[..9].eq_ignore_ascii_case(b"@relation") {
        return Ok(Format::Arff);
    }
    if looks_like_libsvm(start) {
        return Ok(Format::Libsvm);
    }
    if memchr::memchr(b'\n', start).is_none() {
        let text = start.trim_ascii();
        if memchr::memchr(b'\r', text).is_some_and(|at| at + 1 < text.len()) {
            return Err(Error::CarriageReturns);
        }
    }
    let tabs = separator(first, b"\t;,") == b'\t';
    let has_tabs = memchr::memchr(b'\t', first).is_some();
    Ok(if has_tabs && (tabs || tsv_hint) { Format::Tsv } else { Format::Csv })
}

/// Whether an archive is a spreadsheet, by the name of its first part.
fn is_workbook(start: &[u8]) -> bool {
    const PARTS: [&str; 6] =
        ["[Content_Types].xml", "_rels/", "xl/", "docProps/", "customXml/", "mimetype"];
    let name = start.get(30..).unwrap_or_default();
    PARTS.iter().any(|part| name.starts_with(part.as_bytes()))
}

/// What bytes are that cannot be a table of text.
fn not_text(start: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 9] = [
        (b"\x1f\x8b", "a gzip file inside a packed one; unpack it once"),
        (b"\xfd7zXZ\0", "an xz archive; unpack it first"),
        (b"BZh", "a bzip2 archive; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd file inside a packed one; unpack it once"),
        (b"\x89HDF", "an HDF5 file; save the data as CSV or .npz"),
        (b"FEA1", "a Feather file of the first version; save it anew"),
        (b"%PDF", "a PDF document; save the data as CSV"),
        (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
    ];
    let known = KNOWN.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, what)| *what);
    let binary = memchr::memchr(0, start).map(|_| "binary data; save the data as CSV or .npz");
    known.or(binary)
}

/// The candidate that a line has most of outside quotes; the first of them in a draw.
pub(crate) fn separator(line: &[u8], candidates: &[u8]) -> u8 {
    let mut counts = vec![0usize; candidates.len()];
    let mut quoted = false;
    for &byte in line {
        if byte == b'"' {
            quoted = !quoted;
        } else if byte == b'\n' && !quoted {
            break;
        } else if !quoted && let Some(at) = candidates.iter().position(|&c| c == byte) {
            counts[at] += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let at = counts.iter().position(|&count| count == most);
    if most == 0 { b',' } else { at.map_or(b',', |at| candidates[at]) }
}

/// Lines that hold more than blanks, in quotes or not.
fn lines(start: &[u8]) -> impl Iterator<Item = &[u8]> {
    let says_something = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'"';
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(move |line| line.iter().any(says_something))
}

/// The first line with more than a label decides; a row of zeros is a label alone.
fn looks_like_libsvm(start: &[u8]) -> bool {
    for line in lines(start) {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let mut tokens = line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
        let Some(label) = tokens.next() else { continue };
        if label.iter().any(|byte| b":,;".contains(byte)) {
            return false;
        }
        let mut tokens = tokens.peekable();
        if tokens.peek().is_some() {
            return tokens.all(is_pair);
        }
    }
    false
}

/// Whether a token begins as a pair does: only a broken value is left to be complained about.
fn is_pair(token: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', token) else { return false };
    let index = &token[..colon];
    index == b"qid" || (!index.is_empty() && index.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell() {
        let cases: [(&[u8], Format); 18] = [
            (b"a,b\n1,2\n", Format::Csv),
            (b"a;b,c\n1;2\n", Format::Csv),
            (b"\n\na\tb\n1\t2\n", Format::Tsv),
            (b"\" \"\na\tb\n1\t2\n", Format::Tsv),
            (b"% note\n@RELATION x\n", Format::Arff),
            (b"+1 1:0.5 7:1\n", Format::Libsvm),
            (b"# zeros\n1\n-1 3:1 # odd\n1 2\n", Format::Libsvm),
            (b"3 qid:1 1:2\n", Format::Libsvm),
            (b"1:2 3:4\n", Format::Csv),
            (b"id,time\n1,x 12:30\n", Format::Csv),
            (b"%a,b\n1,2\n", Format::Csv),
            (b"\x93NUMPY\x01\x00", Format::Npy),
            (b"PK\x03\x04", Format::Npz),
            (b"PK\x03\x04__________________________xl/workbook.xml", Format::Excel),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Format::Excel),
            (b"PAR1\x15\x04", Format::Parquet),
            (b"ARROW1\0\0\xff\xff\xff\xff", Format::Arrow),
            (b"\xff\xff\xff\xff\x00\x01\x00\x00", Format::Arrow),
        ];
        for (text, format) in cases {
            assert_eq!(detect(text, false).unwrap(), format, "{}", text.escape_ascii());
        }
        assert!(matches!(detect(b" \r\n\n", false), Err(Error::Empty)));
        assert!(matches!(detect(b"a,b\r1,2\r", false), Err(Error::CarriageReturns)));
        assert_eq!(separator(b"\"a,b,c\";d;e", b";,"), b';');
    }
}
