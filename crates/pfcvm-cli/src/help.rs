//! `pfcvm help`: commands, and topics in short.
//!
//! A topic is a section of a page of the handbook, included when the program is compiled: its short
//! form is written once, and read here and there.

use crate::args::Args;
use crate::failure::{Failure, Outcome};
use clap::CommandFactory;
use pfcvm_report::page::Section;
use std::io::Write;

/// What can be asked about.
struct Topic {
    name: &'static str,
    about: &'static str,
    /// The page and its file.
    page: &'static str,
    file: &'static str,
    /// The heading of the section.
    section: &'static str,
}

macro_rules! topics {
    ($($name:literal $about:literal $file:literal $section:literal),* $(,)?) => {
        &[$(Topic {
            name: $name,
            about: $about,
            page: include_str!(concat!("../docs/", $file)),
            file: $file,
            section: $section,
        }),*]
    };
}

const TOPICS: &[Topic] = topics![
    "start" "the first five minutes" "start.md" "In short",
    "numbers" "what every number means" "numbers.md" "In short",
    "certainty" "how sure it is, and how that is known" "certainty.md" "In short",
    "goals" "a short list, or all features for accuracy" "goals.md" "In short",
    "tables" "words, dates, gaps, groups of columns" "tables.md" "In short",
    "classes" "more than two classes" "multiclass.md" "In short",
    "large" "many rows, files larger than memory" "scale.md" "In short",
    "labels" "few labels, new labels, rows without" "learning.md" "In short",
    "price" "how many features are needed, what more rows bring" "program.md" "Price in short",
    "formats" "files that can be read" "program.md" "Formats in short",
    "app" "the page of this machine" "program.md" "The page in short",
    "onnx" "models for other programs" "program.md" "ONNX in short",
    "methods" "what there is to compare with" "methods.md" "In short",
    "genes" "many more features than samples" "genes.md" "In short",
    "eeg" "rows that belong to people; groups of columns" "eeg.md" "In short",
    "clinic" "a table of words and gaps" "clinic.md" "In short",
    "product" "a compact model to give away" "engineer.md" "In short",
    "comparing" "methods side by side, fairly" "researcher.md" "In short",
    "limits" "when not to use it" "limits.md" "In short",
    "stability" "what stays as it is in later versions" "stability.md" "In short",
];

/// Runs the command: all that can be asked about, a command's options, or a topic.
pub fn run(asked: &[String]) -> Outcome {
    let mut command = Args::command();
    command.build();
    let text = match asked {
        [] => format!("{}\n\n{}", command.render_long_help().ansi(), list()),
        [name, rest @ ..] => match TOPICS.iter().find(|topic| topic.name == name) {
            Some(topic) if rest.is_empty() && command.find_subcommand(name).is_none() => {
                topic.text()
            }
            // `app`, `price` and `methods` are commands too.
            Some(topic) if rest.is_empty() => {
                format!("{}\n{}\n", topic.text(), options(&command, asked).unwrap_or_default())
            }
            _ => options(&command, asked).ok_or_else(|| unknown(&command, asked))?,
        },
    };
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", text.trim_end())?;
    Ok(out.flush()?)
}

/// The options of a command, or of a command of a command.
fn options(program: &clap::Command, asked: &[String]) -> Option<String> {
    let found = asked.iter().try_fold(program, |command, name| command.find_subcommand(name))?;
    Some(found.clone().render_long_help().ansi().to_string())
}

fn list() -> String {
    let widest = TOPICS.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let line = |topic: &Topic| format!("  {:widest$}  {}", topic.name, topic.about);
    let lines: Vec<String> = TOPICS.iter().map(line).collect();
    format!("Topics, for `pfcvm help TOPIC`:\n{}", lines.join("\n"))
}

/// Names the nearest thing that can be asked about.
fn unknown(program: &clap::Command, asked: &[String]) -> Failure {
    let name = asked.join(" ");
    let commands = program.get_subcommands().map(clap::Command::get_name);
    let known = TOPICS.iter().map(|topic| topic.name).chain(commands);
    let likeness = |known: &str| strsim::jaro_winkler(known, &name.to_lowercase());
    let nearest = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let hint = nearest
        .filter(|known| likeness(known) > 0.7)
        .map_or(String::new(), |known| format!("; is `{known}` meant?"));
    let more = "`pfcvm help` lists all";
    Failure::Usage(format!("there is no topic and no command `{name}`{hint} ({more})"))
}

impl Topic {
    /// The section for a terminal, and where more stands.
    fn text(&self) -> String {
        let body = section(self.page, self.section).unwrap_or_default();
        let title = self.page.lines().next().unwrap_or_default().trim_start_matches("# ");
        let mut paragraphs: Vec<String> = body.split("\n\n").map(plain).collect();
        paragraphs.push(format!("More: docs/{} of the handbook.", self.file));
        let heading = if self.section == "In short" { title } else { self.about };
        Section { heading: heading.into(), text: paragraphs, ..Section::default() }.text()
    }
}

/// What stands under a heading, up to the next one.
fn section<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let is_heading = |line: &str| line.starts_with('#');
    let mut start = None;
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        match start {
            None if is_heading(line) && line.trim_start_matches('#').trim() == heading => {
                start = Some(at + line.len());
            }
            Some(start) if is_heading(line) => return Some(page[start..at].trim()),
            _ => {}
        }
        at += line.len();
    }
    start.map(|start| page[start..].trim())
}

/// A paragraph without marks for bold print and without the targets of links, in one line.
fn plain(paragraph: &str) -> String {
    let text = paragraph.replace("**", "").replace('\n', " ");
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once(')').unwrap_or(("", part));
        // The words of a link stand before it, behind the last `[`.
        if let Some(open) = plain.rfind('[') {
            plain.remove(open);
        }
        plain.push_str(rest);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_its_section() {
        for topic in TOPICS {
            let body = section(topic.page, topic.section);
            assert!(body.is_some_and(|body| body.len() > 100), "{}", topic.name);
            // Shown as prose: nothing that would need a layout.
            let body = body.unwrap_or_default();
            assert!(!body.contains("```") && !body.contains("\n|"), "{}", topic.name);
        }
    }

    /// A short form that no topic shows would be lost.
    #[test]
    fn every_short_form_is_a_topic() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if !name.ends_with(".md") {
                continue;
            }
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let headings = text.lines().filter(|line| line.starts_with('#'));
            for heading in headings.map(|line| line.trim_start_matches('#').trim()) {
                let short = heading == "In short" || heading.ends_with(" in short");
                let known = TOPICS.iter().any(|t| t.file == name && t.section == heading);
                assert!(!short || known, "{name}: {heading}");
            }
        }
    }

    #[test]
    fn links_and_bold_print_are_for_pages() {
        assert_eq!(plain("a **b**\n[c d](e.md#f), [g](h)"), "a b c d, g");
    }

    #[test]
    fn a_section_ends_at_the_next_heading() {
        let page = "# a\n\n## In short\n\nb\n\nc\n\n### d\ne\n";
        assert_eq!(section(page, "In short"), Some("b\n\nc"));
        assert_eq!(section(page, "d"), Some("e"));
        assert_eq!(section(page, "f"), None);
    }
}
