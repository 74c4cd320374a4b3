//! Minimax probability machines: the least probability of a wrong decision over all distributions
//! that share the classes' means and covariances.
//!
//! For a hyperplane aᵀx = b and a class of mean μ and covariance Σ, aᵀμ − b ≥ κ‖Σ^½a‖ holds just if
//! every distribution with these moments lies on the right side with a probability of at least
//! α = κ²/(1 + κ²) (Marshall & Olkin 1960). [`mpm`] makes κ largest for one mean and covariance a
//! class, [`smpm`] for several.
//!
//! Both work in coordinates of the span of the samples, so that many features and kernels cost what
//! samples do.

mod barrier;
mod clusters;
mod machine;
mod moments;
pub mod mpm;
mod separation;
pub mod smpm;
mod span;

pub use machine::{Minimax, MpmSettings};
pub use smpm::{Clusters, SmpmSettings};

use crate::Setting;
use crate::catalogue::Takes::Number;
use crate::margin;

const KERNEL: Setting = Setting { default: "linear", ..margin::KERNEL };

const RIDGE: Setting = Setting {
    key: "ridge",
    default: "0.01",
    takes: &[Number { from: 0.0, to: f64::INFINITY, ends: true }],
    about: "added to every variance, in parts of the mean variance, 0 or above",
};

const GRID: &[(&str, &[&str])] = &[("ridge", &["0.001", "0.01", "0.1", "1"])];
