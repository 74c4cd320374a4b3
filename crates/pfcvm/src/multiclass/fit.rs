//! PFCVM_LP and the panel for any number of classes.

use super::{Decided, Keeps, Machine, Multiclass, MulticlassDataset, Scheme, Task};
use crate::{
    ClassWeights, Error, Fit, Iteration, Matrix, Model, Panel, PanelRound, PanelSettings, Settings,
    fit_panel_with, fit_with,
};
use std::ops::ControlFlow;

/// Fits a model for each two-class problem of the scheme.
///
/// The settings are those of every machine. Samples in the models count in `data`, not in the
/// problem of their machine. Factors for classes belong to the data
/// ([`MulticlassDataset::with_class_factors`]) where there are more than two.
pub fn fit_multiclass(
    data: &MulticlassDataset,
    scheme: Scheme,
    settings: &Settings,
) -> Result<Multiclass<Fit>, Error> {
    fit_multiclass_with(data, scheme, settings, &|_, _| ControlFlow::Continue(()))
}

/// Fits as [`fit_multiclass`] does, showing each iteration of each problem to `observer`, which may
/// stop that machine. Machines are fitted side by side, so problems take turns in any order.
pub fn fit_multiclass_with(
    data: &MulticlassDataset,
    scheme: Scheme,
    settings: &Settings,
    observer: &(dyn Fn(Task, &Iteration) -> ControlFlow<()> + Sync),
) -> Result<Multiclass<Fit>, Error> {
    settings.check()?;
    check_weights(data, settings.class_weights)?;
    Multiclass::fit(data, scheme, |task, of_task| {
        let rows = data.task_rows(task);
        let fit = fit_with(of_task, settings, &mut |iteration| observer(task, iteration));
        fit.map(|fit| in_all_rows(fit, &rows, data.len())).map_err(|error| at_row(error, &rows))
    })
}

/// Fits a panel for each two-class problem of the scheme.
pub fn fit_multiclass_panel(
    data: &MulticlassDataset,
    scheme: Scheme,
    settings: &PanelSettings,
) -> Result<Multiclass<Panel>, Error> {
    fit_multiclass_panel_with(data, scheme, settings, &|_, _| ControlFlow::Continue(()))
}

/// Fits as [`fit_multiclass_panel`] does, showing each round of each problem to `observer`, which
/// may stop that panel.
pub fn fit_multiclass_panel_with(
    data: &MulticlassDataset,
    scheme: Scheme,
    settings: &PanelSettings,
    observer: &(dyn Fn(Task, &PanelRound) -> ControlFlow<()> + Sync),
) -> Result<Multiclass<Panel>, Error> {
    settings.check()?;
    check_weights(data, settings.class_weights)?;
    Multiclass::fit(data, scheme, |task, of_task| {
        let panel = fit_panel_with(of_task, settings, &mut |round| observer(task, round));
        panel.map_err(|error| at_row(error, &data.task_rows(task)))
    })
}

/// Two factors say nothing about a third class.
fn check_weights(data: &MulticlassDataset, weights: ClassWeights) -> Result<(), Error> {
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

    fn decide(&self, x: &Matrix) -> Result<Decided, Error> {
        let said = self.predict(x)?;
        Ok(Decided { decision: said.decision, probability: said.probability })
    }
}

impl Machine for Fit {
    type Refusal = Error;

    fn decide(&self, x: &Matrix) -> Result<Decided, Error> {
        self.model.decide(x)
    }
}

impl Machine for Panel {
    type Refusal = Error;

    fn decide(&self, x: &Matrix) -> Result<Decided, Error> {
        let said = self.predict(x)?;
        Ok(Decided { decision: said.decision, probability: said.probability })
    }
}

impl Keeps for Model {
    fn kept_features(&self) -> Vec<(usize, f64)> {
        pairs(self.feature_indices(), self.feature_weights())
    }

    fn kept_samples(&self) -> Vec<(usize, f64)> {
        pairs(self.sample_indices(), self.sample_weights())
    }
}

impl Keeps for Fit {
    fn kept_features(&self) -> Vec<(usize, f64)> {
        self.model.kept_features()
    }

    fn kept_samples(&self) -> Vec<(usize, f64)> {
        self.model.kept_samples()
    }
}

impl Keeps for Panel {
    fn kept_features(&self) -> Vec<(usize, f64)> {
        pairs(self.feature_indices(), &self.feature_weights())
    }

    fn kept_samples(&self) -> Vec<(usize, f64)> {
        Vec::new()
    }
}

fn pairs(indices: &[usize], weights: &[f64]) -> Vec<(usize, f64)> {
    indices.iter().copied().zip(weights.iter().copied()).collect()
}

impl Multiclass<Fit> {
    /// The models alone.
    pub fn into_models(self) -> Multiclass<Model> {
        self.map(|fit| fit.model)
    }
}

impl<M: Keeps> Multiclass<M> {
    /// The features that any machine keeps, as columns of the input, ascending: what prediction
    /// needs.
    pub fn needed_features(&self) -> Vec<usize> {
        let kept = self.machines().iter().flat_map(Keeps::kept_features);
        let mut needed: Vec<usize> = kept.map(|(index, _)| index).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }
}

impl Multiclass<Model> {
    /// The same for data that hold nothing but [`Multiclass::needed_features`], in their order.
    pub fn compact(&self) -> Self {
        let needed = self.needed_features();
        self.clone().map(|model| model.among(&needed))
    }
}

impl Multiclass<Panel> {
    /// The same for data that hold nothing but [`Multiclass::needed_features`], in their order.
    pub fn compact(&self) -> Self {
        let needed = self.needed_features();
        self.clone().map(|panel| panel.among(&needed))
    }
}
