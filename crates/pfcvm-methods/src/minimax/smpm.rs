//! Structural minimax probability machine.
//!
//! Gu, Sun & Sheng (2017) give each class several clusters with a mean and a covariance each and ask
//! of the plane aᵀx = b, for the largest κ there is,
//!
//! aᵀμₖ − b ≥ κ‖Σₖ^½a‖ for each cluster of the positive class, b − aᵀμₖ ≥ κ‖Σₖ^½a‖ for the negative,
//!
//! so that every cluster is decided rightly with a probability of at least κ²/(1 + κ²). With one
//! cluster a class it is [`mpm`](crate::minimax::mpm).
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
use super::machine::{Ground, Minimax, MpmSettings};
use super::moments::Moments;
use super::separation::Plane;
use super::{GRID, KERNEL, RIDGE};
use crate::catalogue::Made;
use crate::catalogue::Takes::{Whole, Word};
use crate::error::out_of_range;
use crate::probability::{folds, only_class};
use crate::stop::{self, wanted};
use crate::{Entry, Error, Role, Setting, settings};
use pfcvm::Dataset;

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmpmSettings {
    /// What it has in common with the machine of one cluster a class.
    pub common: MpmSettings,
    /// How many clusters a class has (default: chosen).
    pub clusters: Clusters,
}

/// Fits the machine.
pub fn fit(data: &Dataset, settings: &SmpmSettings) -> Result<Minimax, Error> {
    let SmpmSettings { common, clusters } = settings;
    // Refusals are those of the whole, not of a fold.
    let ground = Ground::new(data, common, MOST_COORDINATES)?;
    let count = match clusters {
        Clusters::Given(0) => return Err(out_of_range("clusters", 0, "at least 1")),
        Clusters::Given(count) => *count,
        Clusters::Chosen => choose(data, common)?,
    };
    let mut fitted = machine(&ground, common.seed, count)?;
    let decide = |train: &Dataset, test: &Dataset| {
        Ok(held_out(train, test, common, std::iter::once(count))?.remove(0))
    };
    fitted.calibration = common.probability.calibrate(data, common.seed, decide)?;
    Ok(fitted)
}

/// The machine with at most so many clusters a class.
fn machine(ground: &Ground, seed: u64, most: usize) -> Result<Minimax, Error> {
    let (t, weights) = (&ground.span.coordinates, &ground.prepared.weights);
    for count in (1..=most).rev() {
        if stop::asked() {
            return Err(Error::Stopped);
        }
        let moments = [false, true].map(|class| {
            let found = clusters(t, weights, &ground.rows_of(class), count, seed);
            Vec::from_iter(found.iter().map(|rows| Moments::new(t, weights, rows, ground.ridge)))
        });
        if let Some(plane) = Plane::between(&moments)? {
            return Ok(ground.machine(&plane, [moments[0].len(), moments[1].len()]));
        }
    }
    Err(Error::SameMeans)
}

/// Decisions of machines with each of some numbers of clusters on rows that were not learned from;
/// 0 where nothing could be learned.
fn held_out(
    train: &Dataset,
    test: &Dataset,
    settings: &MpmSettings,
    counts: impl Iterator<Item = usize>,
) -> Result<Vec<Vec<f64>>, Error> {
    let nothing = || vec![0.0; test.len()];
    let ground = match Ground::new(train, settings, MOST_COORDINATES) {
        Err(Error::Data(pfcvm::Error::NoVaryingFeature { .. })) => {
            return Ok(counts.map(|_| nothing()).collect());
        }
        ground => ground?,
    };
    let decisions = counts.map(|count| match machine(&ground, settings.seed, count) {
        Err(Error::SameMeans) => Ok(nothing()),
        fitted => fitted?.decide(test.x()),
    });
    decisions.collect()
}

/// The number of clusters with the fewest errors on held-out rows, the lowest of those alike.
fn choose(data: &Dataset, settings: &MpmSettings) -> Result<usize, Error> {
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
        let clusters = match clusters.as_str() {
            "auto" => Clusters::Chosen,
            _ => Clusters::Given(values.count("clusters")?),
        };
        Ok(Made::learner(SmpmSettings { common: MpmSettings::of(values)?, clusters }, fit))
    },
};
