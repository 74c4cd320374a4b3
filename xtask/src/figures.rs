//! `cargo xtask figures`: every figure of the documentation, from data to tables.

use crate::bench::measure;
use crate::python;
use crate::step::{Outcome, answer, cargo, quietly, root, scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to run.
#[derive(Debug, Default, PartialEq)]
pub struct Options {
    /// Three splits each and no baselines: a trial run of a few minutes.
    quick: bool,
    /// Only experiments with these names.
    only: Option<Vec<String>>,
}

/// Features of a waveform that carry something; those after them are noise.
const WAVE_FEATURES: u64 = 21;

/// Data sets with more features than samples: the linear kernel and the panel are for them.
const WIDE: [&str; 5] = ["colon", "duke", "leukemia", "prostate", "arcene"];

impl Options {
    /// Reads the words after `figures`.
    pub fn parse(words: &[&str]) -> Outcome<Self> {
        match words {
            [] => Ok(Self::default()),
            ["--quick", rest @ ..] => Ok(Self { quick: true, ..Self::parse(rest)? }),
            ["--only", names, rest @ ..] => {
                let names = names.split(',').map(String::from).collect();
                Ok(Self { only: Some(names), ..Self::parse(rest)? })
            }
            [other, ..] => {
                Err(format!("figures takes --quick and --only NAME,NAME, not `{other}`"))
            }
        }
    }

    /// Runs everything; tables go to standard output and to `target/figures/summary.txt`.
    pub fn run(&self) -> Outcome {
        let folder = scratch("figures")?;
        let build = ["build", "--quiet", "--release", "--package", "pfcvm-cli"];
        quietly("build", &mut cargo(&build))?;
        let mut tables = Tables::new(&folder);

        for labelling in ["uci", "textbook"] {
            if self.wants(&format!("generated-{labelling}")) {
                let sets = if self.quick { 3 } else { 10 };
                tables.add(&fresh_waves(&folder, labelling, sets)?)?;
            }
        }
        if self.wants("curve") {
            tables.add(&curve(&folder)?)?;
        }
        let Some(data) = std::env::var_os("PFCVM_DATA").map(PathBuf::from) else {
            println!("PFCVM_DATA is not set: figures on real data are left out");
            return tables.done();
        };

        let python = python::environment()?;
        let splits = folder.join("splits");
        let script = |name: &str| {
            let mut command = Command::new(&python);
            command.arg(root().join("reference").join(name));
            command
        };
        let mut write = script("splits.py");
        write.arg(&splits).args(self.quick.then_some("3"));
        quietly("splits", &mut write)?;
        for experiment in self.experiments(&splits)? {
            let file = splits.join(format!("{experiment}.json"));
            let data = data.join(data_of(&file)?);
            for method in methods(&experiment) {
                let folds = folder.join(format!("{experiment}-{}.csv", method.replace('/', "-")));
                let words = ["--method", method, "--folds", &folds.to_string_lossy()];
                let measured = evaluate(&data, &file, &words)?;
                tables.add(&line(&format!("{experiment} {method}"), &measured))?;
            }
        }
        if !self.quick {
            let results = folder.join("baselines.csv");
            let mut baselines = script("baselines.py");
            baselines.arg(&splits).arg(&results);
            if let Some(names) = &self.only {
                baselines.args(["--only", &names.join(",")]);
            }
            quietly("baselines", &mut baselines)?;
            tables.add(&answer(script("baselines.py").arg("--summary").arg(&results))?)?;
        }
        tables.done()
    }

    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|names| names.iter().any(|wanted| wanted == name))
    }

    /// Names of the split files that are reported, in order; settings were chosen on the others.
    fn experiments(&self, splits: &Path) -> Outcome<Vec<String>> {
        let files = fs::read_dir(splits).map_err(|error| error.to_string())?.flatten();
        let mut names: Vec<String> = files
            .filter_map(|file| {
                let name = file.file_name().into_string().ok()?;
                name.strip_suffix(".json").map(String::from)
            })
            .filter(|name| !name.ends_with("-choose") && self.wants(name))
            .collect();
        names.sort();
        Ok(names)
    }
}

