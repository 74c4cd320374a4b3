//! What both machines begin and end with.

use super::moments::ridge_of;
use super::separation::Plane;
use super::span::{Direction, Span};
use crate::error::out_of_range;
use crate::margin::{self, MarginKernel};
use crate::prepared::Prepared;
use crate::probability::{Calibration, Probability};
use crate::{Error, Fitted, Stored, Values};
use pfcvm::data::Scaler;
use pfcvm::{Dataset, Matrix};
use serde::{Deserialize, Serialize};

/// How a minimax probability machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct MpmSettings {
    /// What samples are compared by (default: linear).
    pub kernel: MarginKernel,
    /// What is added to every variance, in parts of the mean variance (default 0.01).
    pub ridge: f64,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
    /// Whether and how probabilities are learned too (default: Platt's, five more fits).
    pub probability: Probability,
    /// Seed of the folds that probabilities come from, and of clusters.
    pub seed: u64,
}

impl Default for MpmSettings {
    fn default() -> Self {
        Self {
            kernel: MarginKernel::Linear,
            ridge: 0.01,
            standardise: true,
            probability: Probability::default(),
            seed: 0,
        }
    }
}

impl MpmSettings {
    /// As the settings of a method of the catalogue say.
    pub(super) fn of(values: &Values) -> Result<Self, Error> {
        Ok(Self {
            kernel: margin::kernel(values)?,
            ridge: values.number("ridge")?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        })
    }
}

/// Samples in coordinates of their span.
pub(super) struct Ground {
    pub prepared: Prepared,
    pub span: Span,
    /// Added to every variance.
    pub ridge: f64,
}

impl Ground {
    /// In at most `most` coordinates.
    pub fn new(data: &Dataset, settings: &MpmSettings, most: usize) -> Result<Self, Error> {
        if !(settings.ridge >= 0.0 && settings.ridge.is_finite()) {
            return Err(out_of_range("ridge", settings.ridge, "finite, not below 0"));
        }
        let prepared = Prepared::new(data, settings.standardise)?;
        let span = Span::new(&prepared.x, settings.kernel, most)?;
        let ridge = ridge_of(&span.coordinates, &prepared.weights, settings.ridge);
        Ok(Self { prepared, span, ridge })
    }

    /// The samples of a class.
    pub fn rows_of(&self, class: bool) -> Vec<usize> {
        let positive = &self.prepared.positive;
        (0..positive.len()).filter(|&row| positive[row] == class).collect()
    }

    /// The machine that a plane in these coordinates stands for.
    pub fn machine(&self, plane: &Plane, clusters: [usize; 2]) -> Minimax {
        Minimax {
            direction: self.span.direction(&plane.normal),
            scaler: self.prepared.scaler.clone(),
            offset: plane.offset,
            kappa: plane.kappa,
            clusters,
            calibration: None,
        }
    }
}

/// A fitted machine, of [one cloud a class](crate::minimax::mpm) or of
/// [several](crate::minimax::smpm).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Minimax {
    scaler: Scaler,
    direction: Direction,
    offset: f64,
    kappa: f64,
    clusters: [usize; 2],
    pub(super) calibration: Option<Calibration>,
}

impl Minimax {
    /// f = aᵀφ(x) − b for each row: above or at 0 for the positive class.
    pub fn decide(&self, x: &Matrix) -> Result<Vec<f64>, Error> {
        self.direction.decisions(&self.scaler, x, self.offset)
    }

    /// How decisions become probabilities, if that was asked for.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// κ: the distance of the nearest mean from the plane, in deviations of its cluster.
    pub fn kappa(&self) -> f64 {
        self.kappa
    }

    /// α = κ²/(1 + κ²): each cluster is decided rightly at least this often, whatever its
    /// distribution, if its moments are those of the training rows.
    pub fn bound(&self) -> f64 {
        // As 1 / (1 + κ⁻²), which no κ makes infinite over infinite.
        1.0 / (1.0 + (1.0 / self.kappa).powi(2))
    }

    /// Clusters of the negative and of the positive class.
    pub fn clusters(&self) -> [usize; 2] {
        self.clusters
    }
}

impl Fitted for Minimax {
    crate::calibrated_predictions!();

    fn stored(&self) -> Stored {
        Stored::Minimax(Box::new(self.clone()))
    }
}
