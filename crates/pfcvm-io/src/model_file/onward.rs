//! New rows for a model that learns on: put beside the rows that it kept, and looked at before they are
//! learned from.

use super::{FitSettings, ModelFile, Surprise};
use crate::error::shown;
use crate::{Content, Variable, same_class};
use pfcvm::data::Columns;
use pfcvm::multiclass::{Dataset, found_again};
use pfcvm::settings::Auto;
use pfcvm::{Matrix, Seen};

/// New rows as they were read.
#[derive(Debug)]
pub struct NewRows<'a> {
    /// Their cells.
    pub x: &'a Matrix,
    /// What the columns are called and hold.
    pub variables: &'a [Variable],
    /// The class of each row, as a place among the names.
    pub codes: Vec<usize>,
    /// These names.
    pub classes: &'a [String],
    /// How many samples each row counts for.
    pub weights: Option<Vec<f64>>,
    /// Whether classes that the model does not know are learned.
    pub new_classes: bool,
}

/// What a model learns on from.
#[derive(Debug)]
pub struct Onward {
    /// Kept rows and new ones.
    pub data: Dataset,
    /// Which of all rows ever seen these are, and how many they stand for.
    pub seen: Seen,
    /// What the columns are called and hold; words may have become more.
    pub variables: Vec<Variable>,
    /// What the model said of the new rows before it learned from them.
    pub surprise: Surprise,
    /// What is worth knowing, a sentence each.
    pub notes: Vec<String>,
}

impl ModelFile {
    /// The settings to learn on with. A kernel, or a panel, that was found out is found out again, because the
    /// first rows may have been too few to tell; so is how many samples are kept, where that is what goes with
    /// it.
    pub fn settings_onward(&self) -> FitSettings {
        match (self.settings.clone(), &self.choice) {
            (FitSettings::Single(mut settings), Some(_)) => {
                let samples = settings.samples == settings.goal.samples(settings.kernel);
                settings.auto = Auto { kernel: true, samples };
                FitSettings::Single(settings)
            }
            (FitSettings::Panel(settings), Some(choice)) if choice.panel => {
                FitSettings::Single(Box::new(found_again(&settings)))
            }
            (settings, _) => settings,
        }
    }

    /// Kept rows and new ones together; in words what does not fit. With a half-life, what was seen before
    /// fades by half while so many rows are seen, and at once where the rule has turned.
    pub fn onward(&self, new: NewRows<'_>, half_life: Option<f64>) -> Result<Onward, String> {
        let Some(seen) = self.seen.clone() else {
            return Err(
                "the model keeps no rows to learn on from; fit it with --keep-rows (keep_rows in \
                        Python and R)"
                    .into(),
            );
        };
        let mut notes = Vec::new();
        let (x, variables) = self.aligned(&new, &mut notes)?;
        let classes = self.with_new_classes(&new, &mut notes)?;
        let place = |name: &String| classes.iter().position(|known| same_class(known, name));
        let places: Vec<usize> = new.classes.iter().filter_map(place).collect();
        let codes: Vec<usize> = new.codes.iter().map(|&code| places[code]).collect();
        let surprise = self.surprise(&x, &codes)?;
        notes.extend(surprise.in_words(half_life.is_some()));

        let refused = |error: pfcvm::Error| error.to_string();
        let old = self.columns();
        let feature_of: Vec<usize> = (0..variables.len()).map(|at| old.feature_of(at)).collect();
        let kinds = variables.iter().map(Variable::kind).collect();
        let columns = Columns::new(kinds).grouped(&feature_of).map_err(refused)?;
        let mut batch = Dataset::new(x, codes, classes.clone()).map_err(refused)?;
        if let Some(weights) = new.weights {
            batch = batch.with_sample_weights(weights).map_err(refused)?;
        }
        let same: Vec<usize> = (0..self.classes.len()).collect();
        let mut seen = seen.in_classes(&same, classes.len());
        if half_life.is_some() && surprise.turned {
            seen.fade();
        }
        seen.see(&batch, half_life, self.settings.seed());
        let said = self.machines.predict(&seen.x()).map_err(refused)?;
        let own = seen.classes().iter().enumerate();
        let own = own.map(|(row, &class)| said.row(row).get(class).copied().unwrap_or(0.0));
        seen.told(&Vec::from_iter(own));
        let data = seen.data(columns, classes).map_err(refused)?;
        Ok(Onward { data, seen, variables, surprise, notes })
    }

