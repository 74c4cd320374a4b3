//! `cargo xtask browser`: reports in a real browser.

use crate::step::{Outcome, quietly, root, scratch, without_lto};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What Chromium is called by those who pack it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Every picture that a report can have.
const PICTURES: &str = "features,worth,samples,fit-samples,fit-features,fit-evidence,fit-time,\
                        test-histogram,test-calibration,test-roc";

/// Checks the files among the words, which go to `pfcvm-browser` as they are.
pub fn run(words: &[&str]) -> Outcome {
    let mut check = check(&chromium()?);
    // Names of files are meant from where the user is, not from the root of the repository.
    if let Ok(here) = env::current_dir() {
        check.current_dir(here);
    }
    let status = check.args(words).status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("a report is not fine".into()) }
}

/// Has the program write reports, and checks them with the samples. Returns how many there are.
pub fn reports() -> Outcome<usize> {
    let chromium = chromium()?;
    let folder = scratch("browser")?;
    for old in html_files(&folder)? {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let mut write = without_lto(&["run", "--quiet", "--release", "--package", "pfcvm-report"]);
    quietly("sample reports", write.args(["--example", "sample", "--"]).arg(&folder))?;
    let complete = [folder.join("waves.html"), folder.join("demo.html")];
    written_by_the_program(&folder)?;
    let mut all = check(&chromium);
    let all =
        quietly("full reports in Chromium", all.args(["--expect", PICTURES]).args(&complete))?;
    let files = html_files(&folder)?;
    let others = files.iter().filter(|file| !complete.contains(file));
    let rest = quietly("odd reports in Chromium", check(&chromium).args(others))?;
    // A check that looked at nothing must not pass.
    let fine = [all, rest].concat().matches(": fine").count();
    if fine == files.len() && fine > 2 { Ok(fine) } else { Err("a report was skipped".into()) }
}

/// `demo.html` with everything, `fitted.html` without test data, `listed.html` of a panel;
/// `tried.html` and `compared.html` of studies, `all.html` of the experiments in short.
fn written_by_the_program(folder: &Path) -> Outcome {
    let program = |name: &str, arguments: &[&str]| {
        let mut run = without_lto(&["run", "--quiet", "--release", "--package", "pfcvm-cli", "--"]);
        // Without data sets, so that the pages are the same everywhere.
        run.env_remove("PFCVM_DATA").env("XDG_DATA_HOME", folder.join("no-data"));
        quietly(name, run.args(arguments).current_dir(folder))
    };
    program("pfcvm demo", &["demo"])?;
    let report = folder.join("pfcvm-demo/report.html");
    fs::rename(&report, folder.join("demo.html")).map_err(|error| error.to_string())?;
    let data = "pfcvm-demo/train.csv";
    program("pfcvm fit", &["fit", data, "--report", "fitted.html", "--kernel", "linear"])?;
    let test = "pfcvm-demo/test.csv";
    let panel = ["fit", data, "--report", "listed.html", "--panel", "6", "--test", test];
    program("pfcvm fit --panel", &panel)?;
    let tried = ["evaluate", data, "--report", "tried.html", "--nested", "--cv", "kfold:3"];
    program("pfcvm evaluate", &tried)?;
    let methods = "pfcvm-lp,pfcvm-lp/kernel=linear,pfcvm-panel";
    let compared = ["compare", data, test, "--methods", methods, "--report", "compared.html"];
    program("pfcvm compare", &[&compared[..], &["--cv", "holdout:100x3"]].concat())?;
    program("pfcvm experiment", &["experiment", "all", "--quick", "--fresh", "--out", "all"])?;
    fs::rename(folder.join("all/all.html"), folder.join("all.html"))
        .map_err(|error| error.to_string())
}

/// The command that checks reports.
fn check(chromium: &Path) -> Command {
    let mut command = without_lto(&["run", "--quiet", "--release", "--package", "pfcvm-browser"]);
    command.arg("--manifest-path").arg(root().join("Cargo.toml")).arg("--");
    command.env("CHROMIUM", chromium);
    command
}

/// The Chromium of this machine, installed if it is missing and we may.
fn chromium() -> Outcome<PathBuf> {
    let advice = "the check of reports needs Chromium: install the package `chromium`, or name \
                  the program in the environment variable CHROMIUM";
    if let Some(program) = find() {
        return Ok(program);
    }
    let update = Command::new("apt-get").args(["update", "--quiet"]).output();
    if !update.is_ok_and(|output| output.status.success()) {
        return Err(advice.into());
    }
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet", "--no-install-recommends", "chromium"]);
    install.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    quietly("install chromium", &mut install).map_err(|error| format!("{error}\n{advice}"))?;
    find().ok_or_else(|| advice.into())
}

fn find() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let known = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    named.into_iter().chain(known).find(|program| program.is_file())
}

fn html_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "html")).collect();
    files.sort();
    Ok(files)
}
