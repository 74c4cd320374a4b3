//! From the data of a report to the parts of a page.

mod features;
mod samples;
pub mod test;
mod trace;

use crate::charts::drawable;
use crate::error::Error;
use crate::page::{Block, Column, Page, Section, Table};
use crate::report::{Origin, Report, Test};

/// Pictures that stand side by side, in pixels.
const SMALL: (f64, f64) = (380.0, 250.0);

/// The whole page.
pub fn page(report: &Report) -> Result<Page, Error> {
    let mut notes = report.notes.clone();
    if report.test.as_ref().is_some_and(|test| test.truth.is_empty()) {
        notes.push("The test data have no rows, so nothing is said about new data.".into());
    }
    let test = report.test.as_ref().filter(|test| !test.truth.is_empty());
    if let Some(test) = &report.test {
        check(test)?;
    }
    let sections = [
        features::section(report),
        test.map(test::section),
        samples::section(report),
        trace::section(&report.trace),
        settings(&report.settings),
    ];
    Ok(Page {
        title: report.title.clone(),
        lead: report.lead.clone(),
        tiles: report.tiles.clone(),
        notes,
        sections: sections.into_iter().flatten().collect(),
        footer: footer(&report.origin),
    })
}

fn check(test: &Test) -> Result<(), Error> {
    let (truth, probability) = (test.truth.len(), test.probability.len());
    if truth != probability {
        return Err(Error::TestLengths { truth, probability });
    }
    match test.probability.iter().position(|p| !(0.0..=1.0).contains(p)) {
        Some(at) => Err(Error::NotAProbability { row: at + 1, value: test.probability[at] }),
        None => Ok(()),
    }
}

pub fn settings(settings: &[(String, String)]) -> Option<Section> {
    let row = |(name, value): &(String, String)| vec![name.clone().into(), value.clone().into()];
    (!settings.is_empty()).then(|| Section {
        id: "settings".into(),
        heading: "Settings".into(),
        text: vec![
            "With these, the same data and the same program, the fit can be repeated.".into(),
        ],
        blocks: vec![Block::Table(Table {
            caption: "Settings of the fit".into(),
            columns: vec![Column::text("Setting"), Column::text("Value")],
            rows: settings.iter().map(row).collect(),
            remark: None,
        })],
    })
}

pub fn footer(origin: &Origin) -> Vec<String> {
    let mut lines = Vec::new();
    match (origin.program.is_empty(), origin.seed) {
        (false, Some(seed)) => lines.push(format!("Written by {}, seed {seed}.", origin.program)),
        (false, None) => lines.push(format!("Written by {}.", origin.program)),
        (true, Some(seed)) => lines.push(format!("Seed {seed}.")),
        (true, None) => {}
    }
    lines.push("This file is complete: it loads nothing and sends nothing.".into());
    lines
}

/// A weight for ordering: what cannot be drawn comes last.
fn size(weight: f64) -> f64 {
    if drawable(weight) { weight.abs() } else { -1.0 }
}
