//! Every method that has a public or plain rival, timed on data that the rival can read.
//!
//! `reference/bench_methods.py` times the rivals on the files that are written here, and compares
//! what they find with `CASE-METHOD.npy` (a method's `/` and `=` as `_`): the decision values of
//! the test rows, or the features that a filter takes, best first.

use crate::{bench, curve, generated, npy};
use anyhow::{Context, Result, anyhow};
use pfcvm::{Dataset, Matrix};
use pfcvm_eval::{accuracy, log_loss};
use pfcvm_io::generate::Labelling;
use pfcvm_methods::Spec;
use pfcvm_methods::filter::{self, FsnmSettings, LaplacianSettings, MrmrScheme};
use std::path::Path;
use std::time::Instant;

/// Features that a filter is asked for.
pub const TAKEN: usize = 20;
/// A fit is repeated until this many seconds are spent, at least as often as asked for.
const LEAST_SECONDS: f64 = 0.3;
/// No fit is begun after this many seconds.
const MOST_SECONDS: f64 = 10.0;

/// Data, and what is timed on them.
#[derive(Debug)]
pub struct Case {
    /// Short name, also of its files.
    pub name: &'static str,
    /// What the data are.
    pub about: String,
    /// What is fitted.
    pub train: Dataset,
    /// What is predicted.
    pub test: Dataset,
    /// Classifiers, as `pfcvm-methods` reads them.
    pub learners: &'static [&'static str],
    /// Filters.
    pub filters: &'static [Filter],
}

/// A filter by itself, without the classifier that a spec would end with.
#[derive(Clone, Copy, Debug)]
pub enum Filter {
    /// Fisher score.
    Fisher,
    /// Laplacian score.
    Laplacian,
    /// Relevance minus redundancy.
    Mrmr,
    /// Trace ratio.
    TraceRatio,
    /// Joint norms.
    Fsnm,
}

/// What timing a method gave.
#[derive(Debug)]
pub struct Timing {
    /// The method.
    pub method: String,
    /// Best wall time.
    pub seconds: f64,
    /// Kept samples, or features of a filter.
    pub kept: usize,
    /// Accuracy on the test rows; a filter has none.
    pub accuracy: f64,
    /// Log loss there; nothing to tell without probabilities.
    pub log_loss: f64,
    /// What a rival is compared by.
    outcome: Vec<f64>,
}

const RVM: &str = "rvm/kernel=rbf/bias=no";
const SVM: &str = "svm/kernel=rbf/probability=no";
const LINEAR_SVM: &str = "svm/kernel=linear/probability=no";

/// The cases. `data` is the folder with the real data sets, where there is one.
pub fn cases(data: Option<&Path>) -> Result<Vec<Case>> {
    let (train, test) = generated::pair(Labelling::Uci, 1000)?;
    let waves = Case {
        name: "waveform",
        about: "waveform, generated".into(),
        train,
        test,
        learners: &[RVM, "pcvm/learn_width=no/restarts=1", SVM, LINEAR_SVM],
        filters: &[],
    };
    let (train, test) = curve::pair(1)?;
    // Every third feature: the first hundred tell nothing about the class.
    let part_of = |data: &Dataset| {
        let rows = Vec::from_iter(0..data.len().min(700));
        let columns = Vec::from_iter((0..300).step_by(3));
        let x = data.x().select_columns(&columns).select_rows(&rows);
        Dataset::new(x, data.positive()[..rows.len()].to_vec())
    };
    let part = Case {
        name: "eeg-part",
        about: "700 rows and every third feature of eeg".into(),
        train: part_of(&train)?,
        test: part_of(&test)?,
        learners: &[RVM],
        filters: &[],
    };
    let about = "EEG-like, generated".into();
    let eeg = Case { name: "eeg", about, train, test, learners: &[RVM], filters: &[] };
    let (train, about) = bench::wide_data(data)?;
    let wide = Case {
        name: "wide",
        about: format!("{about}; its own test rows"),
        test: train.clone(),
        train,
        learners: &[SVM, LINEAR_SVM],
        filters: &[
            Filter::Fisher,
            Filter::Laplacian,
            Filter::Mrmr,
            Filter::TraceRatio,
            Filter::Fsnm,
        ],
    };
    Ok(vec![waves, part, eeg, wide])
}

