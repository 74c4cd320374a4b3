//! From data and settings to a model, with everything that happened on the way.

use crate::conclusion;
use crate::data::{CanonicalRows, Dataset, Scaler};
use crate::error::Error;
use crate::model::Model;
use crate::posterior::Likelihood;
use crate::run::{Course, Run};
use crate::settings::Settings;
use crate::state::Problem;
use crate::trace::{Iteration, Termination, Trial};
use crate::{common, memory, readmission, schedule};
use std::ops::ControlFlow;

/// A fitted model and how it came about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// What predicts.
    pub model: Model,
    /// How it ended.
    pub termination: Termination,
    /// Log evidence of the last iteration that led to the model.
    pub log_evidence: f64,
    /// Log likelihood of the last iteration that led to the model.
    pub log_likelihood: f64,
    /// Every iteration, those of trials that were not accepted included.
    pub trace: Vec<Iteration>,
    /// Every attempt to let dropped features back in.
    pub trials: Vec<Trial>,
    /// For each column of the input: the iteration in which it was dropped, if it was. Columns
    /// that never vary are dropped in iteration 0.
    pub feature_dropped: Vec<Option<usize>>,
    /// For each sample: the iteration in which it was dropped, if it was. Samples that were no
    /// basis candidates, because they were not drawn, do not count or repeat an earlier row, are
    /// dropped in iteration 0.
    pub sample_dropped: Vec<Option<usize>>,
}

/// Fits a model. The order of the rows does not matter, nor whether a row is given twice or with
/// twice the weight: the fit sees them as [`Dataset::canonical`] has them.
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
    let stages = settings.stages_of_fit()?;
    let rows = data.canonical();
    rows.data.check_classes(2)?;
    let scaler = Scaler::fit(rows.data.x(), settings.standardise);
    let scaler = scaler.map_err(|error| rows.trace_back(error))?;
    let level = schedule::screen_level(settings, &stages);
    let problem = problem(&rows.data, &scaler, level, settings)?;

    let mut run = Run::new(settings.parallel, observer);
    let all = (0..problem.x.cols()).collect();
    let mut course = Course::new(run.start(&problem, all, None));
    for stage in &stages {
        if run.stopped.is_some() {
            break;
        }
        let before = course;
        course = match stage.restart && before.reached.is_some() {
            true => {
                let (features, theta) =
                    (&before.state.weights.features, &before.state.weights.theta);
                let start = run.start(&problem, features.clone(), Some(theta.clone()));
                let next = run.stage(before.branch(start), stage);
                // Without an iteration the start is worth less than what there was.
                let broken = next.reached.is_none();
                if broken { Course { termination: next.termination, ..before } } else { next }
            }
            false => run.stage(before, stage),
        };
        if let Some(settings) = stage.readmission {
            course = readmission::readmit(&mut run, course, stage, settings);
        }
    }
    finish(run, course, scaler, settings, &rows, data.len())
}

/// The data as the fit sees them; refused if they need more memory than allowed.
fn problem(
    data: &Dataset,
    scaler: &Scaler,
    screen_level: Option<f64>,
    settings: &Settings,
) -> Result<Problem, Error> {
    let candidates = data.basis_candidates(settings.max_basis, settings.seed);
    memory::check(data.len(), scaler.columns().len(), candidates.len(), settings)?;
    let x = scaler.apply(data.x());
    let likelihood = Likelihood::new(data, settings.class_weights);
    let prominent = common::prominent(&x, &likelihood, data.sample_weights(), screen_level);
    Ok(Problem::new(x, likelihood, candidates, prominent, settings))
}

/// What the caller sees, in the rows and columns that were given.
fn finish(
    mut run: Run,
    course: Course,
    scaler: Scaler,
    settings: &Settings,
    rows: &CanonicalRows,
    given: usize,
) -> Result<Fit, Error> {
    let Some((log_evidence, log_likelihood)) = course.reached else {
        return Err(Error::NumericalBreakdown);
    };
    let columns = scaler.columns().to_vec();
    let mut feature_dropped = vec![Some(0); scaler.inputs()];
    for (&column, dropped) in columns.iter().zip(&course.feature_dropped) {
        feature_dropped[column] = *dropped;
    }
    let mut sample_dropped = vec![Some(0); rows.first.len()];
    for &j in &course.state.problem.candidates {
        sample_dropped[j] = course.sample_dropped[j];
    }
    let model = conclusion::model(&course.state, scaler, settings, &mut run.work);
    let last = run.trace.len();
    mark(&mut feature_dropped, model.feature_indices(), last);
    mark(&mut sample_dropped, model.sample_indices(), last);
    for trial in &mut run.trials {
        trial.features.iter_mut().for_each(|k| *k = columns[*k]);
    }
    Ok(Fit {
        model: model.in_rows(&rows.first),
        termination: course.termination,
        log_evidence,
        log_likelihood,
        trace: run.trace,
        trials: run.trials,
        feature_dropped,
        sample_dropped: rows.to_original(&sample_dropped, given, Some(0)),
    })
}

/// What was kept may have come back after it was dropped; what was not, and was never dropped, went
/// with a weight of 0 at the end.
fn mark(dropped: &mut [Option<usize>], kept: &[usize], last: usize) {
    for (i, dropped) in dropped.iter_mut().enumerate() {
        *dropped = match kept.binary_search(&i) {
            Ok(_) => None,
            Err(_) => dropped.or(Some(last)),
        };
    }
}
