//! The bound while a fit thins out.

use super::{Part, waves, wrong};
use crate::setup::unjudged;
use crate::{Error, Setup};
use pfcvm::theory::{Bound, BoundSettings, VoteSettings};
use pfcvm::{Dataset, Kernel, fit_with};
use pfcvm_report::charts::{Lines, Series};
use pfcvm_report::page::{Block, Column, Section, Table};
use pfcvm_report::studies::wide_figure;
use pfcvm_report::{fixed, percent};
use serde_json::json;
use std::ops::ControlFlow;

/// Iterations that are looked at, and the end.
const LOOKS: [usize; 10] = [1, 2, 3, 5, 8, 12, 16, 20, 30, usize::MAX];

/// The model after some iterations.
struct Look {
    iteration: usize,
    features: usize,
    samples: usize,
    bound: Bound,
    wrong: f64,
}

pub(super) fn run(setup: &Setup) -> Result<Part, Error> {
    let (rows, draws) = if setup.quick { (200, 100) } else { (1000, 500) };
    let train = waves(rows, setup.seed)?;
    let test = waves(4000, setup.seed + 1)?;
    let mut looks: Vec<Look> = Vec::new();
    for most in LOOKS {
        let look = look(&train, &test, most, draws)?;
        if looks.last().is_none_or(|last| last.iteration < look.iteration) {
            looks.push(look);
        }
    }
    let results = looks.iter().map(|look| {
        json!({ "iteration": look.iteration, "features": look.features, "samples": look.samples,
                "bound": look.bound, "total": look.bound.total(), "test_error": look.wrong })
    });
    Ok(Part {
        sections: vec![section(rows, &looks)],
        results: json!(Vec::from_iter(results)),
        ..Part::default()
    })
}

/// A fit that is stopped after so many iterations.
fn look(train: &Dataset, test: &Dataset, most: usize, draws: usize) -> Result<Look, Error> {
    let mut observer = |step: &pfcvm::Iteration| match step.number >= most {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let fit = fit_with(train, &unjudged(Kernel::Rbf), &mut observer)?;
    let votes = VoteSettings { draws, independent: true, ..VoteSettings::default() };
    let settings = BoundSettings { votes, ..BoundSettings::default() };
    Ok(Look {
        iteration: fit.trace.len(),
        features: fit.model.feature_weights().len(),
        samples: fit.model.sample_weights().len(),
        bound: fit.model.generalization_bound(train, &settings)?,
        wrong: wrong(test, &fit.model.vote(test.x(), &votes)?),
    })
}

fn section(rows: usize, looks: &[Look]) -> Section {
    let line = |name: &str, value: &dyn Fn(&Look) -> f64| Series {
        name: name.into(),
        points: looks.iter().map(|look| (look.features as f64, value(look))).collect(),
        ..Series::default()
    };
    let series = [
        line("bound", &|look| look.bound.total()),
        line("of it complexity", &|look| look.bound.complexity),
        line("margin loss", &|look| look.bound.margin_loss),
        line("test error", &|look| look.wrong),
    ];
    let lines = Lines {
        series: &series,
        levels: &[],
        x_label: "features kept",
        y_label: "share of rows",
        logarithmic: false,
    };
    let heading = "The bound along a fit";
    let figure = wide_figure(
        "bound-path",
        heading,
        "The fit goes from right to left. The three parts add up to the bound; the part that is not \
         drawn is the smallest. A bound of 1 or more says nothing.",
        |width, id| lines.draw(width, id, heading, "Four lines over the number of features."),
    );
    let row = |look: &Look| {
        vec![
            look.iteration.to_string().into(),
            look.features.to_string().into(),
            look.samples.to_string().into(),
            fixed(look.bound.divergence, 1).into(),
            fixed(look.bound.margin_loss, 3).into(),
            fixed(look.bound.complexity, 3).into(),
            fixed(look.bound.confidence, 3).into(),
            fixed(look.bound.total(), 3).into(),
            percent(look.wrong).into(),
        ]
    };
    let table = Table {
        caption: "The bound while features and samples go".into(),
        columns: Column::numbers(
            "iteration",
            &[
                "features",
                "samples",
                "KL",
                "margin loss",
                "complexity",
                "confidence",
                "bound",
                "test error",
            ],
        ),
        rows: looks.iter().map(row).collect(),
        remark: None,
    };
    Section {
        id: "bound-path".into(),
        heading: heading.into(),
        text: vec![format!(
            "One fit of {rows} rows of drawn waveforms, RBF kernel, stopped after some iterations; \
             4000 fresh rows tested. δ = 0.05, c = 1, r = 1.1, g = 1."
        )],
        blocks: vec![Block::Wide(figure), Block::Table(table)],
    }
}
