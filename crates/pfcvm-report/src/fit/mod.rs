//! The page of a fit, of any number of classes: which features matter, how good it is on new rows,
//! which samples it remembers, how the fit went.

mod account;
mod choice;
mod classes;
mod columns;
mod effects;
mod features;
mod goals;
mod held_out;
mod lists;
mod machines;
mod price;
mod samples;
mod settings;
mod sureness;
mod test;
mod trace;
mod weights;
mod words;

pub use account::{FitAccount, ListPrice, Test};

use crate::name::quoted;
use crate::page::{Page, Section};
use crate::studies::Form;
use pfcvm_io::Summary;

/// Pictures that stand side by side, in pixels.
const SMALL: (f64, f64) = (380.0, 250.0);
/// Features and samples listed in text without being asked for all of them.
const LISTED: usize = 30;

impl FitAccount {
    /// The whole page.
    pub fn page(&self) -> Page {
        let summary = &self.summary;
        let empty = sureness::is_empty(summary);
        let mut features = features::section(summary, &self.marks);
        if let (Some(features), Some(hint)) = (&mut features, price::hint(self)) {
            features.text.push(hint.into());
        }
        let mut sections: Vec<Option<Section>> = vec![features];
        sections.push(effects::section(summary));
        let test = self.test.as_ref();
        sections.push(test.map(|test| test::section(test, &summary.classes, empty)));
        sections.push(test.and_then(|test| test::each_class(test, &summary.classes, empty)));
        let list = summary.list();
        let held_out = |list| held_out::section(list, summary.uses_all_features);
        sections.push(list.as_deref().and_then(held_out));
        sections.push(price::section(self, Form::Picture));
        match list {
            Some(list) => {
                sections.push(match summary.only() {
                    Some(only) => samples::section(only, &summary.classes),
                    None => machines::classes(summary),
                });
                // How a fit went whose result was dropped helps nobody.
                let course = list.course.as_ref().filter(|_| !empty);
                sections.push(course.and_then(|course| trace::section(&course.trace)));
            }
            None => sections.push(machines::section(summary)),
        }
        sections.push(settings::section(self));
        Page {
            title: self.title.clone(),
            lead: words::lead(self),
            tiles: words::tiles(self),
            notes: self.notes.iter().map(|note| quoted(note)).collect(),
            sections: sections.into_iter().flatten().collect(),
            footer: words::footer(&self.program, summary.seed),
        }
    }

    /// The page as text, about a screen long: figures, features, and what classes or machines have.
    /// Notes are left out: whoever prints this has told them already.
    pub fn text(&self) -> String {
        let summary = &self.summary;
        let mut sections = vec![features::in_text(summary, &self.marks, LISTED, false)];
        sections.push(price::section(self, Form::Letters));
        if summary.only().is_none() {
            sections.push(self.test.as_ref().map(test::calls));
            sections.push(by_machine(summary));
        }
        let page = Page {
            title: self.title.clone(),
            lead: words::lead(self),
            tiles: words::tiles(self),
            notes: Vec::new(),
            sections: sections.into_iter().flatten().collect(),
            footer: vec![words::ending(summary)],
        };
        page.text()
    }
}

/// What each of several machines has of its own, as text.
fn by_machine(summary: &Summary) -> Option<Section> {
    match summary.is_joint() {
        true => machines::classes(summary),
        false => machines::in_text(summary, LISTED),
    }
}

/// What a model file holds, as text.
pub fn model_text(summary: &Summary) -> String {
    let mut sections = vec![features::in_text(summary, &Default::default(), usize::MAX, true)];
    sections.push(effects::in_text(summary, LISTED));
    match summary.only() {
        Some(only) => sections.push(samples::in_text(only, LISTED)),
        None => sections.push(by_machine(summary)),
    }
    sections.push(columns::in_text(summary, LISTED));
    let page = Page {
        title: words::classes(&summary.classes),
        lead: sureness::verdict(summary).unwrap_or_default(),
        tiles: words::of_model(summary),
        notes: summary.unlabelled.iter().map(|found| found.in_words()).collect(),
        sections: sections.into_iter().flatten().collect(),
        footer: vec![settings::in_text(&summary.settings), words::ending(summary)],
    };
    page.text()
}
