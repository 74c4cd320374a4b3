//! The program `pfcvm-lab`.

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use indicatif::ProgressBar;
use pfcvm::{Kernel, Settings};
use pfcvm_io::generate::{self, WAVE_FEATURES};
use pfcvm_lab::experiment::Experiment;
use pfcvm_lab::{bench, curve, generated, line, methods, rate};
use pfcvm_methods::Spec;
use pfcvm_study::Study;
use std::path::PathBuf;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The measurements behind pfcvm's documentation.
#[derive(Debug, Parser)]
#[command(name = "pfcvm-lab", version, about)]
enum Lab {
    /// Fit and score every split of a split file.
    Run(Run),
    /// Fit and score freshly generated waveforms: 200 + 200 rows to fit, 3000 to test.
    Generated(Generated),
    /// Follow one fit of 1376 EEG-like rows with 310 features, iteration by iteration.
    Curve(CurveOptions),
    /// Rows per second that a stored model predicts, from memory.
    Rate {
        /// A model file.
        model: PathBuf,
        /// Rows to predict.
        data: PathBuf,
    },
    /// Time three fits and write their data as .npy files.
    Bench(Bench),
    /// Time the methods that have rivals, and write their data and what they find as .npy files.
    Methods(Bench),
}

#[derive(Debug, clap::Args)]
struct Run {
    /// The split file.
    splits: PathBuf,
    /// The folder with the data sets.
    #[arg(long, value_name = "DIR", env = "PFCVM_DATA")]
    data: PathBuf,
    /// The method with its settings; `pfcvm methods` lists them.
    #[arg(long, default_value = "pfcvm-lp")]
    method: Spec,
    /// Only the first K splits.
    #[arg(long, value_name = "K")]
    limit: Option<usize>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
struct Generated {
    /// Which base wave is called first, second, third.
    #[arg(long, value_enum, default_value = "uci")]
    labelling: Labelling,
    /// How many sets to draw.
    #[arg(long, value_name = "K", default_value_t = 10)]
    sets: usize,
    /// Seed of the first set; the next ones count on.
    #[arg(long, value_name = "S", default_value_t = 1000)]
    first_seed: u64,
    /// The method with its settings; `pfcvm methods` lists them.
    #[arg(long, default_value = "pfcvm-lp")]
    method: Spec,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
struct Output {
    /// One row per split goes to this CSV file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fits that run side by side; 0 takes all cores. Times are cleanest with 1.
    #[arg(long, value_name = "T", default_value_t = 0)]
    threads: usize,
}

#[derive(Debug, clap::Args)]
struct CurveOptions {
    /// The paper to the letter instead of the default procedure.
    #[arg(long)]
    literal: bool,
    /// Seed of the data.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, clap::Args)]
struct Bench {
    /// Where the data files go.
    folder: PathBuf,
    /// The folder with the data sets; without it the wide case is generated.
    #[arg(long, value_name = "DIR", env = "PFCVM_DATA")]
    data: Option<PathBuf>,
    /// Fits per case, of which the fastest counts.
    #[arg(long, value_name = "R", default_value_t = 3)]
    repeats: usize,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Labelling {
    Uci,
    Textbook,
}

fn main() -> Result<()> {
    match Lab::parse() {
        Lab::Run(options) => options.run(),
        Lab::Generated(options) => options.run(),
        Lab::Curve(options) => {
            let settings = match options.literal {
                true => Settings::paper(Kernel::Rbf),
                false => Settings::new(Kernel::Rbf),
            };
            println!("{}", curve::run(&settings, options.seed)?);
            Ok(())
        }
        Lab::Rate { model, data } => {
            println!("{}", rate::run(&model, &data, 5)?);
            Ok(())
        }
        Lab::Bench(options) => options.run(),
        Lab::Methods(options) => options.methods(),
    }
}

impl Run {
    fn run(&self) -> Result<()> {
        let experiment = Experiment::read(&self.splits)?;
        let table = experiment.table(&self.data)?;
        let limit = self.limit.unwrap_or(usize::MAX);
        let study = experiment.study(table, &self.method, limit)?;
        self.output.finish(&study, experiment.first_noise_feature())
    }
}

impl Generated {
    fn run(&self) -> Result<()> {
        let (labelling, name) = match self.labelling {
            Labelling::Uci => (generate::Labelling::Uci, "uci"),
            Labelling::Textbook => (generate::Labelling::Textbook, "textbook"),
        };
        let study = generated::study(labelling, self.sets, self.first_seed, &self.method)?;
        let study = Study { name: format!("generated-{name} {}", self.method), ..study };
        self.output.finish(&study, Some(WAVE_FEATURES))?;
        let (accuracy, loss) = generated::bayes(labelling, self.sets, self.first_seed)?;
        println!(
            "  best possible rule on these rows: accuracy {:.2} %, log loss {loss:.4}",
            100.0 * accuracy
        );
        Ok(())
    }
}

impl Output {
    /// Runs a study and tells what came of it.
    fn finish(&self, study: &Study, first_noise: Option<usize>) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        // Drawn on standard error, and only where that is a terminal.
        let bar = ProgressBar::new(study.splits.len() as u64);
        let studies = std::slice::from_ref(study);
        let outcomes = pool.install(|| {
            pfcvm_study::run(studies, None, &|now| bar.set_position(now.done as u64))
        })?;
        bar.finish_and_clear();
        let outcomes = &outcomes[0];
        for (at, outcome) in outcomes.iter().enumerate() {
            if let Err(reason) = outcome {
                eprintln!("split {at} failed: {reason}");
            }
        }
        if let Some(path) = &self.out {
            line::write_csv(path, outcomes)?;
        }
        println!("{}", line::line(study, outcomes, first_noise));
        Ok(())
    }
}

impl Bench {
    /// One tab-separated line per case, then the peak, for a program to read.
    fn run(&self) -> Result<()> {
        self.make_folder()?;
        for case in bench::cases(self.data.as_deref())? {
            case.write(&self.folder)?;
            let procedures = [
                ("same", bench::prototype_procedure(case.kernel)),
                ("default", Settings::new(case.kernel)),
            ];
            for (procedure, settings) in procedures {
                let timing = case.time(&settings, self.repeats)?;
                println!(
                    "{}\t{}\t{} x {}\t{procedure}\t{:.4}\t{}\t{}\t{}\t{:.4}\t{:.2}",
                    case.name,
                    case.about,
                    case.train.x().rows(),
                    case.train.x().cols(),
                    timing.seconds,
                    timing.iterations,
                    timing.samples,
                    timing.features,
                    timing.accuracy,
                    timing.first_iteration_gflops,
                );
            }
        }
        println!("peak\t{:.2}", pfcvm::benchmark::matrix_product_gflops(2000));
        Ok(())
    }
    /// One tab-separated line per method and case, for a program to read.
    fn methods(&self) -> Result<()> {
        self.make_folder()?;
        for case in methods::cases(self.data.as_deref())? {
            let size = format!("{} x {}", case.train.x().rows(), case.train.x().cols());
            case.run(&self.folder, self.repeats, &mut |timing| {
                println!(
                    "{}\t{}\t{size}\t{:.6}\t{}\t{:.4}\t{:.4}\t{}",
                    case.name,
                    timing.method,
                    timing.seconds,
                    timing.kept,
                    timing.accuracy,
                    timing.log_loss,
                    case.about,
                );
            })?;
        }
        Ok(())
    }

    fn make_folder(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))
    }
}
