//! What is told of the columns of a table: one sentence for each sort.

use crate::Content;
use crate::error::{counted, shown};
use crate::levels::MOST_LEVELS;

/// How many columns are named in a sentence.
const NAMED: usize = 5;

/// What there is to tell.
#[derive(Default)]
pub(super) struct Told {
    /// Names and numbers of levels.
    words: Vec<(String, usize)>,
    pooled: Vec<String>,
    dates: Vec<String>,
    /// Names of columns with gaps, and how many there are in all.
    gaps: (Vec<String>, usize),
    /// Names, numbers of cells, and a text of one of them.
    odd: Vec<(String, usize, Option<String>)>,
    /// Columns left out because all values differ.
    pub(super) identifiers: Vec<String>,
    /// Columns left out because they have too many words.
    pub(super) texts: Vec<String>,
}

impl Told {
    /// What a column holds, unless it is what everybody expects.
    pub(super) fn kept(&mut self, name: &str, content: &Content) {
        match content {
            Content::Number => {}
            Content::Date { .. } => self.dates.push(name.into()),
            Content::Words(levels) => {
                self.words.push((name.into(), levels.count()));
                if levels.has_other() {
                    self.pooled.push(name.into());
                }
            }
        }
    }

    pub(super) fn gaps(&mut self, name: &str, gaps: usize) {
        if gaps > 0 {
            self.gaps.0.push(name.into());
            self.gaps.1 += gaps;
        }
    }

    pub(super) fn odd(&mut self, name: &str, cells: usize, example: Option<&str>) {
        if cells > 0 {
            self.odd.push((name.into(), cells, example.map(String::from)));
        }
    }

    /// The sentences.
    pub(super) fn notes(self) -> Vec<String> {
        let mut notes = Vec::new();
        let words = self.words.iter().map(|(name, levels)| {
            format!("`{}` ({})", shown(name.as_bytes()), counted(*levels, "level"))
        });
        notes.extend(listed(words).map(|list| match self.words.len() {
            1 => format!("{list} holds words"),
            count => format!("{count} columns hold words: {list}"),
        }));
        notes.extend(sentence(
            &self.dates,
            "holds dates",
            "hold dates",
            "days since 1970 are used",
        ));
        notes.extend(sentence(
            &self.pooled,
            "has more levels than can be told apart",
            "have more levels than can be told apart",
            &format!(
                "the {} most frequent are kept and the rest are one, `other`",
                MOST_LEVELS - 1
            ),
        ));
        let (columns, cells) = self.gaps;
        notes.extend(listed(columns.iter().map(quoted)).map(|list| {
            let verb = if cells == 1 { "is a gap" } else { "are gaps" };
            format!("{} {verb}, in {list}", counted(cells, "cell"))
        }));
        let odd = self.odd.iter().map(|(name, cells, example)| {
            let example = example.as_ref().map(|text| format!(", as `{}`", shown(text.as_bytes())));
            let cells = counted(*cells, "cell");
            format!("`{}` ({cells}{})", shown(name.as_bytes()), example.unwrap_or_default())
        });
        notes.extend(listed(odd).map(|list| {
            format!(
                "what is no number or date among others counts as a gap, in {list}; \
                 --kind COLUMN=words takes a column as words"
            )
        }));
        notes.extend(sentence(
            &self.identifiers,
            "is left out, because its values all differ as names of rows do",
            "are left out, because their values all differ as names of rows do",
            "--kind COLUMN=words or COLUMN=number keeps one",
        ));
        notes.extend(sentence(
            &self.texts,
            "is left out, because it holds texts of too many words",
            "are left out, because they hold texts of too many words",
            "--kind COLUMN=words or COLUMN=date keeps one",
        ));
        notes
    }
}

fn quoted(name: &String) -> String {
    format!("`{}`", shown(name.as_bytes()))
}

/// The first few and how many more; nothing if there is none.
fn listed(names: impl ExactSizeIterator<Item = String>) -> Option<String> {
    let more = names.len().saturating_sub(NAMED);
    let first: Vec<String> = names.take(NAMED).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!first.is_empty()).then(|| first.join(", ") + &more)
}

/// One sentence about columns, with what is done.
fn sentence(names: &[String], one: &str, several: &str, done: &str) -> Option<String> {
    let verb = if names.len() == 1 { one } else { several };
    listed(names.iter().map(quoted)).map(|list| format!("{list} {verb}; {done}"))
}
