//! From a model file to what it tells.

use super::{
    Best, ClassWorth, Found, HeldOut, HeldOutOfAll, MachineSummary, SelectedFeature,
    SelectedSample, SelectedShare, Standing, Summary, Sureness, Verdict,
};
use crate::{FittedMachine, ModelFile, TableForm};
use pfcvm::Model;
use pfcvm::certainty::{Certainty, FeatureCertainty};
use pfcvm::multiclass::{FeatureTogether, Share, Sparse, Task, Together};
use pfcvm::panel::Panel;

impl Summary {
    /// Of a model file.
    pub fn of(file: &ModelFile) -> Self {
        let settings = match &file.settings {
            crate::FitSettings::Single(settings) => serde_json::to_value(settings),
            crate::FitSettings::Panel(settings) => serde_json::to_value(settings),
        };
        let name = |index: usize| Some(file.feature_names[index].clone());
        let shares = file.machines.feature_shares().into_iter();
        let together = file.machines.certainty();
        let sure = |index: usize| {
            let mut all = together.iter().flat_map(|together| &together.features);
            all.find(|of_one| of_one.feature == index)
        };
        Self {
            classes: file.classes.clone(),
            class_rows: file.class_rows.clone(),
            n_samples_in: file.rows_used(),
            n_features_in: file.feature_names.len(),
            columns: file.form.as_ref().map(TableForm::stored),
            n_features_needed: file.needed_features().len(),
            goal: file.settings.goal(),
            uses_all_features: file
                .machines
                .machines()
                .iter()
                .any(FittedMachine::uses_all_features),
            choice: file.choice.clone(),
            unlabelled: file.unlabelled.clone(),
            rows_kept: file.seen.as_ref().map(pfcvm::Seen::kept),
            scheme: file.machines.scheme(),
            is_panel: file.settings.is_panel(),
            nothing_found: together.as_ref().map(|together| together.nothing_found),
            p_value: together.as_ref().map(|together| together.p_value),
            held_out: together.as_ref().and_then(held_out_of_all),
            features: most_important_first(
                shares.map(|s| selected(&s, name(s.index), sure(s.index))).collect(),
            ),
            samples: file
                .machines
                .sample_shares()
                .iter()
                .map(|s| selected(s, None, None))
                .collect(),
            machines: file.machines.iter().map(|(task, one)| machine(file, task, one)).collect(),
            seed: file.settings.seed(),
            // Settings hold nothing that JSON cannot; null would be a bug worth seeing.
            settings: settings.unwrap_or_default(),
        }
    }
}

fn held_out_of_all(together: &Together) -> Option<HeldOutOfAll> {
    let [accuracy, log_loss, baseline_log_loss] = together.held_out?;
    Some(HeldOutOfAll { accuracy, log_loss, baseline_log_loss, goals: together.goals })
}

/// By what rows that did not train say, where it is known; else as they are.
fn most_important_first(mut features: Vec<SelectedShare>) -> Vec<SelectedShare> {
    let importance = |feature: &SelectedShare| feature.worth.as_ref().map(|w| w.importance);
    if features.iter().all(|feature| importance(feature).is_some()) {
        let key = |feature: &SelectedShare| importance(feature).unwrap_or(0.0);
        features.sort_by(|a, b| key(b).total_cmp(&key(a)));
    }
    features
}

fn selected(share: &Share, name: Option<String>, sure: Option<&FeatureTogether>) -> SelectedShare {
    SelectedShare {
        index: share.index,
        name,
        machines: share.machines,
        share: share.share,
        strongest: share.strongest,
        largest_share: share.largest_share,
        false_alarm: sure.map(|sure| sure.false_alarm),
        certain: sure.map(|sure| sure.certain),
        worth: sure.and_then(|sure| sure.worth.as_ref()).map(|worth| {
            let half = 1.96 * worth.importance_error;
            ClassWorth {
                importance: worth.importance,
                importance_interval: [worth.importance - half, worth.importance + half],
                classes: worth.classes.clone(),
                pairs: worth.pairs.clone(),
            }
        }),
    }
}

fn machine(file: &ModelFile, task: Task, machine: &FittedMachine) -> MachineSummary {
    let class = |at: usize| file.classes[at].clone();
    // Without numbers of rows there is one machine, which has all of them.
    let rows = |of: &dyn Fn(usize) -> bool| match &file.class_rows {
        Some(rows) => rows.iter().enumerate().filter(|(at, _)| of(*at)).map(|(_, n)| n).sum(),
        None => file.training_rows,
    };
    let sides = file.class_rows.as_ref().map(|_| {
        let positive: usize = rows(&|at| at == task.positive);
        [rows(&|at| task.concerns(at)) - positive, positive]
    });
    let negative = task.negative.map_or_else(|| "another".into(), class);
    let names = &file.feature_names;
    let (selected_features, selected_samples) = match (machine.model(), machine.panel()) {
        (Some(model), _) => {
            let labels = [negative, class(task.positive)];
            (model_features(model, names), model_samples(model, &machine.sample_rows, &labels))
        }
        (None, Some(panel)) => (panel_features(panel, names), Vec::new()),
        (None, None) => (Vec::new(), Vec::new()),
    };
    MachineSummary {
        positive: class(task.positive),
        negative: task.negative.map(class),
        n_samples_in: rows(&|at| task.concerns(at)),
        found: Found {
            termination: machine.termination,
            iterations: machine.iterations,
            log_evidence: machine.log_evidence,
            nothing_found: machine.certainty().map(|certainty| certainty.nothing_found),
            held_out: machine.certainty().map(held_out),
            selected_features,
            selected_samples,
            bias: machine.bias(),
            panel: machine.panel().map(|panel| verdict(panel, sides.unwrap_or([1, 1]))),
            effects: None,
            course: None,
        },
    }
}

