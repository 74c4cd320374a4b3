//! Chores of the repository.

mod attack;
mod bench;
mod browser;
mod figures;
mod handbook;
mod licences;
mod package;
mod python;
mod r;
mod ship;
mod step;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test [--quick]              format, lints, tests, examples, the Python package,
                                        documentation; --quick: without the tests of the package
                                        that start clusters (Dask, Ray, Spark)
cargo xtask test package [--quick]      the Python package alone
cargo xtask test r                      the R package alone; `--whole` builds it from its source
                                        package, as users do, and checks that
cargo xtask r-package [DIR]             the source package of R, with the crates it needs, for
                                        R CMD INSTALL; into target/r
cargo xtask ship                        packs libraries and program and builds them from that, builds
                                        and installs the packages of Python and R outside of the
                                        repository: all must learn the same from one table
cargo xtask ship program [--twice]      the program to be given away; --twice: also from another
                                        folder, and it must have the same bytes
cargo xtask attack [--quick] [--seed S] [--only GROUP] [--program FILE]
                                        kills, damage, hostile files and tight limits: how often,
                                        and how often they were not withstood
cargo xtask browser [--expect NAME,NAME] [--pictures DIR] FILE.html...
                                        what is wrong with reports, seen by Chromium
cargo xtask browser --app [--pictures DIR] [TABLE]
                                        goes through `pfcvm app` as a user does
cargo xtask handbook [--write] [--pictures] [CHAPTER...]
                                        links of all pages, the commands of every chapter, and the
                                        book in target/book; --write: what the commands print is put
                                        into the chapters; --pictures: theirs are drawn anew
cargo xtask licences                    whether all that is built in may be given away with it
cargo xtask bench [--prototype DIR]     time four fits, beside a numpy prototype in DIR
cargo xtask bench program               reading, predicting and memory of the program, beside
                                        pandas, polars and scikit-learn
cargo xtask bench methods [--only NAME] [--limit SECONDS]
                                        time RVM, PCVM, SVM and filters beside others' programs,
                                        each of which is given up after 120 seconds
cargo xtask bench package [--limit SECONDS]
                                        the Python package beside SVC, Gaussian processes, RVMs
cargo xtask bench tables [--only NAME,NAME] [--methods NAME,NAME] [--repeats N] [--designs]
cargo xtask bench scale [--rows N,N] [--stream N,N] [--columns M,M] [--no-peer]
cargo xtask bench trust [--quick | --every] [--only PATTERN] [--methods NAME,NAME] [--sets N]
                        [--peer-sets N] [--workers N] [--report]
                                        noise called certain, power, calibration and log loss where
                                        the truth is known, beside L1 logistic regression, stability
                                        selection, knockoffs and Boruta
cargo xtask figures [--quick] [--only NAME,NAME]
                                        every figure of the documentation, into target/figures";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => test::run(false),
        ["test", "--quick"] => test::run(true),
        ["test", "package"] => package::test_alone(false).map(|said| print!("{said}")),
        ["test", "package", "--quick"] => package::test_alone(true).map(|said| print!("{said}")),
        ["test", "r"] => r::test_alone(false).map(|said| print!("{said}")),
        ["test", "r", "--whole"] => r::test_alone(true).map(|said| print!("{said}")),
        ["r-package"] => r::package(None),
        ["r-package", folder] => r::package(Some(folder)),
        ["ship"] => ship::run(),
        ["ship", "program"] => ship::program(false),
        ["ship", "program", "--twice"] => ship::program(true),
        ["attack", options @ ..] => attack::run(options),
        ["browser", words @ ..] => browser::run(words),
        ["bench"] => bench::run(None),
        ["bench", "program"] => bench::program(),
        ["bench", "methods", options @ ..] => bench::methods(options),
        ["bench", "trust", options @ ..] => bench::trust(options),
        ["bench", "tables", options @ ..] => bench::tables(options),
        ["bench", "scale", options @ ..] => bench::scale(options),
        ["bench", "package", options @ ..] => package::bench(options),
        ["bench", "--prototype", folder] => bench::run(Some(folder)),
        ["handbook", words @ ..] => handbook::run(words),
        ["licences"] => licences::check().map(|said| println!("{said}")),
        ["figures", options @ ..] => figures::Options::parse(options).and_then(|o| o.run()),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!("this is what can be done:\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
