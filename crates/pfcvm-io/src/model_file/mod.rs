//! Model files: JSON with a schema version, holding all that prediction and inspection need.
//!
//! Nothing in a file depends on the clock: the same data, settings and seed give the same bytes.
//!
//! Schema versions, each read by every later program:
//!
//! 1. Two classes. The first.
//! 2. Two classes; adds `feature_losses`, what each selected feature is worth.
//! 3. More than two classes, several machines.
//! 4. Any number of classes: two are one machine. One form for models and panels alike.
//! 5. The same; adds `checksum` at the end, over everything before it.
//! 6. Columns of words, gaps and dates, and features of several columns: adds `columns`, which
//!    a table of numbers does without, and `missing`.
//! 7. Models for accuracy: adds `broad` to a model or panel, a machine of all features that has its say in
//!    every prediction, `goal` to the settings and `goals` to what held-out rows say. Readings of
//!    cells may be `bent` (long tails) or `known` (rare gaps among words).

mod form;
mod machine;
mod older;
mod onward;
mod problem;
mod surprise;

pub use form::{StoredColumn, TableForm};
pub use machine::{FitSettings, Fitted, FittedMachine};
pub use onward::{NewRows, Onward};
pub use problem::ModelProblem;
pub use surprise::Surprise;

use crate::{Error, Variable, checksum};
use pfcvm::data::Columns;
use pfcvm::multiclass::{Choice, Machines, Scheme, Sparse, Unlabelled};
use pfcvm::{Goal, Model, Seen};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::io::{Read, Write};
use std::ops::Not;
use std::path::Path;

/// The newest schema this version writes; it reads this one and all before it.
pub const MODEL_SCHEMA: u32 = 7;

/// What every model file says it is.
const FORMAT: &str = "pfcvm model";

/// Files of this schema and later ones must have a checksum.
const WITH_CHECKSUM: u32 = 5;

/// The largest file that is read, in bytes; models of the largest basis are below it.
const LARGEST: u64 = 4 << 30;

/// A fitted classifier of two or more classes with the names that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// The labels of the classes, as they were read.
    pub classes: Vec<String>,
    /// Whether labels are text although they look like numbers or truth values. The program need not
    /// know: for those who read the file in a language with types.
    pub labels_are_text: bool,
    /// Rows of each class; the first schema did not have them.
    pub class_rows: Option<Vec<usize>>,
    /// Name of the label column, where it had one.
    pub label: Option<String>,
    /// How the training data looked, where their columns had no names.
    pub unnamed: Option<Unnamed>,
    /// Rows of the training data as read, with those of classes that were left out.
    pub training_rows: usize,
    /// The settings of every machine's fit.
    pub settings: FitSettings,
    /// What predicts: one machine for two classes, for more as many as the scheme has.
    pub machines: Machines<FittedMachine>,
    /// Names of all features that the training data had: of columns beside the label, or of groups
    /// of them.
    pub feature_names: Vec<String>,
    /// What the columns were, where they were not all numbers and features by themselves.
    pub form: Option<TableForm>,
    /// Texts that stood for no value, beside those that always do.
    pub missing: Vec<String>,
    /// How the kernel was chosen, where nobody told it.
    pub choice: Option<Choice>,
    /// What is kept of all rows seen, where the model is to learn on.
    pub seen: Option<Seen>,
    /// What rows without labels brought, where there were some.
    pub unlabelled: Option<Unlabelled>,
}

/// The form of data whose columns have no names: what x1, x2, … mean depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unnamed {
    /// How many columns there were, with the label.
    pub columns: usize,
    /// Position of the label, from 0.
    pub label: usize,
}

/// The first look at a file: is it a model, and of which schema?
#[derive(Deserialize)]
struct Cover {
    format: String,
    schema: u32,
    checksum: Option<String>,
}

/// A file as it is written, but for its checksum.
#[derive(Serialize)]
struct Written<'a> {
    format: &'a str,
    schema: u32,
    classes: &'a [String],
    #[serde(skip_serializing_if = "Not::not")]
    labels_are_text: bool,
    class_rows: &'a Option<Vec<usize>>,
    label: &'a Option<String>,
    unnamed: &'a Option<Unnamed>,
    training_rows: usize,
    #[serde(flatten)]
    settings: &'a FitSettings,
    scheme: Scheme,
    machines: &'a [FittedMachine],
    feature_names: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<StoredColumn>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    missing: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: &'a Option<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: &'a Option<Seen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unlabelled: &'a Option<Unlabelled>,
}

