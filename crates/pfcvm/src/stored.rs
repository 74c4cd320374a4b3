//! Models from files: whatever is read back is checked in full before it can predict.
//!
//! serde derives the plain reading and writing of each type as functions of its own
//! (`remote = "Self"`); the traits call them and then the check.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// For a type with `fn check(&self) -> Checked`.
macro_rules! checked_when_read {
    ($stored:ty) => {
        impl serde::Serialize for $stored {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $stored {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read = Self::deserialize(deserializer)?;
                read.check().map_err(serde::de::Error::custom)?;
                Ok(read)
            }
        }
    };
}

pub(crate) use checked_when_read;

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
