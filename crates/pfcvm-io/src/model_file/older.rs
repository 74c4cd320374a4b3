//! Model files of the schemas before this one.

use super::{FitSettings, Fitted, FittedMachine, ModelFile, Unnamed};
use pfcvm::multiclass::{Machines, Scheme};
use pfcvm::panel::{Panel, PanelSettings};
use pfcvm::{Model, Settings, Termination};
use serde::Deserialize;

/// Schemas 1 and 2: one machine for two classes.
#[derive(Deserialize)]
pub struct TwoClasses {
    classes: [String; 2],
    label: Option<String>,
    #[serde(default)]
    class_rows: Option<[usize; 2]>,
    #[serde(default)]
    unnamed: Option<Unnamed>,
    training_rows: usize,
    sample_rows: Vec<usize>,
    #[serde(flatten)]
    ending: Ending,
    #[serde(flatten)]
    fitted: OneFitted,
    feature_names: Vec<String>,
}

/// Schema 3: several machines.
#[derive(Deserialize)]
pub struct Several {
    classes: Vec<String>,
    class_rows: Vec<usize>,
    label: Option<String>,
    unnamed: Option<Unnamed>,
    endings: Vec<Ending>,
    #[serde(flatten)]
    fitted: SeveralFitted,
    feature_names: Vec<String>,
}

#[derive(Deserialize)]
struct Ending {
    termination: Termination,
    iterations: usize,
    log_evidence: f64,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum OneFitted {
    Single { settings: Box<Settings>, model: Box<Model> },
    Panel { settings: Box<PanelSettings>, panel: Box<Panel> },
}

#[derive(Deserialize)]
#[serde(tag = "kind")]
enum SeveralFitted {
    #[serde(rename = "multiclass")]
    Models { settings: Box<Settings>, machines: Machines<Model> },
    #[serde(rename = "multiclass_panel")]
    Panels { settings: Box<PanelSettings>, machines: Machines<Panel> },
}

impl Ending {
    fn with(self, sample_rows: Vec<usize>, fitted: Fitted) -> FittedMachine {
        let Self { termination, iterations, log_evidence } = self;
        FittedMachine { termination, iterations, log_evidence, sample_rows, fitted }
    }
}

impl TryFrom<TwoClasses> for ModelFile {
    type Error = String;

    fn try_from(file: TwoClasses) -> Result<Self, String> {
        let (settings, fitted) = match file.fitted {
            OneFitted::Single { settings, model } => {
                (FitSettings::Single(settings), Fitted::Model(model))
            }
            OneFitted::Panel { settings, panel } => {
                (FitSettings::Panel(settings), Fitted::Panel(panel))
            }
        };
        let machine = file.ending.with(file.sample_rows, fitted);
        Ok(Self {
            classes: file.classes.to_vec(),
            labels_are_text: false,
            class_rows: file.class_rows.map(Vec::from),
            label: file.label,
            unnamed: file.unnamed,
            training_rows: file.training_rows,
            settings,
            machines: Machines::new(Scheme::OneVsOne, 2, vec![machine])?,
            feature_names: file.feature_names,
            form: None,
            missing: Vec::new(),
            choice: None,
            seen: None,
            unlabelled: None,
        })
    }
}

impl TryFrom<Several> for ModelFile {
    type Error = String;

    fn try_from(file: Several) -> Result<Self, String> {
        let counted = file.class_rows.iter().try_fold(0usize, |sum, rows| sum.checked_add(*rows));
        let (settings, scheme, classes, fitted) = match file.fitted {
            SeveralFitted::Models { settings, machines } => {
                let (scheme, classes) = (machines.scheme(), machines.classes());
                let fitted = machines.into_machines().into_iter().map(|model| {
                    (model.selected_samples().to_vec(), Fitted::Model(Box::new(model)))
                });
                (FitSettings::Single(settings), scheme, classes, Vec::from_iter(fitted))
            }
            SeveralFitted::Panels { settings, machines } => {
                let (scheme, classes) = (machines.scheme(), machines.classes());
                let panels = machines.into_machines().into_iter();
                let fitted = panels.map(|panel| (Vec::new(), Fitted::Panel(Box::new(panel))));
                (FitSettings::Panel(settings), scheme, classes, Vec::from_iter(fitted))
            }
        };
        if file.endings.len() != fitted.len() {
            return Err(format!("{} endings for {} machines", file.endings.len(), fitted.len()));
        }
        let machines = file.endings.into_iter().zip(fitted);
        let machines = machines.map(|(ending, (rows, fitted))| ending.with(rows, fitted)).collect();
        Ok(Self {
            classes: file.classes,
            labels_are_text: false,
            class_rows: Some(file.class_rows),
            label: file.label,
            unnamed: file.unnamed,
            training_rows: counted.ok_or("more rows than can be counted")?,
            settings,
            machines: Machines::new(scheme, classes, machines)?,
            feature_names: file.feature_names,
            form: None,
            missing: Vec::new(),
            choice: None,
            seen: None,
            unlabelled: None,
        })
    }
}
