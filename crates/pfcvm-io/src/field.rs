//! Single fields: numbers, missing values, and the words for what is wrong with them.

use crate::columns::Columns;
use crate::error::shown;
use crate::labels::LabelBuilder;
use crate::labels::Labels;
use crate::{Error, FieldProblem, Place, Wanted};
use pfcvm::Matrix;

/// The finite number that a field holds.
pub(crate) fn number(field: &[u8]) -> Option<f64> {
    short_number(field).or_else(|| any_number(field))
}

/// Numbers of up to 15 digits without an exponent, which is most of them. Their digits are a whole
/// number that a float holds exactly, and so is the power of ten to divide by; one division
/// then rounds once, as it should (Clinger 1990).
#[inline]
fn short_number(field: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    if digits.len() > 16 {
        return None;
    }
    let (mut whole, mut point) = (0u64, None);
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            whole = 10 * whole + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let count = digits.len() - usize::from(point.is_some());
    if count == 0 || count > 15 {
        return None;
    }
    let value = whole as f64 / POWERS[point.map_or(0, |at| count - at)];
    Some(if digits.len() < field.len() { -value } else { value })
}

/// Any number, at the pace of the standard library.
fn any_number(field: &[u8]) -> Option<f64> {
    let value: f64 = std::str::from_utf8(field).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// Texts that stand for no value in a row to be predicted: those of [`is_missing`], and what
/// programs print of a number that is none.
fn is_gap(field: &[u8]) -> bool {
    is_missing(field) || field.eq_ignore_ascii_case(b"nan") || field.eq_ignore_ascii_case(b"null")
}

/// Texts that stand for a value nobody has.
pub(crate) fn is_missing(field: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [b"", b"?", b"NA", b"N/A"];
    WORDS.contains(&field)
}

/// Texts that are no label: a value nobody has in the words of spreadsheets, databases and
/// languages, and numbers that are none. A class of that name would be a mistake nobody notices.
pub(crate) fn is_no_label(field: &[u8]) -> bool {
    const WORDS: [&[u8]; 7] = [b"#N/A", b"#NA", b"<NA>", b"n/a", b"null", b"NULL", b"None"];
    let number = || std::str::from_utf8(field).ok()?.parse::<f64>().ok();
    is_missing(field) || WORDS.contains(&field) || number().is_some_and(|n| !n.is_finite())
}

/// Why a label cannot be used.
pub(crate) fn refuse_label(place: Place, field: &[u8]) -> Error {
    if is_missing(field) || std::str::from_utf8(field).is_err() {
        return refuse(place, field);
    }
    Error::BadField { place, text: shown(field), problem: FieldProblem::NoLabel }
}

/// What a parser has to take out of each row.
pub(crate) struct Plan<'a> {
    pub(crate) columns: &'a Columns,
    /// The column that names do not count, which may be known without being wanted.
    pub(crate) unnumbered: Option<usize>,
    /// How many features are wanted.
    pub(crate) width: usize,
    /// Wanted columns in file order, with what each is wanted for.
    pub(crate) targets: Vec<Target>,
    /// How many columns are copied as they are.
    pub(crate) kept: usize,
    /// Whether features may lack a value.
    pub(crate) gaps: bool,
}

/// One column to be taken.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) column: usize,
    pub(crate) role: Role,
}

/// What a column is wanted for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// A feature, at this place among the wanted ones.
    Feature(usize),
    Label,
    /// Copied as it is, at this place among such columns.
    Kept(usize),
}

impl<'a> Plan<'a> {
    pub(crate) fn new(
        columns: &'a Columns,
        wanted: &Wanted,
        label: Option<usize>,
        unnumbered: Option<usize>,
    ) -> Self {
        let features = wanted.features.iter().enumerate();
        let kept = wanted.keep.iter().enumerate();
        let mut targets: Vec<Target> =
            features.map(|(at, &column)| Target { column, role: Role::Feature(at) }).collect();
        targets.extend(kept.map(|(at, &column)| Target { column, role: Role::Kept(at) }));
        targets.extend(label.map(|column| Target { column, role: Role::Label }));
        targets.sort_by_key(|target| target.column);
        let (width, kept) = (wanted.features.len(), wanted.keep.len());
        Self { columns, unnumbered, width, targets, kept, gaps: wanted.gaps }
    }

    /// Where a field stands in a text.
    pub(crate) fn place(&self, line: u64, column: usize) -> Place {
        let name = self.columns.name(column, self.unnumbered);
        Place { unit: "line", number: line, column: column + 1, name }
    }

