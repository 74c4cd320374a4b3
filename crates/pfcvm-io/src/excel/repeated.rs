//! How large the sheets of an OpenDocument file are. It may say of a row or a cell that it is there a
//! million times, and all of them are made when it is read.

use memchr::memmem::find;

/// Rows and columns that a sheet can have.
const MOST_ROWS: u64 = 1 << 20;
const MOST_COLUMNS: u64 = 1 << 14;

/// Memory that a cell takes: its value, its formula.
const CELL: u128 = 96;

/// Bytes of memory that the cells of all sheets take, at most: the rectangles that hold something, and
/// the texts in them.
pub(super) fn memory(xml: &[u8]) -> u128 {
    let (mut all, mut sheet) = (0, Sheet::default());
    let mut rest = xml;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = &rest[at + 1..];
        let Some(name) = rest.strip_prefix(b"table:") else { continue };
        let (tag, behind) = name.split_at(memchr::memchr(b'>', name).unwrap_or(name.len()));
        if named(tag, b"table") {
            all += std::mem::take(&mut sheet).size();
        } else if named(tag, b"table-row") {
            sheet.begin(times(tag, b"number-rows-repeated", MOST_ROWS));
        } else if named(tag, b"table-cell") || named(tag, b"covered-table-cell") {
            let count = times(tag, b"number-columns-repeated", MOST_COLUMNS);
            let has = |what: &[u8]| find(tag, what).is_some();
            // A text is within the tag, or behind it up to the end of the cell.
            let inside = match tag.ends_with(b"/") {
                true => 0,
                false => find(behind, b"table:").unwrap_or(behind.len()),
            };
            let text = if has(b"string") || has(b"formula") { tag.len() + inside } else { 0 };
            sheet.cell(count, (has(b"-type") || has(b"formula")).then_some(text));
        }
    }
    all + sheet.size()
}

/// A sheet on its way.
#[derive(Default)]
struct Sheet {
    /// Rows up to the last that holds something, and those since then.
    rows: u64,
    empty: u64,
    /// The widest row.
    width: u64,
    /// How often the row is there, and of these what has not been counted; its columns so far.
    repeated: u64,
    uncounted: u64,
    columns: u64,
    /// Bytes of all texts.
    texts: u128,
}

impl Sheet {
    fn begin(&mut self, repeated: u64) {
        self.empty += std::mem::replace(&mut self.uncounted, repeated);
        (self.repeated, self.columns) = (repeated, 0);
    }

    fn cell(&mut self, count: u64, text: Option<usize>) {
        self.columns += count;
        if let Some(length) = text {
            self.width = self.width.max(self.columns.min(MOST_COLUMNS));
            self.rows += std::mem::take(&mut self.empty) + std::mem::take(&mut self.uncounted);
            self.texts += u128::from(count) * u128::from(self.repeated) * length as u128;
        }
    }

    fn size(self) -> u128 {
        let cells = u128::from(self.rows.min(MOST_ROWS)) * u128::from(self.width);
        cells * CELL + self.texts
    }
}

/// Whether a tag has a name, and not one that begins with it.
fn named(tag: &[u8], name: &[u8]) -> bool {
    tag.strip_prefix(name).is_some_and(|rest| {
        !rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
    })
}

/// The number that an attribute holds, 1 where it is not there; as many as there can be where it is
/// written in some other way.
fn times(tag: &[u8], attribute: &[u8], most: u64) -> u64 {
    let Some(at) = find(tag, attribute) else { return 1 };
    let mut parts = tag[at + attribute.len()..].split(|byte| *byte == b'"' || *byte == b'\'');
    let value = parts.nth(1).and_then(|value| std::str::from_utf8(value).ok());
    value.and_then(|value| value.parse::<u64>().ok()).map_or(most, |value| value.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_counts() {
        let cell = r#"<table:table-cell office:value-type="float" office:value="1"/>"#;
        let row = |attributes: &str, cells: &str| {
            format!("<table:table-row {attributes}>{cells}</table:table-row>")
        };
        let wide = cell.replace(" office:value=", r#" table:number-columns-repeated="5" x="#);
        let none = r#"<table:table-cell table:number-columns-repeated="16000"/>"#;
        let many = r#"table:number-rows-repeated="1000000""#;
        // A text of 5 is there thousands of times.
        let text = |tag: &str| format!("<{tag}><text:p>hello</text:p></table:table-cell>");
        let word = r#"table:table-cell office:value-type="string" number-columns-repeated="9""#;
        let length = word.len() - "table:".len() + "><text:p>hello</text:p></".len();
        for (rows, cells, texts) in [
            (row("", cell), 1, 0),
            (row("", &format!("{cell}{wide}{none}")), 6, 0),
            (row("", cell) + &row(many, none), 1, 0),
            (row(many, none) + &row("", cell), 1_000_001, 0),
            (row(many, &wide), 5_000_000, 0),
            (row(r#"table:number-rows-repeated="&#57;9""#, cell), 1 << 20, 0),
            (row(many, cell) + &row(many, cell), 1 << 20, 0),
            (row(many, &text(word)), 9_000_000, 9_000_000 * length),
        ] {
            let sheet = format!("<table:table table:name='a'>{rows}</table:table>");
            let expected = cells * CELL + texts as u128;
            assert_eq!(memory(sheet.as_bytes()), expected, "{sheet}");
            assert_eq!(memory([&*sheet, &*sheet].concat().as_bytes()), 2 * expected, "{sheet}");
        }
    }
}
