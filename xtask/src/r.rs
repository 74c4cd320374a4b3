//! The R package: its source package with the crates it needs, checked by R.
//!
//! In the repository the compiled half is a member of the workspace. A source package stands alone, so
//! the workspace's manifest and the crates that the half needs are copied into it. They lie in another
//! folder there (`parts`, not `crates`): cargo names what it builds after that, and both can share the
//! folder of the builds of libraries without overwriting each other's.

use crate::step::{Outcome, answer, built, cargo, install, quietly, root, scratch};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the check needs of Debian: R with a compiler's headers, and packages of R.
const PACKAGES: [&str; 7] = [
    "r-base-core",
    "r-base-dev",
    "r-bioc-summarizedexperiment",
    "r-cran-jsonlite",
    "r-cran-knitr",
    "r-cran-markdown",
    "r-cran-testthat",
];
/// The same as R calls them, and `Matrix`, which comes with another.
const LIBRARIES: &str =
    "c('jsonlite', 'knitr', 'markdown', 'Matrix', 'SummarizedExperiment', 'testthat')";

/// Checks the package as `R CMD check` does, with its tests, some of which compare with the program.
/// Returns what these say, or that R cannot be had here.
pub fn test(program: &Path) -> Outcome<String> {
    checked(program, false)
}

/// Builds the program for [`test()`], where no other step has done it. `whole`: R builds the compiled half
/// from the source package, and not from the workspace.
pub fn test_alone(whole: bool) -> Outcome<String> {
    let build = ["build", "--quiet", "--package", "pfcvm-cli"];
    quietly("program for the package", &mut cargo(&build))?;
    checked(&built("pfcvm"), whole)
}

/// Makes the source package, for R CMD INSTALL.
pub fn package(folder: Option<&str>) -> Outcome {
    let folder = folder.map_or_else(|| scratch("r"), |folder| Ok(PathBuf::from(folder)))?;
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = source(&folder)?.ok_or("a source package needs R: install it")?;
    println!("{}", made.display());
    Ok(())
}

/// Makes the source package, installs it in a library of its own in a folder outside of the repository, and
/// fits `table.csv` there, into `r.json`. `false` where R cannot be had.
pub fn ship(away: &Path) -> Outcome<bool> {
    let Some(archive) = source(&scratch("r")?)? else { return Ok(false) };
    let library = away.join("library");
    fs::create_dir_all(&library).map_err(|error| error.to_string())?;
    // Cargo builds all of it, with libraries as for all checks.
    let mut install = Command::new("R");
    install.args(["CMD", "INSTALL", "--library=library"]).arg(archive).current_dir(away);
    install.env("CARGO_TARGET_DIR", root().join("target")).env("PFCVM_R_PROFILE", "dev");
    quietly("R package installed", install.env_remove("PFCVM_R_LIBRARY"))?;
    let mut fit = Command::new("Rscript");
    fit.args(["--vanilla", "-e", TRIAL]).current_dir(away).env("R_LIBS_USER", &library);
    quietly("fit by it", &mut fit).map(|_| true)
}

/// What a user does first.
const TRIAL: &str = "
library(pfcvm)
save_model(pfcvm(label ~ ., read.csv('table.csv')), 'r.json')
";

/// The source package in a folder, where R can be had.
fn source(folder: &Path) -> Outcome<Option<PathBuf>> {
    if !has_r() && !installed() {
        return Ok(None);
    }
    let library = library()?;
    archive(folder, &[("PFCVM_R_LIBRARY", library.as_path())]).map(Some)
}

