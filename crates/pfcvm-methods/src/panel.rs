//! The panel: a short list of features that holds across halves of the samples.

use crate::catalogue::Made;
use crate::catalogue::Takes::{self, Whole};
use crate::rows::Weighing;
use crate::{
    Entry, Error, Fitted, Prediction, Refusal, Role, Setting, Stored, Values, settings, stop,
};
use pfcvm::multiclass::{self, Scheme};
use pfcvm::panel::{Panel, PanelPrediction, PanelSettings, fit_panel_with};
use pfcvm::{Dataset, Matrix, Termination};

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-panel",
    about: "a short list that holds across halves of the samples, for many more features than \
            samples (not in the paper)",
    role: Role::Classifier { selects_features: true, selects_samples: false },
    settings: &[
        Setting {
            key: "size",
            default: "20",
            takes: &[Whole { least: 1 }],
            about: "at most this many features",
        },
        Setting {
            key: "members",
            default: "40",
            takes: &[Whole { least: 2 }],
            about: "number of half-sample machines, even",
        },
        Setting {
            about: "how likely a round is to keep a feature of pure noise, above 0 and below 0.5",
            ..settings::FALSE_POSITIVE_RATE
        },
        Setting {
            key: "ranks",
            default: "yes",
            takes: Takes::FLAG,
            about: "whether values become ranks within their feature: yes or no",
        },
        settings::CERTAINTY,
        settings::GOAL,
        settings::CLASS_WEIGHTS,
        Setting { about: "of the halves", ..settings::SEED },
    ],
    grid: &[("size", &["5", "10", "20", "40"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = PanelSettings {
        size: values.get("size")?,
        members: values.get("members")?,
        false_positive_rate: values.get("false_positive_rate")?,
        certainty: values.get("certainty")?,
        goal: values.get("goal")?,
        ranks: values.flag("ranks")?,
        class_weights: values.class_weights()?,
        seed: values.get("seed")?,
        parallel: false,
        ..PanelSettings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner_of_classes(settings, fit, together).weighing(Weighing::Own).on_tables())
}

/// All classes at once, with one list.
fn together(
    data: &multiclass::Dataset,
    settings: &PanelSettings,
) -> Result<(Scheme, Vec<Panel>), pfcvm::Error> {
    let settings = PanelSettings { stop: stop::present(), ..settings.clone() };
    let fitted = multiclass::fit_panel_with(data, Scheme::Joint, &settings, &|_, _| stop::flow())?;
    Ok((fitted.scheme(), fitted.into_machines()))
}

fn fit(data: &Dataset, settings: &PanelSettings) -> Result<Panel, pfcvm::Error> {
    let settings = PanelSettings { stop: stop::present(), ..settings.clone() };
    fit_panel_with(data, &settings, &mut |_| stop::flow())
}

impl Fitted for Panel {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        let PanelPrediction { decision, probability, variance, .. } = Panel::predict(self, x)?;
        Ok(Prediction::of_posterior(decision, probability, variance))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(Panel::selected_features(self).to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Some(Panel::feature_weights(self))
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.termination(), self.rounds().len()))
    }

    fn stored(&self) -> Stored {
        Stored::Panel(Box::new(self.clone()))
    }
}
