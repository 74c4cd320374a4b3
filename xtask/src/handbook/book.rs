//! The book: mdBook over the same pages.
//!
//! Chapters lie in several places of the repository (the guide of the Python package, say), and mdBook
//! takes them from one folder: they are copied into one with the same layout, so that links between them
//! hold, and `SUMMARY.md` with them as seen from the root.

use super::page::{Page, in_book, resolved};
use crate::python;
use crate::step::{Outcome, quietly, root, scratch};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the book into `target/book/html`; says where it is, or why there is none.
pub fn build() -> Outcome<String> {
    let Ok(program) = mdbook() else {
        return Ok("mdBook cannot be had here: the book is not built".into());
    };
    let folder = scratch("book")?;
    let source = folder.join("src");
    if source.exists() {
        fs::remove_dir_all(&source).map_err(|error| error.to_string())?;
    }
    stage(&source)?;
    fs::copy(root().join("docs/book.toml"), folder.join("book.toml"))
        .map_err(|error| format!("cannot copy docs/book.toml: {error}"))?;
    quietly("book", Command::new(program).arg("build").current_dir(&folder))?;
    let html = folder.join("html");
    let wrong = dead_links(&html, &html)?;
    match wrong.is_empty() {
        true => Ok(format!("the book is {}", html.join("index.html").display())),
        false => Err(wrong.join("\n")),
    }
}

/// mdBook of the system, or the one that a wheel brings, in an environment of its own.
fn mdbook() -> Outcome<PathBuf> {
    if Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success())
    {
        return Ok("mdbook".into());
    }
    let list = root().join("docs/requirements.txt");
    let python = python::filled("mdBook", &root().join("target/mdbook"), &[&list])?;
    Ok(python.with_file_name("mdbook"))
}

/// Copies chapters and what they show or link to.
fn stage(source: &Path) -> Outcome {
    let mut wanted: BTreeSet<PathBuf> = BTreeSet::new();
    for chapter in in_book()? {
        let links = Page::read(&chapter)?.links;
        let local = links.iter().filter(|link| !link.target.contains("://"));
        let targets =
            local.map(|link| resolved(&chapter, link.target.split('#').next().unwrap_or("")));
        wanted.extend(targets.filter(|target| target.is_file()));
        wanted.insert(chapter);
    }
    for file in wanted {
        let inner = file.strip_prefix(root()).map_err(|error| error.to_string())?;
        let to = source.join(inner);
        let made = to.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::copy(&file, &to).map(drop))
            .map_err(|error| format!("cannot copy {}: {error}", file.display()))?;
    }
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md"))
        .map_err(|error| format!("cannot read docs/SUMMARY.md: {error}"))?;
    fs::write(source.join("SUMMARY.md"), from_root(&summary)).map_err(|error| error.to_string())
}

/// The list of chapters with links as seen from the root.
fn from_root(summary: &str) -> String {
    summary.replace("](", "](docs/").replace("](docs/../", "](")
}

/// Links of the book's pages that lead to no file.
fn dead_links(folder: &Path, top: &Path) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(dead_links(&path, top)?);
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            for start in ["href=\"", "src=\""] {
                let targets = text.split(start).skip(1).filter_map(|rest| rest.split('"').next());
                let dead = targets.filter(|target| leads_nowhere(&path, target));
                let shown = path.strip_prefix(top).unwrap_or(&path).display().to_string();
                found.extend(
                    dead.map(|target| format!("the book's {shown}: {target} is not there")),
                );
            }
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn leads_nowhere(page: &Path, target: &str) -> bool {
    let file = target.split(['#', '?']).next().unwrap_or_default();
    let elsewhere = target.contains(':') || target.starts_with('/');
    !elsewhere && !file.is_empty() && !resolved(page, file).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_seen_from_the_root() {
        let summary = "- [a](a.md)\n- [b](../b/c.md)\n";
        assert_eq!(from_root(summary), "- [a](docs/a.md)\n- [b](b/c.md)\n");
    }
}
