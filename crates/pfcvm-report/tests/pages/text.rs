//! Pages as plain text.

use pfcvm_report::page::{Block, Cell, Column, Content, Figure, Mark, Page, Section, Table, Tile};
use unicode_width::UnicodeWidthStr;

fn table(rows: Vec<Vec<Cell>>) -> Table {
    Table {
        caption: "Results".into(),
        columns: vec![Column::text("Data"), Column::number("Ours"), Column::number("SVM")],
        rows,
        remark: Some("* is best, · is not worse.".into()),
    }
}

fn section(blocks: Vec<Block>) -> Section {
    Section { id: "a".into(), heading: "Part one".into(), text: Vec::new(), blocks }
}

fn rows() -> Vec<Vec<Cell>> {
    vec![
        vec![
            "heart".into(),
            Cell::with_remark("83.5", "±1.25").marked(Mark::Best),
            Cell::from("83.1").marked(Mark::Near),
        ],
        vec!["数据".into(), Cell::with_remark("7.25", "±0.5"), "12.5".into()],
    ]
}

#[test]
fn tables_are_aligned() {
    let text = section(vec![Block::Table(table(rows()))]).text();
    let expected = "\
Part one
--------

Results
Data            Ours    SVM
---------------------------
heart  83.5* (±1.25)  83.1·
数据   7.25  (±0.5)   12.5
* is best, · is not worse.
";
    assert_eq!(text, expected);
}

#[test]
fn a_whole_page() {
    let tile =
        |remark: &str| Tile { label: "Fits".into(), value: "7".into(), remark: remark.into() };
    let figure = Figure {
        heading: "A curve".into(),
        legend: Vec::new(),
        content: Content::Table(table(rows())),
        caption: "Below it.".into(),
    };
    let page = Page {
        title: "Title".into(),
        lead: "word ".repeat(40),
        tiles: vec![tile(""), tile("of 9")],
        notes: vec!["note ".repeat(30)],
        sections: vec![section(vec![
            Block::Wide(figure),
            Block::Folded("More".into(), table(Vec::new())),
        ])],
        footer: vec!["End.".into()],
    };
    let text = page.text();
    assert!(text.starts_with("Title\n=====\n\nword word"), "{text}");
    assert!(text.contains("\n\nFits: 7\nFits: 7 (of 9)\n\nPlease note\n- note"), "{text}");
    assert!(text.contains("\n  note note"), "{text}");
    assert!(
        text.contains("\n\nA curve\nData ") && text.contains("worse.\nBelow it.\n\nMore\nData")
    );
    assert!(text.ends_with("\n\nEnd.\n") && !text.contains("\n\n\n"), "{text}");
    assert!(text.lines().all(|line| line.width() <= 80 && line.trim_end() == line), "{text}");
}

#[test]
fn pictures_are_named() {
    let picture = pfcvm_report::charts::Svg::new(9.0, 9.0).finish("p", "n", "d");
    let figure = Figure {
        heading: "A curve".into(),
        legend: Vec::new(),
        content: Content::Picture(picture),
        caption: "It rises.".into(),
    };
    let text = section(vec![Block::Small(vec![figure])]).text();
    assert!(text.ends_with("\n[picture: A curve]\n"), "{text}");
}

#[test]
fn hostile_text_is_tamed() {
    let name = "\u{1b}[31mred\0\u{202e}\n".to_owned() + &"宽".repeat(300) + &"long".repeat(300);
    let cell = Cell::with_remark(name.clone(), name.clone());
    let table = Table {
        caption: name.clone(),
        columns: vec![Column::text(name.clone()), Column::number("")],
        // Too few and too many cells are no reason to fail.
        rows: vec![vec![cell.clone()], vec![], vec!["a".into(), "1".into(), "b".into()]],
        remark: Some(name.clone()),
    };
    let page = Page {
        title: name.clone(),
        lead: name.clone(),
        tiles: vec![Tile { label: name.clone(), value: name.clone(), remark: name.clone() }],
        notes: vec![name.clone()],
        sections: vec![Section {
            id: String::new(),
            heading: name.clone(),
            text: vec![name.clone()],
            blocks: vec![Block::Table(table)],
        }],
        footer: vec![name],
    };
    let text = page.text();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(text.contains("\u{fffd}[31mred\u{fffd}\u{fffd}"));
    assert!(text.lines().all(|line| line.width() <= 2 * 60 + 12), "{text}");
    assert_eq!(Page::default().text(), "");
    assert_eq!(Section::default().text(), "");
}

#[test]
fn marks_are_shown_on_a_page() {
    let page =
        Page { sections: vec![section(vec![Block::Table(table(rows()))])], ..Page::default() };
    let html = page.html().unwrap();
    assert!(html.contains("<bdi><strong>83.5</strong></bdi><small>±1.25</small>"), "{html}");
    assert!(html.contains("<bdi>83.1<sup class=\"near\">•</sup></bdi>"));
    assert_eq!(html.matches("<sup").count(), 1);
}
