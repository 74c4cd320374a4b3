//! LIBSVM text: `label index:value index:value …`, indices from 1 and ascending, absent is 0.

use crate::chunks::Chunk;
use crate::collected::{Collected, Parsed};
use crate::error::shown;
use crate::field::{Gaps, is_infinite, number, refuse, refuse_label};
use crate::labels::{LabelBuilder, Labels};
use crate::plan::{Plan, Role};
use crate::{Error, Place};
use memchr::memchr;
use pfcvm::Matrix;

/// Reads the wanted columns of a piece; others are checked and passed over.
pub(crate) fn parse(chunk: &Chunk, label: bool, plan: &Plan) -> Result<Parsed, Error> {
    let mut rows = Collected::new(plan);
    // What is not written is zero, which may be a word of the column.
    let absent: Vec<f64> = (0..plan.width).map(|at| plan.absent(at)).collect();
    let zeros = absent.iter().all(|cell| *cell == 0.0);
    each_line(chunk, |line, number| {
        rows.begin(0);
        if !zeros {
            rows.row_mut().copy_from_slice(&absent);
        }
        let mut next = plan.targets.iter().peekable();
        let text = each_pair(line, number, &plan.gaps, |index, value| {
            // Both lists ascend, so one walk over each is enough.
            while next.next_if(|target| target.column < index).is_some() {}
            while let Some(target) = next.next_if(|target| target.column == index) {
                if let Role::Feature(at) = target.role {
                    rows.row_mut()[at] = plan.number(at, value);
                }
            }
        })?;
        if label {
            push_label(&mut rows.labels, text, &plan.gaps, number)?;
        }
        Ok(())
    })?;
    Ok(rows.finish(chunk, plan))
}

/// All columns of a piece, as many as the largest index in it.
pub(crate) struct Part {
    pub(crate) labels: Labels,
    pub(crate) width: usize,
    pub(crate) values: Values,
}

/// The values of a [`Part`], in whichever form is smaller.
pub(crate) enum Values {
    /// All of them.
    Dense(Matrix),
    /// Those that were written, and where the pairs of each row end.
    Sparse { ends: Vec<usize>, pairs: Vec<(u32, f64)> },
}

impl Part {
    /// Memory taken, about.
    pub(crate) fn bytes(&self) -> usize {
        match &self.values {
            Values::Dense(x) => 8 * x.as_slice().len(),
            Values::Sparse { ends, pairs } => 8 * ends.len() + PAIR * pairs.len(),
        }
    }
}

