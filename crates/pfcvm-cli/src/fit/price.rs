//! `fit --price`: what lists of other lengths cost, as `pfcvm price` finds it out with the settings of the fit.

use crate::args::{self, Choose};
use crate::evaluate::protocol;
use crate::failure::{Failure, Outcome};
use crate::learn::Training;
use crate::price::{self, Found};
use crate::trial::{self, Loaded};
use pfcvm::multiclass::{ClassFactors, panel_instead};
use pfcvm::panel::PanelSettings;
use pfcvm::settings::Algorithm;
use pfcvm::{ClassWeights, Kernel, Settings};
use pfcvm_io::{FitSettings, Input};
use pfcvm_report::studies::ShortLists;
use pfcvm_study::{Cv, PriceAccount, Study, usual_sizes};
use std::sync::Arc;

/// The protocol of `pfcvm price`, where nothing else is said.
const PROTOCOL: Cv = Cv::Folds { folds: 5, repeats: 1 };

/// A price that was asked for.
pub struct Wanted<'a> {
    options: &'a args::Fit,
    loaded: Loaded,
    trial: args::Trial,
}

/// The same once it was found.
pub struct Priced<'a> {
    wanted: Wanted<'a>,
    base: Study,
    found: Found,
}

/// Whether `--price` goes with what else was asked for.
pub fn can_be_had(options: &args::Fit) -> bool {
    let own_stages = options.max_iterations.is_some() || options.tolerance.is_some();
    options.unlabelled.is_none() && !own_stages
}

impl<'a> Wanted<'a> {
    /// Before the fit: what cannot be had is refused before any time is spent.
    pub fn of(options: &'a args::Fit, input: &Input, training: &Training) -> Outcome<Self> {
        let trial = args::Trial {
            cv: PROTOCOL,
            nested: false,
            grid: Vec::new(),
            choose: Choose::Errors,
            scheme: options.scheme,
            seed: options.seed,
            results: None,
            fresh: false,
            threads: options.threads,
            data_folder: None,
        };
        let loaded = Loaded {
            name: input.to_string(),
            title: String::new(),
            // Class weights are a setting of what is tried: these rows do not have them yet.
            data: Arc::new(training.data.clone()),
            feature_names: training.feature_names.clone(),
            rows: training.rows.clone(),
            groups: None,
            given: None,
            notes: Vec::new(),
        };
        let wanted = Self { options, loaded, trial };
        let base = wanted.base(options.panel.is_some())?;
        trial::check_memory(&base, options.memory_limit).map_err(in_words)?;
        if wanted.may_be_panel() {
            wanted.base(true)?;
        }
        Ok(wanted)
    }

    /// After the fit, which may have made a panel unasked.
    pub fn find(self, is_panel: bool) -> Outcome<Priced<'a>> {
        let base = self.base(is_panel)?;
        let asked = self.asked();
        // The fit itself is a point of the curve.
        let sizes = |kept: usize| match asked.filter(|asked| *asked < kept) {
            Some(asked) => usual_sizes(kept).into_iter().chain([asked]).collect(),
            None => Vec::new(),
        };
        let found = price::search(&base, &self.trial, sizes)?;
        Ok(Priced { wanted: self, base, found })
    }

    /// What every length is tried with: the settings of the fit, but for the length.
    fn base(&self, is_panel: bool) -> Outcome<Study> {
        self.study(is_panel).map_err(in_words)
    }

    fn study(&self, is_panel: bool) -> Outcome<Study> {
        let (method, set) = match is_panel {
            true => ("pfcvm-panel", of_panel(self.options)?),
            false => ("pfcvm-lp", of_single(self.options)),
        };
        let contender = trial::contender(method, &set, &self.trial)?;
        price::check_sizes(&contender)?;
        Ok(trial::studies(&self.loaded, &[contender], &self.trial)?.remove(0))
    }

    /// Whether the fit may make a panel unasked.
    fn may_be_panel(&self) -> bool {
        match super::settings(self.options, ClassWeights::Equal, 0) {
            FitSettings::Single(told) => panel_instead(&self.loaded.data, &told).is_some(),
            FitSettings::Panel(_) => false,
        }
    }

    /// The length that was asked of the fit.
    fn asked(&self) -> Option<usize> {
        self.options.features.or(self.options.panel).map(|most| most as usize)
    }
}

