//! How inputs are shifted and scaled before use.

use super::check_column;
use crate::error::Error;
use crate::matrix::Matrix;
use crate::stored::{Checked, ascending, checked_when_read, length, numbers};
use serde::{Deserialize, Serialize};

/// Largest magnitude that is used without standardisation. Beyond it distances by inner products
/// have no digits left.
pub(super) const LARGEST_PLAIN: f64 = 1e7;
/// Scaled values beyond this are taken as this: nothing changes any more for the RBF, and powers
/// of it stay finite.
pub const LARGEST_SCALED: f64 = 1e8;

/// Which columns vary, and how they are shifted and scaled before use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Scaler {
    pub(crate) inputs: usize,
    pub(crate) columns: Vec<usize>,
    pub(crate) centre: Vec<f64>,
    pub(crate) scale: Vec<f64>,
}

impl Scaler {
    /// Learns mean and standard deviation (divisor N) of each column that varies; with
    /// `standardise` off only finds the columns that vary.
    pub fn fit(x: &Matrix, standardise: bool) -> Result<Self, Error> {
        let mut scaler =
            Self { inputs: x.cols(), columns: Vec::new(), centre: Vec::new(), scale: Vec::new() };
        for (j, column) in x.columns().enumerate() {
            let Some((mean, deviation)) = moments(column) else { continue };
            if !standardise && let Some(row) = column.iter().position(|v| v.abs() > LARGEST_PLAIN) {
                return Err(Error::TooLargeValue { row, col: j, value: column[row] });
            }
            scaler.columns.push(j);
            scaler.centre.push(if standardise { mean } else { 0.0 });
            scaler.scale.push(if standardise { deviation } else { 1.0 });
        }
        if scaler.columns.is_empty() {
            return Err(Error::NoVaryingFeature { cols: x.cols() });
        }
        Ok(scaler)
    }

    /// The columns that vary, as numbered in the input.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// How many columns the input has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// What is subtracted from each varying column.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// What each varying column is divided by.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The scaler of data that hold nothing but the varying columns at `positions`.
    pub(crate) fn select(&self, positions: &[usize]) -> Self {
        Self {
            inputs: positions.len(),
            columns: (0..positions.len()).collect(),
            centre: positions.iter().map(|&k| self.centre[k]).collect(),
            scale: positions.iter().map(|&k| self.scale[k]).collect(),
        }
    }

    /// A compact scaler, whose columns are the columns `kept` of the input, for data that hold the
    /// given columns of the input, which ascend.
    pub(crate) fn among(&self, kept: &[usize], columns: &[usize]) -> Self {
        let place = |column: &usize| columns.partition_point(|other| other < column);
        let places = kept.iter().map(place).collect();
        Self { inputs: columns.len(), columns: places, ..self.clone() }
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

    /// The varying columns, shifted and scaled.
    pub fn apply(&self, x: &Matrix) -> Matrix {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        self.apply_columns(x, &all)
    }

    /// The varying columns with the given positions among them, shifted and scaled.
    pub fn apply_columns(&self, x: &Matrix, positions: &[usize]) -> Matrix {
        self.apply_rows(x, positions, 0, x.rows())
    }

    /// Rows `start..end` of the varying columns with the given positions among them, shifted and
    /// scaled.
    pub(crate) fn apply_rows(
        &self,
        x: &Matrix,
        positions: &[usize],
        start: usize,
        end: usize,
    ) -> Matrix {
        let mut out = Matrix::zeros(end - start, positions.len());
        for (j, &k) in positions.iter().enumerate() {
            let (centre, scale) = (self.centre[k], self.scale[k]);
            let column = &x.column(self.columns[k])[start..end];
            for (target, value) in out.column_mut(j).iter_mut().zip(column) {
                let difference = value - centre;
                // Only near the end of the range of numbers is the difference too large for one.
                let scaled = match difference.is_finite() {
                    true => difference / scale,
                    false => value / scale - centre / scale,
                };
                *target = scaled.clamp(-LARGEST_SCALED, LARGEST_SCALED);
            }
        }
        out
    }
}

/// Mean and standard deviation, or nothing where the column does not vary in `f64`. Values are
/// first divided by the largest magnitude, so that neither 1e200 nor 1e-200 is lost when squared.
pub fn moments(column: &[f64]) -> Option<(f64, f64)> {
    let first = column[0];
    if column.iter().all(|v| *v == first) {
        return None;
    }
    let largest = column.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let n = column.len() as f64;
    let mean = column.iter().map(|v| v / largest).sum::<f64>() / n;
    let variance = column.iter().map(|v| (v / largest - mean).powi(2)).sum::<f64>() / n;
    // Rounding alone leaves a relative spread of about 1e-16: that is not variation.
    let deviation = variance.sqrt();
    (deviation > 1e-14).then_some((mean * largest, deviation * largest))
}

checked_when_read!(Scaler);

impl Scaler {
    fn check(&self) -> Checked {
        ascending("varying columns", &self.columns, self.inputs)?;
        length("centres", self.centre.len(), self.columns.len())?;
        length("scales", self.scale.len(), self.columns.len())?;
        numbers("centre", &self.centre, f64::MIN)?;
        numbers("scale", &self.scale, f64::from_bits(1)) // subnormal is small enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_numbers_are_scaled_like_others() {
        let small = [-1.7, -1.0, 0.5, 1.7, 1.6];
        let scaled = |factor: f64| {
            let x = Matrix::from_fn(5, 1, |row, _| factor * small[row]);
            let scaler = Scaler::fit(&x, true).unwrap();
            scaler.apply(&x).column(0).to_vec()
        };
        for (a, b) in scaled(1.0).iter().zip(scaled(1e308)) {
            assert!((a - b).abs() < 1e-12, "{a} and {b}");
        }
    }
}
