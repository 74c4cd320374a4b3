//! `cargo xtask bench`: our fits beside those of a numpy prototype, on the same data.

use crate::python;
use crate::step::{Outcome, answer, cargo, quietly, root, scratch};
use std::path::Path;
use std::process::Command;

/// Times the three cases of `pfcvm-lab bench`, and the prototype in a folder if one is given.
pub fn run(prototype: Option<&str>) -> Outcome {
    let folder = scratch("bench")?;
    let prototype = prototype.filter(|folder| Path::new(folder).is_dir());
    let python = prototype.map(|_| python::environment()).transpose()?;
    let mut ours = cargo(&["run", "--quiet", "--release", "--package", "pfcvm-lab", "--", "bench"]);
    let ours = answer(ours.arg(&folder))?;

    println!("{:<10} {:<11} {:<14} {HEAD}", "case", "size", "program");
    let mut peak = f64::NAN;
    let mut first_iteration = f64::NAN;
    for line in ours.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["peak", gflops] => peak = gflops.parse().unwrap_or(f64::NAN),
            [case, _, size, procedure, numbers @ .., gflops] => {
                let program = format!("pfcvm {procedure}");
                println!("{case:<10} {size:<11} {program:<14} {}", row(numbers));
                if *case == "eeg" && *procedure == "same" {
                    first_iteration = gflops.parse().unwrap_or(f64::NAN);
                }
            }
            _ => return Err(format!("the bench program wrote `{line}`")),
        }
    }

    if let (Some(prototype), Some(python)) = (prototype, python) {
        let mut theirs = Command::new(python);
        theirs.arg(root().join("xtask/prototype.py")).arg(prototype).arg(&folder);
        for line in answer(&mut theirs)?.lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                [case, program, size, numbers @ ..] => {
                    println!("{case:<10} {size:<11} {program:<14} {}", row(numbers));
                }
                _ => return Err(format!("the prototype program wrote `{line}`")),
            }
        }
        println!("(same: the prototype's procedure; default: the library's)");
        println!("(iterations: pfcvm counts all, the prototype those of its last refit)");
    } else {
        println!("\nNo folder was given with --prototype DIR: there is nothing to compare with.");
    }

    println!("\nwhat the cases are:");
    for line in ours.lines() {
        if let [case, about, ..] = line.split('\t').collect::<Vec<_>>().as_slice()
            && *case != "peak"
            && line.contains("\tsame\t")
        {
            println!("  {case:<10} {about}");
        }
    }
    println!(
        "\nfirst iteration of `eeg`: {first_iteration:.1} GFLOP/s, {:.0} % of the {peak:.1} GFLOP/s \
         of a product of two 2000 x 2000 matrices",
        100.0 * first_iteration / peak
    );
    Ok(())
}

/// Reading, predicting and memory of the program, beside pandas, polars and scikit-learn.
pub fn program() -> Outcome {
    let python = python::environment()?;
    let build = ["build", "--release", "--package", "pfcvm-cli", "--package", "pfcvm-lab"];
    quietly("programs", &mut cargo(&build))?;
    let mut bench = Command::new(python);
    bench.arg(root().join("reference/bench_program.py"));
    bench.arg(root().join("target/release")).arg(scratch("bench-program")?);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of the program failed".into()) }
}

const HEAD: &str = "  seconds  iterations  samples  features  accuracy";

/// Seconds, iterations, samples, features, accuracy under [`HEAD`].
fn row(numbers: &[&str]) -> String {
    let widths = [9, 10, 7, 8, 8];
    let cells = numbers.iter().zip(widths).map(|(number, width)| format!("{number:>width$}"));
    cells.collect::<Vec<_>>().join("  ")
}
