//! What a model file tells: the same for words, JSON, pages and other languages.

mod effects;
mod found;
mod of_file;

pub use effects::{ColumnEffect, EffectsSummary, PairColumn, PairEffect, Shape, Values};
pub use found::{
    Best, Course, Found, HeldOut, MachineSummary, SelectedFeature, SelectedSample, Standing, Step,
    Sureness, Verdict,
};
pub use pfcvm::certainty::{GoalScore, Goals};

use crate::{ModelFile, StoredColumn};
use pfcvm::Goal;
use pfcvm::multiclass::{Choice, Scheme, Unlabelled};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// What a model file tells.
///
/// As JSON, what one machine found stands beside the rest where there is only one; where there are
/// more, `selected_features` and `selected_samples` there are the shares over all machines, and
/// `held_out` is what these say together.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The classes; of two, the second is the one whose probability is predicted.
    pub classes: Vec<String>,
    /// Rows of each class, where they are known.
    pub class_rows: Option<Vec<usize>>,
    /// Rows that were learned from.
    pub n_samples_in: usize,
    /// Features of the training data: columns beside the label, or groups of them.
    pub n_features_in: usize,
    /// What the columns were, where they were not all numbers and features by themselves.
    pub columns: Option<Vec<StoredColumn>>,
    /// How many of them prediction needs.
    pub n_features_needed: usize,
    /// What the model is for.
    pub goal: Goal,
    /// Whether a machine of all features has its say beside the list.
    pub uses_all_features: bool,
    /// How the kernel was chosen, where nobody told it.
    pub choice: Option<Choice>,
    /// What rows without labels brought, where there were some.
    pub unlabelled: Option<Unlabelled>,
    /// Training rows that the model keeps in all columns, to learn on from.
    pub rows_kept: Option<usize>,
    /// Which machines there are.
    pub scheme: Scheme,
    /// Whether the machines are panels.
    pub is_panel: bool,
    /// Whether no feature does better than chance for all machines together, where that was asked.
    pub nothing_found: Option<bool>,
    /// How likely features that say nothing would do as well, for all machines together.
    pub p_value: Option<f64>,
    /// What rows that did not train say of machines that share a row of probabilities.
    pub held_out: Option<HeldOutOfAll>,
    /// Features that any machine selects, the most important first where that is known of all classes
    /// together, else the largest mean share.
    pub features: Vec<SelectedShare>,
    /// Samples that any machine selects, the largest mean share first.
    pub samples: Vec<SelectedShare>,
    /// Machine by machine.
    pub machines: Vec<MachineSummary>,
    /// The seed of all that was drawn at random.
    pub seed: u64,
    /// Every setting.
    pub settings: serde_json::Value,
}

/// A feature or a sample that some machines select.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectedShare {
    /// Column beside the label, or row, from 0.
    pub index: usize,
    /// The name of a feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many machines select it.
    pub machines: usize,
    /// Its share of the weights of a machine, on the mean over all machines.
    pub share: f64,
    /// The machine in which its share is largest, from 0.
    pub strongest: usize,
    /// Its share there.
    pub largest_share: f64,
    /// How likely a feature is selected for nothing, where rows that did not train were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_alarm: Option<f64>,
    /// Whether a feature is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
    /// What a feature is worth, to machines that share a row of probabilities.
    #[serde(flatten)]
    pub worth: Option<ClassWorth>,
}

/// What a feature is worth for telling several classes apart: rises of the mean −log p of rows that did
/// not train, without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassWorth {
    /// For all classes.
    pub importance: f64,
    /// Where that lies, with 95 % confidence.
    pub importance_interval: [f64; 2],
    /// For each class against all others, in their order.
    #[serde(rename = "class_importance")]
    pub classes: Vec<f64>,
    /// For each class against each other one; empty where there are more than 20 classes.
    #[serde(rename = "pair_importance")]
    pub pairs: Vec<Vec<f64>>,
}

/// What rows that did not train say of machines that share a row of probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HeldOutOfAll {
    /// Share of held-out rows that were put into the right class.
    pub accuracy: f64,
    /// Mean −log p of held-out rows.
    pub log_loss: f64,
    /// The same for who knows nothing but the shares of the classes.
    pub baseline_log_loss: f64,
    /// What the list alone brings, and what it brings beside a machine of all features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goals: Option<Goals>,
}

/// How sure all machines together are of the features that any of them lists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ListSureness {
    /// How likely features that say nothing would do as well.
    pub p_value: f64,
    /// How many parts the rows were held out in.
    pub folds: usize,
    /// Share of features that say nothing that may be called certain.
    pub rate: f64,
    /// Expected number of false features among the certain ones, if that was asked for instead.
    pub max_false: Option<f64>,
    /// How many features are certain.
    pub certain: usize,
    /// How many of the listed features are expected to be false.
    pub expected_false: f64,
    /// How many of the certain ones are.
    pub expected_false_certain: f64,
    /// How good the machines are that share a row of probabilities.
    #[serde(flatten)]
    pub of_all: Option<HeldOutOfAll>,
}

impl Summary {
    /// What the only machine found, where there is one.
    pub fn only(&self) -> Option<&Found> {
        match self.machines.as_slice() {
            [only] => Some(&only.found),
            _ => None,
        }
    }

    /// Whether machines for more than two classes learned together: one list, with the same weights.
    pub fn is_joint(&self) -> bool {
        self.scheme == Scheme::Joint && self.machines.len() > 1
    }

