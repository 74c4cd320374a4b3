//! What a fit of several machines found, as data: the same for words, JSON and the report.

use crate::account::{
    SelectedFeature, SelectedSample, Step, model_features, model_samples, panel_features,
};
use pfcvm::{Keeps, Multiclass, Task, Termination, overall};
use pfcvm_eval::{ClassScores, Scores};
use pfcvm_io::{MulticlassFile, MulticlassFitted};
use serde::Serialize;

/// What a model file tells.
#[derive(Debug, Serialize)]
pub struct Summary {
    pub kind: &'static str,
    pub scheme: String,
    pub classes: Vec<String>,
    pub class_rows: Vec<usize>,
    pub n_samples_in: usize,
    pub n_features_in: usize,
    /// Features that any machine keeps, the largest mean share first.
    pub features: Vec<Overall>,
    /// Samples that any machine keeps, the largest mean share first.
    pub samples: Vec<Overall>,
    pub machines: Vec<MachineSummary>,
    pub seed: u64,
    pub settings: serde_json::Value,
}

/// A feature or a sample that some machines keep.
#[derive(Debug, Serialize)]
pub struct Overall {
    /// Column beside the label, or row of the training data, from 0.
    pub index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many machines keep it.
    pub machines: usize,
    /// Its share of the weights of a machine, on the mean over all machines.
    pub share: f64,
    /// The machine in which its share is largest, from 0.
    pub strongest: usize,
    pub largest_share: f64,
}

/// One machine.
#[derive(Debug, Serialize)]
pub struct MachineSummary {
    /// The class whose probability it gives.
    pub positive: String,
    /// The other one; null: all others.
    pub negative: Option<String>,
    pub n_samples_in: usize,
    pub termination: Termination,
    pub iterations: usize,
    pub log_evidence: f64,
    pub bias: f64,
    /// The heaviest first; of a panel, the most important first.
    pub selected_features: Vec<SelectedFeature>,
    /// The heaviest first; none for a panel.
    pub selected_samples: Vec<SelectedSample>,
}

impl MachineSummary {
    /// Which classes it tells apart.
    pub fn name(&self) -> String {
        let shown = crate::words::shown;
        match &self.negative {
            Some(negative) => format!("`{}` against `{}`", shown(&self.positive), shown(negative)),
            None => format!("`{}` against all others", shown(&self.positive)),
        }
    }
}

impl Summary {
    pub fn of(file: &MulticlassFile) -> Self {
        // Settings hold nothing that JSON cannot; null would be a bug worth seeing.
        let (kind, settings, seed, scheme) = match &file.fitted {
            MulticlassFitted::Models { settings, machines } => {
                ("multiclass", serde_json::to_value(settings), settings.seed, machines.scheme())
            }
            MulticlassFitted::Panels { settings, machines } => (
                "multiclass_panel",
                serde_json::to_value(settings),
                settings.seed,
                machines.scheme(),
            ),
        };
        let (features, samples) = match &file.fitted {
            MulticlassFitted::Models { machines, .. } => kept(machines, &file.feature_names),
            MulticlassFitted::Panels { machines, .. } => kept(machines, &file.feature_names),
        };
        Self {
            kind,
            scheme: scheme.to_string(),
            classes: file.classes.clone(),
            class_rows: file.class_rows.clone(),
            n_samples_in: file.rows(),
            n_features_in: file.feature_names.len(),
            features,
            samples,
            machines: machines(file),
            seed,
            settings: settings.unwrap_or_default(),
        }
    }

    /// Whether the machines are panels.
    pub fn is_panel(&self) -> bool {
        self.kind == "multiclass_panel"
    }
}

