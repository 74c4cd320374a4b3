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

/// Makes the source package, builds the wheel from it and installs that in a new environment, all in a
/// folder outside of the repository, and fits `table.csv` there, into `python.json`.
pub fn ship(away: &Path) -> Outcome {
    let mut pack = Command::new(environment(true)?);
    pack.args(["-m", "maturin", "sdist", "--out"]).arg(away).current_dir(root());
    quietly("Python source package", &mut pack)?;
    let source = only(away, "gz")?;
    let python = python::made("new environment", &away.join("environment"))?;
    // Nothing but what it is told, in the folder it is told.
    let asked = |words: &[&str]| {
        let mut command = Command::new(&python);
        command.args(words).current_dir(away).env_remove("PYTHONPATH");
        command
    };
    let mut build = asked(&["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir=."]);
    // Libraries are built as for all checks, once for all of them.
    build.arg("--config-settings=build-args=--profile dev").arg(source);
    build.env("CARGO_TARGET_DIR", root().join("target"));
    quietly("wheel of it", &mut build)?;
    let mut install = asked(&["-m", "pip", "install", "--quiet", "pandas"]);
    quietly("wheel installed", install.arg(only(away, "whl")?))?;
    quietly("fit by it", &mut asked(&["-c", TRIAL])).map(drop)
}

/// What a user does first.
const TRIAL: &str = "
import pandas, pfcvm
rows = pandas.read_csv('table.csv')
model = pfcvm.PFCVMClassifier().fit(rows.drop(columns='label'), rows['label'])
model.save_model('python.json', label='label')
";

/// The Python of the environment that the package is built and tested in.
fn environment(quick: bool) -> Outcome<PathBuf> {
    let folder = root().join("target/package");
    let mut lists = vec![root().join(PACKAGE).join("requirements.txt")];
    if !quick {
        lists.push(root().join(PACKAGE).join("requirements-heavy.txt"));
    }
    let lists: Vec<&Path> = lists.iter().map(PathBuf::as_path).collect();
    python::filled("package environment", &folder, &lists)
}

/// The same with the package as it is now, built in a profile.
fn installed(quick: bool, profile: &str) -> Outcome<PathBuf> {
    let python = environment(quick)?;
    let wheels = scratch("wheels")?;
    for old in files_in(&wheels, "whl")? {
        fs::remove_file(&old).map_err(|error| format!("{}: {error}", old.display()))?;
    }
    let mut build = Command::new(&python);
    build.args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"]).arg(&wheels);
    build.current_dir(root());
    quietly("wheel", &mut build)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]);
    quietly("install the wheel", install.arg(only(&wheels, "whl")?))?;
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

/// The file of a folder whose name ends so.
fn only(folder: &Path, end: &str) -> Outcome<PathBuf> {
    files_in(folder, end)?
        .pop()
        .ok_or_else(|| format!("no .{end} was left in {}", folder.display()))
}

fn files_in(folder: &Path, end: &str) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|found| found == end)).collect())
}
