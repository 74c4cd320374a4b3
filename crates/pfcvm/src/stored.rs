//! Models from files: whatever is read back is checked in full before it can predict.
//!
//! serde derives the plain reading and writing of each type as functions of its own
//! (`remote = "Self"`); the traits call them and then the check.

use crate::{Covariance, Matrix, Model, Panel, Scaler};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

macro_rules! checked_when_read {
    ($($stored:ty),+) => {$(
        impl Serialize for $stored {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $stored {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = Self::deserialize(deserializer)?;
                read.check().map_err(D::Error::custom)?;
                Ok(read)
            }
        }
    )+};
}

checked_when_read!(Matrix, Scaler, Covariance, Model, Panel);

/// What is wrong, to go behind "the model".
pub(crate) type Checked = Result<(), String>;

/// Refuses a list of another length.
pub(crate) fn length(what: &str, found: usize, expected: usize) -> Checked {
    if found == expected {
        return Ok(());
    }
    Err(format!("{found} {what} where {expected} belong"))
}

/// Refuses numbers that are not finite or below `least`.
pub(crate) fn numbers(what: &str, values: &[f64], least: f64) -> Checked {
    match values.iter().position(|v| !(v.is_finite() && *v >= least)) {
        None => Ok(()),
        Some(at) => Err(format!("{what} number {at} (counted from 0) is {:e}", values[at])),
    }
}

/// Refuses indices that repeat, descend or reach `end`.
pub(crate) fn ascending(what: &str, indices: &[usize], end: usize) -> Checked {
    let ordered = indices.windows(2).all(|pair| pair[0] < pair[1]);
    if ordered && indices.last().is_none_or(|last| *last < end) {
        return Ok(());
    }
    Err(format!("the indices of {what} do not ascend below {end}"))
}

impl Matrix {
    fn check(&self) -> Checked {
        if self.rows.checked_mul(self.cols) != Some(self.values.len()) {
            let (rows, cols, found) = (self.rows, self.cols, self.values.len());
            return Err(format!("a matrix of {rows} x {cols} with {found} values"));
        }
        numbers("matrix", &self.values, f64::MIN)
    }
}

impl Scaler {
    fn check(&self) -> Checked {
        ascending("varying columns", &self.columns, self.inputs)?;
        length("centres", self.centre.len(), self.columns.len())?;
        length("scales", self.scale.len(), self.columns.len())?;
        numbers("centre", &self.centre, f64::MIN)?;
        numbers("scale", &self.scale, f64::from_bits(1)) // subnormal is small enough
    }
}

impl Covariance {
    fn check(&self) -> Checked {
        let size = self.root.cols;
        if let Some(prior) = &self.prior {
            length("prior variances", prior.len(), size)?;
            numbers("prior variance", prior, 0.0)?;
        }
        for direction in &self.free {
            length("values of a direction", direction.len(), size)?;
            numbers("direction", direction, f64::MIN)?;
        }
        Ok(())
    }
}

impl Model {
    fn check(&self) -> Checked {
        let (features, samples) = (self.theta.len(), self.samples.len());
        ascending("kept features", &self.positions, self.scaler.columns.len())?;
        length("positions of features", self.positions.len(), features)?;
        let columns = self.positions.iter().map(|&k| self.scaler.columns[k]);
        if !columns.eq(self.features.iter().copied()) {
            return Err("kept features that disagree with their positions".into());
        }
        length("feature precisions", self.beta.len(), features)?;
        length("features of a covariance", self.feature_covariance.root.cols, features)?;
        if let Some(losses) = &self.feature_losses {
            length("feature losses", losses.len(), features)?;
            numbers("feature loss", losses, f64::MIN)?;
        }
        numbers("feature weight", &self.theta, 0.0)?;
        numbers("feature precision", &self.beta, 0.0)?;
        length("rows of kept samples", self.z.rows, samples)?;
        length("columns of kept samples", self.z.cols, features)?;
        length("signs", self.signs.len(), samples)?;
        if self.signs.iter().any(|sign| sign.abs() != 1.0) {
            return Err("a sign that is neither 1 nor -1".into());
        }
        length("sample weights with the bias", self.w.len(), samples + 1)?;
        length("sample precisions with the bias", self.alpha.len(), samples + 1)?;
        length("samples of a covariance", self.sample_covariance.root.cols, samples + 1)?;
        numbers("bias", &self.w[..1], f64::MIN)?;
        numbers("sample weight", &self.w[1..], 0.0)?;
        numbers("sample precision", &self.alpha, 0.0)
    }
}

/// NaN, which not every format can hold, as nothing.
pub(crate) mod nan_as_nothing {
    use super::*;

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        (!value.is_nan()).then_some(*value).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}
