//! The bound against the error on fresh rows, over many draws of the training data; and votes beside
//! probabilities.

use super::{Part, waves, wrong};
use crate::setup::unjudged;
use crate::{Bench, Error, Experiment, Finding, Measured, Setup, Trial};
use pfcvm::theory::{BoundSettings, VoteSettings};
use pfcvm::{Dataset, Kernel, Settings, fit};
use pfcvm_eval::{accuracy, log_loss};
use pfcvm_io::generate::twonorm;
use pfcvm_report::page::{Block, Column, Section, Table};
use pfcvm_report::{fixed, percent};
use serde::Serialize;
use serde_json::json;

const TEST_ROWS: usize = 5000;
/// Draws of the weights for each vote.
const DRAWS: usize = 400;

/// Training data of one kind and size.
struct Case {
    name: &'static str,
    rows: usize,
    repetitions: usize,
    draw: fn(usize, u64) -> Result<Dataset, Error>,
}

fn norms(rows: usize, seed: u64) -> Result<Dataset, Error> {
    Ok(twonorm(20, rows / 2, seed).into_two_classes("-1", "1")?)
}

/// Means over the repetitions of one case.
#[derive(Debug, Serialize)]
struct Outcome {
    data: &'static str,
    rows: usize,
    repetitions: usize,
    /// In how many repetitions the error on fresh rows was within the bound.
    held: usize,
    /// In how many the bound was below 1.
    below_one: usize,
    divergence: f64,
    margin_loss: f64,
    bound: f64,
    /// Of the voting classifier on fresh rows.
    error: f64,
    /// Of the votes of jointly drawn weights, as shares.
    vote_accuracy: f64,
    vote_log_loss: f64,
    accuracy: f64,
    log_loss: f64,
    /// Mean of |share of votes − moderated probability|.
    apart: f64,
}

pub(super) fn run(setup: &Setup, bench: &dyn Bench) -> Result<Part, Error> {
    let cases = match setup.quick {
        true => vec![case("waveform", 100, 4, waves), case("twonorm", 400, 2, norms)],
        false => vec![
            case("waveform", 100, 100, waves),
            case("waveform", 400, 100, waves),
            case("waveform", 1600, 20, waves),
            case("twonorm", 400, 100, norms),
            case("twonorm", 1600, 20, norms),
            case("twonorm", 20_000, 3, norms),
        ],
    };
    let tests = cases.iter().map(|case| (case.draw)(TEST_ROWS, setup.seed.wrapping_add(1_000_000)));
    let tests = tests.collect::<Result<Vec<_>, Error>>()?;
    let once = cases.iter().zip(&tests).map(|(case, test)| {
        move |time: usize| case.once(setup.seed.wrapping_add(time as u64), test)
    });
    let once: Vec<_> = once.collect();
    let trials = cases.iter().zip(&once).map(|(case, once)| Trial {
        name: format!("{}, {} rows", case.name, case.rows),
        times: case.repetitions,
        once,
    });
    let measured = bench.repeat(Experiment::Bound, "trials", &Vec::from_iter(trials))?;
    let outcomes: Vec<Outcome> =
        cases.iter().zip(&measured).map(|(case, measured)| case.outcome(measured)).collect();
    let all: usize = outcomes.iter().map(|outcome| outcome.repetitions).sum();
    let held: usize = outcomes.iter().map(|outcome| outcome.held).sum();
    let said: usize = outcomes.iter().map(|outcome| outcome.below_one).sum();
    Ok(Part {
        findings: vec![Finding::statement(
            "bound: the error on fresh rows is within it, at δ = 0.05",
            "in 95 % of cases at least",
            format!("in {held} of {all}; it was below 1, and so said anything, in {said}"),
            held as f64 >= 0.95 * all as f64,
        )],
        sections: vec![section(&outcomes), votes(&outcomes)],
        results: json!(outcomes),
        ..Part::default()
    })
}

fn case(
    name: &'static str,
    rows: usize,
    repetitions: usize,
    draw: fn(usize, u64) -> Result<Dataset, Error>,
) -> Case {
    Case { name, rows, repetitions, draw }
}

impl Case {
    fn outcome(&self, all: &[Measured]) -> Outcome {
        let sum = |at: usize| all.iter().map(|measured| measured[at]).sum::<f64>();
        let mean = |at: usize| sum(at) / all.len() as f64;
        Outcome {
            data: self.name,
            rows: self.rows,
            repetitions: self.repetitions,
            held: sum(0) as usize,
            below_one: sum(1) as usize,
            divergence: mean(2),
            margin_loss: mean(3),
            bound: mean(4),
            error: mean(5),
            vote_accuracy: mean(6),
            vote_log_loss: mean(7),
            accuracy: mean(8),
            log_loss: mean(9),
            apart: mean(10),
        }
    }

