//! Comma-, semicolon- and tab-separated text.

use crate::chunks::{Chunk, Chunks, State, separates};
use crate::collected::{Collected, Parsed};
use crate::columns::Columns;
use crate::detect::separator;
use crate::error::counted;
use crate::field::{Commas, is_missing, number, number_with_commas};
use crate::input::Source;
use crate::plan::Plan;
use crate::records::Records;
use crate::{Error, Format, Header, ReadOptions};
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// Delimited text whose header, if any, has been read.
pub(crate) struct Opened {
    pub(crate) chunks: Chunks,
    pub(crate) separator: u8,
    pub(crate) columns: Columns,
    pub(crate) notes: Vec<String>,
    /// The column of row numbers, if there is one.
    pub(crate) index: Option<usize>,
}

/// Finds the separator and the column names.
pub(crate) fn open(source: Source, format: Format, options: &ReadOptions) -> Result<Opened, Error> {
    let separator = match format {
        Format::Tsv => b'\t',
        Format::Excel => b',',
        _ if is_spaced(&source.start) => b' ',
        _ => separator(source.start.trim_ascii_start(), b";,"),
    };
    let mut chunks = Chunks::new(source, Some(separator), options);
    let (record, line, fields) = loop {
        let (record, line) = chunks.record()?.ok_or(Error::Empty)?;
        let fields = split(&record, separator);
        if fields.len() > 1 || fields.iter().any(|field| !field.is_empty()) {
            break (record, line, fields);
        }
    };
    let mut notes = Vec::new();
    let columns = match options.header {
        Header::No => Columns::Numbered(fields.len()),
        Header::Yes => names(&fields, line, &mut notes)?,
        Header::Auto if counts(&fields) => {
            notes.push(
                "the first line only counts the columns and was not taken as data; columns are \
                 named x1, x2, …"
                    .into(),
            );
            let columns = Columns::Numbered(fields.len());
            let nameless = fields[0].is_empty();
            return Ok(opened(chunks, separator, columns, nameless, notes));
        }
        Header::Auto if all_numbers(&fields, commas(separator)) => {
            notes.push(
                "the first line holds numbers and was taken as data; columns are named x1, x2, …"
                    .into(),
            );
            Columns::Numbered(fields.len())
        }
        Header::Auto if comes_again(&fields, chunks.ahead(), separator) => {
            notes.push(
                "the first line holds words that come again below it, and was taken as data; \
                 columns are named x1, x2, …"
                    .into(),
            );
            Columns::Numbered(fields.len())
        }
        Header::Auto => {
            let numbers = fields.iter().filter(|field| number(field).is_some()).count();
            if numbers > 0 {
                notes.push(format!(
                    "the first line was taken as column names, although it holds {}; use \
                     --header no if it is data",
                    counted(numbers, "number")
                ));
            }
            names(&fields, line, &mut notes)?
        }
    };
    if matches!(columns, Columns::Numbered(_)) {
        chunks.put_back(record, line);
    }
    columns.check()?;
    let nameless = match &columns {
        Columns::Named(names) => NAMELESS.contains(&names[0].as_str()),
        _ => false,
    };
    Ok(opened(chunks, separator, columns, nameless, notes))
}

/// Looks for row numbers in the first column, `nameless` if it has no name where others have.
fn opened(
    chunks: Chunks,
    separator: u8,
    columns: Columns,
    nameless: bool,
    mut notes: Vec<String>,
) -> Opened {
    let named = matches!(columns, Columns::Named(_));
    let several = columns.len() > 2;
    let is_index = several && (nameless || !named) && numbers_rows(&chunks, separator, nameless);
    if is_index {
        notes.retain(|note| !note.starts_with("column 1 has no name"));
        notes.push(
            "the first column numbers the rows and is no feature; give it a name to use it".into(),
        );
    }
    Opened { chunks, separator, columns, notes, index: is_index.then_some(0) }
}

/// What a first column is called that has no name: by us, and by pandas.
const NAMELESS: [&str; 2] = ["column1", "Unnamed: 0"];

