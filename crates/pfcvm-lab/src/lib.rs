//! The measurements behind pfcvm's documentation.
//!
//! Data flow: an [`experiment::Experiment`] (which rows train and test) or a generator gives pairs
//! of data sets; a [`method::Method`] is fitted on the first and scored on the second, many pairs
//! side by side ([`folds`]); [`summary::Summary`] is the one line that goes into the docs.

pub mod bench;
pub mod curve;
pub mod experiment;
pub mod folds;
pub mod generated;
pub mod method;
pub mod npy;
pub mod rate;
pub mod summary;
