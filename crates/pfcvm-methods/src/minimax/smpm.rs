//! Structural minimax probability machine.
//!
//! Gu, Sun & Sheng (2017) give each class several clusters with a mean and a covariance each and ask
//! of the plane aᵀx = b, for the largest κ there is,
//!
//! aᵀμₖ − b ≥ κ‖Σₖ^½a‖ for each cluster of the positive class, b − aᵀμₖ ≥ κ‖Σₖ^½a‖ for the negative,
//!
//! so that every cluster is decided rightly with a probability of at least κ²/(1 + κ²). With one
//! cluster a class it is [`Mpm`](crate::minimax::Mpm).
//!
//! **A reconstruction** from the abstract idea, as the article's text was not at hand: clusters are
//! those of k-means in the span of the samples, the same number for both classes, given or chosen
//! by the error of a cross-validation over five folds (the article's choice of clusters is
//! another). For a fixed κ the largest s with ±(aᵀμₖ − b) − κ‖Σₖ^½a‖ ≥ s and ‖a‖ ≤ 1 (in the pooled
//! spread) is a second-order cone program. Instead of halving an interval of κ, each solution's own
//! least ratio ±(aᵀμₖ − b)/‖Σₖ^½a‖ becomes the next κ (Dinkelbach 1967; Crouzeix, Ferland & Schaible
//! 1986): κ rises to the maximum, in about six programs instead of thirty, until a bound from the
//! program's own barrier leaves no more than 1e-7 of κ to gain.
//!
//! Where a plane cannot part the means of the clusters, no κ above 0 exists; there the number of
//! clusters is lowered until one does.
//!
//! The programs work on at most 150 coordinates, those of the largest spread: with no more samples
//! or features than that nothing is left out. O(N²M + N³) for the coordinates and O(kr³) a step for k
//! clusters in r coordinates. Use it where a class is several clouds.

use super::clusters::clusters;
use super::moments::{Moments, ridge_of};
use super::mpm::bound;
use super::separation::Plane;
use super::span::{Direction, Span};
use super::{GRID, KERNEL, RIDGE};
use crate::catalogue::Made;
use crate::catalogue::Takes::{Whole, Word};
use crate::error::out_of_range;
use crate::margin::{self, MarginKernel};
use crate::prepared::Prepared;
use crate::probability::{Calibration, Probability};
use crate::probability::{folds, only_class};
use crate::stop::{self, wanted};
use crate::{Entry, Error, Fitted, Role, Setting, Stored, settings};
use pfcvm::data::Scaler;
use pfcvm::{Dataset, Matrix};
use serde::{Deserialize, Serialize};

/// Coordinates that the programs work on.
const MOST_COORDINATES: usize = 150;
/// Numbers of clusters that are tried where none is given.
const TRIED: usize = 4;

/// How many clusters a class has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clusters {
    /// One to four, by the error of a cross-validation within the training rows.
    #[default]
    Chosen,
    /// This many, or as many different samples as there are.
    Given(usize),
}

/// How the machine is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct SmpmSettings {
    /// What samples are compared by (default: linear).
    pub kernel: MarginKernel,
    /// How many clusters a class has (default: chosen).
    pub clusters: Clusters,
    /// What is added to every variance, in parts of the mean variance (default 0.01).
    pub ridge: f64,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
    /// Whether and how probabilities are learned too (default: Platt's, five more fits).
    pub probability: Probability,
    /// Seed of the clusters and of the folds.
    pub seed: u64,
}

impl Default for SmpmSettings {
    fn default() -> Self {
        Self {
            kernel: MarginKernel::Linear,
            clusters: Clusters::Chosen,
            ridge: 0.01,
            standardise: true,
            probability: Probability::default(),
            seed: 0,
        }
    }
}

/// A fitted structural minimax probability machine ([its model](crate::minimax::smpm)).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Smpm {
    scaler: Scaler,
    direction: Direction,
    offset: f64,
    kappa: f64,
    clusters: [usize; 2],
    calibration: Option<Calibration>,
}

impl Smpm {
    /// Fits the machine.
    pub fn fit(data: &Dataset, settings: &SmpmSettings) -> Result<Self, Error> {
        if !(settings.ridge >= 0.0 && settings.ridge.is_finite()) {
            return Err(out_of_range("ridge", settings.ridge, "finite, not below 0"));
        }
        // Refusals are those of the whole, not of a fold.
        Prepared::new(data, settings.standardise)?;
        let count = match settings.clusters {
            Clusters::Given(0) => return Err(out_of_range("clusters", 0, "at least 1")),
            Clusters::Given(count) => count,
            Clusters::Chosen => choose(data, settings)?,
        };
        let mut fitted = Ground::new(data, settings)?.machine(settings, count)?;
        let decide = |train: &Dataset, test: &Dataset| {
            Ok(held_out(train, test, settings, std::iter::once(count))?.remove(0))
        };
        fitted.calibration = settings.probability.calibrate(data, settings.seed, decide)?;
        Ok(fitted)
    }

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
        bound(self.kappa)
    }

    /// Clusters of the negative and of the positive class.
    pub fn clusters(&self) -> [usize; 2] {
        self.clusters
    }
}