    /// One repetition, in the order of [`Outcome`] from `held` on.
    fn once(&self, seed: u64, test: &Dataset) -> Result<Measured, Error> {
        let train = (self.draw)(self.rows, seed)?;
        let settings = Settings { max_basis: 500, parallel: false, seed, ..unjudged(Kernel::Rbf) };
        let model = fit(&train, &settings)?.model;
        let votes = VoteSettings { draws: DRAWS, seed, independent: true };
        let bound =
            model.generalization_bound(&train, &BoundSettings { votes, ..Default::default() })?;
        let error = wrong(test, &model.vote(test.x(), &votes)?);
        let jointly = VoteSettings { independent: false, ..votes };
        // One draw for and one against on top of all, so that no share is 0 or 1.
        let draws = DRAWS as f64;
        let share = |vote: &f64| (0.5 * (vote + 1.0) * draws + 1.0) / (draws + 2.0);
        let shares: Vec<f64> = model.vote(test.x(), &jointly)?.iter().map(share).collect();
        let probability = model.predict(test.x())?.probability;
        let apart = shares.iter().zip(&probability).map(|(a, b)| (a - b).abs()).sum::<f64>();
        let truth = test.positive();
        let yes = |holds: bool| f64::from(u8::from(holds));
        Ok(vec![
            yes(error <= bound.total()),
            yes(!bound.is_vacuous()),
            bound.divergence,
            bound.margin_loss,
            bound.total(),
            error,
            accuracy(truth, &shares),
            log_loss(truth, &shares),
            accuracy(truth, &probability),
            log_loss(truth, &probability),
            apart / truth.len() as f64,
        ])
    }
}

fn section(outcomes: &[Outcome]) -> Section {
    let row = |outcome: &Outcome| {
        vec![
            outcome.data.into(),
            outcome.rows.to_string().into(),
            outcome.repetitions.to_string().into(),
            fixed(outcome.divergence, 1).into(),
            fixed(outcome.margin_loss, 3).into(),
            fixed(outcome.bound, 3).into(),
            fixed(outcome.error, 3).into(),
            fixed(outcome.bound / outcome.error, 1).into(),
            outcome.held.to_string().into(),
            outcome.below_one.to_string().into(),
        ]
    };
    let table = Table {
        caption: "The bound and the error on fresh rows".into(),
        columns: Column::numbers(
            "data",
            &["rows", "draws", "KL", "margin loss", "bound", "error", "ratio", "held", "below 1"],
        ),
        rows: outcomes.iter().map(row).collect(),
        remark: Some(
            "Means over the draws of training data; held: draws in which the error was within the \
             bound."
                .into(),
        ),
    };
    Section {
        id: "bound-trials".into(),
        heading: "How often the bound holds, and how loose it is".into(),
        text: vec![format!(
            "RBF kernel, δ = 0.05, c = 1, r = 1.1, g = 1; {TEST_ROWS} fresh rows tell the error. A \
             bound of 1 or more holds whatever happens and says nothing."
        )],
        blocks: vec![Block::Table(table)],
    }
}

fn votes(outcomes: &[Outcome]) -> Section {
    let row = |outcome: &Outcome| {
        vec![
            format!("{}, {} rows", outcome.data, outcome.rows).into(),
            percent(outcome.accuracy).into(),
            percent(outcome.vote_accuracy).into(),
            fixed(outcome.log_loss, 3).into(),
            fixed(outcome.vote_log_loss, 3).into(),
            fixed(outcome.apart, 3).into(),
        ]
    };
    let table = Table {
        caption: "The moderated probability and the share of votes".into(),
        columns: Column::numbers(
            "data",
            &["accuracy", "of votes", "log loss", "of votes", "apart"],
        ),
        rows: outcomes.iter().map(row).collect(),
        remark: Some("Apart: mean difference between the two on fresh rows.".into()),
    };
    Section {
        id: "bound-votes".into(),
        heading: "Votes are not probabilities".into(),
        text: vec![
            "A vote says how sure the weights are which side of the boundary a row lies on; the \
             probability also knows that classes overlap there."
                .into(),
        ],
        blocks: vec![Block::Table(table)],
    }
}
