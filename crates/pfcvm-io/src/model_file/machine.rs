//! One fitted machine: a model or a panel, and how its fit ended.

use pfcvm::certainty::Certainty;
use pfcvm::data::Scaler;
use pfcvm::effects::{Effects, Explanation};
use pfcvm::multiclass::{Answer, Machine, Sparse};
use pfcvm::panel::{Panel, PanelSettings};
use pfcvm::{Error, Fit, Goal, Matrix, Model, Settings, Termination};
use serde::{Deserialize, Serialize};

/// Which kind of machines were fitted, and with which settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "settings", rename_all = "snake_case")]
pub enum FitSettings {
    /// A model for each machine.
    Single(Box<Settings>),
    /// A panel for each machine.
    Panel(Box<PanelSettings>),
}

/// What predicts in a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fitted {
    /// One model.
    Model(Box<Model>),
    /// A panel.
    Panel(Box<Panel>),
}

/// A fitted machine, with how its fit ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedMachine {
    /// How the fit ended.
    pub termination: Termination,
    /// How many iterations it took, or rounds of a panel.
    pub iterations: usize,
    /// Log evidence of the last one (for a panel: summed over its members).
    pub log_evidence: f64,
    /// The selected samples as rows of the training data as read, from 0, in the model's order;
    /// none for a panel.
    pub sample_rows: Vec<usize>,
    /// What predicts.
    pub fitted: Fitted,
}

impl FitSettings {
    /// The seed of all that was drawn at random.
    pub fn seed(&self) -> u64 {
        match self {
            FitSettings::Single(settings) => settings.seed,
            FitSettings::Panel(settings) => settings.seed,
        }
    }

    /// What the machines are for.
    pub fn goal(&self) -> Goal {
        match self {
            FitSettings::Single(settings) => settings.goal,
            FitSettings::Panel(settings) => settings.goal,
        }
    }

    /// Refuses values out of their range.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            FitSettings::Single(settings) => settings.check(),
            FitSettings::Panel(settings) => settings.check(),
        }
    }

    /// Whether machines are panels.
    pub fn is_panel(&self) -> bool {
        matches!(self, FitSettings::Panel(_))
    }
}

impl FittedMachine {
    /// What a fit found; `in_file` says which row of the data as read a sample is.
    pub fn of_fit(fit: Fit, in_file: impl Fn(usize) -> usize) -> Self {
        Self {
            termination: fit.termination,
            iterations: fit.trace.len(),
            log_evidence: fit.log_evidence,
            sample_rows: fit.model.selected_samples().iter().map(|row| in_file(*row)).collect(),
            fitted: Fitted::Model(Box::new(fit.model)),
        }
    }

    /// What a panel found.
    pub fn of_panel(panel: Panel) -> Self {
        let rounds = panel.rounds();
        Self {
            termination: panel.termination(),
            iterations: rounds.len(),
            log_evidence: rounds.last().map_or(0.0, |last| last.log_evidence),
            sample_rows: Vec::new(),
            fitted: Fitted::Panel(Box::new(panel)),
        }
    }

    /// The model, if it is one.
    pub fn model(&self) -> Option<&Model> {
        match &self.fitted {
            Fitted::Model(model) => Some(model),
            Fitted::Panel(_) => None,
        }
    }

    /// The panel, if it is one.
    pub fn panel(&self) -> Option<&Panel> {
        match &self.fitted {
            Fitted::Model(_) => None,
            Fitted::Panel(panel) => Some(panel),
        }
    }

    /// Whether a machine of all features has its say beside the list.
    pub fn uses_all_features(&self) -> bool {
        match &self.fitted {
            Fitted::Model(model) => model.broad().is_some(),
            Fitted::Panel(panel) => panel.broad().is_some(),
        }
    }

    /// Which columns vary, and how they are scaled.
    pub fn scaler(&self) -> &Scaler {
        match &self.fitted {
            Fitted::Model(model) => model.scaler(),
            Fitted::Panel(panel) => panel.scaler(),
        }
    }

    /// What its features do.
    pub fn effects(&self) -> Effects {
        match &self.fitted {
            Fitted::Model(model) => model.effects(),
            Fitted::Panel(panel) => panel.effects(),
        }
    }

    /// What moved the predictions of rows.
    pub fn explain(&self, x: &Matrix) -> Result<Explanation, Error> {
        match &self.fitted {
            Fitted::Model(model) => model.explain(x),
            Fitted::Panel(panel) => panel.explain(x),
        }
    }

    /// The bias of the decision value.
    pub fn bias(&self) -> f64 {
        match &self.fitted {
            Fitted::Model(model) => model.bias(),
            Fitted::Panel(panel) => panel.bias(),
        }
    }
}

impl Machine for FittedMachine {
    type Refusal = Error;

    fn answer(&self, x: &Matrix) -> Result<Answer, Error> {
        match &self.fitted {
            Fitted::Model(model) => model.answer(x),
            Fitted::Panel(panel) => panel.answer(x),
        }
    }
}

impl Sparse for FittedMachine {
    fn weighted_features(&self) -> Vec<(usize, f64)> {
        match &self.fitted {
            Fitted::Model(model) => model.weighted_features(),
            Fitted::Panel(panel) => panel.weighted_features(),
        }
    }

    /// As rows of the training data as read.
    fn weighted_samples(&self) -> Vec<(usize, f64)> {
        let weights = self.model().map_or(&[][..], Model::sample_weights);
        self.sample_rows.iter().copied().zip(weights.iter().copied()).collect()
    }

    fn certainty(&self) -> Option<&Certainty> {
        match &self.fitted {
            Fitted::Model(model) => model.certainty(),
            Fitted::Panel(panel) => panel.certainty(),
        }
    }

    fn novelty(&self, x: &Matrix) -> Result<Option<Vec<f64>>, Error> {
        self.model().map_or(Ok(None), |model| model.novelty(x))
    }

    fn directions(&self, x: &Matrix) -> Result<Matrix, Error> {
        match &self.fitted {
            Fitted::Model(model) => model.directions(x),
            Fitted::Panel(panel) => panel.directions(x),
        }
    }

    fn needed_columns(&self) -> Vec<usize> {
        match &self.fitted {
            Fitted::Model(model) => model.needed_columns(),
            Fitted::Panel(panel) => panel.needed_columns(),
        }
    }

    fn among(&self, columns: &[usize]) -> Self {
        let fitted = match &self.fitted {
            Fitted::Model(model) => Fitted::Model(Box::new(model.among(columns))),
            Fitted::Panel(panel) => Fitted::Panel(Box::new(panel.among(columns))),
        };
        let sample_rows = self.sample_rows.clone();
        Self { sample_rows, fitted, ..*self }
    }
}
