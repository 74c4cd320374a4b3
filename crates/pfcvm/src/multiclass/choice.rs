//! Which form suits the data, where nobody says.
//!
//! The curved kernel is taken, unless the straight one is clearly better on rows that did not train. With more
//! features than samples a panel is taken, unless a single fit with the curved kernel is clearly better, which
//! is not asked where features are many times as many. Who wants a single fit all the same has the two kernels
//! compared as above.
//!
//! The same parts of the rows are held out for all, so that losses are compared row by row. A difference counts
//! from [`CLEAR`] standard errors on, because choosing by less costs more than it brings
//! (`docs/research.md`).

use super::{Dataset, Machines, Scheme, Task, fit_panel_with, fit_with, large};
use crate::panel::{Panel, PanelRound, PanelSettings};
use crate::settings::{Auto, CertaintyPolicy};
use crate::{Error, Fit, Iteration, Kernel, Settings, memory};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Standard errors from which on a difference is clear.
const CLEAR: f64 = 2.0;
/// With so many times as many features as samples a panel is compared with nothing.
const MANY_TIMES: usize = 5;
/// With more features than samples no curved boundary is looked for that would cost more than so many
/// operations an iteration.
const CURVED_FLOPS: f64 = 1e9;
/// Samples that an iteration weighs, about.
const WEIGHED: usize = 500;

/// Why a form was taken.
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

/// A form that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tried {
    /// The kernel.
    pub kernel: Kernel,
    /// Whether it is a panel.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panel: bool,
    /// Mean −log p of rows that did not train.
    pub log_loss: f64,
    /// By how much this is above that of the first form.
    pub above_first: f64,
    /// The standard error of that, row by row.
    pub above_first_error: f64,
}

/// A form that was chosen from the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Choice {
    /// The kernel.
    pub kernel: Kernel,
    /// Whether it is a panel.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panel: bool,
    /// Why.
    pub reason: Reason,
    /// What was compared, what is taken otherwise first; nothing where nothing had to be.
    pub tried: Vec<Tried>,
}

/// A single fit or a panel, whichever suits the data, with the settings that were taken.
#[derive(Clone, Debug)]
pub enum Found {
    /// A single fit.
    Single(Machines<Fit>, Settings),
    /// A panel.
    Panel(Machines<Panel>, PanelSettings),
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
    if !settings.auto.kernel {
        let settings = with_kernel(settings, settings.kernel);
        return Ok((fit_with(data, scheme, &settings, observer)?, settings, None));
    }
    let fit = |kernel: Kernel| fit_with(data, scheme, &with_kernel(settings, kernel), observer);
    let (fits, choice) = choose(data, settings, fit)?;
    Ok((fits, with_kernel(settings, choice.kernel), Some(choice)))
}

/// Fits as [`fit_choosing`] does, or makes a panel, where [one may take its place](panel_instead).
pub fn fit_or_panel(
    data: &Dataset,
    scheme: Scheme,
    settings: &Settings,
    of_fit: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
    of_panel: &(dyn Fn(Task, &PanelRound) -> ControlFlow<()> + Sync),
) -> Result<(Found, Option<Choice>), Error> {
    let Some(panel) = panel_instead(data, settings) else {
        let (fits, settings, choice) = fit_choosing(data, scheme, settings, of_fit)?;
        return Ok((Found::Single(fits, settings), choice));
    };
    let first = fit_panel_with(data, scheme, &panel, of_panel)?;
    let mut choice = Choice {
        kernel: Kernel::Linear,
        panel: true,
        reason: Reason::MoreFeaturesThanSamples,
        tried: Vec::new(),
    };
    let of_first = losses(&first, |panel| &panel.held_losses);
    let many = data.columns().features() >= MANY_TIMES * data.len();
    if !many && may_be_curved(data) && !of_first.is_empty() {
        let curved = with_kernel(settings, Kernel::Rbf);
        // What cannot be had is not better.
        let other = fit_with(data, scheme, &curved, of_fit).ok();
        let of_other = other.as_ref().map(|other| losses(other, |fit| &fit.held_losses));
        if let (Some(other), Some(of_other)) = (other, of_other)
            && of_other.len() == of_first.len()
        {
            let of_panel = Tried::between(Kernel::Linear, &of_first, &of_first);
            let tried = Tried::between(Kernel::Rbf, &of_other, &of_first);
            choice.tried = vec![Tried { panel: true, ..of_panel }, tried];
            if tried.is_clearly_better() {
                let (kernel, reason) = (Kernel::Rbf, Reason::ClearlyBetter);
                let choice = Choice { kernel, panel: false, reason, ..choice };
                return Ok((Found::Single(other, curved), Some(choice)));
            }
        }
    }
    Ok((Found::Panel(first, panel), Some(choice)))
}

