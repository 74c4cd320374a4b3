//! PFCVM_LP, this project's own.

use crate::catalogue::Made;
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Fit, Matrix, Settings, Termination};

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-lp",
    about: "features and samples selected together, by Laplace's approximation (the paper's method)",
    settings: &[
        Setting { key: "kernel", default: "rbf", about: "rbf, linear, or poly:P of degree P" },
        Setting {
            key: "false_positive_rate",
            default: "0.05",
            about: "how likely a feature of pure noise is to be kept, above 0 and below 0.5",
        },
        Setting {
            key: "samples",
            default: "few",
            about: "how many samples are kept: few, frozen or dense",
        },
        Setting {
            key: "truncation",
            default: "exact",
            about: "how weights are kept from below 0: exact, or, with algorithm=paper, sigmoid:LAMBDA",
        },
        Setting {
            key: "class_weights",
            default: "equal",
            about: "how the classes count: equal, balanced, or two factors as in 1,2.5",
        },
        Setting {
            key: "standardise",
            default: "yes",
            about: "whether features are shifted and scaled first, on the training rows: yes or no",
        },
        Setting {
            key: "max_basis",
            default: "2000",
            about: "up to this many samples all are candidates",
        },
        Setting {
            key: "algorithm",
            default: "mended",
            about: "mended, or paper: Algorithm 1 to the letter (with sigmoid:5 unless truncation is set)",
        },
        Setting {
            key: "seed",
            default: "0",
            about: "of the draw of candidates among more than max_basis samples",
        },
    ],
    grid: &[("kernel", &["rbf", "linear"]), ("false_positive_rate", &["0.01", "0.05", "0.15"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let kernel = values.get("kernel")?;
    let base = Settings::of(values.get("algorithm")?, kernel);
    let truncation = match values.is_given("truncation") {
        true => values.get("truncation")?,
        false => base.truncation,
    };
    let settings = Settings {
        false_positive_rate: values.get("false_positive_rate")?,
        samples: values.get("samples")?,
        truncation,
        class_weights: values.get("class_weights")?,
        standardise: values.flag("standardise")?,
        max_basis: values.get("max_basis")?,
        seed: values.get("seed")?,
        parallel: false,
        ..base
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::Learner(Box::new(Lp(settings))))
}

#[derive(Debug)]
struct Lp(Settings);

impl Learner for Lp {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(pfcvm::fit(data, &self.0)?))
    }
}

impl Fitted for Fit {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Fitted::predict(&self.model, x)
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.model.feature_indices().to_vec())
    }

    fn kept_samples(&self) -> Option<usize> {
        Some(self.model.sample_indices().len())
    }

    fn sample_indices(&self) -> Option<Vec<usize>> {
        Some(self.model.sample_indices().to_vec())
    }

    fn feature_weights(&self) -> Option<Vec<f64>> {
        Fitted::feature_weights(&self.model)
    }

    fn ending(&self) -> Option<(Termination, usize)> {
        Some((self.termination, self.trace.len()))
    }

    fn stored(&self) -> Stored {
        self.model.stored()
    }
}