fn kept<M: Keeps>(machines: &Multiclass<M>, names: &[String]) -> (Vec<Overall>, Vec<Overall>) {
    let all = |of: fn(&M) -> Vec<(usize, f64)>, name: &dyn Fn(usize) -> Option<String>| {
        let lists: Vec<_> = machines.machines().iter().map(of).collect();
        let overall = overall(&lists).into_iter().map(|kept| Overall {
            index: kept.index,
            name: name(kept.index),
            machines: kept.machines,
            share: kept.share,
            strongest: kept.strongest,
            largest_share: kept.largest_share,
        });
        overall.collect::<Vec<_>>()
    };
    (all(M::kept_features, &|at| Some(names[at].clone())), all(M::kept_samples, &|_| None))
}

fn machines(file: &MulticlassFile) -> Vec<MachineSummary> {
    let names = &file.feature_names;
    type Found = (f64, Vec<SelectedFeature>, Vec<SelectedSample>);
    let (tasks, found): (Vec<Task>, Vec<Found>) = match &file.fitted {
        MulticlassFitted::Models { machines, .. } => {
            let tasks = machines.tasks();
            let each = machines.machines().iter().zip(&tasks).map(|(model, task)| {
                let negative = task.negative.map_or("another", |at| file.classes[at].as_str());
                let labels = [negative, file.classes[task.positive].as_str()];
                let samples = model_samples(model, model.sample_indices(), labels);
                (model.bias(), model_features(model, names), samples)
            });
            (tasks.clone(), each.collect())
        }
        MulticlassFitted::Panels { machines, .. } => {
            let each = machines.machines().iter();
            let each = each.map(|panel| (panel.bias(), panel_features(panel, names), Vec::new()));
            (machines.tasks(), each.collect())
        }
    };
    let rows = |task: Task| {
        let classes = file.class_rows.iter().enumerate();
        classes.filter(|(class, _)| task.concerns(*class)).map(|(_, rows)| rows).sum()
    };
    tasks
        .into_iter()
        .zip(found)
        .zip(&file.endings)
        .map(|((task, (bias, selected_features, selected_samples)), ending)| MachineSummary {
            positive: file.classes[task.positive].clone(),
            negative: task.negative.map(|negative| file.classes[negative].clone()),
            n_samples_in: rows(task),
            termination: ending.termination,
            iterations: ending.iterations,
            log_evidence: ending.log_evidence,
            bias,
            selected_features,
            selected_samples,
        })
        .collect()
}

/// Everything `fit` found out.
#[derive(Debug, Serialize)]
pub struct Account {
    /// The training data, as named on the command line.
    pub data: String,
    #[serde(flatten)]
    pub summary: Summary,
    /// Columns left out by every machine because they never vary.
    pub constant_features: Vec<String>,
    pub seconds: f64,
    /// For each machine its iterations.
    pub traces: Vec<Vec<Step>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// What else is worth knowing, in words.
    pub notes: Vec<String>,
}

/// What the machines are worth on the test data.
#[derive(Debug, Serialize)]
pub struct Test {
    /// The test data, as named on the command line.
    pub data: String,
    pub rows: usize,
    pub accuracy: f64,
    pub log_loss: f64,
    pub brier: f64,
    pub kappa: Option<f64>,
    pub macro_precision: f64,
    pub macro_recall: f64,
    pub macro_f1: f64,
    pub macro_auc: Option<f64>,
    pub classes: Vec<ClassScores>,
    /// `confusion[i][j]` rows are of class i and were called j.
    pub confusion: Vec<Vec<usize>>,
}

impl Test {
    pub fn new(data: String, scores: Scores) -> Self {
        Self {
            data,
            rows: scores.rows,
            accuracy: scores.accuracy,
            log_loss: scores.log_loss.unwrap_or(f64::NAN),
            brier: scores.brier.unwrap_or(f64::NAN),
            kappa: scores.kappa,
            macro_precision: scores.macro_precision,
            macro_recall: scores.macro_recall,
            macro_f1: scores.macro_f1,
            macro_auc: scores.auc,
            classes: scores.classes,
            confusion: scores.confusion,
        }
    }
}
