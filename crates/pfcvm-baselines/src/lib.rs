//! Margin and minimax classifiers and feature filters to compare with.
//!
//! Every fit scales on its training rows, runs on one thread and gives the same bits for the same
//! data. Samples of weight 0 are left out.
//!
//! Each module says what its method minimises, where that comes from, what it costs and when to use
//! it; what is a reconstruction is called one.
//!
//! - [`Svm`]: the support vector machine.
//! - [`L1Svm`]: a linear one with the ℓ₁ norm, on few features.
//! - [`Wsvm`]: one that learns a weight for each feature in the kernel.
//! - [`Mpm`], [`Smpm`]: minimax probability machines, with a bound on how often they are right.
//! - Filters order features: [`fisher`], [`laplacian`], [`mrmr`], [`trace_ratio`], [`fsnm`].

mod cone;
mod error;
pub mod filter;
mod kernel;
pub mod l1svm;
mod linalg;
pub mod minimax;
mod prepared;
mod probability;
mod scaler;
mod sums;
pub mod svm;
pub mod wsvm;

pub use error::Error;
pub use filter::{
    FsnmRanking, FsnmSettings, LaplacianSettings, MrmrScheme, Ranking, TraceRatioRanking, fisher,
    fsnm, laplacian, mrmr, trace_ratio,
};
pub use kernel::{Gamma, MarginKernel};
pub use l1svm::{L1Svm, L1SvmSettings};
pub use minimax::{Clusters, Mpm, MpmSettings, Smpm, SmpmSettings};
pub use probability::{Calibration, Isotonic, Platt, Probability};
pub use scaler::Scaler;
pub use svm::{Svm, SvmSettings};
pub use wsvm::{Wsvm, WsvmSettings};
