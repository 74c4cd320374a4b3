//! The sparse Bayesian classifiers that PFCVM_LP builds on or is compared with, on the same parts:
//! kernels, scaling, posterior algebra.
//!
//! | method | selects | inference | module |
//! |---|---|---|---|
//! | RVM, batch and fast | samples | Laplace, logistic | [`rvm`] |
//! | PCVM | samples | EM, probit | [`pcvm`] |
//! | EPCVM, batch and incremental | samples | Laplace, logistic | [`epcvm`] |
//! | PFCVM_EM | samples and features | EM, probit | [`pfcvm_em`] |
//! | JCFO | samples and features | EM, probit | [`jcfo`] |
//! | RSFM, IRSFM | samples and features | Laplace, logistic, one kernel per feature | [`rsfm`] |
//!
//! Each module states its model, its update equations with their source, what of it is a
//! reconstruction, what it costs and when to use it. Every fit runs on one thread and gives the
//! same bits for the same data and settings; every loop has a cap, and how a fit ended is data
//! ([`Fit::termination`]).
//!
//! ```
//! use pfcvm::{Dataset, Matrix};
//! use pfcvm_methods::relatives::rvm;
//!
//! let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840][k]).fract();
//! let x = Matrix::from_fn(80, 2, |i, k| 2.0 * spread(i, k) - 1.0);
//! let inside = (0..80).map(|i| x.get(i, 0).powi(2) + x.get(i, 1).powi(2) < 0.6).collect();
//! let fit = rvm::fit(&Dataset::new(x.clone(), inside)?, &rvm::Settings::default())?;
//! assert!(fit.model.selected_samples().len() < 20);
//! let prediction = fit.model.predict(&x)?;
//! assert_eq!(prediction.probability.unwrap().len(), 80);
//! # Ok::<(), pfcvm::Error>(())
//! ```

mod em;
mod engine;
pub mod epcvm;
mod features;
mod inputs;
pub mod jcfo;
mod machine;
pub mod pcvm;
pub mod pfcvm_em;
mod probit;
pub mod rsfm;
pub mod rvm;

pub use inputs::{Inputs, Width};
pub use machine::{Fit, Machine, Step};
pub use pfcvm::{Error, Termination};
