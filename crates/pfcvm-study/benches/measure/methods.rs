//! Every method that has a public or plain rival, timed on data that the rival can read.
//!
//! `reference/bench_methods.py` times the rivals on the files that are written here, and compares
//! what they find with `CASE-METHOD.npy` (a method's `/` and `=` as `_`): the decision values of
//! the test rows, or the features that a filter takes, best first.

use crate::{Outcome, REPEATS, data, npy};
use pfcvm::{Dataset, Matrix};
use pfcvm_eval::{accuracy, log_loss};
use pfcvm_io::generate::Labelling;
use pfcvm_methods::Spec;
use std::path::Path;
use std::time::Instant;

/// Features that a filter is asked for.
const TAKEN: usize = 20;
/// A fit is repeated until this many seconds are spent, at least as often as asked for.
const LEAST_SECONDS: f64 = 0.3;
/// No fit is begun after this many seconds.
const MOST_SECONDS: f64 = 10.0;

const RVM: &str = "rvm/kernel=rbf/bias=no";
const SVM: &str = "svm/kernel=rbf/probability=no";
const LINEAR_SVM: &str = "svm/kernel=linear/probability=no";
const FILTERS: &[&str] = &["fisher", "laplacian", "mrmr", "trc", "fsnm"];

/// Data, and what is timed on them.
struct Case {
    /// Short name, also of its files.
    name: &'static str,
    /// What the data are.
    about: String,
    train: Dataset,
    test: Dataset,
    /// Classifiers, as `pfcvm-methods` reads them.
    learners: &'static [&'static str],
    filters: &'static [&'static str],
}

/// What timing a method gave.
struct Timing {
    seconds: f64,
    /// Selected samples, or features of a filter.
    selected: usize,
    /// Accuracy on the test rows; a filter has none.
    accuracy: f64,
    /// Log loss there; nothing to tell without probabilities.
    log_loss: f64,
    /// What a rival is compared by.
    outcome: Vec<f64>,
}

/// One tab-separated line for each method and case, for a program to read.
pub fn run(folder: &Path, real: Option<&Path>) -> Outcome {
    for case in cases(real)? {
        data::write(folder, case.name, &case.train, &case.test)?;
        for method in case.learners {
            case.tell(folder, method, case.learner(method)?)?;
        }
        for filter in case.filters {
            case.tell(folder, filter, case.filter(filter)?)?;
        }
    }
    Ok(())
}

fn cases(real: Option<&Path>) -> Outcome<[Case; 4]> {
    let (train, test) = data::waves(Labelling::Uci, 1000)?;
    let waves = Case {
        name: "waveform",
        about: "waveform, generated".into(),
        train,
        test,
        learners: &[RVM, "pcvm/learn_width=no/restarts=1", SVM, LINEAR_SVM],
        filters: &[],
    };
    let (train, test) = data::recordings()?;
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
    let (train, about) = data::wide(real)?;
    let wide = Case {
        name: "wide",
        about: format!("{about}; its own test rows"),
        test: train.clone(),
        train,
        learners: &[SVM, LINEAR_SVM],
        filters: FILTERS,
    };
    Ok([waves, part, eeg, wide])
}

impl Case {
    /// Prints the times of a method and writes what it finds.
    fn tell(&self, folder: &Path, method: &str, timing: Timing) -> Outcome {
        let slug = method.replace(['/', '='], "_");
        let outcome = Matrix::from_fn(timing.outcome.len(), 1, |i, _| timing.outcome[i]);
        npy::write(&folder.join(format!("{}-{slug}.npy", self.name)), &outcome)?;
        println!(
            "{}\t{method}\t{} x {}\t{:.6}\t{}\t{:.4}\t{:.4}\t{}",
            self.name,
            self.train.x().rows(),
            self.train.x().cols(),
            timing.seconds,
            timing.selected,
            timing.accuracy,
            timing.log_loss,
            self.about,
        );
        Ok(())
    }

    fn learner(&self, method: &str) -> Outcome<Timing> {
        let learner = method.parse::<Spec>()?.build()?;
        let (seconds, fitted) = best(|| learner.fit(&self.train))?;
        let prediction = fitted.predict(self.test.x())?;
        let truth = self.test.positive();
        // Accuracy looks at which side of ½ a probability is.
        let sides = prediction.decision.iter().map(|f| f64::from(u8::from(*f >= 0.0)));
        let loss = prediction.probability.map(|probability| log_loss(truth, &probability));
        Ok(Timing {
            seconds,
            selected: fitted.selected_samples().map_or(self.train.len(), |samples| samples.len()),
            accuracy: accuracy(truth, &Vec::from_iter(sides)),
            log_loss: loss.unwrap_or(f64::NAN),
            outcome: prediction.decision,
        })
    }

    fn filter(&self, filter: &str) -> Outcome<Timing> {
        let selector = Spec::of_selector(&format!("{filter}/features={TAKEN}"))?.selector()?;
        let (seconds, features) = best(|| selector.select(&self.train))?;
        Ok(Timing {
            seconds,
            selected: features.len(),
            accuracy: f64::NAN,
            log_loss: f64::NAN,
            outcome: features.iter().map(|&feature| feature as f64).collect(),
        })
    }
}

/// The least of the wall times, and what the last run gave.
fn best<T, E>(mut run: impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let begin = Instant::now();
    let (mut least, mut runs) = (f64::INFINITY, 0);
    loop {
        let start = Instant::now();
        let outcome = run()?;
        least = least.min(start.elapsed().as_secs_f64());
        runs += 1;
        let spent = begin.elapsed().as_secs_f64();
        if (runs >= REPEATS && spent > LEAST_SECONDS) || spent > MOST_SECONDS {
            return Ok((least, outcome));
        }
    }
}
