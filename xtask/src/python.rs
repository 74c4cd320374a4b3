//! The virtual environment for the programs under `reference/`.

use crate::step::{Outcome, quietly, root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The Python of `.venv`, made and filled from `reference/requirements.txt` if it is missing or
/// the requirements have changed.
pub fn environment() -> Outcome<PathBuf> {
    let folder = root().join(".venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = root().join("reference/requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .map_err(|error| format!("cannot read {}: {error}", requirements.display()))?;
    let installed = folder.join("installed.txt");
    if python.exists() && fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    quietly("python environment", Command::new(system).args(["-m", "venv"]).arg(&folder))?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements);
    quietly("python packages", &mut install)?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))?;
    Ok(python)
}

/// Whether `reference/` has tests of its own, files named `test_*.py`.
pub fn has_tests() -> bool {
    let files = fs::read_dir(root().join("reference")).into_iter().flatten().flatten();
    files.map(|file| file.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name.starts_with("test_") && name.ends_with(".py")
    })
}