/// The settings of a [panel](crate::panel) that may take the place of a single fit: all is to be found out, and
/// there are more features than samples, so that a single fit would depend on a few of these.
pub fn panel_instead(data: &Dataset, settings: &Settings) -> Option<PanelSettings> {
    let told = settings.auto != Auto { kernel: true, samples: true } || settings.size.is_some();
    if told || data.columns().features() <= data.len() {
        return None;
    }
    Some(PanelSettings {
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
    })
}

/// The settings under which such a panel is made again, or a single fit in its place.
pub fn found_again(panel: &PanelSettings) -> Settings {
    Settings {
        auto: Auto { kernel: true, samples: true },
        false_positive_rate: panel.false_positive_rate,
        max_false: panel.max_false,
        certainty: panel.certainty,
        goal: panel.goal,
        standardise: panel.standardise,
        class_weights: panel.class_weights,
        memory_limit_mib: panel.memory_limit_mib,
        seed: panel.seed,
        parallel: panel.parallel,
        stop: panel.stop.clone(),
        ..Settings::default()
    }
}

/// The settings with this kernel, and as many samples as suit it where that is to be found out.
fn with_kernel(settings: &Settings, kernel: Kernel) -> Settings {
    let samples = match settings.auto.samples {
        true => settings.goal.samples(kernel),
        false => settings.samples,
    };
    Settings { kernel, samples, auto: Auto::default(), ..settings.clone() }
}

/// Whether a curved boundary can be looked for.
fn may_be_curved(data: &Dataset) -> bool {
    let (rows, features) = (data.len(), data.columns().features());
    let flops = rows as f64 * rows.min(WEIGHED) as f64 * features as f64;
    features <= rows || flops <= CURVED_FLOPS
}

fn choose(
    data: &Dataset,
    settings: &Settings,
    fit: impl Fn(Kernel) -> Result<Machines<Fit>, Error> + Sync,
) -> Result<(Machines<Fit>, Choice), Error> {
    let taken = |kernel, reason| Choice { kernel, panel: false, reason, tried: Vec::new() };
    if !may_be_curved(data) {
        let choice = taken(Kernel::Linear, Reason::MoreFeaturesThanSamples);
        return Ok((fit(choice.kernel)?, choice));
    }
    let mut choice = taken(Kernel::Rbf, Reason::NoClearDifference);
    if settings.certainty == CertaintyPolicy::Off {
        return Ok((fit(Kernel::Rbf)?, choice));
    }
    let size = memory::size(data.x(), data.x().cols());
    let classes = data.class_names().len();
    let machines = if classes == 2 { 1 } else { classes };
    let at_once = settings.parallel && memory::side_by_side(size, (2, machines), settings);
    let (first, other) = match at_once {
        true => rayon::join(|| fit(Kernel::Rbf), || fit(Kernel::Linear)),
        false => (fit(Kernel::Rbf), fit(Kernel::Linear)),
    };
    let first = first?;
    choice.tried.extend(Tried::of(Kernel::Rbf, &first, &first));
    // What cannot be had is not better.
    let Some((other, tried)) =
        other.ok().and_then(|other| Tried::of(Kernel::Linear, &other, &first).map(|t| (other, t)))
    else {
        return Ok((first, choice));
    };
    choice.tried.push(tried);
    match tried.is_clearly_better() {
        true => {
            Ok((other, Choice { kernel: Kernel::Linear, reason: Reason::ClearlyBetter, ..choice }))
        }
        false => Ok((first, choice)),
    }
}

/// −log p of the rows that did not train, of all machines.
fn losses<M>(machines: &Machines<M>, of: impl Fn(&M) -> &Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    // Machines that share a row of probabilities have the same losses.
    let once = if machines.scheme() == Scheme::Joint { 1 } else { machines.machines().len() };
    machines.machines().iter().take(once).flat_map(|machine| of(machine).clone()).collect()
}

impl Tried {
    /// Nothing where the same rows were not held out.
    fn of(kernel: Kernel, fits: &Machines<Fit>, first: &Machines<Fit>) -> Option<Self> {
        let rows = |fits| losses(fits, |fit: &Fit| &fit.held_losses);
        let (own, first) = (rows(fits), rows(first));
        let same = !own.is_empty() && own.len() == first.len();
        same.then(|| Self::between(kernel, &own, &first))
    }

    pub(super) fn is_clearly_better(&self) -> bool {
        self.above_first < -CLEAR * self.above_first_error
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
            panel: false,
            log_loss: mean(&|i| own[i].0),
            above_first,
            above_first_error: (mean(&square) / total).sqrt(),
        }
    }
}
