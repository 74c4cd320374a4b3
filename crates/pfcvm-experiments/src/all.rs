//! Everything in one page that reads like the experimental section of the paper.

use crate::{Chapter, Experiment, Finding, Setup, Verdict, commentary};
use pfcvm_methods::catalogue;
use pfcvm_report::Tile;
use pfcvm_report::charts::Tone;
use pfcvm_report::page::{Block, Cell, Column, Page, Section, Table};

/// One page of all chapters, or of one.
pub fn whole_page(chapters: &[(Experiment, Chapter)], setup: &Setup, program: &str) -> Page {
    let findings: Vec<Finding> =
        chapters.iter().flat_map(|(_, chapter)| chapter.findings.clone()).collect();
    let count = |verdict| findings.iter().filter(|f| f.verdict == verdict).count().to_string();
    let tile = |label: &str, verdict| Tile {
        label: label.into(),
        value: count(verdict),
        remark: "of the paper's figures".into(),
    };
    let title = match chapters {
        [(experiment, _)] => experiment.heading().to_string(),
        _ => "The paper's experiments, done again".into(),
    };
    let methods: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
    let mut sections = Vec::new();
    if !findings.is_empty() {
        sections.push(summary(&findings));
    }
    for (at, (experiment, chapter)) in chapters.iter().enumerate() {
        let number = at + 1;
        sections.push(Section {
            id: experiment.name().into(),
            heading: format!("{number}. {}", experiment.heading()),
            text: vec![chapter.lead.clone()],
            blocks: Vec::new(),
        });
        sections.extend(chapter.sections.iter().enumerate().map(|(part, section)| Section {
            heading: format!("{number}.{} {}", part + 1, section.heading),
            ..section.clone()
        }));
    }
    Page {
        title,
        lead: format!(
            "Every printed figure beside ours, the worse ones too. Methods there are: {}. {}",
            methods.join(", "),
            match setup.quick {
                true => "A quick run: fewer splits and settings than the paper's.",
                false => "A full run.",
            }
        ),
        tiles: match findings.is_empty() {
            true => Vec::new(),
            false => vec![
                tile("As printed", Verdict::Same),
                tile("Better", Verdict::Better),
                tile("Worse", Verdict::Worse),
                tile("Do not hold", Verdict::Differs),
                tile("Not measured", Verdict::NotMeasured),
            ],
        },
        notes: Vec::new(),
        sections,
        footer: vec![program.to_string(), format!("seed {}", setup.seed)],
    }
}

fn summary(findings: &[Finding]) -> Section {
    let row = |finding: &Finding| {
        let verdict = Cell::from(finding.verdict.words());
        let verdict = match finding.verdict {
            Verdict::Worse | Verdict::Differs => verdict.tinted(Tone::Contrast),
            Verdict::Better => verdict.tinted(Tone::Accent),
            _ => verdict,
        };
        vec![
            finding.claim.clone().into(),
            finding.paper.clone().into(),
            finding.ours.clone().into(),
            finding.within.clone().into(),
            verdict,
        ]
    };
    let table = Table {
        caption: "The paper's figures beside ours".into(),
        columns: vec![
            Column::text("what"),
            Column::number("the paper"),
            Column::number("here"),
            Column::text("same within"),
            Column::text("verdict"),
        ],
        rows: findings.iter().map(row).collect(),
        remark: None,
    };
    Section {
        id: "reproduced".into(),
        heading: "What reproduces, and what does not".into(),
        text: commentary(findings),
        blocks: vec![Block::Table(table)],
    }
}