/// The same as it is read.
#[derive(Deserialize)]
struct Found {
    classes: Vec<String>,
    #[serde(default)]
    labels_are_text: bool,
    class_rows: Option<Vec<usize>>,
    label: Option<String>,
    unnamed: Option<Unnamed>,
    training_rows: usize,
    #[serde(flatten)]
    settings: FitSettings,
    scheme: Scheme,
    machines: Vec<FittedMachine>,
    feature_names: Vec<String>,
    columns: Option<Vec<StoredColumn>>,
    #[serde(default)]
    missing: Vec<String>,
    #[serde(default)]
    choice: Option<Choice>,
    #[serde(default)]
    seen: Option<Seen>,
    #[serde(default)]
    unlabelled: Option<Unlabelled>,
}

impl TryFrom<Found> for ModelFile {
    type Error = String;

    fn try_from(found: Found) -> Result<Self, String> {
        let machines = Machines::new(found.scheme, found.classes.len(), found.machines)?;
        let Found { classes, class_rows, label, unnamed, training_rows, .. } = found;
        let Found {
            labels_are_text,
            settings,
            feature_names,
            missing,
            choice,
            seen,
            unlabelled,
            ..
        } = found;
        let form = found.columns.map(TableForm::restored).transpose()?;
        Ok(Self {
            classes,
            labels_are_text,
            class_rows,
            label,
            unnamed,
            training_rows,
            settings,
            machines,
            feature_names,
            form,
            missing,
            choice,
            seen,
            unlabelled,
        })
    }
}

