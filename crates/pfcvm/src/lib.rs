//! Sparse Bayesian classification that selects features and samples together.
//!
//! The decision function is f(x) = w₀ + Σⱼ wⱼ yⱼ k_θ(x, xⱼ), with a weight wⱼ ≥ 0 for each sample and
//! a weight θₖ ≥ 0 for each feature inside the kernel, and p(positive | x) = σ(f(x)). Each weight has
//! a truncated Gaussian prior whose precision is learned from the Laplace evidence
//!
//! log p(t | α, β) ≈ ℓ(f) + Σ over w and θ of [log p(û) + ½ log|A| − ½ log|H|], H = JᵀCJ + diag(a),
//!
//! and weights that the data do not determine are dropped. What is left are the samples and features
//! that matter, with their uncertainty.
//!
//! - [`fit`] learns a [`Model`] from a [`Dataset`]; [`fit_with`] shows every iteration and can be
//!   stopped.
//! - [`Model::predict`] gives f, its variance from w and from θ, and the moderated probability
//!   σ(f / √(1 + πv/8)).
//! - [`fit_panel`] is for many more features than samples.
//! - [`fit_multiclass`] is for more than two classes.
//! - [`Settings`] has two dials, `false_positive_rate` and `samples`; everything else is for study.
//!
//! ```
//! use pfcvm::{Dataset, Kernel, Matrix, Settings, fit};
//!
//! // Inside or outside a circle in the first two features; the third has no part in it.
//! let spread = |i: usize, k: usize| (i as f64 * [0.754877, 0.569840, 0.414214][k]).fract();
//! let x = Matrix::from_fn(150, 3, |i, k| 2.0 * spread(i, k) - 1.0);
//! let inside: Vec<bool> =
//!     (0..150).map(|i| x.get(i, 0).powi(2) + x.get(i, 1).powi(2) < 0.6).collect();
//! let fit = fit(&Dataset::new(x.clone(), inside.clone())?, &Settings::new(Kernel::Rbf))?;
//!
//! assert_eq!(fit.model.feature_indices(), [0, 1]);
//! let prediction = fit.model.predict(&x)?;
//! let right = prediction.positive().iter().zip(&inside).filter(|(a, b)| a == b).count();
//! assert!(right > 135);
//! # Ok::<(), pfcvm::Error>(())
//! ```

mod basis;
pub mod benchmark;
mod candidates;
mod data;
mod error;
mod evidence;
mod exp;
mod fit;
mod importance;
mod kernel;
mod linalg;
mod matrix;
mod model;
pub mod multiclass;
mod names;
mod normal;
mod panel;
#[doc(hidden)]
pub mod parts;
mod posterior;
mod pruning;
mod readmission;
mod schedule;
mod screen;
mod settings;
mod special;
mod state;
mod stored;
mod theory;

pub use data::{Dataset, Scaler};
pub use error::Error;
pub use fit::{Fit, Iteration, Termination, fit, fit_with};
pub use kernel::Kernel;
pub use matrix::Matrix;
pub use model::{Model, Prediction};
// Former names of what is in the module.
pub use multiclass::{
    Answer as Decided, Dataset as MulticlassDataset, Machine, Machines as Multiclass,
    Prediction as MulticlassPrediction, Refusal, Scheme, Share as Kept, Sparse as Keeps, Task,
    fit as fit_multiclass, fit_panel as fit_multiclass_panel,
    fit_panel_with as fit_multiclass_panel_with, fit_with as fit_multiclass_with,
    shares as overall,
};
pub use panel::{Panel, PanelPrediction, PanelRound, PanelSettings, fit_panel, fit_panel_with};
pub use posterior::Covariance;
pub use settings::{
    ClassWeights, Hyperprior, PrecisionRule, Pruning, Readmission, SamplePolicy, Settings, Stage,
    Start, Truncation,
};
pub use theory::{
    Bound, BoundSettings, Divergence, PriorPrecisions, VoteSettings, least_divergence,
    truncated_divergence,
};

#[cfg(test)]
mod tests;
