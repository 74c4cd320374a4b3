//! From data and settings to a model, with everything that happened on the way.

use crate::broad::AllFeatures;
use crate::certainty::Certainty;
use crate::data::{CanonicalRows, Dataset, Scaler};
use crate::error::Error;
use crate::importance::losses_without;
use crate::judgement::{
    ALIKE, Calibration, Copies, Dial, Held, Kind, Listed, Parts, Rows, ask_all_features, judge,
    pair,
};
use crate::kernel::Kernel;
use crate::model::Model;
use crate::posterior::Classes;
use crate::run::{Course, Observer, Run, watch};
use crate::settings::{CertaintyPolicy, Goal, Settings};
use crate::stop::Stop;
use crate::trace::{Iteration, Termination, Trial};
use crate::training::train;
use crate::{conclusion, memory};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::Mutex;

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
    /// that never vary, and those that a linear fit did not
    /// [begin with](Settings::features_to_begin_with), are dropped in iteration 0.
    pub feature_dropped: Vec<Option<usize>>,
    /// For each sample: the iteration in which it was dropped, if it was. Samples that were no
    /// basis candidates, because they were not drawn, do not count or repeat an earlier row, are
    /// dropped in iteration 0.
    pub sample_dropped: Vec<Option<usize>>,
    /// −log p of each row when it did not train, and what it counts; nothing where they were not asked.
    pub(crate) held_losses: Vec<(f64, f64)>,
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
    fit_machines(data, settings, observer)?.pop().ok_or(Error::NumericalBreakdown)
}

/// Fits the machines of any number of classes: one for two, one for each of more, which share their
/// features and their feature weights.
pub(crate) fn fit_machines(
    data: &Dataset,
    settings: &Settings,
    observer: &mut (dyn FnMut(&Iteration) -> ControlFlow<()> + Send),
) -> Result<Vec<Fit>, Error> {
    settings.check()?;
    Stop::catch(|| whole(data, settings, observer)).unwrap_or(Err(Error::Stopped))
}

fn whole(data: &Dataset, settings: &Settings, observer: &mut Observer) -> Result<Vec<Fit>, Error> {
    let rows = data.canonical();
    let copies = Copies::of(&rows.data);
    let asked = settings.certainty != CertaintyPolicy::Off;
    let folds = if asked { copies.folds(settings.seed) } else { None };
    let observer = Mutex::new(Some(observer));
    let all_rows = || -> Result<(Vec<Fit>, Option<AllFeatures>), Error> {
        let mut watch = watch(&observer, None);
        let fits = train(&rows.data, settings, &mut watch, |run, course, scaler| {
            finish(run, course, scaler, settings, &rows, data.len())
        });
        let (fits, _) = fits.map_err(|error| rows.trace_back(error))?;
        let beside = folds.is_some() && is_over(&fits);
        let all = if beside { all_features(&fits, &rows.data, settings) } else { None };
        Ok((fits, all))
    };
    let Some(folds) = &folds else {
        return Ok(unasked(all_rows()?.0, &rows.data, settings));
    };
    let machines = if rows.data.classes() == 2 { 1 } else { rows.data.classes() };
    let size = memory::size(rows.data.x(), rows.data.x().cols());
    let at_once =
        settings.parallel && memory::side_by_side(size, (folds.len() + 1, machines), settings);
    let parts = Parts { rows: &rows.data, copies: &copies, folds, settings, observer: &observer };
    // Where they go side by side the parts are learned beside all rows; otherwise each when it is asked.
    let (all_rows, learned) = match at_once {
        true => {
            let (all_rows, learned) = rayon::join(all_rows, || parts.learned());
            (all_rows, Some(learned))
        }
        false => (all_rows(), None),
    };
    let (mut fits, all) = all_rows?;
    if !is_over(&fits) {
        return Ok(unasked(fits, &rows.data, settings));
    }
    let listed = listed(&fits, settings);
    let (machines, strongest) = (fits.len(), listed.strongest_first());
    let ask = |(number, part)| parts.held_out(number, part, (machines, &strongest));
    let held: Option<Vec<Vec<Held>>> = match learned {
        Some(learned) => learned
            .map(|learned| learned.into_par_iter().enumerate().with_max_len(1).map(ask).collect()),
        None => (0..folds.len()).map(|number| Some(ask((number, parts.learn(number)?)))).collect(),
    };
    let Some(mut held) = held else {
        fits.iter_mut().for_each(|fit| fit.termination = Termination::Cancelled);
        return Ok(fits);
    };
    if let Some(all) = &all {
        ask_all_features(&mut held, all, (&copies, folds), &mut settings.work());
    }
    Ok(judged(fits, all, (&rows.data, &copies), (&held, &listed), settings))
}

/// Whether the fit came to its end, so that it can be asked how sure it is.
fn is_over(fits: &[Fit]) -> bool {
    matches!(fits[0].termination, Termination::Converged | Termination::MaxIterations)
}

/// The fits where no rows say how the list and all features go together: both count alike.
fn unasked(mut fits: Vec<Fit>, rows: &Dataset, settings: &Settings) -> Vec<Fit> {
    if settings.goal == Goal::Accuracy
        && let Some(all) = all_features(&fits, rows, settings)
    {
        put_beside(&mut fits, &all, ALIKE, settings);
    }
    fits
}

/// What machines of all features are learned from, where they are wanted. A model of the list alone only
/// wants to know what they would bring, which rows that did not train have to tell.
fn all_features(fits: &[Fit], rows: &Dataset, settings: &Settings) -> Option<AllFeatures> {
    if settings.goal == Goal::List && settings.certainty == CertaintyPolicy::Off {
        return None;
    }
    let kind = (settings.kernel, settings.class_weights);
    AllFeatures::of(fits[0].model.scaler(), rows, kind, &mut settings.work())
}