    /// What was found, where there is one list: by the only machine, or by machines that learned
    /// together. Of these it says of features and held-out rows what holds for all classes, samples
    /// and effects are left to each of them, and the rest is the same in all.
    pub fn list(&self) -> Option<Cow<'_, Found>> {
        if !self.is_joint() {
            return self.only().map(Cow::Borrowed);
        }
        let first = &self.machines.first()?.found;
        Some(Cow::Owned(Found {
            held_out: first.held_out.as_ref().and_then(|held| self.held_out_of_all(held)),
            selected_features: self.features.iter().filter_map(|f| of_all(f, first)).collect(),
            selected_samples: Vec::new(),
            effects: None,
            ..first.clone()
        }))
    }

    /// What held-out rows say of all machines, beside what they say of one.
    fn held_out_of_all(&self, one: &HeldOut) -> Option<HeldOut> {
        let HeldOutOfAll { accuracy, log_loss, baseline_log_loss, goals } = self.held_out?;
        let sure = self.sureness()?;
        Some(HeldOut {
            p_value: sure.p_value,
            accuracy,
            log_loss,
            baseline_log_loss,
            goals,
            // Each class has its own.
            offset: 0.0,
            expected_false: sure.expected_false,
            expected_false_certain: sure.expected_false_certain,
            ..one.clone()
        })
    }

    /// Whether all features together do better than chance where no list does, as any machine has it.
    pub fn beats_chance(&self) -> bool {
        let held = self.machines.iter().filter_map(|machine| machine.found.held_out.as_ref());
        let of_all = self.held_out.and_then(|held| held.goals);
        let mut goals = held.filter_map(|held| held.goals).chain(of_all);
        goals.any(|goals| goals.beats_chance)
    }

    /// How sure all machines together are of their features, where rows that did not train were
    /// asked.
    pub fn sureness(&self) -> Option<ListSureness> {
        let asked = self.machines.first()?.found.held_out.as_ref()?;
        let false_ones = |counts: &dyn Fn(&SelectedShare) -> bool| {
            let those = self.features.iter().filter(|feature| counts(feature));
            those.filter_map(|feature| feature.false_alarm).sum()
        };
        let is_certain = |feature: &SelectedShare| feature.certain == Some(true);
        Some(ListSureness {
            p_value: self.p_value?,
            folds: asked.folds,
            rate: asked.rate,
            max_false: asked.max_false,
            certain: self.features.iter().filter(|feature| is_certain(feature)).count(),
            expected_false: false_ones(&|_| true),
            expected_false_certain: false_ones(&is_certain),
            of_all: self.held_out,
        })
    }

    /// The same with what the features of each machine do. This takes a moment.
    pub fn with_effects(mut self, file: &ModelFile) -> Self {
        for (summary, machine) in self.machines.iter_mut().zip(file.machines.machines()) {
            let order: Vec<usize> =
                summary.found.selected_features.iter().map(|feature| feature.index).collect();
            summary.found.effects = Some(effects::of(file, machine, &order));
        }
        self
    }

    /// The same with how the fit of each machine went.
    pub fn with_courses(mut self, courses: Vec<Course>) -> Self {
        for (machine, course) in self.machines.iter_mut().zip(courses) {
            machine.found.course = Some(course);
        }
        self
    }
}

/// A feature of machines that learned together, with what it is worth to all of them; `one` is any.
fn of_all(feature: &SelectedShare, one: &Found) -> Option<SelectedFeature> {
    let of_one = one.selected_features.iter().find(|f| f.index == feature.index)?;
    let sureness = of_one.sureness.map(|sure| match &feature.worth {
        None => sure,
        Some(ClassWorth { importance, importance_interval, .. }) => {
            Sureness { importance: *importance, importance_interval: *importance_interval, ..sure }
        }
    });
    Some(SelectedFeature { sureness, ..of_one.clone() })
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a> {
            kind: &'a str,
            scheme: Scheme,
            classes: &'a [String],
            class_rows: &'a Option<Vec<usize>>,
            n_samples_in: usize,
            n_features_in: usize,
            n_features_needed: usize,
            goal: Goal,
            uses_all_features: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            choice: &'a Option<Choice>,
            #[serde(skip_serializing_if = "Option::is_none")]
            unlabelled: &'a Option<Unlabelled>,
            #[serde(skip_serializing_if = "Option::is_none")]
            rows_kept: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            columns: &'a Option<Vec<StoredColumn>>,
            #[serde(flatten)]
            selected: Selected<'a>,
            machines: &'a [MachineSummary],
            seed: u64,
            settings: &'a serde_json::Value,
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Selected<'a> {
            Only(&'a Found),
            Shares {
                nothing_found: Option<bool>,
                held_out: &'a Option<ListSureness>,
                selected_features: &'a [SelectedShare],
                selected_samples: &'a [SelectedShare],
            },
        }
        let sureness = self.sureness();
        let shares = Selected::Shares {
            nothing_found: self.nothing_found,
            held_out: &sureness,
            selected_features: &self.features,
            selected_samples: &self.samples,
        };
        let whole = Whole {
            kind: if self.is_panel { "panel" } else { "single" },
            scheme: self.scheme,
            classes: &self.classes,
            class_rows: &self.class_rows,
            n_samples_in: self.n_samples_in,
            n_features_in: self.n_features_in,
            n_features_needed: self.n_features_needed,
            goal: self.goal,
            uses_all_features: self.uses_all_features,
            choice: &self.choice,
            unlabelled: &self.unlabelled,
            rows_kept: self.rows_kept,
            columns: &self.columns,
            selected: self.only().map_or(shares, Selected::Only),
            machines: &self.machines,
            seed: self.seed,
            settings: &self.settings,
        };
        whole.serialize(to)
    }
}
