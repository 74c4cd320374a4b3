//! `pfcvm experiment`: the paper's experiments done again.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Outputs, note};
use crate::threads::use_threads;
use crate::trial;
use pfcvm_data::Folder;
use pfcvm_experiments::{
    Bench, Chapter, Error, Experiment, Measured, Setup, Trial, commentary, whole_page,
};
use pfcvm_report::duration;
use pfcvm_study::{Identity, Journal, Outcomes, Repeated, Study};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub fn run(options: &args::Experiment) -> Outcome {
    use_threads(options.threads)?;
    let name = &options.name;
    std::fs::create_dir_all(&options.out)
        .map_err(|error| Failure::writing(&options.out, &error))?;
    let files = ["html", "json"].map(|ending| options.out.join(format!("{name}.{ending}")));
    output::check(&[Some(&files[0]), Some(&files[1])], &[])?;
    let folder = Folder::find(options.data_folder.as_deref());
    if options.data_folder.is_some() && !folder.path().is_dir() {
        let shown = folder.path().display();
        return Err(Failure::Data(format!(
            "{shown}: there is no such folder; name the data folder"
        )));
    }
    let setup = Setup {
        quick: options.quick,
        folder: folder.path().is_dir().then(|| folder.path().to_path_buf()),
        seed: options.seed,
    };
    let recorder = Recorder { options };
    let mut chapters = Vec::new();
    for experiment in experiments(name) {
        note(&format!("{}: {}", experiment.name(), experiment.heading()));
        chapters.push((experiment, experiment.run(&setup, &recorder)?));
    }

    let program = concat!("pfcvm ", env!("CARGO_PKG_VERSION"));
    let page = whole_page(&chapters, &setup, program);
    let html = page.html()?;
    let results = results(&chapters, &setup);
    let mut outputs = Outputs::default();
    outputs.add(&files[0], |staged| staged.write_all(html.as_bytes()))?;
    outputs.add(&files[1], |staged| {
        serde_json::to_writer_pretty(&mut *staged, &results)?;
        writeln!(staged)
    })?;
    outputs.finish()?;
    if options.json {
        return output::print_json(&results);
    }
    match (chapters.as_slice(), page.sections.first()) {
        // All chapters are for the page; here is what they come to.
        ([_, _, ..], Some(first)) => output::print(&first.text()),
        _ => output::print(&page.text()),
    }
}

/// All figures, none of which a clock had a part in.
fn results(chapters: &[(Experiment, Chapter)], setup: &Setup) -> Value {
    let all: Vec<_> = chapters.iter().flat_map(|(_, chapter)| &chapter.findings).cloned().collect();
    let timeless: Vec<_> = all.into_iter().filter(|finding| !finding.timed).collect();
    let of_chapter = |(experiment, chapter): &(Experiment, Chapter)| {
        let findings: Vec<_> = chapter.findings.iter().filter(|f| !f.timed).collect();
        let value = json!({
            "about": chapter.lead, "findings": findings, "results": chapter.results
        });
        (experiment.name().to_string(), value)
    };
    let experiments: serde_json::Map<String, Value> = chapters.iter().map(of_chapter).collect();
    json!({
        "seed": setup.seed,
        "quick": setup.quick,
        "commentary": commentary(&timeless),
        "experiments": experiments,
    })
}

/// One of the experiments, or all.
fn experiments(name: &str) -> Vec<Experiment> {
    Experiment::ALL.into_iter().filter(|one| name == "all" || one.name() == name).collect()
}

/// Records finished folds below the output folder.
struct Recorder<'a> {
    options: &'a args::Experiment,
}

impl Bench for Recorder<'_> {
    fn run(
        &self,
        experiment: Experiment,
        part: &str,
        studies: &[Study],
    ) -> Result<Vec<Vec<pfcvm_study::Outcome>>, Error> {
        let identity = self.identity().with_studies(studies);
        self.recorded(experiment, part, studies, &identity)
    }

    fn repeat(
        &self,
        experiment: Experiment,
        part: &str,
        trials: &[Trial],
    ) -> Result<Vec<Vec<Measured>>, Error> {
        let identity = trials.iter().fold(self.identity(), |identity, trial| {
            identity.with(trial.name.clone(), format!("{} times", trial.times))
        });
        let outcomes = self.recorded(experiment, part, trials, &identity)?;
        trials.iter().zip(outcomes).map(|(trial, all)| trial.complete(all)).collect()
    }
}

impl Recorder<'_> {
    /// What all parts have in common.
    fn identity(&self) -> Identity {
        Identity::of_program()
            .with("seed", self.options.seed.to_string())
            .with("quick", if self.options.quick { "yes" } else { "no" })
    }

    /// Does what an earlier run has left, with a bar, and says how long it took.
    fn recorded<T: Repeated>(
        &self,
        experiment: Experiment,
        part: &str,
        all: &[T],
        identity: &Identity,
    ) -> Result<Outcomes<T>, Error> {
        let folder = self.folder(experiment, part);
        let journal = Journal::open(&folder, identity, self.options.fresh)?;
        let what = format!("{} {part}", experiment.name());
        let start = Instant::now();
        let outcomes = trial::with_bar(&what, all, Some(&journal))?;
        let folds: usize = all.iter().map(T::times).sum();
        let time = duration(start.elapsed().as_secs_f64());
        note(&format!("{what}: {folds} folds, {time}"));
        Ok(outcomes)
    }

    fn folder(&self, experiment: Experiment, part: &str) -> std::path::PathBuf {
        let part: String = part
            .chars()
            .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .collect();
        let out: &Path = &self.options.out;
        out.join("folds").join(experiment.name()).join(part)
    }
}
