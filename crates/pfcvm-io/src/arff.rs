//! ARFF: declared attributes, then rows, dense or sparse.

mod declarations;

pub(crate) use declarations::{Attribute, header};

use crate::Error;
use crate::chunks::Chunk;
use crate::collected::{Collected, Parsed};
use crate::error::{counted, shown};
use crate::plan::{Plan, Reader, Role, Target};
use declarations::Kind;
use memchr::{memchr, memchr_iter, memchr2, memchr3};
use std::borrow::Cow;

/// A quoted text from its opening quote on, and how many bytes it takes. A backslash makes the
/// next character plain.
fn quoted(text: &[u8], quote: u8) -> Option<(Vec<u8>, usize)> {
    let mut out = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'\\' => {
                out.push(*text.get(at + 1)?);
                at += 1;
            }
            byte if byte == quote => return Some((out, at + 1)),
            byte => out.push(byte),
        }
        at += 1;
    }
}

/// Fields between separators, quoted or not, without blanks around them; nothing if a quote is
/// left open or followed by text.
fn fields(mut text: &[u8], separator: u8) -> Option<Vec<Cow<'_, [u8]>>> {
    let mut out = Vec::new();
    loop {
        let start = if separator == b'\t' { text } else { text.trim_ascii_start() };
        let (inner, used) = match start.first() {
            Some(quote @ (b'\'' | b'"')) => {
                let (inner, used) = quoted(start, *quote)?;
                (Some(inner), used)
            }
            _ => (None, 0),
        };
        let length = memchr(separator, &start[used..]);
        let end = length.map_or(start.len(), |length| used + length);
        match inner {
            None => out.push(Cow::Borrowed(start[..end].trim_ascii())),
            Some(inner) if start[used..end].trim_ascii().is_empty() => out.push(Cow::Owned(inner)),
            Some(_) => return None,
        }
        if length.is_none() {
            return Some(out);
        }
        text = &start[end + 1..];
    }
}

/// The line without a comment: a percent sign outside quotes begins one.
fn uncommented(line: &[u8]) -> &[u8] {
    if memchr(b'%', line).is_none() {
        return line;
    }
    let mut at = 0;
    while let Some(found) = memchr3(b'%', b'\'', b'"', &line[at..]) {
        at += found;
        if line[at] == b'%' {
            return &line[..at];
        }
        let Some((_, used)) = quoted(&line[at..], line[at]) else { return line };
        at += used;
    }
    line
}

/// Reads the rows of a piece.
pub(crate) fn parse(chunk: &Chunk, attributes: &[Attribute], plan: &Plan) -> Result<Parsed, Error> {
    let mut rows = Collected::new(plan);
    let mut start = 0;
    while start < chunk.bytes.len() {
        let rest = &chunk.bytes[start..];
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let text = uncommented(&rest[..length]).trim_ascii();
        let here = Here { chunk, start, plan };
        if let Some(list) = text.strip_prefix(b"{") {
            rows.begin(start);
            sparse(list, attributes, &here, &mut rows)?;
        } else if !text.is_empty() {
            rows.begin(start);
            dense(text, &here, &mut rows)?;
        }
        start += length + 1;
    }
    Ok(rows.finish(chunk, plan))
}

/// A line that is being read, for the words of errors.
struct Here<'a> {
    chunk: &'a Chunk,
    start: usize,
    plan: &'a Plan<'a>,
}

impl Here<'_> {
    fn bad(&self, problem: String) -> Error {
        Error::BadLine { line: self.chunk.line_of(self.start), problem }
    }

    fn take(&self, field: &[u8], target: Target, rows: &mut Collected) -> Result<(), Error> {
        let outcome = self.plan.take(target, field, rows);
        outcome.map_err(|_| self.plan.explain(self.chunk.line_of(self.start), target.column, field))
    }

    fn is_number(&self, target: Target) -> bool {
        let Role::Feature(at) = target.role else { return false };
        matches!(self.plan.readers[at], Reader::Number | Reader::Find)
    }

    fn open_quote(&self) -> Error {
        self.bad("a quote is not closed, or text follows it".into())
    }
}

