//! From data and settings to a model, with everything that happened on the way.

use crate::certainty::Certainty;
use crate::data::{CanonicalRows, Dataset, Scaler};
use crate::error::Error;
use crate::importance::losses_without;
use crate::judgement::{Copies, Dial, Held, Kind, Listed, Rows, held_out, judge};
use crate::kernel::Kernel;
use crate::model::Model;
use crate::posterior::Likelihood;
use crate::run::{Course, Observer, Run};
use crate::settings::{CertaintyPolicy, Settings};
use crate::stop::Stop;
use crate::trace::{Iteration, Termination, Trial};
use crate::training::train;
use crate::{conclusion, memory};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

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

/// Fits a model, showing each iteration to `observer`, which may stop the fit: the model is then that
/// of the last iteration. (A [`Stop`] among the settings ends it at once, with no model.)
pub fn fit_with(
    data: &Dataset,
    settings: &Settings,
    observer: &mut (dyn FnMut(&Iteration) -> ControlFlow<()> + Send),
) -> Result<Fit, Error> {
    settings.check()?;
    Stop::catch(|| whole(data, settings, observer)).unwrap_or(Err(Error::Stopped))
}

fn whole(data: &Dataset, settings: &Settings, observer: &mut Observer) -> Result<Fit, Error> {
    let rows = data.canonical();
    let fit = train(&rows.data, settings, observer, |run, course, scaler| {
        finish(run, course, scaler, settings, &rows, data.len())
    });
    let fit = fit.map_err(|error| rows.trace_back(error))?;
    let over = matches!(fit.termination, Termination::Converged | Termination::MaxIterations);
    if settings.certainty == CertaintyPolicy::Off || !over {
        return Ok(fit);
    }
    judged(fit, &rows.data, settings, observer)
}

/// The fit with what rows that did not train say of it.
fn judged(
    mut fit: Fit,
    rows: &Dataset,
    settings: &Settings,
    observer: &mut Observer,
) -> Result<Fit, Error> {
    let copies = Copies::of(rows);
    let Some(folds) = copies.folds(settings.seed) else { return Ok(fit) };
    let listed = Listed {
        kind: if settings.kernel == Kernel::Linear { Kind::Linear } else { Kind::Curved },
        features: fit.model.feature_indices().to_vec(),
        strengths: fit.model.strengths(),
        candidates: fit.model.scaler().features().len(),
    };
    let strongest = listed.strongest_first();
    let Some(held) = refit(rows, &copies, (&folds, &strongest), settings, observer)? else {
        fit.termination = Termination::Cancelled;
        return Ok(fit);
    };
    let Settings { class_weights, seed, false_positive_rate: rate, max_false, .. } = *settings;
    let seen = Rows { data: rows, copies: &copies, class_weights, seed };
    let certainty = judge(&seen, &held, &listed, Dial { rate, max_false });
    fit.conclude(certainty, rows, settings);
    Ok(fit)
}

/// The same fit without each part of the rows in turn, and what it says of that part. Nothing when
/// the observer wanted no more.
fn refit(
    rows: &Dataset,
    copies: &Copies,
    (folds, listed): (&[Vec<usize>], &[usize]),
    settings: &Settings,
    observer: &mut Observer,
) -> Result<Option<Vec<Held>>, Error> {
    let observer = Mutex::new(observer);
    let class_weights = rows.fixed_factors(settings.class_weights);
    let settings = Settings { class_weights, ..settings.clone() };
    let one = |(number, fold): (usize, &Vec<usize>)| -> Result<Option<Held>, Error> {
        let mut watch = |iteration: &Iteration| {
            let iteration = Iteration { fold: Some(number + 1), ..iteration.clone() };
            let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
            (*observer)(&iteration)
        };
        let at = fold.iter().map(|&copy| copies.rows[copy]).collect::<Vec<usize>>();
        let x = rows.x().select_rows(&at);
        let rest = copies.without(rows, fold);
        let held = train(&rest, &settings, &mut watch, |mut run, course, scaler| {
            match course.termination {
                Termination::Cancelled => Ok(None),
                _ => held_out(&mut run, course, scaler, &settings, (fold, &x, listed)).map(Some),
            }
        });
        // What cannot be learned without some rows (no feature varies, say) says nothing of them.
        held.unwrap_or_else(|_| Ok(Some(Held::nothing(fold))))
    };
    let folds = folds.iter().enumerate();
    match settings.parallel
        && memory::side_by_side(rows.len(), rows.x().cols(), folds.len(), &settings)
    {
        true => Vec::from_iter(folds).into_par_iter().with_max_len(1).map(one).collect(),
        false => folds.map(one).collect(),
    }
}

/// What the caller sees, in the rows and columns that were given.
fn finish(
    mut run: Run,
    course: Course,
    scaler: Scaler,
    settings: &Settings,
    rows: &CanonicalRows,
    given: usize,
) -> Fit {
    let (log_evidence, log_likelihood) = course.reached.unwrap_or_default();
    let varying = scaler.features();
    let mut feature_dropped = vec![Some(0); rows.data.columns().features()];
    for (&feature, dropped) in varying.iter().zip(&course.feature_dropped) {
        feature_dropped[feature] = *dropped;
    }
    let mut sample_dropped = vec![Some(0); rows.first.len()];
    for &j in &course.state.problem.candidates {
        sample_dropped[j] = course.sample_dropped[j];
    }
    let model = conclusion::whole_model(&course.state, scaler, settings, &mut run.work);
    let last = run.trace.len();
    mark(&mut feature_dropped, model.feature_indices(), last);
    mark(&mut sample_dropped, model.sample_indices(), last);
    for trial in &mut run.trials {
        trial.features.iter_mut().for_each(|k| *k = varying[*k]);
    }
    Fit {
        model: model.in_rows(&rows.first),
        termination: course.termination,
        log_evidence,
        log_likelihood,
        trace: run.trace,
        trials: run.trials,
        feature_dropped,
        sample_dropped: rows.to_original(&sample_dropped, given, Some(0)),
    }
}

impl Fit {
    /// Draws the consequences of what rows that did not train say.
    fn conclude(&mut self, certainty: Certainty, rows: &Dataset, settings: &Settings) {
        if certainty.nothing_found && settings.certainty == CertaintyPolicy::On {
            let share = rows.log_odds_of_shares(settings.class_weights);
            return self.find_nothing(certainty, share);
        }
        self.model.calibrate(certainty.offset, certainty.slope);
        self.model.certainty = Some(certainty);
        let x = self.model.scaler().apply(rows.x());
        let likelihood = Likelihood::new(rows, settings.class_weights);
        let worth = losses_without(&self.model, &x, &likelihood, &settings.work());
        self.model.feature_worth = Some(worth);
    }

    /// No feature does better than chance: the shares of the classes are left.
    pub(crate) fn find_nothing(&mut self, certainty: Certainty, log_odds: f64) {
        let last = self.trace.len();
        self.model = self.model.of_shares(log_odds);
        mark(&mut self.feature_dropped, &[], last);
        mark(&mut self.sample_dropped, &[], last);
        self.model.certainty = Some(Certainty { features: Vec::new(), ..certainty });
    }
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