/// Puts them beside the machines of the list, where accuracy is the goal.
fn put_beside(
    fits: &mut [Fit],
    all: &AllFeatures,
    (of_list, of_all): (f64, f64),
    settings: &Settings,
) {
    if settings.goal != Goal::Accuracy {
        return;
    }
    let machines = all.machines(of_all, &mut settings.work());
    for (fit, machine) in fits.iter_mut().zip(machines) {
        fit.model.calibrate(0.0, of_list);
        if let Some(certainty) = &mut fit.model.certainty {
            certainty.slope *= of_list;
            certainty.offset *= of_list;
        }
        fit.model.broad = Some(machine);
        let (x, weights) = all.rows();
        fit.model.widen_reach(x, weights);
    }
}

/// The features of the fits, as they are judged.
fn listed(fits: &[Fit], settings: &Settings) -> Listed {
    let model = &fits[0].model;
    Listed {
        kind: if settings.kernel == Kernel::Linear { Kind::Linear } else { Kind::Curved },
        features: model.selected_features().to_vec(),
        strengths: model.strengths(fits.len()),
        candidates: model.scaler().features().len(),
    }
}

/// The fits with what rows that did not train say of them.
fn judged(
    mut fits: Vec<Fit>,
    all: Option<AllFeatures>,
    (rows, copies): (&Dataset, &Copies),
    (held, listed): (&[Vec<Held>], &Listed),
    settings: &Settings,
) -> Vec<Fit> {
    let Settings { class_weights, seed, false_positive_rate: rate, max_false, .. } = *settings;
    let seen = Rows { data: rows, copies, class_weights, seed };
    let mut certainties = judge(&seen, held, listed, Dial { rate, max_false });
    let nothing = settings.certainty == CertaintyPolicy::On
        && certainties.iter().all(|certainty| certainty.nothing_found);
    let calibrations: Vec<Calibration> = certainties.iter().map(Calibration::of).collect();
    let pairing = pair(&seen, held, &calibrations, nothing);
    for certainty in &mut certainties {
        certainty.take(pairing.as_ref().map(|pairing| pairing.goals), settings.goal);
    }
    conclude(&mut fits, certainties, rows, settings);
    if let Some(pairing) = &pairing {
        let losses = pairing.losses_of(settings.goal);
        fits.iter_mut().for_each(|fit| fit.held_losses = losses.to_vec());
    }
    if let (Some(all), Some(pairing)) = (all, pairing)
        && (!nothing || pairing.goals.beats_chance)
    {
        put_beside(&mut fits, &all, pairing.factors, settings);
    }
    fits
}

/// What the caller sees, in the rows and columns that were given.
fn finish(
    mut run: Run,
    course: Course,
    scaler: Scaler,
    settings: &Settings,
    rows: &CanonicalRows,
    given: usize,
) -> Vec<Fit> {
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
    let models = conclusion::whole_models(&course.state, scaler, settings, &mut run.work);
    let last = run.trace.len();
    mark(&mut feature_dropped, models[0].selected_features(), last);
    for trial in &mut run.trials {
        trial.features.iter_mut().for_each(|k| *k = varying[*k]);
    }
    let one = |model: Model| {
        let mut sample_dropped = sample_dropped.clone();
        mark(&mut sample_dropped, model.selected_samples(), last);
        Fit {
            model: model.in_rows(&rows.first),
            termination: course.termination,
            log_evidence,
            log_likelihood,
            trace: run.trace.clone(),
            trials: run.trials.clone(),
            feature_dropped: feature_dropped.clone(),
            sample_dropped: rows.to_original(&sample_dropped, given, Some(0)),
            held_losses: Vec::new(),
        }
    };
    models.into_iter().map(one).collect()
}

/// Draws the consequences of what rows that did not train say.
fn conclude(fits: &mut [Fit], certainties: Vec<Certainty>, rows: &Dataset, settings: &Settings) {
    let nothing = certainties.iter().all(|certainty| certainty.nothing_found);
    if nothing && settings.certainty == CertaintyPolicy::On {
        let shares = match fits.len() {
            1 => vec![rows.log_odds_of_shares(settings.class_weights)],
            _ => rows.log_shares(settings.class_weights),
        };
        let machines = fits.iter_mut().zip(certainties).zip(shares);
        machines.for_each(|((fit, certainty), share)| fit.find_nothing(certainty, share));
        return;
    }
    for (fit, certainty) in fits.iter_mut().zip(certainties) {
        fit.model.calibrate(certainty.offset, certainty.slope);
        fit.model.certainty = Some(certainty);
    }
    let x = fits[0].model.scaler().apply(rows.x());
    let likelihood = Classes::new(rows, settings.class_weights);
    let models: Vec<Model> = fits.iter().map(|fit| fit.model.clone()).collect();
    let worth = losses_without(&models, &x, &likelihood, &settings.work());
    fits.iter_mut().for_each(|fit| fit.model.feature_worth = Some(worth.clone()));
}

impl Fit {
    /// No feature does better than chance: the shares of the classes are left.
    pub(crate) fn find_nothing(&mut self, certainty: Certainty, log_odds: f64) {
        let last = self.trace.len();
        let beats_chance = certainty.goals.is_some_and(|goals| goals.beats_chance);
        let broad = self.model.broad.take().filter(|_| beats_chance);
        self.model = self.model.of_shares(if broad.is_some() { 0.0 } else { log_odds });
        self.model.broad = broad;
        mark(&mut self.feature_dropped, &[], last);
        mark(&mut self.sample_dropped, &[], last);
        self.model.certainty = Some(certainty.without_features());
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
