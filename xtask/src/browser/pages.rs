//! The pages that are checked: made-up ones, and those the program writes.

use super::{Page, app, problems};
use crate::step::{Outcome, built, quietly, scratch, timed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every picture that the page of a fit with held-out rows can have.
const PICTURES: [&str; 9] = [
    "features",
    "samples",
    "fit-samples",
    "fit-features",
    "fit-evidence",
    "fit-time",
    "test-histogram",
    "test-calibration",
    "test-roc",
];

/// Pages with all of them.
const COMPLETE: [&str; 2] = ["waves.html", "demo.html"];

/// Has pages written, and checks them. Returns how many there are.
pub fn check() -> Outcome<usize> {
    let folder = scratch("browser")?;
    for old in html_files(&folder)? {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    quietly("sample pages", Command::new(built("examples/sample")).arg(&folder))?;
    written_by_the_program(&folder)?;
    let page = |file: PathBuf| {
        let complete = COMPLETE.iter().any(|name| file.ends_with(name));
        let expected = if complete { &PICTURES[..] } else { &[] };
        Page { file, expected: expected.iter().map(|name| (*name).to_owned()).collect() }
    };
    let pages: Vec<Page> = html_files(&folder)?.into_iter().map(page).collect();
    // A check that looked at nothing must not pass.
    if !COMPLETE.iter().all(|name| pages.iter().any(|page| page.file.ends_with(name))) {
        return Err("a page was not written".into());
    }
    let problems = timed("pages in Chromium", || problems(&pages, None))?;
    let app = timed("pfcvm app in Chromium", || app::check(None, None));
    match (problems.is_empty(), app) {
        (true, Ok(checked)) => Ok(pages.len() + checked),
        (true, Err(problem)) => Err(problem),
        (false, app) => Err([problems, Vec::from_iter(app.err())].concat().join("\n")),
    }
}

/// `demo.html` with everything, `fitted.html` without test data, `listed.html` of a panel;
/// `tried.html`, `priced.html` and `compared.html` of studies, `all.html` of the experiments in short.
fn written_by_the_program(folder: &Path) -> Outcome {
    let program = |name: &str, arguments: &[&str]| {
        let mut run = Command::new(built("pfcvm"));
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
    let priced =
        ["price", data, "--report", "priced.html", "--kernel", "linear", "--sizes", "1,3,8"];
    program("pfcvm price", &priced)?;
    let compared = ["compare", data, test, "--methods", methods, "--report", "compared.html"];
    program("pfcvm compare", &[&compared[..], &["--cv", "holdout:100x3"]].concat())?;
    program("pfcvm experiment", &["experiment", "all", "--quick", "--fresh", "--out", "all"])?;
    fs::rename(folder.join("all/all.html"), folder.join("all.html"))
        .map_err(|error| error.to_string())
}

fn html_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "html")).collect();
    files.sort();
    Ok(files)
}
