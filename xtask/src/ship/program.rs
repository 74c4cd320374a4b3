//! The program to be given away: optimised across crates, and the same bytes wherever it is built.
//!
//! What the compiler writes into a program of the place it was built in are names of files, in messages of
//! panics. They are told as if the repository lay in `/pfcvm` and cargo's own folder in `/cargo`. What libraries
//! in C write into it is the time at which they were compiled, which is told as if it were always the same.

use super::Away;
use crate::step::{OPTIONAL, Outcome, cargo, quietly, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds it and says how large it is. `twice`: once more from a copy in another folder, and it must be the
/// same to the byte.
pub fn run(twice: bool) -> Outcome {
    let first = build(root())?;
    let bytes = fs::read(&first).map_err(|error| format!("{}: {error}", first.display()))?;
    println!("{}: {:.1} MB", first.display(), bytes.len() as f64 / 1e6);
    if !twice {
        return Ok(());
    }
    let away = Away::new()?;
    copy(&away.0)?;
    let second = build(&away.0)?;
    if fs::read(&second).map_err(|error| error.to_string())? != bytes {
        let kept = root().join("target/ship/other-pfcvm");
        fs::copy(&second, &kept).map_err(|error| error.to_string())?;
        return Err(format!("built elsewhere it has other bytes: {}", kept.display()));
    }
    println!("the same bytes from another folder");
    Ok(())
}

/// The program, built from a copy of the repository in that copy's `target/ship`.
fn build(folder: &Path) -> Outcome<PathBuf> {
    let target = folder.join("target/ship");
    let mut build =
        cargo(&["build", "--quiet", "--locked", "--profile=dist", "--package=pfcvm-cli"]);
    build.arg(OPTIONAL).current_dir(folder).env("CARGO_TARGET_DIR", &target);
    // Separated as cargo wants it: a folder may have spaces in its name.
    build.env("CARGO_ENCODED_RUSTFLAGS", remapped(folder, &cargo_home()?).join("\u{1f}"));
    // Compilers of C take the time from here.
    build.env("SOURCE_DATE_EPOCH", "0");
    quietly("program, profile dist", &mut build)?;
    Ok(target.join(format!("dist/pfcvm{}", std::env::consts::EXE_SUFFIX)))
}

/// Flags of the compiler under which folders have names of their own.
fn remapped(folder: &Path, home: &Path) -> [String; 2] {
    let as_if = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    [as_if(folder, "/pfcvm"), as_if(home, "/cargo")]
}

/// Where cargo keeps the sources of libraries.
fn cargo_home() -> Outcome<PathBuf> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
    let usual = || home.map(|home| PathBuf::from(home).join(".cargo"));
    let folder = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(usual);
    folder.ok_or_else(|| "neither CARGO_HOME nor a home folder is known".into())
}

/// Copies what belongs to the repository, as git has it: with its links, and without changes that git was not told of.
fn copy(folder: &Path) -> Outcome {
    let mut copy = Command::new("git");
    copy.args(["checkout-index", "--all"]).arg(format!("--prefix={}/", folder.display()));
    quietly("copy in another folder", copy.current_dir(root())).map(drop)
}
