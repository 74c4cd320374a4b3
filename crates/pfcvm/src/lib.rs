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
//!   stopped. A [`Stop`] among the settings ends any fit at once.
//! - [`Model::predict`] gives f, its variance from w and from θ, and the moderated probability
//!   σ(f / √(1 + πv/8)).
//! - [`Settings`] has two dials, `false_positive_rate` and `samples`; everything else is for study,
//!   in [`settings`].
//! - [`panel`] is for many more features than samples, [`multiclass`] for more than two classes.
//! - [`effects`] shows what the kept features do, and [`Model::explain`] what moved a row.
//! - [`theory`] says how far a model's posterior is from a prior, and what follows.
//! - [`data`], [`kernel`], [`posterior`] and [`algebra`] are the parts that other methods are built of.
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
//! assert_eq!(fit.model.selected_features(), [0, 1]);
//! let prediction = fit.model.predict(&x)?;
//! let right = prediction.positive().iter().zip(&inside).filter(|(a, b)| a == b).count();
//! assert!(right > 135);
//! # Ok::<(), pfcvm::Error>(())
//! ```

pub mod algebra;
mod another;
mod association;
mod basis;
pub mod benchmark;
pub mod broad;
pub mod certainty;
mod common;
mod conclusion;
pub mod data;
pub mod effects;
mod error;
mod evidence;
mod fit;
mod growth;
mod importance;
mod iteration;
mod judgement;
pub mod kernel;
mod matrix;
pub mod memory;
mod model;
pub mod multiclass;
mod names;
pub mod panel;
pub mod posterior;
mod projection;
mod pruning;
mod reach;
mod readmission;
mod run;
mod schedule;
mod screening;
mod seen;
pub mod settings;
mod shortening;
mod spans;
mod sparse;
mod stages;
mod state;
mod stop;
mod stored;
mod sums;
pub mod theory;
mod trace;
mod training;
mod truncated;

pub use broad::Broad;
pub use data::Dataset;
pub use error::Error;
pub use fit::{Fit, fit, fit_with};
pub use kernel::Kernel;
pub use matrix::Matrix;
pub use model::{LinearForm, Model, Prediction};
pub use reach::WITHIN_REACH;
pub use seen::Seen;
pub use settings::{ClassWeights, Goal, SamplePolicy, Settings};
pub use stop::Stop;
pub use trace::{Iteration, Termination, Trial};

#[cfg(test)]
mod tests;