impl Priced<'_> {
    /// What the report shows.
    pub fn short_lists(&self) -> ShortLists {
        let Wanted { loaded, trial, .. } = &self.wanted;
        ShortLists {
            protocol: format!("{}, {}", self.base.contender.label(), protocol(trial)),
            price: self.found.price.clone(),
            list: self.found.list.clone(),
            feature_names: loaded.feature_names.clone(),
            asked: self.wanted.asked(),
        }
    }

    /// What is printed as JSON.
    pub fn account(&self) -> PriceAccount<'_> {
        self.found.account(&self.base, &self.wanted.trial, &self.wanted.loaded)
    }
}

/// What is refused, with the way out.
fn in_words(failure: Failure) -> Failure {
    let said = |message: String| {
        format!("--price cannot be had: {message}; leave out --price, or see `pfcvm price`")
    };
    match failure {
        Failure::Usage(message) => Failure::Usage(said(message)),
        Failure::Data(message) => Failure::Data(said(message)),
        other => other,
    }
}

/// Settings of `pfcvm-lp`: those that are not what they are anyway.
fn of_single(options: &args::Fit) -> Vec<String> {
    let (kernel, samples) = (options.kernel.0, options.samples.0);
    let (kernel, samples) = match options.algorithm {
        Algorithm::Mended => (told(kernel), told(samples)),
        // It has nothing to find out.
        Algorithm::Paper => {
            let base = Settings::of(Algorithm::Paper, kernel.unwrap_or(Kernel::Rbf));
            (base.kernel.to_string(), samples.unwrap_or(base.samples).to_string())
        }
    };
    let mut set = shared(options);
    set.extend([format!("kernel={kernel}"), format!("samples={samples}")]);
    set.extend(options.truncation.map(|truncation| format!("truncation={truncation}")));
    set.extend(options.no_standardise.then(|| "standardise=no".to_string()));
    let candidates = options.max_basis as usize;
    if candidates != Settings::default().max_basis {
        set.push(format!("max_basis={candidates}"));
    }
    if options.algorithm != Algorithm::Mended {
        set.push(format!("algorithm={}", options.algorithm));
    }
    set
}

fn told(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "auto".into(), |value| value.to_string())
}

/// Settings of `pfcvm-panel`. Its longest list is the usual one, unless a longer one was asked for.
fn of_panel(options: &args::Fit) -> Outcome<Vec<String>> {
    if options.no_standardise {
        let message =
            "the lists of a panel are tried on scaled values only, and --no-standardise was given";
        return Err(Failure::Usage(message.into()));
    }
    let mut set = shared(options);
    let usual = PanelSettings::default().size;
    let size = options.panel.map_or(usual, |most| usual.max(most as usize));
    set.extend((size != usual).then(|| format!("size={size}")));
    Ok(set)
}

/// Settings that both have. How many features are called certain (`--max-false`) changes no list, and with
/// `--goal accuracy` it is still lists alone that have a price.
fn shared(options: &args::Fit) -> Vec<String> {
    let usual = PanelSettings::default().false_positive_rate;
    let rate = options.false_positive_rate;
    let mut set = Vec::new();
    set.extend((rate != usual).then(|| format!("false_positive_rate={rate}")));
    set.extend(options.certainty.map(|certainty| format!("certainty={certainty}")));
    set.extend((options.seed != 0).then(|| format!("seed={}", options.seed)));
    set.extend(match &options.class_weights {
        ClassFactors::Equal => None,
        ClassFactors::Balanced => Some("class_weights=balanced".to_string()),
        ClassFactors::Given(factors) => {
            let factors: Vec<String> = factors.iter().map(f64::to_string).collect();
            Some(format!("class_weights={}", factors.join(",")))
        }
    });
    set
}
