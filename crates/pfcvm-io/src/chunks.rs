//! A stream of text cut into pieces at the ends of records.
//!
//! A piece ends at a newline that ends a record. With quotes, only the rules of CSV say which
//! newline does: a quote opens a quoted field only at the field's start, and a quoted field may
//! hold newlines. The scanner here follows those rules exactly (the csv crate then parses each
//! piece), so where pieces are cut never changes what is read.

use crate::input::{ByteStream, Source};
use crate::{Error, ReadOptions};
use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// Some whole records.
pub(crate) struct Chunk {
    /// Their bytes.
    pub(crate) bytes: Vec<u8>,
    /// Line number of the first byte, from 1.
    pub(crate) first_line: u64,
    /// Bytes of the input read when the piece was complete.
    pub(crate) read: u64,
}

impl Chunk {
    /// The line, from 1, of a byte.
    pub(crate) fn line_of(&self, byte: usize) -> u64 {
        self.first_line + memchr_iter(b'\n', &self.bytes[..byte]).count() as u64
    }
}

/// A record longer than this many bytes is taken as a mistake.
const LONGEST_RECORD: usize = 256 << 20;

/// The text reader: gives single records while a header is read, then pieces.
pub(crate) struct Chunks {
    source: Source,
    /// Read and not yet given away; begins at a record's start.
    pending: Vec<u8>,
    /// Line of the first pending byte.
    line: u64,
    ended: bool,
    failed: Option<Error>,
    /// The separator, where quotes count.
    quotes: Option<u8>,
    options: ReadOptions,
}

impl Chunks {
    pub(crate) fn new(mut source: Source, quotes: Option<u8>, options: &ReadOptions) -> Self {
        let pending = std::mem::take(&mut source.start);
        let failed = source.failed.take();
        let ended = failed.is_some();
        Self { source, pending, line: 1, ended, failed, quotes, options: options.clone() }
    }

    /// Cuts the first record off, with its newline, and says on which line it began.
    pub(crate) fn record(&mut self) -> Result<Option<(Vec<u8>, u64)>, Error> {
        let mut scan = Scan::new(self.quotes);
        loop {
            if let Some(end) = scan.first_cut(&self.pending) {
                let rest = self.pending.split_off(end);
                let record = std::mem::replace(&mut self.pending, rest);
                let line = self.line;
                self.line += memchr_iter(b'\n', &record).count() as u64;
                return Ok(Some((record, line)));
            }
            if self.ended {
                if let Some(error) = self.failed.take() {
                    return Err(error);
                }
                let record = std::mem::take(&mut self.pending);
                return Ok((!record.is_empty()).then_some((record, self.line)));
            }
            self.read_more(self.pending.len().max(1 << 14))?;
        }
    }

    /// Puts a record back that [`Chunks::record`] gave.
    pub(crate) fn put_back(&mut self, record: Vec<u8>, line: u64) {
        self.line = line;
        let rest = std::mem::replace(&mut self.pending, record);
        self.pending.extend_from_slice(&rest);
    }

    /// What has been read ahead; its last record may be cut.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.pending
    }

    /// The next piece, or nothing at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Chunk>, Error> {
        let mut scan = Scan::new(self.quotes);
        let mut size = self.options.chunk_bytes.max(1);
        loop {
            if self.pending.len() < size && !self.ended {
                self.read_more(size - self.pending.len())?;
                continue;
            }
            if self.ended && self.failed.is_none() && self.pending.len() <= size {
                let bytes = std::mem::take(&mut self.pending);
                return Ok((!bytes.is_empty()).then(|| self.chunk(bytes)));
            }
            let end = size.min(self.pending.len());
            if let Some(cut) = scan.last_cut(&self.pending[..end]) {
                let rest = self.pending.split_off(cut);
                let bytes = std::mem::replace(&mut self.pending, rest);
                return Ok(Some(self.chunk(bytes)));
            }
            if self.ended && self.pending.len() <= size {
                // Whole records before a failure have been given; the torn one is not.
                return self.failed.take().map_or(Ok(None), Err);
            }
            size = size.saturating_mul(2);
        }
    }

    fn chunk(&mut self, bytes: Vec<u8>) -> Chunk {
        let first_line = self.line;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        Chunk { bytes, first_line, read: self.source.taken() }
    }

    fn read_more(&mut self, count: usize) -> Result<(), Error> {
        // Only a record longer than any block can make the text grow without end.
        let held = self.pending.len();
        if held > self.options.chunk_bytes.max(1 << 20) {
            if held > LONGEST_RECORD {
                let problem = "this line goes on for more than 256 MiB; this is no table of text";
                return Err(Error::BadLine { line: self.line, problem: problem.into() });
            }
            let whole = held as u128 + count as u128;
            self.options.allow(whole, || format!("one record (from line {})", self.line))?;
        }
        match self.source.fill(&mut self.pending, count as u64) {
            Ok(read) => self.ended = read < count,
            Err(error) => (self.ended, self.failed) = (true, Some(error)),
        }
        Ok(())
    }
}

