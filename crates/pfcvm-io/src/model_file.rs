//! Model files: JSON with a schema version, holding all that prediction and inspection need.
//!
//! Nothing in a file depends on the clock: the same data, settings and seed give the same bytes.
//!
//! Schema versions, each read by every later program:
//!
//! 1. The first.
//! 2. Adds `feature_losses`, what each kept feature is worth.
//! 3. Several machines for more than two classes ([`MulticlassFile`]). Models of two classes are as
//!    before and still say 2, so that programs before this one read them.

use crate::{Error, MulticlassFile};
use pfcvm::{Model, Panel, PanelSettings, Settings, Termination};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;

/// The newest schema this version writes; it reads this one and all before it.
pub const MODEL_SCHEMA: u32 = 3;

/// The schema of models of two classes.
const TWO_CLASSES: u32 = 2;

/// What every model file says it is.
pub(crate) const FORMAT: &str = "pfcvm model";

/// A fitted classifier with the names that belong to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The label of the negative class and that of the positive class, as they were read.
    pub classes: [String; 2],
    /// Name of the label column, where it had one.
    pub label: Option<String>,
    /// Rows of the negative and of the positive class.
    #[serde(default)]
    pub class_rows: Option<[usize; 2]>,
    /// How the training data looked, where their columns had no names.
    #[serde(default)]
    pub unnamed: Option<Unnamed>,
    /// Rows of the training data as read, with those of other classes.
    pub training_rows: usize,
    /// The kept samples as rows of the training data as read, from 0, in the model's order; none
    /// for a panel.
    pub sample_rows: Vec<usize>,
    /// How the fit ended.
    pub termination: Termination,
    /// How many iterations it took.
    pub iterations: usize,
    /// Log evidence of the last one (for a panel: summed over its members).
    pub log_evidence: f64,
    /// What was fitted.
    #[serde(flatten)]
    pub fitted: Fitted,
    /// Names of all columns that the training data had beside the label.
    pub feature_names: Vec<String>,
}

/// The form of data whose columns have no names: what x1, x2, … mean depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unnamed {
    /// How many columns there were, with the label.
    pub columns: usize,
    /// Position of the label, from 0.
    pub label: usize,
}

/// What was fitted, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fitted {
    /// One model.
    Single(Box<Single>),
    /// A panel.
    Panel(Box<Listed>),
}

/// A model and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Single {
    /// The settings of the fit.
    pub settings: Settings,
    /// What predicts.
    pub model: Model,
}

/// A panel and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    /// The settings of the fit.
    pub settings: PanelSettings,
    /// What predicts.
    pub panel: Panel,
}

/// What is wrong with a model file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelProblem {
    /// It cannot be opened or read.
    #[error("cannot be read ({0})")]
    Unreadable(std::io::Error),
    /// It ends too early.
    #[error(
        "the model file is cut off at line {line}, column {column}; write it again with `pfcvm fit`"
    )]
    CutOff {
        /// Line of the end, from 1.
        line: usize,
        /// Column of the end.
        column: usize,
    },
    /// It is something else.
    #[error("this is not a pfcvm model file ({0}); `pfcvm fit DATA --model FILE` writes one")]
    Other(String),
    /// It was written by a later version.
    #[error(
        "the model file has schema {found} and this version reads schemas 1 to {MODEL_SCHEMA}; use the version of pfcvm that wrote it, or a newer one"
    )]
    NewerSchema {
        /// The schema found.
        found: u32,
    },
    /// It holds more than two classes where two were expected.
    #[error("the model file holds a model of more than two classes, and one of two is needed here")]
    Multiclass,
    /// Its parts do not fit together.
    #[error("the model file is damaged: {0}")]
    Damaged(String),
}

/// The first look at a file: is it a model, and of which schema?
#[derive(Deserialize)]
struct Cover {
    format: String,
    schema: u32,
    #[serde(default)]
    kind: serde_json::Value,
}

impl Cover {
    fn is_multiclass(&self) -> bool {
        self.kind.as_str().is_some_and(|kind| kind.starts_with("multiclass"))
    }
}

/// A model file of either kind.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredModel {
    /// Of two classes.
    TwoClasses(Box<ModelFile>),
    /// Of more.
    Multiclass(Box<MulticlassFile>),
}

impl StoredModel {
    /// Reads and checks a model file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let in_file =
            |problem| Error::Model { path: path.display().to_string(), problem: Box::new(problem) };
        let text = std::fs::read(path).map_err(ModelProblem::Unreadable).map_err(in_file)?;
        Self::parse(&text).map_err(in_file)
    }

    /// Reads and checks a model from anywhere.
    pub fn read_from(mut source: impl Read) -> Result<Self, ModelProblem> {
        let mut text = Vec::new();
        source.read_to_end(&mut text).map_err(ModelProblem::Unreadable)?;
        Self::parse(&text)
    }

    /// Writes the model as it is stored in a file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        match self {
            StoredModel::TwoClasses(file) => file.write(out),
            StoredModel::Multiclass(file) => file.write(out),
        }
    }

    fn parse(text: &[u8]) -> Result<Self, ModelProblem> {
        Ok(match cover(text)?.is_multiclass() {
            false => StoredModel::TwoClasses(Box::new(ModelFile::parse(text)?)),
            true => {
                let file: MulticlassFile = serde_json::from_slice(text)
                    .map_err(|error| ModelProblem::Damaged(error.to_string()))?;
                file.check().map_err(ModelProblem::Damaged)?;
                StoredModel::Multiclass(Box::new(file))
            }
        })
    }
}

