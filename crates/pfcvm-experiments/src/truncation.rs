//! Section 3.1: the indicator of positive numbers, and σ(λx) in its place.

use crate::waveform::{Waves, is_noise};
use crate::{Bench, Chapter, Error, Experiment, Finding, Setup};
use pfcvm_report::charts::{Lines, Series};
use pfcvm_report::fixed;
use pfcvm_report::page::{Block, Column, Section, Table};
use pfcvm_report::studies::{or_dash, plain, share, wide_figure};
use pfcvm_study::{Contender, Summary};
use serde_json::json;

/// Steepness of the sigmoids that are tried.
const LAMBDAS: [f64; 5] = [1.0, 2.0, PAPERS, 10.0, 50.0];
/// That of the paper.
const PAPERS: f64 = 5.0;

pub(crate) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Chapter, Error> {
    let waves = Waves::load(setup)?;
    let splits = if setup.quick { 5 } else { 30 };
    let mut specs = vec!["pfcvm-lp/certainty=off".to_string()];
    specs.extend(
        LAMBDAS.map(|lambda| format!("pfcvm-lp/algorithm=paper/truncation=sigmoid:{lambda}")),
    );
    specs.push("pfcvm-lp/algorithm=paper/truncation=exact".into());
    let contenders: Vec<Contender> = specs
        .iter()
        .map(|text| Ok(Contender::fixed(text.parse()?)))
        .collect::<Result<_, Error>>()?;
    let studies = waves.studies(setup, &contenders, splits)?;
    let outcomes = bench.run(Experiment::Truncation, "splits", &studies)?;
    let summaries: Vec<Summary> =
        studies.iter().zip(&outcomes).map(|(study, all)| Summary::of(study, all)).collect();
    let lead = format!(
        "PFCVM_LP on {}, {splits} splits (seed {}) with 200 rows of each class to train: first as it \
         is here, with the exact constraint; then the paper's algorithm to the letter, with sigmoids \
         in the place of the constraint (the paper's is σ(5x)), and at the end with the constraint.",
        waves.origin, setup.seed,
    );
    Ok(Chapter {
        lead,
        sections: vec![functions(), selection(&summaries)],
        findings: findings(&summaries),
        results: json!({ "data": waves.origin, "splits": splits, "methods": summaries }),
    })
}

/// Mean number of noise features selected.
fn noise(summary: &Summary) -> Option<f64> {
    let shares = summary.selection_frequencies.as_ref()?;
    Some((0..shares.len()).filter(|&at| is_noise(at)).map(|at| shares[at]).sum())
}

/// The paper's Figure 1.
fn functions() -> Section {
    let grid: Vec<f64> = (-60..=60).map(|step| f64::from(step) / 20.0).collect();
    let sigmoid = |lambda: f64| Series {
        name: format!("σ({lambda}x)"),
        points: grid.iter().map(|&x| (x, 1.0 / (1.0 + (-lambda * x).exp()))).collect(),
        ..Series::default()
    };
    let indicator = Series {
        name: "x ≥ 0".into(),
        points: vec![(-3.0, 0.0), (0.0, 0.0), (0.0, 1.0), (3.0, 1.0)],
        ..Series::default()
    };
    let mut series = vec![indicator];
    series.extend([1.0, 3.0, 5.0].map(sigmoid));
    let lines =
        Lines { series: &series, levels: &[], x_label: "x", y_label: "value", logarithmic: false };
    let heading = "The indicator and σ(λx)";
    let figure = wide_figure(
        "truncation-functions",
        heading,
        "As λ grows the sigmoid nears the step. Its logarithm still pushes small weights up: by λ/2 \
         at 0, so a steeper sigmoid pushes harder, over a shorter way.",
        |width, id| lines.draw(width, id, heading, "A step at 0 and three sigmoids."),
    );
    Section {
        id: "truncation-functions".into(),
        heading: "Two ways to say that weights are not negative".into(),
        text: Vec::new(),
        blocks: vec![Block::Wide(figure)],
    }
}

fn selection(summaries: &[Summary]) -> Section {
    let row = |summary: &Summary| {
        vec![
            summary.method.clone().into(),
            or_dash(&summary.accuracy, share).into(),
            or_dash(&summary.log_loss, |m| fixed(m.mean, 3)).into(),
            or_dash(&summary.features, |m| plain(m, 1)).into(),
            or_dash(&noise(summary), |n| fixed(*n, 2)).into(),
            or_dash(&summary.samples, |m| plain(m, 1)).into(),
            or_dash(&summary.stability, |s| fixed(s.jaccard, 3)).into(),
            summary.failed.len().to_string().into(),
        ]
    };
    let table = Table {
        caption: "What the truncation does to the selection".into(),
        columns: Column::numbers(
            "method",
            &["accuracy", "log loss", "features", "of them noise", "samples", "Jaccard", "failed"],
        ),
        rows: summaries.iter().map(row).collect(),
        remark: None,
    };
    Section {
        id: "truncation-selection".into(),
        heading: "What it does to the selection".into(),
        text: Vec::new(),
        blocks: vec![Block::Table(table)],
    }
}

fn findings(summaries: &[Summary]) -> Vec<Finding> {
    // In the order in which they were asked for: as it is here, then the sigmoids.
    let at = LAMBDAS.iter().position(|lambda| *lambda == PAPERS);
    let (exact, sigmoid) = (summaries.first(), at.and_then(|at| summaries.get(1 + at)));
    let accuracy = |summary: Option<&Summary>| summary?.accuracy.map(|m| m.mean);
    let features = |summary: Option<&Summary>| summary?.features.map(|m| m.mean);
    match (accuracy(exact), accuracy(sigmoid), features(exact), features(sigmoid)) {
        (Some(exact), Some(sigmoid), Some(few), Some(many)) => vec![Finding {
            within: "0.5 points, 1 feature".into(),
            ..Finding::statement(
                "truncation: σ(5x) in the place of the indicator",
                "taken as equal",
                format!(
                    "{} points of accuracy, {} features apart",
                    fixed(100.0 * (exact - sigmoid).abs(), 2),
                    fixed((few - many).abs(), 1)
                ),
                (exact - sigmoid).abs() <= 0.005 && (few - many).abs() <= 1.0,
            )
        }],
        _ => vec![],
    }
}
