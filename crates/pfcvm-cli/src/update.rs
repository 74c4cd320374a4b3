//! `pfcvm update`: a model that kept rows learns on from new ones.

use crate::args;
use crate::failure::{Failure, Outcome};
use crate::fit::remarks;
use crate::learn::{self, Learned, Training};
use crate::output::{self, Outputs, note};
use crate::reading::{self, LabelColumn};
use crate::threads::use_threads;
use pfcvm::multiclass::Scheme;
use pfcvm_io::{
    ColumnKind, Content, FitSettings, Input, ModelFile, NewRows, Onward, ReadOptions, Rows,
    Summary, Surprise, Table,
};
use pfcvm_report::FitAccount;
use serde::Serialize;
use std::io::Write;

/// What is printed as JSON.
#[derive(Serialize)]
struct Updated<'a> {
    #[serde(flatten)]
    account: &'a FitAccount,
    update: Account,
}

/// What is to be told of learning on.
#[derive(Serialize)]
struct Account {
    /// Rows that were new.
    new_rows: usize,
    /// All that were ever seen.
    rows_seen: usize,
    /// Those that the model keeps.
    rows_kept: usize,
    /// What the model said of the new rows before it learned from them.
    before: Surprise,
}

/// Runs the command.
pub fn run(options: &args::Update) -> Outcome {
    use_threads(options.threads)?;
    let memory_limit = reading::memory_limit(options.memory_limit);
    // The old model may be written over: it is whole until the new one takes its place.
    let inputs = [Some(options.data.as_path())];
    output::check(&[Some(&options.next), options.report.as_deref()], &inputs)?;
    let old = reading::model(&options.model, false)?;
    let input = Input::from(options.data.clone());
    let within = |message: String| Failure::Data(format!("{input}: {message}"));
    let table = read(options, &old, &input, memory_limit)?;
    let codes = table.class_codes().iter().map(|code| *code as usize).collect();
    let new = NewRows {
        x: table.x(),
        variables: table.variables(),
        codes,
        classes: table.class_names(),
        weights: None,
        new_classes: options.new_classes,
    };
    let onward = old.onward(new, options.half_life).map_err(within)?;
    let mut notes = table.notes().to_vec();
    notes.extend(onward.notes.iter().cloned());
    notes.iter().for_each(|text| note(&format!("note: {text}")));
    let new_rows = table.x().rows();
    drop(table);

    let surprise = onward.surprise.clone();
    let (learned, file) = learn_on(&old, onward, memory_limit)?;
    let Learned { courses, seconds, advice, .. } = learned;
    let kept = file.seen.as_ref().map_or(0, pfcvm::Seen::kept);
    let update =
        Account { new_rows, rows_seen: file.rows_used(), rows_kept: kept, before: surprise };
    let summary = Summary::of(&file).with_effects(&file).with_courses(courses);
    let constant_features = file.constant_features();
    let mut said = remarks(&summary, &constant_features);
    said.extend(advice);
    said.push(format!(
        "{} rows seen, {new_rows} of them new; {kept} are kept in the model",
        update.rows_seen
    ));
    said.iter().for_each(|text| note(&format!("note: {text}")));
    notes.extend(said);
    let account = FitAccount {
        title: format!("What matters after {}", reading::file_name(&input)),
        data: input.to_string(),
        summary,
        constant_features,
        seconds,
        test: None,
        notes,
        price: Default::default(),
        marks: Default::default(),
        program: output::program(),
    };
    let mut outputs = Outputs::default();
    outputs.add(&options.next, |staged| file.write(staged))?;
    if let Some(path) = &options.report {
        let page = account.page().html()?;
        outputs.add(path, |staged| staged.write_all(page.as_bytes()))?;
    }
    outputs.finish()?;
    match options.json {
        true => output::print_json(&Updated { account: &account, update }),
        false => output::print(&account.text()),
    }
}

/// New rows, read as the training data were.
fn read(
    options: &args::Update,
    old: &ModelFile,
    input: &Input,
    memory_limit: u64,
) -> Outcome<Table> {
    let form = reading::of_new_rows(&options.reading);
    let missing = [old.missing.as_slice(), &form.missing].concat();
    let label = options.label.clone().or_else(|| old.label.clone());
    let how = ReadOptions { missing, label, memory_limit_mib: memory_limit, ..form };
    let there = match input {
        // What can be read only once is taken to have all columns.
        Input::Stdin => None,
        Input::File(_) => Some(Rows::open(input, &how)?.columns()),
    };
    let kind = |content: &Content| match content {
        Content::Number => ColumnKind::Number,
        Content::Date { .. } => ColumnKind::Date,
        Content::Words(_) => ColumnKind::Words,
    };
    let kinds = match old.form {
        // Numbers are found out, so that what is none is told.
        None => Vec::new(),
        Some(_) => {
            let known = old.variables().into_iter();
            let known = known.filter(|v| there.as_ref().is_none_or(|t| t.contains(&v.name)));
            known.map(|variable| (variable.name, kind(&variable.content))).collect()
        }
    };
    let how = ReadOptions { kinds, ..how };
    Ok(reading::table(input, &how)?.0)
}

/// The model of kept rows and new ones, with the settings of the old one.
fn learn_on(old: &ModelFile, onward: Onward, memory_limit: u64) -> Outcome<(Learned, ModelFile)> {
    let Onward { data, mut seen, variables, .. } = onward;
    let mut settings = old.settings_onward();
    let limit = usize::try_from(memory_limit).ok();
    match &mut settings {
        FitSettings::Single(settings) => settings.memory_limit_mib = limit,
        FitSettings::Panel(settings) => settings.memory_limit_mib = limit,
    }
    // Two classes are one machine under any scheme.
    let scheme = match old.classes.len() {
        2 => Scheme::Joint,
        _ => old.machines.scheme(),
    };
    let training = Training {
        data,
        rows: seen.rows().to_vec(),
        file_rows: seen.total(),
        label: LabelColumn { name: old.label.clone(), unnamed: old.unnamed },
        feature_names: old.feature_names.clone(),
        variables,
        missing: old.missing.clone(),
        unlabelled: None,
    };
    let learned = learn::learn(training, scheme, settings)?;
    let class_rows = Some(seen.class_rows().to_vec());
    seen.bound();
    let file = ModelFile {
        class_rows,
        labels_are_text: old.labels_are_text,
        choice: learned.file.choice.clone().or_else(|| old.choice.clone()),
        seen: Some(seen),
        ..learned.file.clone()
    };
    Ok((learned, file))
}
