//! Comparisons and stability, computed where the program computes them.

use crate::refusal::refused;
use pfcvm_eval::{
    Better, PostHoc, critical_difference, estimate, friedman, indistinct_groups, mean_jaccard,
    selection_frequencies, selection_stability, shortest,
};
use pyo3::prelude::*;
use serde_json::json;

/// Average ranks of methods (columns) over data sets (rows), Friedman's test, the critical
/// difference and the groups that do not differ, as JSON.
#[pyfunction]
#[pyo3(signature = (scores, higher_is_better, alpha, against_one))]
pub fn ranking(
    scores: Vec<Vec<f64>>,
    higher_is_better: bool,
    alpha: f64,
    against_one: bool,
) -> PyResult<String> {
    let better = if higher_is_better { Better::Higher } else { Better::Lower };
    let post_hoc = if against_one { PostHoc::BonferroniDunn } else { PostHoc::Nemenyi };
    let found = friedman(&scores, better).map_err(refused)?;
    let ranks = &found.average_ranks;
    let difference =
        critical_difference(post_hoc, ranks.len(), scores.len(), alpha).map_err(refused)?;
    let groups = indistinct_groups(ranks, difference).map_err(refused)?;
    Ok(json!({
        "average_ranks": ranks,
        "chi_square": found.chi_square,
        "p_value": found.p_value,
        "iman_davenport_p_value": found.iman_davenport.p_value,
        "critical_difference": difference,
        "groups": groups,
    })
    .to_string())
}

/// Of losses and errors of the same rows under lists of several lengths, the shortest first, learned from
/// so many rows: means with their errors, which length is best and which is suggested, as JSON.
#[pyfunction]
#[pyo3(signature = (losses, wrong, groups, trained))]
pub fn price(
    losses: Vec<Vec<f64>>,
    wrong: Vec<Vec<f64>>,
    groups: Option<Vec<usize>>,
    trained: f64,
) -> PyResult<String> {
    let groups = groups.as_deref();
    let found = shortest(&losses, groups).ok_or_else(|| refused("no row was tested"))?;
    let points = losses.iter().zip(&wrong).zip(&found.differences);
    let points = points.map(|((loss, wrong), difference)| {
        json!({
            "log_loss": estimate(loss, groups).for_other_rows(loss.len() as f64, trained),
            "error_rate": estimate(wrong, groups).for_other_rows(wrong.len() as f64, trained),
            "difference": difference,
        })
    });
    Ok(json!({
        "points": Vec::from_iter(points),
        "best": found.best,
        "suggested": found.suggested,
    })
    .to_string())
}

/// The lengths to try below the number of features that a fit keeps.
#[pyfunction]
#[pyo3(signature = (kept))]
pub fn price_lengths(kept: usize) -> Vec<usize> {
    pfcvm_eval::price_lengths(kept)
}

/// How alike subsets of so many features are, as JSON.
#[pyfunction]
#[pyo3(signature = (subsets, features, confidence))]
pub fn stability(subsets: Vec<Vec<usize>>, features: usize, confidence: f64) -> PyResult<String> {
    let found = selection_stability(&subsets, features, confidence).map_err(refused)?;
    Ok(json!({
        "stability": found.stability,
        "standard_error": found.standard_error,
        "interval": found.interval,
        "jaccard": mean_jaccard(&subsets),
        "frequencies": selection_frequencies(&subsets, features),
    })
    .to_string())
}
