//! How inputs become the scaled columns that a machine sees, learned from the training rows.
//!
//! - A column of **numbers** is shifted and scaled to mean 0 and variance 1. A gap is filled with the
//!   mean of the others; where gaps are not rare, a second column of the same feature says where they
//!   are.
//! - A column of **words** becomes a column for each word, 1 where it stands and 0 elsewhere; two
//!   words need only one. Words that are rare are taken together, as are all beyond the most frequent
//!   ones. A gap is a word of its own where gaps are not rare, else one of the rare words; where there
//!   are none of these it stands at the centre. Words that never occurred are gaps.
//! - The columns of **one feature** are then divided by the root of their summed variances: however
//!   many there are, two rows are as far apart in it as in a number.
//!
//! Classes have no part in any of this.

use super::bend::Bend;
use super::check_column;
use super::columns::Kind;
use crate::data::Dataset;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::spans::{Inputs, Spans};
use crate::sparse::Cells;
use crate::stored::{Checked, ascending, checked_when_read, length, numbers};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Largest magnitude that is used without standardisation. Beyond it distances by inner products
/// have no digits left.
pub(super) const LARGEST_PLAIN: f64 = 1e7;
/// Scaled values beyond this are taken as this: nothing changes any more for the RBF, and powers
/// of it stay finite.
pub const LARGEST_SCALED: f64 = 1e8;
/// Words and gaps that stand in fewer rows than this are rare.
const RARE: f64 = 5.0;
/// So many words of a column have a scaled column of their own, the most frequent ones.
const MOST_WORDS: usize = 100;

/// How a cell becomes a number, before it is shifted and scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reading {
    /// As it is; a gap stands at the centre.
    Value,
    /// As it is; a gap is filled.
    Filled(f64),
    /// On a scale that has no long tail; a gap stands at the centre.
    Bent(Bend),
    /// 1 if it holds one of these words (ascending), or a gap if that is asked for.
    Among { words: Vec<usize>, gap: bool },
    /// 1 if it holds this word; a gap and unknown words (ascending) stand at the centre.
    Known { word: [usize; 1], unknown: Vec<usize> },
}

impl Reading {
    #[inline]
    fn of(&self, cell: f64, centre: f64) -> f64 {
        match self {
            Reading::Value if cell.is_nan() => centre,
            Reading::Filled(with) if cell.is_nan() => *with,
            Reading::Value | Reading::Filled(_) => cell,
            Reading::Among { gap, .. } if cell.is_nan() => f64::from(*gap),
            // A code is a small whole number; anything else stands for no word.
            Reading::Among { words, .. } => match words.as_slice() {
                [word] => f64::from(cell == *word as f64),
                words => f64::from(words.binary_search(&(cell as usize)).is_ok()),
            },
            Reading::Bent(bend) => match cell.is_nan() {
                true => centre,
                false => bend.of(cell),
            },
            Reading::Known { word: [word], unknown } => {
                let is_unknown = cell.is_nan() || unknown.iter().any(|word| cell == *word as f64);
                if is_unknown { centre } else { f64::from(cell == *word as f64) }
            }
        }
    }
}

/// Which features vary, and how their columns are read, shifted and scaled before use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Scaler {
    pub(crate) inputs: usize,
    /// The column of the input that each scaled column is made from.
    pub(crate) columns: Vec<usize>,
    pub(crate) centre: Vec<f64>,
    pub(crate) scale: Vec<f64>,
    /// How cells are read, for each scaled column; nothing where all are as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    readings: Vec<Reading>,
    /// The feature of each scaled column; nothing where each belongs to the feature of its number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owners: Vec<usize>,
}

/// A scaled column on its way.
struct Part {
    column: usize,
    reading: Reading,
    centre: f64,
    scale: f64,
    /// What is left of its variance after shifting and scaling.
    variance: f64,
}

impl Scaler {
    /// Learns how the columns of the features that vary are read, and their means and standard
    /// deviations (divisor N); with `standardise` off they are neither shifted nor scaled.
    pub fn fit(data: &Dataset, standardise: bool) -> Result<Self, Error> {
        Self::learn(data, standardise, false)
    }

    /// The same with long tails of numbers made short, where columns are scaled.
    pub(crate) fn bending(data: &Dataset) -> Result<Self, Error> {
        Self::learn(data, true, true)
    }

