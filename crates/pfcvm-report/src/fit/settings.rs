//! With which settings.

use super::FitAccount;
use crate::page::{Block, Column, Section, Table};
use serde_json::Value;

/// The table of settings, the data first.
pub fn section(account: &FitAccount) -> Option<Section> {
    let mut all = vec![("data".to_string(), account.data.clone())];
    all.extend(account.test.as_ref().map(|test| ("test data".to_string(), test.data.clone())));
    let classes = match account.summary.classes.as_slice() {
        [negative, positive] => format!("{negative} (negative), {positive} (positive)"),
        several => several.join(", "),
    };
    all.push(("classes".into(), classes));
    if account.summary.only().is_none() {
        all.push(("scheme".into(), account.summary.scheme.to_string()));
    }
    all.extend(simple(&account.summary.settings));
    Some(Section {
        id: "settings".into(),
        heading: "Settings".into(),
        text: vec![
            "With these, the same data and the same program, the fit can be repeated.".into(),
        ],
        blocks: vec![Block::Table(Table {
            caption: "Settings of the fit".into(),
            columns: vec![Column::text("Setting"), Column::text("Value")],
            rows: all.into_iter().map(|(name, value)| vec![name.into(), value.into()]).collect(),
            remark: None,
        })],
    })
}

/// All settings in one sentence.
pub fn in_text(settings: &Value) -> String {
    let words = simple(settings).map(|(name, value)| format!("{name} {value}"));
    format!("Settings: {}.", words.collect::<Vec<_>>().join(", "))
}

/// Settings that are one word each, without JSON's quotes.
fn simple(settings: &Value) -> impl Iterator<Item = (String, String)> {
    let all = settings.as_object().into_iter().flatten();
    all.filter(|(_, value)| !value.is_object() && !value.is_null()).map(|(name, value)| {
        let value = value.as_str().map(String::from).unwrap_or_else(|| value.to_string());
        (name.replace('_', " "), value)
    })
}