/// Looks whether the text is a model that this version reads.
fn cover(text: &[u8]) -> Result<Cover, ModelProblem> {
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(ModelProblem::Other("it is empty".into()));
    }
    let cover: Cover = serde_json::from_slice(text).map_err(|error| {
        if error.is_eof() {
            return ModelProblem::CutOff { line: error.line(), column: error.column() };
        }
        ModelProblem::Other(error.to_string())
    })?;
    if cover.format != FORMAT {
        let format: String = cover.format.chars().take(40).collect();
        return Err(ModelProblem::Other(format!("its format is {format:?}")));
    }
    if cover.schema > MODEL_SCHEMA {
        return Err(ModelProblem::NewerSchema { found: cover.schema });
    }
    if cover.schema == 0 {
        return Err(ModelProblem::Damaged("there is no schema 0".into()));
    }
    Ok(cover)
}

/// A file as it is written.
#[derive(Serialize)]
struct Written<'a, C> {
    format: &'a str,
    schema: u32,
    #[serde(flatten)]
    content: &'a C,
}

/// Writes what is stored in a file, under its schema.
pub(crate) fn write_stored(
    schema: u32,
    content: &impl Serialize,
    out: &mut impl Write,
) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, &Written { format: FORMAT, schema, content })?;
    out.write_all(b"\n")
}

/// Refuses names that are empty or come twice.
pub(crate) fn check_names(what: &str, names: &[String]) -> Result<(), String> {
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

impl ModelFile {
    /// Reads and checks a model file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let in_file =
            |problem| Error::Model { path: path.display().to_string(), problem: Box::new(problem) };
        let text = std::fs::read(path).map_err(ModelProblem::Unreadable).map_err(in_file)?;
        Self::parse(&text).map_err(in_file)
    }

    /// Reads and checks a model from anywhere.
    pub fn read_from(mut source: impl Read) -> Result<Self, ModelProblem> {
        let mut text = Vec::new();
        source.read_to_end(&mut text).map_err(ModelProblem::Unreadable)?;
        Self::parse(&text)
    }

    fn parse(text: &[u8]) -> Result<Self, ModelProblem> {
        if cover(text)?.is_multiclass() {
            return Err(ModelProblem::Multiclass);
        }
        let file: Self = serde_json::from_slice(text)
            .map_err(|error| ModelProblem::Damaged(error.to_string()))?;
        file.check().map_err(ModelProblem::Damaged)?;
        Ok(file)
    }

    /// Writes the model as it is stored in a file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        write_stored(TWO_CLASSES, self, out)
    }

    /// Refuses names that do not fit the model.
    fn check(&self) -> Result<(), String> {
        if self.classes.iter().chain(&self.feature_names).any(|name| name.is_empty()) {
            return Err("a class or a feature without a name".into());
        }
        let settings = match &self.fitted {
            Fitted::Single(single) => single.settings.check(),
            Fitted::Panel(listed) => listed.settings.check(),
        };
        settings.map_err(|error| error.to_string())?;
        if self.classes[0] == self.classes[1] {
            return Err(format!("both classes are called `{}`", self.classes[0]));
        }
        let (inputs, samples) = match &self.fitted {
            Fitted::Single(single) => {
                (single.model.scaler().inputs(), single.model.sample_indices().len())
            }
            Fitted::Panel(listed) => (listed.panel.scaler().inputs(), 0),
        };
        if self.feature_names.len() != inputs {
            let names = self.feature_names.len();
            return Err(format!("{names} feature names for {inputs} features"));
        }
        if self.sample_rows.len() != samples {
            return Err(format!("{} rows for {samples} kept samples", self.sample_rows.len()));
        }
        if self.sample_rows.iter().any(|row| *row >= self.training_rows) {
            return Err(format!("a kept sample beyond the {} rows", self.training_rows));
        }
        check_names("features", &self.feature_names)
    }

    /// Rows that were learned from.
    pub fn rows_used(&self) -> usize {
        self.class_rows.map_or(self.training_rows, |rows| rows[0].saturating_add(rows[1]))
    }

    /// The features that prediction needs, by name, in the order of the compact model.
    pub fn needed_features(&self) -> Vec<String> {
        let indices = match &self.fitted {
            Fitted::Single(single) => single.model.feature_indices(),
            Fitted::Panel(listed) => listed.panel.feature_indices(),
        };
        indices.iter().map(|&index| self.feature_names[index].clone()).collect()
    }
}
