//! `cargo xtask ship`: all that is given away, made as its users get it and tried where they are.
//!
//! Libraries and program are packed and built from what was packed; Python's wheel is built from its source
//! package, R's library from its own, and both are installed into folders of their own outside of the
//! repository. Then all three learn from one table: their model files must be the same to the byte.

mod program;

use crate::step::{Outcome, cargo, quietly, scratch};
use crate::{package, r};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use program::run as program;

/// Makes and tries everything.
pub fn run() -> Outcome {
    let away = Away::new()?;
    let table = away.0.join("table.csv");
    fs::write(&table, rows()).map_err(|error| format!("{}: {error}", table.display()))?;
    packages(true)?;
    let program = scratch("ship")?.join(format!("debug/pfcvm{}", std::env::consts::EXE_SUFFIX));
    let mut fit = Command::new(program);
    fit.args(["fit", "table.csv", "--model", "program.json"]);
    quietly("fit by the packed program", fit.current_dir(&away.0))?;
    package::ship(&away.0)?;
    same(&away.0, "python.json")?;
    match r::ship(&away.0)? {
        true => same(&away.0, "r.json")?,
        false => println!("R cannot be had here: its source package was not tried"),
    }
    println!("all that was tried can be given away");
    Ok(())
}

/// Packs every library and the program as they would be published. `built`: each is built from what was
/// packed, in `target/ship`; not optimised, because that it can be built is all that is asked.
pub fn packages(built: bool) -> Outcome<usize> {
    let mut pack = cargo(&["package", "--workspace", "--quiet", "--allow-dirty"]);
    pack.args(["--exclude=pfcvm-python", "--exclude=pfcvm-r", "--exclude=xtask"]);
    if built {
        // One folder for all of them: what several need is built once.
        pack.env("CARGO_TARGET_DIR", scratch("ship")?).env("CARGO_PROFILE_DEV_DEBUG", "false");
        pack.env("CARGO_INCREMENTAL", "0");
    } else {
        pack.args(["--offline", "--no-verify"]);
    }
    quietly(if built { "packages, built" } else { "packages" }, &mut pack).map(|_| 1)
}

/// A folder outside of the repository, which goes with this value.
struct Away(PathBuf);

impl Away {
    fn new() -> Outcome<Self> {
        let folder = std::env::temp_dir().join(format!("pfcvm-ship-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a model file is the program's, to the byte.
fn same(folder: &Path, name: &str) -> Outcome {
    let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    match read(name)? == read("program.json")? {
        true => Ok(()),
        false => Err(format!("{name} is another model than the program's for the same rows")),
    }
}

/// Rows in which two of six columns decide. Two decimals, which every reader takes for the same number.
fn rows() -> String {
    let mut text = String::from("a,b,c,d,e,f,label\n");
    for at in 1..=120 {
        let values = [37, 53, 71, 29, 83, 61].map(|step| f64::from(at * step % 101) / 100.0);
        values.iter().for_each(|value| text += &format!("{value:.2},"));
        text += if values[0] + values[1] > 1.0 { "yes\n" } else { "no\n" };
    }
    text
}