    fn learn(data: &Dataset, standardise: bool, bends: bool) -> Result<Self, Error> {
        let (x, columns) = (data.x(), data.columns());
        let mut scaler = Self {
            inputs: x.cols(),
            columns: Vec::new(),
            centre: Vec::new(),
            scale: Vec::new(),
            readings: Vec::new(),
            owners: Vec::new(),
        };
        for feature in 0..columns.features() {
            let mut parts = Vec::new();
            for column in columns.columns_of(feature) {
                match columns.kind(column) {
                    Kind::Number => {
                        number_parts(x, column, data, (standardise, bends), &mut parts)?;
                    }
                    Kind::Words { levels } => word_parts(x, column, levels, data, &mut parts),
                }
            }
            scaler.push(feature, parts, standardise);
        }
        if scaler.columns.is_empty() {
            return Err(Error::NoVaryingFeature { cols: x.cols() });
        }
        if scaler.readings.iter().all(|reading| *reading == Reading::Value) {
            scaler.readings.clear();
        }
        scaler.forget_plain_owners();
        Ok(scaler)
    }

    /// Where each feature is one column, of its own number, nothing needs to be said of it.
    fn forget_plain_owners(&mut self) {
        let one_each = self.owners.windows(2).all(|pair| pair[0] != pair[1]);
        if one_each && self.owners == self.columns {
            self.owners.clear();
        }
    }

    fn push(&mut self, feature: usize, parts: Vec<Part>, standardise: bool) {
        let total: f64 = parts.iter().map(|part| part.variance).sum();
        // One column of numbers has variance 1 but for rounding, which must not show.
        let is_number = |part: &Part| matches!(part.reading, Reading::Value | Reading::Bent(_));
        let several = parts.len() > 1 || !parts.iter().all(is_number);
        let divisor = if standardise && several && total > 0.0 { total.sqrt() } else { 1.0 };
        for part in parts {
            self.columns.push(part.column);
            self.centre.push(part.centre);
            self.scale.push(part.scale * divisor);
            self.readings.push(part.reading);
            self.owners.push(feature);
        }
    }

    /// The column of the input that each scaled column is made from.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// How many columns the input has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What is subtracted from each scaled column.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// What each scaled column is divided by.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The feature of each scaled column.
    pub fn owners(&self) -> &[usize] {
        if self.owners.is_empty() { &self.columns } else { &self.owners }
    }

    /// The features that vary, ascending.
    pub fn features(&self) -> Vec<usize> {
        let mut features = self.owners().to_vec();
        features.dedup();
        features
    }

    /// The scaled columns of each varying feature.
    pub(crate) fn spans(&self) -> Spans {
        match self.owners.is_empty() {
            true => Spans::single(self.columns.len()),
            false => Spans::of_widths(self.owners.chunk_by(|a, b| a == b).map(<[usize]>::len)),
        }
    }

    /// The columns of the input that varying features at these positions are made from, ascending.
    pub(crate) fn inputs_of(&self, positions: &[usize]) -> Vec<usize> {
        let spans = self.spans();
        let scaled = spans.columns_of(positions);
        let mut columns: Vec<usize> = scaled.iter().map(|&column| self.columns[column]).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Standard deviation of a column of numbers in its own units, given the scaled columns of its
    /// feature; nothing where the column was left as it is, so that nothing is known of it.
    pub(crate) fn deviation(&self, scaled: usize, feature: Range<usize>) -> Option<f64> {
        if self.centre[scaled] == 0.0 && self.scale[scaled] == 1.0 {
            return None;
        }
        // A column of zeros and ones has no scale but what the columns of a feature are divided by;
        // numbers have variance 1 each before that.
        let width = feature.len();
        let is_words = |k: &usize| matches!(self.source(*k), Source::Words { .. });
        let divisor = match feature.into_iter().find(is_words) {
            Some(words) => self.scale[words],
            None => (width as f64).sqrt(),
        };
        Some(self.scale[scaled] / divisor)
    }

    /// How a scaled column is made, for those who write it down elsewhere.
    pub fn source(&self, scaled: usize) -> Source<'_> {
        let place = self.centre[scaled];
        match self.readings.get(scaled) {
            None | Some(Reading::Value) => Source::Number { gap: place, bend: None },
            Some(Reading::Filled(with)) => Source::Number { gap: *with, bend: None },
            Some(Reading::Bent(bend)) => {
                Source::Number { gap: bend.back(place), bend: Some(*bend) }
            }
            Some(Reading::Among { words, gap }) => {
                Source::Words { words, unknown: &[], gap: f64::from(*gap) }
            }
            Some(Reading::Known { word, unknown }) => {
                Source::Words { words: word, unknown, gap: place }
            }
        }
    }

