//! `cargo xtask handbook`: the pages under `docs/` as a book.
//!
//! A chapter is its own script: what stands in its blocks of `sh` and `python` is run, in order, in a
//! folder of its own, and the block of `text` behind one shows what it printed. Links are checked in all
//! pages of the repository. mdBook, where it can be had, makes the book of the same files.

mod book;
mod chapter;
mod links;
mod page;
mod pictures;

use crate::step::{Outcome, built, cargo, quietly, root, scratch, timed};
use chapter::Chapter;
use std::path::PathBuf;

const USAGE: &str = "handbook [--write] [--pictures] [CHAPTER...]";

/// Checks links, runs chapters (all, or those that are named) with the program as it was built last, and
/// builds the book. `--write` puts what
/// was printed into the chapters, `--pictures` draws their pictures anew.
pub fn run(words: &[&str]) -> Outcome {
    let (mut write, mut pictures, mut names) = (false, false, Vec::new());
    for word in words {
        match *word {
            "--write" => write = true,
            "--pictures" => pictures = true,
            option if option.starts_with("--") => return Err(USAGE.into()),
            name => names.push(name),
        }
    }
    if !built("pfcvm").exists() {
        quietly("program", &mut cargo(&["build", "--quiet", "--package", "pfcvm-cli"]))?;
    }
    let chapters: Vec<Chapter> = chapters()?
        .into_iter()
        .filter(|chapter| names.is_empty() || names.contains(&chapter.name.as_str()))
        .collect();
    if chapters.is_empty() {
        return Err(format!("there is no such chapter; {USAGE}"));
    }
    for chapter in &chapters {
        let ran = timed(&format!("chapter {}", chapter.name), || chapter.run())?;
        match write {
            true => chapter.write(&ran)?,
            false => ran.tell_changes(chapter),
        }
        if pictures {
            pictures::draw(chapter, &ran.folder)?;
        }
    }
    links()?;
    println!("{}", book::build()?);
    Ok(())
}

/// What must pass: every chapter runs, and the book is built where mdBook can be had. (Links are
/// checked by a test of this crate.) Returns how many things were checked.
pub fn check() -> Outcome<usize> {
    let chapters = chapters()?;
    for chapter in &chapters {
        timed(&format!("chapter {}", chapter.name), || chapter.run())?.tell_changes(chapter);
    }
    println!("{}", book::build()?);
    Ok(chapters.len() + 1)
}

/// Every page of the handbook that shows what its commands print.
fn chapters() -> Outcome<Vec<Chapter>> {
    let mut all = Vec::new();
    for file in page::in_book()? {
        let chapter = Chapter::read(&file)?;
        if chapter.is_run() {
            all.push(chapter);
        }
    }
    Ok(all)
}

fn links() -> Outcome {
    let wrong = links::problems()?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Where chapters are run: a folder for each.
fn folder_of(name: &str) -> Outcome<PathBuf> {
    let folder = scratch("handbook")?.join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    scratch(&format!("handbook/{name}"))
}

/// Programs that chapters call: ours, and the Python of the package's tests where it is there.
fn programs() -> Vec<PathBuf> {
    let python = root().join("target/package/bin");
    let ours = built("pfcvm");
    let ours = ours.parent().map(PathBuf::from);
    ours.into_iter().chain(python.exists().then_some(python)).collect()
}
