//! Pictures of the reports that chapters make.
//!
//! A comment `<!-- picture 900 report.html #features -->` stands above the picture that it is drawn into: how
//! many pixels wide the page is, the page, and which part of it, or how many pixels of its top.

use super::chapter::Chapter;
use crate::browser;
use crate::step::{Outcome, root};
use std::path::Path;

/// Draws every picture of a chapter from the files that it made.
pub fn draw(chapter: &Chapter, folder: &Path) -> Outcome {
    let mut asked = None;
    for line in chapter.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), asked) {
            (["<!--", "picture", width, report, part, "-->"], _) => {
                let width = width.parse().map_err(|_| format!("{line}: how wide?"))?;
                asked = Some((width, *report, *part));
            }
            (_, Some((width, report, part))) if line.starts_with("![") => {
                let target = line.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
                let target = target.ok_or_else(|| format!("{line}: this is no picture"))?;
                let target = root().join("docs").join(target);
                browser::picture_of(&folder.join(report), (width, part), &target)?;
                asked = None;
            }
            _ => {}
        }
    }
    Ok(())
}
