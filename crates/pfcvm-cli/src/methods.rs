//! `pfcvm methods`: what there is to choose from.

use crate::args;
use crate::failure::Outcome;
use crate::output;
use anstyle::Style;
use pfcvm_methods::{Entry, catalogue, find};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

#[derive(Serialize)]
struct Catalogue {
    methods: Vec<Method>,
}

#[derive(Serialize)]
struct Method {
    name: &'static str,
    about: &'static str,
    settings: Vec<Setting>,
    /// By setting, the values that `--nested` chooses among.
    grid: BTreeMap<&'static str, &'static [&'static str]>,
}

#[derive(Serialize)]
struct Setting {
    key: &'static str,
    default: &'static str,
    about: &'static str,
}

/// Runs the command.
pub fn run(options: &args::Methods) -> Outcome {
    let entries: Vec<&Entry> = match &options.name {
        Some(name) => vec![find(name)?],
        None => catalogue().to_vec(),
    };
    if options.json {
        let methods = entries.iter().map(|entry| Method::of(entry)).collect();
        return output::print_json(&Catalogue { methods });
    }
    let mut out = anstream::stdout().lock();
    for entry in &entries {
        writeln!(out, "{BOLD}{}{BOLD:#}  {}", entry.name, entry.about)?;
        let widest = |text: fn(&pfcvm_methods::Setting) -> usize| {
            entry.settings.iter().map(text).max().unwrap_or(0)
        };
        let key = widest(|setting| setting.key.len());
        let default = widest(|setting| setting.default.len());
        for setting in entry.settings {
            writeln!(
                out,
                "  {:key$}  {:default$}  {DIM}{}{DIM:#}",
                setting.key, setting.default, setting.about
            )?;
        }
        let axes = entry.grid.iter().map(|(key, values)| format!("{key}={}", values.join(",")));
        let axes: Vec<String> = axes.collect();
        if !axes.is_empty() {
            writeln!(out, "  {DIM}--nested chooses among {}{DIM:#}", axes.join(" "))?;
        }
        writeln!(out)?;
    }
    if options.name.is_none() {
        writeln!(
            out,
            "Write NAME, NAME/key=value/key=value, or FIRST+SECOND for the second on the features \
             that\nthe first selects."
        )?;
    }
    Ok(out.flush()?)
}

impl Method {
    fn of(entry: &Entry) -> Self {
        let settings = entry.settings.iter().map(|setting| Setting {
            key: setting.key,
            default: setting.default,
            about: setting.about,
        });
        Self {
            name: entry.name,
            about: entry.about,
            settings: settings.collect(),
            grid: entry.grid.iter().copied().collect(),
        }
    }
}