impl Case {
    /// Writes the data, times each method and writes what it finds; `done` is told of each.
    pub fn run(&self, folder: &Path, repeats: usize, done: &mut dyn FnMut(&Timing)) -> Result<()> {
        bench::write_data(folder, self.name, &self.train, &self.test)?;
        let mut finish = |timing: Timing| {
            let slug = timing.method.replace(['/', '='], "_");
            let path = folder.join(format!("{}-{slug}.npy", self.name));
            let outcome = Matrix::from_fn(timing.outcome.len(), 1, |i, _| timing.outcome[i]);
            npy::write(&path, &outcome)
                .with_context(|| format!("cannot write {}", path.display()))?;
            done(&timing);
            Ok(())
        };
        let learners = self.learners.iter().map(|spec| self.learner(spec, repeats));
        let filters = self.filters.iter().map(|filter| self.filter(*filter, repeats));
        learners.chain(filters).try_for_each(|timing| finish(timing?))
    }

    fn learner(&self, method: &str, repeats: usize) -> Result<Timing> {
        let learner = method.parse::<Spec>()?.build()?;
        let (seconds, fitted) = best(repeats, || learner.fit(&self.train)).map_err(refused)?;
        let prediction = fitted.predict(self.test.x()).map_err(refused)?;
        let truth = self.test.positive();
        // Accuracy looks at which side of ½ a probability is.
        let sides = prediction.decision.iter().map(|f| f64::from(u8::from(*f >= 0.0)));
        let loss = prediction.probability.map(|probability| log_loss(truth, &probability));
        Ok(Timing {
            method: method.into(),
            seconds,
            kept: fitted.kept_samples().unwrap_or(self.train.len()),
            accuracy: accuracy(truth, &Vec::from_iter(sides)),
            log_loss: loss.unwrap_or(f64::NAN),
            outcome: prediction.decision,
        })
    }

    fn filter(&self, filter: Filter, repeats: usize) -> Result<Timing> {
        let (seconds, features) = best(repeats, || filter.select(&self.train))?;
        Ok(Timing {
            method: filter.name().into(),
            seconds,
            kept: features.len(),
            accuracy: f64::NAN,
            log_loss: f64::NAN,
            outcome: features.iter().map(|&feature| feature as f64).collect(),
        })
    }
}

impl Filter {
    fn name(self) -> &'static str {
        match self {
            Filter::Fisher => "fisher",
            Filter::Laplacian => "laplacian",
            Filter::Mrmr => "mrmr",
            Filter::TraceRatio => "trc",
            Filter::Fsnm => "fsnm",
        }
    }

    fn select(self, data: &Dataset) -> Result<Vec<usize>, pfcvm_methods::Error> {
        let mut ranking = match self {
            Filter::Fisher => filter::fisher(data)?,
            Filter::Laplacian => filter::laplacian(data, &LaplacianSettings::default())?,
            Filter::Mrmr => filter::mrmr(data, TAKEN, MrmrScheme::Difference)?,
            Filter::TraceRatio => filter::trace_ratio(data, TAKEN, false)?.ranking,
            Filter::Fsnm => filter::fsnm(data, &FsnmSettings::default())?.ranking,
        };
        ranking.truncate(TAKEN);
        Ok(ranking.features)
    }
}

/// The least of the wall times, and what the last run gave.
fn best<T, E>(repeats: usize, mut run: impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let begin = Instant::now();
    let (mut least, mut runs) = (f64::INFINITY, 0);
    loop {
        let start = Instant::now();
        let outcome = run()?;
        least = least.min(start.elapsed().as_secs_f64());
        runs += 1;
        let spent = begin.elapsed().as_secs_f64();
        if (runs >= repeats && spent > LEAST_SECONDS) || spent > MOST_SECONDS {
            return Ok((least, outcome));
        }
    }
}

fn refused(refusal: pfcvm_methods::Refusal) -> anyhow::Error {
    anyhow!(refusal)
}
