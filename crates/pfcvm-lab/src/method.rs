//! What can be fitted and how it is asked for.

use clap::ValueEnum;
use pfcvm::{Dataset, Error, Kernel, PanelSettings, SamplePolicy, Settings, fit, fit_panel};

/// A classifier under study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// The default fit with the RBF kernel.
    Rbf,
    /// The default fit with the linear kernel.
    Linear,
    /// The default fit with the polynomial kernel of degree 2.
    Poly2,
    /// The paper to the letter, RBF kernel.
    LiteralRbf,
    /// The paper to the letter, linear kernel.
    LiteralLinear,
    /// The panel of half-sample members that share feature precisions.
    Panel,
}

/// How many samples a fit keeps; see [`SamplePolicy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Samples {
    /// As few as the evidence allows.
    Few,
    /// Thinned out after the features are settled.
    Frozen,
    /// All stay.
    Dense,
}

impl From<Samples> for SamplePolicy {
    fn from(samples: Samples) -> Self {
        match samples {
            Samples::Few => SamplePolicy::Few,
            Samples::Frozen => SamplePolicy::Frozen,
            Samples::Dense => SamplePolicy::Dense,
        }
    }
}

/// A method and its dials; a dial left alone keeps the library's default.
#[derive(Debug, Clone, clap::Args)]
pub struct Choice {
    /// What to fit.
    #[arg(long, value_enum, default_value = "rbf")]
    pub method: Method,
    /// The false-positive rate per feature.
    #[arg(long, value_name = "RATE")]
    pub p: Option<f64>,
    /// How many samples to keep.
    #[arg(long, value_enum)]
    pub samples: Option<Samples>,
}

/// What one fit says about the test rows, and what it kept.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Probabilities moderated by the posterior's variance.
    pub probability: Vec<f64>,
    /// Probabilities without it, σ(f); the panel has none of its own and repeats the others.
    pub plain_probability: Vec<f64>,
    /// Kept features.
    pub features: Vec<usize>,
    /// Number of kept samples; none for the panel, whose members keep their own.
    pub samples: Option<usize>,
    /// Iterations of the fit, where it counts them.
    pub iterations: Option<usize>,
    /// How the fit ended.
    pub termination: String,
}

impl Choice {
    /// The settings of a single fit; none for the panel. `parallel` is for one large fit that has
    /// the machine to itself.
    pub fn settings(&self, parallel: bool) -> Option<Settings> {
        let settings = match self.method {
            Method::Rbf => Settings::new(Kernel::Rbf),
            Method::Linear => Settings::new(Kernel::Linear),
            Method::Poly2 => Settings::new(Kernel::Polynomial { degree: 2 }),
            Method::LiteralRbf => Settings::paper(Kernel::Rbf),
            Method::LiteralLinear => Settings::paper(Kernel::Linear),
            Method::Panel => return None,
        };
        Some(Settings {
            false_positive_rate: self.p.unwrap_or(settings.false_positive_rate),
            samples: self.samples.map_or(settings.samples, SamplePolicy::from),
            parallel,
            ..settings
        })
    }

    /// Fits the training data and predicts the test data, with sequential algebra.
    pub fn try_on(&self, train: &Dataset, test: &Dataset) -> Result<Outcome, Error> {
        match self.settings(false) {
            Some(settings) => single(&settings, train, test),
            None => panel(self.p, train, test),
        }
    }
}

fn single(settings: &Settings, train: &Dataset, test: &Dataset) -> Result<Outcome, Error> {
    let fit = fit(train, settings)?;
    let prediction = fit.model.predict(test.x())?;
    Ok(Outcome {
        plain_probability: prediction.plain_probability(),
        probability: prediction.probability,
        features: fit.model.feature_indices().to_vec(),
        samples: Some(fit.model.sample_indices().len()),
        iterations: Some(fit.trace.len()),
        termination: format!("{:?}", fit.termination),
    })
}

fn panel(p: Option<f64>, train: &Dataset, test: &Dataset) -> Result<Outcome, Error> {
    let mut settings = PanelSettings::default();
    if let Some(p) = p {
        settings.false_positive_rate = p;
    }
    let panel = fit_panel(train, &settings)?;
    let probability = panel.predict(test.x())?.probability;
    Ok(Outcome {
        plain_probability: probability.clone(),
        probability,
        features: panel.feature_indices().to_vec(),
        samples: None,
        iterations: None,
        termination: "-".into(),
    })
}