fn checked(program: &Path, whole: bool) -> Outcome<String> {
    let there = || has_r() && has_libraries();
    if !(there() || installed() && there()) {
        println!(
            "R cannot be had here: its package is not tested (it needs {})",
            PACKAGES.join(" ")
        );
        return Ok(String::new());
    }
    let (folder, library, target) = (scratch("r")?, library()?, root().join("target"));
    let mut from: Vec<(&str, &Path)> = vec![("CARGO_TARGET_DIR", &target)];
    from.push(match whole {
        true => ("PFCVM_R_PROFILE", Path::new("dev")),
        false => ("PFCVM_R_LIBRARY", &library),
    });
    let archive = archive(&folder, &from)?;
    if !whole {
        // What R does not build is looked at: nothing may be missing in the source package.
        let manifest = folder.join("pfcvm/src/rust/Cargo.toml");
        let mut check = cargo(&["check", "--quiet", "--manifest-path"]);
        quietly("R source package", check.arg(manifest).env("CARGO_TARGET_DIR", &target))?;
    }
    let mut check = Command::new("R");
    check.args(["CMD", "check", "--no-manual"]).arg(&archive).current_dir(&folder).envs(from);
    // Packages that it is made known to, and that Debian does not have, are no finding.
    check.env("_R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_", "true");
    // What is compiled for checks is not optimised for size.
    check.env("_R_CHECK_PKG_SIZES_THRESHOLD_", "50");
    check.env("PFCVM_PROGRAM", program);
    let checked = quietly("R package", &mut check);
    // R keeps what the tests said, and what else it found.
    let of_check = |file: &str| fs::read_to_string(folder.join("pfcvm.Rcheck").join(file));
    let tests = of_check("tests/testthat.Rout").or_else(|_| of_check("tests/testthat.Rout.fail"));
    let tests = tests.unwrap_or_default();
    let log = checked.map_err(|said| format!("{said}\n{tests}"))?;
    match log.lines().rev().find_map(|line| line.strip_prefix("Status: ")) {
        Some("OK") => Ok(tests),
        _ => Err(format!("{log}\nR package: the check has remarks")),
    }
}

/// The compiled half, built in the workspace with the flags of all checks, unless PFCVM_R_LIBRARY names
/// one that is built already.
///
/// With Python's bindings beside it, cargo chooses the same features for all libraries as for the wheel,
/// and has them compiled already.
fn library() -> Outcome<PathBuf> {
    if let Some(library) = std::env::var_os("PFCVM_R_LIBRARY") {
        return Ok(library.into());
    }
    let packages = ["--package", "pfcvm-r", "--package", "pfcvm-python"];
    quietly("R library", cargo(&["build", "--quiet", "--lib"]).args(packages))?;
    Ok(built("libpfcvm_r.a"))
}

fn has_r() -> bool {
    Command::new("R").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn has_libraries() -> bool {
    let code = format!("stopifnot(all({LIBRARIES} %in% rownames(installed.packages())))");
    let asked = Command::new("Rscript").args(["--vanilla", "-e", &code]).output();
    asked.is_ok_and(|output| output.status.success())
}

fn installed() -> bool {
    install(&PACKAGES).map_err(|error| println!("{error}")).is_ok()
}

/// The source package in a folder, with its vignette.
fn archive(folder: &Path, environment: &[(&str, &Path)]) -> Outcome<PathBuf> {
    let staged = folder.join("pfcvm");
    stage(&staged).map_err(|error| format!("{}: {error}", staged.display()))?;
    let mut build = Command::new("R");
    build.args(["CMD", "build", "pfcvm"]).current_dir(folder).envs(environment.iter().copied());
    quietly("R source package built", &mut build)?;
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut archives: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "gz")).collect();
    archives.pop().ok_or_else(|| "R left no source package".into())
}

/// Copies the package, and the crates that it needs.
fn stage(staged: &Path) -> Outcome {
    let told = |error: std::io::Error| error.to_string();
    let _ = fs::remove_dir_all(staged);
    let files = answer(
        Command::new("git")
            .args(["ls-files", "--cached", "--others"])
            .args(["--exclude-standard", "r", "crates"])
            .current_dir(root()),
    )?;
    let needed = needed_crates()?;
    for file in files.lines().filter(|file| root().join(file).is_file()) {
        let target = match file.strip_prefix("r/") {
            Some(inner) => staged.join(inner),
            None => match part_of(file, &needed) {
                Some(inner) => staged.join("src/parts").join(inner),
                None => continue,
            },
        };
        fs::create_dir_all(target.parent().unwrap_or(staged)).map_err(told)?;
        match file.ends_with("Cargo.toml") && !file.starts_with("r/") {
            true => {
                let text = fs::read_to_string(root().join(file)).map_err(told)?;
                fs::write(target, alone(&text)).map_err(told)?;
            }
            false => drop(fs::copy(root().join(file), target).map_err(told)?),
        }
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).map_err(told)?;
    fs::write(staged.join("src/Cargo.toml"), workspace(&manifest)).map_err(told)?;
    fs::copy(root().join("Cargo.lock"), staged.join("src/Cargo.lock")).map_err(told)?;
    // Cargo drops from the lock what is not needed here.
    let mut lock = cargo(&["metadata", "--quiet", "--format-version=1", "--manifest-path"]);
    lock.arg(staged.join("src/Cargo.toml"));
    answer(&mut lock).map(drop)
}

