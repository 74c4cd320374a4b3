//! A fit while it runs: Algorithm 1 (`alg:1`) under the rules of one stage after another.

use crate::algebra::Work;
use crate::iteration::Outcome;
use crate::settings::Stage;
use crate::state::{Problem, State};
use crate::trace::{Iteration, Termination, Trial};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A state, and how it came about: what a fit returns one of.
pub(crate) struct Course<'p> {
    pub state: State<'p>,
    pub termination: Termination,
    /// Log evidence and log likelihood of the last iteration that led here; nothing before the
    /// first.
    pub reached: Option<(f64, f64)>,
    /// The iteration in which each feature was dropped, numbered as in the problem.
    pub feature_dropped: Vec<Option<usize>>,
    /// The same for each sample.
    pub sample_dropped: Vec<Option<usize>>,
}

impl<'p> Course<'p> {
    /// Nothing done yet.
    pub fn new(state: State<'p>) -> Self {
        let x = &state.problem.x;
        let (features, samples) = (vec![None; x.features()], vec![None; x.rows()]);
        Self {
            state,
            termination: Termination::Converged,
            reached: None,
            feature_dropped: features,
            sample_dropped: samples,
        }
    }

    /// From another state, with what was dropped so far.
    pub fn branch(&self, state: State<'p>) -> Self {
        Self {
            state,
            termination: Termination::Converged,
            reached: None,
            feature_dropped: self.feature_dropped.clone(),
            sample_dropped: self.sample_dropped.clone(),
        }
    }

    pub fn log_evidence(&self) -> f64 {
        self.reached.map_or(f64::NEG_INFINITY, |(evidence, _)| evidence)
    }

    /// Whether it came to its end, and not to a stop.
    pub fn is_over(&self) -> bool {
        matches!(self.termination, Termination::Converged | Termination::MaxIterations)
    }
}

/// Is shown every iteration, and may stop the fit.
pub(crate) type Observer<'o> = dyn FnMut(&Iteration) -> ControlFlow<()> + Send + 'o;

/// An observer that several fits share; nothing once it wanted no more.
pub(crate) type Shared<'a, 'o> = Mutex<Option<&'a mut Observer<'o>>>;

/// Shows iterations to it, with the part of the rows that each does without. Who asks after it stopped one
/// of the fits is stopped, too.
pub(crate) fn watch(
    observer: &Shared,
    fold: Option<usize>,
) -> impl FnMut(&Iteration) -> ControlFlow<()> + Send {
    move |iteration: &Iteration| {
        let iteration = Iteration { fold, ..iteration.clone() };
        let mut shared = observer.lock().unwrap_or_else(PoisonError::into_inner);
        let flow = shared.as_mut().map_or(ControlFlow::Break(()), |observer| observer(&iteration));
        if flow.is_break() {
            *shared = None;
        }
        flow
    }
}

/// The trace, the observer and what the algebra uses.
pub(crate) struct Run<'r> {
    observer: &'r mut Observer<'r>,
    pub work: Work,
    pub trace: Vec<Iteration>,
    pub trials: Vec<Trial>,
    /// The trial that is being made.
    pub trial: Option<usize>,
    /// How many of the candidates take part so far.
    pub joined: usize,
    /// Why nothing more may be done.
    pub stopped: Option<Termination>,
}

impl<'r> Run<'r> {
    pub fn new(work: Work, observer: &'r mut Observer<'r>) -> Self {
        Self {
            observer,
            work,
            trace: Vec::new(),
            trials: Vec::new(),
            trial: None,
            joined: usize::MAX,
            stopped: None,
        }
    }

    /// The candidates that take part, with weight 0, and the given features.
    pub fn start<'p>(
        &mut self,
        problem: &'p Problem,
        features: Vec<usize>,
        theta: Option<Vec<f64>>,
    ) -> State<'p> {
        let samples = problem.first_candidates(self.joined);
        State::start(problem, samples, features, theta, &mut self.work)
    }

    /// Algorithm 1 under the rules of one stage.
    pub fn stage<'p>(&mut self, mut course: Course<'p>, stage: &Stage) -> Course<'p> {
        let mut previous: Option<f64> = None;
        let (mut calm, mut quiet) = (0, 0);
        for _ in 0..stage.max_iterations {
            if let Some(why) = self.stopped {
                course.termination = why;
                return course;
            }
            let before = course.state.weights.clone();
            let clock = Instant::now();
            (self.work.flops, self.work.jitter) = (0.0, 0.0);
            let outcome = course.state.iterate(stage, &mut self.work);
            let Some(outcome) = outcome.filter(|outcome| outcome.log_evidence.is_finite()) else {
                course.state = State::resume(course.state.problem, before, &mut self.work);
                course.termination = Termination::NumericalBreakdown;
                self.stopped = Some(course.termination);
                return course;
            };
            let evidence = outcome.log_evidence;
            self.record(&mut course, &outcome, stage, clock.elapsed().as_secs_f64());
            let moved =
                previous.is_none_or(|p| (evidence - p).abs() >= stage.tolerance * p.abs().max(1.0));
            calm = if moved || outcome.dropped_any { 0 } else { calm + 1 };
            quiet = if outcome.dropped_features.is_empty() { quiet + 1 } else { 0 };
            if calm >= 2 || stage.patience.is_some_and(|patience| quiet >= patience) {
                course.termination = self.stopped.unwrap_or(Termination::Converged);
                return course;
            }
            previous = Some(evidence);
        }
        course.termination = self.stopped.unwrap_or(Termination::MaxIterations);
        course
    }

    /// A stage from a start of its own: a few iterations, and to the end if its log evidence is ahead of
    /// what there is by enough after them.
    pub fn race<'p>(
        &mut self,
        course: &Course<'p>,
        start: State<'p>,
        stage: &Stage,
        (iterations, enough): (usize, f64),
    ) -> Course<'p> {
        let heat = Stage { max_iterations: iterations, patience: None, ..stage.clone() };
        let next = self.stage(course.branch(start), &heat);
        let ahead = next.log_evidence() - course.log_evidence() >= enough;
        if ahead { self.stage(next, stage) } else { next }
    }

    fn record(&mut self, course: &mut Course, outcome: &Outcome, stage: &Stage, seconds: f64) {
        let number = self.trace.len() + 1;
        course.reached = Some((outcome.log_evidence, outcome.log_likelihood));
        for &k in &outcome.dropped_features {
            course.feature_dropped[k] = Some(number);
        }
        for &j in &outcome.dropped_samples {
            course.sample_dropped[j] = Some(number);
        }
        let iteration = Iteration {
            number,
            stage: stage.name.clone(),
            trial: self.trial,
            fold: None,
            samples: course.state.weights.samples().len(),
            features: course.state.weights.features.len(),
            log_evidence: outcome.log_evidence,
            log_likelihood: outcome.log_likelihood,
            sample_step: outcome.sample_step,
            feature_step: outcome.feature_step,
            jitter: self.work.jitter,
            seconds,
            flops: self.work.flops,
        };
        if (self.observer)(&iteration).is_break() {
            self.stopped = Some(Termination::Cancelled);
        }
        self.trace.push(iteration);
    }
}
