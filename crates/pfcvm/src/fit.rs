//! Algorithm 1: from data and settings to a model, with everything that happened on the way.

use crate::data::Scaler;
use crate::importance;
use crate::linalg::Work;
use crate::posterior::Likelihood;
use crate::readmission;
use crate::schedule;
use crate::settings::{ClassWeights, Settings, Stage};
use crate::state::{Outcome, Problem, State};
use crate::{Dataset, Error, Model, candidates};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Instant;

/// How a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Termination {
    /// The log evidence settled.
    Converged,
    /// The last stage used up its iterations; the weights are those of the last one.
    MaxIterations,
    /// The observer asked to stop; the weights are those of the last iteration.
    Cancelled,
    /// The algebra broke down; the weights are those before it did.
    NumericalBreakdown,
}

/// One iteration, as it is traced and shown to the observer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Iteration {
    /// Counts from 1 over all stages.
    pub number: usize,
    /// The stage it belongs to, from 0.
    pub stage: usize,
    /// Samples kept after it.
    pub samples: usize,
    /// Features kept after it.
    pub features: usize,
    /// Log evidence (before anything was dropped).
    pub log_evidence: f64,
    /// Log likelihood.
    pub log_likelihood: f64,
    /// Length of the step in w: 1 is a full Newton step, 0 none.
    pub sample_step: f64,
    /// Length of the step in θ.
    pub feature_step: f64,
    /// Relative jitter that a factorisation needed; 0 in the ordinary case.
    pub jitter: f64,
    /// Wall-clock time it took.
    pub seconds: f64,
    /// Floating-point operations in its matrix products and factorisations.
    pub flops: f64,
}

/// A fitted model and how it came about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// What predicts.
    pub model: Model,
    /// How it ended.
    pub termination: Termination,
    /// Log evidence of the last iteration.
    pub log_evidence: f64,
    /// Log likelihood of the last iteration.
    pub log_likelihood: f64,
    /// Every iteration.
    pub trace: Vec<Iteration>,
    /// For each column of the input: the iteration in which it was dropped, if it was. Columns
    /// that never vary are dropped in iteration 0.
    pub feature_dropped: Vec<Option<usize>>,
    /// For each sample: the iteration in which it was dropped, if it was. Samples that were no
    /// basis candidates are dropped in iteration 0.
    pub sample_dropped: Vec<Option<usize>>,
}

/// Fits a model.
pub fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, Error> {
    fit_with(data, settings, &mut |_| ControlFlow::Continue(()))
}

/// Fits a model, showing each iteration to `observer`, which may stop the fit.
pub fn fit_with(
    data: &Dataset,
    settings: &Settings,
    observer: &mut dyn FnMut(&Iteration) -> ControlFlow<()>,
) -> Result<Fit, Error> {
    settings.check()?;
    data.check_classes(2)?;
    let scaler = Scaler::fit(data.x(), settings.standardise)?;
    let candidates = candidates::draw(data, settings.max_basis, settings.seed);
    candidates::check_memory(data.len(), scaler.columns().len(), candidates.len(), settings)?;
    let likelihood = likelihood(data, settings.class_weights);
    let problem = Problem::new(scaler.apply(data.x()), likelihood, candidates, settings);

    let mut run = Run::new(&problem, settings, observer);
    let all = (0..problem.x.cols()).collect();
    let mut state = State::start(&problem, problem.candidates.clone(), all, None, &mut run.work);
    for stage in schedule::stages(settings) {
        if run.stopped() {
            break;
        }
        if run.trace.last().is_some() && stage.restart {
            let (features, theta) = (state.weights.features, state.weights.theta);
            let samples = problem.candidates.clone();
            state = State::start(&problem, samples, features, Some(theta), &mut run.work);
        }
        state = run.stage(state, &stage);
        if let Some(readmission) = stage.readmission {
            state = readmission::readmit(&mut run, state, &stage, readmission);
        }
        run.stage += 1;
    }
    if run.trace.is_empty() {
        return Err(Error::NumericalBreakdown);
    }
    run.finish(state, scaler)
}

fn likelihood(data: &Dataset, class_weights: ClassWeights) -> Likelihood {
    let weights = data.sample_weights();
    let total = |class: bool| -> f64 {
        let members = data.positive().iter().zip(weights).filter(|(p, _)| **p == class);
        members.map(|(_, w)| w).sum()
    };
    let (negative, positive) = match class_weights {
        ClassWeights::Equal => (1.0, 1.0),
        ClassWeights::Balanced => {
            let all = total(true) + total(false);
            (all / (2.0 * total(false)), all / (2.0 * total(true)))
        }
        ClassWeights::Given { negative, positive } => (negative, positive),
    };
    let factor = |p: bool| if p { positive } else { negative };
    let labels = data.positive();
    Likelihood {
        signs: labels.iter().map(|p| if *p { 1.0 } else { -1.0 }).collect(),
        weights: labels.iter().zip(weights).map(|(p, w)| w * factor(*p)).collect(),
    }
}

/// A fit while it runs: the trace, the observer and what the algebra uses.
pub(crate) struct Run<'r> {
    problem: &'r Problem,
    settings: &'r Settings,
    observer: &'r mut dyn FnMut(&Iteration) -> ControlFlow<()>,
    pub work: Work,
    pub trace: Vec<Iteration>,
    pub stage: usize,
    termination: Termination,
    feature_dropped: Vec<Option<usize>>,
    sample_dropped: Vec<Option<usize>>,
}