    /// The scaler of the varying features at `positions`, for data that hold nothing but the given
    /// columns of the input, which ascend and have all that is needed among them. A feature has the
    /// number of its first column there.
    pub(crate) fn among(&self, positions: &[usize], columns: &[usize]) -> Self {
        let spans = self.spans();
        let scaled = spans.columns_of(positions);
        let place = |column: usize| columns.partition_point(|other| *other < column);
        let places: Vec<usize> = scaled.iter().map(|&k| place(self.columns[k])).collect();
        let first = |k: usize| spans.of(k).map(|column| place(self.columns[column])).min();
        let owners: Vec<usize> = positions
            .iter()
            .flat_map(|&k| vec![first(k).unwrap_or_default(); spans.of(k).len()])
            .collect();
        let mut among = Self {
            inputs: columns.len(),
            centre: scaled.iter().map(|&k| self.centre[k]).collect(),
            scale: scaled.iter().map(|&k| self.scale[k]).collect(),
            readings: match self.readings.is_empty() {
                true => Vec::new(),
                false => scaled.iter().map(|&k| self.readings[k].clone()).collect(),
            },
            owners,
            columns: places,
        };
        among.forget_plain_owners();
        among
    }

    /// The scaler of a machine of listed features, given by their positions, or of all features, for data
    /// that hold nothing but some columns; with the positions there, and the features as these are numbered
    /// then.
    pub(crate) fn narrow(
        &self,
        positions: &[usize],
        all: bool,
        columns: &[usize],
    ) -> (Self, Vec<usize>, Vec<usize>) {
        let (scaler, positions) = match all {
            true => {
                let every: Vec<usize> = (0..self.features().len()).collect();
                (self.among(&every, columns), positions.to_vec())
            }
            false => (self.among(positions, columns), (0..positions.len()).collect()),
        };
        let varying = scaler.features();
        let features = positions.iter().map(|&position| varying[position]).collect();
        (scaler, positions, features)
    }

    /// Refuses rows that a model with this scaler cannot predict.
    pub fn check_rows(&self, x: &Matrix) -> Result<(), Error> {
        let all: Vec<usize> = (0..x.cols()).collect();
        self.check_columns(x, &all)
    }

    /// Refuses rows that a model which looks at these columns of the input only cannot predict; the
    /// others may hold anything.
    pub fn check_columns(&self, x: &Matrix, used: &[usize]) -> Result<(), Error> {
        if x.cols() != self.inputs {
            let (what, found) = ("columns to predict from", x.cols());
            return Err(Error::Length { what, found, expected: self.inputs });
        }
        used.iter().try_for_each(|&col| check_column(x, col))
    }

    /// All scaled columns; sparse where the input is.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        if let Some(sparse) = x.sparse() {
            return Matrix::of_sparse(x.rows(), sparse.made(&self.columns, |k| self.scaling(k)));
        }
        let all: Vec<usize> = (0..self.columns.len()).collect();
        self.apply_columns(x, &all)
    }

    /// The scaled columns of all varying features.
    pub(crate) fn inputs_from(&self, x: &Matrix) -> Inputs {
        Inputs { values: self.apply(x), spans: self.spans() }
    }

    /// The given scaled columns.
    pub fn apply_columns(&self, x: &Matrix, scaled: &[usize]) -> Matrix {
        self.apply_rows(x, scaled, 0, x.rows())
    }

    /// Rows `start..end` of the given scaled columns.
    pub(crate) fn apply_rows(
        &self,
        x: &Matrix,
        scaled: &[usize],
        start: usize,
        end: usize,
    ) -> Matrix {
        let mut out = Matrix::zeros(end - start, scaled.len());
        for (j, &k) in scaled.iter().enumerate() {
            let (target, scaled) = (out.column_mut(j), self.scaling(k));
            let cells = x.cells(self.columns[k]).within(start, end);
            match cells.places {
                None => {
                    let cells = target.iter_mut().zip(cells.written);
                    match self.three_values(k, &scaled) {
                        Some((word, [gap, there, other])) => cells.for_each(|(t, v)| {
                            let found = if *v == word { there } else { other };
                            *t = if v.is_nan() { gap } else { found };
                        }),
                        None => cells.for_each(|(t, v)| *t = scaled(*v)),
                    }
                }
                Some(_) => {
                    target.fill(scaled(cells.background));
                    cells.each().for_each(|(row, v)| target[row - start] = scaled(v));
                }
            }
        }
        out
    }

    /// Of a column that says where one word is: the word, and what a gap, it and any other become.
    fn three_values(&self, k: usize, scaled: impl Fn(f64) -> f64) -> Option<(f64, [f64; 3])> {
        let word = match self.readings.get(k)? {
            Reading::Among { words, .. } => *words.first().filter(|_| words.len() == 1)?,
            Reading::Known { word: [word], unknown } if unknown.is_empty() => *word,
            _ => return None,
        } as f64;
        Some((word, [f64::NAN, word, -1.0].map(scaled)))
    }

    /// What becomes of the cells of a scaled column.
    fn scaling(&self, k: usize) -> impl Fn(f64) -> f64 {
        let (centre, scale) = (self.centre[k], self.scale[k]);
        let reading = self.readings.get(k).unwrap_or(&Reading::Value);
        move |cell| {
            let value = reading.of(cell, centre);
            let difference = value - centre;
            // Only near the end of the range of numbers is the difference too large for one.
            let scaled = match difference.is_finite() {
                true => difference / scale,
                false => value / scale - centre / scale,
            };
            scaled.clamp(-LARGEST_SCALED, LARGEST_SCALED)
        }
    }
}

