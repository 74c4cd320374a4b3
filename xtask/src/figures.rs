//! `cargo xtask figures`: every figure of the documentation, from data to tables.

use crate::python;
use crate::step::{Outcome, answer, cargo, quietly, root, scratch};
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
        let build = ["build", "--quiet", "--release", "--package", "pfcvm-lab"];
        quietly("build", &mut cargo(&build))?;
        let mut tables = Tables::new(&folder);

        for labelling in ["uci", "textbook"] {
            if self.wants(&format!("generated-{labelling}")) {
                let sets = if self.quick { "3" } else { "10" };
                let words =
                    ["generated", "--labelling", labelling, "--sets", sets, "--threads", "1"];
                tables.add(&lab(&words)?)?;
            }
        }
        if self.wants("curve") {
            tables.add(&lab(&["curve"])?)?;
        }
        if std::env::var_os("PFCVM_DATA").is_none() {
            println!("PFCVM_DATA is not set: figures on real data are left out");
            return tables.done();
        }

        let python = python::environment()?;
        let splits = folder.join("splits");
        let script = |name: &str| {
            let mut command = Command::new(&python);
            command.arg(root().join("reference").join(name));
            command
        };
        quietly("splits", script("splits.py").arg(&splits))?;
        for experiment in self.experiments(&splits)? {
            for method in methods(&experiment) {
                let file = splits.join(format!("{experiment}.json"));
                let out = folder.join(format!("{experiment}-{}.csv", method.replace('/', "-")));
                let (file, out) = (file.to_string_lossy(), out.to_string_lossy());
                let mut arguments = vec!["run", &file, "--out", &out, "--method", method];
                if self.quick {
                    arguments.extend(["--limit", "3"]);
                }
                tables.add(&lab(&arguments)?)?;
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

fn lab(words: &[&str]) -> Outcome<String> {
    let mut command = cargo(&["run", "--quiet", "--release", "--package", "pfcvm-lab", "--"]);
    answer(command.args(words))
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