/// Where a reader of delimited text stands between two bytes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum State {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote inside a quoted field: it ends the field unless another follows.
    Quote,
}

impl State {
    /// Behind one byte more.
    pub(crate) fn after(self, byte: u8, separator: u8) -> Self {
        match self {
            State::Quoted if byte != b'"' => State::Quoted,
            State::Quoted => State::Quote,
            State::Quote | State::FieldStart if byte == b'"' => State::Quoted,
            _ if separates(byte, separator) || byte == b'\n' => State::FieldStart,
            _ => State::Plain,
        }
    }
}

/// Whether a byte stands between two fields. Where blanks do, all of them do.
pub(crate) fn separates(byte: u8, separator: u8) -> bool {
    byte == separator || (separator == b' ' && matches!(byte, b'\t' | b'\r'))
}

struct Scan {
    separator: Option<u8>,
    state: State,
    /// Bytes looked at.
    seen: usize,
    /// Behind the last newline that ends a record.
    cut: Option<usize>,
}

impl Scan {
    fn new(separator: Option<u8>) -> Self {
        Self { separator, state: State::FieldStart, seen: 0, cut: None }
    }

    /// The end of the last record that ends in `text`, which may have grown since the last call.
    fn last_cut(&mut self, text: &[u8]) -> Option<usize> {
        let new = &text[self.seen..];
        match self.separator {
            None => {
                self.cut = memrchr(b'\n', new).map(|at| self.seen + at + 1).or(self.cut);
                self.seen = text.len();
            }
            // Without a quote every newline ends a record: the usual case, and a fast one.
            Some(separator) if self.outside() && memchr(b'"', new).is_none() => {
                self.cut = memrchr(b'\n', new).map(|at| self.seen + at + 1).or(self.cut);
                self.seen = text.len();
                if let Some(&last) = new.last() {
                    let at_start = separates(last, separator) || last == b'\n';
                    self.state = if at_start { State::FieldStart } else { State::Plain };
                }
            }
            Some(separator) => while self.step(text, separator).is_some() {},
        }
        self.cut
    }

    /// The end of the first record.
    fn first_cut(&mut self, text: &[u8]) -> Option<usize> {
        match self.separator {
            None => {
                let found = memchr(b'\n', &text[self.seen..]).map(|at| self.seen + at + 1);
                self.seen = text.len();
                found
            }
            Some(separator) => loop {
                self.step(text, separator)?;
                if self.cut.is_some() {
                    return self.cut;
                }
            },
        }
    }

    fn outside(&self) -> bool {
        matches!(self.state, State::FieldStart | State::Plain)
    }

    /// Moves behind the next byte that matters; nothing at the end of the text.
    fn step(&mut self, text: &[u8], separator: u8) -> Option<()> {
        let skipped = match self.state {
            State::Plain if separator != b' ' => memchr2(separator, b'\n', &text[self.seen..]),
            State::Quoted => memchr(b'"', &text[self.seen..]),
            _ => (self.seen < text.len()).then_some(0),
        };
        let Some(skipped) = skipped else {
            self.seen = text.len();
            return None;
        };
        self.seen += skipped + 1;
        let byte = text[self.seen - 1];
        if byte == b'\n' && self.state != State::Quoted {
            self.cut = Some(self.seen);
        }
        self.state = self.state.after(byte, separator);
        Some(())
    }
}