impl<'r> Run<'r> {
    fn new(
        problem: &'r Problem,
        settings: &'r Settings,
        observer: &'r mut dyn FnMut(&Iteration) -> ControlFlow<()>,
    ) -> Self {
        Self {
            problem,
            settings,
            observer,
            work: Work::new(settings.parallel),
            trace: Vec::new(),
            stage: 0,
            termination: Termination::Converged,
            feature_dropped: vec![None; problem.x.cols()],
            sample_dropped: vec![None; problem.x.rows()],
        }
    }

    /// Whether nothing more may be done.
    pub fn stopped(&self) -> bool {
        matches!(self.termination, Termination::Cancelled | Termination::NumericalBreakdown)
    }

    /// Log evidence of the last iteration.
    pub fn log_evidence(&self) -> f64 {
        self.trace.last().map_or(f64::NEG_INFINITY, |last| last.log_evidence)
    }

    /// Algorithm 1 under the rules of one stage.
    pub fn stage<'p>(&mut self, mut state: State<'p>, stage: &Stage) -> State<'p> {
        let mut previous: Option<f64> = None;
        let mut calm = 0;
        let mut quiet = 0;
        for _ in 0..stage.max_iterations {
            if self.stopped() {
                return state;
            }
            let before = state.weights.clone();
            let clock = Instant::now();
            (self.work.flops, self.work.jitter) = (0.0, 0.0);
            let outcome = state.iterate(stage, &mut self.work);
            let Some(outcome) = outcome.filter(|outcome| outcome.log_evidence.is_finite()) else {
                self.termination = Termination::NumericalBreakdown;
                return State::resume(state.problem, before, &mut self.work);
            };
            let evidence = outcome.log_evidence;
            self.record(&state, &outcome, clock.elapsed().as_secs_f64());
            let moved =
                previous.is_none_or(|p| (evidence - p).abs() >= stage.tolerance * p.abs().max(1.0));
            let dropped = outcome.dropped_features.len() + outcome.dropped_samples.len();
            calm = if moved || dropped > 0 { 0 } else { calm + 1 };
            quiet = if outcome.dropped_features.is_empty() { quiet + 1 } else { 0 };
            if calm >= 2 || stage.patience.is_some_and(|patience| quiet >= patience) {
                self.end(Termination::Converged);
                return state;
            }
            previous = Some(evidence);
        }
        self.end(Termination::MaxIterations);
        state
    }

    fn end(&mut self, termination: Termination) {
        if !self.stopped() {
            self.termination = termination;
        }
    }

    fn record(&mut self, state: &State, outcome: &Outcome, seconds: f64) {
        let number = self.trace.len() + 1;
        for &k in &outcome.dropped_features {
            self.feature_dropped[k] = Some(number);
        }
        for &j in &outcome.dropped_samples {
            self.sample_dropped[j] = Some(number);
        }
        let iteration = Iteration {
            number,
            stage: self.stage,
            samples: state.weights.samples.len(),
            features: state.weights.features.len(),
            log_evidence: outcome.log_evidence,
            log_likelihood: outcome.log_likelihood,
            sample_step: outcome.sample_step,
            feature_step: outcome.feature_step,
            jitter: self.work.jitter,
            seconds,
            flops: self.work.flops,
        };
        if (self.observer)(&iteration).is_break() {
            self.termination = Termination::Cancelled;
        }
        self.trace.push(iteration);
    }

    fn finish(mut self, state: State, scaler: Scaler) -> Result<Fit, Error> {
        let last = self.trace.last();
        let log_evidence = last.map_or(f64::NAN, |last| last.log_evidence);
        let log_likelihood = last.map_or(f64::NAN, |last| last.log_likelihood);
        let mut feature_dropped = vec![Some(0); scaler.inputs()];
        for (&column, dropped) in scaler.columns().iter().zip(&self.feature_dropped) {
            feature_dropped[column] = *dropped;
        }
        let mut sample_dropped = vec![Some(0); self.problem.x.rows()];
        for &j in &self.problem.candidates {
            sample_dropped[j] = self.sample_dropped[j];
        }
        let last = self.trace.len();
        let mut model = Model::new(&state, scaler, self.settings, &mut self.work);
        let Problem { x, likelihood, .. } = self.problem;
        let losses = importance::losses_without(&model, x, likelihood, self.settings.parallel);
        model.feature_losses = Some(losses);
        // What came back after it was dropped, or what went with a weight of 0 at the end.
        for k in model.feature_indices() {
            feature_dropped[*k] = None;
        }
        for j in model.sample_indices() {
            sample_dropped[*j] = None;
        }
        let mark = |dropped: &mut Vec<Option<usize>>, kept: &[usize]| {
            for (i, d) in dropped.iter_mut().enumerate() {
                if d.is_none() && kept.binary_search(&i).is_err() {
                    *d = Some(last);
                }
            }
        };
        mark(&mut feature_dropped, model.feature_indices());
        mark(&mut sample_dropped, model.sample_indices());
        Ok(Fit {
            model,
            termination: self.termination,
            log_evidence,
            log_likelihood,
            trace: self.trace,
            feature_dropped,
            sample_dropped,
        })
    }
}
