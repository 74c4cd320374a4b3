//! How good a classifier's probabilities are, how stable its choice of features, and whether
//! methods differ.
//!
//! ```
//! use pfcvm_eval::{accuracy, log_loss};
//!
//! let (truth, probability) = ([true, false, true], [0.9, 0.2, 0.4]);
//! assert_eq!(accuracy(&truth, &probability), 2.0 / 3.0);
//! assert!((log_loss(&truth, &probability) - 0.414_93).abs() < 1e-5);
//! ```
//!
//! Three methods on four data sets, by their error rates:
//!
//! ```
//! use pfcvm_eval::{Better, PostHoc, critical_difference, friedman, indistinct_groups};
//!
//! let errors = [[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.2, 0.2], [0.0, 0.1, 0.5]];
//! let errors: Vec<Vec<f64>> = errors.iter().map(|row| row.to_vec()).collect();
//! let found = friedman(&errors, Better::Lower)?;
//! assert_eq!(found.average_ranks, [1.25, 1.875, 2.875]);
//! let difference = critical_difference(PostHoc::Nemenyi, 3, 4, 0.05)?;
//! let groups = indistinct_groups(&found.average_ranks, difference)?;
//! assert_eq!(groups, [vec![0, 1, 2]]);
//! # Ok::<(), pfcvm_eval::Error>(())
//! ```

mod agreement;
mod class_curves;
mod critical;
mod curves;
pub mod distributions;
mod error;
mod measures;
mod paired;
mod precision_recall;
mod price;
mod ranks;
mod resample;
mod scores;
mod stability;
mod wilcoxon;

pub use agreement::{Kappa, cohen_kappa, cohen_kappa_table};
pub use class_curves::{ClassCurves, ProbabilityCurves, TopCurve};
pub use critical::{PostHoc, critical_difference, critical_value, indistinct_groups};
pub use curves::{
    CalibrationBin, RocPoint, calibration_bins, calibration_curve, calibration_error, roc_curve,
    wilson_interval,
};
pub use error::Error;
pub use measures::{Confusion, accuracy, auc, brier_score, confusion, log_loss};
pub use paired::{McNemar, ResampledT, corrected_resampled_t, mcnemar};
pub use precision_recall::{PrecisionRecallPoint, average_precision, precision_recall_curve};
pub use price::{Estimate, Shortest, estimate, price_lengths, shortest};
pub use ranks::{Better, Friedman, ImanDavenport, average_ranks, friedman, ranks};
pub use resample::{
    Split, bootstrap, halvings, hold_out, leave_group_out, leave_one_out, stratified_folds,
};
pub use scores::{
    ClassScores, Scores, class_areas, class_brier_score, class_log_loss, confusion_table,
};
pub use stability::{
    Stability, mean_jaccard, mean_pearson, selection_frequencies, selection_stability,
};
pub use wilcoxon::{Wilcoxon, wilcoxon};
