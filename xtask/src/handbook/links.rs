//! Links of all pages lead somewhere.

use super::page::{Page, in_book, in_repository, resolved};
use crate::step::{Outcome, root};
use std::fs;
use std::path::Path;

/// What is wrong with links, headings they name, and the list of chapters, each as a sentence.
pub fn problems() -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for file in in_repository()? {
        for link in Page::read(&file)?.links {
            if let Some(wrong) = wrong_with(&file, &link.target)? {
                let shown = file.strip_prefix(root()).unwrap_or(&file).display();
                found.push(format!("{shown}:{}: {wrong}", link.line));
            }
        }
    }
    let chapters = in_book()?;
    let pages = fs::read_dir(root().join("docs")).map_err(|error| error.to_string())?;
    for page in pages.flatten().map(|entry| entry.path()) {
        let is_page = page.extension().is_some_and(|end| end == "md");
        if is_page && !page.ends_with("SUMMARY.md") && !chapters.contains(&page) {
            found.push(format!("docs/SUMMARY.md: {} is no chapter", page.display()));
        }
    }
    Ok(found)
}

fn wrong_with(file: &Path, target: &str) -> Outcome<Option<String>> {
    // Other hosts are not asked: tests need no network.
    if target.starts_with("https://") || target.starts_with("http://") {
        return Ok(None);
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let to = if path.is_empty() { file.to_path_buf() } else { resolved(file, path) };
    if !to.exists() {
        return Ok(Some(format!("{target} is not there")));
    }
    let known = || Ok::<_, String>(Page::read(&to)?.anchors.iter().any(|name| name == anchor));
    if !anchor.is_empty() && !known()? {
        return Ok(Some(format!("{target}: the page has no such heading")));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_all_pages_lead_somewhere() {
        assert_eq!(problems().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_leads_nowhere_is_told() {
        let page = root().join("README.md");
        assert_eq!(wrong_with(&page, "docs/program.md#data").unwrap(), None);
        assert!(wrong_with(&page, "docs/nothing.md").unwrap().is_some());
        assert!(wrong_with(&page, "docs/program.md#nothing").unwrap().is_some());
        assert!(wrong_with(&page, "#nothing").unwrap().is_some());
    }
}
