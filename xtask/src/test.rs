//! `cargo xtask test`: everything that must pass.

use crate::browser;
use crate::package;
use crate::python;
use crate::step::{Outcome, cargo, quietly, root, without_lto};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Runs all checks, stopping at the first that fails, and ends with the count of tests. `quick` leaves
/// out the package's tests with clusters.
pub fn run(quick: bool) -> Outcome {
    let start = Instant::now();
    if std::env::var_os("PFCVM_DATA").is_none() {
        println!("PFCVM_DATA is not set: tests on real data skip themselves");
    }
    quietly("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    let mut lints = cargo(&["clippy", "--workspace", "--all-targets", "--quiet"]);
    quietly("lints", lints.args(["--", "--deny", "warnings"]))?;

    let mut counts = Counts::default();
    let tests = ["test", "--workspace", "--release", "--no-fail-fast"];
    let said = quietly("tests", &mut without_lto(&tests))?;
    counts.add_cargo(&said);
    for (package, example) in examples() {
        let name = format!("example {example}");
        let run = ["run", "--quiet", "--release", "--package", &package, "--example", &example];
        quietly(&name, &mut without_lto(&run))?;
        counts.passed += 1;
    }
    counts.passed += browser::reports()?;
    if python::has_tests() {
        let python = python::environment()?;
        let mut tests = Command::new(python);
        tests.args(["-m", "unittest", "discover", "-s", "reference"]).current_dir(root());
        counts.add_unittest(&quietly("python tests", &mut tests)?);
    }
    counts.add_pytest(&package::test(quick)?);
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    quietly("documentation", documentation.env("RUSTDOCFLAGS", "--deny warnings"))?;

    println!(
        "\ntest result: ok. {} passed; {} failed; {} ignored; finished in {:.0} s",
        counts.passed,
        counts.failed,
        counts.ignored,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

#[derive(Debug, Default, PartialEq)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Counts {
    /// Adds what Python's unittest says: `Ran 7 tests in 0.1s`, then `OK (skipped=2)`.
    fn add_unittest(&mut self, said: &str) {
        let number = |text: &str| -> usize {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        };
        for line in said.lines() {
            if let Some(rest) = line.strip_prefix("Ran ") {
                self.passed += number(rest);
            } else if let Some(rest) = line.strip_prefix("OK (skipped=") {
                self.passed -= number(rest);
                self.ignored += number(rest);
            }
        }
    }

    /// Adds the last line of pytest: `3 passed, 1 skipped, 2 deselected in 0.5s`.
    fn add_pytest(&mut self, said: &str) {
        let last = said.lines().rev().find(|line| line.contains(" passed")).unwrap_or_default();
        for part in last.trim_matches(['=', ' ']).split(", ") {
            match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                [count, "passed", ..] => self.passed += count.parse().unwrap_or(0),
                [count, "skipped", ..] => self.ignored += count.parse().unwrap_or(0),
                _ => {}
            }
        }
    }

    /// Adds up the `test result:` lines of cargo test.
    fn add_cargo(&mut self, said: &str) {
        for line in said.lines().filter(|line| line.starts_with("test result:")) {
            for part in line.split(['.', ';']) {
                match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                    [count, "passed"] => self.passed += count.parse().unwrap_or(0),
                    [count, "failed"] => self.failed += count.parse().unwrap_or(0),
                    [count, "ignored"] => self.ignored += count.parse().unwrap_or(0),
                    _ => {}
                }
            }
        }
    }
}

/// Package and name of every file `crates/*/examples/*.rs`.
fn examples() -> Vec<(String, String)> {
    let entries = |folder: &Path| {
        let mut paths: Vec<_> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        paths
    };
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    entries(&root().join("crates"))
        .into_iter()
        .flat_map(|package| {
            let files = entries(&package.join("examples")).into_iter();
            let files = files.filter(|file| file.extension().is_some_and(|end| end == "rs"));
            files.map(move |file| (stem(&package), stem(&file)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_over_test_binaries() {
        let mut counts = Counts::default();
        counts.add_cargo(
            "running 3 tests\n\
             test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
             \n\
             test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n",
        );
        assert_eq!(counts, Counts { passed: 15, failed: 2, ignored: 1 });
    }

    #[test]
    fn pytests_last_line_counts() {
        let mut counts = Counts::default();
        counts.add_pytest("....s\n1371 passed, 22 skipped, 3 deselected in 70.67s (0:01:10)\n");
        counts.add_pytest("2 passed in 0.1s\n");
        assert_eq!(counts, Counts { passed: 1373, failed: 0, ignored: 22 });
    }

    #[test]
    fn skipped_python_tests_have_not_passed() {
        let mut counts = Counts::default();
        counts.add_unittest("..s\nRan 7 tests in 0.012s\n\nOK (skipped=2)\n");
        counts.add_unittest("Ran 1 test in 0.000s\n\nOK\n");
        assert_eq!(counts, Counts { passed: 6, failed: 0, ignored: 2 });
    }
}
