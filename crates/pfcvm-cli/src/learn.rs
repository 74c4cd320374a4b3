//! From training data to a model file: what `fit` and `demo` share.

use crate::failure::{Failure, Outcome};
use crate::output::shown;
use crate::progress;
use crate::reading::LabelColumn;
use pfcvm::multiclass::{
    self, Choice, Found, Joined, Machines, Scheme, Task, advise, beside_unlabelled, panel_instead,
    with_unlabelled,
};
use pfcvm::panel::PanelRound;
use pfcvm::{Iteration, Matrix};
use pfcvm_io::{Course, FitSettings, FittedMachine, ModelFile, TableForm, Variable};
use std::ops::ControlFlow;
use std::time::Instant;

/// Training data with the names that belong to them.
pub struct Training {
    pub data: multiclass::Dataset,
    /// Rows of `data` as rows of the file.
    pub rows: Vec<usize>,
    pub file_rows: usize,
    pub label: LabelColumn,
    pub feature_names: Vec<String>,
    /// What the columns are called and hold.
    pub variables: Vec<Variable>,
    /// What stood for no value, beside what always does.
    pub missing: Vec<String>,
    /// Rows without labels, if there are any.
    pub unlabelled: Option<Matrix>,
}

/// A fitted model with what happened on the way.
pub struct Learned {
    pub file: ModelFile,
    /// For each machine, how its fit went.
    pub courses: Vec<Course>,
    pub seconds: f64,
    /// What is worth knowing of the data.
    pub advice: Vec<String>,
}

