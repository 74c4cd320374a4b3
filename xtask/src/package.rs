//! The Python package: built as a wheel, installed in an environment of its own, and tested there.

use crate::python;
use crate::step::{Outcome, built, cargo, quietly, root, scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the package lies.
const PACKAGE: &str = "crates/pfcvm-python";

/// Builds and installs the package and runs its tests; `quick` leaves out those that start a cluster
/// of another engine, and what these need is not installed. Some compare with the program. Returns
/// what pytest says.
pub fn test(quick: bool, program: &Path) -> Outcome<String> {
    let python = installed(quick, "dev")?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).current_dir(root());
    if quick {
        tests.args(["-m", "not heavy"]);
    }
    quietly("package tests", tests.env("PFCVM_PROGRAM", program).env("MPLBACKEND", "agg"))
}

/// Builds the program for [`test()`], where no other step has done it.
pub fn test_alone(quick: bool) -> Outcome<String> {
    let build = ["build", "--quiet", "--package", "pfcvm-cli"];
    quietly("program for the package", &mut cargo(&build))?;
    test(quick, &built("pfcvm"))
}

/// The Python of an environment with the package as it is now, built in a profile.
fn installed(quick: bool, profile: &str) -> Outcome<PathBuf> {
    let folder = root().join("target/package");
    let mut lists = vec![root().join(PACKAGE).join("requirements.txt")];
    if !quick {
        lists.push(root().join(PACKAGE).join("requirements-heavy.txt"));
    }
    let lists: Vec<&Path> = lists.iter().map(PathBuf::as_path).collect();
    let python = python::filled("package environment", &folder, &lists)?;
    let wheels = scratch("wheels")?;
    for old in wheels_in(&wheels)? {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let mut build = Command::new(&python);
    build.args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"]).arg(&wheels);
    build.current_dir(root());
    quietly("wheel", &mut build)?;
    let wheel = wheels_in(&wheels)?.pop().ok_or("maturin left no wheel")?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]);
    quietly("install the wheel", install.arg(wheel))?;
    Ok(python)
}

/// The package beside others. The options are those of `bench.py`.
pub fn bench(options: &[&str]) -> Outcome {
    let python = installed(true, "release")?;
    for rival in ["fastrvm==0.1.5", crate::bench::SKLEARN_RVM] {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--no-deps", rival]);
        if quietly(rival, &mut install).is_err() {
            println!("{rival} cannot be installed: it is left out");
        }
    }
    let mut bench = Command::new(python);
    bench.arg(root().join(PACKAGE).join("bench/bench.py")).args(options);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of the package failed".into()) }
}

fn wheels_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|end| end == "whl")).collect())
}