/// Whether the first column of the rows read ahead holds row numbers. In a column without a name
/// among named ones whole numbers that all differ are (of shuffled rows, say); where no column has
/// a name they must count from 0 or 1 for a while.
fn numbers_rows(chunks: &Chunks, separator: u8, nameless: bool) -> bool {
    let ahead = chunks.ahead();
    // The last line may be cut.
    let whole = &ahead[..memchr::memrchr(b'\n', ahead).map_or(0, |at| at + 1)];
    let whole = squeezed(whole, separator);
    let mut record = Records::new(&whole, separator);
    let mut seen = Vec::new();
    while record.advance() {
        if record.is_blank() {
            continue;
        }
        let field = record.get(0).unwrap_or_default();
        let digits = !field.is_empty() && field.iter().all(u8::is_ascii_digit);
        let number = std::str::from_utf8(field).ok().and_then(|text| text.parse::<u64>().ok());
        match number.filter(|_| digits) {
            Some(number) => seen.push(number),
            None => return false,
        }
    }
    const FEW: usize = 10;
    let first = seen.first().copied().unwrap_or(2);
    let counts = first <= 1 && seen.iter().zip(first..).all(|(number, at)| *number == at);
    if !nameless {
        return counts && seen.len() >= FEW;
    }
    seen.sort_unstable();
    seen.len() > 1 && seen.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether a first line is a row: at least half of the words in it stand in the same column of a
/// later row. (Names of columns do not.)
fn comes_again(fields: &[Vec<u8>], ahead: &[u8], separator: u8) -> bool {
    let is_word = |at: &usize| number(&fields[*at]).is_none() && !is_missing(&fields[*at]);
    let words: Vec<usize> = (0..fields.len()).filter(is_word).collect();
    if fields.len() < 2 || words.is_empty() {
        return false;
    }
    let mut again = vec![false; fields.len()];
    let ahead = squeezed(ahead, separator);
    let mut later = Records::new(&ahead, separator);
    while later.advance() {
        for &at in &words {
            again[at] |= later.get(at).is_some_and(|field| field == fields[at]);
        }
        if 2 * again.iter().filter(|again| **again).count() >= words.len() {
            return true;
        }
    }
    false
}

/// Whether columns stand apart by blanks: no other separator in the first lines, and as many words in
/// each of them.
fn is_spaced(start: &[u8]) -> bool {
    const LOOKED_AT: usize = 20;
    let whole = &start[..memchr::memrchr(b'\n', start).map_or(start.len(), |at| at + 1)];
    let lines = whole.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let mut counts = lines.take(LOOKED_AT).map(|line| {
        let other = line.iter().any(|byte| b",;\t".contains(byte));
        if other { 0 } else { split(line, b' ').len() }
    });
    let first = counts.next().unwrap_or(0);
    first > 1 && counts.all(|count| count == first)
}

/// Text whose columns stand apart by blanks with one between them and none at the ends of lines,
/// except in quotes, which are where the [scanner](State) that cuts text into pieces sees them; any other text as it is.
fn squeezed(text: &[u8], separator: u8) -> Cow<'_, [u8]> {
    if separator != b' ' {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let (mut state, mut blank) = (State::FieldStart, false);
    for &byte in text {
        let quoted = state == State::Quoted;
        state = state.after(byte, separator);
        match byte {
            _ if separates(byte, separator) && !quoted => blank = true,
            b'\n' => {
                blank = false;
                out.push(byte);
            }
            _ => {
                if blank && out.last().is_some_and(|last| *last != b'\n') {
                    out.push(b' ');
                }
                blank = false;
                out.push(byte);
            }
        }
    }
    Cow::Owned(out)
}

/// What commas within numbers mean.
pub(crate) fn commas(separator: u8) -> Commas {
    if separator == b',' { Commas::Thousands } else { Commas::Decimal }
}

/// The fields of one record, by the rules of CSV, without blanks around them.
fn split(record: &[u8], separator: u8) -> Vec<Vec<u8>> {
    let record = squeezed(record, separator);
    let mut records = Records::new(&record, separator);
    records.advance();
    records.fields().map(<[u8]>::to_vec).collect()
}

/// Column names; one that is empty gets a name and a note.
fn names(fields: &[Vec<u8>], line: u64, notes: &mut Vec<String>) -> Result<Columns, Error> {
    let mut names = Vec::with_capacity(fields.len());
    let mut unnamed = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let name = std::str::from_utf8(field).map_err(|_| Error::BadLine {
            line,
            problem: format!("the name of column {} is not UTF-8; save the file as UTF-8", at + 1),
        })?;
        if name.is_empty() {
            unnamed.push(at + 1);
            names.push(format!("column{}", at + 1));
        } else {
            names.push(name.into());
        }
    }
    const LISTED: usize = 5;
    notes.extend(
        unnamed
            .iter()
            .take(LISTED)
            .map(|at| format!("column {at} has no name; it is called column{at}")),
    );
    if unnamed.len() > LISTED {
        notes.push(format!("{} more columns have no name", unnamed.len() - LISTED));
    }
    Ok(Columns::Named(names))
}

