//! Minimax probability machines.

use crate::catalogue::Made;
use crate::margin::{GAMMA, PROBABILITY, STANDARDISE, kernel, predicted};
use crate::{Entry, Error, Fitted, Learner, Prediction, Refusal, Setting, Stored, Values};
use pfcvm::{Dataset, Matrix};
use pfcvm_baselines::{Clusters, Mpm, MpmSettings, Smpm, SmpmSettings};

const KERNEL: Setting = Setting { key: "kernel", default: "linear", about: "rbf or linear" };
const RIDGE: Setting = Setting {
    key: "ridge",
    default: "0.01",
    about: "added to every variance, in parts of the mean variance, 0 or above",
};
const GRID: (&str, &[&str]) = ("ridge", &["0.001", "0.01", "0.1", "1"]);

pub(crate) static MPM: Entry = Entry {
    name: "mpm",
    about: "the plane with the best worst case, by means and covariances (Lanckriet 2002)",
    settings: &[
        KERNEL,
        GAMMA,
        RIDGE,
        STANDARDISE,
        PROBABILITY,
        Setting { key: "seed", default: "0", about: "of the folds that probabilities come from" },
    ],
    grid: &[GRID],
    make: |values| {
        let settings = MpmSettings {
            kernel: kernel(values)?,
            ridge: ridge(values)?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        };
        Ok(Made::Learner(Box::new(OneCloud(settings))))
    },
};

pub(crate) static SMPM: Entry = Entry {
    name: "smpm",
    about: "as mpm, with several clusters in each class (a reconstruction of Gu 2017)",
    settings: &[
        KERNEL,
        GAMMA,
        Setting {
            key: "clusters",
            default: "auto",
            about: "clusters of each class; auto: one to four, by cross-validation",
        },
        RIDGE,
        STANDARDISE,
        PROBABILITY,
        Setting { key: "seed", default: "0", about: "of the clusters and the folds" },
    ],
    grid: &[GRID],
    make: |values| {
        let clusters: String = values.get("clusters")?;
        let clusters = match clusters.as_str() {
            "auto" => Clusters::Chosen,
            _ => match values.get("clusters")? {
                0 => return Err(values.bad("clusters", "it must be auto or at least 1")),
                count => Clusters::Given(count),
            },
        };
        let settings = SmpmSettings {
            kernel: kernel(values)?,
            clusters,
            ridge: ridge(values)?,
            standardise: values.flag("standardise")?,
            probability: values.get("probability")?,
            seed: values.get("seed")?,
        };
        Ok(Made::Learner(Box::new(Clouds(settings))))
    },
};

fn ridge(values: &Values) -> Result<f64, Error> {
    match values.get::<f64>("ridge")? {
        ridge if ridge >= 0.0 && ridge.is_finite() => Ok(ridge),
        other => Err(values.bad("ridge", format!("`{other}` is below 0"))),
    }
}

#[derive(Debug)]
struct OneCloud(MpmSettings);

#[derive(Debug)]
struct Clouds(SmpmSettings);

impl Learner for OneCloud {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Mpm::fit(data, &self.0)?))
    }
}

impl Learner for Clouds {
    fn fit(&self, data: &Dataset) -> Result<Box<dyn Fitted>, Refusal> {
        Ok(Box::new(Smpm::fit(data, &self.0)?))
    }
}

impl Fitted for Mpm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(predicted(self.decide(x)?, self.calibration()))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        None
    }

    fn kept_samples(&self) -> Option<usize> {
        None
    }

    fn stored(&self) -> Stored {
        Stored::Mpm(Box::new(self.clone()))
    }
}

impl Fitted for Smpm {
    fn predict(&self, x: &Matrix) -> Result<Prediction, Refusal> {
        Ok(predicted(self.decide(x)?, self.calibration()))
    }

    fn selected_features(&self) -> Option<Vec<usize>> {
        None
    }

    fn kept_samples(&self) -> Option<usize> {
        None
    }

    fn stored(&self) -> Stored {
        Stored::Smpm(Box::new(self.clone()))
    }
}
