//! `cargo xtask browser`: pages in a real browser, under several sets of fonts.
//!
//! A page is fine if every expected picture is there and has a size, nothing but the file itself
//! is loaded, nothing is logged as a warning or an error, nothing has to be scrolled sideways, no
//! text overlaps or sticks out of a picture, all text has enough contrast, and the page is light
//! or dark as the reader wishes; at the width of a telephone, a tablet and a large screen.

mod app;
mod axe;
mod chromium;
mod fonts;
mod pages;
mod picture;
mod view;

pub use pages::check as pages;

use crate::step::{Outcome, install};
use chromium::Chromium;
use fonts::FontSet;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::thread;

/// What Chromium is called by those who pack it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const USAGE: &str = "browser [--expect NAME,NAME] [--pictures DIR] FILE.html... | --app [TABLE]";

/// Checks the files among the words, and says what is wrong with each.
pub fn run(words: &[&str]) -> Outcome {
    let (mut files, mut expected, mut pictures) = (Vec::new(), Vec::new(), None);
    let mut app = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--expect" => {
                expected = words.next().ok_or(USAGE)?.split(',').map(String::from).collect();
            }
            "--pictures" => pictures = Some(PathBuf::from(words.next().ok_or(USAGE)?)),
            "--app" => app = true,
            option if option.starts_with("--") => return Err(USAGE.into()),
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() && !app {
        return Err(USAGE.into());
    }
    if let Some(folder) = &pictures {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    if app {
        let checked = app::check(files.first().map(PathBuf::as_path), pictures.as_deref())?;
        println!("pfcvm app: {checked} things are fine");
        return Ok(());
    }
    let page = |file| Page { file, expected: expected.clone() };
    let pages: Vec<Page> = files.into_iter().map(page).collect();
    let problems = problems(&pages, pictures.as_deref())?;
    if problems.is_empty() {
        println!("{} pages are fine", pages.len());
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// Draws a part of a page of some width into a file: what a selector finds, or so many pixels of its top.
pub fn picture_of(page: &Path, (width, part): (usize, &str), file: &Path) -> Outcome {
    let (program, sets) = (chromium()?, fonts::sets()?);
    let fonts = sets.first().and_then(|set| set.configuration.as_deref());
    let mut chromium = Chromium::start(&program, fonts)?;
    let page = page.canonicalize().map_err(|error| format!("{}: {error}", page.display()))?;
    picture::part(&mut chromium, &page, (width, part), file)
}

/// A page, and the names of pictures that must be on it, such as `features` or `test-roc`.
pub struct Page {
    /// Where it lies.
    pub file: PathBuf,
    /// Pictures that must be on it.
    pub expected: Vec<String>,
}

/// What is wrong with pages, each as a sentence with the page and the views it is seen in; empty
/// if nothing is. Pictures of whole pages are written into the folder, if one is given.
///
/// # Errors
/// If Chromium cannot be started or does not answer.
fn problems(pages: &[Page], pictures: Option<&Path>) -> Outcome<Vec<String>> {
    let (program, sets) = (chromium()?, fonts::sets()?);
    axe::is_there(); // fetched before several look at once
    let seen = thread::scope(|scope| {
        let sets = sets.iter().enumerate();
        let looks = sets.map(|(place, set)| {
            // Colours do not depend on the font.
            let schemes = if place == 0 { &view::SCHEMES[..] } else { &view::SCHEMES[..1] };
            let program = &program;
            scope.spawn(move || seen_with(set, program, pages, schemes, pictures))
        });
        let looks: Vec<_> = looks.collect();
        let ended = looks.into_iter().map(|look| match look.join() {
            Ok(seen) => seen,
            Err(_) => Err("looking at pages failed".into()),
        });
        ended.collect::<Outcome<Vec<_>>>()
    })?;
    // The same problem in many views is one problem.
    let mut views: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    for (page, what, view) in seen.into_iter().flatten() {
        views.entry((page, what)).or_default().push(view);
    }
    let sentence = |((page, what), views): (&(usize, String), &Vec<String>)| {
        let more = match views.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} other views"),
        };
        format!("{}: {what} ({}{more})", pages[*page].file.display(), views[0])
    };
    Ok(views.iter().map(sentence).collect())
}

/// A page by its place, what is wrong with it, and in which view.
type Seen = (usize, String, String);

fn seen_with(
    set: &FontSet,
    program: &Path,
    pages: &[Page],
    schemes: &[&str],
    pictures: Option<&Path>,
) -> Outcome<Vec<Seen>> {
    let mut chromium = Chromium::start(program, set.configuration.as_deref())?;
    let mut seen = Vec::new();
    for (place, page) in pages.iter().enumerate() {
        let cannot = |error| format!("cannot open {}: {error}", page.file.display());
        let file = page.file.canonicalize().map_err(cannot)?;
        let pictures = pictures.map(|folder| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            folder.join(format!("{name}-{}", set.name.replace(' ', "-")))
        });
        let found = view::look(&mut chromium, &file, &page.expected, schemes, pictures.as_deref())?;
        let places =
            found.into_iter().map(|(view, what)| (place, what, format!("{}, {view}", set.name)));
        seen.extend(places);
    }
    Ok(seen)
}

/// The Chromium of this machine, installed if it is missing and we may.
fn chromium() -> Outcome<PathBuf> {
    let advice = "the check of pages needs Chromium: install the package `chromium`, or name the \
                  program in the environment variable CHROMIUM";
    if let Some(program) = find() {
        return Ok(program);
    }
    install(&["chromium"]).map_err(|error| format!("{error}\n{advice}"))?;
    find().ok_or_else(|| advice.into())
}

fn find() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let known = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    named.into_iter().chain(known).find(|program| program.is_file())
}
