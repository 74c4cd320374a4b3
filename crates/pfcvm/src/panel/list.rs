//! From all features to the list.

use super::check::{self, HalfScore};
use super::member::Judgement;
use super::rounds::{self, Rounds};
use super::together::Together;
use super::{Observer, PanelRound, Problem};
use crate::Termination;
use crate::settings::Hyperprior;
use std::time::Instant;

/// Rounds in which features of two classes are judged.
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
        if problem.classes.machines.len() > 1 {
            return Self::together(problem, observer);
        }
        let shape = Hyperprior::from_false_positive_rate(settings.false_positive_rate).c;
        let x = problem.x.clone();
        let mut rounds =
            Rounds::new(x, &problem.classes.machines[0], &problem.halves, shape, settings.work());
        let course = run(&mut Two(&mut rounds, Vec::new()), problem, observer);
        let scores = rounds::consensus(&rounds.sizes());
        Self::best(&scores, &rounds.features, course, settings.size)
    }

    /// The features with the largest scores, `features` being what they are scores of.
    fn best(scores: &[f64], features: &[usize], course: Course, size: usize) -> Self {
        let mut order = rounds::best(scores, size);
        if order.is_empty() {
            order.push(0); // No feature weighs anything for half of the members.
        }
        Self {
            positions: order.iter().map(|&k| features[k]).collect(),
            importance: order.iter().map(|&k| scores[k]).collect(),
            frequencies: order.iter().map(|&k| course.chosen[features[k]]).collect(),
            expected: course.expected,
            rounds: course.trace,
            termination: course.termination,
        }
    }

    /// One list for more than two classes (`together`).
    fn together(problem: &Problem, observer: &mut Observer) -> Self {
        let all: Vec<usize> = (0..problem.x.features()).collect();
        let mut judges = Together::new(problem);
        let course = run(&mut judges, problem, observer);
        Self::best(&judges.scores, &all, course, problem.settings.size)
    }
}

/// Members that judge features in rounds.
pub(super) trait Judges {
    /// How many rounds there are.
    fn rounds(&self) -> usize;
    /// Moves every member, and gives the sum of their log evidences and the largest jitter. Nothing, with
    /// the members as they were, when the algebra of one broke down.
    fn advance(&mut self) -> Option<(f64, f64)>;
    /// The size of the weights on every half, feature by feature.
    fn sizes(&self) -> Vec<Vec<f64>>;
    /// Draws the consequences; gives how many features are left.
    fn settle(&mut self) -> usize;
}

/// Two classes, with the judgements that wait for their consequences.
struct Two<'r, 'a>(&'r mut Rounds<'a>, Vec<Judgement>);

impl Judges for Two<'_, '_> {
    fn rounds(&self) -> usize {
        ROUNDS
    }

    fn advance(&mut self) -> Option<(f64, f64)> {
        let (judgements, jitter) = self.0.advance()?;
        self.1 = judgements;
        Some((self.1.iter().map(|j| j.log_evidence).sum(), jitter))
    }

    fn sizes(&self) -> Vec<Vec<f64>> {
        self.0.sizes()
    }

    fn settle(&mut self) -> usize {
        self.0.settle(&self.1);
        self.0.features.len()
    }
}

/// All rounds, or as many as the algebra and the observer allow.
fn run(judges: &mut impl Judges, problem: &Problem, observer: &mut Observer) -> Course {
    let mut course = Course {
        expected: HalfScore::UNKNOWN,
        chosen: vec![0.0; problem.x.features()],
        trace: Vec::new(),
        termination: Termination::Converged,
    };
    for number in 1..=judges.rounds() {
        let clock = Instant::now();
        let Some((log_evidence, jitter)) = judges.advance() else {
            course.termination = Termination::NumericalBreakdown;
            break;
        };
        if number == 1 {
            // Later the members know of each other, and the comparison would not be fair.
            let sizes = judges.sizes();
            course.expected = score(problem, &sizes);
            course.chosen =
                shares(&check::own_lists(&sizes, problem.settings.size), problem.x.features());
        }
        let features = judges.settle();
        let seconds = clock.elapsed().as_secs_f64();
        let round = PanelRound { number, fold: None, features, log_evidence, jitter, seconds };
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
    let Problem { settings, x, classes, halves, .. } = problem;
    check::score_lists(x, classes, halves, sizes, settings.size, &settings.work())
}
