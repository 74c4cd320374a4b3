//! One interface for everything that learns to tell two classes apart or to order features, and
//! the list of all there is.
//!
//! A method is asked for by a text, `NAME[/key=value…]`, or `FIRST+SECOND` for the second on the
//! features that the first selects:
//!
//! ```
//! use pfcvm_methods::Spec;
//! # let wave = |row: usize, col: usize| ((row * 7 + col * 3) % 11) as f64 + 4.0 * (row % 2) as f64;
//! # let x = pfcvm::Matrix::from_fn(40, 3, wave);
//! # let data = pfcvm::Dataset::new(x, (0..40).map(|row| row % 2 == 1).collect())?;
//! let spec: Spec = "pfcvm-lp/kernel=linear/false_positive_rate=0.01".parse()?;
//! let fitted = spec.build()?.fit(&data)?;
//! let prediction = fitted.predict(data.x())?;
//! assert_eq!(prediction.decision.len(), 40);
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```
//!
//! The methods themselves can be called by their own functions, too: [`relatives`] of PFCVM_LP,
//! [`margin`] and [`minimax`] classifiers, and feature [`filter`]s. Each module says what its method
//! minimises, where that comes from, what it costs and when to use it; what is a reconstruction is
//! called one. Every fit scales on its training rows, runs on one thread and gives the same bits for
//! the same data.
//!
//! To add a method: a file in one of these modules with its settings, its fit, its [`Fitted`] and its
//! [`Entry`], and the entry in the list in `catalogue`.

mod catalogue;
mod chain;
mod classes;
mod cone;
mod error;
pub mod filter;
mod grid;
mod linalg;
mod lp;
pub mod margin;
mod memory;
pub mod minimax;
mod panel;
mod prepared;
pub mod probability;
pub mod relatives;
mod rows;
mod settings;
mod spec;
mod stop;
mod stored;
mod unfolded;
mod values;

pub use catalogue::{Entry, Role, Setting, Takes, catalogue, find};
pub use classes::{ClassesPrediction, FittedClasses, fit_classes, of_machine};
pub use error::Error;
pub use grid::Grid;
pub use pfcvm::Stop;
pub use spec::Spec;
pub use stop::during;
pub use stored::Stored;
pub use values::Values;

use pfcvm::{Dataset, Matrix, Termination, multiclass};
use probability::Calibration;
use std::fmt::Debug;

/// Why a fit, a ranking or a prediction was refused: the method's own error.
pub type Refusal = Box<dyn std::error::Error + Send + Sync>;

/// Learns to tell two classes apart.
///
/// Scaling and every other look at the data is part of the fit. Threads are the caller's: a
/// learner computes on one.
pub trait Learner: Debug + Send + Sync {
    /// Learns from the data. The same data give the same bits. During [`during`] it ends with
    /// [`Error::Stopped`] soon after the flag goes up.
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal>;

    /// Learns more than two classes at once, a machine for each that shares a row of probabilities
    /// with the others, or as the method thinks best. Nothing: the method tells two classes apart.
    fn fit_together(&self, _data: &multiclass::Dataset) -> Option<Together> {
        None
    }
}

/// The machines of a method that learns all classes at once, with the scheme that they follow, or why
/// there are none.
pub type Together = Result<(multiclass::Scheme, Vec<Box<dyn Fitted>>), Refusal>;

/// What a learner has learned.
pub trait Fitted: Send + Sync {
    /// Predicts the rows of `x`, which has the columns of the training data.
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal>;

    /// Whether predictions hold probabilities.
    fn gives_probabilities(&self) -> bool {
        true
    }

    /// The features that decide, ascending; nothing: all do, by the nature of the method.
    fn selected_features(&self) -> Option<Vec<usize>> {
        None
    }

    /// Weights of the selected features, for methods that weigh them.
    fn feature_weights(&self) -> Option<Vec<f64>> {
        None
    }

    /// The training samples that the decision leans on, as rows of the training data, ascending, for
    /// methods that name them.
    fn selected_samples(&self) -> Option<Vec<usize>> {
        None
    }

    /// Numbers the selected samples anew: sample i becomes `rows[i]`.
    fn renumber_samples(&mut self, _rows: &[usize]) {}

    /// How the fit ended and after how many iterations, for methods that iterate.
    fn ending(&self) -> Option<(Termination, usize)> {
        None
    }

    /// All that prediction needs, to be written and read back.
    fn stored(&self) -> Stored;
}

/// How a [`Fitted`] predicts that decides and may have learned probabilities beside: to go into its
/// `impl`.
macro_rules! calibrated_predictions {
    () => {
        fn predict(&self, x: &pfcvm::Matrix) -> Result<$crate::Prediction, $crate::Refusal> {
            Ok($crate::Prediction::calibrated(self.decide(x)?, self.calibration()))
        }

        fn gives_probabilities(&self) -> bool {
            self.calibration().is_some()
        }
    };
}
pub(crate) use calibrated_predictions;

/// The places of samples after a renumbering, ascending.
pub(crate) fn ascending(samples: &[usize]) -> Option<Vec<usize>> {
    let mut samples = samples.to_vec();
    samples.sort_unstable();
    Some(samples)
}

/// Sample i becomes `rows[i]`.
pub(crate) fn renumber(samples: &mut [usize], rows: &[usize]) {
    samples.iter_mut().for_each(|sample| *sample = rows[*sample]);
}

/// What a method says about rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Above or at 0 for the positive class.
    pub decision: Vec<f64>,
    /// Of the positive class; nothing: the method gives none.
    pub probability: Option<Vec<f64>>,
    /// Posterior variance of the decision; nothing: the method gives none.
    pub variance: Option<Vec<f64>>,
}

impl Prediction {
    /// What a posterior says: decisions with their probabilities and variances.
    pub(crate) fn of_posterior(
        decision: Vec<f64>,
        probability: Vec<f64>,
        variance: Vec<f64>,
    ) -> Self {
        Self { decision, probability: Some(probability), variance: Some(variance) }
    }

    /// Decisions with their probabilities, if there is a way from the ones to the others.
    pub(crate) fn calibrated(decision: Vec<f64>, calibration: Option<&Calibration>) -> Self {
        let probability = calibration.map(|calibration| calibration.probabilities(&decision));
        Self { decision, probability, variance: None }
    }
}

/// Orders features by worth and says how many to take.
pub trait Selector: Debug + Send + Sync {
    /// The features to take, best first.
    fn select(&self, data: &Dataset) -> Result<Vec<usize>, Refusal>;
}