fn model_features(model: &Model, names: &[String]) -> Vec<SelectedFeature> {
    let deviations = model.feature_deviations();
    let feature = |k: usize| SelectedFeature {
        index: model.selected_features()[k],
        name: names[model.selected_features()[k]].clone(),
        weight: model.feature_weights()[k],
        precision: Some(model.feature_precisions()[k]),
        deviation: deviations[k],
        sureness: model.certainty().map(|certainty| sureness(&certainty.features[k])),
        worth: model.feature_worth().map(|worth| worth[k]),
        standing: None,
    };
    let mut all: Vec<_> = (0..deviations.len()).map(feature).collect();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    by_importance(all)
}

/// The most important first, where that is known of all.
fn by_importance(mut all: Vec<SelectedFeature>) -> Vec<SelectedFeature> {
    let importance =
        |f: &SelectedFeature| f.sureness.as_ref().map_or(f64::NEG_INFINITY, |s| s.importance);
    all.sort_by(|a, b| importance(b).total_cmp(&importance(a)));
    all
}

fn sureness(of_one: &FeatureCertainty) -> Sureness {
    Sureness {
        false_alarm: of_one.false_alarm,
        certain: of_one.certain,
        importance: of_one.importance,
        importance_interval: of_one.importance_interval(),
        p_value: of_one.p_value,
        kept_share: of_one.share,
    }
}

fn held_out(certainty: &Certainty) -> HeldOut {
    HeldOut {
        p_value: certainty.p_value,
        folds: certainty.folds,
        accuracy: certainty.accuracy,
        log_loss: certainty.log_loss,
        baseline_log_loss: certainty.baseline_log_loss,
        goals: certainty.goals.filter(|_| certainty.shared.is_none()),
        slope: certainty.slope,
        offset: certainty.offset,
        rate: certainty.rate,
        max_false: certainty.max_false,
        expected_false: certainty.expected_false(),
        expected_false_certain: certainty.expected_false_among_certain(),
    }
}

fn panel_features(panel: &Panel, names: &[String]) -> Vec<SelectedFeature> {
    let (weights, deviations) = (panel.feature_weights(), panel.feature_deviations());
    let feature = |k: usize| SelectedFeature {
        index: panel.selected_features()[k],
        name: names[panel.selected_features()[k]].clone(),
        weight: weights[k],
        precision: None,
        deviation: deviations[k],
        sureness: panel.certainty().map(|certainty| sureness(&certainty.features[k])),
        worth: None,
        standing: Some(Standing {
            median_share: panel.median_shares()[k],
            frequency: panel.selection_frequencies()[k],
        }),
    };
    by_importance((0..weights.len()).map(feature).collect())
}

/// `rows` are those of the samples, `labels` those of the negative and the positive class.
fn model_samples(model: &Model, rows: &[usize], labels: &[String; 2]) -> Vec<SelectedSample> {
    let (deviations, positive) = (model.sample_deviations(), model.sample_positive());
    let sample = |j: usize| SelectedSample {
        index: rows[j],
        label: labels[usize::from(positive[j])].clone(),
        weight: model.sample_weights()[j],
        precision: model.sample_precisions()[j],
        deviation: deviations[j],
    };
    let mut all: Vec<_> = (0..deviations.len()).map(sample).collect();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    all
}

/// What a panel says of itself; `rows` are those of its negative and of its positive class.
fn verdict(panel: &Panel, rows: [usize; 2]) -> Verdict {
    let known = |value: f64| (!value.is_nan()).then_some(value);
    let (list, all) = (panel.expected_log_loss(), panel.all_features_log_loss());
    // The mean −log p of who knows nothing but the shares of the classes.
    let [negative, positive] = rows.map(|rows| rows.max(1) as f64);
    let sum = negative + positive;
    let chance = -(negative * (negative / sum).ln() + positive * (positive / sum).ln()) / sum;
    Verdict {
        short_list_suffices: panel.short_list_suffices(),
        verdict: if list.min(all) >= chance {
            Best::Neither
        } else if panel.short_list_suffices() {
            Best::ShortList
        } else {
            Best::AllFeatures
        },
        expected_log_loss: known(panel.expected_log_loss()),
        expected_accuracy: known(panel.expected_accuracy()),
        all_features_log_loss: known(panel.all_features_log_loss()),
        all_features_accuracy: known(panel.all_features_accuracy()),
    }
}