impl ModelFile {
    /// Reads and checks a model file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read_file(path.as_ref(), true)
    }

    /// Reads a model file that was changed on purpose: its checksum is not looked at, everything else
    /// is checked.
    pub fn read_unchecked(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read_file(path.as_ref(), false)
    }

    fn read_file(path: &Path, checked: bool) -> Result<Self, Error> {
        let file = std::fs::File::open(path).map_err(ModelProblem::Unreadable);
        // One that is too large need not be read to know it.
        let length = |file: &std::fs::File| file.metadata().map_or(0, |known| known.len());
        let text = file.and_then(|file| match length(&file) > LARGEST {
            true => Err(ModelProblem::TooLarge),
            false => text_of(file, LARGEST),
        });
        text.and_then(|text| Self::parse(&text, checked)).map_err(|problem| Error::Model {
            path: path.display().to_string(),
            problem: Box::new(problem),
        })
    }

    /// Reads and checks a model from anywhere.
    pub fn read_from(source: impl Read) -> Result<Self, ModelProblem> {
        Self::parse(&text_of(source, LARGEST)?, true)
    }

    fn parse(text: &[u8], checked: bool) -> Result<Self, ModelProblem> {
        let cover = cover(text)?;
        let file = match cover.schema {
            1 | 2 => content::<older::TwoClasses>(text),
            3 => content::<older::Several>(text),
            _ => content::<Found>(text),
        };
        let file = file.and_then(|file| file.check().map(|()| file));
        let file = file.map_err(ModelProblem::Damaged)?;
        // Last, because anything else that is wrong says more about where.
        let summed = cover.checksum.is_some() || cover.schema >= WITH_CHECKSUM;
        match checked && summed && !checksum::fits(text) {
            true => Err(ModelProblem::Changed),
            false => Ok(file),
        }
    }

    /// Writes the model as it is stored in a file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let written = Written {
            format: FORMAT,
            schema: MODEL_SCHEMA,
            classes: &self.classes,
            labels_are_text: self.labels_are_text,
            class_rows: &self.class_rows,
            label: &self.label,
            unnamed: &self.unnamed,
            training_rows: self.training_rows,
            settings: &self.settings,
            scheme: self.machines.scheme(),
            machines: self.machines.machines(),
            feature_names: &self.feature_names,
            columns: self.form.as_ref().map(TableForm::stored),
            missing: &self.missing,
            choice: &self.choice,
            seen: &self.seen,
            unlabelled: &self.unlabelled,
        };
        let mut text = serde_json::to_vec(&written)?;
        checksum::seal(&mut text);
        text.push(b'\n');
        out.write_all(&text)
    }

    /// An object with its checksum, whatever is in it; for checks.
    #[cfg(any(debug_assertions, fuzzing))]
    pub(crate) fn sealed(object: &serde_json::Value) -> Option<Vec<u8>> {
        let mut text = serde_json::to_vec(object).ok()?;
        checksum::seal(&mut text);
        Some(text)
    }

    /// Refuses names and rows that do not fit the machines.
    fn check(&self) -> Result<(), String> {
        check_names("classes", &self.classes)?;
        check_names("features", &self.feature_names)?;
        self.settings.check().map_err(|error| error.to_string())?;
        let count = |what: &str, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(format!("{found} {what} where {expected} belong")),
        };
        count("class names", self.classes.len(), self.machines.classes())?;
        if let Some(rows) = &self.class_rows {
            count("numbers of rows", rows.len(), self.classes.len())?;
            let sum = rows.iter().try_fold(0usize, |sum, rows| sum.checked_add(*rows));
            let sum = sum.ok_or("more rows than can be counted")?;
            if sum > self.training_rows {
                return Err(format!("{sum} rows of classes, of {} rows", self.training_rows));
            }
        }
        let columns = self.columns();
        count("feature names", self.feature_names.len(), columns.features())?;
        if let Some(seen) = &self.seen {
            count("columns of kept rows", seen.columns(), columns.inputs())?;
            count("classes of kept rows", seen.class_rows().len(), self.classes.len())?;
            count("rows seen", seen.total(), self.rows_used())?;
        }
        let what = if self.form.is_some() { "columns" } else { "feature names" };
        for machine in self.machines.machines() {
            count(what, columns.inputs(), machine.scaler().inputs())?;
            if machine.panel().is_some() != self.settings.is_panel() {
                return Err("settings that belong to another kind of machine".into());
            }
            if machine.uses_all_features() && self.settings.goal() == Goal::List {
                return Err("a machine of all features in a model of a list".into());
            }
            if let (Some(panel), FitSettings::Panel(settings)) = (machine.panel(), &self.settings) {
                panel.check_settings(settings)?;
            }
            let samples = machine.model().map_or(0, |model| model.selected_samples().len());
            count("rows of selected samples", machine.sample_rows.len(), samples)?;
            if machine.sample_rows.iter().any(|row| *row >= self.training_rows) {
                return Err(format!("a selected sample beyond the {} rows", self.training_rows));
            }
        }
        Ok(())
    }

    /// Rows that were learned from.
    pub fn rows_used(&self) -> usize {
        self.class_rows.as_ref().map_or(self.training_rows, |rows| rows.iter().sum())
    }

    /// Share of the rows that were told right when they did not train, where that is known of all classes.
    pub fn held_out_accuracy(&self) -> Option<f64> {
        let of_all = || self.machines.certainty()?.held_out.map(|[accuracy, ..]| accuracy);
        match self.machines.machines() {
            [only] => only.certainty().map(|certainty| certainty.accuracy),
            _ => of_all(),
        }
    }

    /// What the columns of the training data were for the fit.
    pub fn columns(&self) -> Columns {
        match &self.form {
            Some(form) => form.columns().clone(),
            None => Columns::numbers(self.feature_names.len()),
        }
    }

    /// What the columns of the training data were called and held.
    pub fn variables(&self) -> Vec<Variable> {
        match &self.form {
            Some(form) => form.variables().to_vec(),
            None => self.feature_names.iter().map(Variable::number).collect(),
        }
    }

    /// The features that prediction needs, by name.
    pub fn needed_features(&self) -> Vec<String> {
        let columns = self.columns();
        let needed = self.machines.needed_columns().into_iter();
        let needed = BTreeSet::from_iter(needed.map(|at| columns.feature_of(at)));
        needed.into_iter().map(|index| self.feature_names[index].clone()).collect()
    }

    /// The columns that prediction needs, in the order of [`ModelFile::predictor`].
    pub fn needed_columns(&self) -> Vec<Variable> {
        let variables = self.variables();
        self.machines.needed_columns().into_iter().map(|at| variables[at].clone()).collect()
    }

    /// What the needed columns are for a fit.
    pub fn needed_form(&self) -> Columns {
        let (columns, needed) = (self.columns(), self.machines.needed_columns());
        let mut features: Vec<usize> = needed.iter().map(|at| columns.feature_of(*at)).collect();
        let mut known: Vec<usize> = Vec::new();
        for feature in &mut features {
            let at = known.iter().position(|known| known == feature);
            *feature = at.unwrap_or_else(|| {
                known.push(*feature);
                known.len() - 1
            });
        }
        let kinds = needed.iter().map(|at| columns.kind(*at)).collect();
        Columns::new(kinds).grouped(&features).unwrap_or_else(|_| Columns::numbers(needed.len()))
    }

    /// What predicts from rows that hold nothing but [`ModelFile::needed_columns`], in their
    /// order.
    pub fn predictor(&self) -> Machines<FittedMachine> {
        self.machines.compact()
    }

    /// Whether the model can tell how far rows are from the samples that it remembers.
    pub fn tells_novelty(&self) -> bool {
        let model = |machine: &FittedMachine| machine.model().is_some_and(Model::tells_novelty);
        self.machines.machines().iter().any(model)
    }

    /// Columns of the training data that vary in no machine's rows, by name.
    pub fn constant_features(&self) -> Vec<String> {
        let variables = self.variables();
        let mut varies = vec![false; variables.len()];
        for machine in self.machines.machines() {
            machine.scaler().columns().iter().for_each(|&column| varies[column] = true);
        }
        let names = variables.into_iter().zip(varies);
        names.filter(|(_, varies)| !varies).map(|(variable, _)| variable.name).collect()
    }
}

