//! Fisher score.

use super::scatter::scatters;
use super::{FEATURES, GRID, Ranking, first_of};
use crate::Error;
use crate::prepared::Counted;
use crate::{Entry, Role};
use pfcvm::Dataset;

/// Ranks features by Fisher's score, largest first:
///
/// F = Σ_c n_c (μ_c − μ)² / Σ_c n_c σ_c²,
///
/// classes c of n_c samples with mean μ_c and variance σ_c² (Duda, Hart & Stork, *Pattern
/// Classification*, 2001; for two classes N − 2 times it is the F statistic of the analysis of
/// variance). Each feature is seen alone: two copies of a good one rank side by side. Units do
/// not matter. A weight of 2 counts like two copies of the sample. O(NM).
///
/// Use it as the first thing to try, and where features number in the millions.
///
/// ```
/// use pfcvm::{Dataset, Matrix};
/// let x = Matrix::from_fn(8, 2, |i, j| (i * (j + 3) % 5) as f64 + (4 * j * (i % 2)) as f64);
/// let data = Dataset::new(x, (0..8).map(|i| i % 2 == 1).collect())?;
/// assert_eq!(pfcvm_methods::filter::fisher(&data)?.features, [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fisher(data: &Dataset) -> Result<Ranking, Error> {
    let features = scatters(&Counted::new(data)?)?;
    let columns = Vec::from_iter(features.iter().map(|feature| feature.column));
    let scores = Vec::from_iter(features.iter().map(|feature| feature.scatter.ratio()));
    Ok(Ranking::descending(&columns, &scores))
}

pub(crate) static ENTRY: Entry = Entry {
    name: "fisher",
    about: "features by the distance of class means over the spread within, each alone",
    role: Role::Filter,
    settings: &[FEATURES],
    grid: GRID,
    make: |values| first_of(values, |data, _| fisher(data)),
};
