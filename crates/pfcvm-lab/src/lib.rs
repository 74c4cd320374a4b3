//! The measurements behind pfcvm's documentation.
//!
//! An [`experiment::Experiment`] (which rows of which file train and test) or a generator gives a
//! study, which `pfcvm-study` runs and sums up; `line` makes of that the one line that goes into
//! the docs.

pub mod bench;
pub mod curve;
pub mod experiment;
pub mod generated;
pub mod line;
pub mod methods;
pub mod npy;
pub mod rate;
