//! `pfcvm-browser [--expect NAME,NAME] [--pictures DIR] FILE.html…`: says what is wrong with
//! reports, and fails if anything is.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "pfcvm-browser [--expect NAME,NAME] [--pictures DIR] FILE.html...

  --expect NAME,NAME   pictures that must be there: features, samples, fit-features, test-roc ...
  --pictures DIR       write a picture of every page at every width into DIR";

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// How many problems there are.
fn run() -> Result<usize, String> {
    let mut words = std::env::args().skip(1);
    let (mut files, mut expected, mut pictures) = (Vec::new(), String::new(), None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--expect" => expected = words.next().ok_or(HELP)?,
            "--pictures" => pictures = Some(PathBuf::from(words.next().ok_or(HELP)?)),
            option if option.starts_with("--") => return Err(HELP.into()),
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        return Err(HELP.into());
    }
    if let Some(folder) = &pictures {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let expected: Vec<&str> = expected.split(',').filter(|name| !name.is_empty()).collect();
    let mut count = 0;
    for file in &files {
        let problems = pfcvm_browser::problems(Path::new(file), &expected, pictures.as_deref())?;
        println!("{file}: {}", if problems.is_empty() { "fine" } else { "not fine" });
        for problem in &problems {
            println!("  {problem}");
        }
        count += problems.len();
    }
    Ok(count)
}
