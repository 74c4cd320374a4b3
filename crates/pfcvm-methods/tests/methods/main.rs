//! Every method of the crate, from outside.

mod common;
mod epcvm;
mod filters;
mod isotonic;
mod joint;
mod l1svm;
mod minimax;
mod nasty;
mod pcvm;
mod properties;
mod real;
mod rsfm;
mod rvm;
mod stored;
mod svm;
mod wsvm;