    /// New cells under the columns of the training data: found by name, words by their levels, of which
    /// there may be new ones. A column that is not there is all gaps.
    fn aligned(
        &self,
        new: &NewRows<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(Matrix, Vec<Variable>), String> {
        let mut variables = self.variables();
        let mut x = Matrix::zeros(new.x.rows(), variables.len());
        let mut missing = Vec::new();
        for (at, variable) in variables.iter_mut().enumerate() {
            let Some(from) = new.variables.iter().position(|found| found.name == variable.name)
            else {
                x.column_mut(at).fill(f64::NAN);
                missing.push(shown(variable.name.as_bytes()));
                continue;
            };
            x.column_mut(at).copy_from_slice(new.x.column(from));
            let gaps_only = new.x.column(from).iter().all(|cell| cell.is_nan());
            match (&mut variable.content, &new.variables[from].content) {
                _ if gaps_only => {}
                (Content::Words(levels), Content::Words(found)) => {
                    let more = levels.take_in(found);
                    if more > 0 {
                        let name = shown(variable.name.as_bytes());
                        notes.push(format!("column `{name}`: {more} new words are learned"));
                    }
                    let codes = levels.codes(found.names());
                    for cell in x.column_mut(at).iter_mut().filter(|cell| !cell.is_nan()) {
                        let code = codes.get(*cell as usize).copied().flatten();
                        *cell = code.unwrap_or(f64::NAN);
                    }
                }
                (Content::Number, Content::Number)
                | (Content::Date { .. }, Content::Date { .. }) => {}
                (known, found) => {
                    let (name, known, found) =
                        (shown(variable.name.as_bytes()), in_words(known), in_words(found));
                    return Err(format!(
                        "column `{name}` held {known} in the training data and holds {found} here; give \
                         it the same kind"
                    ));
                }
            }
        }
        if missing.len() * 2 > variables.len() {
            return Err(format!(
                "{} of the {} columns that the model was fitted on are not there (`{}` is one); give data \
                 like those it was fitted on",
                missing.len(),
                variables.len(),
                missing[0]
            ));
        }
        if let Some(first) = missing.first() {
            let (count, first) = (missing.len(), first);
            notes.push(match count {
                1 => format!("column `{first}` is not there: its values are gaps"),
                _ => format!(
                    "{count} columns are not there, `{first}` is one: their values are gaps"
                ),
            });
        }
        let strangers = new
            .variables
            .iter()
            .filter(|found| variables.iter().all(|variable| variable.name != found.name));
        match strangers.count() {
            0 => {}
            1 => notes.push("a column that the model does not know is left out".into()),
            more => notes.push(format!("{more} columns that the model does not know are left out")),
        }
        Ok((x, variables))
    }

    /// The classes of the model, and new ones behind them.
    fn with_new_classes(
        &self,
        new: &NewRows<'_>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<String>, String> {
        let mut classes = self.classes.clone();
        for (code, name) in new.classes.iter().enumerate() {
            if classes.iter().any(|known| same_class(known, name)) {
                continue;
            }
            let said = shown(name.as_bytes());
            let Some(row) = new.codes.iter().position(|found| *found == code) else { continue };
            if !new.new_classes {
                return Err(format!(
                    "row {} has the label `{said}`, which the model does not know; mend the label, or \
                     learn it with --new-classes",
                    row + 1
                ));
            }
            let rows = new.codes.iter().filter(|found| **found == code).count();
            notes.push(format!("`{said}` is a new class, of {rows} rows"));
            classes.push(name.clone());
        }
        Ok(classes)
    }
}

fn in_words(content: &Content) -> &'static str {
    match content {
        Content::Number => "numbers",
        Content::Date { .. } => "dates",
        Content::Words(_) => "words",
    }
}
