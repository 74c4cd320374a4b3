//! Virtual environments: for the programs under `reference/`, and for the package.

use crate::step::{Outcome, quietly, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of `.venv`, made and filled from `reference/requirements.txt` if it is missing or
/// the requirements have changed.
pub fn environment() -> Outcome<PathBuf> {
    filled(
        "python environment",
        &root().join(".venv"),
        &[&root().join("reference/requirements.txt")],
    )
}

/// The Python of an environment in a folder, made and filled from lists of requirements if it is
/// missing or the lists have changed.
pub fn filled(name: &str, folder: &Path, lists: &[&Path]) -> Outcome<PathBuf> {
    let python = python_of(folder);
    let read = |list: &&Path| {
        fs::read_to_string(list).map_err(|error| format!("cannot read {}: {error}", list.display()))
    };
    let wanted = lists.iter().map(read).collect::<Outcome<Vec<_>>>()?.concat();
    let installed = folder.join("installed.txt");
    if python.exists() && fs::read_to_string(&installed).is_ok_and(|text| text.contains(&wanted)) {
        return Ok(python);
    }
    made(name, folder)?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet"]);
    lists.iter().for_each(|list| {
        install.arg("--requirement").arg(list);
    });
    quietly("python packages", &mut install)?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))?;
    Ok(python)
}

/// The Python of a new environment in a folder, with nothing in it.
pub fn made(name: &str, folder: &Path) -> Outcome<PathBuf> {
    let system = if cfg!(windows) { "python" } else { "python3" };
    quietly(name, Command::new(system).args(["-m", "venv"]).arg(folder))?;
    Ok(python_of(folder))
}

fn python_of(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Whether `reference/` has tests of its own, files named `test_*.py`.
pub fn has_tests() -> bool {
    let files = fs::read_dir(root().join("reference")).into_iter().flatten().flatten();
    files.map(|file| file.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name.starts_with("test_") && name.ends_with(".py")
    })
}