impl Part {
    /// How many cells were written.
    pub(crate) fn written(&self) -> usize {
        match &self.values {
            Values::Dense(x) => x.as_slice().len(),
            Values::Sparse { pairs, .. } => pairs.len(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        match &self.values {
            Values::Dense(x) => x.rows(),
            Values::Sparse { ends, .. } => ends.len(),
        }
    }

    /// Every written cell: row, column and value.
    pub(crate) fn each(&self, mut take: impl FnMut(usize, usize, f64)) {
        match &self.values {
            Values::Dense(x) => {
                for column in 0..x.cols() {
                    x.column(column).iter().enumerate().for_each(|(row, v)| take(row, column, *v));
                }
            }
            Values::Sparse { ends, pairs } => each_row(ends, |row, range| {
                pairs[range].iter().for_each(|&(column, value)| take(row, column as usize, value));
            }),
        }
    }
}

/// Bytes of a written pair in memory.
const PAIR: usize = size_of::<(u32, f64)>();

/// Reads all columns of a piece.
pub(crate) fn parse_all(chunk: &Chunk, gaps: &Gaps) -> Result<Part, Error> {
    let mut labels = LabelBuilder::default();
    let (mut ends, mut pairs, mut width) = (Vec::new(), Vec::new(), 0);
    each_line(chunk, |line, number| {
        let text = each_pair(line, number, gaps, |index, value| {
            width = width.max(index + 1);
            pairs.push((index as u32, value));
        })?;
        push_label(&mut labels, text, gaps, number)?;
        ends.push(pairs.len());
        Ok(())
    })?;
    let labels = labels.finish();
    if width.saturating_mul(ends.len()).saturating_mul(8) > pairs.len() * PAIR {
        return Ok(Part { labels, width, values: Values::Sparse { ends, pairs } });
    }
    let mut x = Matrix::zeros(ends.len(), width);
    each_row(&ends, |row, range| {
        pairs[range].iter().for_each(|&(column, value)| x.set(row, column as usize, value));
    });
    Ok(Part { labels, width, values: Values::Dense(x) })
}

/// The rows of sparse values, as ranges of their pairs.
pub(crate) fn each_row(ends: &[usize], mut work: impl FnMut(usize, std::ops::Range<usize>)) {
    let mut start = 0;
    for (row, &end) in ends.iter().enumerate() {
        work(row, start..end);
        start = end;
    }
}

/// Lines with something on them, without comments, and a way to their numbers.
fn each_line<'a>(
    chunk: &'a Chunk,
    mut work: impl FnMut(&'a [u8], &dyn Fn() -> u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut start = 0;
    while start < chunk.bytes.len() {
        let rest = &chunk.bytes[start..];
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        let text = &rest[..length];
        let text = &text[..memchr(b'#', text).unwrap_or(text.len())];
        if !text.trim_ascii().is_empty() {
            work(text, &|| chunk.line_of(start))?;
        }
        start += length + 1;
    }
    Ok(())
}

/// Calls `take` with every index (from 0) and value of a line; gives the label's text.
fn each_pair<'a>(
    line: &'a [u8],
    line_number: &dyn Fn() -> u64,
    gaps: &Gaps,
    mut take: impl FnMut(usize, f64),
) -> Result<&'a [u8], Error> {
    let bad = |problem| Error::BadLine { line: line_number(), problem };
    let mut tokens = line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
    let label = tokens.next().unwrap_or(b"");
    if memchr(b':', label).is_some() {
        return Err(bad(format!(
            "it begins with `{}`, but the label must come first",
            shown(label)
        )));
    }
    let mut last = 0;
    for token in tokens {
        let pair = memchr(b':', token).map(|at| (&token[..at], &token[at + 1..]));
        let Some((index, text)) = pair else {
            return Err(bad(format!("`{}` is not of the form index:value", shown(token))));
        };
        if index == b"qid" {
            continue;
        }
        let Some(index) = whole(index) else {
            return Err(bad(format!(
                "`{}` does not begin with a whole number up to {} as its index",
                shown(token),
                u32::MAX
            )));
        };
        if index == 0 {
            return Err(bad(format!(
                "`{}` has the index 0, but indices count from 1",
                shown(token)
            )));
        }
        if index <= last {
            let problem = format!("the index {index} follows {last}, but indices must ascend");
            return Err(bad(problem));
        }
        last = index;
        let value = match number(text) {
            Some(value) => gaps.in_place_of(value),
            None if !text.is_empty() && gaps.has(text) => f64::NAN,
            None => {
                let (name, number) = (format!("x{index}"), line_number());
                let place = Place { unit: "line", number, column: index as usize, name };
                return Err(refuse(place, text));
            }
        };
        take(index as usize - 1, value);
    }
    Ok(label)
}

fn whole(digits: &[u8]) -> Option<u32> {
    let plain = digits.first().is_some_and(u8::is_ascii_digit);
    if !plain {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn push_label(
    labels: &mut LabelBuilder,
    text: &[u8],
    gaps: &Gaps,
    line_number: &dyn Fn() -> u64,
) -> Result<(), Error> {
    if gaps.has(text) {
        labels.push_none();
        return Ok(());
    }
    match std::str::from_utf8(text) {
        Ok(label) if !is_infinite(text) => labels.push(label),
        _ => {
            let (number, name) = (line_number(), "label".into());
            return Err(refuse_label(Place { unit: "line", number, column: 1, name }, text));
        }
    }
    Ok(())
}
