//! `cargo xtask bench`: our fits beside those of a numpy prototype, on the same data.

use crate::python;
use crate::step::{OPTIONAL, Outcome, answer, cargo, quietly, root, scratch};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Times four fits by `benches/measure` of pfcvm-study, and the prototype in a folder if one is given.
pub fn run(prototype: Option<&str>) -> Outcome {
    let folder = scratch("bench")?;
    let prototype = prototype.filter(|folder| Path::new(folder).is_dir());
    let python = prototype.map(|_| python::environment()).transpose()?;
    let ours = answer(measure(&["fits"]).arg(&folder))?;

    println!("{:<10} {:<11} {:<14} {HEAD}", "case", "size", "program");
    let mut peak = f64::NAN;
    let mut first_iteration = f64::NAN;
    let mut seconds: Vec<(&str, &str, &str)> = Vec::new();
    for line in ours.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["peak", gflops] => peak = gflops.parse().unwrap_or(f64::NAN),
            [case, _, size, procedure, numbers @ .., gflops] => {
                let program = format!("pfcvm {procedure}");
                println!("{case:<10} {size:<11} {program:<14} {}", row(numbers));
                seconds.push((case, procedure, numbers.first().copied().unwrap_or("-")));
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

    let took = |case: &str, procedure: &str| {
        let found = seconds.iter().find(|(c, p, _)| *c == case && *p == procedure);
        found.map_or("-", |(.., seconds)| seconds)
    };
    println!("\nevery row a candidate, against the default (times as long):");
    for case in ["eeg", "many"] {
        println!("  {case:<10} {}", ratio(took(case, "default"), took(case, "all")));
    }

    println!("\nwhat the cases are:");
    for line in ours.lines() {
        if let [case, about, ..] = line.split('\t').collect::<Vec<_>>().as_slice()
            && *case != "peak"
            && line.contains("\tdefault\t")
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
    let build = ["build", "--release", "--package", "pfcvm-cli", OPTIONAL];
    quietly("programs", &mut cargo(&build))?;
    let mut bench = Command::new(python);
    bench.arg(root().join("reference/bench_program.py"));
    bench.arg(root().join("target/release/pfcvm")).arg(scratch("bench-program")?);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of the program failed".into()) }
}

/// The bench that measures what the program cannot; its words follow.
pub fn measure(words: &[&str]) -> Command {
    let bench = ["bench", "--quiet", "--package", "pfcvm-study", "--bench", "measure", "--"];
    let mut command = cargo(&bench);
    command.args(words);
    command
}

/// A rival that only benchmarks need.
pub const SKLEARN_RVM: &str = "sklearn-rvm==0.1.1";

/// Our methods beside public or plain numpy ones, on one thread each. The options are those of
/// `reference/bench_methods.py`.
pub fn methods(options: &[&str]) -> Outcome {
    let python = python::environment()?;
    let folder = scratch("bench-methods")?;
    let packages = folder.join("packages");
    if !packages.join("sklearn_rvm").is_dir() {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--no-deps", SKLEARN_RVM, "--target"]);
        if quietly("sklearn-rvm", install.arg(&packages)).is_err() {
            println!("{SKLEARN_RVM} cannot be installed: there is no time of it");
        }
    }
    let ours = answer(measure(&["methods"]).arg(&folder).env("RAYON_NUM_THREADS", "1"))?;
    let ours = ours.lines().map(|line| match line.split('\t').collect::<Vec<_>>().as_slice() {
        &[case, method, size, seconds, kept, accuracy, loss, about] => {
            // What a filter does not have.
            let [accuracy, loss] =
                [accuracy, loss].map(|cell| if cell == "NaN" { "-" } else { cell });
            Ok([case, method, size, seconds, kept, accuracy, loss, about])
        }
        _ => Err(format!("the bench program wrote `{line}`")),
    });
    let ours = ours.collect::<Outcome<Vec<_>>>()?;

    println!(
        "{:<9} {:<11} {:<33} {:>9}  {:>4}  {:>8}  {:>8}",
        "case", "size", "method", "seconds", "kept", "accuracy", "log loss"
    );
    for [case, method, size, seconds, kept, accuracy, loss, _] in &ours {
        println!(
            "{case:<9} {size:<11} {method:<33} {seconds:>9}  {kept:>4}  {accuracy:>8}  {loss:>8}"
        );
    }

    println!(
        "\n{:<9} {:<33} {:>9}  {:<11} {:>9}  {:>7}  agreement",
        "case", "method", "ours", "peer", "peer's", "ratio"
    );
    let mut peers = Command::new(python);
    peers.arg(root().join("reference/bench_methods.py")).arg(&folder).args(options);
    peers.env("PYTHONPATH", &packages).stdout(Stdio::piped());
    let mut peers = peers.spawn().map_err(|error| error.to_string())?;
    for line in BufReader::new(peers.stdout.take().expect("it is piped")).lines() {
        let line = line.map_err(|error| error.to_string())?;
        let [case, method, peer, theirs, agreement] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            return Err(format!("the program with the peers wrote `{line}`"));
        };
        let of_ours = ours.iter().find(|ours| ours[0] == case && ours[1] == method);
        let seconds = of_ours.map_or("", |ours| ours[3]);
        let ratio = ratio(seconds, theirs);
        println!(
            "{case:<9} {method:<33} {seconds:>9}  {peer:<11} {theirs:>9}  {ratio:>7}  {agreement}"
        );
    }
    if !peers.wait().map_err(|error| error.to_string())?.success() {
        return Err("the benchmark of the peers failed".into());
    }
    println!(
        "(best wall seconds of a few fits with the scaling before them; ratio: peer's / ours)"
    );

    println!("\nwhat the cases are:");
    let mut last = "";
    for [case, .., about] in ours {
        if case != last {
            println!("  {case:<10} {about}");
        }
        last = case;
    }
    Ok(())
}

/// Knockoffs, and the solver behind them. They are compiled when they are installed, which not
/// every machine can do.
const KNOCKOFFS: [&str; 2] = ["knockpy==1.3.5", "cvxpy==1.9.3"];

/// Whether lists and probabilities can be trusted: ours and four peers on sets whose truth is
/// known. The options are those of `reference/bench_trust.py`; records, JSON and picture go to
/// `target/bench-trust` unless they say otherwise.
pub fn trust(options: &[&str]) -> Outcome {
    let folder = scratch("bench-trust")?;
    let list = root().join("reference/requirements-trust.txt");
    let python = python::filled("python environment", &folder.join("python"), &[&list])?;
    if answer(Command::new(&python).args(["-c", PRINTS_KNOCKPY]))?.trim() != KNOCKOFFS[0] {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet"]).args(KNOCKOFFS);
        if quietly("knockpy", &mut install).is_err() {
            println!("{} cannot be installed: there are no knockoffs", KNOCKOFFS[0]);
        }
    }
    quietly("programs", &mut cargo(&["build", "--release", "--package", "pfcvm-cli"]))?;
    let program = format!("target/release/pfcvm{}", std::env::consts::EXE_SUFFIX);
    let mut bench = Command::new(python);
    bench.arg(root().join("reference/bench_trust.py")).arg(root().join(program));
    bench.arg("--records").arg(folder.join("records.jsonl"));
    bench.arg("--json").arg(folder.join("trust.json"));
    bench.arg("--picture").arg(folder.join("trust.svg")).args(options);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of trust failed".into()) }
}

/// Tables of words and gaps, ours beside five peers. The options are those of
/// `reference/bench_tables.py`; records go to `target/bench-tables`.
pub fn tables(options: &[&str]) -> Outcome {
    let folder = scratch("bench-tables")?;
    let list = root().join("reference/requirements-tables.txt");
    let python = python::filled("python environment", &folder.join("python"), &[&list])?;
    quietly("programs", &mut cargo(&["build", "--release", "--package", "pfcvm-cli"]))?;
    let program = format!("target/release/pfcvm{}", std::env::consts::EXE_SUFFIX);
    let mut bench = Command::new(python);
    bench.arg(root().join("reference/bench_tables.py")).arg(root().join(program));
    bench.arg("--records").arg(folder.join("records.jsonl")).args(options);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of tables failed".into()) }
}

/// Time, memory and log loss over rows and columns, beside HistGradientBoosting. The options are those of
/// `reference/bench_scale.py`; data, JSON and picture go to `target/bench-scale`.
pub fn scale(options: &[&str]) -> Outcome {
    let folder = scratch("bench-scale")?;
    let list = root().join("reference/requirements-scale.txt");
    let python = python::filled("python environment", &folder.join("python"), &[&list])?;
    quietly("programs", &mut cargo(&["build", "--release", "--package", "pfcvm-cli", OPTIONAL]))?;
    let program = format!("target/release/pfcvm{}", std::env::consts::EXE_SUFFIX);
    let mut bench = Command::new(python);
    bench.arg(root().join("reference/bench_scale.py")).arg(root().join(program));
    bench.arg(folder.join("data")).arg("--json").arg(folder.join("scale.json"));
    bench.arg("--picture").arg(folder.join("scale.svg")).args(options);
    let status = bench.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err("the benchmark of scale failed".into()) }
}

/// Prints the requirement that an installed knockpy meets, or nothing.
const PRINTS_KNOCKPY: &str = "\
from importlib.metadata import distributions
print(*(f'knockpy=={d.version}' for d in distributions() if d.name == 'knockpy'))";

/// How many times as long the peer took, where both times are known; a peer that was given up has
/// a time of `> seconds`.
fn ratio(ours: &str, theirs: &str) -> String {
    let (sign, number) = match theirs.strip_prefix("> ") {
        Some(number) => ("> ", number),
        None => ("", theirs),
    };
    match (ours.parse::<f64>(), number.parse::<f64>()) {
        (Ok(ours), Ok(theirs)) => format!("{sign}{:.1}", theirs / ours),
        _ => "-".into(),
    }
}

const HEAD: &str = "  seconds  iterations  samples  features  accuracy";

/// Seconds, iterations, samples, features, accuracy under [`HEAD`].
fn row(numbers: &[&str]) -> String {
    let widths = [9, 10, 7, 8, 8];
    let cells = numbers.iter().zip(widths).map(|(number, width)| format!("{number:>width$}"));
    cells.collect::<Vec<_>>().join("  ")
}
