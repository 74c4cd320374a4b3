//! `cargo xtask test`: everything that must pass.

use crate::browser;
use crate::handbook;
use crate::licences;
use crate::package;
use crate::python;
use crate::r;
use crate::ship;
use crate::step::{OPTIONAL, Outcome, built, cargo, quietly, root, timed};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Runs all checks, whatever fails, and ends with all failures and the count of tests. `quick`
/// leaves out the package's tests with clusters.
///
/// Lints, tests, examples, the program, the wheel and the documentation are built with the same
/// flags, those of the profile `dev`; `cargo test` leaves the program and the examples too. The wheel
/// alone is built without the formats that are not built by default, as the program is by its users.
pub fn run(quick: bool) -> Outcome {
    let start = Instant::now();
    if std::env::var_os("PFCVM_DATA").is_none() {
        println!("PFCVM_DATA is not set: tests on real data skip themselves");
    }
    let mut all = Run::default();
    all.step(quietly("format", &mut cargo(&["fmt", "--all", "--check"])));
    let mut lints = cargo(&["clippy", "--workspace", OPTIONAL, "--all-targets", "--quiet"]);
    all.step(quietly("lints", lints.args(["--", "--deny", "warnings"])));
    all.check(timed("licences", licences::check).map(|_| 1));
    all.check(ship::packages(false));
    let tests = quietly("tests", &mut cargo(&["test", "--workspace", OPTIONAL, "--no-fail-fast"]));
    let said = all.step(tests);
    all.counts.add_cargo(&said);
    for example in examples() {
        let mut run = Command::new(built(&format!("examples/{example}")));
        all.check(quietly(&format!("example {example}"), run.current_dir(root())).map(|_| 1));
    }
    all.check(browser::pages());
    if python::has_tests() {
        let said = all.step(reference_tests());
        all.counts.add_unittest(&said);
    }
    let said = all.step(package::test(quick, &built("pfcvm")));
    all.counts.add_pytest(&said);
    // Some chapters use the package.
    all.check(handbook::check());
    let said = all.step(r::test(&built("pfcvm")));
    all.counts.add_testthat(&said);
    let mut documentation = cargo(&["doc", "--workspace", OPTIONAL, "--no-deps", "--quiet"]);
    all.step(quietly("documentation", documentation.env("RUSTDOCFLAGS", "--deny warnings")));
    all.end(start.elapsed().as_secs_f64())
}

/// The tests of the programs under `reference/`.
fn reference_tests() -> Outcome<String> {
    let mut tests = Command::new(python::environment()?);
    tests.args(["-m", "unittest", "discover", "-s", "reference"]).current_dir(root());
    quietly("python tests", &mut tests)
}

/// What has been found so far.
#[derive(Debug, Default)]
struct Run {
    counts: Counts,
    failures: Vec<String>,
}

impl Run {
    /// Notes whether a step failed. Returns what it said, in either case.
    fn step(&mut self, outcome: Outcome<String>) -> String {
        outcome.unwrap_or_else(|said| {
            self.failures.push(without_successes(&said));
            said
        })
    }

    /// Notes a step that counts some tests by itself.
    fn check(&mut self, outcome: Outcome<usize>) {
        match outcome {
            Ok(passed) => self.counts.passed += passed,
            Err(said) => {
                self.counts.failed += 1;
                self.failures.push(said);
            }
        }
    }

    /// Tells all failures, and the counts.
    fn end(self, seconds: f64) -> Outcome {
        let Self { counts: Counts { passed, failed, ignored }, failures } = self;
        for failure in &failures {
            println!("\n{}\n{}", "-".repeat(80), failure.trim());
        }
        let word = if failures.is_empty() { "ok" } else { "FAILED" };
        println!(
            "\ntest result: {word}. {passed} passed; {failed} failed; {ignored} ignored; \
             finished in {seconds:.0} s"
        );
        match failures.len() {
            0 => Ok(()),
            steps => Err(format!("steps that failed: {steps}")),
        }
    }
}

/// Hundreds of tests that passed would hide the one that did not.
fn without_successes(said: &str) -> String {
    let passed = |line: &&str| line.starts_with("test ") && line.ends_with("... ok");
    said.lines().filter(|line| !passed(line)).collect::<Vec<_>>().join("\n")
}

