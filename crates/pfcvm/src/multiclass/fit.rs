//! PFCVM_LP and the panel for any number of classes.

use super::together::nothing_found;
use super::{Answer, Dataset, Machine, Machines, Scheme, Sparse, Task};
use crate::certainty::Certainty;
use crate::panel::{Panel, PanelRound, PanelSettings};
use crate::settings::{CertaintyPolicy, SamplePolicy};
use crate::{ClassWeights, Error, Fit, Iteration, Kernel, Matrix, Model, Settings};
use std::ops::ControlFlow;

/// Fits a model for each two-class problem of the scheme, or for all classes at once; the machines tell
/// which it was, because in the linear kernel with more features than samples the joint scheme is
/// taken class by class.
///
/// The settings are those of every machine. Samples in the models count in `data`, not in the
/// problem of their machine. Factors for classes belong to the data
/// ([`Dataset::with_class_factors`]) where there are more than two.
pub fn fit(data: &Dataset, scheme: Scheme, settings: &Settings) -> Result<Machines<Fit>, Error> {
    fit_with(data, scheme, settings, &|_, _| ControlFlow::Continue(()))
}

/// Fits as [`fit`] does, showing each iteration of each problem to `observer`, which may
/// stop that machine. Machines are fitted side by side, so problems take turns in any order.
pub fn fit_with(
    data: &Dataset,
    scheme: Scheme,
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<Machines<Fit>, Error> {
    settings.check()?;
    check_weights(data, settings.class_weights)?;
    let scheme = scheme_of_fit(data, scheme, settings);
    if scheme == Scheme::Joint && data.class_names().len() > 2 {
        return fit_joint(data, settings, observer);
    }
    let together = verdict_together(data, scheme, settings.certainty);
    let own = Settings { certainty: together.of_one, ..settings.clone() };
    let fitted = Machines::fit(data, scheme, |task, of_task| {
        let rows = data.task_rows(task);
        let fit = crate::fit_with(of_task, &own, &mut |iteration| observer(task, iteration));
        let fit = fit.map(|fit| in_all_rows(fit, &rows, data.len()));
        let share = of_task.log_odds_of_shares(settings.class_weights);
        fit.map(|fit| (fit, share)).map_err(|error| at_row(error, &rows))
    })?;
    let certainties = fitted.machines().iter().map(|(fit, _)| fit.model.certainty());
    let nothing = together.decides && nothing_found(&Vec::from_iter(certainties));
    Ok(fitted.map(|(mut fit, share)| {
        if nothing && let Some(certainty) = fit.model.certainty().cloned() {
            fit.find_nothing(certainty, share);
        }
        fit
    }))
}

/// What a fit does: in the linear kernel, where there are more features than samples, one list for all
/// classes is too short for each, and every class against the rest does better (`docs/research.md`).
fn scheme_of_fit(data: &Dataset, scheme: Scheme, settings: &Settings) -> Scheme {
    let wide = data.columns().features() > data.len();
    // Where a short list is asked for, one list is what is asked for.
    let short = settings.kernel == Kernel::Linear && wide && settings.size.is_none();
    if scheme == Scheme::Joint && short { Scheme::OneVsRest } else { scheme }
}

/// Fits the machines of all classes at once. Iterations are shown as those of the first class.
///
/// Few samples are had as frozen ones are, thinned out once the features are settled: judged again on
/// the way, features fall that other classes need (`docs/research.md`).
fn fit_joint(
    data: &Dataset,
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<Machines<Fit>, Error> {
    let first = Scheme::Joint.tasks(data.class_names().len())[0];
    let (rows, order) = in_order(data)?;
    let mut settings = settings.clone();
    if settings.samples == SamplePolicy::Few && settings.kernel != Kernel::Linear {
        settings.samples = SamplePolicy::Frozen;
    }
    let mut watch = |iteration: &Iteration| observer(first, iteration);
    let mut fits = crate::fit::fit_machines(&rows, &settings, &mut watch)?;
    for certainty in fits.iter_mut().filter_map(|fit| fit.model.certainty.as_mut()) {
        certainty.name_pairs(&order);
    }
    by_class(fits, &order)
}

/// Makes the panels of all classes at once, with one list. Rounds are shown as those of the first class.
fn fit_panels_jointly(
    data: &Dataset,
    settings: &PanelSettings,
    observer: &(dyn Fn(Task, &PanelRound) -> ControlFlow<()> + Sync),
) -> Result<Machines<Panel>, Error> {
    let first = Scheme::Joint.tasks(data.class_names().len())[0];
    let (rows, order) = in_order(data)?;
    let mut watch = |round: &PanelRound| observer(first, round);
    let mut panels = crate::panel::fit_panels(&rows, settings, &mut watch)?;
    for certainty in panels.iter_mut().filter_map(Panel::certainty_mut) {
        certainty.name_pairs(&order);
    }
    by_class(panels, &order)
}

/// The samples with all their classes, and these in the order in which their machines take turns:
/// which is first must not depend on what the classes are called.
fn in_order(data: &Dataset) -> Result<(crate::Dataset, Vec<usize>), Error> {
    data.check_classes()?;
    let classes = data.class_names().len();
    let first = Scheme::Joint.tasks(classes)[0];
    let rows = data.task_data(first)?.in_classes(data.codes().to_vec(), classes);
    let order = order_of_classes(&rows);
    let place = |class: &usize| order.iter().position(|c| c == class).unwrap_or(*class);
    let codes = data.codes().iter().map(place).collect();
    Ok((rows.in_classes(codes, classes), order))
}

/// Machines that took turns, in the order of the classes.
fn by_class<M>(machines: Vec<M>, order: &[usize]) -> Result<Machines<M>, Error> {
    let mut named: Vec<(usize, M)> = order.iter().copied().zip(machines).collect();
    named.sort_by_key(|(class, _)| *class);
    let machines = named.into_iter().map(|(_, machine)| machine).collect();
    Machines::new(Scheme::Joint, order.len(), machines).map_err(|_| Error::NumericalBreakdown)
}

/// The classes in the order in which they are first seen among the rows sorted by their values.
fn order_of_classes(rows: &crate::Dataset) -> Vec<usize> {
    let mut order = Vec::with_capacity(rows.classes());
    for &class in rows.canonical().data.class() {
        if !order.contains(&class) {
            order.push(class);
        }
    }
    // Classes without a row that counts were refused before.
    order.extend((0..rows.classes()).filter(|class| !order.contains(class)).collect::<Vec<_>>());
    order
}

/// Who says whether anything was found.
struct Verdicts {
    /// What each machine is told.
    of_one: CertaintyPolicy,
    /// Whether the machines decide together, each listing what it has until then.
    decides: bool,
}

/// Several machines are asked together: of twenty that find nothing, one would say that it does.
fn verdict_together(data: &Dataset, scheme: Scheme, policy: CertaintyPolicy) -> Verdicts {
    let several = scheme.tasks(data.class_names().len()).len() > 1;
    let decides = several && policy == CertaintyPolicy::On;
    Verdicts { of_one: if decides { CertaintyPolicy::Insist } else { policy }, decides }
}

/// Fits a panel for each two-class problem of the scheme, or those of all classes at once, with one list.
pub fn fit_panel(
    data: &Dataset,
    scheme: Scheme,
    settings: &PanelSettings,
) -> Result<Machines<Panel>, Error> {
    fit_panel_with(data, scheme, settings, &|_, _| ControlFlow::Continue(()))
}

/// Fits as [`fit_panel`] does, showing each round of each problem to `observer`, which
/// may stop that panel.
pub fn fit_panel_with(
    data: &Dataset,
    scheme: Scheme,
    settings: &PanelSettings,
    observer: &(dyn Fn(Task, &PanelRound) -> ControlFlow<()> + Sync),
) -> Result<Machines<Panel>, Error> {
    settings.check()?;
    check_weights(data, settings.class_weights)?;
    if scheme == Scheme::Joint && data.class_names().len() > 2 {
        return fit_panels_jointly(data, settings, observer);
    }
    let together = verdict_together(data, scheme, settings.certainty);
    let own = PanelSettings { certainty: together.of_one, ..settings.clone() };
    let fitted = Machines::fit(data, scheme, |task, of_task| {
        let panel = crate::panel::fit_panel_with(of_task, &own, &mut |round| observer(task, round));
        let share = of_task.log_odds_of_shares(settings.class_weights);
        let panel = panel.map(|panel| (panel, share));
        panel.map_err(|error| at_row(error, &data.task_rows(task)))
    })?;
    let certainties = fitted.machines().iter().map(|(panel, _)| panel.certainty());
    let nothing = together.decides && nothing_found(&Vec::from_iter(certainties));
    Ok(fitted.map(|(panel, share)| match panel.certainty() {
        Some(certainty) if nothing => panel.find_nothing(share, certainty.clone()),
        _ => panel,
    }))
}

/// Two factors say nothing about a third class.
fn check_weights(data: &Dataset, weights: ClassWeights) -> Result<(), Error> {
    let classes = data.class_names().len();
    match weights {
        ClassWeights::Given { .. } if classes > 2 => {
            Err(Error::Length { what: "class weights", found: 2, expected: classes })
        }
        _ => Ok(()),
    }
}

/// A fit on some rows, with its samples numbered as rows of all data.
fn in_all_rows(mut fit: Fit, rows: &[usize], all: usize) -> Fit {
    fit.model.samples.iter_mut().for_each(|sample| *sample = rows[*sample]);
    // Samples of other classes were no candidates.
    let mut dropped = vec![Some(0); all];
    for (&row, of_row) in rows.iter().zip(&fit.sample_dropped) {
        dropped[row] = *of_row;
    }
    fit.sample_dropped = dropped;
    fit
}

/// An error about a row of some rows, with its number among all.
fn at_row(error: Error, rows: &[usize]) -> Error {
    match error {
        Error::TooLargeValue { row, col, value } => {
            Error::TooLargeValue { row: rows[row], col, value }
        }
        other => other,
    }
}

impl Machine for Model {
    type Refusal = Error;

    fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
        let said = self.predict(x)?;
        let variance = Some(said.variance);
        Ok(Answer { decision: said.decision, variance, probability: said.probability })
    }
}

impl Machine for Fit {
    type Refusal = Error;

    fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
        self.model.answer(x)
    }
}

