//! The paper's picture of the divergence of one weight: against θ, and against β.

use crate::Finding;
use pfcvm::theory::truncated_divergence;
use pfcvm_report::charts::{Lines, Series};
use pfcvm_report::fixed;
use pfcvm_report::page::{Block, Figure, Section};
use pfcvm_report::studies::wide_figure;

/// The prior of the paper's picture.
const PRIOR: f64 = 0.5;
/// What β, or θ, is while the other runs.
const PRECISIONS: [f64; 4] = [0.5, 1.0, 2.0, 5.0];
const WEIGHTS: [f64; 4] = [0.1, 0.5, 1.0, 2.0];

/// Weights of the horizontal axis.
fn weights() -> impl Iterator<Item = f64> {
    (0..=80).map(|k| f64::from(k) * 0.05)
}

/// Precisions of the horizontal axis, from 0.1 to 10 by equal factors.
fn precisions() -> impl Iterator<Item = f64> {
    (0..=80).map(|k| 10f64.powf(f64::from(k) / 40.0 - 1.0))
}

pub(super) fn section() -> (Section, Vec<Finding>) {
    let against_weight = PRECISIONS.map(|beta| Series {
        name: format!("β = {beta}"),
        points: weights().map(|t| (t, truncated_divergence(t, beta, PRIOR))).collect(),
        ..Series::default()
    });
    let against_precision = WEIGHTS.map(|theta| Series {
        name: format!("θ = {theta}"),
        points: precisions().map(|b| (b, truncated_divergence(theta, b, PRIOR))).collect(),
        ..Series::default()
    });
    let blocks = vec![
        Block::Wide(figure("theta", "against the weight", &against_weight, "θ", false)),
        Block::Wide(figure("beta", "against the precision", &against_precision, "β", true)),
    ];
    let section = Section {
        id: "bound-divergence".into(),
        heading: "The divergence of one weight from its prior".into(),
        text: vec![format!(
            "KL(q‖p) for a posterior with mean θ and precision β and a prior with precision β₀ = \
             {PRIOR}, both truncated to weights that are not negative; the misprints of the paper's \
             formula are mended."
        )],
        blocks,
    };
    (section, findings(&against_weight, &against_precision))
}

fn figure(id: &str, what: &str, series: &[Series], axis: &str, logarithmic: bool) -> Figure {
    let lines = Lines { series, levels: &[], x_label: axis, y_label: "KL in nats", logarithmic };
    let heading = format!("Divergence {what}");
    wide_figure(
        &format!("bound-{id}"),
        heading.clone(),
        format!(
            "One line for each value of the other parameter; the prior's precision is {PRIOR}."
        ),
        |width, id| lines.draw(width, id, &heading, "Four lines."),
    )
}

/// The paper's two remarks on its picture.
fn findings(against_weight: &[Series], against_precision: &[Series]) -> Vec<Finding> {
    let lowest = |series: &Series| {
        let least = series.points.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        least.map_or(f64::NAN, |point| point.0)
    };
    let range = |series: &Series| {
        let values = series.points.iter().map(|point| point.1);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let places = against_weight.iter().map(lowest).fold(0.0, f64::max);
    let [by_weight, by_precision] = [against_weight, against_precision]
        .map(|all| all.iter().map(range).sum::<f64>() / all.len() as f64);
    vec![
        Finding::statement(
            "bound: where the divergence is least",
            "near θ = 0",
            format!("at θ = {} or below for every β", fixed(places, 2)),
            places <= 0.2,
        ),
        Finding::statement(
            "bound: what moves the divergence",
            "θ much, β little",
            format!(
                "by {} nats over θ from 0 to 4, by {} over β from 0.1 to 10, on average",
                fixed(by_weight, 1),
                fixed(by_precision, 1)
            ),
            by_precision < 0.5 * by_weight,
        ),
    ]
}
