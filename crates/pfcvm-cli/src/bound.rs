//! `pfcvm inspect --bound`: what the theory says of a model's errors.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::shown;
use crate::reading;
use pfcvm::theory::{Bound, BoundSettings, PriorPrecisions};
use pfcvm::{Dataset, Matrix};
use pfcvm_io::{Block, Input, ModelFile, ReadOptions, Wanted, same_class};
use serde::Serialize;
use std::fmt::{Display, Formatter, Result as Written};

/// The bound with its sum.
#[derive(Debug, Serialize)]
pub struct BoundAccount {
    #[serde(flatten)]
    parts: Bound,
    total: f64,
    /// Whether it says nothing: 1 or more.
    vacuous: bool,
    settings: BoundSettings,
    rows: usize,
}

/// The bound of a model from its training data, if it is asked for.
pub fn of(file: &ModelFile, options: &args::BoundOptions) -> Outcome<Option<BoundAccount>> {
    let Some(path) = &options.bound else { return Ok(None) };
    let [machine] = file.machines.machines() else {
        return Err(Failure::Data(
            "the bound is one for two classes; fit two of them with --classes to have it".into(),
        ));
    };
    let Some(model) = machine.model() else {
        return Err(Failure::Data(
            "a panel has no bound, because it is the mean of several machines; fit one without \
             --panel"
                .into(),
        ));
    };
    if model.broad().is_some() {
        return Err(Failure::Data(
            "a model for accuracy has no bound, because a machine of all features votes with it; fit \
             one with --goal list"
                .into(),
        ));
    }
    if model.selected_features().is_empty() {
        return Err(Failure::Data(
            "the model has no features and predicts the shares of the classes; there is nothing to \
             bound"
                .into(),
        ));
    }
    let settings = BoundSettings {
        delta: options.delta,
        margin: options.margin,
        ratio: options.ratio,
        floor: options.floor,
        // Of all features that vary: the compact model below knows only the kept ones.
        prior: PriorPrecisions {
            features: Some(model.scaler().features().len() as f64),
            ..PriorPrecisions::default()
        },
        ..BoundSettings::default()
    };
    settings.check()?;
    let data = training(file, &Input::from(path.clone()))?;
    let parts = model.compact().generalization_bound(&data, &settings)?;
    let (total, vacuous) = (parts.total(), parts.is_vacuous());
    Ok(Some(BoundAccount { parts, total, vacuous, settings, rows: data.len() }))
}

/// The kept features of the rows of both classes.
fn training(file: &ModelFile, input: &Input) -> Outcome<Dataset> {
    let how = ReadOptions { label: file.label.clone(), ..ReadOptions::default() };
    let rows = reading::open_for(file, input, &how)?;
    let wanted = Wanted { label: true, ..reading::needed(file, &rows)? };
    let (mut values, mut positive) = (Vec::new(), Vec::new());
    let take = |block: Block| -> Outcome<Block> { Ok(block) };
    rows.for_each(&wanted, take, |block, _| {
        for (row, label) in block.labels.iter().enumerate() {
            if let Some(class) = file.classes.iter().position(|class| same_class(class, label)) {
                values.push(Vec::from_iter((0..block.x.cols()).map(|k| block.x.get(row, k))));
                positive.push(class == 1);
            }
        }
        Ok(())
    })?;
    let expected = file.class_rows.as_ref().map(|rows| rows.iter().sum::<usize>());
    if positive.is_empty() || expected.is_some_and(|expected| expected != positive.len()) {
        let classes: Vec<String> =
            file.classes.iter().map(|class| format!("`{}`", shown(class))).collect();
        let expected = expected.map_or_else(|| "some".into(), |rows| rows.to_string());
        return Err(Failure::Data(format!(
            "{input}: {} rows of {} where the model was fitted on {expected}; give --bound the data \
             that it was fitted on",
            positive.len(),
            classes.join(" or ")
        )));
    }
    Ok(Dataset::new(Matrix::from_rows(&values), positive)?.with_columns(file.needed_form())?)
}

/// In words.
impl Display for BoundAccount {
    fn fmt(&self, out: &mut Formatter) -> Written {
        let Bound { margin_loss, complexity, confidence, divergence, .. } = self.parts;
        writeln!(
            out,
            "bound     {:.3} = {margin_loss:.3} margin loss + {complexity:.3} complexity + \
             {confidence:.3} confidence",
            self.total
        )?;
        writeln!(
            out,
            "          {divergence:.1} nats from the prior, {} rows, δ = {}, c = {}, r = {}, g = {}",
            self.rows,
            self.settings.delta,
            self.settings.margin,
            self.settings.ratio,
            self.settings.floor
        )?;
        let meaning = match self.vacuous {
            true => "1 or more: it says nothing about new rows; most bounds of this kind do not",
            false => {
                "by the paper's formula, the share of new rows that votes get wrong is below it"
            }
        };
        writeln!(out, "          {meaning}")
    }
}