/// The methods an experiment is run with.
fn methods(experiment: &str) -> Vec<&'static str> {
    if WIDE.iter().any(|name| experiment.starts_with(name)) {
        return vec!["pfcvm-lp/kernel=linear", "pfcvm-panel"];
    }
    let mut methods = vec!["pfcvm-lp", "pfcvm-lp/false_positive_rate=0.15/samples=dense"];
    if experiment == "waveform-paper" || experiment == "eeg-given" {
        methods.push("pfcvm-lp/algorithm=paper");
    }
    methods
}

/// Runs the program.
fn program(words: &[&str]) -> Outcome<String> {
    let mut command = cargo(&["run", "--quiet", "--release", "--package", "pfcvm-cli", "--"]);
    answer(command.args(words))
}

/// Runs the program with an answer as JSON.
fn json(words: &[&str]) -> Outcome<Value> {
    serde_json::from_str(&program(words)?).map_err(|error| error.to_string())
}

/// A method on given splits of data.
fn evaluate(data: &Path, splits: &Path, words: &[&str]) -> Outcome<Value> {
    let (data, splits) = (data.to_string_lossy(), format!("splits:{}", splits.display()));
    json(&[&["evaluate", &data, "--cv", &splits, "--json"], words].concat())
}

/// The data file that a file of splits belongs to, inside the data folder.
fn data_of(splits: &Path) -> Outcome<String> {
    let text = fs::read_to_string(splits).map_err(|error| error.to_string())?;
    let splits: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    splits["data"].as_str().map(String::from).ok_or_else(|| "the splits name no data".into())
}

/// An evaluation in one line.
fn line(name: &str, measured: &Value) -> String {
    let measures = &measured["measures"];
    let mean = |measure: &str, scale: f64, decimals: usize| match measures[measure]["mean"].as_f64()
    {
        Some(mean) => format!("{:.decimals$}", scale * mean),
        None => "-".into(),
    };
    let index = |measure: &str| match measures["stability"][measure].as_f64() {
        Some(value) => format!("{value:.3}"),
        None => "-".into(),
    };
    let mut line = format!(
        "{name}: accuracy {} %, log loss {}, features {}, samples {}, Jaccard {}, Pearson {}",
        mean("accuracy", 100.0, 2),
        mean("log_loss", 1.0, 4),
        mean("features", 1.0, 1),
        mean("samples", 1.0, 1),
        index("jaccard"),
        index("pearson"),
    );
    // Only waveforms have features that are known to be noise.
    if let Some(pairs) = measures["selection_frequencies"].as_array().filter(|_| is_wave(name)) {
        let noise = pairs.iter().filter(|pair| pair[0].as_u64() >= Some(WAVE_FEATURES));
        let shares: Vec<f64> = noise.filter_map(|pair| pair[1].as_f64()).collect();
        let worst = shares.iter().copied().fold(0.0, f64::max);
        let all: f64 = shares.iter().sum();
        line += &format!(", noise features {all:.2}, worst noise frequency {worst:.2}");
    }
    let failed = measured["failed"].as_array().map_or(0, Vec::len);
    let folds = measured["folds"].as_u64().unwrap_or(0);
    let seconds = measured["timing"]["seconds_per_fold"].as_f64().unwrap_or(f64::NAN);
    line + &format!(", {seconds:.3} s per fit, {folds} folds, {failed} failed\n")
}

fn is_wave(name: &str) -> bool {
    name.starts_with("waveform") || name.starts_with("generated")
}

