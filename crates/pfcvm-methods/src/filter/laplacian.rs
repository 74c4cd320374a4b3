//! Laplacian score.

use super::{FEATURES, GRID, Ranking, first_of};
use crate::Error::{self, NoNeighbours};
use crate::catalogue::Takes::{self, Whole, Word};
use crate::error::out_of_range;
use crate::linalg::squared_distances;
use crate::prepared::Prepared;
use crate::stop::{self, wanted};
use crate::{Entry, Role, Setting, settings};
use pfcvm::Dataset;

/// Rows of the matrix of distances that are held at a time.
const BLOCK: usize = 256;

/// How the graph of neighbours is made.
#[derive(Clone, Debug, PartialEq)]
pub struct LaplacianSettings {
    /// Neighbours of each sample (default 5).
    pub neighbours: usize,
    /// t of the weight exp(−d²/t) of an edge of length d; nothing (the default): the mean of d²
    /// over the edges.
    pub width: Option<f64>,
    /// Whether neighbours must be of the same class (default: no, classes are not looked at).
    pub supervised: bool,
    /// Whether features are shifted and scaled first (default: yes).
    pub standardise: bool,
}

impl Default for LaplacianSettings {
    fn default() -> Self {
        Self { neighbours: 5, width: None, supervised: false, standardise: true }
    }
}

/// Ranks features by the Laplacian score, smallest first (He, Cai & Niyogi 2005):
///
/// L = f̃ᵀ(D − S)f̃ / f̃ᵀDf̃, f̃ = f − (fᵀD1 / 1ᵀD1) 1,
///
/// f the values of the feature, S the weights exp(−d²/t) between samples of which one is among
/// the k nearest of the other, D = diag(S1). A small score: neighbours agree, and the feature
/// still varies. As in the paper the score does not look at the classes; with `supervised` only
/// samples of one class are neighbours, the paper's way where classes are known. The paper
/// leaves t open; a fixed t = 1 makes every weight vanish where features are many, hence the
/// default. An edge between samples of weights v and w counts vw.
///
/// O(N²M) for the distances and O(NkM) for the scores. Use it to drop features that are noise
/// over the samples, before classes are known.
pub fn laplacian(data: &Dataset, settings: &LaplacianSettings) -> Result<Ranking, Error> {
    if settings.neighbours == 0 {
        return Err(out_of_range("neighbours", 0, "at least 1"));
    }
    if let Some(width) = settings.width
        && !(width > 0.0 && width.is_finite())
    {
        return Err(out_of_range("width", width, "finite, above 0"));
    }
    let prepared = Prepared::new(data, settings.standardise)?;
    let edges = edges(&prepared, settings)?;
    let mut degree = vec![0.0; prepared.weights.len()];
    for &(i, j, weight) in &edges {
        degree[i] += weight;
        degree[j] += weight;
    }
    if degree.iter().all(|degree| *degree == 0.0) {
        let allowed = "wide enough for some edge to have a weight";
        return Err(out_of_range("width", settings.width.unwrap_or_default(), allowed));
    }
    let scores = prepared.x.columns().map(|column| {
        stop::check();
        score(column, &edges, &degree)
    });
    Ok(Ranking::ascending(prepared.scaler.columns(), &Vec::from_iter(scores)))
}

/// Pairs of neighbours with the weight between them.
fn edges(data: &Prepared, settings: &LaplacianSettings) -> Result<Vec<(usize, usize, f64)>, Error> {
    let rows = data.x.rows();
    let mut pairs = Vec::new();
    for start in wanted((0..rows).step_by(BLOCK)) {
        let end = (start + BLOCK).min(rows);
        let distances = squared_distances(&data.x.row_range(start, end), &data.x);
        for i in start..end {
            let may = |j: &usize| {
                *j != i && (!settings.supervised || data.positive[i] == data.positive[*j])
            };
            let mut others = Vec::from_iter(
                (0..rows).filter(may).map(|j| (distances.get(i - start, j), i.min(j), i.max(j))),
            );
            others.sort_by(|a, b| a.0.total_cmp(&b.0));
            others.truncate(settings.neighbours);
            pairs.extend(others);
        }
    }
    pairs.sort_by_key(|pair| (pair.1, pair.2));
    pairs.dedup_by_key(|pair| (pair.1, pair.2));
    if pairs.is_empty() {
        return Err(NoNeighbours);
    }
    let mean = pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64;
    // Copies only: every edge has length 0 and weight 1, whatever the width.
    let width = settings.width.unwrap_or(if mean > 0.0 { mean } else { 1.0 });
    let weight = |&(square, i, j): &(f64, usize, usize)| {
        (i, j, (-square / width).exp() * data.weights[i] * data.weights[j])
    };
    Ok(pairs.iter().map(weight).collect())
}

fn score(column: &[f64], edges: &[(usize, usize, f64)], degree: &[f64]) -> f64 {
    let total: f64 = degree.iter().sum();
    let mean = degree.iter().zip(column).map(|(d, value)| d * value).sum::<f64>() / total;
    let spread: f64 = degree.iter().zip(column).map(|(d, v)| d * (v - mean).powi(2)).sum();
    let jumps: f64 = edges.iter().map(|&(i, j, w)| w * (column[i] - column[j]).powi(2)).sum();
    // Rounding of the mean alone leaves a spread of about 1e-32: no variation where there are
    // edges, so nothing is known of the feature.
    if spread > 1e-24 * total { jumps / spread } else { f64::INFINITY }
}

pub(crate) static ENTRY: Entry = Entry {
    name: "laplacian",
    about: "features by how smooth they are over a graph of neighbours (He 2005)",
    role: Role::Filter,
    settings: &[
        FEATURES,
        Setting {
            key: "neighbours",
            default: "5",
            takes: &[Whole { least: 1 }],
            about: "neighbours of each sample",
        },
        Setting {
            key: "width",
            default: "auto",
            takes: &[Word("auto"), Takes::ABOVE_0],
            about: "t in the weight exp(-d²/t) of two neighbours; auto: the mean of d²",
        },
        Setting {
            key: "supervised",
            default: "no",
            takes: Takes::FLAG,
            about: "whether only samples of one class are neighbours: yes or no",
        },
        settings::STANDARDISE,
    ],
    grid: GRID,
    make: |values| {
        let width: String = values.get("width")?;
        let settings = LaplacianSettings {
            neighbours: values.count("neighbours")?,
            width: if width == "auto" { None } else { Some(values.number("width")?) },
            supervised: values.flag("supervised")?,
            standardise: values.flag("standardise")?,
        };
        first_of(values, move |data, _| laplacian(data, &settings))
    },
};