fn dense(text: &[u8], here: &Here, rows: &mut Collected) -> Result<(), Error> {
    let separator = if memchr(b',', text).is_some() { b',' } else { b'\t' };
    let expected = here.plan.columns.len();
    let ragged = |found| Error::RaggedRow {
        line: here.chunk.line_of(here.start),
        expected,
        found: counted(found, "field"),
    };
    if memchr2(b'\'', b'"', text).is_some() {
        let fields = fields(text, separator).ok_or_else(|| here.open_quote())?;
        if fields.len() != expected {
            return Err(ragged(fields.len()));
        }
        for &target in &here.plan.targets {
            here.take(&fields[target.column], target, rows)?;
        }
        return Ok(());
    }
    let found = memchr_iter(separator, text).count() + 1;
    if found != expected {
        return Err(ragged(found));
    }
    let mut targets = here.plan.targets.iter().peekable();
    let mut from = 0;
    let ends = memchr_iter(separator, text).chain([text.len()]);
    for (column, to) in ends.enumerate() {
        while let Some(&target) = targets.next_if(|target| target.column == column) {
            here.take(text[from..to].trim_ascii(), target, rows)?;
        }
        if targets.peek().is_none() {
            break;
        }
        from = to + 1;
    }
    Ok(())
}

/// `index value, index value}`, indices from 0 and ascending.
fn sparse(
    list: &[u8],
    attributes: &[Attribute],
    here: &Here,
    rows: &mut Collected,
) -> Result<(), Error> {
    let Some(list) = list.strip_suffix(b"}") else {
        return Err(here.bad("a sparse row has no closing brace".into()));
    };
    let mut written: Vec<(usize, Cow<[u8]>)> = Vec::new();
    let empty = list.trim_ascii().is_empty();
    let items = if empty { Vec::new() } else { items(list).ok_or_else(|| here.open_quote())? };
    for (index, value) in items {
        let text = std::str::from_utf8(index).ok().filter(|text| !text.starts_with('+'));
        let column = text.and_then(|text| text.parse::<usize>().ok());
        let Some(column) = column.filter(|&column| column < attributes.len()) else {
            return Err(here.bad(format!(
                "`{}` is not an index from 0 to {}, as a sparse row needs before each value",
                shown(index),
                attributes.len() - 1
            )));
        };
        if written.last().is_some_and(|(last, _)| *last >= column) {
            return Err(here.bad(format!("the index {column} does not ascend")));
        }
        written.push((column, value));
    }
    let mut written = written.into_iter().peekable();
    for &target in &here.plan.targets {
        while written.next_if(|(column, _)| *column < target.column).is_some() {}
        match written.peek() {
            Some((column, value)) if *column == target.column => here.take(value, target, rows)?,
            // Rows begin with zeros.
            _ if attributes[target.column].kind == Kind::Numeric && here.is_number(target) => {}
            _ => here.take(attributes[target.column].absent(), target, rows)?,
        }
    }
    Ok(())
}

/// The texts of an index and its value.
type Item<'a> = (&'a [u8], Cow<'a, [u8]>);

/// The items of a sparse row; nothing if a quote is left open.
fn items(list: &[u8]) -> Option<Vec<Item<'_>>> {
    let mut out = Vec::new();
    let mut rest = list;
    loop {
        let item = rest.trim_ascii_start();
        let blank = item.iter().position(|&byte| byte.is_ascii_whitespace() || byte == b',');
        let (index, value) = item.split_at(blank.unwrap_or(item.len()));
        let value = value.trim_ascii_start();
        let used = match value.first() {
            Some(quote @ (b'\'' | b'"')) => quoted(value, *quote)?.1,
            _ => 0,
        };
        let end = memchr(b',', &value[used..]).map(|at| used + at);
        let single = fields(&value[..end.unwrap_or(value.len())], 0)?;
        out.push((index, single.into_iter().next()?));
        match end {
            Some(end) => rest = &value[end + 1..],
            None => return Some(out),
        }
    }
}
