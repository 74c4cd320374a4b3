//! Records of delimited text, by the rules of CSV.
//!
//! The rules are those of csv-core, a table of states for each separator. A thread makes it once: to
//! make it anew for every piece of a file would take longer than to read a short piece.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};
use std::cell::RefCell;

/// As many idle readers are kept by a thread, at most.
const MOST_IDLE: usize = 4;

thread_local! {
    /// Readers of this thread that nobody uses, by their separator. (A copy of one does not work.)
    static IDLE: RefCell<Vec<(u8, Reader)>> = const { RefCell::new(Vec::new()) };
}

/// A reader at the beginning of a text. Lines end in a newline alone; a carriage return before it is a
/// blank. A byte-order mark is text: that of a file has been taken off before.
fn reader(separator: u8) -> Reader {
    let idle = IDLE.with_borrow_mut(|idle| {
        let at = idle.iter().position(|(known, _)| *known == separator)?;
        Some(idle.swap_remove(at).1)
    });
    let mut reader = idle.unwrap_or_else(|| {
        ReaderBuilder::new().delimiter(separator).terminator(Terminator::Any(b'\n')).build()
    });
    reader.reset();
    // Only the first bytes that it sees may be a mark to it.
    reader.read_record(b"\n", &mut [0; 4], &mut [0; 4]);
    reader
}

/// The records of a text, one after the other.
pub(crate) struct Records<'t> {
    separator: u8,
    reader: Reader,
    text: &'t [u8],
    /// What has been read of the text.
    read: usize,
    /// Where the record begins, or the newlines before it.
    start: usize,
    /// The fields of the record, without quotes, one behind the other; where each ends.
    fields: Vec<u8>,
    ends: Vec<usize>,
    /// How many there are.
    count: usize,
}

impl<'t> Records<'t> {
    pub fn new(text: &'t [u8], separator: u8) -> Self {
        let (fields, ends) = (vec![0; text.len().min(1 << 10)], vec![0; 16]);
        Self {
            separator,
            reader: reader(separator),
            text,
            read: 0,
            start: 0,
            fields,
            ends,
            count: 0,
        }
    }

    /// Goes on to the next record, if there is one; empty lines are none.
    pub fn advance(&mut self) -> bool {
        self.start = self.read;
        self.count = 0;
        let mut written = 0;
        loop {
            let (fields, ends) = (&mut self.fields[written..], &mut self.ends[self.count..]);
            let (found, read, wrote, ended) =
                self.reader.read_record(&self.text[self.read..], fields, ends);
            self.read += read;
            written += wrote;
            self.count += ended;
            match found {
                // An empty input is its end.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.fields.resize(2 * self.fields.len() + 64, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => return true,
                ReadRecordResult::End => return false,
            }
        }
    }

    /// Where the record begins in the text, or the newlines before it.
    pub fn start(&self) -> usize {
        self.start
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// A field without blanks around it.
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        let ends = &self.ends[..self.count];
        let start = if at == 0 { 0 } else { *ends.get(at - 1)? };
        Some(self.fields[start..*ends.get(at)?].trim_ascii())
    }

    /// All fields.
    pub fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).filter_map(|at| self.get(at))
    }

    /// One field, with nothing but blanks in it, quoted or not.
    pub fn is_blank(&self) -> bool {
        self.count == 1 && self.get(0).is_some_and(<[u8]>::is_empty)
    }
}

impl Drop for Records<'_> {
    fn drop(&mut self) {
        let reader = (self.separator, std::mem::take(&mut self.reader));
        // At the end of a thread there is nobody to keep it.
        let _ = IDLE.try_with(|idle| {
            let mut idle = idle.borrow_mut();
            idle.push(reader);
            idle.truncate(MOST_IDLE);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_any_length_and_number_are_read() {
        let long = "x".repeat(3000);
        let many = vec!["7"; 100].join(";");
        let text = format!("\n\na;\"b;\"\"c\"\"\n\"; d \r\n{long};;\n\"\u{feff}\"\n{many}");
        let mut records = Records::new(text.as_bytes(), b';');
        let mut seen: Vec<(usize, Vec<String>)> = Vec::new();
        while records.advance() {
            let fields = records.fields().map(|field| String::from_utf8(field.to_vec()).unwrap());
            let fields = Vec::from_iter(fields);
            assert_eq!(fields.len(), records.len());
            seen.push((records.start(), fields));
        }
        assert_eq!(seen[0], (0, vec!["a".into(), "b;\"c\"".into(), "d".into()]));
        assert_eq!(seen[1].1, [&long, "", ""]);
        assert_eq!(text[seen[1].0..].find('x'), Some(0));
        assert_eq!(seen[2].1, ["\u{feff}"]);
        assert_eq!((seen[3].1.len(), seen.len()), (100, 4));
        assert!(!Records::new(b"", b',').advance() && !Records::new(b"\n\n", b',').advance());
    }
}