/// Fits, with a line on the terminal that follows.
pub fn learn(training: Training, scheme: Scheme, mut settings: FitSettings) -> Outcome<Learned> {
    let Training {
        data,
        mut rows,
        mut file_rows,
        label,
        feature_names,
        variables,
        missing,
        unlabelled,
    } = training;
    let class_rows = data.class_counts();
    let line = progress::fitting();
    // Of machines that learn together, and of one, nobody asks which it is.
    let together = scheme == Scheme::Joint;
    let alone = together || data.class_names().len() < 3;
    line.set_message(format!(
        "starting with {} rows, {} features",
        data.len(),
        feature_names.len()
    ));
    let tell = |task: Task, words: String| {
        line.set_message(match alone {
            true => words,
            false => format!("{}: {words}", task.name(data.class_names())),
        });
        ControlFlow::Continue(())
    };
    let start = Instant::now();
    let mut found = None;
    let mut joined = None;
    // A panel that was asked for has none of them.
    if let (Some(x), FitSettings::Single(told)) = (&unlabelled, &settings) {
        line.set_message("comparing fits with and without the rows that have no label");
        let helped = with_unlabelled(&data, x, scheme, told, panel_instead(&data, told).as_ref());
        let (worth, with) = helped.map_err(|error| in_words(error, &variables))?;
        if with.is_some() {
            settings = FitSettings::Single(Box::new(beside_unlabelled(told)));
        }
        (found, joined) = (Some(worth), with);
    }
    if let Some(Joined { rows: among, .. }) = &joined {
        let in_file = |row: usize| rows.get(row).copied().unwrap_or(file_rows + row - rows.len());
        rows = among.iter().map(|&row| in_file(row)).collect();
        file_rows += unlabelled.as_ref().map_or(0, Matrix::rows);
    }
    let labelled = &data;
    let data = joined.as_ref().map_or(labelled, |joined| &joined.data);
    let of_fit = |task: Task, now: &Iteration| {
        let (number, samples, features) = (now.number, now.samples, now.features);
        // Parts are checked side by side, so the line goes from one to another and back.
        let part = now.fold.map(|part| format!("checking on held-out rows, part {part}: "));
        let part = part.unwrap_or_default();
        tell(task, format!("{part}iteration {number}: {samples} samples, {features} features"))
    };
    let of_panel = |task: Task, round: &PanelRound| {
        tell(task, format!("round {}: {} features", round.number, round.features))
    };
    let fitted = match &settings {
        FitSettings::Single(settings) if joined.is_some() => {
            multiclass::fit_choosing(data, scheme, settings, &of_fit)
                .map(|(fits, taken, choice)| (Found::Single(fits, taken), choice))
        }
        FitSettings::Single(settings) => {
            multiclass::fit_or_panel(data, scheme, settings, &of_fit, &of_panel)
        }
        FitSettings::Panel(settings) => {
            multiclass::fit_panel_with(data, scheme, settings, &of_panel)
                .map(|panels| (Found::Panel(panels, (**settings).clone()), None))
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    line.finish_and_clear();
    let (fitted, choice) = fitted.map_err(|error| in_words(error, &variables))?;
    let (fitted, settings) = match fitted {
        Found::Single(fits, settings) => {
            let machines = fits.map(|fit| {
                let course = Course::of_fit(&fit);
                (FittedMachine::of_fit(fit, |row| rows[row]), course)
            });
            (machines, FitSettings::Single(Box::new(settings)))
        }
        Found::Panel(panels, settings) => {
            let machines = panels.map(|panel| {
                let course = Course::of_panel(&panel);
                (FittedMachine::of_panel(panel), course)
            });
            (machines, FitSettings::Panel(Box::new(settings)))
        }
    };
    let about = About { label, file_rows, settings, feature_names, variables, missing, choice };
    let (mut file, courses) = about.file(data, class_rows, fitted);
    file.unlabelled = found;
    let named = |column: usize| shown(&about.variables[column].name).to_string();
    let held_out = file.held_out_accuracy();
    let advice = advise(labelled, held_out).iter().map(|advice| advice.in_words(named)).collect();
    Ok(Learned { file, courses, seconds, advice })
}

/// What a model file says beside what was fitted.
pub struct About {
    pub label: LabelColumn,
    pub file_rows: usize,
    pub settings: FitSettings,
    pub feature_names: Vec<String>,
    pub variables: Vec<Variable>,
    pub missing: Vec<String>,
    pub choice: Option<Choice>,
}

impl About {
    /// The file, and how each machine's fit went; `data` has its classes and columns.
    pub fn file(
        &self,
        data: &multiclass::Dataset,
        class_rows: Vec<usize>,
        fitted: Machines<(FittedMachine, Course)>,
    ) -> (ModelFile, Vec<Course>) {
        let mut courses = Vec::new();
        let machines = fitted.map(|(machine, course)| {
            courses.push(course);
            machine
        });
        let file = ModelFile {
            classes: data.class_names().to_vec(),
            labels_are_text: false,
            class_rows: Some(class_rows),
            label: self.label.name.clone(),
            unnamed: self.label.unnamed,
            training_rows: self.file_rows,
            settings: self.settings.clone(),
            machines,
            feature_names: self.feature_names.clone(),
            form: TableForm::of(&self.variables, data.columns()),
            missing: self.missing.clone(),
            choice: self.choice.clone(),
            seen: None,
            unlabelled: None,
        };
        (file, courses)
    }
}

/// What the library refuses, in terms of the file and the command line.
pub fn in_words(error: pfcvm::Error, variables: &[Variable]) -> Failure {
    match error {
        pfcvm::Error::TooLargeValue { row, col, value } => Failure::Data(format!(
            "row {} of the data, column `{}`: {value:e} is too large to use as it is; leave out \
             --no-standardise",
            row + 1,
            shown(&variables[col].name)
        )),
        pfcvm::Error::TooFewInClass { positive, negative, needed } => Failure::Data(format!(
            "the classes have {negative} and {positive} rows, and at least {needed} of each are \
             needed here"
        )),
        pfcvm::Error::Machine { machine, source } => match in_words(*source, variables) {
            Failure::Data(message) => Failure::Data(format!("{machine}: {message}")),
            other => other,
        },
        other => other.into(),
    }
}