#[derive(Debug, Default, PartialEq)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Counts {
    /// Adds what Python's unittest says: `Ran 7 tests in 0.1s`, then `OK (skipped=2)` or
    /// `FAILED (failures=1, errors=1, skipped=2)`.
    fn add_unittest(&mut self, said: &str) {
        let (mut ran, mut failed, mut skipped) = (0, 0, 0);
        for line in said.lines() {
            if let Some(rest) = line.strip_prefix("Ran ") {
                ran += rest.split(' ').next().map_or(0, number);
            } else if line.starts_with("OK (") || line.starts_with("FAILED (") {
                for part in line.split(['(', ',', ')']) {
                    match part.trim().split_once('=') {
                        Some(("skipped", count)) => skipped += number(count),
                        Some(("failures" | "errors", count)) => failed += number(count),
                        _ => {}
                    }
                }
            }
        }
        self.passed += ran.saturating_sub(failed + skipped);
        self.failed += failed;
        self.ignored += skipped;
    }

    /// Adds the last line of pytest: `1 failed, 3 passed, 1 skipped, 2 deselected in 0.5s`.
    fn add_pytest(&mut self, said: &str) {
        let sums = |line: &&str| line.contains(" passed") || line.contains(" failed");
        let last = said.lines().rev().filter(|line| line.contains(" in ")).find(sums);
        let last = last.unwrap_or_default();
        for part in last.trim_matches(['=', ' ']).split(", ") {
            match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                [count, "passed", ..] => self.passed += number(count),
                [count, "failed" | "error" | "errors", ..] => self.failed += number(count),
                [count, "skipped", ..] => self.ignored += number(count),
                _ => {}
            }
        }
    }

    /// Adds what testthat says at its end: `[ FAIL 0 | WARN 0 | SKIP 2 | PASS 170 ]`.
    fn add_testthat(&mut self, said: &str) {
        let last = said.lines().rev().find(|line| line.starts_with("[ FAIL "));
        for part in last.unwrap_or_default().split(['[', '|', ']']) {
            match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["FAIL", count] => self.failed += number(count),
                ["SKIP", count] => self.ignored += number(count),
                ["PASS", count] => self.passed += number(count),
                _ => {}
            }
        }
    }

    /// Adds up the `test result:` lines of cargo test.
    fn add_cargo(&mut self, said: &str) {
        for line in said.lines().filter(|line| line.starts_with("test result:")) {
            for part in line.split(['.', ';']) {
                match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                    [count, "passed"] => self.passed += number(count),
                    [count, "failed"] => self.failed += number(count),
                    [count, "ignored"] => self.ignored += number(count),
                    _ => {}
                }
            }
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or(0)
}

/// The name of every file `crates/*/examples/*.rs`.
fn examples() -> Vec<String> {
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
            files.map(|file| stem(&file))
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
        counts.add_pytest("== 2 failed, 2 passed, 1 error in 0.1s ==\n\npackage tests failed");
        assert_eq!(counts, Counts { passed: 1373, failed: 3, ignored: 22 });
    }

    #[test]
    fn testthats_last_line_counts() {
        let mut counts = Counts::default();
        counts.add_testthat(
            "[ FAIL 9 | WARN 0 | SKIP 0 | PASS 0 ]\n\n[ FAIL 1 | WARN 2 | SKIP 2 | PASS 170 ]\n",
        );
        assert_eq!(counts, Counts { passed: 170, failed: 1, ignored: 2 });
    }

    #[test]
    fn skipped_python_tests_have_not_passed() {
        let mut counts = Counts::default();
        counts.add_unittest("..s\nRan 7 tests in 0.012s\n\nOK (skipped=2)\n");
        counts.add_unittest("Ran 1 test in 0.000s\n\nOK\n");
        assert_eq!(counts, Counts { passed: 6, failed: 0, ignored: 2 });
        counts.add_unittest("Ran 9 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n");
        assert_eq!(counts, Counts { passed: 11, failed: 3, ignored: 3 });
    }

    /// What is given away in other forms has the version of the workspace.
    #[test]
    fn there_is_one_version() {
        let after = |file: &str, start: &str| {
            let text = fs::read_to_string(root().join(file)).unwrap();
            let line = text.lines().find_map(|line| line.strip_prefix(start).map(str::to_owned));
            line.unwrap_or_default().trim().trim_matches('"').to_owned()
        };
        let version = after("Cargo.toml", "version = ");
        assert_eq!(after("CITATION.cff", "version:"), version);
        assert_eq!(after("r/DESCRIPTION", "Version:"), version);
    }

    #[test]
    fn a_failed_step_does_not_end_the_run() {
        let mut run = Run::default();
        let said = run.step(Err("test a ... ok\ntest b ... FAILED".into()));
        assert!(said.contains("test a ... ok"), "the counts need all of it");
        run.check(Err("a page is not fine".into()));
        run.check(Ok(3));
        assert_eq!(run.failures, ["test b ... FAILED", "a page is not fine"]);
        assert_eq!(run.counts, Counts { passed: 3, failed: 1, ignored: 0 });
        assert!(run.end(1.0).is_err());
    }
}
