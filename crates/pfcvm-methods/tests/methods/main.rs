//! Every method of the crate, from outside.

mod classes;
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
mod rows;
mod rsfm;
mod rvm;
mod stop;
mod stored;
mod svm;
mod tables;
mod wsvm;