/// What a scaled column is made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source<'a> {
    /// A number.
    Number {
        /// What a gap is filled with.
        gap: f64,
        /// The scale that it is put on first, if it is.
        bend: Option<Bend>,
    },
    /// 1 if the cell holds one of some words, 0 if not.
    Words {
        /// Their places among the column's words, ascending.
        words: &'a [usize],
        /// Words that are taken for gaps, ascending.
        unknown: &'a [usize],
        /// What a gap counts: 0, 1, or the share of rows that hold one of the words.
        gap: f64,
    },
}

/// A column of numbers, and where its gaps are.
fn number_parts(
    x: &Matrix,
    column: usize,
    data: &Dataset,
    (standardise, bends): (bool, bool),
    parts: &mut Vec<Part>,
) -> Result<(), Error> {
    let cells = x.cells(column);
    let of_gaps = cells.each().filter(|(_, v)| v.is_nan());
    let gaps: f64 = of_gaps.map(|(i, _)| data.sample_weights()[i]).sum();
    let missing = cells.written.iter().filter(|v| v.is_nan()).count();
    let share = missing as f64 / cells.rows as f64;
    let present: Vec<f64>;
    let known = match missing > 0 {
        true => {
            present = cells.written.iter().copied().filter(|v| !v.is_nan()).collect();
            Cells { written: &present, places: None, rows: cells.rows - missing, ..cells }
        }
        false => cells,
    };
    let found = moments_of(known).filter(|_| bends);
    let bend = found.and_then(|moments| Bend::suits(known.values(), moments));
    let bent: Vec<f64> =
        bend.iter().flat_map(|bend| known.values().into_iter().map(|v| bend.of(v))).collect();
    let (known, bend) = match moments(&bent) {
        Some(_) => (Cells::all(&bent), bend),
        None => (known, None),
    };
    if let Some((mean, deviation)) = moments_of(known) {
        let too_large = |(_, v): &(usize, f64)| v.abs() > LARGEST_PLAIN;
        if !standardise && let Some((row, value)) = cells.each().find(too_large) {
            return Err(Error::TooLargeValue { row, col: column, value });
        }
        let filled = share > 0.0 && !standardise;
        parts.push(Part {
            column,
            reading: match bend {
                Some(bend) => Reading::Bent(bend),
                None if filled => Reading::Filled(mean),
                None => Reading::Value,
            },
            centre: if standardise { mean } else { 0.0 },
            scale: if standardise { deviation } else { 1.0 },
            variance: 1.0 - share,
        });
    }
    if gaps >= RARE && share < 1.0 {
        let reading = Reading::Among { words: Vec::new(), gap: true };
        parts.push(indicator(column, reading, share, standardise));
    }
    Ok(())
}