/// What machines with any number of clusters have in common.
struct Ground {
    prepared: Prepared,
    span: Span,
    ridge: f64,
}

impl Ground {
    fn new(data: &Dataset, settings: &SmpmSettings) -> Result<Self, Error> {
        let prepared = Prepared::new(data, settings.standardise)?;
        let span = Span::new(&prepared.x, settings.kernel, MOST_COORDINATES)?;
        let ridge = ridge_of(&span.coordinates, &prepared.weights, settings.ridge);
        Ok(Self { prepared, span, ridge })
    }

    /// The machine with at most so many clusters a class.
    fn machine(&self, settings: &SmpmSettings, most: usize) -> Result<Smpm, Error> {
        let Self { prepared, span, ridge } = self;
        let (t, weights) = (&span.coordinates, &prepared.weights);
        for count in (1..=most).rev() {
            if stop::asked() {
                return Err(Error::Stopped);
            }
            let moments = [false, true].map(|class| {
                let rows = (0..t.rows()).filter(|&row| prepared.positive[row] == class);
                let rows = Vec::from_iter(rows);
                let found = clusters(t, weights, &rows, count, settings.seed);
                Vec::from_iter(found.iter().map(|rows| Moments::new(t, weights, rows, *ridge)))
            });
            if let Some(plane) = Plane::between(&moments)? {
                return Ok(Smpm {
                    direction: span.direction(&plane.normal),
                    scaler: prepared.scaler.clone(),
                    offset: plane.offset,
                    kappa: plane.kappa,
                    clusters: [moments[0].len(), moments[1].len()],
                    calibration: None,
                });
            }
        }
        Err(Error::SameMeans)
    }
}

/// Decisions of machines with each of some numbers of clusters on rows that were not learned from;
/// 0 where nothing could be learned.
fn held_out(
    train: &Dataset,
    test: &Dataset,
    settings: &SmpmSettings,
    counts: impl Iterator<Item = usize>,
) -> Result<Vec<Vec<f64>>, Error> {
    let nothing = || vec![0.0; test.len()];
    let ground = match Ground::new(train, settings) {
        Err(Error::Data(pfcvm::Error::NoVaryingFeature { .. })) => {
            return Ok(counts.map(|_| nothing()).collect());
        }
        ground => ground?,
    };
    let decisions = counts.map(|count| match ground.machine(settings, count) {
        Err(Error::SameMeans) => Ok(nothing()),
        fitted => fitted?.decide(test.x()),
    });
    decisions.collect()
}

/// The number of clusters with the fewest errors on held-out rows, the lowest of those alike.
fn choose(data: &Dataset, settings: &SmpmSettings) -> Result<usize, Error> {
    let rows = Vec::from_iter((0..data.len()).filter(|&row| data.sample_weights()[row] > 0.0));
    let data = data.select(&rows)?;
    let fold = folds(data.positive(), settings.seed);
    let last = fold.iter().copied().max().unwrap_or(0);
    let mut errors = [0.0; TRIED];
    for held in wanted(0..=last) {
        let (tested, trained): (Vec<usize>, Vec<usize>) =
            (0..data.len()).partition(|&row| fold[row] == held);
        if only_class(trained.iter().map(|&row| data.positive()[row])).is_some() {
            continue;
        }
        let (train, test) = (data.select(&trained)?, data.select(&tested)?);
        let decided = held_out(&train, &test, settings, 1..=TRIED)?;
        for (errors, decisions) in errors.iter_mut().zip(decided) {
            let pairs = decisions.iter().zip(test.positive()).zip(test.sample_weights());
            let wrong = pairs.filter(|((f, positive), _)| (**f >= 0.0) != **positive);
            *errors += wrong.map(|(_, weight)| *weight).sum::<f64>();
        }
    }
    let fewer = |best: usize, at: usize| if errors[at] < errors[best] { at } else { best };
    Ok(1 + (1..TRIED).fold(0, fewer))
}

pub(crate) static ENTRY: Entry = Entry {
    name: "smpm",
    about: "as mpm, with several clusters in each class (a reconstruction of Gu 2017)",
    role: Role::Classifier { selects_features: false, selects_samples: false },
    settings: &[
        KERNEL,
        settings::GAMMA_BY_SCALE,
        Setting {
            key: "clusters",
            default: "auto",
            takes: &[Word("auto"), Whole { least: 1 }],
            about: "clusters of each class; auto: one to four, by cross-validation",
        },
        RIDGE,
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::PROBABILITY,
        Setting { about: "of the clusters and the folds", ..settings::SEED },
    ],
    grid: GRID,
    make: |values| {
        let clusters: String = values.get("clusters")?;
        let settings = SmpmSettings {
            kernel: margin::kernel(values)?,
            clusters: match clusters.as_str() {
                "auto" => Clusters::Chosen,
                _ => Clusters::Given(values.count("clusters")?),
            },
            ridge: values.number("ridge")?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        };
        Ok(Made::learner(settings, Smpm::fit))
    },
};

impl Fitted for Smpm {
    crate::calibrated_predictions!();

    fn stored(&self) -> Stored {
        Stored::Smpm(Box::new(self.clone()))
    }
}
