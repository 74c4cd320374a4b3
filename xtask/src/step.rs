//! One command after the other, quiet unless it fails.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a chore returns: nothing, or a message for the user.
pub type Outcome<T = ()> = Result<T, String>;

/// The root of the repository.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the repository")
}

/// What is not built by default; all checks build it, with the same flags.
pub const OPTIONAL: &str = "--features=pfcvm-cli/excel,pfcvm-cli/parquet,pfcvm-cli/fetch";

/// A folder under `target`, made if need be.
pub fn scratch(name: &str) -> Outcome<PathBuf> {
    let folder = root().join("target").join(name);
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// The cargo that started us, in the root of the repository.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// A program that a build in the profile `dev` has left: one of ours, or `examples/NAME`.
///
/// Started by its path and not by `cargo run`: with one package alone, cargo chooses other
/// features for some libraries than with all, and compiles nearly everything once more.
pub fn built(name: &str) -> PathBuf {
    root().join("target/debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs a command under a name, with one line for its outcome. What it says itself is shown only
/// if it fails; it is returned, standard error first.
pub fn quietly(name: &str, command: &mut Command) -> Outcome<String> {
    timed(name, || {
        let output = command.output().map_err(|error| cannot_start(command, &error))?;
        let said = [output.stderr, output.stdout].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        if output.status.success() { Ok(said) } else { Err(format!("{said}\n{name} failed")) }
    })
}

/// Does something under a name, with one line for its outcome.
pub fn timed<T>(name: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    print!("{name:<28}");
    // Without a terminal's eye on it, losing this line to a closed pipe is no matter.
    let _ = std::io::stdout().flush();
    let start = Instant::now();
    let outcome = work();
    match &outcome {
        Ok(_) => println!("ok {:>8.1} s", start.elapsed().as_secs_f64()),
        Err(_) => println!("FAILED"),
    }
    outcome
}

/// Runs a command for its standard output, letting it talk on standard error.
pub fn answer(command: &mut Command) -> Outcome<String> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        return Err(format!("{} failed", shown(command)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{} wrote no text", shown(command)))
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("{} cannot be started: {error}", shown(command))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
