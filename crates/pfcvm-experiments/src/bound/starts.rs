//! Feature precisions that start where the divergence is least, against the default start.

use super::{Part, waves};
use crate::setup::unjudged;
use crate::{Bench, Error, Experiment, Finding, Measured, Setup, Trial};
use pfcvm::settings::Start;
use pfcvm::{Dataset, Kernel, Settings, fit};
use pfcvm_eval::{accuracy, log_loss, mean_jaccard};
use pfcvm_io::generate::{eeg_like, expression_like};
use pfcvm_report::page::{Block, Column, Section, Table};
use pfcvm_report::{fixed, percent};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

/// Data of one kind.
struct Case {
    name: &'static str,
    kernel: Kernel,
    rows: usize,
    test_rows: usize,
    repetitions: usize,
    draw: fn(usize, u64) -> Result<Dataset, Error>,
}

fn genes(rows: usize, seed: u64) -> Result<Dataset, Error> {
    Ok(expression_like(rows, 2000, seed).into_two_classes("-1", "1")?)
}

fn recordings(rows: usize, seed: u64) -> Result<Dataset, Error> {
    Ok(eeg_like(rows, seed).into_two_classes("-1", "1")?)
}

/// Means over the repetitions.
#[derive(Debug, Serialize)]
struct Outcome {
    data: &'static str,
    start: String,
    iterations: f64,
    log_evidence: f64,
    accuracy: f64,
    log_loss: f64,
    features: f64,
    jaccard: Option<f64>,
}

pub(super) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Part, Error> {
    let scale = if setup.quick { 10 } else { 1 };
    let repeats = |count: usize| (count / scale).max(2);
    let cases = [
        Case {
            name: "waveform",
            kernel: Kernel::Rbf,
            rows: 400,
            test_rows: 2000,
            repetitions: repeats(50),
            draw: waves,
        },
        Case {
            name: "genes",
            kernel: Kernel::Linear,
            rows: 62,
            test_rows: 1000,
            repetitions: repeats(50),
            draw: genes,
        },
        Case {
            name: "EEG-like",
            kernel: Kernel::Rbf,
            rows: 600,
            test_rows: 1000,
            repetitions: repeats(10),
            draw: recordings,
        },
    ];
    let nearest = |prior: f64| Start { divergence_from: Some(prior), ..Start::default() };
    let starts = [
        ("default".to_string(), Start::default()),
        ("nearest to 0.5".to_string(), nearest(0.5)),
        ("nearest to 50".to_string(), nearest(50.0)),
    ];
    let mut runs = Vec::new();
    for case in &cases {
        let test = Arc::new((case.draw)(case.test_rows, setup.seed.wrapping_add(1_000_000))?);
        for (name, start) in &starts {
            let (test, start, seed) = (test.clone(), *start, setup.seed);
            let once = move |time: usize| case.once(start, seed.wrapping_add(time as u64), &test);
            runs.push((case, name, once));
        }
    }
    let trials = runs.iter().map(|(case, name, once)| Trial {
        name: format!("{}, {name}", case.name),
        times: case.repetitions,
        once,
    });
    let measured = bench.repeat(Experiment::Bound, "starts", &Vec::from_iter(trials))?;
    let outcomes = runs.iter().zip(&measured);
    let outcomes: Vec<Outcome> =
        outcomes.map(|((case, name, _), measured)| case.outcome(name, measured)).collect();
    Ok(Part {
        findings: vec![finding(&outcomes)],
        sections: vec![section(&outcomes)],
        results: json!(outcomes),
        ..Part::default()
    })
}

impl Case {
    /// Iterations, evidence, accuracy and log loss of one fit, then the features it selects.
    fn once(&self, start: Start, seed: u64, test: &Dataset) -> Result<Measured, Error> {
        let settings = Settings { start, parallel: false, ..unjudged(self.kernel) };
        let fit = fit(&(self.draw)(self.rows, seed)?, &settings)?;
        let probability = fit.model.predict(test.x())?.probability;
        let mut measured = vec![
            fit.trace.len() as f64,
            fit.log_evidence,
            accuracy(test.positive(), &probability),
            log_loss(test.positive(), &probability),
        ];
        measured.extend(fit.model.selected_features().iter().map(|&feature| feature as f64));
        Ok(measured)
    }

    fn outcome(&self, start: &str, all: &[Measured]) -> Outcome {
        let mean = |at: usize| all.iter().map(|fit| fit[at]).sum::<f64>() / all.len() as f64;
        let subset = |fit: &Measured| fit[4..].iter().map(|&feature| feature as usize).collect();
        let subsets: Vec<Vec<usize>> = all.iter().map(subset).collect();
        let sizes = subsets.iter().map(|subset| subset.len() as f64).sum::<f64>();
        Outcome {
            data: self.name,
            start: start.into(),
            iterations: mean(0),
            log_evidence: mean(1),
            accuracy: mean(2),
            log_loss: mean(3),
            features: sizes / subsets.len() as f64,
            jaccard: mean_jaccard(&subsets),
        }
    }
}

/// Whether a start by divergence takes fewer iterations, as the paper hopes.
fn finding(outcomes: &[Outcome]) -> Finding {
    let iterations = |start: &str| {
        let all = outcomes.iter().filter(|outcome| outcome.start == start);
        all.map(|outcome| outcome.iterations).sum::<f64>()
    };
    let (default, nearest) = (iterations("default"), iterations("nearest to 0.5"));
    let share = nearest / default;
    Finding::statement(
        "bound: starting precisions by least divergence",
        "may speed up convergence",
        format!("{} of the default start's iterations", percent(share)),
        share < 0.95,
    )
}

fn section(outcomes: &[Outcome]) -> Section {
    let row = |outcome: &Outcome| {
        vec![
            outcome.data.into(),
            outcome.start.clone().into(),
            fixed(outcome.iterations, 1).into(),
            fixed(outcome.log_evidence, 1).into(),
            percent(outcome.accuracy).into(),
            fixed(outcome.log_loss, 3).into(),
            fixed(outcome.features, 1).into(),
            outcome.jaccard.map_or_else(|| "–".into(), |j| fixed(j, 3)).into(),
        ]
    };
    let table = Table {
        caption: "Starts of the feature precisions".into(),
        columns: vec![
            Column::text("data"),
            Column::text("start"),
            Column::number("iterations"),
            Column::number("log evidence"),
            Column::number("accuracy"),
            Column::number("log loss"),
            Column::number("features"),
            Column::number("Jaccard"),
        ],
        rows: outcomes.iter().map(row).collect(),
        remark: None,
    };
    Section {
        id: "bound-starts".into(),
        heading: "Starting values by least divergence".into(),
        text: vec![
            "The paper proposes to start β where the divergence from the prior β₀ is least for the \
             first θ. Means over fresh draws of each kind of data; the default start is β = the \
             number of features."
                .into(),
        ],
        blocks: vec![Block::Table(table)],
    }
}