/// The place of a file among the copied crates: manifests and sources of those that are needed.
fn part_of<'a>(file: &'a str, needed: &BTreeSet<String>) -> Option<&'a str> {
    let inner = file.strip_prefix("crates/")?;
    let (name, rest) = inner.split_once('/')?;
    let wanted = rest == "Cargo.toml" || rest.starts_with("src/");
    (wanted && needed.contains(name)).then_some(inner)
}

/// Names of our crates that the compiled half needs, by what cargo says.
fn needed_crates() -> Outcome<BTreeSet<String>> {
    let mut ask = cargo(&["metadata", "--quiet", "--no-deps", "--format-version=1"]);
    let said: Value =
        serde_json::from_str(&answer(&mut ask)?).map_err(|error| error.to_string())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_string();
    // Dependencies for tests are of no use without these.
    let own = |one: &Value| one["path"].is_string() && one["kind"] != "dev";
    let of = |package: &Value| {
        list(&package["dependencies"]).iter().filter(|one| own(one)).map(name).collect()
    };
    let all: BTreeMap<String, Vec<String>> =
        list(&said["packages"]).iter().map(|package| (name(package), of(package))).collect();
    let mut open = vec!["pfcvm-r".to_string()];
    let mut needed = BTreeSet::new();
    while let Some(next) = open.pop() {
        for name in all.get(&next).into_iter().flatten() {
            if needed.insert(name.clone()) {
                open.push(name.clone());
            }
        }
    }
    Ok(needed)
}

/// A manifest without its tests, benches and examples, and without what these need.
fn alone(manifest: &str) -> String {
    let mut wanted = true;
    let mut kept = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            wanted = !["[dev-dependencies", "[[bench", "[[example", "[[test"]
                .iter()
                .any(|start| line.starts_with(start));
        }
        if wanted {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The manifest of the workspace, for what is copied.
fn workspace(manifest: &str) -> String {
    let own = |line: &str| match line.split(' ').next() {
        Some("members") => Some(r#"members = ["parts/*", "rust"]"#.to_string()),
        Some("default-members") => None,
        // That of packages is another one.
        Some("exclude") if line.contains("fuzz") => None,
        _ => Some(line.replace("path = \"crates/", "path = \"parts/")),
    };
    manifest.lines().filter_map(own).collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_manifest_needs_no_tests() {
        let text = "[package]\nname = \"a\"\n[dev-dependencies]\nb = \"1\"\n[[bench]]\nname = \"c\"\n[lints]\nworkspace = true\n";
        assert_eq!(alone(text), "[package]\nname = \"a\"\n[lints]\nworkspace = true\n");
    }

    #[test]
    fn a_copied_workspace_has_its_crates_elsewhere() {
        let text = "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"fuzz\"]\n[workspace.dependencies]\na = { path = \"crates/a\" }";
        let expected = "[workspace]\nmembers = [\"parts/*\", \"rust\"]\n[workspace.dependencies]\na = { path = \"parts/a\" }\n";
        assert_eq!(workspace(text), expected);
    }

    #[test]
    fn sources_of_needed_crates_are_copied() {
        let needed = BTreeSet::from(["a".to_string()]);
        assert_eq!(part_of("crates/a/src/lib.rs", &needed), Some("a/src/lib.rs"));
        assert_eq!(part_of("crates/a/tests/a.rs", &needed), None);
        assert_eq!(part_of("crates/ab/src/lib.rs", &needed), None);
    }
}
