//! Rows as they are collected from a piece of a file.

use crate::Place;
use crate::cells::{Dictionaries, word};
use crate::chunks::Chunk;
use crate::error::shown;
use crate::labels::{LabelBuilder, Labels};
use crate::plan::Plan;
use pfcvm::Matrix;

/// A field was refused; finding the words is left to [`Plan::explain`], off the fast path.
pub(crate) struct Misfit;

/// A field as text.
pub(crate) fn text(field: &[u8]) -> Result<&str, Misfit> {
    std::str::from_utf8(field).map_err(|_| Misfit)
}

/// A number that is none, the first of its column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) text: String,
}

/// Rows as they are read, one after the other.
pub(crate) struct Collected {
    values: Vec<f64>,
    width: usize,
    rows: usize,
    pub(crate) labels: LabelBuilder,
    /// The texts of each column that is copied.
    pub(crate) kept: Vec<Vec<String>>,
    words: Dictionaries,
    /// Cells of each feature that did not fit, once there is one.
    strange: Vec<usize>,
    /// Where the row begins in its piece.
    start: usize,
    /// Of each column at most one: the column, where its row begins, and the text.
    faults: Vec<(usize, usize, String)>,
    /// Whether there were numbers with commas.
    pub(crate) commas: bool,
}

impl Collected {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            values: Vec::new(),
            width: plan.width,
            rows: 0,
            labels: Default::default(),
            kept: vec![Vec::new(); plan.kept],
            words: Default::default(),
            strange: Vec::new(),
            start: 0,
            faults: Vec::new(),
            commas: false,
        }
    }

    /// Begins a row of zeros, which stands at a byte of its piece.
    pub(crate) fn begin(&mut self, start: usize) {
        self.rows += 1;
        self.start = start;
        self.values.resize(self.rows * self.width, 0.0);
    }

    /// Goes to a row of values that are collected elsewhere.
    #[cfg(feature = "parquet")]
    pub(crate) fn at(&mut self, row: usize) {
        self.start = row;
    }

    /// Notes a number that is not finite: one that ends the reading where something is learned, else
    /// one that does not fit.
    #[cfg(feature = "parquet")]
    pub(crate) fn not_finite(&mut self, column: usize, at: usize, number: f64, training: bool) {
        match training {
            true => self.fault(column, number.to_string().as_bytes()),
            false => self.strange(at),
        }
    }

    /// The row begun last.
    pub(crate) fn row_mut(&mut self) -> &mut [f64] {
        &mut self.values[(self.rows - 1) * self.width..]
    }

    /// The cell of a word.
    pub(crate) fn word(&mut self, at: usize, field: &[u8]) -> Result<f64, Misfit> {
        Ok(word(self.words.of(at).code(text(field)?)))
    }

    /// Counts a cell that did not fit.
    pub(crate) fn strange(&mut self, at: usize) {
        self.strange.resize(self.width, 0);
        self.strange[at] += 1;
    }

    /// How many cells of a feature did not fit so far.
    #[cfg(feature = "parquet")]
    pub(crate) fn strange_cells(&self, at: usize) -> usize {
        self.strange.get(at).copied().unwrap_or(0)
    }

    /// Notes a number that is not finite, the first of its column.
    pub(crate) fn fault(&mut self, column: usize, field: &[u8]) {
        if !self.faults.iter().any(|(known, ..)| *known == column) {
            self.faults.push((column, self.start, shown(field)));
        }
    }

    /// The rows of a piece of text as a block.
    pub(crate) fn finish(self, chunk: &Chunk, plan: &Plan) -> Parsed {
        let place = |start, column| plan.place(chunk.line_of(start), column);
        let x = transpose(&self.values, self.rows, self.width);
        self.finish_with(x, chunk.read, place)
    }

    /// Values that were collected elsewhere as a block; `read` is how far the input had been read for
    /// them, `place` says where the row that began at some byte has a column.
    pub(crate) fn finish_with(
        self,
        x: Matrix,
        read: u64,
        place: impl Fn(usize, usize) -> Place,
    ) -> Parsed {
        let fault = |(column, start, text)| Fault { place: place(start, column), text };
        Parsed {
            words: self.words,
            strange: self.strange,
            faults: self.faults.into_iter().map(fault).collect(),
            commas: self.commas,
            kept: self.kept,
            ..Parsed::numbers(x, self.labels.finish(), read)
        }
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
    /// The words that cells of `x` carry.
    pub(crate) words: Dictionaries,
    /// Cells of each feature that did not fit; nothing if all did.
    pub(crate) strange: Vec<usize>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) commas: bool,
}

impl Parsed {
    /// A piece that holds nothing but numbers and gaps.
    pub(crate) fn numbers(x: Matrix, labels: Labels, read: u64) -> Self {
        Self {
            x,
            labels,
            kept: Vec::new(),
            read,
            words: Default::default(),
            strange: Vec::new(),
            faults: Vec::new(),
            commas: false,
        }
    }
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
