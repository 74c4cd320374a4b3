//! Pages of Markdown: what is prose in them, headings and links.

use crate::step::{Outcome, answer, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of the handbook in their order, as `docs/SUMMARY.md` has them.
pub fn in_book() -> Outcome<Vec<PathBuf>> {
    let summary = root().join("docs/SUMMARY.md");
    let links = Page::read(&summary)?.links;
    Ok(links.iter().map(|link| resolved(&summary, &link.target)).collect())
}

/// All pages that are part of the repository.
pub fn in_repository() -> Outcome<Vec<PathBuf>> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard", "*.md"]);
    let files = answer(list.current_dir(root()))?;
    // A page that was moved and not committed is still listed.
    Ok(files.lines().map(|file| root().join(file)).filter(|file| file.exists()).collect())
}

/// Where a link of a page leads, without `..` in it.
pub fn resolved(page: &Path, target: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(page).to_path_buf();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path
}

/// A link, or a picture.
#[derive(Debug, PartialEq)]
pub struct Link {
    /// The line it stands on, from 1.
    pub line: usize,
    /// Where it leads.
    pub target: String,
}

/// What there is on a page besides its words.
#[derive(Debug, Default)]
pub struct Page {
    /// Links and pictures.
    pub links: Vec<Link>,
    /// Names of the headings, as links call them.
    pub anchors: Vec<String>,
}

impl Page {
    /// Reads a page.
    pub fn read(file: &Path) -> Outcome<Self> {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        let mut page = Self::default();
        let mut in_code = false;
        for (at, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                in_code = !in_code;
            } else if !in_code {
                let targets = targets(line).into_iter();
                page.links.extend(targets.map(|target| Link { line: at + 1, target }));
                if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ')
                    && line.starts_with('#')
                {
                    page.add_anchor(heading);
                }
            }
        }
        page
    }

    /// GitHub's and mdBook's name: small letters, digits, `_` and `-`, hyphens for spaces; one that is
    /// there already is numbered.
    fn add_anchor(&mut self, heading: &str) {
        let kept = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == ' ';
        let name: String = heading.trim().chars().filter(|c| kept(*c)).collect();
        let name = name.to_lowercase().replace(' ', "-");
        let taken = self.anchors.iter().filter(|other| **other == name).count();
        self.anchors.push(if taken == 0 { name } else { format!("{name}-{taken}") });
    }
}

/// Targets of the links on a line, what stands between backticks left out.
fn targets(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let mut found = Vec::new();
    let mut rest = prose.as_str();
    while let Some((_, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else { break };
        found.push(target.split(' ').next().unwrap_or_default().to_owned());
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found_outside_code() {
        let text = "# `price`: what A_b costs\n[a](b.md#c) `[no](no.md)` ![p](p.png \"words\")\n\
                    ```\n[no](no.md)\n# no\n```\n## Same\n## Same\n";
        let page = Page::of(text);
        let targets: Vec<&str> = page.links.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(targets, ["b.md#c", "p.png"]);
        assert_eq!(page.links[0].line, 2);
        assert_eq!(page.anchors, ["price-what-a_b-costs", "same", "same-1"]);
    }

    #[test]
    fn links_lead_from_where_they_stand() {
        let page = Path::new("/r/docs/a.md");
        assert_eq!(resolved(page, "../README.md"), Path::new("/r/README.md"));
        assert_eq!(resolved(page, "./b/c.md"), Path::new("/r/docs/b/c.md"));
    }
}
