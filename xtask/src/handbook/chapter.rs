//! A chapter as the script that it is.

use super::{folder_of, programs};
use crate::step::{Outcome, root};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page with something to run.
pub struct Chapter {
    /// Its name without the ending.
    pub name: String,
    file: PathBuf,
    text: String,
    /// What is run, in order.
    blocks: Vec<Block>,
}

/// A piece to run.
#[derive(Debug, PartialEq)]
struct Block {
    language: Language,
    code: String,
    /// Lines of the page that show what it prints, without the fences, where it has them.
    shown: Option<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Language {
    Shell,
    Python,
}

/// A chapter that was run.
pub struct Ran {
    /// Where, with the files it made.
    pub folder: PathBuf,
    /// What each block printed; nothing where Python's package is not there.
    printed: Vec<Option<String>>,
}

impl Chapter {
    /// Reads a page.
    pub fn read(file: &Path) -> Outcome<Self> {
        let text = fs::read_to_string(file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let blocks = blocks(&text);
        Ok(Self { name, file: file.to_path_buf(), text, blocks })
    }

    /// Whether it shows what it prints: other pages have commands for the reader alone.
    pub fn is_run(&self) -> bool {
        self.blocks.iter().any(|block| block.shown.is_some())
    }

    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// Runs all blocks, one after the other. The first that fails ends it.
    pub fn run(&self) -> Outcome<Ran> {
        let folder = folder_of(&self.name)?;
        let example = root().join("docs/example.py");
        fs::copy(&example, folder.join("example.py"))
            .map_err(|error| format!("cannot copy {}: {error}", example.display()))?;
        let printed = self
            .blocks
            .iter()
            .map(|block| self.printed_by(block, &folder))
            .collect::<Outcome<_>>()?;
        Ok(Ran { folder, printed })
    }

    fn printed_by(&self, block: &Block, folder: &Path) -> Outcome<Option<String>> {
        let mut command = match block.language {
            Language::Shell => {
                let mut shell = Command::new("bash");
                shell.args(["-euo", "pipefail", "-c"]);
                shell
            }
            Language::Python => {
                let python = root().join("target/package/bin/python");
                if !python.exists() {
                    return Ok(None);
                }
                let mut python = Command::new(python);
                python.arg("-c");
                python
            }
        };
        let system = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(programs().into_iter().chain(env::split_paths(&system)))
            .map_err(|error| error.to_string())?;
        command.arg(&block.code).current_dir(folder).stdin(Stdio::null());
        command.env("PATH", path).env("XDG_CACHE_HOME", folder.join("cache")).env("NO_COLOR", "1");
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}\n{said}", self.file.display(), block.code));
        }
        Ok(Some(lasting(&String::from_utf8_lossy(&output.stdout))))
    }

    /// Puts what was printed into the page.
    pub fn write(&self, ran: &Ran) -> Outcome {
        let mut lines: Vec<&str> = self.text.lines().collect();
        // From the end, so that the places of the others stay.
        for (block, printed) in self.blocks.iter().zip(&ran.printed).rev() {
            if let (Some((first, end)), Some(printed)) = (block.shown, printed) {
                lines.splice(first..end, printed.lines());
            }
        }
        fs::write(&self.file, lines.join("\n") + "\n")
            .map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }
}

impl Ran {
    /// Says where a page shows something else than what was printed from the real data now.
    pub fn tell_changes(&self, chapter: &Chapter) {
        let lines: Vec<&str> = chapter.lines().collect();
        let changed = |(block, printed): &(&Block, &Option<String>)| match (block.shown, printed) {
            (Some((first, end)), Some(printed)) => {
                printed.lines().ne(lines[first..end].iter().copied())
            }
            _ => false,
        };
        let changed = chapter.blocks.iter().zip(&self.printed).filter(changed).count();
        if changed > 0 && env::var_os("PFCVM_DATA").is_some() {
            println!(
                "  {changed} blocks of {}.md show something else; `cargo xtask handbook --write` renews them",
                chapter.name
            );
        }
        if self.printed.iter().any(Option::is_none) {
            println!(
                "  {}.md: without the Python package its blocks of Python are not run",
                chapter.name
            );
        }
    }
}

/// Without what differs from run to run.
fn lasting(printed: &str) -> String {
    let lasts = |line: &&str| !line.starts_with("Time: ") && !line.starts_with("Time of a fold: ");
    printed
        .lines()
        .filter(lasts)
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
        .trim_end()
        .to_owned()
}

/// Pieces to run, each with the lines of a block of `text` that follows it at once.
fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<Block> = Vec::new();
    let mut at = 0;
    // Nothing but empty lines since the last piece.
    let mut close = false;
    while at < lines.len() {
        let Some(kind) = lines[at].strip_prefix("```") else {
            close &= lines[at].trim().is_empty();
            at += 1;
            continue;
        };
        let length = lines[at + 1..].iter().take_while(|line| !line.starts_with("```")).count();
        let (first, end) = (at + 1, at + 1 + length);
        let language = match kind.trim() {
            "sh" => Some(Language::Shell),
            "python" => Some(Language::Python),
            _ => None,
        };
        match (language, found.last_mut()) {
            (Some(language), _) => {
                found.push(Block { language, code: lines[first..end].join("\n"), shown: None });
            }
            (None, Some(block)) if kind.trim() == "text" && close => {
                block.shown = Some((first, end))
            }
            _ => {}
        }
        close = language.is_some();
        at = end + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_at_once_shows_what_was_printed() {
        let page = "words\n```sh\na\nb\n```\n\n```text\nold\n```\nwords\n```text\nnot this\n```\n\
                    ```console\nnor this\n```\n```python\nc\n```\n";
        let expected = [
            Block { language: Language::Shell, code: "a\nb".into(), shown: Some((7, 8)) },
            Block { language: Language::Python, code: "c".into(), shown: None },
        ];
        assert_eq!(blocks(page), expected);
    }

    #[test]
    fn times_do_not_last() {
        assert_eq!(lasting("Accuracy: 1  \nTime: 3 s\n\n"), "Accuracy: 1");
    }
}