    /// Takes one field, already trimmed, into the row that is being collected.
    pub(crate) fn take(
        &self,
        target: Target,
        field: &[u8],
        rows: &mut Collected,
    ) -> Result<(), Misfit> {
        let text = || std::str::from_utf8(field).map_err(|_| Misfit);
        match target.role {
            Role::Feature(at) => {
                rows.row_mut()[at] = match number(field) {
                    Some(number) => number,
                    None if self.gaps && is_gap(field) => f64::NAN,
                    None => return Err(Misfit),
                };
            }
            Role::Label if is_no_label(field) => return Err(Misfit),
            Role::Label => rows.labels.push(text()?),
            Role::Kept(at) => rows.kept[at].push(text()?.into()),
        }
        Ok(())
    }

    /// The words for a field that [`Plan::take`] refused.
    pub(crate) fn explain(&self, line: u64, column: usize, field: &[u8]) -> Error {
        let is_label = |target: &Target| target.column == column && target.role == Role::Label;
        match self.targets.iter().any(is_label) {
            true => refuse_label(self.place(line, column), field),
            false => refuse(self.place(line, column), field),
        }
    }
}

/// A field was refused; finding the words is left to [`Plan::explain`], off the fast path.
pub(crate) struct Misfit;

/// Why a field cannot be used.
pub(crate) fn refuse(place: Place, field: &[u8]) -> Error {
    if is_missing(field) {
        return Error::Missing { place };
    }
    let Ok(text) = std::str::from_utf8(field) else { return Error::NotUtf8 { place } };
    let problem = match text.parse::<f64>() {
        Ok(_) => FieldProblem::NotFinite,
        Err(_) => FieldProblem::NotANumber,
    };
    Error::BadField { place, text: shown(field), problem }
}

/// Rows as they are read, one after the other.
pub(crate) struct Collected {
    values: Vec<f64>,
    width: usize,
    rows: usize,
    pub(crate) labels: LabelBuilder,
    /// The texts of each column that is copied.
    kept: Vec<Vec<String>>,
}

impl Collected {
    pub(crate) fn new(plan: &Plan) -> Self {
        let kept = vec![Vec::new(); plan.kept];
        Self { values: Vec::new(), width: plan.width, rows: 0, labels: Default::default(), kept }
    }

    /// Begins a row of zeros.
    pub(crate) fn begin(&mut self) {
        self.rows += 1;
        self.values.resize(self.rows * self.width, 0.0);
    }

    /// The row begun last.
    pub(crate) fn row_mut(&mut self) -> &mut [f64] {
        &mut self.values[(self.rows - 1) * self.width..]
    }

    /// The rows as a block; `read` is how far the input had been read for them.
    pub(crate) fn finish(self, read: u64) -> Parsed {
        let x = transpose(&self.values, self.rows, self.width);
        Parsed { x, labels: self.labels.finish(), kept: self.kept, read }
    }
}

/// A parsed piece of a file.
pub(crate) struct Parsed {
    pub(crate) x: Matrix,
    pub(crate) labels: Labels,
    /// The texts of each column that is copied; arrays have none.
    pub(crate) kept: Vec<Vec<String>>,
    /// Bytes of the input read when the piece was complete.
    pub(crate) read: u64,
}

/// Rows to columns, in squares that fit the cache.
fn transpose(values: &[f64], rows: usize, cols: usize) -> Matrix {
    const SIDE: usize = 32;
    let mut out = vec![0.0; rows * cols];
    for top in (0..rows).step_by(SIDE) {
        for left in (0..cols).step_by(SIDE) {
            for j in left..cols.min(left + SIDE) {
                for i in top..rows.min(top + SIDE) {
                    out[j * rows + i] = values[i * cols + j];
                }
            }
        }
    }
    Matrix::from_column_major(rows, cols, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The short cut and the standard library agree to the last bit, on what is a number too.
        #[test]
        fn short_numbers_are_exact(text in "[-+]?[0-9]{0,12}[.]?[0-9]{0,9}(e-?[0-9]{1,3})?") {
            let (short, any) = (short_number(text.as_bytes()), any_number(text.as_bytes()));
            if let Some(short) = short {
                prop_assert_eq!(Some(short.to_bits()), any.map(f64::to_bits));
            }
        }
    }

    #[test]
    fn short_numbers_are_taken() {
        for (text, value) in [("-0", -0.0), ("1.", 1.0), (".5", 0.5), ("-12.75", -12.75)] {
            assert_eq!(short_number(text.as_bytes()).map(f64::to_bits), Some(f64::to_bits(value)));
        }
        for text in ["", "-", ".", "+1", "1e5", "1.2.3", "nan", "1234567890123456"] {
            assert_eq!(short_number(text.as_bytes()), None, "{text}");
        }
    }
}
