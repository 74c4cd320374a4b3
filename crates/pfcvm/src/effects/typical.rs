//! What a model knows of the rows it learned from, and rows like these.
//!
//! Of a column of numbers a model knows the mean and the standard deviation, of words how often each
//! occurred. Typical rows have numbers of a normal distribution and words in these shares; every column
//! is spread evenly over its values and shuffled by itself. Columns that were not standardised are
//! known from the kept samples alone.

use super::{Place, Surface};
use crate::algebra::normal_upper_quantile;
use crate::data::{Bend, Scaler, Source, moments};
use crate::matrix::Matrix;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// Effects are part of what a model says: the same model says the same.
const SEED: u64 = 17;
/// A code that stands for no word of any column.
const NO_WORD: f64 = (1u64 << 52) as f64;
/// Shares that differ by rounding only differ by less.
const ROUNDING: f64 = 1e-9;

/// What is known of the cells of a column.
pub(super) struct Known {
    /// Its place among the columns of the machine's input.
    pub column: usize,
    /// Its feature's place among the kept ones.
    pub feature: usize,
    /// If there are numbers.
    numbers: Option<Numbers>,
    /// Words and gaps.
    words: Vec<Word>,
}

/// Mean and deviation, on the scale that the model puts the numbers on.
#[derive(Clone, Copy)]
struct Numbers {
    mean: f64,
    deviation: f64,
    bend: Option<Bend>,
}

impl Numbers {
    /// The number so many deviations from the mean.
    fn at(&self, deviations: f64) -> f64 {
        let value =
            if deviations == 0.0 { self.mean } else { self.mean + deviations * self.deviation };
        match self.bend {
            Some(bend) => bend.back(value),
            None => value.clamp(f64::MIN, f64::MAX),
        }
    }
}

struct Word {
    place: Place,
    cell: f64,
    share: f64,
}

/// A value to look at.
pub(super) struct Value {
    pub place: Place,
    pub cell: f64,
    /// Its share of what effects are compared with.
    pub reference: f64,
    /// How often it occurred, where it is a word or a gap.
    pub share: f64,
}

/// What is known of each column of a machine's kept features.
pub(super) fn known(narrow: &impl Surface) -> Vec<Known> {
    let scaler = narrow.scaler();
    let spans = scaler.spans();
    let mut all = Vec::new();
    let mut at = 0; // among the scaled columns of the kept features
    for (feature, &position) in narrow.positions().iter().enumerate() {
        let span = spans.of(position);
        let mut columns: Vec<usize> = span.clone().map(|k| scaler.columns()[k]).collect();
        columns.dedup();
        for column in columns {
            let samples = |k: usize| narrow.sample_values(at + k - span.start);
            all.push(Known::of(scaler, span.clone(), column, feature, samples));
        }
        at += span.len();
    }
    all
}

impl Known {
    fn of<'a>(
        scaler: &Scaler,
        span: Range<usize>,
        column: usize,
        feature: usize,
        samples: impl Fn(usize) -> Option<&'a [f64]>,
    ) -> Self {
        let (mut numbers, mut words) = (None, Vec::new());
        for k in span.clone().filter(|&k| scaler.columns()[k] == column) {
            match scaler.source(k) {
                Source::Number { bend, .. } => {
                    let (mean, deviation) = match scaler.deviation(k, span.clone()) {
                        Some(deviation) => (scaler.centre()[k], deviation),
                        None => samples(k).and_then(moments).unwrap_or((0.0, 1.0)),
                    };
                    numbers = Some(Numbers { mean, deviation, bend });
                }
                Source::Words { words: list, gap, .. } => words.push(Word {
                    cell: list.first().map_or(f64::NAN, |word| *word as f64),
                    place: Place::Words { words: list.to_vec(), gap: gap == 1.0 },
                    share: scaler.centre()[k],
                }),
            }
        }
        let rest = 1.0 - words.iter().map(|word| word.share).sum::<f64>();
        if numbers.is_none() && rest > ROUNDING {
            words.push(Word { place: Place::Rest, cell: NO_WORD, share: rest });
        }
        Self { column, feature, numbers, words }
    }

    /// The mean of numbers.
    pub fn mean(&self) -> Option<f64> {
        self.numbers.map(|numbers| numbers.at(0.0))
    }

    /// So many numbers, an odd number of them so that the mean is in the middle, and a gap if there
    /// are some; or all words.
    pub fn values(&self, places: usize, reach: f64) -> Vec<Value> {
        let middle = places / 2;
        let number = |at: usize, numbers: Numbers| {
            let cell = numbers.at(reach * (at as f64 - middle as f64) / middle as f64);
            let reference = f64::from(at == middle);
            Value { place: Place::Number(cell), cell, reference, share: 0.0 }
        };
        let word = |word: &Word| Value {
            place: word.place.clone(),
            cell: word.cell,
            reference: if self.numbers.is_some() { 0.0 } else { word.share },
            share: word.share,
        };
        let numbers = self.numbers.iter().flat_map(|&of| (0..places).map(move |at| number(at, of)));
        numbers.chain(self.words.iter().map(word)).collect()
    }

    /// The value at a share of the way through all of them.
    fn at(&self, share: f64) -> f64 {
        let mut before = 0.0;
        for word in &self.words {
            before += word.share;
            if share < before || (self.numbers.is_none() && share < before + ROUNDING) {
                return word.cell;
            }
        }
        match self.numbers {
            Some(numbers) => {
                let above = (1.0 - share) / (1.0 - before);
                numbers.at(normal_upper_quantile(above.clamp(1e-6, 1.0 - 1e-6)))
            }
            None => self.words.last().map_or(f64::NAN, |word| word.cell),
        }
    }
}

/// So many cells of each column that stand for all, in an order of its own.
pub(super) fn drawn<'a>(known: impl IntoIterator<Item = &'a Known>, count: usize) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let of_one = |known: &Known| {
        let share = |i: usize| (i as f64 + 0.5) / count as f64;
        let mut cells: Vec<f64> = (0..count).map(|i| known.at(share(i))).collect();
        cells.shuffle(&mut rng);
        cells
    };
    known.into_iter().map(of_one).collect()
}

/// Rows of the columns that a machine needs.
pub(super) struct Typical {
    x: Matrix,
}

impl Typical {
    pub fn of(known: &[Known], rows: usize) -> Self {
        let mut x = Matrix::zeros(rows, known.len());
        for (known, cells) in known.iter().zip(drawn(known, rows)) {
            x.column_mut(known.column).copy_from_slice(&cells);
        }
        Self { x }
    }

    pub fn rows(&self) -> usize {
        self.x.rows()
    }

    /// So many of them, or all.
    pub fn some(&self, count: usize) -> Self {
        let step = self.rows().div_ceil(count);
        let rows: Vec<usize> = (0..self.rows()).step_by(step).collect();
        Self { x: self.x.select_rows(&rows) }
    }

    /// All rows for each cell, with the cell in the given column.
    pub fn with(&self, column: usize, cells: &[f64]) -> Matrix {
        self.with_both([column, column], &Vec::from_iter(cells.iter().map(|&cell| [cell; 2])))
    }

    /// The same with two cells in two columns.
    pub fn with_both(&self, columns: [usize; 2], cells: &[[f64; 2]]) -> Matrix {
        let rows = self.rows();
        Matrix::from_fn(rows * cells.len(), self.x.cols(), |i, j| {
            match columns.iter().position(|column| *column == j) {
                Some(which) => cells[i / rows][which],
                None => self.x.get(i % rows, j),
            }
        })
    }
}
