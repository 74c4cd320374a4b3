//! From a table to a model file, by one fit or a panel: what `fit` and `demo` share.

use crate::account::Step;
use crate::failure::{Failure, Outcome};
use crate::progress;
use crate::reading::LabelColumn;
use crate::words::shown;
use pfcvm::{Dataset, Fit, Matrix, Panel, PanelSettings, Settings, fit_panel_with, fit_with};
use pfcvm_io::{Fitted, Listed, ModelFile, Single};
use std::ops::ControlFlow;
use std::time::Instant;

/// What to fit.
pub enum Choice {
    Single(Settings),
    Panel(PanelSettings),
}

/// Training data with the names that belong to them.
pub struct Training {
    pub data: Dataset,
    /// Rows of `data` as rows of the file; nothing: the same.
    pub rows: Option<Vec<usize>>,
    pub file_rows: usize,
    pub classes: [String; 2],
    pub label: LabelColumn,
    pub feature_names: Vec<String>,
}

/// A fitted model with what happened on the way.
pub struct Learned {
    pub file: ModelFile,
    pub trace: Vec<Step>,
    pub seconds: f64,
}

/// Fits, with a line on the terminal that follows.
pub fn learn(training: Training, choice: Choice) -> Outcome<Learned> {
    let line = progress::fitting();
    let names = training.feature_names.clone();
    let start = Instant::now();
    let result = match choice {
        Choice::Single(settings) => {
            let (samples, features) = (training.data.len(), training.data.x().cols());
            line.set_message(format!("starting with {samples} samples, {features} features"));
            let fit = fit_with(&training.data, &settings, &mut |iteration| {
                line.set_message(format!(
                    "iteration {}: {} samples, {} features",
                    iteration.number, iteration.samples, iteration.features
                ));
                ControlFlow::Continue(())
            });
            fit.map(|fit| of_single(training, settings, fit))
        }
        Choice::Panel(settings) => {
            line.set_message("round 1: all features");
            let panel = fit_panel_with(&training.data, &settings, &mut |round| {
                line.set_message(format!("round {}: {} features", round.number, round.features));
                ControlFlow::Continue(())
            });
            panel.map(|panel| of_panel(training, settings, panel))
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    line.finish_and_clear();
    let (file, trace) = result.map_err(|error| in_words(error, &names))?;
    Ok(Learned { file, trace, seconds })
}

/// What the library refuses, in terms of the file and the command line.
pub fn in_words(error: pfcvm::Error, names: &[String]) -> Failure {
    match error {
        pfcvm::Error::TooLargeValue { row, col, value } => Failure::Data(format!(
            "row {} of the data, column `{}`: {value:e} is too large to use as it is; leave out \
             --no-standardise",
            row + 1,
            shown(&names[col])
        )),
        pfcvm::Error::TooFewInClass { positive, negative, needed } => Failure::Data(format!(
            "the classes have {negative} and {positive} rows, and at least {needed} of each are \
             needed here"
        )),
        pfcvm::Error::Machine { machine, source } => match in_words(*source, names) {
            Failure::Data(message) => Failure::Data(format!("{machine}: {message}")),
            other => other,
        },
        other => other.into(),
    }
}

fn of_single(training: Training, settings: Settings, fit: Fit) -> (ModelFile, Vec<Step>) {
    let in_file = |row: &usize| training.rows.as_ref().map_or(*row, |rows| rows[*row]);
    let file = ModelFile {
        sample_rows: fit.model.sample_indices().iter().map(in_file).collect(),
        classes: training.classes,
        label: training.label.name,
        unnamed: training.label.unnamed,
        class_rows: Some(class_rows(&training.data)),
        training_rows: training.file_rows,
        termination: fit.termination,
        iterations: fit.trace.len(),
        log_evidence: fit.log_evidence,
        fitted: Fitted::Single(Box::new(Single { settings, model: fit.model })),
        feature_names: training.feature_names,
    };
    (file, fit.trace.into_iter().map(Step::Iteration).collect())
}

fn of_panel(training: Training, settings: PanelSettings, panel: Panel) -> (ModelFile, Vec<Step>) {
    let rounds = panel.rounds().to_vec();
    let file = ModelFile {
        sample_rows: Vec::new(),
        classes: training.classes,
        label: training.label.name,
        unnamed: training.label.unnamed,
        class_rows: Some(class_rows(&training.data)),
        training_rows: training.file_rows,
        termination: panel.termination(),
        iterations: rounds.len(),
        log_evidence: rounds.last().map_or(0.0, |last| last.log_evidence),
        fitted: Fitted::Panel(Box::new(Listed { settings, panel })),
        feature_names: training.feature_names,
    };
    (file, rounds.into_iter().map(Step::Round).collect())
}

fn class_rows(data: &Dataset) -> [usize; 2] {
    let positive = data.positive().iter().filter(|positive| **positive).count();
    [data.len() - positive, positive]
}

/// Columns of the training data that never vary, by name.
pub fn constant_features(file: &ModelFile) -> Vec<String> {
    let scaler = match &file.fitted {
        Fitted::Single(single) => single.model.scaler(),
        Fitted::Panel(listed) => listed.panel.scaler(),
    };
    let varies = |index: &usize| scaler.columns().binary_search(index).is_ok();
    let constant = (0..file.feature_names.len()).filter(|index| !varies(index));
    constant.map(|index| file.feature_names[index].clone()).collect()
}

/// A fitted model that asks for its needed features only, in their order.
pub enum Predictor {
    Single(pfcvm::Model),
    Panel(pfcvm::Panel),
}

/// Decision value, its variance and the probability of the positive class for each row.
pub struct Predicted {
    pub decision: Vec<f64>,
    pub variance: Vec<f64>,
    pub probability: Vec<f64>,
}

impl Predictor {
    pub fn new(file: &ModelFile) -> Self {
        match &file.fitted {
            Fitted::Single(single) => Predictor::Single(single.model.compact()),
            Fitted::Panel(listed) => Predictor::Panel(listed.panel.compact()),
        }
    }

    pub fn predict(&self, x: &Matrix) -> Result<Predicted, pfcvm::Error> {
        Ok(match self {
            Predictor::Single(model) => {
                let all = model.predict(x)?;
                let (decision, variance) = (all.decision, all.variance);
                Predicted { decision, variance, probability: all.probability }
            }
            Predictor::Panel(panel) => {
                let all = panel.predict(x)?;
                let (decision, variance) = (all.decision, all.variance);
                Predicted { decision, variance, probability: all.probability }
            }
        })
    }
}
