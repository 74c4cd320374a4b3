//! From all features to the list.

use super::check::{self, HalfScore};
use super::rounds::{self, Rounds};
use super::{Observer, PanelRound, Problem};
use crate::Termination;
use crate::settings::Hyperprior;
use std::time::Instant;

/// Rounds in which features are judged.
const ROUNDS: usize = 3;

/// The list and how it came about.
pub(super) struct List {
    /// Columns of the scaled data, the most important first.
    pub positions: Vec<usize>,
    pub importance: Vec<f64>,
    pub frequencies: Vec<f64>,
    pub expected: HalfScore,
    pub rounds: Vec<PanelRound>,
    pub termination: Termination,
}

/// How the rounds went.
struct Course {
    expected: HalfScore,
    /// For every feature, the share of members on whose own list it stands.
    chosen: Vec<f64>,
    trace: Vec<PanelRound>,
    termination: Termination,
}

impl List {
    /// Judges the features for a few rounds and lists those the members agree on most.
    pub fn make(problem: &Problem, observer: &mut Observer) -> Self {
        let settings = problem.settings;
        let shape = Hyperprior::from_false_positive_rate(settings.false_positive_rate).c;
        let x = problem.x.clone();
        let mut rounds =
            Rounds::new(x, &problem.likelihood, &problem.halves, shape, settings.work());
        let course = run(&mut rounds, problem, observer);
        let scores = rounds::consensus(&rounds.sizes());
        let mut order = rounds::best(&scores, settings.size);
        if order.is_empty() {
            order.push(0); // No feature weighs anything for half of the members.
        }
        Self {
            positions: order.iter().map(|&k| rounds.features[k]).collect(),
            importance: order.iter().map(|&k| scores[k]).collect(),
            frequencies: order.iter().map(|&k| course.chosen[rounds.features[k]]).collect(),
            expected: course.expected,
            rounds: course.trace,
            termination: course.termination,
        }
    }
}

/// All rounds, or as many as the algebra and the observer allow.
fn run(rounds: &mut Rounds, problem: &Problem, observer: &mut Observer) -> Course {
    let mut course = Course {
        expected: HalfScore::UNKNOWN,
        chosen: vec![0.0; problem.x.features()],
        trace: Vec::new(),
        termination: Termination::Converged,
    };
    for number in 1..=ROUNDS {
        let clock = Instant::now();
        let Some((judgements, jitter)) = rounds.advance() else {
            course.termination = Termination::NumericalBreakdown;
            break;
        };
        if number == 1 {
            // Later the members know of each other, and the comparison would not be fair.
            let sizes = rounds.sizes();
            course.expected = score(problem, &sizes);
            course.chosen =
                shares(&check::own_lists(&sizes, problem.settings.size), problem.x.features());
        }
        rounds.settle(&judgements);
        let round = PanelRound {
            number,
            fold: None,
            features: rounds.features.len(),
            log_evidence: judgements.iter().map(|j| j.log_evidence).sum(),
            jitter,
            seconds: clock.elapsed().as_secs_f64(),
        };
        let go_on = observer(&round);
        course.trace.push(round);
        if go_on.is_break() {
            course.termination = Termination::Cancelled;
            break;
        }
    }
    course
}

/// For every feature, the share of lists that hold it.
fn shares(lists: &[Vec<usize>], features: usize) -> Vec<f64> {
    let mut counts = vec![0usize; features];
    lists.iter().flatten().for_each(|&k| counts[k] += 1);
    counts.iter().map(|count| *count as f64 / lists.len() as f64).collect()
}

fn score(problem: &Problem, sizes: &[Vec<f64>]) -> HalfScore {
    let Problem { settings, x, likelihood, halves, .. } = problem;
    check::score_lists(x, likelihood, halves, sizes, settings.size, &settings.work())
}
