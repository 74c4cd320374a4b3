//! Sparse Bayesian classification that selects features and samples together.

mod basis;
pub mod benchmark;
mod candidates;
mod data;
mod error;
mod evidence;
mod fit;
mod kernel;
mod linalg;
mod matrix;
mod model;
mod panel;
mod posterior;
mod pruning;
mod readmission;
mod schedule;
mod screen;
mod settings;
mod special;
mod state;

pub use data::{Dataset, Scaler};
pub use error::Error;
pub use fit::{Fit, Iteration, Termination, fit, fit_with};
pub use kernel::Kernel;
pub use matrix::Matrix;
pub use model::{Model, Prediction};
pub use panel::{Panel, PanelPrediction, PanelRound, PanelSettings, fit_panel, fit_panel_with};
pub use posterior::Covariance;
pub use settings::{
    ClassWeights, Hyperprior, PrecisionRule, Pruning, Readmission, SamplePolicy, Settings, Stage,
    Start, Truncation,
};

#[cfg(test)]
mod tests;
