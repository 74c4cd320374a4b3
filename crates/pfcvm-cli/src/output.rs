//! Results in files: all of them or none.

use crate::failure::{Failure, Outcome};
use anstyle::{AnsiColor, Style};
use pfcvm_io::Staged;
use pfcvm_io::predictions::{escaped, harmless};
use std::io::Write;
use std::path::{Path, PathBuf};

const BOLD: Style = Style::new().bold();
const BAR: Style = AnsiColor::Cyan.on_default();

/// Refuses at once what could not be written after a long fit, and what would replace an input.
pub fn check(targets: &[Option<&Path>], inputs: &[Option<&Path>]) -> Outcome {
    let targets: Vec<&Path> = targets.iter().copied().flatten().collect();
    for (at, target) in targets.iter().enumerate() {
        let shown = target.display();
        if target.as_os_str() == "-" {
            let message = "`-` is standard input and no file to write; name a file";
            return Err(Failure::Usage(message.into()));
        }
        if targets[..at].iter().any(|other| same_file(other, target)) {
            return Err(Failure::Usage(format!(
                "{shown} is named for two results; name two files"
            )));
        }
        if inputs.iter().flatten().any(|input| same_file(input, target)) {
            return Err(Failure::Usage(format!(
                "{shown} is read and would be written over; name another file for the result"
            )));
        }
        Staged::check(target).map_err(|error| Failure::writing(target, &error))?;
    }
    Ok(())
}

/// Whether two names mean the same file, as far as can be told.
pub fn same_file(a: &Path, b: &Path) -> bool {
    let special = |path: &Path| path.metadata().is_ok_and(|about| !about.is_file());
    if special(a) || special(b) {
        return false;
    }
    a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Files that take their names together, once all are complete.
#[derive(Default)]
pub struct Outputs(Vec<Staged>);

impl Outputs {
    /// Writes one of them beside its target.
    pub fn add(
        &mut self,
        target: &Path,
        write: impl FnOnce(&mut Staged) -> std::io::Result<()>,
    ) -> Outcome {
        let staged = Staged::create(target).and_then(|mut file| {
            write(&mut file)?;
            file.settle()?;
            Ok(file)
        });
        self.0.push(staged.map_err(|error| Failure::writing(target, &error))?);
        Ok(())
    }

    /// Gives all of them their names, and says so; where one cannot have its name, none has.
    pub fn finish(self) -> Outcome {
        let targets: Vec<PathBuf> = self.0.iter().map(|file| file.target().into()).collect();
        Staged::finish_all(self.0).map_err(|(target, error)| Failure::writing(&target, &error))?;
        targets.iter().for_each(|target| note(&format!("wrote {}", target.display())));
        Ok(())
    }
}

/// One line on standard error. Where that cannot be written to, nobody is there to be told.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", harmless(text));
}

/// A name from a file, safe for a terminal and not too long.
pub fn shown(name: &str) -> String {
    const LONGEST: usize = 24;
    if name.chars().count() <= LONGEST {
        return harmless(name);
    }
    harmless(&name.chars().take(LONGEST - 1).collect::<String>()) + "…"
}

/// Name and version of this program.
pub fn program() -> String {
    format!("pfcvm {}", env!("CARGO_PKG_VERSION"))
}

/// A page as text on standard output: headings and bars stand out where there are colours.
pub fn print(text: &str) -> Outcome {
    let mut out = anstream::stdout().lock();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_rule = |line: &&str| !line.is_empty() && line.chars().all(|c| c == '=' || c == '-');
        if lines.peek().is_some_and(is_rule) {
            writeln!(out, "{BOLD}{line}{BOLD:#}")?;
            continue;
        }
        let is_bar = |c: char| ('\u{2588}'..='\u{258f}').contains(&c);
        let Some(start) = line.find(is_bar) else {
            writeln!(out, "{line}")?;
            continue;
        };
        let (before, rest) = line.split_at(start);
        let (bar, after) = rest.split_at(rest.find(|c| !is_bar(c)).unwrap_or(rest.len()));
        writeln!(out, "{before}{BAR}{bar}{BAR:#}{after}")?;
    }
    Ok(out.flush()?)
}

/// One JSON object on standard output.
pub fn print_json(value: &impl serde::Serialize) -> Outcome {
    let text = escaped(serde_json::to_string_pretty(value).map_err(std::io::Error::from)?);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_command_the_terminal() {
        assert_eq!(shown("a\u{1b}[31m\n"), "a\u{fffd}[31m\u{fffd}");
        assert_eq!(shown(&"x".repeat(30)).chars().count(), 24);
    }
}
