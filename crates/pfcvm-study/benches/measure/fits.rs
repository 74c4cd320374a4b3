//! Four fits that span what the library is for, timed; their data on disk for others to time.

use crate::{Outcome, REPEATS, data};
use pfcvm::settings::{Hyperprior, PrecisionRule, Readmission, Stage};
use pfcvm::{Dataset, Kernel, Settings, fit};
use pfcvm_eval::accuracy;
use pfcvm_io::generate::Labelling;
use std::path::Path;
use std::time::Instant;

/// One timed fit.
struct Case {
    /// Short name, also of its files.
    name: &'static str,
    /// What the data are.
    about: String,
    kernel: Kernel,
    train: Dataset,
    test: Dataset,
}

/// One tab-separated line for each case and procedure, then the peak, for a program to read.
pub fn run(folder: &Path, real: Option<&Path>) -> Outcome {
    for case in cases(real)? {
        data::write(folder, case.name, &case.train, &case.test)?;
        let (rows, cols) = (case.train.x().rows(), case.train.x().cols());
        let default = Settings::new(case.kernel);
        // So much is allowed that every row is a candidate.
        let all = Settings { max_basis: 4 * rows, ..default.clone() };
        let mut procedures = vec![("default", default)];
        match case.name {
            MANY => procedures.push(("all", all)),
            "eeg" => procedures.extend([("same", prototype_procedure(case.kernel)), ("all", all)]),
            _ => procedures.push(("same", prototype_procedure(case.kernel))),
        }
        for (procedure, settings) in procedures {
            let size = format!("{rows} x {cols}");
            let numbers = case.time(&settings)?;
            println!("{}\t{}\t{size}\t{procedure}\t{numbers}", case.name, case.about);
        }
    }
    println!("peak\t{:.2}", pfcvm::benchmark::matrix_product_gflops(2000));
    Ok(())
}

/// A case of rows so many that only some of them are candidates.
const MANY: &str = "many";

fn cases(real: Option<&Path>) -> Outcome<[Case; 4]> {
    let (train, test) = data::recordings()?;
    let about = "EEG-like, generated".into();
    let eeg = Case { name: "eeg", about, kernel: Kernel::Rbf, train, test };
    let (train, about) = data::wide(real)?;
    let about = format!("{about}, accuracy on the training rows");
    let test = train.clone();
    let wide = Case { name: "wide", about, kernel: Kernel::Linear, train, test };
    let (train, test) = data::waves(Labelling::Uci, 1000)?;
    let about = "waveform, generated".into();
    let waves = Case { name: "waveform", about, kernel: Kernel::Rbf, train, test };
    let (train, test) = data::many_waves()?;
    let about = "waveform, generated".into();
    let many = Case { name: MANY, about, kernel: Kernel::Rbf, train, test };
    Ok([eeg, wide, waves, many])
}

/// The procedure of the numpy prototype, for a comparison of like with like: features are judged
/// under EM with re-admission and no common weight, then samples are thinned out from the start.
fn prototype_procedure(kernel: Kernel) -> Settings {
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

impl Case {
    /// The best of some fits: seconds, iterations, samples, features, accuracy on the test rows, and
    /// GFLOP/s in the first iteration (matrix products only, over all of its time).
    fn time(&self, settings: &Settings) -> Outcome<String> {
        let mut best = (f64::INFINITY, String::new());
        for _ in 0..REPEATS {
            let start = Instant::now();
            let fit = fit(&self.train, settings)?;
            let seconds = start.elapsed().as_secs_f64();
            if seconds >= best.0 {
                continue;
            }
            let probability = fit.model.predict(self.test.x())?.probability;
            let gflops = fit.trace.first().map_or(f64::NAN, |i| i.flops / i.seconds / 1e9);
            let numbers = format!(
                "{seconds:.4}\t{}\t{}\t{}\t{:.4}\t{gflops:.2}",
                fit.trace.len(),
                fit.model.selected_samples().len(),
                fit.model.selected_features().len(),
                accuracy(self.test.positive(), &probability),
            );
            best = (seconds, numbers);
        }
        Ok(best.1)
    }
}
