//! Which columns vary, and how they are shifted and scaled before use.

use crate::Error;
use crate::sums::{largest_of_varying, plain, to_unit};
use pfcvm::Matrix;
use serde::{Deserialize, Serialize};

/// Largest magnitude that is used as it is; beyond it squares leave no digits for anything else.
const LARGEST_PLAIN: f64 = 1e7;
/// Scaled values beyond this are taken as this, so that squares and sums of them stay finite.
const LARGEST_SCALED: f64 = 1e8;
/// A relative spread below this is rounding, not variation.
const ROUNDING: f64 = 1e-14;

/// Which columns vary, and how they are shifted and scaled before use: learned on training rows,
/// applied to any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaler {
    inputs: usize,
    columns: Vec<usize>,
    centre: Vec<f64>,
    scale: Vec<f64>,
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
                let value = column[row];
                return Err(pfcvm::Error::TooLargeValue { row, col: j, value }.into());
            }
            scaler.columns.push(j);
            scaler.centre.push(if standardise { mean } else { 0.0 });
            scaler.scale.push(if standardise { deviation } else { 1.0 });
        }
        match scaler.columns.is_empty() {
            true => Err(pfcvm::Error::NoVaryingFeature { cols: x.cols() }.into()),
            false => Ok(scaler),
        }
    }

    /// The columns that vary, as numbered in the input.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// What each varying column is divided by.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The varying columns of `x`, shifted and scaled. Refuses another number of columns than
    /// was learned from, and values that are not finite.
    pub fn apply(&self, x: &Matrix) -> Result<Matrix, Error> {
        let every = Vec::from_iter(0..self.columns.len());
        self.apply_to(x, &every)
    }

    /// As [`Scaler::apply`], for some of the varying columns: `positions` counts among these.
    pub fn apply_to(&self, x: &Matrix, positions: &[usize]) -> Result<Matrix, Error> {
        if x.cols() != self.inputs {
            let (found, expected) = (x.cols(), self.inputs);
            return Err(pfcvm::Error::Length { what: "columns", found, expected }.into());
        }
        let mut out = Matrix::zeros(x.rows(), positions.len());
        for (j, &k) in positions.iter().enumerate() {
            let (col, centre, scale) = (self.columns[k], self.centre[k], self.scale[k]);
            let column = x.column(col);
            let (targets, apart) = (out.column_mut(j).iter_mut(), |value: &f64| value - centre);
            // Without a way out, for the sake of vector instructions; the usual case.
            if column.iter().fold(true, |all, value| all & apart(value).is_finite()) {
                for (target, value) in targets.zip(column) {
                    *target = (apart(value) / scale).clamp(-LARGEST_SCALED, LARGEST_SCALED);
                }
                continue;
            }
            if let Some(row) = column.iter().position(|value| !value.is_finite()) {
                let value = column[row];
                return Err(pfcvm::Error::NotFinite { row, col, value }.into());
            }
            for (target, value) in targets.zip(column) {
                let scaled = match apart(value) {
                    apart if apart.is_finite() => apart / scale,
                    // Two of the largest numbers there are, on both sides of 0.
                    _ => value / scale - centre / scale,
                };
                *target = scaled.clamp(-LARGEST_SCALED, LARGEST_SCALED);
            }
        }
        Ok(out)
    }
}

/// Mean and standard deviation, or nothing where the column does not vary in `f64`.
pub(crate) fn moments(column: &[f64]) -> Option<(f64, f64)> {
    let largest = largest_of_varying(column)?;
    let unit = to_unit(largest);
    let count = column.len() as f64;
    let mean = plain(column, |value| value * unit) / count;
    let square = plain(column, |value| (value * unit - mean) * (value * unit - mean)) / count;
    let deviation = square.sqrt();
    (deviation > ROUNDING * largest * unit).then_some((mean / unit, deviation / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_columns_have_mean_0_and_deviation_1_at_any_magnitude() {
        let base = [1.0, 7.0, -7.0, 0.5, 7.0];
        for factor in [1.0, 1e150, 1e-150, 1.7e308, 1e-300] {
            let x = Matrix::from_fn(5, 2, |i, j| if j == 0 { 3.0 } else { base[i] / 7.0 * factor });
            let scaler = Scaler::fit(&x, true).unwrap();
            assert_eq!(scaler.columns(), [1]);
            let z = scaler.apply(&x).unwrap();
            let mean = z.column(0).iter().sum::<f64>() / 5.0;
            let square = z.column(0).iter().map(|v| v * v).sum::<f64>() / 5.0;
            assert!(mean.abs() < 1e-14 && (square - 1.0).abs() < 1e-13, "{factor}");
        }
    }

    #[test]
    fn refusals() {
        let constant = Matrix::from_fn(4, 3, |_, j| j as f64);
        assert!(Scaler::fit(&constant, true).is_err());
        let large = Matrix::from_fn(4, 1, |i, _| 1e9 * i as f64);
        assert!(Scaler::fit(&large, false).unwrap_err().to_string().contains("standardisation"));
        let scaler = Scaler::fit(&large, true).unwrap();
        assert!(scaler.apply(&constant).unwrap_err().to_string().contains("columns: 3 given"));
        assert!(scaler.apply(&Matrix::from_rows(&[vec![f64::NAN]])).is_err());
        let far = scaler.apply(&Matrix::from_rows(&[vec![-f64::MAX]])).unwrap();
        assert_eq!(far.get(0, 0), -LARGEST_SCALED);
    }
}
