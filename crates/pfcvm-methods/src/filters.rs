//! Filters: features in an order, for a classifier to follow.

use crate::catalogue::Made;
use crate::margin::{STANDARDISE, above_0};
use crate::{Entry, Error, Refusal, Selector, Setting, Values};
use pfcvm::Dataset;
use pfcvm_baselines::{self as baselines, FsnmSettings, LaplacianSettings, MrmrScheme};

const FEATURES: Setting =
    Setting { key: "features", default: "20", about: "how many features are taken" };
const GRID: &[(&str, &[&str])] = &[("features", &["5", "10", "20", "40", "80"])];

pub(crate) static FISHER: Entry = Entry {
    name: "fisher",
    about: "features by the distance of class means over the spread within, each alone",
    settings: &[FEATURES],
    grid: GRID,
    make: |values| filter(values, Kind::Fisher),
};

pub(crate) static LAPLACIAN: Entry = Entry {
    name: "laplacian",
    about: "features by how smooth they are over a graph of neighbours (He 2005)",
    settings: &[
        FEATURES,
        Setting { key: "neighbours", default: "5", about: "neighbours of each sample" },
        Setting {
            key: "width",
            default: "auto",
            about: "t in the weight exp(-d²/t) of two neighbours; auto: the mean of d²",
        },
        Setting {
            key: "supervised",
            default: "no",
            about: "whether only samples of one class are neighbours: yes or no",
        },
        STANDARDISE,
    ],
    grid: GRID,
    make: |values| {
        let width: String = values.get("width")?;
        let width = if width == "auto" { None } else { Some(values.get("width")?) };
        if width.is_some_and(|width: f64| !(width > 0.0 && width.is_finite())) {
            return Err(values.bad("width", "it must be auto or a number above 0"));
        }
        let settings = LaplacianSettings {
            neighbours: at_least_1(values, "neighbours")?,
            width,
            supervised: values.flag("supervised")?,
            standardise: values.flag("standardise")?,
        };
        filter(values, Kind::Laplacian(settings))
    },
};

pub(crate) static MRMR: Entry = Entry {
    name: "mrmr",
    about: "features that tell about the class and little about each other (Peng 2005)",
    settings: &[
        FEATURES,
        Setting {
            key: "scheme",
            default: "mid",
            about: "relevance minus redundancy (mid) or over redundancy (miq)",
        },
    ],
    grid: GRID,
    make: |values| {
        let scheme: String = values.get("scheme")?;
        let scheme = match scheme.as_str() {
            "mid" => MrmrScheme::Difference,
            "miq" => MrmrScheme::Quotient,
            other => return Err(values.bad("scheme", format!("`{other}` is neither mid nor miq"))),
        };
        filter(values, Kind::Mrmr(scheme))
    },
};

pub(crate) static TRC: Entry = Entry {
    name: "trc",
    about: "the subset with the largest ratio of scatter between over within classes (Nie 2008)",
    settings: &[
        FEATURES,
        Setting {
            key: "standardise",
            default: "no",
            about: "whether features are scaled first: yes or no; with yes the subset is Fisher's",
        },
    ],
    grid: GRID,
    make: |values| filter(values, Kind::TraceRatio { standardise: values.flag("standardise")? }),
};

pub(crate) static FSNM: Entry = Entry {
    name: "fsnm",
    about: "features by their rows in a robust sparse regression on the classes (Nie 2010)",
    settings: &[
        FEATURES,
        Setting { key: "gamma", default: "1", about: "how much a feature costs, above 0" },
        STANDARDISE,
    ],
    grid: GRID,
    make: |values| {
        let gamma = above_0(values, "gamma")?;
        let standardise = values.flag("standardise")?;
        filter(values, Kind::Fsnm(FsnmSettings { gamma, standardise, ..FsnmSettings::default() }))
    },
};

fn filter(values: &Values, kind: Kind) -> Result<Made, Error> {
    Ok(Made::Selector(Box::new(Filter { features: at_least_1(values, "features")?, kind })))
}

fn at_least_1(values: &Values, key: &str) -> Result<usize, Error> {
    match values.get(key)? {
        0 => Err(values.bad(key, "it must be at least 1")),
        count => Ok(count),
    }
}

#[derive(Debug)]
struct Filter {
    features: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Fisher,
    Laplacian(LaplacianSettings),
    Mrmr(MrmrScheme),
    TraceRatio { standardise: bool },
    Fsnm(FsnmSettings),
}

impl Selector for Filter {
    fn select(&self, data: &Dataset) -> Result<Vec<usize>, Refusal> {
        let mut ranking = match &self.kind {
            Kind::Fisher => baselines::fisher(data)?,
            Kind::Laplacian(settings) => baselines::laplacian(data, settings)?,
            Kind::Mrmr(scheme) => baselines::mrmr(data, self.features, *scheme)?,
            Kind::TraceRatio { standardise } => {
                baselines::trace_ratio(data, self.features, *standardise)?.ranking
            }
            Kind::Fsnm(settings) => baselines::fsnm(data, settings)?.ranking,
        };
        ranking.truncate(self.features);
        Ok(ranking.features)
    }
}
