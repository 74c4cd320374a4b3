//! Methods tried on data: which rows train and which test, settings chosen inside each training
//! part, runs that can be killed and go on, and what it all adds up to.
//!
//! ```
//! use pfcvm::multiclass::{Dataset, Scheme};
//! use pfcvm_study::{Contender, Cv, Study, Summary, run};
//! use std::sync::Arc;
//! # let x = pfcvm::Matrix::from_fn(40, 3, |row, col| ((row * 7 + col * 3) % 11) as f64 + 4.0 * (row % 2) as f64);
//! # let names = vec!["no".to_string(), "yes".to_string()];
//! let data = Dataset::new(x, (0..40).map(|row| row % 2).collect(), names)?;
//! let cv: Cv = "kfold:4".parse()?;
//! let splits = cv.splits(data.codes(), None, 7)?;
//! let study = Study {
//!     name: "small".into(),
//!     data: Arc::new(data),
//!     scheme: Scheme::OneVsOne,
//!     groups: None,
//!     splits: Arc::new(splits),
//!     contender: Contender::fixed("pfcvm-lp/kernel=linear".parse()?),
//!     seed: 7,
//!     keep_predictions: true,
//! };
//! let outcomes = run(std::slice::from_ref(&study), None, &|_| ())?;
//! let summary = Summary::of(&study, &outcomes[0]);
//! assert_eq!((summary.folds, summary.failed.len()), (4, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
#[doc(hidden)]
pub mod checks;
mod compare;
mod contender;
mod cv;
mod error;
mod fold;
mod given;
mod identity;
mod journal;
mod measure;
mod price;
mod run;
mod selection;
mod summary;

pub use account::{EvaluationAccount, PriceAccount, RowsAccount, Subject, Timing};
pub use compare::{Comparison, Paired, Ranking, compare, paired};
pub use contender::{Choice, Contender};
pub use cv::{Cv, numbered_groups};
pub use error::Error;
pub use fold::{Fold, FoldScores, MachineFold, Outcome, Predictions};
pub use given::GivenSplits;
pub use identity::{Identity, data_digest, program_digest};
pub use journal::Journal;
pub use measure::Measure;
pub use pfcvm_eval::Estimate;
pub use price::{
    LearningCurve, Lengths, ListedFeature, NamedFeature, Outlook, Price, PricePoint, RowsPoint,
    list_of, listed, usual_sizes,
};
pub use run::{Outcomes, Progress, Repeated, Study, at_least_one_fold, run};
pub use selection::{Stability, by_frequency};
pub use summary::{Baseline, Evaluation, FailedFold, MachineSummary, Summary, mean_seconds};
