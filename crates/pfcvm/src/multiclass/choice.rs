//! Which kernel suits the data, where nobody says.
//!
//! With more features than samples a straight boundary is all that can be learned, and the linear kernel is
//! taken. Otherwise the curved one is, unless another is clearly better on rows that did not train: the
//! same parts of the rows are held out for all, so that their losses are compared row by row. A
//! difference counts from [`CLEAR`] standard errors on, because choosing by less costs more than it
//! brings (`docs/research.md`). With many more features than samples a list is the business of a panel.

use super::{Dataset, Machines, Scheme, Task, fit_with, large};
use crate::panel::PanelSettings;
use crate::settings::{Auto, CertaintyPolicy};
use crate::{Error, Fit, Iteration, Kernel, Settings};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Standard errors from which on a difference is clear.
pub(super) const CLEAR: f64 = 2.0;
/// With so many times as many features as samples a panel is more than a single fit.
const MANY_TIMES: usize = 5;
/// What the curved kernel is compared with.
const OTHERS: [Kernel; 1] = [Kernel::Linear];

/// Why a kernel was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// There are more features than samples.
    MoreFeaturesThanSamples,
    /// It is what is taken where nothing speaks clearly against it.
    NoClearDifference,
    /// It is clearly better than what is taken otherwise.
    ClearlyBetter,
}

/// A kernel that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tried {
    /// The kernel.
    pub kernel: Kernel,
    /// Mean −log p of rows that did not train.
    pub log_loss: f64,
    /// By how much this is above that of the first kernel.
    pub above_first: f64,
    /// The standard error of that, row by row.
    pub above_first_error: f64,
}

/// A kernel that was chosen from the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Choice {
    /// The kernel.
    pub kernel: Kernel,
    /// Why.
    pub reason: Reason,
    /// What was compared, the kernel that is taken otherwise first; nothing where nothing had to be.
    pub tried: Vec<Tried>,
}

/// Fits as [`fit_with`] does, with what [`Settings::auto`] asks for found out from the data. Gives the
/// settings that were taken in the end, and how the kernel was chosen if it was.
pub fn fit_choosing(
    data: &Dataset,
    scheme: Scheme,
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<(Machines<Fit>, Settings, Option<Choice>), Error> {
    if large::is_large(data, scheme, settings) {
        return large::fit(data, settings, observer);
    }
    let with = |kernel: Kernel| {
        let samples = match settings.auto.samples {
            true => settings.goal.samples(kernel, data.len()),
            false => settings.samples,
        };
        Settings { kernel, samples, auto: Auto::default(), ..settings.clone() }
    };
    if !settings.auto.kernel {
        let settings = with(settings.kernel);
        return Ok((fit_with(data, scheme, &settings, observer)?, settings, None));
    }
    let fit = |kernel: Kernel| fit_with(data, scheme, &with(kernel), observer);
    let (fits, choice) = choose(data, settings, fit)?;
    Ok((fits, with(choice.kernel), Some(choice)))
}

/// A [panel](crate::panel) in place of a single fit, where all is to be found out and features are so many more
/// than samples that a single fit would depend on a few of these; and how it was chosen.
pub fn panel_instead(data: &Dataset, settings: &Settings) -> Option<(PanelSettings, Choice)> {
    let told = settings.auto != Auto { kernel: true, samples: true } || settings.size.is_some();
    if told || data.columns().features() < MANY_TIMES * data.len() {
        return None;
    }
    let panel = PanelSettings {
        false_positive_rate: settings.false_positive_rate,
        max_false: settings.max_false,
        certainty: settings.certainty,
        goal: settings.goal,
        standardise: settings.standardise,
        class_weights: settings.class_weights,
        memory_limit_mib: settings.memory_limit_mib,
        seed: settings.seed,
        parallel: settings.parallel,
        stop: settings.stop.clone(),
        ..PanelSettings::default()
    };
    let (kernel, reason) = (Kernel::Linear, Reason::MoreFeaturesThanSamples);
    Some((panel, Choice { kernel, reason, tried: Vec::new() }))
}

fn choose(
    data: &Dataset,
    settings: &Settings,
    fit: impl Fn(Kernel) -> Result<Machines<Fit>, Error>,
) -> Result<(Machines<Fit>, Choice), Error> {
    let taken = |kernel, reason| Choice { kernel, reason, tried: Vec::new() };
    if data.columns().features() > data.len() {
        let choice = taken(Kernel::Linear, Reason::MoreFeaturesThanSamples);
        return Ok((fit(choice.kernel)?, choice));
    }
    let first = fit(Kernel::Rbf)?;
    let mut choice = taken(Kernel::Rbf, Reason::NoClearDifference);
    if settings.certainty == CertaintyPolicy::Off {
        return Ok((first, choice));
    }
    choice.tried.extend(Tried::of(Kernel::Rbf, &first, &first));
    let mut best = None;
    for kernel in OTHERS {
        // What cannot be had is not better.
        let Ok(other) = fit(kernel) else { continue };
        let Some(tried) = Tried::of(kernel, &other, &first) else { continue };
        choice.tried.push(tried);
        let clear = tried.above_first < -CLEAR * tried.above_first_error;
        let least = best.as_ref().is_none_or(|(_, least): &(_, f64)| tried.above_first < *least);
        if clear && least {
            choice = Choice { kernel, reason: Reason::ClearlyBetter, ..choice };
            best = Some((other, tried.above_first));
        }
    }
    Ok((best.map_or(first, |(other, _)| other), choice))
}

impl Tried {
    /// Nothing where the same rows were not held out.
    fn of(kernel: Kernel, fits: &Machines<Fit>, first: &Machines<Fit>) -> Option<Self> {
        let rows = |fits: &Machines<Fit>| -> Vec<(f64, f64)> {
            // Machines that share a row of probabilities have the same losses.
            let once = if fits.scheme() == Scheme::Joint { 1 } else { fits.machines().len() };
            fits.machines().iter().take(once).flat_map(|fit| fit.held_losses.clone()).collect()
        };
        let (own, first) = (rows(fits), rows(first));
        let same = !own.is_empty() && own.len() == first.len();
        same.then(|| Self::between(kernel, &own, &first))
    }

    /// From −log p of the same rows, and what each of them counts.
    pub(super) fn between(kernel: Kernel, own: &[(f64, f64)], first: &[(f64, f64)]) -> Self {
        let total: f64 = own.iter().map(|(_, weight)| weight).sum();
        let mean = |values: &dyn Fn(usize) -> f64| -> f64 {
            (0..own.len()).map(|i| own[i].1 * values(i)).sum::<f64>() / total
        };
        let difference = |i: usize| own[i].0 - first[i].0;
        let above_first = mean(&difference);
        let square = |i: usize| own[i].1 * (difference(i) - above_first).powi(2);
        Self {
            kernel,
            log_loss: mean(&|i| own[i].0),
            above_first,
            above_first_error: (mean(&square) / total).sqrt(),
        }
    }
}
