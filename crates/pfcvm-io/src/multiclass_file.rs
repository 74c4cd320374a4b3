//! Model files of more than two classes: several machines and the names that belong to them.

use crate::Unnamed;
use crate::model_file::{MODEL_SCHEMA, check_names, write_stored};
use pfcvm::{Model, Multiclass, Panel, PanelSettings, Settings, Termination};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// Fitted machines with the names that belong to them. [`StoredModel`](crate::StoredModel) reads
/// one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MulticlassFile {
    /// The labels of the classes, as they were read.
    pub classes: Vec<String>,
    /// Rows of each class.
    pub class_rows: Vec<usize>,
    /// Name of the label column, where it had one.
    pub label: Option<String>,
    /// How the training data looked, where their columns had no names.
    pub unnamed: Option<Unnamed>,
    /// How the fit of each machine ended.
    pub endings: Vec<Ending>,
    /// What was fitted. Kept samples are rows of the training data, from 0.
    #[serde(flatten)]
    pub fitted: MulticlassFitted,
    /// Names of all columns that the training data had beside the label.
    pub feature_names: Vec<String>,
}

/// How the fit of a machine ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// How.
    pub termination: Termination,
    /// After how many iterations, or rounds of a panel.
    pub iterations: usize,
    /// Log evidence of the last one.
    pub log_evidence: f64,
}

/// What was fitted, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub enum MulticlassFitted {
    /// A model for each machine.
    #[serde(rename = "multiclass")]
    Models {
        /// The settings of every fit.
        settings: Box<Settings>,
        /// What predicts.
        machines: Multiclass<Model>,
    },
    /// A panel for each machine.
    #[serde(rename = "multiclass_panel")]
    Panels {
        /// The settings of every fit.
        settings: Box<PanelSettings>,
        /// What predicts.
        machines: Multiclass<Panel>,
    },
}

impl MulticlassFile {
    /// Writes the model as it is stored in a file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        write_stored(MODEL_SCHEMA, self, out)
    }

    /// Refuses names that do not fit the machines.
    pub(crate) fn check(&self) -> Result<(), String> {
        check_names("classes", &self.classes)?;
        check_names("features", &self.feature_names)?;
        let (settings, classes, machines) = match &self.fitted {
            MulticlassFitted::Models { settings, machines } => {
                (settings.check(), machines.classes(), machines.machines().len())
            }
            MulticlassFitted::Panels { settings, machines } => {
                (settings.check(), machines.classes(), machines.machines().len())
            }
        };
        settings.map_err(|error| error.to_string())?;
        let count = |what: &str, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(format!("{found} {what} where {expected} belong")),
        };
        count("class names", self.classes.len(), classes)?;
        count("numbers of rows", self.class_rows.len(), classes)?;
        count("endings", self.endings.len(), machines)?;
        let features = self.feature_names.len();
        let rows = self.class_rows.iter().try_fold(0usize, |sum, rows| sum.checked_add(*rows));
        let rows = rows.ok_or("more rows than can be counted")?;
        match &self.fitted {
            MulticlassFitted::Models { machines, .. } => {
                for model in machines.machines() {
                    count("feature names", features, model.scaler().inputs())?;
                    if model.sample_indices().iter().any(|row| *row >= rows) {
                        return Err(format!("a kept sample beyond the {rows} rows"));
                    }
                }
            }
            MulticlassFitted::Panels { machines, .. } => {
                for panel in machines.machines() {
                    count("feature names", features, panel.scaler().inputs())?;
                }
            }
        }
        Ok(())
    }

    /// Rows that were learned from.
    pub fn rows(&self) -> usize {
        self.class_rows.iter().sum()
    }

    /// The features that prediction needs, by name, in the order of the compact machines.
    pub fn needed_features(&self) -> Vec<String> {
        let indices = match &self.fitted {
            MulticlassFitted::Models { machines, .. } => machines.needed_features(),
            MulticlassFitted::Panels { machines, .. } => machines.needed_features(),
        };
        indices.into_iter().map(|index| self.feature_names[index].clone()).collect()
    }
}
