//! Data as the methods use them.

use crate::Error;
use pfcvm::data::Scaler;
use pfcvm::{Dataset, Matrix};
use std::borrow::Cow;

/// The rows that count, as they are.
pub(crate) struct Counted<'a> {
    pub x: Cow<'a, Matrix>,
    pub positive: Vec<bool>,
    pub weights: Vec<f64>,
    /// Where the rows stand in the data.
    pub rows: Vec<usize>,
}

impl<'a> Counted<'a> {
    /// Leaves out rows of weight 0 and asks for both classes among the others.
    pub fn new(data: &'a Dataset) -> Result<Self, Error> {
        let weights = data.sample_weights();
        let rows = Vec::from_iter((0..data.len()).filter(|&row| weights[row] > 0.0));
        let positive = Vec::from_iter(rows.iter().map(|&row| data.positive()[row]));
        let ones = positive.iter().filter(|positive| **positive).count();
        if ones == 0 || ones == positive.len() {
            let negative = positive.len() - ones;
            return Err(pfcvm::Error::TooFewInClass { positive: ones, negative, needed: 1 }.into());
        }
        // Weights matter in proportion only; the largest at 1 keeps every sum finite.
        let largest = rows.iter().fold(0.0f64, |most, &row| most.max(weights[row]));
        let weights = rows.iter().map(|&row| weights[row] / largest).collect();
        let x = match rows.len() == data.len() {
            true => Cow::Borrowed(data.x()),
            false => Cow::Owned(data.x().select_rows(&rows)),
        };
        Ok(Self { x, positive, weights, rows })
    }
}

/// The rows that count, the columns that vary, shifted and scaled.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub x: Matrix,
    pub positive: Vec<bool>,
    pub weights: Vec<f64>,
    pub scaler: Scaler,
    /// Where the rows stand in the data.
    pub rows: Vec<usize>,
}

impl Prepared {
    /// Leaves out rows of weight 0, asks for both classes among the others, and scales.
    pub fn new(data: &Dataset, standardise: bool) -> Result<Self, Error> {
        let Counted { x, positive, weights, rows } = Counted::new(data)?;
        let counted = data.select(&rows)?;
        let scaler = Scaler::fit(&counted, standardise).map_err(|error| match error {
            // In the caller's own count of rows.
            pfcvm::Error::TooLargeValue { row, col, value } => {
                pfcvm::Error::TooLargeValue { row: rows[row], col, value }
            }
            other => other,
        })?;
        Ok(Self { x: scaler.apply(&x), positive, weights, scaler, rows })
    }
}

/// The varying columns of `x` with the given positions among them, shifted and scaled. Refuses
/// another number of columns than was learned from, and values that are not finite.
pub(crate) fn scaled(scaler: &Scaler, x: &Matrix, positions: &[usize]) -> Result<Matrix, Error> {
    scaler.check_rows(x)?;
    Ok(scaler.apply_columns(x, positions))
}

/// As [`scaled`], for all varying columns.
pub(crate) fn all_scaled(scaler: &Scaler, x: &Matrix) -> Result<Matrix, Error> {
    scaler.check_rows(x)?;
    Ok(scaler.apply(x))
}