/// Waveforms nobody has seen before, 200 + 200 rows to fit and 3000 to test in each set, and what
/// the best possible rule is worth on them: the settings cannot have been chosen on these.
fn fresh_waves(folder: &Path, labelling: &str, sets: usize) -> Outcome<String> {
    const FIRST_SEED: usize = 1000;
    let what = if labelling == "uci" { "waveform" } else { "waveform-textbook" };
    let (mut rows, mut splits) = (String::new(), Vec::new());
    for set in 0..sets {
        let seed = (FIRST_SEED + set).to_string();
        let drawn = program(&["generate", what, "--n", "3400", "--seed", &seed])?;
        let (head, body) = drawn.split_once('\n').ok_or("nothing was drawn")?;
        if set == 0 {
            rows += &format!("{head}\n");
        }
        rows += body;
        let first = 3400 * set;
        let train = Vec::from_iter(first..first + 400);
        splits.push(json!({ "train": train, "test": Vec::from_iter(first + 400..first + 3400) }));
    }
    let data = folder.join(format!("generated-{labelling}.csv"));
    let file = folder.join(format!("generated-{labelling}.json"));
    let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
    write(&data, &rows)?;
    write(&file, &json!({ "splits": splits }).to_string())?;
    let measured = evaluate(&data, &file, &["--threads", "1"])?;
    let seed = FIRST_SEED.to_string();
    let best = answer(&mut measure(&["bayes", labelling, &sets.to_string(), &seed]))?;
    let line = line(&format!("generated-{labelling} pfcvm-lp"), &measured);
    Ok(format!("{line}  best possible rule on these rows: {best}"))
}

/// One fit of 1376 EEG-like rows with 310 features, iteration by iteration, and 914 rows to test.
fn curve(folder: &Path) -> Outcome<String> {
    let drawn = program(&["generate", "eeg-like", "--n", "2290", "--seed", "1"])?;
    let lines: Vec<&str> = drawn.lines().collect();
    let part = |name: &str, rows: &[&str]| {
        let path = folder.join(name);
        let text = [&lines[..1], rows].concat().join("\n") + "\n";
        fs::write(&path, text).map_err(|error| error.to_string())?;
        Ok::<String, String>(path.to_string_lossy().into_owned())
    };
    let train = part("curve-train.csv", &lines[1..1377])?;
    let test = part("curve-test.csv", &lines[1377..])?;
    let fit = json(&["fit", &train, "--test", &test, "--json"])?;
    let steps = fit["trace"].as_array().ok_or("the fit tells no iterations")?;
    let seconds = |step: &Value| step["seconds"].as_f64().unwrap_or(f64::NAN);
    let first = steps.first().map_or(f64::NAN, seconds);
    let mut text =
        "iteration  samples  features  log evidence  seconds  of the first\n".to_string();
    for step in steps {
        text += &format!(
            "{:>9}  {:>7}  {:>8}  {:>12.2}  {:>7.4}  {:>10.1} %\n",
            step["number"],
            step["samples"],
            step["features"],
            step["log_evidence"].as_f64().unwrap_or(f64::NAN),
            seconds(step),
            100.0 * seconds(step) / first
        );
    }
    let count = |list: &str| fit[list].as_array().map_or(0, Vec::len);
    Ok(text
        + &format!(
            "{} after {} iterations, {:.2} s; {} samples, {} features; test accuracy {:.2} %, log \
             loss {:.4}\n",
            fit["termination"].as_str().unwrap_or("ended"),
            steps.len(),
            fit["seconds"].as_f64().unwrap_or(f64::NAN),
            count("selected_samples"),
            count("selected_features"),
            100.0 * fit["test"]["accuracy"].as_f64().unwrap_or(f64::NAN),
            fit["test"]["log_loss"].as_f64().unwrap_or(f64::NAN),
        ))
}

/// What has been found so far, on the screen and in a file.
struct Tables {
    file: PathBuf,
    text: String,
}

impl Tables {
    fn new(folder: &Path) -> Self {
        Self { file: folder.join("summary.txt"), text: String::new() }
    }

    /// Written at once: a long run that is broken off leaves what it found.
    fn add(&mut self, text: &str) -> Outcome {
        print!("{text}");
        self.text.push_str(text);
        fs::write(&self.file, &self.text)
            .map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }

    fn done(self) -> Outcome {
        println!("\nAll of this is in {}", self.file.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let both = Options { quick: true, only: Some(vec!["sonar".into(), "curve".into()]) };
        assert_eq!(Options::parse(&["--quick", "--only", "sonar,curve"]).unwrap(), both);
        assert_eq!(Options::parse(&["--only", "sonar,curve", "--quick"]).unwrap(), both);
        assert!(Options::parse(&["--only"]).is_err());
        assert!(both.wants("curve") && !both.wants("wdbc"));
    }
}