/// A column for each word that is not rare.
fn word_parts(x: &Matrix, column: usize, levels: usize, data: &Dataset, parts: &mut Vec<Part>) {
    let cells = x.column(column);
    // Rows of each word, and of gaps at the end; as they count, and as they are given.
    let (mut counts, mut rows) = (vec![0.0; levels + 1], vec![0usize; levels + 1]);
    for (cell, weight) in cells.iter().zip(data.sample_weights()) {
        let word = if cell.is_nan() { levels } else { *cell as usize };
        counts[word] += weight;
        rows[word] += 1;
    }
    let mut frequent: Vec<usize> = (0..levels).filter(|&word| counts[word] >= RARE).collect();
    frequent.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]).then(a.cmp(&b)));
    frequent.truncate(MOST_WORDS);
    frequent.sort_unstable();
    let rest = |word: &usize| frequent.binary_search(word).is_err();
    let (other, never): (Vec<usize>, Vec<usize>) =
        (0..levels).filter(rest).partition(|&word| counts[word] > 0.0);
    let gaps_count = counts[levels] >= RARE;
    let mut readings: Vec<Reading> = Vec::new();
    for word in frequent.iter().copied() {
        readings.push(match other.is_empty() && !gaps_count {
            true => Reading::Known { word: [word], unknown: never.clone() },
            false => Reading::Among { words: vec![word], gap: false },
        });
    }
    let among = |words: Vec<usize>, gap| Reading::Among { words, gap };
    match (other.is_empty(), gaps_count) {
        (true, false) => {}
        (true, true) => readings.push(among(never, true)),
        // What never occurred, and gaps, are as rare as the rare words.
        (false, false) => readings.push(among((0..levels).filter(rest).collect(), true)),
        (false, true) => readings.extend([among(other, false), among(never, true)]),
    }
    if readings.len() == 2 {
        readings.remove(0); // the one says what the other says
    }
    for reading in readings {
        let (words, gaps, without) = match &reading {
            Reading::Among { words, gap } => (&words[..], *gap, 0),
            Reading::Known { word, .. } => (&word[..], false, rows[levels]),
            Reading::Value | Reading::Filled(_) | Reading::Bent(_) => continue,
        };
        let gaps = if gaps { rows[levels] } else { 0 };
        let holding = words.iter().map(|&word| rows[word]).sum::<usize>() + gaps;
        let known = (cells.len() - without) as f64;
        let share = holding as f64 / known;
        if share > 0.0 && share < 1.0 {
            let part = indicator(column, reading, share, true);
            // Gaps at the centre do not vary.
            parts.push(Part { variance: part.variance * known / cells.len() as f64, ..part });
        }
    }
}

/// A column of zeros and ones. Words have no scale of their own: it is shifted whatever is asked for.
fn indicator(column: usize, reading: Reading, share: f64, shifted: bool) -> Part {
    let centre = if shifted { share } else { 0.0 };
    Part { column, reading, centre, scale: 1.0, variance: share * (1.0 - share) }
}

/// Mean and standard deviation, or nothing where the column does not vary in `f64`. Values are
/// first divided by the largest magnitude, so that neither 1e200 nor 1e-200 is lost when squared.
pub fn moments(column: &[f64]) -> Option<(f64, f64)> {
    moments_of(Cells::all(column))
}

/// The same of the cells of a column as they are held.
pub(crate) fn moments_of(cells: Cells) -> Option<(f64, f64)> {
    let (unwritten, background) = (cells.unwritten() as f64, cells.background);
    let first = if unwritten > 0.0 { background } else { *cells.written.first()? };
    if cells.written.iter().all(|v| *v == first) {
        return None;
    }
    let largest = cells.written.iter().fold(background.abs(), |m, v| m.max(v.abs()));
    let n = cells.rows as f64;
    let sum = cells.written.iter().map(|v| v / largest).sum::<f64>();
    let mean = (sum + unwritten * (background / largest)) / n;
    let squares = cells.written.iter().map(|v| (v / largest - mean).powi(2)).sum::<f64>();
    let variance = (squares + unwritten * (background / largest - mean).powi(2)) / n;
    // Rounding alone leaves a relative spread of about 1e-16: that is not variation.
    let deviation = variance.sqrt();
    (deviation > 1e-14).then_some((mean * largest, deviation * largest))
}

checked_when_read!(Scaler);

impl Scaler {
    fn check(&self) -> Checked {
        let scaled = self.columns.len();
        match self.owners.is_empty() {
            true => ascending("varying columns", &self.columns, self.inputs)?,
            false => {
                length("features of scaled columns", self.owners.len(), scaled)?;
                ascending("varying features", &self.features(), self.inputs)?;
                if self.columns.iter().any(|column| *column >= self.inputs) {
                    return Err(format!("a scaled column beyond the {} of the input", self.inputs));
                }
            }
        }
        if !self.readings.is_empty() {
            length("readings of cells", self.readings.len(), scaled)?;
        }
        for reading in &self.readings {
            match reading {
                Reading::Value => {}
                Reading::Filled(with) => numbers("filling of a gap", &[*with], f64::MIN)?,
                Reading::Bent(bend) => {
                    numbers("least value of a scale", &[bend.least], f64::MIN)?;
                    numbers("span of a scale", &[bend.span], f64::from_bits(1))?;
                }
                Reading::Among { words, .. } | Reading::Known { unknown: words, .. } => {
                    ascending("words", words, usize::MAX)?
                }
            }
        }
        length("centres", self.centre.len(), scaled)?;
        length("scales", self.scale.len(), scaled)?;
        numbers("centre", &self.centre, f64::MIN)?;
        numbers("scale", &self.scale, f64::from_bits(1)) // subnormal is small enough
    }
}