/// All of a file, unless it is no model at all or has more bytes than the largest.
fn text_of(source: impl Read, largest: u64) -> Result<Vec<u8>, ModelProblem> {
    const START: u64 = 1 << 16;
    let mut text = Vec::new();
    let mut source = source.take(largest.saturating_add(1));
    let mut more = |text: &mut Vec<u8>, count: u64| {
        source.by_ref().take(count).read_to_end(text).map_err(ModelProblem::Unreadable)
    };
    let begins = more(&mut text, START)? as u64 == START;
    if begins && text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(ModelProblem::Other("it does not begin with `{`".into()));
    }
    more(&mut text, u64::MAX)?;
    match text.len() as u64 > largest {
        true => Err(ModelProblem::TooLarge),
        false => Ok(text),
    }
}

/// What a model that this version reads says it is.
fn cover(text: &[u8]) -> Result<Cover, ModelProblem> {
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(ModelProblem::Other("it is empty".into()));
    }
    let cover: Cover = serde_json::from_slice(text).map_err(|error| {
        // An end within a number or a word is told as a mistake in the last place there is.
        let lines = text.split(|byte| *byte == b'\n');
        let (last, length) =
            lines.enumerate().last().map_or((0, 0), |(at, line)| (at + 1, line.len()));
        let at_the_end = error.line() == last && error.column() + 1 >= length;
        if error.is_eof() || (error.is_syntax() && at_the_end && text[0] == b'{') {
            return ModelProblem::CutOff { line: error.line(), column: error.column() };
        }
        ModelProblem::Other(error.to_string())
    })?;
    if cover.format != FORMAT {
        let format: String = cover.format.chars().take(40).collect();
        return Err(ModelProblem::Other(format!("its format is {format:?}")));
    }
    match cover.schema {
        0 => Err(ModelProblem::Damaged("there is no schema 0".into())),
        found if found > MODEL_SCHEMA => Err(ModelProblem::NewerSchema { found }),
        _ => Ok(cover),
    }
}

/// What a file holds, in the form of its schema.
fn content<C>(text: &[u8]) -> Result<ModelFile, String>
where
    C: DeserializeOwned,
    ModelFile: TryFrom<C, Error = String>,
{
    serde_json::from_slice::<C>(text).map_err(|error| error.to_string())?.try_into()
}

/// Refuses names that are empty or come twice.
fn check_names(what: &str, names: &[String]) -> Result<(), String> {
    let mut seen = HashMap::new();
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err("a class or a feature without a name".into());
        }
        if let Some(before) = seen.insert(name, at) {
            return Err(format!("{what} {before} and {at} are both called `{name}`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that nobody knows the length of, and that may have no end, is read up to the limit.
    #[test]
    fn no_more_than_the_largest_model_is_read() {
        let model = |length: u64| b"{".chain(std::io::repeat(b' ')).take(length);
        for largest in [1 << 10, 1 << 17] {
            assert_eq!(text_of(model(largest), largest).unwrap().len() as u64, largest);
            for length in [largest + 1, u64::MAX] {
                let problem = text_of(model(length), largest).unwrap_err();
                assert!(matches!(problem, ModelProblem::TooLarge), "{length}: {problem}");
            }
        }
        let problem = text_of(std::io::repeat(b'x'), 1 << 20).unwrap_err();
        assert!(problem.to_string().contains("does not begin"), "{problem}");
    }
}