impl Machine for Panel {
    type Refusal = Error;

    fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
        let said = self.predict(x)?;
        let variance = Some(said.variance);
        Ok(Answer { decision: said.decision, variance, probability: said.probability })
    }
}

impl Sparse for Model {
    fn weighted_features(&self) -> Vec<(usize, f64)> {
        pairs(self.selected_features(), self.feature_weights())
    }

    fn weighted_samples(&self) -> Vec<(usize, f64)> {
        pairs(self.selected_samples(), self.sample_weights())
    }

    fn certainty(&self) -> Option<&Certainty> {
        Model::certainty(self)
    }

    fn novelty(&self, x: &Matrix) -> Result<Option<Vec<f64>>, Error> {
        Model::novelty(self, x)
    }

    fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
        Model::directions(self, x)
    }

    fn needed_columns(&self) -> Vec<usize> {
        Model::needed_columns(self)
    }

    fn among(&self, columns: &[usize]) -> Self {
        Model::among(self, columns)
    }
}

impl Sparse for Panel {
    fn weighted_features(&self) -> Vec<(usize, f64)> {
        pairs(self.selected_features(), &self.feature_weights())
    }

    fn weighted_samples(&self) -> Vec<(usize, f64)> {
        Vec::new()
    }

    fn certainty(&self) -> Option<&Certainty> {
        Panel::certainty(self)
    }

    fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
        Panel::directions(self, x)
    }

    fn needed_columns(&self) -> Vec<usize> {
        Panel::needed_columns(self)
    }

    fn among(&self, columns: &[usize]) -> Self {
        Panel::among(self, columns)
    }
}

fn pairs(indices: &[usize], weights: &[f64]) -> Vec<(usize, f64)> {
    indices.iter().copied().zip(weights.iter().copied()).collect()
}

impl Machines<Fit> {
    /// The models alone.
    pub fn into_models(self) -> Machines<Model> {
        self.map(|fit| fit.model)
    }
}
