//! The panel: a short list of features that holds across halves of the samples.

use crate::catalogue::Made;
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix, Panel, PanelSettings, Termination, fit_panel};

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-panel",
    about: "a short list that holds across halves of the samples, for many more features than \
            samples (not in the paper)",
    settings: &[
        Setting { key: "length", default: "20", about: "at most this many features" },
        Setting { key: "members", default: "40", about: "number of half-sample machines, even" },
        Setting {
            key: "false_positive_rate",
            default: "0.05",
            about: "how likely a round is to keep a feature of pure noise, above 0 and below 0.5",
        },
        Setting {
            key: "ranks",
            default: "yes",
            about: "whether values become ranks within their feature: yes or no",
        },
        Setting {
            key: "class_weights",
            default: "equal",
            about: "how the classes count: equal, balanced, or two factors as in 1,2.5",
        },
        Setting { key: "seed", default: "0", about: "of the halves" },
    ],
    grid: &[("length", &["5", "10", "20", "40"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let settings = PanelSettings {
        length: values.get("length")?,
        members: values.get("members")?,
        false_positive_rate: values.get("false_positive_rate")?,
        ranks: values.flag("ranks")?,
        class_weights: values.get("class_weights")?,
        seed: values.get("seed")?,
        parallel: false,
        ..PanelSettings::default()
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(Panels(settings))))
}

#[derive(Debug)]
struct Panels(PanelSettings);

impl Learner for Panels {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(fit_panel(data, &self.0)?))
    }
}

impl Fitted for Panel {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        let prediction = Panel::predict(self, x)?;
        Ok(Prediction {
            decision: prediction.decision,
            probability: Some(prediction.probability),
            variance: Some(prediction.variance),
        })
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.feature_indices().to_vec())
    }

    fn kept_samples(&self) -> Option<usize> {
        None
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
