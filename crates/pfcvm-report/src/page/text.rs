//! A page as plain text, for a terminal.

use super::{Block, Content, Figure, Mark, Page, Section, Table, Tile};
use crate::name::visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a terminal.
const WIDTH: usize = 80;
/// The widest text of a cell; a longer one would push all other columns off the screen.
const WIDEST: usize = 60;

pub fn page(page: &Page) -> String {
    let mut parts = vec![heading(&page.title, '=')];
    parts.push(paragraph(&page.lead));
    parts.push(tiles(&page.tiles));
    if !page.notes.is_empty() {
        parts.push(format!("Please note\n{}", lines(page.notes.iter().map(|note| item(note)))));
    }
    parts.extend(page.sections.iter().map(section));
    parts.push(lines(page.footer.iter().map(|statement| paragraph(statement))));
    joined(parts)
}

pub fn section(section: &Section) -> String {
    let mut parts = vec![heading(&section.heading, '-')];
    parts.extend(section.text.iter().map(|text| paragraph(text)));
    for block in &section.blocks {
        match block {
            Block::Small(figures) if figures.len() > 1 => {
                let names: Vec<&str> = figures.iter().map(|one| one.heading.as_str()).collect();
                parts.push(paragraph(&format!("[pictures: {}]", names.join("; "))));
            }
            Block::Figures(figures) | Block::Small(figures) => {
                parts.extend(figures.iter().map(figure));
            }
            Block::Wide(one) => parts.push(figure(one)),
            Block::Tiles(list) => parts.push(tiles(list)),
            Block::Table(one) => parts.push(titled(&one.caption, one)),
            Block::Folded(line, one) => parts.push(titled(line, one)),
        }
    }
    joined(parts)
}

/// Parts with an empty line between them; empty ones are left out.
fn joined(mut parts: Vec<String>) -> String {
    parts.retain(|part| !part.is_empty());
    let mut text = lines(parts.iter().map(|part| part.trim_end().to_owned() + "\n"));
    text.truncate(text.trim_end().len());
    if text.is_empty() { text } else { text + "\n" }
}

fn lines(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join("\n")
}

fn heading(text: &str, under: char) -> String {
    let text = paragraph(text);
    let width = text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
    if width == 0 { text } else { format!("{text}\n{}", under.to_string().repeat(width)) }
}

fn paragraph(text: &str) -> String {
    lines(wrapped(text, WIDTH))
}

/// A paragraph with a dash before its first line.
fn item(text: &str) -> String {
    let pieces = wrapped(text, WIDTH - 2);
    let pieces = pieces.iter().enumerate();
    lines(pieces.map(|(at, line)| format!("{}{line}", if at == 0 { "- " } else { "  " })))
}

fn tiles(tiles: &[Tile]) -> String {
    lines(tiles.iter().map(|tile| {
        let remark = match tile.remark.is_empty() {
            true => String::new(),
            false => format!(" ({})", tile.remark),
        };
        paragraph(&format!("{}: {}{remark}", tile.label, tile.value))
    }))
}

fn figure(figure: &Figure) -> String {
    match &figure.content {
        // How to read a picture is of no use without it.
        Content::Picture(_) | Content::ByWidth { .. } => {
            paragraph(&format!("[picture: {}]", figure.heading))
        }
        Content::Table(one) => {
            let caption = paragraph(&figure.caption);
            lines([titled(&figure.heading, one), caption]).trim_end().to_owned()
        }
    }
}

fn titled(title: &str, of: &Table) -> String {
    lines([paragraph(title), table(of)].into_iter().filter(|part| !part.is_empty()))
}

/// What stands in a cell: what is aligned, and what follows it.
struct Words {
    text: String,
    mark: &'static str,
    remark: String,
}

fn table(table: &Table) -> String {
    let words = |text: &str, mark: Option<Mark>, remark: Option<&str>| Words {
        text: cut(text),
        mark: match mark {
            None => "",
            Some(Mark::Best) => "*",
            Some(Mark::Near) => "·",
        },
        remark: remark.map_or(String::new(), |remark| format!(" ({})", cut(remark))),
    };
    let row = |cells: &Vec<super::Cell>| {
        let cells = cells.iter().take(table.columns.len());
        cells.map(|cell| words(&cell.text, cell.mark, cell.remark.as_deref())).collect()
    };
    let rows: Vec<Vec<Words>> = table.rows.iter().map(row).collect();
    let widest = |column: usize, part: &dyn Fn(&Words) -> usize| {
        rows.iter().filter_map(|row| row.get(column)).map(part).max().unwrap_or(0)
    };
    let heads: Vec<String> = table.columns.iter().map(|column| cut(&column.name)).collect();
    let widths = heads.iter().enumerate().map(|(column, head)| {
        let mark = widest(column, &|words| words.mark.width());
        let remark = widest(column, &|words| words.remark.width());
        // A head may reach over the remarks below it.
        let text = widest(column, &|words| words.text.width());
        [text.max(head.width().saturating_sub(mark + remark)), mark, remark]
    });
    let widths: Vec<[usize; 3]> = widths.collect();
    let padded = |column: usize, text: &str, width: usize| {
        let space = " ".repeat(width.saturating_sub(text.width()));
        if table.columns[column].numeric { space + text } else { text.to_owned() + &space }
    };
    let line = |cells: Vec<String>| cells.join("  ").trim_end().to_owned();
    let head = heads.iter().enumerate();
    let head = head.map(|(column, head)| padded(column, head, widths[column].iter().sum()));
    let total: usize = widths.iter().flatten().sum::<usize>() + 2 * widths.len();
    let mut written = vec![line(head.collect()), "-".repeat(total.saturating_sub(2))];
    written.extend(rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(column, words)| {
            let [text, mark, remark] = widths[column];
            if table.columns[column].numeric {
                let mark = words.mark.to_owned() + &" ".repeat(mark - words.mark.width());
                let remark = words.remark.clone() + &" ".repeat(remark - words.remark.width());
                padded(column, &words.text, text) + &mark + &remark
            } else {
                // Marks and remarks follow text at once.
                let all = format!("{}{}{}", words.text, words.mark, words.remark);
                padded(column, &all, text + mark + remark)
            }
        });
        line(cells.collect())
    }));
    written.extend(table.remark.as_deref().map(paragraph));
    lines(written.into_iter().filter(|line| !line.is_empty()))
}

/// As on a page, but without what turns the direction of writing around: a page ends its effect
/// with the cell, a terminal does not.
fn printable(c: char) -> char {
    match c {
        '\u{202a}'..='\u{202e}' => '\u{fffd}',
        c => visible(c),
    }
}

/// One line of at most [`WIDEST`] columns, without control characters.
fn cut(text: &str) -> String {
    let text: String = text.chars().map(printable).collect();
    let text = text.trim();
    if text.width() <= WIDEST && text.chars().count() <= 4 * WIDEST {
        return text.to_owned();
    }
    let (mut kept, mut used) = (String::new(), 1);
    for c in text.chars().take(4 * WIDEST) {
        used += c.width().unwrap_or(0);
        if used > WIDEST {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}

/// Lines of at most so many columns, broken between words where that is possible.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let text: String = text.chars().map(printable).collect();
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    // Spaces that hold a number and its unit together are not where a line ends.
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = word.width();
        if used > 0 && used + 1 + width > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for c in word.chars() {
            let wide = c.width().unwrap_or(0);
            // Only a word longer than a line gets here with no room left.
            if used + wide > columns {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += wide;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