/// Numbers or missing values throughout, and one number at least.
fn all_numbers(fields: &[Vec<u8>], commas: Commas) -> bool {
    let is_number = |field: &Vec<u8>| {
        std::str::from_utf8(field).is_ok_and(|text| text.parse::<f64>().is_ok())
            || number_with_commas(field, commas).is_some()
    };
    fields.iter().all(|field| is_number(field) || is_missing(field)) && fields.iter().any(is_number)
}

/// Exactly 0, 1, 2, …, as some tools write where there are no names; pandas leaves the place above
/// its row numbers empty.
fn counts(fields: &[Vec<u8>]) -> bool {
    let fields = match fields {
        [first, rest @ ..] if first.is_empty() => rest,
        all => all,
    };
    let counts = |(at, field): (usize, &Vec<u8>)| *field == at.to_string().as_bytes();
    // Two such numbers may well be a row.
    fields.len() > 2 && fields.iter().enumerate().all(counts)
}

/// Nothing but blanks. A tab is no blank where it separates: such a line is a row of empty fields.
fn is_blank(line: &[u8], separator: u8) -> bool {
    line.iter().all(|byte| byte.is_ascii_whitespace() && *byte != separator)
}

/// Reads the rows of a piece.
pub(crate) fn parse(chunk: &Chunk, separator: u8, plan: &Plan) -> Result<Parsed, Error> {
    let mut rows = Collected::new(plan);
    let single;
    let chunk = match squeezed(&chunk.bytes, separator) {
        Cow::Borrowed(_) => chunk,
        Cow::Owned(bytes) => {
            single = Chunk { bytes, ..*chunk };
            &single
        }
    };
    if memchr(b'"', &chunk.bytes).is_some() {
        parse_quoted(chunk, separator, plan, &mut rows)?;
    } else {
        parse_plain(chunk, separator, plan, &mut rows)?;
    }
    Ok(rows.finish(chunk, plan))
}

/// Without a quote there are no quoting rules: newlines and separators are all there is.
fn parse_plain(
    chunk: &Chunk,
    separator: u8,
    plan: &Plan,
    rows: &mut Collected,
) -> Result<(), Error> {
    let mut start = 0;
    while start < chunk.bytes.len() {
        let rest = &chunk.bytes[start..];
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let line = &rest[..length];
        let here = start;
        start += length + 1;
        if is_blank(line, separator) {
            continue;
        }
        let found = memchr_iter(separator, line).count() + 1;
        if found != plan.columns.len() {
            return Err(ragged(chunk.line_of(here), plan, found));
        }
        rows.begin(here);
        let mut ends = memchr_iter(separator, line);
        let (mut column, mut from) = (0, 0);
        let mut to = ends.next().unwrap_or(line.len());
        for &target in &plan.targets {
            let further = target.column - column; // 0 where a column is asked for twice
            if further > 0 {
                let before = if further == 1 { to } else { ends.nth(further - 2).unwrap_or(to) };
                from = before + 1;
                to = ends.next().unwrap_or(line.len());
                column = target.column;
            }
            let field = line[from..to].trim_ascii();
            if plan.take(target, field, rows).is_err() {
                return Err(plan.explain(chunk.line_of(here), column, field));
            }
        }
    }
    Ok(())
}

fn parse_quoted(
    chunk: &Chunk,
    separator: u8,
    plan: &Plan,
    rows: &mut Collected,
) -> Result<(), Error> {
    let mut record = Records::new(&chunk.bytes, separator);
    while record.advance() {
        let byte = record.start();
        if record.is_blank() {
            continue;
        }
        if record.len() != plan.columns.len() {
            return Err(ragged(line_at(chunk, byte), plan, record.len()));
        }
        rows.begin(start_at(chunk, byte));
        for &target in &plan.targets {
            let field = record.get(target.column).unwrap_or_default();
            if plan.take(target, field, rows).is_err() {
                return Err(plan.explain(line_at(chunk, byte), target.column, field));
            }
        }
    }
    Ok(())
}

fn ragged(line: u64, plan: &Plan, found: usize) -> Error {
    Error::RaggedRow { line, expected: plan.columns.len(), found: counted(found, "field") }
}

/// The line of the first record at or after a byte.
fn line_at(chunk: &Chunk, byte: usize) -> u64 {
    chunk.line_of(start_at(chunk, byte))
}

/// Where the first record at or after a byte begins: that may be where the one before ended, and
/// blank lines may follow.
fn start_at(chunk: &Chunk, byte: usize) -> usize {
    byte + chunk.bytes[byte..].iter().take_while(|&&c| c == b'\n').count()
}
