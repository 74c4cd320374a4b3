//! Three fits that span what the library is for, timed; their data on disk for others to time.

use crate::{curve, generated, npy};
use anyhow::{Context, Result};
use pfcvm::{
    Dataset, Hyperprior, Kernel, Matrix, PrecisionRule, Readmission, Settings, Stage, fit,
};
use pfcvm_eval::accuracy;
use pfcvm_io::generate::{Labelling, twonorm};
use pfcvm_io::{Input, ReadOptions, read_table};
use std::path::Path;
use std::time::Instant;

/// One timed fit.
#[derive(Debug)]
pub struct Case {
    /// Short name, also of its files.
    pub name: &'static str,
    /// What the data are.
    pub about: String,
    /// The kernel.
    pub kernel: Kernel,
    /// What is fitted.
    pub train: Dataset,
    /// What is predicted.
    pub test: Dataset,
}

/// The procedure of the numpy prototype, for a comparison of like with like: features are judged
/// under EM with re-admission and no common weight, then samples are thinned out from the start.
pub fn prototype_procedure(kernel: Kernel) -> Settings {
    let settings = Settings::new(kernel);
    if kernel == Kernel::Linear {
        return settings; // the default is the prototype's
    }
    let hyperprior = Hyperprior::from_false_positive_rate(settings.false_positive_rate);
    let judge = Stage {
        max_iterations: 60,
        readmission: Some(Readmission::default()),
        ..Stage::new(PrecisionRule::Em, hyperprior)
    };
    let thin = Stage { restart: true, ..Stage::new(PrecisionRule::MacKay, hyperprior) };
    Settings { stages: Some(vec![judge, thin]), ..settings }
}

/// What timing a case gave.
#[derive(Debug)]
pub struct Timing {
    /// Best wall time of the fit.
    pub seconds: f64,
    /// Iterations.
    pub iterations: usize,
    /// Kept samples.
    pub samples: usize,
    /// Kept features.
    pub features: usize,
    /// Accuracy on the test rows.
    pub accuracy: f64,
    /// GFLOP/s in the first iteration (matrix products only, over all of its time).
    pub first_iteration_gflops: f64,
}

/// The three cases. `data` is the folder with the real data sets, where there is one.
pub fn cases(data: Option<&Path>) -> Result<Vec<Case>> {
    let (train, test) = curve::pair(1)?;
    let about = "EEG-like, generated".into();
    let eeg = Case { name: "eeg", about, kernel: Kernel::Rbf, train, test };
    let (train, test) = generated::pair(Labelling::Uci, 1000)?;
    let about = "waveform, generated".into();
    let waves = Case { name: "waveform", about, kernel: Kernel::Rbf, train, test };
    Ok(vec![eeg, wide(data)?, waves])
}

/// 72 × 7129: the leukemia data, or normal deviates of that shape, and which of the two.
pub(crate) fn wide_data(data: Option<&Path>) -> Result<(Dataset, &'static str)> {
    let file = data.map(|folder| folder.join("leukemia/data.csv.gz")).filter(|file| file.exists());
    let (table, about) = match file {
        Some(file) => {
            let table = read_table(&Input::from(file), &ReadOptions::default(), &mut |_| ())?;
            (table, "leukemia")
        }
        None => (twonorm(7129, 36, 1), "two normals, generated"),
    };
    Ok((table.into_two_classes("-1", "1")?, about))
}

/// [`wide_data`], tested on its own rows.
fn wide(data: Option<&Path>) -> Result<Case> {
    let (train, about) = wide_data(data)?;
    let about = format!("{about}, accuracy on the training rows");
    let test = train.clone();
    Ok(Case { name: "wide", about, kernel: Kernel::Linear, train, test })
}

impl Case {
    /// Fits `repeats` times and keeps the best time.
    pub fn time(&self, settings: &Settings, repeats: usize) -> Result<Timing> {
        let mut best: Option<Timing> = None;
        for _ in 0..repeats.max(1) {
            let start = Instant::now();
            let fit = fit(&self.train, settings)?;
            let seconds = start.elapsed().as_secs_f64();
            if best.as_ref().is_some_and(|best| best.seconds <= seconds) {
                continue;
            }
            let probability = fit.model.predict(self.test.x())?.probability;
            let first = fit.trace.first();
            best = Some(Timing {
                seconds,
                iterations: fit.trace.len(),
                samples: fit.model.sample_indices().len(),
                features: fit.model.feature_indices().len(),
                accuracy: accuracy(self.test.positive(), &probability),
                first_iteration_gflops: first.map_or(f64::NAN, |i| i.flops / i.seconds / 1e9),
            });
        }
        best.context("no repeats")
    }

    /// Writes the data as `write_data` does.
    pub fn write(&self, folder: &Path) -> Result<()> {
        write_data(folder, self.name, &self.train, &self.test)
    }
}

/// Writes `NAME-{train,test}-{x,y}.npy`; y holds −1 and +1.
pub(crate) fn write_data(folder: &Path, name: &str, train: &Dataset, test: &Dataset) -> Result<()> {
    for (part, data) in [("train", train), ("test", test)] {
        let sign = |i: usize, _| if data.positive()[i] { 1.0 } else { -1.0 };
        let y = Matrix::from_fn(data.len(), 1, sign);
        for (letter, matrix) in [("x", data.x()), ("y", &y)] {
            let path = folder.join(format!("{name}-{part}-{letter}.npy"));
            npy::write(&path, matrix)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}
