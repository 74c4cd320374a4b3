//! `pfcvm data`: which data sets there are, where they lie, and how to get them.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::output::{self, note};
use crate::progress;
use anstyle::Style;
use pfcvm_data::{DataSet, Folder, Options, Status, catalogue, fetch, find};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

#[derive(Serialize)]
struct Catalogue {
    /// Where they are looked for.
    folder: String,
    data_sets: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    samples: Option<usize>,
    features: Option<usize>,
    /// Labels with their number of samples.
    classes: Vec<(&'static str, usize)>,
    origin: &'static str,
    address: &'static str,
    licence: &'static str,
    how_to_get: String,
    remarks: &'static [&'static str],
    /// The data file, where it is there.
    path: Option<String>,
    sha256: Option<&'static str>,
}

/// Runs the command.
pub fn run(options: &args::Data) -> Outcome {
    match options {
        args::Data::List { name, json, at } => list(name.as_deref(), *json, &folder(at)),
        args::Data::Path { name, at } => path(find(name)?, &folder(at)),
        args::Data::Fetch { name, mirror, at } => get(find(name)?, mirror.clone(), &folder(at)),
    }
}

fn folder(at: &args::DataFolder) -> Folder {
    Folder::find(at.data_folder.as_deref())
}

fn list(name: Option<&str>, json: bool, folder: &Folder) -> Outcome {
    let sets: Vec<&DataSet> = match name {
        Some(name) => vec![find(name)?],
        None => catalogue().collect(),
    };
    if json {
        let data_sets = sets.iter().map(|set| Entry::of(set, folder)).collect();
        return output::print_json(&Catalogue { folder: shown(folder.path()), data_sets });
    }
    let mut out = anstream::stdout().lock();
    if name.is_none() {
        let widest = sets.iter().map(|set| set.name.len()).max().unwrap_or(0);
        for set in &sets {
            let size = match (set.samples, set.features) {
                (Some(samples), Some(features)) => format!("{samples} x {features}"),
                _ => "-".into(),
            };
            let there = match folder.status(set) {
                Status::Missing => "",
                Status::Incomplete { .. } => "in part",
                _ => "here",
            };
            writeln!(
                out,
                "{BOLD}{:widest$}{BOLD:#}  {size:>12}  {there:7}  {DIM}{}{DIM:#}",
                set.name, set.title
            )?;
        }
        writeln!(out, "\nFolder: {}", shown(folder.path()))?;
        writeln!(out, "More about one of them: pfcvm data list NAME")?;
        return Ok(out.flush()?);
    }
    for set in &sets {
        describe(&mut out, set, folder)?;
    }
    Ok(out.flush()?)
}

fn describe(out: &mut impl Write, set: &DataSet, folder: &Folder) -> Outcome {
    writeln!(out, "{BOLD}{}{BOLD:#}  {}", set.name, set.title)?;
    let mut line = |label: &str, text: &str| -> Outcome {
        if !text.is_empty() {
            writeln!(out, "  {label:12}{text}")?;
        }
        Ok(())
    };
    if let (Some(samples), Some(features)) = (set.samples, set.features) {
        line("size", &format!("{samples} samples, {features} features"))?;
    }
    let classes = set.classes.iter().map(|class| match class.meaning {
        "" => format!("`{}` {}", class.label, class.samples),
        meaning => format!("`{}` ({meaning}) {}", class.label, class.samples),
    });
    line("classes", &Vec::from_iter(classes).join(", "))?;
    line("origin", set.origin)?;
    line("address", set.address)?;
    line("licence", set.licence)?;
    line("to get it", &set.how_to_get())?;
    set.remarks.iter().try_for_each(|remark| line("remark", remark))?;
    let status = match folder.verify(set)? {
        Status::Missing => "not here".to_string(),
        Status::Incomplete { missing } => {
            let names = missing.iter().map(|path| shown(path));
            format!("here in part; missing {}", Vec::from_iter(names).join(", "))
        }
        Status::There => "here".into(),
        Status::Verified => "here, checksums right".into(),
        Status::Different { path, .. } => format!("{} is not the file it should be", shown(&path)),
        _ => "here".into(),
    };
    line("status", &status)
}

fn path(set: &DataSet, folder: &Folder) -> Outcome {
    match folder.locate(set) {
        Some(path) => {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{}", path.display())?;
            Ok(out.flush()?)
        }
        None => Err(Failure::Data(format!(
            "{} is not in {}; {}",
            set.name,
            shown(folder.path()),
            set.how_to_get()
        ))),
    }
}

fn get(set: &DataSet, mirror: Option<String>, folder: &Folder) -> Outcome {
    let options = Options { mirror, ..Options::default() };
    let bar = progress::reading(set.name, Some(0));
    let fetched = fetch(set, folder, &options, &mut |now| {
        bar.set_length(now.total);
        bar.set_position(now.done);
    });
    bar.finish_and_clear();
    let fetched = fetched?;
    if fetched.received == 0 {
        note(&format!("{} was here already", set.name));
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", fetched.data.display())?;
    Ok(out.flush()?)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

impl Entry {
    fn of(set: &DataSet, folder: &Folder) -> Self {
        Self {
            name: set.name,
            title: set.title,
            samples: set.samples,
            features: set.features,
            classes: set.classes.iter().map(|class| (class.label, class.samples)).collect(),
            origin: set.origin,
            address: set.address,
            licence: set.licence,
            how_to_get: set.how_to_get(),
            remarks: set.remarks,
            path: folder.locate(set).map(|path| shown(&path)),
            sha256: set.files.first().map(|file| file.sha256),
        }
    }
}
