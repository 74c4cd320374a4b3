//! Measurements that need more than the program: `cargo bench -p pfcvm-study -- WHAT …`.
//!
//! * `fits FOLDER`: four fits timed, their data written as .npy files, and the peak of matrix
//!   products.
//! * `methods FOLDER`: the methods that have rivals, timed; data and what they find as .npy files.
//! * `rate MODEL DATA`: rows per second that a stored model predicts, from memory.
//! * `bayes uci|textbook SETS SEED`: what the best possible rule is worth on fresh waveforms.
//!
//! `cargo xtask bench` and `cargo xtask figures` call these and lay out what they print. The folder
//! with real data is that of PFCVM_DATA; without it data of the same shape are drawn.

mod data;
mod fits;
mod methods;
mod npy;
mod rate;

use std::error::Error;
use std::path::{Path, PathBuf};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Fits of a case, of which the fastest counts.
const REPEATS: usize = 3;

fn main() -> Outcome {
    // `cargo bench` adds a word of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let real = std::env::var_os("PFCVM_DATA").map(PathBuf::from);
    match words.as_slice() {
        // A run of all benches of the workspace is not meant to take minutes.
        [] => println!("say what to measure: fits, methods, rate or bayes"),
        ["fits", folder] => fits::run(folder_at(folder)?, real.as_deref())?,
        ["methods", folder] => methods::run(folder_at(folder)?, real.as_deref())?,
        ["rate", model, data] => println!("{}", rate::run(model.as_ref(), data.as_ref(), 5)?),
        ["bayes", labelling, sets, seed] => {
            let (accuracy, loss) = data::bayes(labelling, sets.parse()?, seed.parse()?)?;
            println!("accuracy {:.2} %, log loss {loss:.4}", 100.0 * accuracy);
        }
        other => return Err(format!("there is nothing to measure by `{}`", other.join(" ")).into()),
    }
    Ok(())
}

fn folder_at(folder: &str) -> Outcome<&Path> {
    std::fs::create_dir_all(folder)?;
    Ok(Path::new(folder))
}
