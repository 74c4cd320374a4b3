//! How good a classifier's probabilities are, and how stable its choice of features.
//!
//! ```
//! use pfcvm_eval::{accuracy, log_loss};
//!
//! let (truth, probability) = ([true, false, true], [0.9, 0.2, 0.4]);
//! assert_eq!(accuracy(&truth, &probability), 2.0 / 3.0);
//! assert!((log_loss(&truth, &probability) - 0.414_93).abs() < 1e-5);
//! ```

mod curves;
pub mod distributions;
mod error;
mod measures;
mod stability;

pub use curves::{
    CalibrationBin, RocPoint, calibration_curve, calibration_error, roc_curve, wilson_interval,
};
pub use error::Error;
pub use measures::{Confusion, accuracy, auc, brier_score, confusion, log_loss};
pub use stability::{mean_jaccard, mean_pearson, selection_frequencies};
