//! PFCVM_LP, this project's own.

use crate::ascending;
use crate::catalogue::Made;
use crate::catalogue::Takes::{Form, Whole, Word};
use crate::rows::Weighing;
use crate::{
    Entry, Error, Fitted, Prediction, Refusal, Role, Setting, Stored, Values, settings, stop,
};
use pfcvm::multiclass::{self, Scheme};
use pfcvm::settings::Auto;
use pfcvm::{Dataset, Fit, Goal, Kernel, Matrix, SamplePolicy, Settings, Termination};

pub(crate) static ENTRY: Entry = Entry {
    name: "pfcvm-lp",
    about: "features and samples selected together, by Laplace's approximation (the paper's method)",
    role: Role::Classifier { selects_features: true, selects_samples: true },
    settings: &[
        Setting {
            takes: &[Word("rbf"), Word("linear"), Form("poly:P"), Word("auto")],
            about: "rbf, linear, poly:P of degree P, or auto: what suits the data",
            ..settings::KERNEL
        },
        settings::FALSE_POSITIVE_RATE,
        settings::CERTAINTY,
        Setting {
            key: "size",
            default: "all",
            takes: &[Word("all"), Whole { least: 1 }],
            about: "at most this many features; all: as many as the evidence asks for",
        },
        settings::GOAL,
        Setting {
            key: "samples",
            default: "few",
            takes: &[Word("few"), Word("frozen"), Word("dense"), Word("auto")],
            about: "how many samples are kept: few, frozen, dense or auto, what suits the data (with \
                    goal=accuracy dense unless it is set)",
        },
        Setting {
            about: "how weights are kept from below 0: exact, or, with algorithm=paper, sigmoid:LAMBDA",
            ..settings::TRUNCATION
        },
        settings::CLASS_WEIGHTS,
        settings::STANDARDISE,
        settings::MAX_BASIS,
        Setting {
            key: "algorithm",
            default: "mended",
            takes: &[Word("mended"), Word("paper")],
            about: "mended, or paper: Algorithm 1 to the letter (with sigmoid:5 unless truncation is set)",
        },
        settings::SEED,
    ],
    grid: &[("kernel", &["rbf", "linear"]), ("false_positive_rate", &["0.01", "0.05", "0.15"])],
    make,
};

fn make(values: &Values) -> Result<Made, Error> {
    let told = |key: &str| -> Result<bool, Error> { Ok(values.get::<String>(key)? != "auto") };
    let auto = Auto { kernel: !told("kernel")?, samples: !told("samples")? };
    let kernel = if auto.kernel { Kernel::Rbf } else { values.get("kernel")? };
    let base = Settings::of(values.get("algorithm")?, kernel);
    let truncation = match values.is_given("truncation") {
        true => values.get("truncation")?,
        false => base.truncation,
    };
    let goal: Goal = values.get("goal")?;
    let settings = Settings {
        false_positive_rate: values.get("false_positive_rate")?,
        certainty: match values.is_given("certainty") {
            true => values.get("certainty")?,
            false => base.certainty,
        },
        size: match values.get::<String>("size")?.as_str() {
            "all" => None,
            _ => Some(values.count("size")?),
        },
        goal,
        samples: match (values.is_given("samples") && !auto.samples, goal) {
            (true, _) => values.get("samples")?,
            (false, Goal::Accuracy) => SamplePolicy::Dense,
            (false, Goal::List) => SamplePolicy::Few,
        },
        auto,
        truncation,
        class_weights: values.class_weights()?,
        standardise: values.flag("standardise")?,
        max_basis: values.get("max_basis")?,
        seed: values.get("seed")?,
        parallel: false,
        ..base
    };
    settings.check().map_err(|error| values.out_of_range(error))?;
    Ok(Made::learner_of_classes(settings, fit, together).weighing(Weighing::Own).on_tables())
}

fn fit(data: &Dataset, settings: &Settings) -> Result<Fit, pfcvm::Error> {
    let settings = Settings { stop: stop::present(), ..settings.clone() };
    if settings.auto == Auto::default() {
        return pfcvm::fit_with(data, &settings, &mut |_| stop::flow());
    }
    let codes = data.positive().iter().map(|positive| usize::from(*positive)).collect();
    let names = ["negative", "positive"].map(String::from).to_vec();
    let data = multiclass::Dataset::new(data.x().clone(), codes, names)?
        .with_columns(data.columns().clone())?
        .with_sample_weights(data.sample_weights().to_vec())?;
    let (_, mut fits) = together(&data, &settings)?;
    fits.pop().ok_or(pfcvm::Error::NumericalBreakdown)
}

fn together(
    data: &multiclass::Dataset,
    settings: &Settings,
) -> Result<(Scheme, Vec<Fit>), pfcvm::Error> {
    let settings = Settings { stop: stop::present(), ..settings.clone() };
    let (fitted, ..) =
        multiclass::fit_choosing(data, Scheme::Joint, &settings, &|_, _| stop::flow())?;
    Ok((fitted.scheme(), fitted.into_machines()))
}

impl Fitted for Fit {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Fitted::predict(&self.model, x)
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        Some(self.model.selected_features().to_vec())
    }

    fn selected_samples(&self) -> Option<Vec<usize>> {
        ascending(self.model.selected_samples())
    }

    fn renumber_samples(&mut self, rows: &[usize]) {
        self.model.renumber_samples(rows);
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
